/**
 * One thing wrong (or odd) in a world file, with its place, and how all of them become one error.
 *
 * A reader gets every problem at once, in the order of the file.
 */
import { type ErrorCode, type Json, renderJson, WorldError } from '../core/index.js';

/** A key or an index on the way from the top of a file to a value. */
export type PathPart = string | number;

/** One thing wrong in a world file. */
export interface WorldProblem {
  /** Line of the value or key, from 1. */
  readonly line: number;
  /** Column, from 1, in UTF-16 units. */
  readonly column: number;
  /** Where in the data, for example `success[0].expr`; empty for the whole file. */
  readonly path: string;
  /** What is wrong and what was wanted, in words. */
  readonly message: string;
  /** The value seen, cut to 80 characters; left out where nothing was there. */
  readonly seen?: string;
  /** What was wanted, in words. */
  readonly wanted?: string;
  /** The nearest known name, where a name was not known. */
  readonly nearest?: string;
  /** The file, where it is not the world file itself (content taken in with `from:`). */
  readonly file?: string;
}

/** Problems named in the message of one error; the rest is counted. All are in `error.data.problems`. */
const SHOWN = 50;
const SEEN_CHARS = 80;

/** Writes a path as an author would: `success[0].expr`, `state["odd key"]`. */
export function renderPath(path: readonly PathPart[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** Writes a value for a message: JSON on one line, cut to 80 characters. */
export function renderSeen(value: Json): string {
  const text = typeof value === 'object' && value !== null ? renderShort(value) : renderJson(value);
  return text.length > SEEN_CHARS ? `${text.slice(0, SEEN_CHARS - 1)}…` : text;
}

function renderShort(value: object): string {
  if (Array.isArray(value)) return value.length > 8 ? `a list of ${value.length}` : renderJson(value as Json);
  const keys = Object.keys(value);
  return keys.length > 8 ? `an object of ${keys.length} keys` : renderJson(value as Json);
}

/** Puts problems in the order of the file. */
function sortProblems(problems: readonly WorldProblem[]): WorldProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** One line for one problem: `name:line:column path: message`. */
export function renderProblem(problem: WorldProblem, name: string): string {
  const place = `${problem.file ?? name}:${problem.line}:${problem.column}`;
  const path = problem.path === '' ? '' : ` ${problem.path}:`;
  return `${place}${path} ${problem.message}`;
}

/**
 * All problems of a file as one error. `data`: `problems` (every {@link WorldProblem}) and `path`.
 *
 * @param name what to call the file in the message
 */
export function worldError(name: string, problems: readonly WorldProblem[], code: ErrorCode): WorldError {
  const sorted = sortProblems(problems);
  const lines = sorted.slice(0, SHOWN).map((problem) => renderProblem(problem, name));
  if (sorted.length > SHOWN) lines.push(`… and ${sorted.length - SHOWN} more`);
  return new WorldError(lines.join('\n'), { code, data: { problems: sorted, path: name } });
}
