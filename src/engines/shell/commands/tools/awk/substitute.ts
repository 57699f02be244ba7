/**
 * awk's sub and gsub on one text.
 */
import type { Regex } from '../regex/regex.js';

/** Replaces the first match or all; `&` in the replacement is the match, `\\&` an ampersand. */
export function substitute(
  regex: Regex,
  replacement: string,
  { text, all }: { readonly text: string; readonly all: boolean },
): { readonly count: number; readonly text: string } {
  const parts = replacementParts(replacement);
  let out = '';
  let copied = 0;
  let count = 0;
  let lastEnd = -1;
  for (let from = 0; from <= text.length; ) {
    const found = regex.span(text, from);
    if (found === null) break;
    const [start = 0, end = 0] = [found[0], found[1]];
    from = end > start ? end : end + 1;
    if (start === end && start === lastEnd) continue;
    lastEnd = end;
    count++;
    out += text.slice(copied, start) + parts.map((part) => part ?? text.slice(start, end)).join('');
    copied = end;
    if (!all) break;
  }
  return { count, text: out + text.slice(copied) };
}

/** Pieces of a replacement; undefined stands for the match. */
function replacementParts(replacement: string): (string | undefined)[] {
  const parts: (string | undefined)[] = [];
  let literal = '';
  for (let at = 0; at < replacement.length; at++) {
    const here = replacement[at] ?? '';
    const next = replacement[at + 1];
    if (here === '\\' && (next === '&' || next === '\\')) {
      literal += next;
      at++;
    } else if (here === '&') {
      parts.push(literal, undefined);
      literal = '';
    } else literal += here;
  }
  return [...parts, literal];
}
