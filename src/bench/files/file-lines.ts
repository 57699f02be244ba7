/**
 * The lines of a file with where they stand, so that a line can be read again later without holding the file.
 *
 * Lines end at LF. A line that is no JSON value goes through the forgiving reader of `core`, which finds a whole record
 * behind a torn one; what cannot be read is a problem with its line number. Only one line is held. Source: hard cases
 * P-LOG-2 and P-EVAL-4.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { createJsonLineReader, type Json, LIMITS, parseJson } from '../../core/index.js';

/** One line that holds a value. */
export interface FileLine {
  readonly value: Json;
  /** The line, from 1. */
  readonly line: number;
  /** Where the value's bytes begin, and how many there are; line feed not included. */
  readonly start: number;
  readonly length: number;
  /** The line was this value and nothing else, and it ended. */
  readonly whole: boolean;
}

/** A line, or a part of one, that could not be read. */
export interface LineTrouble {
  readonly line: number;
  readonly message: string;
}

const CHUNK = 1 << 20;

/** Reads a file line by line; troubles go to `onTrouble`. Raises what the system says where it cannot be read. */
export function* readFileLines(path: string, onTrouble: (trouble: LineTrouble) => void): Generator<FileLine> {
  const file = openSync(path, 'r');
  try {
    let number = 0;
    for (const { bytes, start, ended } of rawLines(file)) {
      number += 1;
      yield* valuesOf(bytes, { line: number, start, ended }, onTrouble);
    }
  } finally {
    closeSync(file);
  }
}

interface RawLine {
  readonly bytes: Buffer;
  readonly start: number;
  readonly ended: boolean;
}

function* rawLines(file: number): Generator<RawLine> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let held: Buffer[] = [];
  let start = 0;
  let at = 0;
  for (let read = readSync(file, chunk, 0, CHUNK, at); read > 0; read = readSync(file, chunk, 0, CHUNK, at)) {
    const bytes = chunk.subarray(0, read);
    let from = 0;
    for (let lf = bytes.indexOf(0x0a); lf >= 0; lf = bytes.indexOf(0x0a, from)) {
      const piece = bytes.subarray(from, lf);
      yield { bytes: held.length === 0 ? piece : Buffer.concat([...held, piece]), start, ended: true };
      held = [];
      from = lf + 1;
      start = at + from;
    }
    if (from < read) held.push(Buffer.from(bytes.subarray(from)));
    at += read;
  }
  if (held.length > 0) yield { bytes: Buffer.concat(held), start, ended: false };
}

function* valuesOf(
  bytes: Buffer,
  where: { readonly line: number; readonly start: number; readonly ended: boolean },
  onTrouble: (trouble: LineTrouble) => void,
): Generator<FileLine> {
  const { line, start, ended } = where;
  if (bytes.length <= LIMITS.lineBytes) {
    const text = bytes.toString('utf8');
    if (text.trim() === '') return;
    const parsed = parseJson(text);
    if (parsed.ok) {
      yield { value: parsed.value, line, start, length: bytes.length, whole: ended };
      return;
    }
  }
  const reader = createJsonLineReader();
  const events = [...reader.push(bytes), ...(ended ? reader.push(Buffer.from('\n')) : []), ...reader.end()];
  for (const event of events) {
    if (event.kind === 'problem') {
      onTrouble({ line, message: event.problem.message });
      continue;
    }
    yield { value: event.value, line, start, length: bytes.length, whole: false };
  }
}

/** Reads bytes of a file again, as the JSON value that was found there before. */
export function readValueAt(file: number, place: { readonly start: number; readonly length: number }): Json {
  const bytes = Buffer.allocUnsafe(place.length);
  let done = 0;
  while (done < place.length) {
    const read = readSync(file, bytes, done, place.length - done, place.start + done);
    if (read === 0) throw new Error('the file became shorter while it was read');
    done += read;
  }
  const parsed = parseJson(bytes.toString('utf8'));
  if (!parsed.ok) throw new Error('the file changed while it was read');
  return parsed.value;
}
