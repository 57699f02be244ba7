/**
 * The escapes of `$'…'`, `echo -e`, `printf` and `printf %b`, decoded to text.
 *
 * Source: bash manual, ANSI-C quoting. Text is UTF-16 with undecodable bytes as lone surrogates (U+DC80 + byte −
 * 0x80), so that `\xff` survives; several `\x` bytes in a row that form UTF-8 become one character.
 */
import { toBytes, toText } from '../kernel/index.js';

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** Where escapes are read: each place knows other ones. */
export type EscapeStyle = 'quote' | 'echo' | 'format' | 'percent-b';

/** One escape: its text (or byte), how long it was, and whether output ends here (`\c`). */
interface Escape {
  readonly text: string;
  readonly length: number;
  readonly byte?: number;
  readonly stop?: boolean;
}

/** Reads the escape that starts at the backslash `at`; undefined when it is none and stays as written. */
function readEscape(text: string, at: number, style: EscapeStyle): Escape | undefined {
  const char = text[at + 1];
  if (char === undefined) return undefined;
  if ((char === "'" || char === '"' || char === '?') && style === 'echo') return undefined;
  if ((char === "'" || char === '?') && style === 'percent-b') return undefined;
  const simple = SIMPLE[char];
  if (simple !== undefined) return { text: simple, length: 2 };
  if (char === 'x') return readHex(text, at, style);
  if (char === 'u' || char === 'U') {
    const digits = /^[0-9a-fA-F]+/.exec(text.slice(at + 2, at + (char === 'u' ? 6 : 10)))?.[0];
    if (digits === undefined) return undefined;
    const code = Number.parseInt(digits, 16);
    const valid = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return { text: valid ? String.fromCodePoint(code) : '\ufffd', length: 2 + digits.length };
  }
  if (char === 'c' && style === 'quote') {
    const control = text[at + 2];
    if (control === undefined) return undefined;
    const length = control === '\\' && text[at + 3] === '\\' ? 4 : 3;
    return { text: String.fromCharCode(control.toUpperCase().charCodeAt(0) ^ 0x40), length };
  }
  if (char === 'c' && (style === 'echo' || style === 'percent-b')) return { text: '', length: 2, stop: true };
  return readOctal(text, at, style);
}

function readHex(text: string, at: number, style: EscapeStyle): Escape | undefined {
  const braced = style === 'quote' ? /^\{([0-9a-fA-F]*)\}?/.exec(text.slice(at + 2)) : null;
  if (braced !== null && braced[1] !== undefined && braced[1] !== '')
    return { text: '', byte: Number.parseInt(braced[1], 16) & 0xff, length: 2 + braced[0].length };
  const digits = /^[0-9a-fA-F]{1,2}/.exec(text.slice(at + 2, at + 4))?.[0];
  if (digits === undefined) return undefined;
  return { text: '', byte: Number.parseInt(digits, 16), length: 2 + digits.length };
}

function readOctal(text: string, at: number, style: EscapeStyle): Escape | undefined {
  const zero =
    style === 'echo'
      ? /^0[0-7]{0,3}/
      : style === 'percent-b'
        ? /^0[0-7]{0,3}|^[1-7][0-7]{0,2}/
        : /^[0-7]{1,3}/;
  const digits = zero.exec(text.slice(at + 1, at + 5))?.[0];
  if (digits === undefined) return undefined;
  return { text: '', byte: Number.parseInt(digits, 8) & 0xff, length: 1 + digits.length };
}

/** Decodes all escapes; `stopped` says that `\c` ended the text. In `$'…'` a NUL ends it as well. */
export function decodeEscapes(text: string, style: EscapeStyle): { text: string; stopped: boolean } {
  if (!text.includes('\\')) return { text, stopped: false };
  let out = '';
  let bytes: number[] = [];
  const flush = () => {
    if (bytes.length > 0) out += toText(Uint8Array.from(bytes));
    bytes = [];
  };
  let at = 0;
  while (at < text.length) {
    const found = text[at] === '\\' ? readEscape(text, at, style) : undefined;
    if (found === undefined) {
      flush();
      out += text[at];
      at += 1;
      continue;
    }
    if (found.stop) {
      flush();
      return { text: out, stopped: true };
    }
    if (style === 'quote' && (found.byte === 0 || found.text === '\0')) break;
    if (found.byte !== undefined) bytes.push(found.byte);
    else {
      flush();
      out += found.text;
    }
    at += found.length;
  }
  flush();
  // Bytes beside characters may complete one another.
  return { text: /[\udc80-\udcff]/.test(out) ? toText(toBytes(out)) : out, stopped: false };
}
