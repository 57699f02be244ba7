/**
 * The operators of `${…}` that work on one text: removal, replacement, case, slices.
 */
import { charsOf, type Pattern } from '../patterns/pattern.js';

/** `#`, `##`, `%`, `%%`: removes the shortest or longest match at an end. */
export function removeMatch(text: string, pattern: Pattern, operator: string): string {
  const isPrefix = operator.startsWith('#');
  const isLongest = operator.length === 2;
  if (pattern.literal !== undefined) {
    const { literal } = pattern;
    if (isPrefix) return text.startsWith(literal) ? text.slice(literal.length) : text;
    return text.endsWith(literal) ? text.slice(0, text.length - literal.length) : text;
  }
  const chars = charsOf(text);
  if (isPrefix) {
    const ends = pattern.ends(chars, 0);
    if (ends.size === 0) return text;
    const end = isLongest ? Math.max(...ends) : Math.min(...ends);
    return chars.slice(end).join('');
  }
  const lengths = pattern.reversed.ends([...chars].reverse(), 0);
  if (lengths.size === 0) return text;
  const length = isLongest ? Math.max(...lengths) : Math.min(...lengths);
  return chars.slice(0, chars.length - length).join('');
}

/** The replacement of one match: `&` is what matched, `\&` is itself. */
function replaced(replacement: string, matched: string): string {
  if (!replacement.includes('&') && !replacement.includes('\\')) return replacement;
  let out = '';
  for (let at = 0; at < replacement.length; at += 1) {
    const char = replacement[at] as string;
    if (char === '\\' && (replacement[at + 1] === '&' || replacement[at + 1] === '\\')) {
      out += replacement[at + 1];
      at += 1;
    } else out += char === '&' ? matched : char;
  }
  return out;
}

function longest(ends: ReadonlySet<number>): number {
  let best = -1;
  for (const end of ends) if (end > best) best = end;
  return best;
}

/** `/`, `//`, `/#`, `/%`. */
export function replaceMatch(
  text: string,
  pattern: Pattern,
  how: { operator: string; replacement: string },
): string {
  const { operator, replacement } = how;
  if (pattern.literal === '' && operator !== '/#' && operator !== '/%') return text;
  if (pattern.literal !== undefined && (operator === '/' || operator === '//')) {
    const by = replaced(replacement, pattern.literal);
    if (operator === '//') return text.split(pattern.literal).join(by);
    const at = text.indexOf(pattern.literal);
    return at === -1 ? text : text.slice(0, at) + by + text.slice(at + pattern.literal.length);
  }
  const chars = charsOf(text);
  if (operator === '/#') {
    const end = longest(pattern.ends(chars, 0));
    return end === -1
      ? text
      : replaced(replacement, chars.slice(0, end).join('')) + chars.slice(end).join('');
  }
  if (operator === '/%') {
    const length = longest(pattern.reversed.ends([...chars].reverse(), 0));
    if (length === -1) return text;
    const from = chars.length - length;
    return chars.slice(0, from).join('') + replaced(replacement, chars.slice(from).join(''));
  }
  let out = '';
  let at = 0;
  while (at < chars.length) {
    const end = longest(pattern.ends(chars, at));
    if (end <= at) {
      out += chars[at];
      at += 1;
      continue;
    }
    out += replaced(replacement, chars.slice(at, end).join(''));
    at = end;
    if (operator === '/') break;
  }
  return out + chars.slice(at).join('');
}

/** `^`, `^^`, `,`, `,,`, `~`, `~~` with an optional pattern for the characters that change. */
export function changeCase(text: string, operator: string, pattern: Pattern | undefined): string {
  const chars = charsOf(text);
  const isAll = operator.length === 2;
  return chars
    .map((char, index) => {
      if (!isAll && index > 0) return char;
      if (pattern !== undefined && !pattern.test(char)) return char;
      const upper = char.toUpperCase();
      const lower = char.toLowerCase();
      if (operator.startsWith('^')) return upper.length === char.length ? upper : char;
      if (operator.startsWith(',')) return lower.length === char.length ? lower : char;
      return char === upper ? lower : upper;
    })
    .join('');
}
