/**
 * JSON found in what a model wrote: strictly first, repaired only when nothing parses.
 *
 * Order: the whole text; strict values inside it (in a code fence, then objects, then lists); repaired ones in the
 * same order. Fences are recognised around values that were found by parsing, so a fence inside a string cuts
 * nothing. Pieces of a broken value are never offered as if they stood alone. Source: hard case P-OUT-4.
 */
import { isJsonObject, type Json, parseJson } from './json.js';
import { repairJson } from './reading-json-repair.js';
import {
  scanStrictly,
  skipSpace,
  standsInsideValue,
  type TolerantSpan,
  tolerantEnd,
} from './reading-json-span.js';
import { fail, ok, type Result } from './result.js';

/** One JSON value found in a text. Offsets are UTF-16 units. */
export interface JsonReading {
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  /** The value stands in a code fence. */
  readonly fenced: boolean;
  /** The text was not JSON and was repaired; every string that was valid is unchanged. */
  readonly repaired: boolean;
}

/** Why no JSON could be read; `raw` is the whole text, unchanged. */
export interface JsonReadingFailure {
  readonly reason: string;
  readonly raw: string;
}

/** Choices for {@link readJson}. */
export interface ReadJsonOptions {
  /** Says whether a value is the one looked for; default: every value is. */
  readonly accept?: (value: Json) => boolean;
  /** Repair when nothing parses; default true. */
  readonly repair?: boolean;
}

/** Tolerant scans in one text; bounds the work on hostile text. */
const BROKEN_SPANS = 32;

/** How often the length of the text may be repaired, since broken spans can hold one another. */
const REPAIR_PASSES = 4;

interface Found {
  readonly values: readonly JsonReading[];
  readonly broken: readonly (TolerantSpan & { readonly start: number; readonly fenced: boolean })[];
}

/** Reads the one JSON value that a text is or holds. Never throws; big integers stay exact. */
export function readJson(
  text: string,
  options: ReadJsonOptions = {},
): Result<JsonReading, JsonReadingFailure> {
  const accept = options.accept ?? (() => true);
  const whole = parseJson(text);
  if (whole.ok && accept(whole.value)) {
    return ok({ value: whole.value, start: 0, end: text.length, fenced: false, repaired: false });
  }
  const found = scan(text);
  const strict = byPreference(found.values.filter((reading) => accept(reading.value)))[0];
  if (strict !== undefined) return ok(strict);
  const reasons: string[] = [];
  if (options.repair !== false) {
    const readings: JsonReading[] = [];
    let budget = REPAIR_PASSES * text.length;
    for (const span of found.broken) {
      budget -= span.end - span.start;
      if (budget < 0) break;
      const value = repairJson(text.slice(span.start, span.end), span);
      if (!value.ok) reasons.push(value.error);
      else if (accept(value.value)) readings.push(repairedReading(value.value, span));
    }
    const best = byPreference(readings)[0];
    if (best !== undefined) return ok(best);
  }
  return fail({ reason: failureReason(found, reasons), raw: text });
}

/** All JSON objects and lists that parse strictly and stand by themselves in a text, in order. */
export function findJson(text: string): readonly JsonReading[] {
  return scan(text).values;
}

function failureReason(found: Found, reasons: readonly string[]): string {
  if (reasons.length > 0) return `the JSON is broken and cannot be repaired: ${reasons.join('; ')}`;
  if (found.values.length > 0) return 'no JSON value in the text is of the kind that was looked for';
  return found.broken.length > 0 ? 'the JSON is broken' : 'there is no JSON object or list in the text';
}

function repairedReading(value: Json, span: Found['broken'][number]): JsonReading {
  return { value, start: span.start, end: span.end, fenced: span.fenced, repaired: true };
}

function byPreference(readings: readonly JsonReading[]): readonly JsonReading[] {
  const rank = (reading: JsonReading): number => (reading.fenced ? 0 : isJsonObject(reading.value) ? 1 : 2);
  return [...readings].sort((a, b) => rank(a) - rank(b));
}

function scan(text: string): Found {
  const values: JsonReading[] = [];
  const broken: Found['broken'][number][] = [];
  const hopeless = new Set<number>();
  let openUntil = 0;
  for (let at = nextBracket(text, 0); at >= 0; ) {
    const { end, open } = hopeless.delete(at) ? { end: null, open: [] } : scanStrictly(text, at);
    for (const start of open) if (start !== at) hopeless.add(start);
    if (end !== null) {
      const parsed = parseJson(text.slice(at, end));
      const isPiece = at < openUntil && standsInsideValue(text, at);
      if (parsed.ok && !isPiece) {
        const fenced = isFenced(text, at);
        values.push({ value: parsed.value, start: at, end, fenced, repaired: false });
      }
      at = nextBracket(text, end);
      continue;
    }
    let next = at + 1;
    const isPiece = at < openUntil && standsInsideValue(text, at);
    if (!isPiece && broken.length < BROKEN_SPANS && looksLikeJson(text, at)) {
      const span = tolerantEnd(text, at);
      broken.push({ ...span, start: at, fenced: isFenced(text, at) });
      if (span.closed) next = span.end;
      else openUntil = Math.max(openUntil, span.end);
    }
    at = nextBracket(text, next);
  }
  return { values, broken };
}

function nextBracket(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x7b || unit === 0x5b) return i;
  }
  return -1;
}

const FIRST_MEMBER =
  /["'{[}\]/]|-?\d|(?:true|false|null|None|True|False)\b|[A-Za-z_$][\w$-]{0,100}\s{0,100}:/y;

function looksLikeJson(text: string, at: number): boolean {
  FIRST_MEMBER.lastIndex = skipSpace(text, at + 1);
  return FIRST_MEMBER.test(text);
}

function isFenced(text: string, at: number): boolean {
  return /(?:```|~~~)[ \t]*[\w+-]*[ \t]*\r?\n?\s*$/.test(text.slice(Math.max(0, at - 80), at));
}
