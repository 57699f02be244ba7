/**
 * Where JSON values begin and end inside other text.
 *
 * A strict scanner follows the grammar of RFC 8259 from a bracket on, so a brace or a code fence inside a string
 * never ends a value; a tolerant one only matches brackets outside strings and comments and finds what a repair may
 * look at. Nothing is parsed or changed here. Nesting beyond `LIMITS.jsonDepth` counts as not JSON.
 */
import { LIMITS } from './limits.js';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

type Expect = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

/** How far a strict scan came. */
export interface StrictScan {
  /** The offset just after the value, or null if there is none. */
  readonly end: number | null;
  /** Where the brackets stand that were still open when the scan failed; a scan from any of them fails as well. */
  readonly open: readonly number[];
}

/** The offset just after the strict JSON object or list that starts at `start`, or null if there is none. */
export function jsonEnd(text: string, start: number): number | null {
  return scanStrictly(text, start).end;
}

/** Scans the object or list that starts at `start`. */
export function scanStrictly(text: string, start: number): StrictScan {
  const open: number[] = [];
  let expect: Expect = 'value';
  let at = start;
  for (;;) {
    at = skipSpace(text, at);
    const char = text[at];
    const inObject = text[open.at(-1) ?? -1] === '{';
    if (char === undefined) return { end: null, open };
    if (char === '}' || char === ']') {
      const mayEnd = expect === 'comma-or-end' || expect === (inObject ? 'key-or-end' : 'value-or-end');
      if (!mayEnd || inObject !== (char === '}')) return { end: null, open };
      open.pop();
      at++;
      if (open.length === 0) return { end: at, open };
      expect = 'comma-or-end';
    } else if (expect === 'comma-or-end' || expect === 'colon') {
      if (char !== (expect === 'colon' ? ':' : ',')) return { end: null, open };
      at++;
      expect = expect === 'comma-or-end' && inObject ? 'key' : 'value';
    } else if (expect === 'key' || expect === 'key-or-end') {
      const end = char === '"' ? stringEnd(text, at) : null;
      if (end === null) return { end: null, open };
      at = end;
      expect = 'colon';
    } else if (char === '{' || char === '[') {
      open.push(at);
      if (open.length > LIMITS.jsonDepth) return { end: null, open };
      at++;
      expect = char === '{' ? 'key-or-end' : 'value-or-end';
    } else {
      const end = scalarEnd(text, at);
      if (end === null || open.length === 0) return { end: null, open };
      at = end;
      expect = 'comma-or-end';
    }
  }
}

/** The offset just after the strict JSON string that starts at `start` with `"`, or null if it is not valid. */
export function stringEnd(text: string, start: number): number | null {
  for (let i = start + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return i + 1;
    if (unit < 0x20) return null;
    if (unit === 0x5c) {
      i++;
      const next = text[i] ?? '';
      if (next === 'u') {
        if (!/^[0-9a-fA-F]{4}$/.test(text.slice(i + 1, i + 5))) return null;
        i += 4;
      } else if (!'"\\/bfnrt'.includes(next) || next === '') return null;
    }
  }
  return null;
}

/** The first offset from `at` on that holds no JSON white space. */
export function skipSpace(text: string, at: number): number {
  let i = at;
  while (i < text.length && ' \n\r\t'.includes(text[i] ?? '')) i++;
  return i;
}

function scalarEnd(text: string, at: number): number | null {
  if (text[at] === '"') return stringEnd(text, at);
  for (const pattern of [WORD, NUMBER]) {
    pattern.lastIndex = at;
    if (pattern.test(text) && pattern.lastIndex > at) return pattern.lastIndex;
  }
  return null;
}

/** What {@link tolerantEnd} found. */
export interface TolerantSpan {
  readonly end: number;
  /** All brackets were closed before `end`. */
  readonly closed: boolean;
  /** The text stops inside a string, so something is missing that nobody can know. */
  readonly insideString: boolean;
}

/**
 * The end of something that tries to be JSON, matching brackets outside strings and comments only. A bracket that
 * never closes ends before the next line that starts with a code fence, or with the text.
 */
export function tolerantEnd(text: string, start: number): TolerantSpan {
  let depth = 0;
  let previous = '';
  for (let i = start; i < text.length; i++) {
    const char = text[i] ?? '';
    const opensString = char === '"' || (char === "'" && '{[,:'.includes(previous));
    if (opensString) {
      const end = looseStringEnd(text, i, char);
      if (end === null) return { end: text.length, closed: false, insideString: true };
      i = end - 1;
    } else if (char === '/' && (text[i + 1] === '/' || text[i + 1] === '*')) {
      i = commentEnd(text, i) - 1;
      continue;
    } else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) {
      return { end: i + 1, closed: true, insideString: false };
    } else if (char === '`' && text.startsWith('```', i) && previous !== '') {
      return { end: i, closed: false, insideString: false };
    }
    if (!' \n\r\t'.includes(char)) previous = char;
  }
  return { end: text.length, closed: false, insideString: false };
}

function looseStringEnd(text: string, start: number, quote: string): number | null {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i + 1;
  }
  return null;
}

/** The offset just after the `//` or block comment that starts at `start`. */
export function commentEnd(text: string, start: number): number {
  const end = text[start + 1] === '/' ? text.indexOf('\n', start) : text.indexOf('*/', start + 2);
  if (end < 0) return text.length;
  return text[start + 1] === '/' ? end : end + 2;
}

/**
 * After a value that never closed: does the bracket at `at` follow a key, a comma or another bracket, so that it is a
 * piece of that value?
 */
export function standsInsideValue(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  return /[,[{]\s*$|["']\s*:\s*$|\w:[ \t]*$/.test(before);
}
