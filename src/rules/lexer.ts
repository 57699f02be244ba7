/**
 * The lexer of the rules language: one token at a time, from any place in a text.
 *
 * Lexical grammar after CEL (github.com/google/cel-spec, "Syntax"): names, numbers, strings with escapes or raw,
 * operators, `//` comments. One token at a time, so that a template can find the end of an expression. Not covered:
 * bytes, triple-quoted strings, octal escapes, unsigned suffixes.
 */
import { type Range, syntaxFault } from './fault.js';

/** A token. `text` is the source piece; `value` the number or string it stands for. */
export type Token = Range &
  (
    | { readonly kind: 'name' | 'op' | 'end'; readonly text: string }
    | { readonly kind: 'number'; readonly text: string; readonly value: number | bigint }
    | { readonly kind: 'string'; readonly text: string; readonly value: string }
  );

const SPACE = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const OPERATOR = /===|!==|&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()[\]{}]/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\u0007'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['?', '?'],
]);
const HEX_ESCAPE = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/y;

/** The token that starts at or after `from`; a token of kind `end` when there is none. Throws a syntax fault. */
export function nextToken(source: string, from: number): Token {
  const at = from + (match(SPACE, source, from)?.length ?? 0);
  if (at >= source.length) return { kind: 'end', text: '', at, end: at };
  const first = source[at] ?? '';
  if (first === '"' || first === "'") return stringToken(source, at, false);
  if ((first === 'r' || first === 'R') && /["']/.test(source[at + 1] ?? ''))
    return stringToken(source, at, true);
  const name = match(NAME, source, at);
  if (name !== undefined) return { kind: 'name', text: name, at, end: at + name.length };
  const number = match(NUMBER, source, at);
  if (number !== undefined) return numberToken(source, at, number);
  const op = match(OPERATOR, source, at);
  if (op === undefined) throw unknownCharacter(source, at);
  if (op.length === 3) {
    throw syntaxFault(
      { at, end: at + 3 },
      `there is no ${op}; write ${op.slice(0, 2)}, which compares deeply`,
    );
  }
  return { kind: 'op', text: op, at, end: at + op.length };
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function unknownCharacter(source: string, at: number) {
  const text = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const hints: Record<string, string> = { '=': 'write == to compare', '&': 'write &&', '|': 'write ||' };
  const hint = Object.hasOwn(hints, text) ? hints[text] : 'remove it, or put it into a string';
  return syntaxFault({ at, end: at + text.length }, `unexpected character; ${hint}`);
}

function numberToken(source: string, at: number, text: string): Token {
  const end = at + text.length;
  if (/[A-Za-z0-9_]/.test(source[end] ?? '')) {
    throw syntaxFault(
      { at, end: end + 1 },
      'a number must not be followed by a letter; put a space or an operator there',
    );
  }
  if (/[.eE]/.test(text) && !/^0[xX]/.test(text)) {
    const value = Number(text);
    if (!Number.isFinite(value)) throw syntaxFault({ at, end }, 'the number is too large for a double');
    return { kind: 'number', text, at, end, value };
  }
  if (text.length > 400)
    throw syntaxFault({ at, end }, `an integer of ${text.length} digits; at most 400 are read`);
  const value = Number(text);
  return { kind: 'number', text, at, end, value: Number.isSafeInteger(value) ? value : BigInt(text) };
}

function stringToken(source: string, at: number, raw: boolean): Token {
  const open = raw ? at + 1 : at;
  const quote = source[open] ?? '';
  let value = '';
  for (let i = open + 1; i < source.length; ) {
    const unit = source[i] ?? '';
    if (unit === '\n') break;
    if (unit === quote) {
      return { kind: 'string', text: source.slice(at, i + 1), at, end: i + 1, value };
    }
    if (unit === '\\' && !raw) {
      const escaped = readEscape(source, i);
      value += escaped.text;
      i = escaped.end;
    } else {
      value += unit;
      i++;
    }
  }
  throw syntaxFault({ at, end: source.length }, `the string has no closing ${quote} on its line`);
}

function readEscape(source: string, at: number): { text: string; end: number } {
  const simple = ESCAPES.get(source[at + 1] ?? '');
  if (simple !== undefined) return { text: simple, end: at + 2 };
  const hex = match(HEX_ESCAPE, source, at + 1);
  const code = hex === undefined ? Number.NaN : Number.parseInt(hex.slice(1), 16);
  if (hex === undefined || code > 0x10ffff) {
    const wanted = 'known are \\n \\t \\r \\b \\f \\v \\a \\\\ \\\' \\" \\` \\? \\xHH \\uHHHH \\UHHHHHHHH';
    throw syntaxFault({ at, end: at + 2 }, `unknown escape; ${wanted}; in r'…' a backslash is plain text`);
  }
  return { text: String.fromCodePoint(code), end: at + 1 + hex.length };
}
