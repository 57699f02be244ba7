/**
 * JSON lines out of bytes that may be dirty, with every problem named by line number and byte offset.
 *
 * Lines end at LF only (CR LF accepted), never at U+2028. A BOM, runs of zero bytes, invalid UTF-8, half emoji in
 * escapes, several values on one line, comments and a torn last line each have a rule below; what can be read is read,
 * what cannot is reported. Only one line is held in memory. Source: hard case P-LOG-2.
 */
import { type Json, type JsonObject, parseJson } from './json.js';
import { LIMITS } from './limits.js';
import { jsonEnd, skipSpace, standsInsideValue } from './reading-json-span.js';

/** Something that was wrong with a line. */
export interface LineProblem {
  /** `warning` the value was read, with a change named here · `error` something could not be read. */
  readonly severity: 'warning' | 'error';
  /** The physical line, from 1. */
  readonly line: number;
  /** The byte in the whole input at which the trouble starts, from 0. */
  readonly byteOffset: number;
  readonly message: string;
}

/** A value read from a line, or a problem. */
export type JsonLineEvent =
  | { readonly kind: 'value'; readonly value: Json; readonly line: number; readonly byteOffset: number }
  | { readonly kind: 'problem'; readonly problem: LineProblem };

/** Reads JSON lines from bytes that arrive in pieces of any size. */
export interface JsonLineReader {
  /** Takes the next bytes and gives what the lines that ended in them hold. */
  push(bytes: Uint8Array): readonly JsonLineEvent[];
  /** Says that the input has ended and gives what the last line holds. */
  end(): readonly JsonLineEvent[];
}

/** Makes a reader for one input. Lines longer than `LIMITS.lineBytes` are skipped and reported. */
export function createJsonLineReader(): JsonLineReader {
  let parts: Uint8Array[] = [];
  let held = 0;
  let line = 1;
  let lineStart = 0;
  let position = 0;
  const take = (piece: Uint8Array): void => {
    held += piece.length;
    if (held <= LIMITS.lineBytes) parts.push(piece.slice());
    else parts = [];
    position += piece.length;
  };
  const finish = (terminated: boolean): readonly JsonLineEvent[] => {
    const where = { line, byteOffset: lineStart, terminated };
    const message = `line of ${held} bytes is longer than the limit of ${LIMITS.lineBytes} (lineBytes); skipped`;
    const events =
      held > LIMITS.lineBytes ? [problemAt(where, message)] : readLine(concat(parts, held), where);
    parts = [];
    held = 0;
    return events;
  };
  return {
    push(bytes) {
      const events: JsonLineEvent[] = [];
      let from = 0;
      for (let lf = bytes.indexOf(0x0a); lf >= 0; lf = bytes.indexOf(0x0a, from)) {
        take(bytes.subarray(from, lf));
        events.push(...finish(true));
        from = lf + 1;
        position += 1;
        lineStart = position;
        line += 1;
      }
      take(bytes.subarray(from));
      return events;
    },
    end: () => (held === 0 ? [] : finish(false)),
  };
}

/** The message about a line that begins with `#`: no JSON does, and some formats have comments. */
export const COMMENT_LINE = 'a comment; left out';

interface Where {
  readonly line: number;
  readonly byteOffset: number;
  /** A line feed followed. */
  readonly terminated: boolean;
}

type Severity = LineProblem['severity'];

function problemAt(where: Where, message: string, severity: Severity = 'error'): JsonLineEvent {
  const { line, byteOffset } = where;
  return { kind: 'problem', problem: { severity, line, byteOffset, message } };
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Cuts a line at runs of zero bytes and reads each part; a run is what a crashed writer leaves. */
function readLine(bytes: Uint8Array, where: Where): readonly JsonLineEvent[] {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const start = hasMark ? 3 : 0;
  const end = where.terminated && bytes.at(-1) === 0x0d ? bytes.length - 1 : bytes.length;
  const events: JsonLineEvent[] = [];
  if (hasMark && where.line > 1) {
    events.push(problemAt(where, 'a byte order mark inside the file; left out', 'warning'));
  }
  for (let at = start; at < end; ) {
    let next = at;
    const zero = bytes[at] === 0;
    while (next < end && (bytes[next] === 0) === zero) next++;
    const here = { ...where, byteOffset: where.byteOffset + at };
    const isLast = next === end && !where.terminated;
    if (zero) events.push(problemAt(here, `${next - at} zero bytes where JSON should be; left out`));
    else events.push(...readSegment(bytes.subarray(at, next), { ...here, terminated: !isLast }));
    at = next;
  }
  return events;
}

function readSegment(bytes: Uint8Array, where: Where): readonly JsonLineEvent[] {
  const decoded = decode(bytes);
  const isComment = /^\s*#/.test(decoded.text.slice(0, 1_000));
  if (isComment) return [problemAt(where, COMMENT_LINE, 'warning')];
  if (decoded.text.trim() === '') return [];
  const found = readValues(decoded.text);
  const events: JsonLineEvent[] = [];
  const at = (offset: number): Where => ({
    ...where,
    byteOffset: where.byteOffset + new TextEncoder().encode(decoded.text.slice(0, offset)).length,
  });
  if (decoded.badByte !== null && found.values.length > 0) {
    const here = { ...where, byteOffset: where.byteOffset + decoded.badByte };
    events.push(problemAt(here, 'bytes that are not UTF-8; U+FFFD put in their place', 'warning'));
  }
  if (found.values.length > 1) {
    const note = `${found.values.length} JSON values on one line; each was read`;
    events.push(problemAt(at(found.values[1]?.start ?? 0), note, 'warning'));
  }
  for (const { value, start, end } of found.values) {
    const clean = hasSurrogateEscape(decoded.text.slice(start, end)) ? withoutHalves(value) : value;
    if (clean !== value) {
      events.push(problemAt(at(start), 'half of a surrogate pair; U+FFFD put in its place', 'warning'));
    }
    const { byteOffset } = at(start);
    events.push({ kind: 'value', value: clean, line: where.line, byteOffset });
  }
  if (found.rest !== null) events.push(...readRest(decoded.text, found.rest, { where, at }));
  return events;
}

interface FoundValues {
  readonly values: readonly { readonly value: Json; readonly start: number; readonly end: number }[];
  /** Where the part begins that is not JSON, or null. */
  readonly rest: number | null;
}

/** The whole text as one value, or objects and lists one after another. */
function readValues(text: string): FoundValues {
  const whole = parseJson(text);
  if (whole.ok) return { values: [{ value: whole.value, start: 0, end: text.length }], rest: null };
  const values: { value: Json; start: number; end: number }[] = [];
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const end = jsonEnd(text, at);
    const parsed = end === null ? null : parseJson(text.slice(at, end));
    if (end === null || parsed === null || !parsed.ok) return { values, rest: at };
    values.push({ value: parsed.value, start: at, end });
    at = skipSpace(text, end);
  }
  return { values, rest: null };
}

/** Starts tried after a torn record; bounds the work on hostile lines. */
const RESTARTS = 100;

/** The part of a line that is not JSON: torn by a crash, perhaps with a whole record written right behind it. */
function readRest(
  text: string,
  rest: number,
  how: { readonly where: Where; readonly at: (offset: number) => Where },
): readonly JsonLineEvent[] {
  const here = how.at(rest);
  if (!how.where.terminated) return [problemAt(here, 'incomplete last line; left out')];
  const reason = parseJson(text.slice(rest));
  const message = reason.ok ? 'not JSON' : `not JSON: ${reason.error.message}`;
  const end = text.trimEnd().length;
  let tried = 0;
  for (let at = text.indexOf('{"', rest + 1); at >= 0 && tried < RESTARTS; tried++) {
    const tail = text.slice(at);
    if (!standsInsideValue(text, at) && jsonEnd(text, at) === end) {
      const parsed = parseJson(tail);
      if (parsed.ok) {
        const { line, byteOffset } = how.at(at);
        const torn = problemAt(
          here,
          'an unfinished record with another one right behind it; the first is left out',
        );
        const value = hasSurrogateEscape(tail) ? withoutHalves(parsed.value) : parsed.value;
        return [torn, { kind: 'value', value, line, byteOffset }];
      }
    }
    at = text.indexOf('{"', at + 1);
  }
  return [problemAt(here, message)];
}

function decode(bytes: Uint8Array): { readonly text: string; readonly badByte: number | null } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), badByte: null };
  } catch {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return { text, badByte: firstBadByte(bytes, text) };
  }
}

/** The first byte that differs from what the decoded text would be written as. */
function firstBadByte(bytes: Uint8Array, text: string): number {
  const again = new TextEncoder().encode(text);
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at++;
  return at;
}

function hasSurrogateEscape(text: string): boolean {
  return /\\u[dD][89a-fA-F]/.test(text);
}

const HALF = /\p{Surrogate}/gu;

/** Puts U+FFFD in place of half surrogate pairs; returns the same value if there are none. */
function withoutHalves(value: Json): Json {
  if (typeof value === 'string') return value.replace(HALF, '\ufffd');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => withoutHalves(item));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const object = value as JsonObject;
  const entries = Object.entries(object).map(
    ([key, item]) => [withoutHalves(key), withoutHalves(item)] as const,
  );
  const same = entries.every(
    ([key, item]) => Object.hasOwn(object, key as string) && object[key as string] === item,
  );
  return same ? value : Object.fromEntries(entries);
}
