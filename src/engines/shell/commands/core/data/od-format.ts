/**
 * The formats of `od -t`: names, characters, octal, decimal, hexadecimal and floating-point numbers, with `z` for the
 * printable characters at the end of a line.
 *
 * Source: od(1), messages of coreutils 9.1.
 */
import { formatFloat } from '../../program/c-number.js';
import type { Tool } from '../../program/tool.js';

/** How a row is laid out: columns of one cell with its blank, cells of a full row. */
export interface RowLayout {
  readonly blockWidth: number;
  readonly count: number;
  readonly bigEndian: boolean;
}

/** One format. */
export interface OdFormat {
  /** Bytes of one number. */
  readonly size: number;
  /** Columns of one number, without the blank before it. */
  readonly width: number;
  /** A row of bytes in this format, without the address. */
  row(bytes: Uint8Array, layout: RowLayout): string;
}

const NAMES =
  'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(
    ' ',
  );
const ESCAPES: Readonly<Record<number, string>> = {
  0: '\\0',
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
};
const WIDTHS: Readonly<Record<string, readonly number[]>> = {
  o: [3, 6, 11, 22],
  d: [4, 6, 11, 20],
  u: [3, 5, 10, 20],
  x: [2, 4, 8, 16],
};
const SIZES: Readonly<Record<string, number>> = { C: 1, S: 2, I: 4, L: 8 };
const FLOATS: Readonly<Record<string, number>> = { F: 4, D: 8, L: 16 };

function integer(bytes: Uint8Array, bigEndian: boolean): bigint {
  let value = 0n;
  const ordered = bigEndian ? bytes : [...bytes].reverse();
  for (const byte of ordered) value = (value << 8n) | BigInt(byte);
  return value;
}

function number(bytes: Uint8Array, letter: string, bigEndian: boolean): string {
  const size = bytes.length;
  const value = integer(bytes, bigEndian);
  const width = WIDTHS[letter]?.[Math.log2(size)] ?? 0;
  if (letter === 'd') return String(BigInt.asIntN(size * 8, value));
  if (letter === 'u') return String(value);
  return value.toString(letter === 'o' ? 8 : 16).padStart(width, '0');
}

/** The shortest decimal digits that give the same number of this size. */
function float(bytes: Uint8Array, bigEndian: boolean): string {
  const padded = new Uint8Array(8);
  padded.set(bytes.subarray(0, 8));
  const view = new DataView(padded.buffer);
  if (bytes.length === 16) return extended(bytes);
  const value = bytes.length === 4 ? view.getFloat32(0, !bigEndian) : view.getFloat64(0, !bigEndian);
  for (let digits = 6; digits <= 17; digits++) {
    const text = formatFloat(value, { flags: '', width: 0, precision: digits, letter: 'g' });
    if (!Number.isFinite(value) || (bytes.length === 4 ? Math.fround(Number(text)) : Number(text)) === value)
      return text;
  }
  return String(value);
}

function extended(bytes: Uint8Array): string {
  const mantissa = integer(bytes.subarray(0, 8), false);
  const top = Number(integer(bytes.subarray(8, 10), false));
  const exponent = top & 0x7fff;
  const sign = top & 0x8000 ? -1 : 1;
  if (mantissa === 0n) return sign < 0 ? '-0' : '0';
  const value = sign * Number(mantissa) * 2 ** (exponent - 16383 - 63);
  return formatFloat(value, { flags: '', width: 0, precision: 18, letter: 'g' });
}

function character(byte: number): string {
  const escape_ = ESCAPES[byte];
  if (escape_ !== undefined) return escape_;
  return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0');
}

function printable(bytes: Uint8Array): string {
  return [...bytes].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
}

function makeFormat(letter: string, size: number, shows: boolean): OdFormat {
  const width =
    letter === 'a' || letter === 'c'
      ? 3
      : letter === 'f'
        ? ({ 4: 15, 8: 24, 16: 29 }[size] ?? 24)
        : (WIDTHS[letter]?.[Math.log2(size)] ?? 0);
  return {
    size,
    width,
    row(bytes, layout) {
      let text = '';
      let used = 0;
      for (let at = 0; at < bytes.length; at += size) {
        const part = new Uint8Array(size);
        part.set(bytes.subarray(at, at + size));
        let shown: string;
        if (letter === 'a') {
          const low = (part[0] ?? 0) & 127;
          shown = low === 127 ? 'del' : (NAMES[low] ?? String.fromCharCode(low));
        } else if (letter === 'c') shown = character(part[0] ?? 0);
        else if (letter === 'f') shown = float(part, layout.bigEndian);
        else shown = number(part, letter, layout.bigEndian);
        used += 1;
        const column = Math.floor(layout.blockWidth * used) - Math.floor(layout.blockWidth * (used - 1));
        text += shown.padStart(column);
      }
      if (!shows) return text;
      return `${text.padEnd(Math.floor(layout.blockWidth * layout.count))}  >${printable(bytes)}<`;
    },
  };
}

/** Reads the argument of `-t`; wrong ones end the program. */
export function readFormats(tool: Tool, text: string): OdFormat[] {
  const formats: OdFormat[] = [];
  let rest = text;
  while (rest !== '') {
    const letter = rest[0] ?? '';
    if (!'acdfoux'.includes(letter))
      tool.die(`invalid character '${letter}' in type string ${tool.quote(text)}`);
    rest = rest.slice(1);
    let size = letter === 'f' ? 8 : letter === 'a' || letter === 'c' ? 1 : 4;
    if (letter !== 'a' && letter !== 'c') {
      const named = (letter === 'f' ? FLOATS : SIZES)[rest[0] ?? ''];
      const digits = /^\d+/.exec(rest)?.[0];
      if (named !== undefined) {
        size = named;
        rest = rest.slice(1);
      } else if (digits !== undefined) {
        size = Number(digits);
        rest = rest.slice(digits.length);
        const known = letter === 'f' ? [4, 8, 16] : [1, 2, 4, 8];
        if (!known.includes(size)) {
          const what = letter === 'f' ? 'floating point' : 'integral';
          tool.die(
            `invalid type string ${tool.quote(text)};\nthis system doesn't provide a ${digits}-byte ${what} type`,
          );
        }
      }
    }
    let shows = false;
    if (rest.startsWith('z')) {
      shows = true;
      rest = rest.slice(1);
    }
    formats.push(makeFormat(letter, size, shows));
  }
  return formats;
}
