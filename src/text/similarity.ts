/**
 * How alike two texts are by their words, with what is undefined said as such.
 *
 * Formulas over the sets of words W (arXiv 2606.24597, loss masking): overlap |Wa ∩ Wb| / |Wa|, novelty
 * |Wb \ Wa| / |Wb|, Jaccard |Wa ∩ Wb| / |Wa ∪ Wb|. A share of nothing is null, never 0, 1 or NaN (hard case P-DAT-2).
 */
import { countWords } from './word-counts.js';

/** Shares of words, fractions from 0 to 1; null where there are no words to take a share of. */
export interface WordShares {
  /** Share of the first text's words that the second has; null where the first has none. */
  readonly overlap: number | null;
  /** Share of the second text's words that the first has not; null where the second has none. */
  readonly novelty: number | null;
  /** Shared words of all words; null where neither has any. */
  readonly jaccard: number | null;
}

/** The three shares of two texts. */
export function wordShares(first: string, second: string): WordShares {
  const counts = countWords(first, second);
  const all = counts.first + counts.second - counts.shared;
  return {
    overlap: counts.first === 0 ? null : counts.shared / counts.first,
    novelty: counts.second === 0 ? null : (counts.second - counts.shared) / counts.second,
    jaccard: all === 0 ? null : counts.shared / all,
  };
}

/** How a text compares with a reference. */
export interface ReferenceMatch {
  /** Equal after trimming white space. */
  readonly isExact: boolean;
  /** Share of the reference's words that the text has; null where both are empty, 0 where only one is. */
  readonly coverage: number | null;
  /** `both-empty`, `missing` (text empty), `invented` (reference empty), or nothing special. */
  readonly remark?: 'both-empty' | 'missing' | 'invented';
}

/** Compares a text with a reference (a prediction with what really came). White space alone is empty. */
export function matchReference(text: string, reference: string): ReferenceMatch {
  const isExact = text.trim() === reference.trim();
  const isEmpty = text.trim() === '';
  if (reference.trim() === '') {
    if (isEmpty) return { isExact, coverage: null, remark: 'both-empty' };
    return { isExact, coverage: 0, remark: 'invented' };
  }
  if (isEmpty) return { isExact, coverage: 0, remark: 'missing' };
  const { overlap } = wordShares(reference, text);
  return { isExact, coverage: overlap ?? (isExact ? 1 : 0) };
}

const SURROGATE = /[\ud800-\udbff]/;

/** The number of characters (code points) of a text; a lone surrogate counts as one. */
export function characterCount(text: string): number {
  // Most text has no pair; engines skip this search for text of one byte a character.
  if (!SURROGATE.test(text)) return text.length;
  let pairs = 0;
  for (let at = 0; at + 1 < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) pairs += 1;
  }
  return text.length - pairs;
}
