/**
 * Where the words of a text are, in every script, in one pass and without making a string for each.
 *
 * A word is a run of letters, marks, numbers and underscores. In scripts written without spaces every pair of
 * neighbouring characters is a word, and a character that stands alone is one; so texts that differ in one word still
 * share most pairs. An emoji is a word. Everything else separates. The text is expected in lower case; nothing is
 * normalised (NFC and NFD of a word differ). Source: hard case P-DAT-1.
 */
import { classOfPoint, OTHER, PICTURE, PLANE_CLASSES, UNSPACED, WORD } from './character-class.js';

/** The name of this way to find words, for reports. */
export const TOKENISATION = 'words-and-pairs-1';

/** Takes one word: where it begins and ends (UTF-16 units), and two independent hashes of its characters (32 bits, signed). */
export type WordVisitor = (start: number, end: number, hash: number, second: number) => void;

const SEED = 0x811c9dc5 | 0;
const SECOND_SEED = 0x9747b28c | 0;

/** Calls `visit` for each word of a lower-case text, in order, repeated ones too. */
export function scanWords(lower: string, visit: WordVisitor): void {
  const { length } = lower;
  let at = 0;
  while (at < length) {
    let unit = lower.charCodeAt(at);
    if (PLANE_CLASSES[unit] !== WORD) {
      at = scanOther(lower, at, visit);
      continue;
    }
    // The common case: a run of word characters of the first plane.
    const start = at;
    let hash = SEED;
    let second = SECOND_SEED;
    do {
      hash = Math.imul(hash ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x5bd1e995) ^ (second >>> 15);
      at += 1;
      if (at >= length) break;
      unit = lower.charCodeAt(at);
    } while (PLANE_CLASSES[unit] === WORD);
    if (at < length && (unit & 0xfc00) === 0xd800) at = scanAstral(lower, start, visit);
    else visit(start, at, hash, second);
  }
}

/** What begins with no word character of the first plane; gives where to go on. */
function scanOther(text: string, at: number, visit: WordVisitor): number {
  const unit = text.charCodeAt(at);
  if ((unit & 0xfc00) !== 0xd800) {
    const kind = PLANE_CLASSES[unit] ?? OTHER;
    if (kind === UNSPACED) return scanPairs(text, at, visit);
    if (kind === PICTURE) emit(text, [at, at + 1], visit);
    return at + 1;
  }
  const kind = classOfPoint(text.codePointAt(at) ?? 0);
  if (kind === WORD) return scanAstral(text, at, visit);
  if (kind === UNSPACED) return scanPairs(text, at, visit);
  if (kind === PICTURE) emit(text, [at, at + 2], visit);
  return at + (kind === OTHER ? 1 : 2);
}

/** A run of word characters with some beyond the first plane. */
function scanAstral(text: string, start: number, visit: WordVisitor): number {
  let at = start;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    if (classOfPoint(point) !== WORD) break;
    at += point > 0xffff ? 2 : 1;
  }
  emit(text, [start, at], visit);
  return at;
}

/** The pairs of a run of a script without spaces from `start`; a lone character is a word by itself. */
function scanPairs(text: string, start: number, visit: WordVisitor): number {
  let before = -1;
  let at = start;
  let pairs = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    if (classOfPoint(point) !== UNSPACED) break;
    const next = at + (point > 0xffff ? 2 : 1);
    if (before >= 0) {
      emit(text, [before, next], visit);
      pairs += 1;
    }
    before = at;
    at = next;
  }
  if (pairs === 0) emit(text, [start, at], visit);
  return at;
}

function emit(text: string, [start, end]: readonly [number, number], visit: WordVisitor): void {
  let hash = SEED;
  let second = SECOND_SEED;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x5bd1e995) ^ (second >>> 15);
  }
  visit(start, end, hash, second);
}
