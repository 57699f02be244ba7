/**
 * Values of awk: numbers, strings, strings that look like numbers, and values never set.
 *
 * mawk is a program of bytes: a string here is a byte string, each character one byte (0–255). Numbers are doubles;
 * those that fit 32 bits and are whole are written as integers, others through CONVFMT or OFMT.
 */

/** A string from outside that looks like a number and compares as one. */
export interface NumericText {
  readonly text: string;
  readonly number: number;
}

/** A value; undefined was never set and is both 0 and the empty string. */
export type AwkValue = number | string | NumericText | undefined;

/** The largest whole number that mawk writes with %d. */
export const MAX_INTEGER = 2_147_483_647;

const NUMBER =
  /^[ \t\n\v\f\r]*([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|0[xX][0-9a-fA-F]+|inf(?:inity)?|nan))/i;

/** The number that a text starts with, else 0. */
function textNumber(text: string): number {
  const found = NUMBER.exec(text)?.[1];
  return found === undefined ? 0 : plainNumber(hexAware(text, found));
}

function hexAware(text: string, found: string): string {
  const hex = /^[ \t\n\v\f\r]*([+-]?0[xX][0-9a-fA-F]+)/.exec(text)?.[1];
  return hex ?? found;
}

function plainNumber(text: string): number {
  const negative = text.startsWith('-');
  const bare = text.replace(/^[+-]/, '');
  let value: number;
  if (/^0x/i.test(bare)) value = Number.parseInt(bare, 16);
  else if (/^inf/i.test(bare)) value = Number.POSITIVE_INFINITY;
  else if (/^nan/i.test(bare)) value = Number.NaN;
  else value = Number(bare);
  return negative ? -value : value;
}

/** A text from input as a value: numeric where all of it is a number. */
export function inputValue(text: string): AwkValue {
  const first = text.charCodeAt(0);
  // Letters that start no number are the usual case.
  if (first > 57 && first !== 105 && first !== 110 && first !== 73 && first !== 78) return text;
  const found = NUMBER.exec(text);
  if (found === null) return text;
  const whole = hexAware(text, found[1] ?? '');
  const rest = text.slice(text.indexOf(whole) + whole.length);
  return /^[ \t\n\v\f\r]*$/.test(rest) ? { text, number: plainNumber(whole) } : text;
}

/** A value as a number. */
export function toNumber(value: AwkValue): number {
  if (typeof value === 'number') return value;
  if (value === undefined) return 0;
  return typeof value === 'string' ? textNumber(value) : value.number;
}

/** True or false, as conditions see a value. */
export function toBoolean(value: AwkValue): boolean {
  if (typeof value === 'number') return value !== 0;
  if (value === undefined) return false;
  return typeof value === 'string' ? value !== '' : value.number !== 0;
}

/** True for a number that is written with %d. */
export function isInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= MAX_INTEGER;
}

/** Below 0, 0 or above 0, as `<`, `==` and `>` see two values; NaN where numbers cannot be compared. */
export function compareValues(one: AwkValue, other: AwkValue, text: (value: AwkValue) => string): number {
  if (typeof one !== 'string' && typeof other !== 'string') {
    const [a, b] = [toNumber(one), toNumber(other)];
    return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
  }
  const [a, b] = [text(one), text(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
