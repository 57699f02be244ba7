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

/** Takes one word: where it begins and ends (UTF-16 units), and a hash of its characters (32 bits, signed). */
export type WordVisitor = (start: number, end: number, hash: number) => void;

/** Calls `visit` for each word of a lower-case text, in order, repeated ones too. */
export function scanWords(lower: string, visit: WordVisitor): void {
  const { length } = lower;
  let at = 0;
  while (at < length) {
    const unit = lower.charCodeAt(at);
    const kind = PLANE_CLASSES[unit] ?? OTHER;
    if (kind === WORD || (unit & 0xfc00) === 0xd800) at = scanRun(lower, at, visit);
    else if (kind === UNSPACED) at = scanPairs(lower, at, visit);
    else {
      if (kind === PICTURE) visit(at, at + 1, mix(SEED, unit));
      at += 1;
    }
  }
}

const SEED = 0x811c9dc5 | 0;

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** A run of word characters from `start`, or one character beyond the first plane of another kind. */
function scanRun(text: string, start: number, visit: WordVisitor): number {
  const { length } = text;
  let at = start;
  let hash = SEED;
  while (at < length) {
    const unit = text.charCodeAt(at);
    if (PLANE_CLASSES[unit] === WORD) {
      hash = Math.imul(hash ^ unit, 0x01000193);
      at += 1;
      continue;
    }
    if ((unit & 0xfc00) !== 0xd800) break;
    const kind = classOfPoint(text.codePointAt(at) ?? 0);
    if (kind === WORD) {
      hash = mix(mix(hash, unit), text.charCodeAt(at + 1));
      at += 2;
      continue;
    }
    if (at > start) break;
    if (kind === UNSPACED) return scanPairs(text, start, visit);
    if (kind === PICTURE) visit(start, start + 2, mix(mix(SEED, unit), text.charCodeAt(start + 1)));
    return start + (kind === OTHER ? 1 : 2);
  }
  visit(start, at, hash);
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
      visit(before, next, hashOf(text, before, next));
      pairs += 1;
    }
    before = at;
    at = next;
  }
  if (pairs === 0) visit(start, at, hashOf(text, start, at));
  return at;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = mix(hash, text.charCodeAt(at));
  return hash;
}
