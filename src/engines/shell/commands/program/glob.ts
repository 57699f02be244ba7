/**
 * Shell patterns for commands that take one (`ls -I`, `du --exclude`): `*`, `?`, `[…]`, backslash.
 *
 * Source: fnmatch(3). The match is a walk with one step back per star: never exponential.
 */

type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; has(character: string): boolean };

function setToken(pattern: readonly string[], at: number): { token: Token; next: number } | undefined {
  let index = at + 1;
  const negated = pattern[index] === '!' || pattern[index] === '^';
  if (negated) index += 1;
  const ranges: [string, string][] = [];
  for (let isFirst = true; ; isFirst = false) {
    const low = pattern[index];
    if (low === undefined) return undefined;
    if (low === ']' && !isFirst) break;
    if (pattern[index + 1] === '-' && pattern[index + 2] !== undefined && pattern[index + 2] !== ']') {
      ranges.push([low, pattern[index + 2] as string]);
      index += 3;
    } else {
      ranges.push([low, low]);
      index += 1;
    }
  }
  const has = (character: string): boolean =>
    ranges.some(([low, high]) => character >= low && character <= high) !== negated;
  return { token: { kind: 'set', has }, next: index + 1 };
}

function tokens(pattern: string): Token[] {
  const characters = [...pattern];
  const list: Token[] = [];
  for (let at = 0; at < characters.length; ) {
    let character = characters[at] as string;
    if (character === '[') {
      const set = setToken(characters, at);
      if (set !== undefined) {
        list.push(set.token);
        at = set.next;
        continue;
      }
    }
    at += 1;
    if (character === '*') list.push({ kind: 'star' });
    else if (character === '?') list.push({ kind: 'any' });
    else {
      if (character === '\\' && at < characters.length) {
        character = characters[at] as string;
        at += 1;
      }
      const wanted = character;
      list.push({ kind: 'set', has: (one) => one === wanted });
    }
  }
  return list;
}

/** A test for names. A leading dot is matched by itself only where `period` is set. */
export function globMatcher(pattern: string): (name: string) => boolean {
  const list = tokens(pattern);
  return (name) => {
    const characters = [...name];
    let [at, index, star, mark] = [0, 0, -1, 0];
    while (at < characters.length) {
      const token = list[index];
      if (token?.kind === 'star') {
        star = index;
        mark = at;
        index += 1;
      } else if (token?.kind === 'any' || (token?.kind === 'set' && token.has(characters[at] as string))) {
        at += 1;
        index += 1;
      } else if (star >= 0) {
        index = star + 1;
        mark += 1;
        at = mark;
      } else return false;
    }
    while (list[index]?.kind === 'star') index += 1;
    return index === list.length;
  };
}
