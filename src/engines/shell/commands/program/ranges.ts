/**
 * Lists of numbers as `cut`, `numfmt` take them: `1,3-5,7-,-2`.
 *
 * Source: cut(1), messages of coreutils 9.1.
 */

/** A list, sorted and joined, or what is wrong with it (without the program's name). */
export type RangeList =
  | { readonly ranges: readonly (readonly [number, number])[] }
  | { readonly error: string };

/** What numbers count, and how words are quoted. */
export interface RangeWording {
  readonly what: 'field' | 'byte/character';
  readonly quote: (text: string) => string;
  /** `numfmt` says less. */
  readonly isBrief?: boolean;
}

/** Reads a list. Ends are inclusive; an open end is Infinity. */
export function readRanges(text: string, wording: RangeWording): RangeList {
  const ranges: [number, number][] = [];
  const { what, quote } = wording;
  const isField = what === 'field';
  const fromOne = isField ? 'fields are numbered from 1' : 'byte/character positions are numbered from 1';
  for (const part of text.split(/[, \t]/)) {
    const bad = /[^\d-].*$/s.exec(part)?.[0];
    if (bad !== undefined)
      return {
        error: isField
          ? `invalid field value ${quote(bad)}`
          : `invalid byte/character position ${quote(bad)}`,
      };
    const dashes = part.split('-');
    if (dashes.length > 2)
      return { error: isField ? 'invalid field range' : 'invalid byte or character range' };
    const [low = '', high] = dashes;
    if (part === '-') return { error: 'invalid range with no endpoint: -' };
    for (const digits of dashes)
      if (digits.length > 19 || Number(digits) > 2 ** 64 - 1)
        return {
          error: `${isField ? 'field number' : 'byte/character offset'} ${quote(digits)} is too large`,
        };
    const from = low === '' ? 1 : Number(low);
    const to = high === undefined ? from : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (from === 0 || (high === undefined && low === '')) return { error: fromOne };
    if (to < from) return { error: 'invalid decreasing range' };
    ranges.push([from, to]);
  }
  ranges.sort((one, other) => one[0] - other[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = joined[joined.length - 1];
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return { ranges: joined };
}

/** Everything that a list leaves out. */
export function complementOf(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const rest: [number, number][] = [];
  let next = 1;
  for (const [from, to] of ranges) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (Number.isFinite(next)) rest.push([next, Number.POSITIVE_INFINITY]);
  return rest;
}
