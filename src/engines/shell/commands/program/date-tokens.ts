/**
 * The words, numbers and signs of a written date.
 *
 * Source: "Date input formats" in the manual of coreutils. Text in parentheses is a comment.
 */
import { type DateWord, dateWord } from './date-words.js';

/** One piece of a date. `sign` is 0 for a number without one; `fraction` are nanoseconds. */
export type DateToken =
  | {
      readonly kind: 'number';
      readonly value: number;
      readonly digits: number;
      readonly sign: -1 | 0 | 1;
      readonly fraction: number | undefined;
    }
  | { readonly kind: 'word'; readonly word: DateWord }
  | { readonly kind: 'sign'; readonly character: string };

/** Takes a date apart; null where a word is unknown. */
export function dateTokens(
  text: string,
  zones: ReadonlyMap<string, { seconds: number; isDst: boolean }>,
): DateToken[] | null {
  const tokens: DateToken[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const blank = /^[ \t\n\r\f\v]+/.exec(rest)?.[0];
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    if (rest.startsWith('(')) {
      const end = comment(rest);
      if (end === undefined) return null;
      at += end;
      continue;
    }
    const number = /^([+-][ \t]*)?(\d+)(?:[.,](\d+))?/.exec(rest);
    if (number !== null) {
      const sign = number[1] === undefined ? 0 : number[1].startsWith('-') ? -1 : 1;
      const digits = number[2] ?? '';
      const fraction = number[3];
      tokens.push({
        kind: 'number',
        value: Number(digits) * (sign < 0 ? -1 : 1),
        digits: digits.length,
        sign,
        fraction: fraction === undefined ? undefined : Number(fraction.slice(0, 9).padEnd(9, '0')),
      });
      at += number[0].length;
      continue;
    }
    const letters = /^[A-Za-z][A-Za-z.]*/.exec(rest)?.[0];
    if (letters !== undefined) {
      const word = dateWord(letters, zones);
      if (word === undefined) return null;
      tokens.push({ kind: 'word', word });
      at += letters.length;
      continue;
    }
    tokens.push({ kind: 'sign', character: rest[0] ?? '' });
    at += 1;
  }
  return tokens;
}

function comment(text: string): number | undefined {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return undefined;
}
