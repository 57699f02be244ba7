/**
 * How `hexdump` prints a block of bytes after its formats.
 *
 * Where the input ended, a conversion becomes blanks of its width. Source: hexdump(1).
 */
import { formatFloat } from '../number-format.js';
import type { Conversion, FormatUnit } from './hexdump-format.js';

const NAMES =
  'nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us'.split(
    ' ',
  );
const ESCAPED: Readonly<Record<number, string>> = {
  0: '\\0',
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
};

/** A block: its bytes (filled up with zeros), how many are real, and its address. */
export interface Block {
  readonly bytes: Uint8Array;
  readonly real: number;
  readonly address: number;
}

/** How many bytes a format takes. */
export function formatSize(units: readonly FormatUnit[]): number {
  return units.reduce((sum, unit) => sum + unit.times * unit.bytes, 0);
}

/** Lets the last unit of a short format repeat until the block is full, where it has no count of its own. */
export function stretch(units: readonly FormatUnit[], blockSize: number): void {
  const last = units.findLast((unit) => unit.bytes > 0);
  const left = blockSize - formatSize(units);
  if (last !== undefined && !last.hasTimes && left > 0) last.times += Math.floor(left / last.bytes);
}

/** Prints one block after one format. */
export function printBlock(units: readonly FormatUnit[], block: Block): string {
  let text = '';
  let at = 0;
  for (const unit of units) {
    for (let turn = 0; turn < unit.times; turn++) {
      const isLast = turn === unit.times - 1 && unit.times > 1;
      unit.conversions.forEach((one, index) => {
        const after = isLast && index === unit.conversions.length - 1 ? one.after.trimEnd() : one.after;
        text += one.before + converted(one, block, at) + after;
        at += one.bytes;
      });
    }
  }
  return text;
}

/** The line behind the last block, for formats with an end address. */
export function printEnd(units: readonly FormatUnit[], address: number): string {
  return units
    .flatMap((unit) => unit.conversions)
    .map((one) => (one.kind === 'end-address' ? one.before + integer(one, BigInt(address)) + one.after : ''))
    .join('');
}

function converted(one: Conversion, block: Block, at: number): string {
  if (one.kind === 'text') return '';
  if (one.kind === 'end-address') return '';
  if (one.kind === 'address') return integer(one, BigInt(block.address + at));
  if (at >= block.real) return ' '.repeat(one.width || one.precision || 0);
  const bytes = block.bytes.subarray(at, at + one.bytes);
  const byte = bytes[0] ?? 0;
  switch (one.kind) {
    case 'unsigned':
      return integer(one, little(bytes));
    case 'signed':
      return integer(one, BigInt.asIntN(bytes.length * 8, little(bytes)));
    case 'float': {
      const view = new DataView(bytes.slice().buffer);
      return padded(
        one,
        formatFloat(bytes.length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true), one),
      );
    }
    case 'char':
      return padded(one, String.fromCharCode(byte));
    case 'escaped':
      return padded(
        one,
        ESCAPED[byte] ?? (isPrintable(byte) ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0')),
      );
    case 'printable':
      return padded(one, isPrintable(byte) ? String.fromCharCode(byte) : '.');
    case 'name':
      return padded(
        one,
        NAMES[byte] ??
          (byte === 127
            ? 'del'
            : isPrintable(byte)
              ? String.fromCharCode(byte)
              : byte.toString(16).padStart(2, '0')),
      );
    default:
      return padded(one, String.fromCharCode(...bytes).replace(/\0.*$/s, ''));
  }
}

function isPrintable(byte: number): boolean {
  return byte >= 32 && byte < 127;
}

function little(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = value * 256n + BigInt(bytes[at] ?? 0);
  return value;
}

function integer(one: Conversion, value: bigint): string {
  const base = one.letter === 'x' || one.letter === 'X' ? 16 : one.letter === 'o' ? 8 : 10;
  const digits = (value < 0n ? -value : value).toString(base).padStart(one.precision ?? 1, '0');
  const shown = one.letter === 'X' ? digits.toUpperCase() : digits;
  const prefix = one.flags.includes('#') && value !== 0n ? { 16: '0x', 8: '0', 10: '' }[base] : '';
  const sign = value < 0n ? '-' : one.flags.includes('+') && one.letter === 'd' ? '+' : '';
  const head = sign + (prefix ?? '');
  if (one.flags.includes('0') && one.precision === undefined && !one.flags.includes('-'))
    return head + shown.padStart(one.width - head.length, '0');
  return padded(one, head + shown);
}

function padded(one: Conversion, text: string): string {
  return one.flags.includes('-') ? text.padEnd(one.width) : text.padStart(one.width);
}
