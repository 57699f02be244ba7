/**
 * The class of a character: part of a word, letter of a script without spaces, picture, or anything else.
 *
 * The idea: the frozen ranges of `unicode-ranges.ts` are laid out once in a table of 65,536 bytes for the first plane;
 * characters beyond it are found by bisection. Unassigned characters belong to no word.
 */
import { UNICODE_RANGES } from './unicode-ranges.js';

/** Neither: spaces, punctuation, symbols. */
export const OTHER = 0;
/** Letters, marks, numbers and the underscore of scripts that put spaces between words. */
export const WORD = 1;
/** Letters and marks of scripts that put none (Han, kana, Thai, Lao, Khmer, Burmese and others). */
export const UNSPACED = 2;
/** Emoji and flags. */
export const PICTURE = 3;

const KINDS: Readonly<Record<string, number>> = { w: WORD, u: UNSPACED, p: PICTURE };

const plane = new Uint8Array(0x10000);
const starts: number[] = [];
const ends: number[] = [];
const kinds: number[] = [];

function layOut(): void {
  let at = 0;
  for (const item of UNICODE_RANGES.join(' ').split(' ')) {
    const [gap = '', rest = ''] = item.split('.');
    const from = at + Number.parseInt(gap, 36);
    const length = rest.length > 1 ? Number.parseInt(rest.slice(0, -1), 36) : 0;
    const kind = KINDS[rest.slice(-1)] ?? OTHER;
    at = from + length;
    if (from < 0x10000) plane.fill(kind, from, Math.min(at, 0xffff) + 1);
    if (at < 0x10000) continue;
    starts.push(from);
    ends.push(at);
    kinds.push(kind);
  }
}

layOut();

/** Classes of the first plane by UTF-16 unit; surrogates are {@link OTHER}. */
export const PLANE_CLASSES: Readonly<Uint8Array> = plane;

/** The class of a code point. */
export function classOfPoint(point: number): number {
  if (point < 0x10000) return plane[point] ?? OTHER;
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < (starts[middle] ?? 0)) high = middle - 1;
    else if (point > (ends[middle] ?? 0)) low = middle + 1;
    else return kinds[middle] ?? OTHER;
  }
  return OTHER;
}
