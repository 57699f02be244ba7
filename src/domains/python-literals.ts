/**
 * Values as Python writes them: strings with every kind of quote and escape, numbers, True, False, None, lists, tuples
 * and dictionaries, read into JSON values and written the way `repr` does. Nothing is run.
 *
 * Source: the Python language reference, lexical analysis. Not covered: byte strings, f-strings, complex numbers,
 * sets, expressions, and `\N{…}`.
 */
import { fail, type Json, LIMITS, ok, type Result } from '../core/index.js';

/** A place in a text and why it cannot be read. */
export interface PythonProblem {
  readonly at: number;
  readonly message: string;
}

/** A value and where it ends. */
export interface PythonReading {
  readonly value: Json;
  readonly end: number;
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\n', ''],
]);
/** Digits after `\x`, `\u`, `\U`. */
const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);
const MAX_CODE_POINT = 0x10ffff;
/** Where reading a string has to look: its quote, a backslash, a line end. */
const SINGLE = /['\\\n]/g;
const DOUBLE = /["\\\n]/g;

/** Reads one string literal at `at` (a quote, or a prefix r, u, R, U in front of one); null where none begins there. */
export function readPythonString(text: string, at: number): Result<PythonReading, PythonProblem> | null {
  const prefix = /^[rRuU]?(?=['"])/.exec(text.slice(at, at + 2))?.[0];
  if (prefix === undefined) return null;
  const isRaw = prefix.toLowerCase() === 'r';
  const start = at + prefix.length;
  const quote = text[start] ?? '';
  const mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  const parts: string[] = [];
  const special = quote === "'" ? SINGLE : DOUBLE;
  for (let i = start + mark.length; i < text.length; ) {
    special.lastIndex = i;
    const next = special.exec(text)?.index ?? text.length;
    parts.push(text.slice(i, next));
    i = next;
    if (text.startsWith(mark, i)) return ok({ value: parts.join(''), end: i + mark.length });
    const char = text[i];
    if (char === undefined || (char === '\n' && mark.length === 1)) break;
    if (char !== '\\') {
      parts.push(char);
      i++;
    } else if (isRaw) {
      parts.push(text.slice(i, i + 2));
      i += 2;
    } else {
      const read = readEscape(text, i);
      parts.push(read.text);
      i = read.end;
    }
  }
  return fail({ at, message: `the text that begins at character ${at} with ${mark} has no end` });
}

/** An escape at a backslash. What is no escape stays as it is, backslash included, as in Python. */
function readEscape(text: string, at: number): { readonly text: string; readonly end: number } {
  const next = text[at + 1] ?? '';
  const simple = SIMPLE.get(next);
  if (simple !== undefined) return { text: simple, end: at + 2 };
  const digits = HEX_DIGITS.get(next);
  if (digits !== undefined) {
    const hex = text.slice(at + 2, at + 2 + digits);
    const code = Number.parseInt(hex, 16);
    const isHex = hex.length === digits && /^[0-9a-fA-F]+$/.test(hex) && code <= MAX_CODE_POINT;
    if (isHex) return { text: String.fromCodePoint(code), end: at + 2 + digits };
  }
  const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined)
    return { text: String.fromCharCode(Number.parseInt(octal, 8)), end: at + 1 + octal.length };
  return { text: `\\${next}`, end: at + 1 + next.length };
}

const NUMBER = /[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)(?![\w.])/y;
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['True', true],
  ['False', false],
  ['None', null],
]);
const WORD = /[\p{L}_][\p{L}\p{N}_.]*/uy;
/** The first place at or after `at` that is no white space, comment or joined line. */
export function skipPythonSpace(text: string, at: number): number {
  for (let i = at; ; i++) {
    const char = text[i];
    if (char === '#') {
      const newline = text.indexOf('\n', i);
      if (newline < 0) return text.length;
      i = newline;
    } else if (char === '\\' && /^\r?\n/.test(text.slice(i + 1, i + 3))) i += text[i + 1] === '\r' ? 2 : 1;
    else if (char === undefined || !' \t\r\n\f'.includes(char)) return i;
  }
}

/** Reads one value at `at`, white space in front of it left out. Neighbouring strings are joined. */
export function readPythonValue(text: string, at: number, depth = 0): Result<PythonReading, PythonProblem> {
  const start = skipPythonSpace(text, at);
  if (depth > LIMITS.jsonDepth) {
    return fail({ at: start, message: `nests deeper than ${LIMITS.jsonDepth} levels (limit jsonDepth)` });
  }
  const string = readPythonString(text, start);
  if (string !== null) return string.ok ? joinStrings(text, string.value) : string;
  const char = text[start] ?? '';
  if (char === '[' || char === '(') return readSequence(text, start, depth);
  if (char === '{') return readDictionary(text, start, depth);
  NUMBER.lastIndex = start;
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined) return ok({ value: numberOf(number), end: start + number.length });
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0];
  const known = word === undefined ? undefined : WORDS.get(word);
  if (word !== undefined && known !== undefined) return ok({ value: known, end: start + word.length });
  return fail({ at: start, message: noValue(text, start, word) });
}

function noValue(text: string, at: number, word: string | undefined): string {
  if (at >= text.length) return 'the text ends where a value is wanted';
  if (word === undefined) return `${JSON.stringify(text.slice(at, at + 20))} is no value`;
  const literal = ['true', 'false', 'null'].includes(word) ? '; Python writes True, False, None' : '';
  return `${word.slice(0, 60)} is a name, not a value (a text stands in quotes${literal})`;
}

function joinStrings(text: string, first: PythonReading): Result<PythonReading, PythonProblem> {
  const parts = [String(first.value)];
  let { end } = first;
  for (;;) {
    const next = readPythonString(text, skipPythonSpace(text, end));
    if (next === null) return ok({ value: parts.join(''), end });
    if (!next.ok) return next;
    parts.push(String(next.value.value));
    end = next.value.end;
  }
}

function numberOf(digits: string): Json {
  const plain = digits.replaceAll('_', '').replace(/^\+/, '');
  const isHex = /^-?0[xX]/.test(plain);
  if (isHex || /^-?\d+$/.test(plain)) {
    const whole = plain.startsWith('-') ? -BigInt(plain.slice(1)) : BigInt(plain);
    const small = Number(whole);
    return Number.isSafeInteger(small) ? small : whole;
  }
  const value = Number(plain);
  return Number.isFinite(value) ? value : plain;
}

function readSequence(text: string, start: number, depth: number): Result<PythonReading, PythonProblem> {
  const closing = text[start] === '[' ? ']' : ')';
  const values: Json[] = [];
  let at = skipPythonSpace(text, start + 1);
  let hasComma = false;
  while (text[at] !== closing) {
    const value = readPythonValue(text, at, depth + 1);
    if (!value.ok) return value;
    values.push(value.value.value);
    at = skipPythonSpace(text, value.value.end);
    if (text[at] === ',') {
      hasComma = true;
      at = skipPythonSpace(text, at + 1);
    } else if (text[at] !== closing) {
      return fail({ at, message: unfinished(text, at, closing) });
    }
  }
  const [only] = values;
  const isGroup = closing === ')' && values.length === 1 && !hasComma && only !== undefined;
  return ok({ value: isGroup ? only : values, end: at + 1 });
}

function readDictionary(text: string, start: number, depth: number): Result<PythonReading, PythonProblem> {
  const entries: [string, Json][] = [];
  let at = skipPythonSpace(text, start + 1);
  while (text[at] !== '}') {
    const key = readPythonValue(text, at, depth + 1);
    if (!key.ok) return key;
    if (typeof key.value.value === 'object' && key.value.value !== null)
      return fail({ at, message: 'the key of a dictionary is a list or a dictionary' });
    at = skipPythonSpace(text, key.value.end);
    if (text[at] !== ':') return fail({ at, message: unfinished(text, at, ':') });
    const value = readPythonValue(text, at + 1, depth + 1);
    if (!value.ok) return value;
    entries.push([String(key.value.value), value.value.value]);
    at = skipPythonSpace(text, value.value.end);
    if (text[at] === ',') at = skipPythonSpace(text, at + 1);
    else if (text[at] !== '}') return fail({ at, message: unfinished(text, at, '}') });
  }
  return ok({ value: Object.fromEntries(entries), end: at + 1 });
}

function unfinished(text: string, at: number, wanted: string): string {
  const seen = at >= text.length ? 'the text ends' : JSON.stringify(text.slice(at, at + 20));
  return `${seen} where ${wanted === ':' ? '":"' : `"," or "${wanted}"`} is wanted`;
}

/** What `repr` writes as escapes: backslash, quotes, controls, separators but the space, unassigned and private ones. */
const ESCAPED = /[\\'"]|(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/gu;
const PLAIN = /^[ !#-&(-[\]-~]*$/;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A text as `repr` writes it: single quotes unless the text holds them and no double ones; one line always. */
export function pythonString(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(ESCAPED, (char) => {
    if (char === "'" || char === '"') return char === quote ? `\\${char}` : char;
    return SHORT_ESCAPES.get(char) ?? escapeOf(char);
  });
  return `${quote}${inner}${quote}`;
}

function escapeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** A JSON value as Python writes it. */
export function pythonValue(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'number') return pythonNumber(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(pythonValue).join(', ')}]`;
  const entries = Object.entries(value).map(
    ([key, held]) => `${pythonString(key)}: ${pythonValue(held as Json)}`,
  );
  return `{${entries.join(', ')}}`;
}

/** A number so that it reads back as the same: whole numbers beyond the exact ones are floats, as is minus zero. */
function pythonNumber(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? `${text}.0` : text;
}
