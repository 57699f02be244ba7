/**
 * The actions given to `umwelt play --actions`: JSON values a line, or a recording whose actions are played again.
 *
 * A file is read and checked whole before the first turn; standard input is played line by line, so that a program
 * can wait for each answer. A JSON string is the action text it holds; any other value is the text of its line.
 * Empty lines are skipped. A line that is no JSON is `usage/bad-argument` and names its number. JSON that is no
 * action of the world is not judged here: it becomes a malformed turn.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  createTrajectoryReader,
  DataError,
  isJsonObject,
  LIMITS,
  type Observation,
  parseJson,
  type StepStatus,
  UsageError,
} from '../../core/index.js';

/** One action and where it stood; a recording's action comes with what was observed then. */
export interface GivenAction {
  /** The line it stood on, from 1. */
  readonly line: number;
  readonly action: string;
  readonly recorded?: { readonly observation: Observation; readonly status: StepStatus };
}

/** A source of actions. `-` is standard input. Raises `usage/unknown-name` when the file does not exist. */
export async function openActionLines(source: string): Promise<AsyncIterable<GivenAction>> {
  if (source === '-') return readActions(linesOf(process.stdin, 'standard input'), 'standard input');
  await mustBeFile(source);
  const actions: GivenAction[] = [];
  const lines = linesOf(createReadStream(source), source);
  for await (const action of readActions(lines, source)) actions.push(action);
  return toAsync(actions);
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function mustBeFile(path: string): Promise<void> {
  try {
    if (!(await stat(path)).isDirectory()) return;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code !== 'ENOENT') {
      throw new DataError(`cannot read ${path} (${code})`, { code: 'data/unreadable', cause: error });
    }
    const message = `--actions names the file ${path}, which does not exist; - reads standard input`;
    throw new UsageError(message, { code: 'usage/unknown-name', data: { path } });
  }
  throw new UsageError(`--actions names ${path}, which is a folder`, {
    code: 'usage/bad-argument',
    data: { path },
  });
}

interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** The lines of a UTF-8 stream without their ends; a byte order mark at the start is dropped. */
async function* linesOf(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      throw new DataError(`${name} line ${line} or after is not UTF-8 text`, {
        code: 'data/invalid',
        cause: error,
      });
    }
  };
  for await (const chunk of stream) {
    const parts = (rest + decode(chunk)).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) yield { line: line++, text: text.replace(/\r$/, '') };
    if (rest.length > LIMITS.lineBytes) {
      const message = `${name} line ${line} is longer than ${LIMITS.lineBytes} (limit lineBytes)`;
      throw new DataError(message, { code: 'limit/exceeded' });
    }
  }
  rest += decode();
  if (rest !== '') yield { line, text: rest.replace(/\r$/, '') };
}

async function* readActions(lines: AsyncGenerator<NumberedLine>, name: string): AsyncGenerator<GivenAction> {
  let isFirst = true;
  for await (const { line, text } of lines) {
    if (text.trim() === '') continue;
    const read = parseJson(text);
    if (!read.ok) throw notJson({ line, text }, name, read.error.message);
    const isRecording = isFirst && isJsonObject(read.value) && Object.hasOwn(read.value, 'trajectory');
    if (isRecording) return yield* readRecording({ line, text }, lines, name);
    isFirst = false;
    yield { line, action: typeof read.value === 'string' ? read.value : text };
  }
}

function notJson({ line, text }: NumberedLine, name: string, why: string): UsageError {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new UsageError(
    `${name} line ${line} is not JSON (${why}): ${shown}; wanted one JSON value a line, for example {"name":"tool","arguments":{}}`,
    { code: 'usage/bad-argument', data: { line, seen: shown } },
  );
}

async function* readRecording(
  header: NumberedLine,
  rest: AsyncGenerator<NumberedLine>,
  name: string,
): AsyncGenerator<GivenAction> {
  const reader = createTrajectoryReader();
  const encoder = new TextEncoder();
  const events = function* ({ text }: NumberedLine) {
    yield* reader.push(encoder.encode(`${text}\n`));
  };
  let headers = 0;
  const all = async function* () {
    yield* events(header);
    for await (const line of rest) yield* events(line);
    yield* reader.end();
  };
  for await (const event of all()) {
    if (event.kind === 'problem' && event.problem.severity === 'error')
      throw badRecording(name, event.problem);
    if ((event.kind === 'header' || event.kind === 'whole') && ++headers > 1) throw severalTrajectories(name);
    const turns = event.kind === 'turn' ? [event.turn] : event.kind === 'whole' ? event.trajectory.turns : [];
    for (const { action, observation, status } of turns) {
      const line = event.kind === 'problem' ? 0 : event.line + header.line - 1;
      yield { line, action, recorded: { observation, status } };
    }
  }
}

function badRecording(name: string, problem: { readonly line: number; readonly message: string }): DataError {
  return new DataError(`${name} line ${problem.line}: ${problem.message}`, {
    code: 'data/invalid',
    data: { line: problem.line },
  });
}

function severalTrajectories(name: string): UsageError {
  return new UsageError(`${name} holds several trajectories; --actions takes a file with one`, {
    code: 'usage/bad-argument',
  });
}
