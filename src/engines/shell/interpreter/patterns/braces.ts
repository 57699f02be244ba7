/**
 * Brace expansion: `{a,b}`, `{1..10..2}`, `{a..e}`, nested, before everything else.
 *
 * The idea: text in, texts out; quotes and `${` keep their braces. The number of results and their size are limited,
 * because `{1..100000000}` is a few characters. Source: bash manual, Brace Expansion.
 */

/** Too many results; bash would run out of memory. */
export class BraceLimitError extends Error {
  override readonly name = 'BraceLimitError';
}

const MAX_RESULTS = 1_000_000;

/** Position behind a quoted or nested stretch that begins at `at`, or `at` itself. */
function skipQuoted(text: string, at: number): number {
  const char = text[at];
  if (char === '\\') return Math.min(at + 2, text.length);
  if (char === "'") {
    const close = text.indexOf("'", at + 1);
    return close === -1 ? text.length : close + 1;
  }
  if (char === '"' || char === '`') {
    for (let end = at + 1; end < text.length; end += 1) {
      if (text[end] === '\\') end += 1;
      else if (text[end] === char) return end + 1;
    }
    return text.length;
  }
  if (
    (char === '$' || char === '<' || char === '>') &&
    (text[at + 1] === '(' || (char === '$' && text[at + 1] === '{'))
  ) {
    const open = text[at + 1] as string;
    const close = open === '(' ? ')' : '}';
    let depth = 0;
    for (let end = at + 1; end < text.length; ) {
      const skipped = text[end] === '$' ? end : skipQuoted(text, end);
      if (skipped > end) {
        end = skipped;
        continue;
      }
      if (text[end] === open) depth += 1;
      else if (text[end] === close) {
        depth -= 1;
        if (depth === 0) return end + 1;
      }
      end += 1;
    }
    return text.length;
  }
  return at;
}

/** A brace group that can be expanded: where it opens and closes, and its comma-separated pieces. */
interface Group {
  readonly open: number;
  readonly close: number;
  readonly pieces: readonly string[];
}

/** Finds the pieces of the group that opens at `open`; undefined when it does not close. */
function readGroup(text: string, open: number): Group | undefined {
  const pieces: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open + 1; at < text.length; ) {
    const skipped = skipQuoted(text, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const char = text[at];
    if (char === '{') depth += 1;
    else if (char === ',' && depth === 0) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    } else if (char === '}') {
      if (depth === 0) {
        pieces.push(text.slice(start, at));
        return { open, close: at, pieces };
      }
      depth -= 1;
    }
    at += 1;
  }
  return undefined;
}

interface Sequence {
  readonly count: number;
  readonly at: (index: number) => string;
}

function sequence(body: string): Sequence | undefined {
  const numeric = /^([+-]?\d+)\.\.([+-]?\d+)(?:\.\.([+-]?\d+))?$/.exec(body);
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.([+-]?\d+))?$/.exec(body);
  const found = numeric ?? letters;
  if (found === null) return undefined;
  const [, left = '', right = '', by] = found;
  const from = numeric === null ? left.charCodeAt(0) : Number(left);
  const to = numeric === null ? right.charCodeAt(0) : Number(right);
  const size = Math.abs(Number(by ?? 1)) || 1;
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return undefined;
  const count = Math.floor(Math.abs(to - from) / size) + 1;
  if (count > MAX_RESULTS)
    throw new BraceLimitError('brace expansion: failed to allocate memory for elements');
  const padded = numeric !== null && (/^[+-]?0\d/.test(left) || /^[+-]?0\d/.test(right));
  const width = padded ? Math.max(left.length, right.length) : 0;
  const at = (index: number): string => {
    const value = from + (to < from ? -index : index) * size;
    if (numeric === null) return letter(value);
    const digits = String(Math.abs(value)).padStart(width - (value < 0 ? 1 : 0), '0');
    return value < 0 ? `-${digits}` : digits;
  };
  return { count, at };
}

/** A letter of a sequence as it is written in a word: between `Z` and `a` lie signs that quote. */
function letter(code: number): string {
  if (code === 92) return "''";
  return code === 96 ? '\\`' : String.fromCharCode(code);
}

/** How many texts a word stands for, without making them. @throws BraceLimitError */
export function countBraces(text: string, depth = 0): number {
  const group = firstGroup(text, depth);
  if (group === undefined) return 1;
  let choices = 0;
  if (group.sequence !== undefined) choices = group.sequence.count;
  else for (const piece of group.pieces) choices += countBraces(piece, depth + 1);
  const count = choices * countBraces(text.slice(group.close + 1), depth + 1);
  if (count > MAX_RESULTS)
    throw new BraceLimitError('brace expansion: failed to allocate memory for elements');
  return count;
}

/** The texts that a word stands for, one after another. @throws BraceLimitError */
export function* eachBraces(text: string, depth = 0): Generator<string, void, undefined> {
  const group = firstGroup(text, depth);
  if (group === undefined) {
    yield text;
    return;
  }
  const before = text.slice(0, group.open);
  const tail = text.slice(group.close + 1);
  for (const choice of choicesIn(group, depth)) {
    if (tail === '') yield before + choice;
    else for (const rest of eachBraces(tail, depth + 1)) yield before + choice + rest;
  }
}

function* choicesIn(group: OpenGroup, depth: number): Generator<string, void, undefined> {
  const { sequence: found, pieces } = group;
  if (found !== undefined) for (let index = 0; index < found.count; index += 1) yield found.at(index);
  else {
    for (const piece of pieces)
      for (const one of eachBraces(piece, depth + 1)) yield group.isKept ? `{${one}}` : one;
  }
}

interface OpenGroup extends Group {
  readonly sequence: Sequence | undefined;
  /** `{a{b,c}}`: the inner group counts, the outer braces stay. */
  readonly isKept: boolean;
}

/** The first group of a text that can be expanded. */
function firstGroup(text: string, depth: number): OpenGroup | undefined {
  if (depth > 50) return undefined;
  for (let at = 0; at < text.length; ) {
    const skipped = skipQuoted(text, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const group = text[at] === '{' ? readGroup(text, at) : undefined;
    const opened = group === undefined ? undefined : opening(group, depth);
    if (opened !== undefined) return opened;
    at += 1;
  }
  return undefined;
}

function opening(group: Group, depth: number): OpenGroup | undefined {
  if (group.pieces.length > 1) return { ...group, sequence: undefined, isKept: false };
  const [body = ''] = group.pieces;
  const found = sequence(body);
  if (found !== undefined) return { ...group, sequence: found, isKept: false };
  if (!body.includes('{') || countBraces(body, depth + 1) === 1) return undefined;
  return { ...group, sequence: undefined, isKept: true };
}

/** All texts that a word stands for; the word itself when it has no group. @throws BraceLimitError */
export function expandBraces(text: string): readonly string[] {
  countBraces(text);
  return [...eachBraces(text)];
}
