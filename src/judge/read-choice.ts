/**
 * Reads which of two candidates, A or B, a judge chose.
 *
 * The last boxed letter outside thinking wins (`\boxed{A}`, with any number of backslashes or none); without a boxed
 * one, the letter that a last plain statement names ("Response A is real", "My answer is **B**", "A appears more
 * realistic"). Another letter in the box is no choice, and nothing is guessed from it. Source: the reference parser's
 * results for the published Turing test.
 */
import { readTagged } from '../core/index.js';
import { VERDICT_TAG } from './read-verdict.js';

const BOXED = /boxed\s{0,8}\{\s{0,8}(?:\\text\{)?([^{}]{0,40}?)\}?\s{0,8}\}/gi;
/** Letters are capitals here, since `a` is a word. */
const STATED = [
  /\b(?:[Rr]esponse|[Oo]ption|[Cc]andidate|[Oo]utput|[Oo]bservation)\s{1,4}\*{0,2}([AB])\*{0,2}\s{1,4}(?:is|was|looks|appears|seems)\b/g,
  /\b(?:answer|choice|verdict)\s{0,4}(?:is|:)\s{0,4}\*{0,2}(?:[Rr]esponse\s{1,4}|[Oo]ption\s{1,4})?\(?([AB])\b/gi,
  /(?:^|[\s*(])([AB])\*{0,2}\s{1,4}(?:is|looks|appears|seems)\s{1,4}(?:the\s{1,4})?(?:more\s{1,4})?(?:real|realistic|genuine|authentic)\b/g,
  /\b[Ii]\s{1,4}(?:choose|pick|prefer|select)\s{1,4}\*{0,2}(?:[Rr]esponse\s{1,4}|[Oo]ption\s{1,4})?([AB])\b/g,
];

/** The chosen candidate; null where the reply makes no readable choice. Never throws. */
export function readChoice(text: string): 'A' | 'B' | null {
  const tagged = readTagged(text, VERDICT_TAG);
  const said = tagged.rest;
  const boxed = [...said.matchAll(BOXED)].at(-1);
  if (boxed !== undefined) return letterOf(boxed[1]);
  let best: { readonly at: number; readonly letter: string | undefined } | undefined;
  for (const pattern of STATED) {
    for (const match of said.matchAll(pattern)) {
      if (best === undefined || match.index >= best.at) best = { at: match.index, letter: match[1] };
    }
  }
  return letterOf(best?.letter);
}

function letterOf(text: string | undefined): 'A' | 'B' | null {
  const letter = text
    ?.trim()
    .replace(/^(?:response|option)\s+/i, '')
    .toUpperCase();
  return letter === 'A' || letter === 'B' ? letter : null;
}
