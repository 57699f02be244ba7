/**
 * The .xz container around LZMA2: headers, index, checks; and the old .lzma files read only as far as told apart.
 *
 * Source: the description of the .xz file format 1.1. Not covered: other filters than LZMA2, `.lzma` files.
 */
import { joinBytes } from '../../../kernel/index.js';
import { decodeLzma2, LzmaProblem } from './lzma-decode.js';
import { encodeLzma2 } from './lzma-encode.js';

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const MAX_UNPACKED = 256 * 1024 * 1024;
/** The dictionary's size as the presets 0 to 9 say it. */
const DICTIONARIES = [0x0c, 0x10, 0x12, 0x14, 0x14, 0x16, 0x16, 0x18, 0x1a, 0x1c];

/** The integrity checks that are known here. */
export type XzCheck = 'none' | 'crc32' | 'crc64';
const CHECK_IDS: Readonly<Record<XzCheck, number>> = { none: 0, crc32: 1, crc64: 4 };
const CHECK_SIZES: Readonly<Record<number, number>> = { 0: 0, 1: 4, 4: 8, 10: 32 };

const CRC32 = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
const CRC64 = (() => {
  const low = new Uint32Array(256);
  const high = new Uint32Array(256);
  for (let index = 0; index < 256; index++) {
    let value = BigInt(index);
    for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ 0xc96c5795d7870f42n : value >> 1n;
    low[index] = Number(value & 0xffffffffn);
    high[index] = Number(value >> 32n);
  }
  return { low, high };
})();

/** The CRC-32 of zip, gzip and xz. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC32[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function little32(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24);
}

function crc64(bytes: Uint8Array): Uint8Array {
  let low = 0xffffffff;
  let high = 0xffffffff;
  for (const byte of bytes) {
    const index = (low ^ byte) & 0xff;
    const shifted = (low >>> 8) | (high << 24);
    low = (shifted ^ (CRC64.low[index] ?? 0)) >>> 0;
    high = ((high >>> 8) ^ (CRC64.high[index] ?? 0)) >>> 0;
  }
  return joinBytes([little32(~low >>> 0), little32(~high >>> 0)]);
}

function withCrc(bytes: Uint8Array): Uint8Array {
  return joinBytes([bytes, little32(crc32(bytes))]);
}

function variable(value: number): number[] {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) out.push((rest % 128) | 0x80);
  out.push(rest);
  return out;
}

function checkOf(bytes: Uint8Array, check: XzCheck): Uint8Array {
  if (check === 'none') return new Uint8Array(0);
  return check === 'crc32' ? little32(crc32(bytes)) : crc64(bytes);
}

/** True for bytes that start as xz does. */
export function isXz(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte);
}

/** Packs bytes with a preset (0 to 9). */
export function packXz(bytes: Uint8Array, preset: number, check: XzCheck): Uint8Array {
  const flags = Uint8Array.of(0, CHECK_IDS[check]);
  const header = joinBytes([Uint8Array.from(MAGIC), flags, little32(crc32(flags))]);
  const blocks: Uint8Array[] = [];
  const records: number[] = [];
  if (bytes.length > 0) {
    const packed = encodeLzma2(bytes);
    const dictionary = DICTIONARIES[preset] ?? 0x16;
    const head = withCrc(Uint8Array.of(2, 0, 0x21, 1, dictionary, 0, 0, 0));
    const sum = checkOf(bytes, check);
    blocks.push(head, packed, new Uint8Array((4 - (packed.length % 4)) % 4), sum);
    records.push(...variable(head.length + packed.length + sum.length), ...variable(bytes.length));
  }
  const bare = [0, ...variable(blocks.length > 0 ? 1 : 0), ...records];
  while (bare.length % 4 !== 0) bare.push(0);
  const index = withCrc(Uint8Array.from(bare));
  const tail = joinBytes([little32(index.length / 4 - 1), flags]);
  return joinBytes([header, ...blocks, index, little32(crc32(tail)), tail, Uint8Array.of(0x59, 0x5a)]);
}

/** What went wrong in unpacking. */
export type XzProblem = 'format' | 'cut' | 'damaged' | 'unsupported' | 'too-large';

/** What is in an .xz file. */
export interface UnpackedXz {
  readonly bytes: Uint8Array;
  readonly problem: XzProblem | undefined;
  readonly streams: number;
  readonly blocks: number;
  /** As `xz -l` names it. */
  readonly check: string;
}

const CHECK_NAMES: Readonly<Record<number, string>> = { 0: 'None', 1: 'CRC32', 4: 'CRC64', 10: 'SHA-256' };

/** Unpacks all streams of a file. */
export function unpackXz(bytes: Uint8Array): UnpackedXz {
  const parts: Uint8Array[] = [];
  const told = { streams: 0, blocks: 0, check: 'CRC64' };
  const done = (problem?: XzProblem): UnpackedXz => ({
    ...told,
    bytes: joinBytes(parts.length === 0 ? [new Uint8Array(0)] : parts),
    problem,
  });
  if (!isXz(bytes)) return done('format');
  let at = 0;
  try {
    while (at < bytes.length) {
      if (bytes.length - at < 12) return done('cut');
      if (!isXz(bytes.subarray(at))) return done('damaged');
      const id = bytes[at + 7] ?? 0;
      told.check = CHECK_NAMES[id] ?? 'Unknown';
      at += 12;
      told.streams += 1;
      while (bytes[at] !== 0) {
        const block = readBlock(bytes, at, { check: id, most: MAX_UNPACKED });
        parts.push(block.bytes);
        at = block.end;
        told.blocks += 1;
      }
      at = skipIndex(bytes, at);
      while (bytes[at] === 0 && bytes.length > at) at += 1;
    }
    return done();
  } catch (error) {
    if (error instanceof LzmaProblem) return done(error.kind);
    throw error;
  }
}

function readBlock(
  bytes: Uint8Array,
  start: number,
  { check, most }: { readonly check: number; readonly most: number },
): { bytes: Uint8Array; end: number } {
  if (start >= bytes.length) throw new LzmaProblem('cut');
  const size = ((bytes[start] ?? 0) + 1) * 4;
  if (start + size > bytes.length) throw new LzmaProblem('cut');
  const head = bytes.subarray(start, start + size - 4);
  if (!same(little32(crc32(head)), bytes.subarray(start + size - 4, start + size)))
    throw new LzmaProblem('damaged');
  const made = decodeLzma2(bytes, start + size, most);
  let end = made.end + ((4 - ((made.end - start) % 4)) % 4);
  const sumSize = CHECK_SIZES[check] ?? 0;
  if (end + sumSize > bytes.length) throw new LzmaProblem('cut');
  const sum = bytes.subarray(end, end + sumSize);
  if ((check === 1 || check === 4) && !same(checkOf(made.bytes, check === 1 ? 'crc32' : 'crc64'), sum))
    throw new LzmaProblem('damaged');
  end += sumSize;
  return { bytes: made.bytes, end };
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Over the index and the footer. */
function skipIndex(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; shift < 63; shift += 7) {
      if (at >= bytes.length) throw new LzmaProblem('cut');
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  for (let left = number(); left > 0; left--) {
    number();
    number();
  }
  const end = start + Math.ceil((at - start) / 4) * 4 + 4 + 12;
  if (end > bytes.length) throw new LzmaProblem('cut');
  if (bytes[end - 2] !== 0x59 || bytes[end - 1] !== 0x5a) throw new LzmaProblem('damaged');
  return end;
}
