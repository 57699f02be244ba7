/**
 * Bracket expressions `[…]` of patterns: ranges, negation and the POSIX classes, for ASCII and by code point.
 */

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[\p{L}\p{N}]/u,
  alpha: /\p{L}/u,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[^\s\x00-\x1f\x7f]/,
  lower: /\p{Ll}/u,
  print: /[^\x00-\x1f\x7f]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /\p{Lu}/u,
  word: /[\p{L}\p{N}_]/u,
  xdigit: /[0-9A-Fa-f]/,
};

/** What a bracket expression matches. */
export interface BracketSet {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
  readonly classes: readonly RegExp[];
}

/** Whether a set matches a character. */
export function matchesSet(set: BracketSet, char: string, ignoreCase: boolean): boolean {
  const found =
    isInSet(set, char) ||
    (ignoreCase && (isInSet(set, char.toLowerCase()) || isInSet(set, char.toUpperCase())));
  return found !== set.negated;
}

function isInSet(set: BracketSet, char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  for (const [low, high] of set.ranges) if (code >= low && code <= high) return true;
  for (const one of set.classes) if (one.test(char)) return true;
  return false;
}

/** Reads the set that opens at `at`; undefined where the bracket is a plain character. `end` is behind its `]`. */
export function readBracketSet(
  text: string,
  at: number,
  isRegex = false,
): { set: BracketSet; end: number } | undefined {
  let index = at + 1;
  const negated = text[index] === '^' || (!isRegex && text[index] === '!');
  if (negated) index += 1;
  const ranges: [number, number][] = [];
  const classes: RegExp[] = [];
  let isFirst = true;
  for (;;) {
    const char = text[index];
    if (char === undefined) return undefined;
    if (char === ']' && !isFirst) return { set: { negated, ranges, classes }, end: index + 1 };
    isFirst = false;
    if (char === '[' && text[index + 1] === ':') {
      const close = text.indexOf(':]', index + 2);
      const found = close === -1 ? undefined : CLASSES[text.slice(index + 2, close)];
      if (close !== -1 && (found !== undefined || /^[a-z]+$/.test(text.slice(index + 2, close)))) {
        if (found !== undefined) classes.push(found);
        index = close + 2;
        continue;
      }
    }
    const low = readMember(text, index, isRegex);
    index = low.end;
    if (text[index] === '-' && text[index + 1] !== undefined && text[index + 1] !== ']') {
      const high = readMember(text, index + 1, isRegex);
      index = high.end;
      ranges.push([low.code, high.code]);
    } else ranges.push([low.code, low.code]);
  }
}

/** One member of a set: a character, an escaped one, `[.x.]` or `[=x=]`. */
function readMember(text: string, at: number, isRegex: boolean): { code: number; end: number } {
  const named = /^\[([.=])([\s\S])\1\]/.exec(text.slice(at, at + 6));
  if (named !== null) return { code: (named[2] as string).codePointAt(0) ?? 0, end: at + named[0].length };
  const from = text[at] === '\\' && !isRegex && at + 1 < text.length ? at + 1 : at;
  const code = text.codePointAt(from) ?? 0;
  return { code, end: from + (code > 0xffff ? 2 : 1) };
}
