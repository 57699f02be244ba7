/**
 * How `sort` compares lines: where keys begin and end, and the orders of the letters.
 *
 * Source: sort(1). `-n` compares digits as text, so numbers may have any length.
 */
import type { Tool } from '../../program/tool.js';
import { compareVersions } from '../../program/version-order.js';
import type { SortKey, SortLine } from './sort-line.js';

/** Negative, zero or positive. */
export type Comparison = (one: string, other: string) => number;

const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const UNITS = 'KMGTPEZY';

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n';
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text[at])) at += 1;
  return at;
}

function fieldStart(text: string, count: number, tab: string | undefined): number {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left--) {
    if (tab === undefined) {
      at = skipBlanks(text, at);
      while (at < text.length && !isBlank(text[at])) at += 1;
    } else {
      const end = text.indexOf(tab, at);
      at = end < 0 ? text.length : end + 1;
    }
  }
  return at;
}

/** The part of a line that a key compares. */
function keyText(text: string, key: SortKey, tab: string | undefined): string {
  let start = fieldStart(text, key.startField, tab);
  if (key.skipStartBlanks) start = skipBlanks(text, start);
  start = Math.min(text.length, start + key.startChar);
  if (key.endField === undefined) return text.slice(start);
  let end: number;
  if (key.endChar === 0) {
    end = fieldStart(text, key.endField + 1, tab);
    if (tab !== undefined && end > 0 && (end < text.length || text.endsWith(tab))) {
      const limit = text.lastIndexOf(tab, end - 1);
      if (limit === end - 1) end = limit;
    }
  } else {
    end = fieldStart(text, key.endField, tab);
    if (key.skipEndBlanks) end = skipBlanks(text, end);
    end = Math.min(text.length, end + key.endChar);
  }
  return text.slice(start, Math.max(start, end));
}

interface Digits {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

function digitsOf(text: string): Digits {
  const match = /^[ \t\n]*(-?)(\d*)(?:\.(\d*))?/.exec(text);
  const whole = (match?.[2] ?? '').replace(/^0+/, '');
  const fraction = (match?.[3] ?? '').replace(/0+$/, '');
  return { negative: match?.[1] === '-' && (whole !== '' || fraction !== ''), whole, fraction };
}

function compareDigits(one: Digits, other: Digits): number {
  if (one.negative !== other.negative) return one.negative ? -1 : 1;
  const sign = one.negative ? -1 : 1;
  if (one.whole.length !== other.whole.length) return sign * (one.whole.length - other.whole.length);
  if (one.whole !== other.whole) return one.whole < other.whole ? -sign : sign;
  return one.fraction === other.fraction ? 0 : one.fraction < other.fraction ? -sign : sign;
}

function unitOrder(text: string): number {
  const match = /^[ \t\n]*(-?)(\d*(?:\.\d*)?)([KMGTPEZYk]?)/.exec(text);
  if (match === null || !/[1-9]/.test(match[2] ?? '')) return 0;
  const unit = match[3] === '' ? 0 : UNITS.indexOf((match[3] ?? '').toUpperCase()) + 1;
  return match[1] === '-' ? -unit : unit;
}

function monthOf(text: string): number {
  return (
    MONTH_NAMES.indexOf(
      text
        .replace(/^[ \t\n]+/, '')
        .slice(0, 3)
        .toUpperCase(),
    ) + 1
  );
}

/** A number as `strtold` reads it; what is none comes first, then NaN. */
function general(text: string): { kind: number; value: number } {
  const match =
    /^[ \t\n\v\f\r]*([+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?|nan|0x[0-9a-f]+))/i.exec(
      text,
    );
  const word = match?.[1]?.toLowerCase();
  if (word === undefined) return { kind: 0, value: 0 };
  if (word.includes('nan')) return { kind: 1, value: 0 };
  if (word.includes('inf')) return { kind: 2, value: word.startsWith('-') ? -Infinity : Infinity };
  return { kind: 2, value: Number(word) };
}

function compareGeneral(one: string, other: string): number {
  const [a, b] = [general(one), general(other)];
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

function compareBytes(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A number that mixes lines, the same for the same text. */
function mixed(text: string, seed: number): number {
  let hash = seed >>> 0;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return (Math.imul(hash, 0x85ebca6b) ^ (hash >>> 13)) >>> 0;
}

function translated(letters: ReadonlySet<string>): (text: string) => string {
  const dictionary = letters.has('d');
  const printing = letters.has('i');
  const fold = letters.has('f');
  return (text) => {
    let result = text;
    if (dictionary) result = result.replace(/[^A-Za-z0-9 \t\n]/g, '');
    else if (printing) result = result.replace(/[^ -~]/g, '');
    return fold ? result.replace(/[a-z]+/g, (part) => part.toUpperCase()) : result;
  };
}

function byLetters(letters: ReadonlySet<string>, seed: number): Comparison {
  if (letters.has('n')) return (one, other) => compareDigits(digitsOf(one), digitsOf(other));
  if (letters.has('g')) return compareGeneral;
  if (letters.has('h'))
    return (one, other) => unitOrder(one) - unitOrder(other) || compareDigits(digitsOf(one), digitsOf(other));
  if (letters.has('M')) return (one, other) => monthOf(one) - monthOf(other);
  const change = translated(letters);
  if (letters.has('R'))
    return (one, other) =>
      mixed(change(one), seed) - mixed(change(other), seed) || compareBytes(change(one), change(other));
  if (letters.has('V')) return (one, other) => compareVersions(change(one), change(other));
  return (one, other) => compareBytes(change(one), change(other));
}

/** The order of a command line. */
export function lineComparison(line: SortLine, tool: Tool): Comparison {
  const usesChance = line.letters.has('R') || line.keys.some((key) => key.letters.has('R'));
  const seed = usesChance ? Math.floor(tool.proc.random() * 2 ** 32) : 0;
  const keys = line.keys.map((key) => {
    const isOwn = key.letters.size > 0 || key.skipStartBlanks || key.skipEndBlanks;
    const letters = isOwn ? key.letters : line.letters;
    const blanks = !isOwn && line.letters.has('b');
    const whole = blanks ? { ...key, skipStartBlanks: true, skipEndBlanks: true } : key;
    return { key: whole, compare: byLetters(letters, seed), sign: letters.has('r') ? -1 : 1 };
  });
  const lastSign = line.letters.has('r') ? -1 : 1;
  const isPlain = keys.length === 0 && ![...line.letters].some((letter) => letter !== 'r');
  if (isPlain) return (one, other) => lastSign * compareBytes(one, other);
  if (keys.length === 0) {
    const compare = byLetters(line.letters, seed);
    const cut = line.letters.has('b')
      ? (text: string) => text.slice(skipBlanks(text, 0))
      : (text: string) => text;
    keys.push({ key: { ...WHOLE }, compare: (one, other) => compare(cut(one), cut(other)), sign: lastSign });
  }
  return (one, other) => {
    for (const { key, compare, sign } of keys) {
      const order =
        key.startField < 0
          ? compare(one, other)
          : compare(keyText(one, key, line.tab), keyText(other, key, line.tab));
      if (order !== 0) return sign * order;
    }
    return line.stable || line.unique ? 0 : lastSign * compareBytes(one, other);
  };
}

/** The whole line as a key. */
const WHOLE: SortKey = {
  startField: -1,
  startChar: 0,
  skipStartBlanks: false,
  endField: undefined,
  endChar: 0,
  skipEndBlanks: false,
  letters: new Set(),
};
