/**
 * Words of an edited line: where they begin and end, and what changes them.
 *
 * Two kinds, as in readline: letters and digits for moving and changing, everything but white space for `^W`.
 * Source: readline's manual, "Commands For Changing Text".
 */

/** A line and where its cursor stands. */
export interface LineText {
  readonly text: string;
  readonly cursor: number;
}

const WORD = /[\p{L}\p{N}]/u;

/** Where the word before a place begins. */
export function wordStart({ text, cursor }: LineText, member: RegExp = WORD): number {
  let at = cursor;
  while (at > 0 && !member.test(text[at - 1] as string)) at -= 1;
  while (at > 0 && member.test(text[at - 1] as string)) at -= 1;
  return at;
}

/** Where the word behind a place ends. */
export function wordEnd({ text, cursor }: LineText): number {
  let at = cursor;
  while (at < text.length && !WORD.test(text[at] as string)) at += 1;
  while (at < text.length && WORD.test(text[at] as string)) at += 1;
  return at;
}

/** Large, small or capital letters up to the end of the word; the cursor stands behind it. */
export function changeCase(line: LineText, how: 'upper' | 'lower' | 'capital'): LineText {
  const end = wordEnd(line);
  const word = line.text.slice(line.cursor, end);
  const small = word.toLowerCase();
  const first = small.search(WORD);
  const changed =
    how === 'upper'
      ? word.toUpperCase()
      : how === 'lower'
        ? small
        : small.slice(0, first) + (small[first] ?? '').toUpperCase() + small.slice(first + 1);
  return { text: line.text.slice(0, line.cursor) + changed + line.text.slice(end), cursor: end };
}

/** Drags the word before the cursor behind the one at it; null where there are not two. */
export function transposeWords({ text, cursor }: LineText): LineText | null {
  const end = wordEnd({ text, cursor });
  const secondEnd = WORD.test(text.slice(cursor, end)) ? end : trimmedEnd(text, cursor);
  const second = wordStart({ text, cursor: secondEnd });
  const first = wordStart({ text, cursor: second });
  const firstEnd = wordEnd({ text, cursor: first });
  if (firstEnd > second || first === second) return null;
  const swapped = text.slice(second, secondEnd) + text.slice(firstEnd, second) + text.slice(first, firstEnd);
  return { text: text.slice(0, first) + swapped + text.slice(secondEnd), cursor: secondEnd };
}

/** The end of the last word before a place. */
function trimmedEnd(text: string, cursor: number): number {
  let at = cursor;
  while (at > 0 && !WORD.test(text[at - 1] as string)) at -= 1;
  return at;
}

/** Without the spaces and tabs around the cursor. */
export function withoutSpaces({ text, cursor }: LineText): LineText {
  let [from, to] = [cursor, cursor];
  while (from > 0 && /[ \t]/.test(text[from - 1] as string)) from -= 1;
  while (to < text.length && /[ \t]/.test(text[to] as string)) to += 1;
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}
