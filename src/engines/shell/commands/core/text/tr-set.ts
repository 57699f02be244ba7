/**
 * The sets of `tr`: escapes, ranges, `[:class:]`, `[=c=]`, `[c*n]`.
 *
 * Source: tr(1), messages of coreutils 9.1.
 */
import type { Tool } from '../../program/tool.js';

/** A set taken apart. */
export interface TrSet {
  readonly bytes: number[];
  /** `[c*]`: as many as needed, at a place in `bytes`. */
  open: { at: number; byte: number } | undefined;
  /** How many `[c*]` and `[c*n]` there are. */
  repeats: number;
  hasEquivalence: boolean;
  readonly classes: string[];
  /** Where `[:lower:]` and `[:upper:]` stand. */
  readonly cases: { at: number; name: string }[];
  endsWithClass: boolean;
}

type Member = (byte: number) => boolean;

const between =
  (low: string, high: string): Member =>
  (byte) =>
    byte >= low.charCodeAt(0) && byte <= high.charCodeAt(0);
const [lower, upper, digit] = [between('a', 'z'), between('A', 'Z'), between('0', '9')];
const CLASSES: Readonly<Record<string, Member>> = {
  alnum: (byte) => lower(byte) || upper(byte) || digit(byte),
  alpha: (byte) => lower(byte) || upper(byte),
  blank: (byte) => byte === 32 || byte === 9,
  cntrl: (byte) => byte < 32 || byte === 127,
  digit,
  graph: (byte) => byte > 32 && byte < 127,
  lower,
  print: (byte) => byte >= 32 && byte < 127,
  punct: (byte) => byte > 32 && byte < 127 && !lower(byte) && !upper(byte) && !digit(byte),
  space: (byte) => byte === 32 || (byte >= 9 && byte <= 13),
  upper,
  xdigit: (byte) => digit(byte) || between('a', 'f')(byte) || between('A', 'F')(byte),
};
const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 };

interface Letter {
  readonly byte: number;
  readonly isEscaped: boolean;
}

/** Escapes first: what is escaped has no meaning beyond itself. */
function unescapeSet(tool: Tool, text: string): Letter[] {
  const letters: Letter[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '\\') {
      letters.push({ byte: text.charCodeAt(at), isEscaped: false });
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1))?.[0];
    const next = text[at + 1];
    if (octal !== undefined) {
      const kept = Number.parseInt(octal, 8) > 255 ? octal.slice(0, 2) : octal;
      if (kept !== octal)
        tool.warn(
          `warning: the ambiguous octal escape \\${octal} is being\n\tinterpreted as the 2-byte sequence \\0${kept}, ${octal[2]}`,
        );
      letters.push({ byte: Number.parseInt(kept, 8), isEscaped: true });
      at += kept.length;
    } else if (next === undefined) {
      tool.warn('warning: an unescaped backslash at end of string is not portable');
      letters.push({ byte: 92, isEscaped: false });
    } else {
      letters.push({ byte: ESCAPES[next] ?? next.charCodeAt(0), isEscaped: true });
      at += 1;
    }
  }
  return letters;
}

function shown(byte: number): string {
  return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
}

/** Takes a set apart; wrong ones end the program. */
export function expandSet(tool: Tool, text: string): TrSet {
  const letters = unescapeSet(tool, text);
  const set: TrSet = {
    bytes: [],
    open: undefined,
    repeats: 0,
    hasEquivalence: false,
    classes: [],
    cases: [],
    endsWithClass: false,
  };
  const is = (at: number, character: string): boolean =>
    letters[at]?.byte === character.charCodeAt(0) && letters[at]?.isEscaped === false;
  let at = 0;
  while (at < letters.length) {
    set.endsWithClass = false;
    if (is(at, '[')) {
      const next = bracketed(tool, { letters, at, is }, set);
      if (next > at) {
        at = next;
        continue;
      }
    }
    const from = letters[at]?.byte ?? 0;
    if (is(at + 1, '-') && letters[at + 2] !== undefined) {
      const to = letters[at + 2]?.byte ?? 0;
      if (to < from)
        tool.die(`range-endpoints of '${shown(from)}-${shown(to)}' are in reverse collating sequence order`);
      for (let byte = from; byte <= to; byte++) set.bytes.push(byte);
      at += 3;
      continue;
    }
    set.bytes.push(from);
    at += 1;
  }
  return set;
}

interface Place {
  readonly letters: readonly Letter[];
  readonly at: number;
  readonly is: (at: number, character: string) => boolean;
}

/** Reads `[…]` constructs; returns the place behind, or the same place where it is none. */
function bracketed(tool: Tool, place: Place, set: TrSet): number {
  const { letters, at, is } = place;
  if (is(at + 1, ':') || is(at + 1, '=')) {
    const mark = is(at + 1, ':') ? ':' : '=';
    for (let end = at + 2; end + 1 < letters.length; end++) {
      if (!is(end, mark) || !is(end + 1, ']')) continue;
      const name = String.fromCharCode(...letters.slice(at + 2, end).map((one) => one.byte));
      if (name === '') {
        if (mark === '=' && is(end + 1, '=')) continue;
        tool.die(
          mark === ':' ? "missing character class name '[::]'" : "missing equivalence class character '[==]'",
        );
      }
      if (mark === ':') classMembers(tool, name, set);
      else {
        if (name.length !== 1) tool.die(`${name}: equivalence class operand must be a single character`);
        set.bytes.push(name.charCodeAt(0));
        set.hasEquivalence = true;
        set.endsWithClass = true;
      }
      return end + 2;
    }
  }
  return repeated(tool, place, set);
}

function classMembers(tool: Tool, name: string, set: TrSet): void {
  const member = CLASSES[name];
  if (member === undefined) tool.die(`invalid character class ${tool.quote(name)}`);
  set.classes.push(name);
  if (name === 'lower' || name === 'upper') set.cases.push({ at: set.bytes.length, name });
  else set.endsWithClass = true;
  for (let byte = 0; byte < 256; byte++) if (member?.(byte)) set.bytes.push(byte);
}

function repeated(tool: Tool, place: Place, set: TrSet): number {
  const { letters, at, is } = place;
  if (letters[at + 1] === undefined || !is(at + 2, '*')) return at;
  let end = at + 3;
  while (end < letters.length && !is(end, ']')) end += 1;
  if (end >= letters.length) return at;
  const digits = String.fromCharCode(...letters.slice(at + 3, end).map((one) => one.byte));
  if (digits !== '' && !/^\d+$/.test(digits)) {
    if (!/^\d/.test(digits)) return at;
    tool.die(`invalid repeat count ${tool.quote(digits)} in [c*n] construct`);
  }
  const count = digits === '' ? 0 : Number.parseInt(digits, digits.startsWith('0') ? 8 : 10);
  const byte = letters[at + 1]?.byte ?? 0;
  set.repeats += 1;
  if (count === 0) set.open = { at: set.bytes.length, byte };
  else {
    set.repeats -= 1;
    for (let left = Math.min(count, 100_000); left > 0; left--) set.bytes.push(byte);
  }
  return end + 1;
}
