/**
 * JSON that survives: big integers stay exact, the canonical form is one per value, depth is bounded.
 *
 * Integers beyond 2^53 become `bigint`, everything else is what `JSON.parse` gives. The canonical form follows the
 * idea of RFC 8785 (keys sorted by UTF-16 units, no spaces, shortest numbers) and additionally writes `bigint` as
 * digits. Not covered: duplicate keys (the last one wins) and comments.
 */
import { parse as parseLossless } from 'lossless-json';
import { LIMITS } from './limits.js';
import { fail, ok, type Result } from './result.js';

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON value; integers beyond 2^53 are `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** Why a text is not JSON, with the offset in UTF-16 units where that is known. */
export interface JsonProblem {
  readonly message: string;
  readonly offset?: number;
}

/** True for a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads JSON strictly. Integers that a double cannot hold become `bigint`; nesting deeper than
 * `LIMITS.jsonDepth` is a failure, and so is a number beyond a double (`1e400`), which would be written as null.
 * `__proto__` becomes an ordinary own key.
 */
export function parseJson(text: string): Result<Json, JsonProblem> {
  const { deepest, holdsLongNumber } = scan(text);
  if (deepest > LIMITS.jsonDepth) {
    return fail({ message: `JSON nests deeper than ${LIMITS.jsonDepth} levels` });
  }
  try {
    const plain = JSON.parse(text) as Json;
    if (!holdsLongNumber) return ok(plain);
    return ok(parseLossless(text, undefined, { parseNumber: readNumber, onDuplicateKey }) as Json);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /position (\d+)/.exec(message)?.[1];
    return fail(at === undefined ? { message } : { message, offset: Number(at) });
  }
}

/** The last of several members of one name wins, as in `JSON.parse`. */
function onDuplicateKey({ newValue }: { readonly newValue: unknown }): unknown {
  return newValue;
}

function readNumber(digits: string): number | bigint {
  if (/^-?\d+$/.test(digits)) {
    const value = Number(digits);
    return Number.isSafeInteger(value) ? value : BigInt(digits);
  }
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new SyntaxError(`the number ${digits.slice(0, 40)} is beyond a double`);
  return value;
}

/** What lies outside strings; cheap, and safe on any text. */
interface JsonScan {
  /** The deepest nesting of brackets. */
  readonly deepest: number;
  /** A number of so many digits or such an exponent that a double may not hold it. */
  readonly holdsLongNumber: boolean;
}

const LONG_DIGITS = 16;
const LONG_EXPONENT_DIGITS = 3;

function scan(text: string): JsonScan {
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let isExponent = false;
  let holdsLongNumber = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x30 && unit <= 0x39) {
      digits += 1;
      if (digits >= LONG_DIGITS || (isExponent && digits >= LONG_EXPONENT_DIGITS)) holdsLongNumber = true;
      continue;
    }
    // only digits, and a sign after the letter, belong to an exponent
    isExponent = unit === 0x65 || unit === 0x45 || (isExponent && digits === 0 && unit === 0x2b);
    digits = 0;
    if (unit === 0x22) i = endOfString(text, i);
    else if (unit === 0x7b || unit === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (unit === 0x7d || unit === 0x5d) depth--;
  }
  return { deepest, holdsLongNumber };
}

/** The quote that ends a string: the first after it with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === 0x5c) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}

/** Writes JSON with the given indent (0 = one line); `bigint` as digits, lone surrogates escaped. */
export function renderJson(value: Json, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    // it refuses `bigint`; looking for one beforehand takes as long as the writing
    if (!holdsBigint(value)) throw error;
    return write(value, indent, '');
  }
}

/** The canonical text of a value: keys sorted, no spaces. Equal values give equal texts. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return Array.isArray(value) ? canonicalList(value) : canonicalObject(value as JsonObject);
}

function canonicalList(list: readonly Json[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index++) {
    text += (index === 0 ? '' : ',') + canonicalJson(list[index] as Json);
  }
  return `${text}]`;
}

function canonicalObject(object: JsonObject): string {
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

function holdsBigint(value: Json): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) if (mayHoldBigint(item) && holdsBigint(item)) return true;
    return false;
  }
  for (const key of Object.keys(value)) {
    const member = (value as JsonObject)[key];
    if (mayHoldBigint(member) && holdsBigint(member as Json)) return true;
  }
  return false;
}

function mayHoldBigint(value: Json | undefined): boolean {
  return typeof value === 'object' || typeof value === 'bigint';
}

function write(value: Json, indent: number, pad: string): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = pad + ' '.repeat(indent);
  const parts = Array.isArray(value)
    ? value.map((item: Json) => write(item, indent, inner))
    : writeMembers(value as JsonObject, indent, inner);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  return indent === 0
    ? open + parts.join(',') + close
    : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${pad}${close}`;
}

function writeMembers(object: JsonObject, indent: number, inner: string): string[] {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  const colon = indent === 0 ? ':' : ': ';
  return keys.map((key) => JSON.stringify(key) + colon + write(object[key] as Json, indent, inner));
}
