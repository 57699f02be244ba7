/**
 * The lines of a file with where they stand, so that a line can be read again later without holding the file.
 *
 * Lines end at LF. A line that is no JSON value goes through the forgiving reader of `core`, which finds a whole record
 * behind a torn one; what cannot be read is a problem with its line number. Only one line is held. Source: hard cases
 * P-LOG-2 and P-EVAL-4.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import {
  createJsonLineReader,
  DataError,
  type Json,
  type JsonLineEvent,
  LIMITS,
  parseJson,
} from '../../core/index.js';

/** One line that holds a value. */
export interface FileLine {
  readonly value: Json;
  /** The line, from 1. */
  readonly line: number;
  /** Where the value's bytes begin, and how many there are; line feed not included. */
  readonly start: number;
  readonly length: number;
  /** Which of the line's values this is, from 0: behind a torn record there may be a whole one. */
  readonly part: number;
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
      yield { value: parsed.value, line, start, length: bytes.length, part: 0, whole: ended };
      return;
    }
  }
  let part = 0;
  for (const event of forgivingEvents(bytes, ended)) {
    if (event.kind === 'problem') onTrouble({ line, message: event.problem.message });
    else yield { value: event.value, line, start, length: bytes.length, part: part++, whole: false };
  }
}

/** What the forgiving reader finds in the bytes of one line. */
function forgivingEvents(bytes: Buffer, ended: boolean): readonly JsonLineEvent[] {
  const reader = createJsonLineReader();
  return [...reader.push(bytes), ...(ended ? reader.push(Buffer.from('\n')) : []), ...reader.end()];
}

/** Where a value stands in a file. */
export type ValuePlace = Pick<FileLine, 'start' | 'length' | 'part'>;

/** Reads a value of a file again. Raises `data/unreadable` where the file is another one by now. */
export function readValueAt(file: number, place: ValuePlace): Json {
  const bytes = Buffer.allocUnsafe(place.length);
  let done = 0;
  while (done < place.length) {
    const read = readSync(file, bytes, done, place.length - done, place.start + done);
    if (read === 0) throw changed('became shorter');
    done += read;
  }
  const parsed = parseJson(bytes.toString('utf8'));
  if (parsed.ok) return parsed.value;
  const values = forgivingEvents(bytes, true).flatMap((event) =>
    event.kind === 'value' ? [event.value] : [],
  );
  const found = values[place.part];
  if (found === undefined) throw changed('changed');
  return found;
}

function changed(how: string): DataError {
  return new DataError(`the file ${how} while it was read; leave it alone and give the command again`, {
    code: 'data/unreadable',
  });
}
