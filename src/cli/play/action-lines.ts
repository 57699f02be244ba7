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
  type Trajectory,
  type Turn,
  UsageError,
} from '../../core/index.js';
import { unreadable } from '../named-file.js';
import { readRecording } from './read-recording.js';

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
    throw unreadable(path, { flag: '--actions', error });
  }
}

/** A header or a whole trajectory on the first line that is not empty; also a header that was cut. */
function isRecording(bytes: Uint8Array): boolean {
  const [first = ''] = new TextDecoder().decode(bytes).trimStart().split('\n', 1);
  const read = parseJson(first);
  if (!read.ok) return first.startsWith('{"trajectory":');
  return isJsonObject(read.value) && Object.hasOwn(read.value, 'trajectory');
}

async function openRecording(bytes: Uint8Array, name: string): Promise<ActionSource> {
  const { trajectories, notes } = await readRecording(bytes, name);
  const [trajectory] = trajectories;
  if (trajectory === undefined) throw new DataError(`${name} holds no trajectory`, { code: 'data/invalid' });
  if (trajectories.length > 1) {
    const message = `${name} holds ${trajectories.length} trajectories; --actions takes a file with one`;
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  const actions = trajectory.turns.map((recorded, index) => ({
    line: index + 1,
    action: recorded.action,
    recorded,
  }));
  return { actions: toAsync(actions), trajectory, problems: notes };
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
  let pieces: string[] = [];
  let held = 0;
  let line = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      throw new DataError(`${name} line ${line} or after is not UTF-8 text; save it as UTF-8`, {
        code: 'data/invalid',
        cause: error,
      });
    }
  };
  for await (const chunk of stream) {
    const [first = '', ...others] = decode(chunk).split('\n');
    pieces.push(first);
    held += first.length;
    for (const next of others) {
      // a long line comes in many pieces; joining them once keeps the time linear
      yield { line: line++, text: pieces.join('').replace(/\r$/, '') };
      pieces = [next];
      held = next.length;
    }
    if (held > LIMITS.lineBytes) {
      const message = `${name} line ${line} is longer than ${LIMITS.lineBytes} (limit lineBytes)`;
      throw new DataError(message, { code: 'limit/exceeded' });
    }
  }
  const rest = pieces.join('') + decode();
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
