/**
 * The actions given to `umwelt play --actions`: JSON values a line, or a recording whose actions are played again.
 *
 * A file is read and checked whole before the first turn; standard input is played line by line, so that a program
 * can wait for each answer. A JSON string is the action text it holds; any other value is the text of its line.
 * Empty lines are skipped. A line that is no JSON is `usage/bad-argument` and names its number. JSON that is no
 * action of the world is not judged here: it becomes a malformed turn.
 */
import { readFile } from 'node:fs/promises';
import {
  DataError,
  isJsonObject,
  type JsonObject,
  LIMITS,
  parseJson,
  readTrajectories,
  type Trajectory,
  type Turn,
  UsageError,
} from '../../core/index.js';

/** One action and where it stood; a recording's action comes with its turn. */
export interface GivenAction {
  /** The line it stood on, or the number of its turn in a recording; both from 1. */
  readonly line: number;
  readonly action: string;
  readonly recorded?: Turn;
}

/** Actions in order. The trajectory is there when a file held a recording. */
export interface ActionSource {
  readonly actions: AsyncIterable<GivenAction>;
  readonly trajectory: Trajectory | null;
  /** What was odd in a recording: a torn last line, missing turns. */
  readonly problems: readonly string[];
}

/** Opens a source of actions; `-` is standard input. Raises `usage/unknown-name` when the file does not exist. */
export async function openActionLines(source: string): Promise<ActionSource> {
  const name = source === '-' ? 'standard input' : source;
  if (source === '-') {
    return { actions: readActions(linesOf(process.stdin, name), name), trajectory: null, problems: [] };
  }
  const bytes = await readActionFile(source);
  if (isRecording(bytes)) return openRecording(bytes, name);
  const actions: GivenAction[] = [];
  for await (const action of readActions(linesOf([bytes], name), name)) actions.push(action);
  return { actions: toAsync(actions), trajectory: null, problems: [] };
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function readActionFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code !== 'ENOENT') {
      throw new DataError(`cannot read ${path} (${code})`, { code: 'data/unreadable', cause: error });
    }
    const message = `--actions names the file ${path}, which does not exist; - reads standard input`;
    throw new UsageError(message, { code: 'usage/unknown-name', data: { path } });
  }
}

/** A header or a whole trajectory on the first line that is not empty. */
function isRecording(bytes: Uint8Array): boolean {
  const [first = ''] = new TextDecoder().decode(bytes).trimStart().split('\n', 1);
  const read = parseJson(first);
  return read.ok && isJsonObject(read.value) && Object.hasOwn(read.value, 'trajectory');
}

async function openRecording(bytes: Uint8Array, name: string): Promise<ActionSource> {
  const trajectories: Trajectory[] = [];
  const problems: string[] = [];
  for await (const reading of readTrajectories([bytes])) {
    if (reading.kind === 'trajectory') trajectories.push(reading.trajectory);
    else problems.push(`${name} line ${reading.problem.line}: ${reading.problem.message}`);
  }
  const [trajectory] = trajectories;
  if (trajectory === undefined) {
    throw new DataError(problems[0] ?? `${name} holds no trajectory`, {
      code: 'data/invalid',
      data: { problems },
    });
  }
  if (trajectories.length > 1) {
    const message = `${name} holds ${trajectories.length} trajectories; --actions takes a file with one`;
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  const actions = trajectory.turns.map((recorded, index) => ({
    line: index + 1,
    action: recorded.action,
    recorded,
  }));
  return { actions: toAsync(actions), trajectory, problems };
}

interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** The lines of a UTF-8 stream without their ends; a byte order mark at the start is dropped. */
async function* linesOf(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
): AsyncGenerator<NumberedLine> {
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

async function* readActions(lines: AsyncIterable<NumberedLine>, name: string): AsyncGenerator<GivenAction> {
  for await (const { line, text } of lines) {
    if (text.trim() === '') continue;
    const read = parseJson(text);
    if (!read.ok) throw notJson({ line, text }, name, read.error.message);
    if (isJsonObject(read.value)) mustBeNoHeader(read.value, name);
    yield { line, action: typeof read.value === 'string' ? read.value : text };
  }
}

/** A recording is read whole, with its seed; a stream is played as it comes. */
function mustBeNoHeader(value: JsonObject, name: string): void {
  if (!Object.hasOwn(value, 'trajectory')) return;
  throw new UsageError(`${name} is a recording; give its file to --actions instead`, {
    code: 'usage/bad-argument',
  });
}

function notJson({ line, text }: NumberedLine, name: string, why: string): UsageError {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new UsageError(
    `${name} line ${line} is not JSON (${why}): ${shown}; wanted one JSON value a line, for example {"name":"tool","arguments":{}}`,
    { code: 'usage/bad-argument', data: { line, seen: shown } },
  );
}
