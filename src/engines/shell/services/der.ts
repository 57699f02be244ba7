/**
 * Distinguished encoding, as much of it as certificates and keys need: tag, length, value.
 *
 * Source: ITU-T X.690. Not covered: indefinite lengths, tags above 30.
 */
import { joinBytes } from '../kernel/index.js';

/** One element. */
export interface Der {
  readonly tag: number;
  readonly value: Uint8Array;
}

/** Tags that are used. */
export const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  ia5: 0x16,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Writes an element. */
export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const value = joinBytes(parts);
  const { length } = value;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return joinBytes([Uint8Array.from(head), value]);
}

/** Writes an object identifier such as `2.5.4.3`. */
export function encodeOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const number of rest) {
    const groups = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return encodeDer(TAG.oid, Uint8Array.from(bytes));
}

/** Writes a positive number. */
export function encodeInteger(bytes: Uint8Array): Uint8Array {
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  return encodeDer(TAG.integer, isNegative ? Uint8Array.from([0]) : new Uint8Array(0), bytes);
}

/** Reads the elements of a value; null where they do not fit. */
export function decodeDer(bytes: Uint8Array): Der[] | null {
  const elements: Der[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] as number;
    let length = bytes[at + 1] ?? -1;
    at += 2;
    if (length >= 0x80) {
      const count = length & 0x7f;
      if (count === 0 || count > 3) return null;
      length = 0;
      for (let index = 0; index < count; index++) length = length * 256 + (bytes[at + index] ?? 0);
      at += count;
    }
    if (length < 0 || at + length > bytes.length) return null;
    elements.push({ tag, value: bytes.subarray(at, at + length) });
    at += length;
  }
  return elements;
}

/** The dotted text of an object identifier. */
export function decodeOid(value: Uint8Array): string {
  const first = value[0] ?? 0;
  const numbers = [Math.min(2, Math.floor(first / 40)), first - Math.min(2, Math.floor(first / 40)) * 40];
  let number = 0;
  for (const byte of value.subarray(1)) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers.join('.');
}
