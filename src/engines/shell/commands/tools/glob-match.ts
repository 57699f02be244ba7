/**
 * Shell wildcards against one name, as `fnmatch` does it: `*`, `?`, `[…]` with ranges and classes, backslashes.
 *
 * Work is bounded by name times pattern: a `*` never goes back further than the last one. Options say whether a
 * slash or a leading dot must be written out. Not covered: extended globs (the shell's own).
 */
import { inClass, isClassName, otherCases } from './regex/char-set.js';

/** How to match. */
export interface GlobOptions {
  /** `*`, `?` and brackets do not match a slash. */
  readonly pathname?: boolean;
  readonly ignoreCase?: boolean;
}

/** True if the whole name matches the pattern. */
export function matchGlob(pattern: string, name: string, options: GlobOptions = {}): boolean {
  const [wild, text] = [[...pattern], [...name]];
  let [p, t] = [0, 0];
  let [starAt, starText] = [-1, 0];
  while (t < text.length || p < wild.length) {
    if (wild[p] === '*') {
      starAt = p++;
      starText = t;
      continue;
    }
    const width = t < text.length ? matchOne(wild, p, { character: text[t] ?? '', ...options }) : 0;
    if (width > 0) {
      p += width;
      t++;
      continue;
    }
    if (starAt < 0 || starText >= text.length || (options.pathname && text[starText] === '/')) return false;
    p = starAt + 1;
    t = ++starText;
  }
  return true;
}

/** How many pattern characters one name character takes; 0 where it does not match. */
function matchOne(wild: readonly string[], at: number, options: GlobOptions & { character: string }): number {
  const { character, pathname, ignoreCase } = options;
  const here = wild[at];
  if (here === undefined) return 0;
  if (here === '?') return pathname && character === '/' ? 0 : 1;
  if (here === '[') {
    const bracket = readBracket(wild, at);
    if (bracket !== undefined) {
      if (pathname && character === '/') return 0;
      const code = character.codePointAt(0) ?? 0;
      const found =
        bracket.test(code) || (ignoreCase === true && otherCases(code).some((other) => bracket.test(other)));
      return found !== bracket.negated ? bracket.width : 0;
    }
  }
  const escaped = here === '\\' && wild[at + 1] !== undefined;
  const wanted = escaped ? wild[at + 1] : here;
  const same =
    wanted === character || (ignoreCase === true && wanted?.toLowerCase() === character.toLowerCase());
  return same ? (escaped ? 2 : 1) : 0;
}

interface Bracket {
  readonly test: (code: number) => boolean;
  readonly negated: boolean;
  readonly width: number;
}

/** Reads a bracket; undefined where it has no end and so stands for itself. */
function readBracket(wild: readonly string[], start: number): Bracket | undefined {
  let at = start + 1;
  const negated = wild[at] === '!' || wild[at] === '^';
  if (negated) at++;
  const first = at;
  const tests: ((code: number) => boolean)[] = [];
  while (at < wild.length && (wild[at] !== ']' || at === first)) {
    const named = wild[at] === '[' && wild[at + 1] === ':' ? wild.indexOf(':', at + 2) : -1;
    if (named > 0 && wild[named + 1] === ']') {
      const name = wild.slice(at + 2, named).join('');
      if (isClassName(name)) tests.push((code) => inClass(name, code));
      at = named + 2;
      continue;
    }
    if (wild[at] === '\\' && at + 1 < wild.length) at++;
    const low = wild[at]?.codePointAt(0) ?? 0;
    let high = low;
    if (wild[at + 1] === '-' && wild[at + 2] !== undefined && wild[at + 2] !== ']') {
      at += wild[at + 2] === '\\' ? 3 : 2;
      high = wild[at]?.codePointAt(0) ?? 0;
    }
    tests.push((code) => code >= low && code <= high);
    at++;
  }
  if (at >= wild.length) return undefined;
  return { test: (code) => tests.some((test) => test(code)), negated, width: at + 1 - start };
}
