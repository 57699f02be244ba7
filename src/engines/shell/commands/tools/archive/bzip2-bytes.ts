/**
 * The bzip2 format: packing (byte for byte as bzip2 1.0.8 packs) and unpacking of bytes.
 *
 * Source: bzip2's manual. Unpacking is bounded: a small file may not become a huge one.
 */
import { joinBytes } from '../../../kernel/index.js';
import { BitWriter, writeBlock } from './bzip2-block.js';

const MAX_UNPACKED = 256 * 1024 * 1024;
const RUN = 4;
const MAX_RUN = 255;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});

function crcStep(crc: number, byte: number): number {
  return (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ byte] ?? 0);
}

/** True for bytes that start as bzip2 does. */
export function isBzip2(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x42 &&
    bytes[1] === 0x5a &&
    bytes[2] === 0x68 &&
    (bytes[3] ?? 0) >= 0x31 &&
    (bytes[3] ?? 0) <= 0x39
  );
}

/** Packs bytes; the level (1 to 9) is the size of a block in 100,000 bytes. */
export function packBzip2(bytes: Uint8Array, level: number): Uint8Array {
  const out = new BitWriter();
  for (const letter of [0x42, 0x5a, 0x68, 0x30 + level]) out.add(8, letter);
  const packer = new RunPacker(out, level * 100_000 - 19);
  for (const byte of bytes) packer.add(byte);
  const whole = packer.finish();
  out.add(24, 0x177245);
  out.add(24, 0x385090);
  out.add(16, whole >>> 16);
  out.add(16, whole & 0xffff);
  return out.finish();
}

/** The first step of packing: runs of four and more get a count; full blocks are written. */
class RunPacker {
  private readonly block: Uint8Array;
  private size = 0;
  private crc = -1;
  private whole = 0;
  private byte = -1;
  private length = 0;

  constructor(
    private readonly out: BitWriter,
    private readonly most: number,
  ) {
    this.block = new Uint8Array(most + 19);
  }

  add(byte: number): void {
    if (this.size >= this.most) this.write();
    if (byte === this.byte && this.length < MAX_RUN) {
      this.length += 1;
      return;
    }
    this.flush();
    this.byte = byte;
    this.length = 1;
  }

  finish(): number {
    this.flush();
    this.write();
    return this.whole;
  }

  private flush(): void {
    for (let at = 0; at < this.length; at++) this.crc = crcStep(this.crc, this.byte);
    for (let at = 0; at < Math.min(this.length, RUN); at++) this.block[this.size++] = this.byte;
    if (this.length >= RUN) this.block[this.size++] = this.length - RUN;
    this.length = 0;
  }

  private write(): void {
    if (this.size === 0) return;
    const crc = ~this.crc >>> 0;
    this.whole = (((this.whole << 1) | (this.whole >>> 31)) ^ crc) >>> 0;
    writeBlock(this.out, this.block.subarray(0, this.size), crc);
    this.size = 0;
    this.crc = -1;
  }
}

/** Why bytes could not be unpacked. */
export type Bzip2Problem = 'not-bzip2' | 'damaged' | 'cut' | 'trailing' | 'too-large';

/** What unpacking gave: the bytes so far, and what went wrong. */
export interface UnpackedBzip2 {
  readonly bytes: Uint8Array;
  readonly problem: Bzip2Problem | undefined;
}

class Ended extends Error {}
class Damaged extends Error {}

class BitReader {
  position: number;
  private held = 0;
  private count = 0;

  constructor(
    private readonly bytes: Uint8Array,
    start: number,
  ) {
    this.position = start;
  }

  bits(width: number): number {
    let value = 0;
    for (let left = width; left > 0; ) {
      if (this.count === 0) {
        if (this.position >= this.bytes.length) throw new Ended();
        this.held = this.bytes[this.position++] ?? 0;
        this.count = 8;
      }
      const take = Math.min(left, this.count);
      value = value * 2 ** take + ((this.held >> (this.count - take)) & ((1 << take) - 1));
      this.count -= take;
      left -= take;
    }
    return value;
  }

  align(): void {
    this.count = 0;
  }
}

/** Unpacks all streams of a file. */
export function unpackBzip2(bytes: Uint8Array): UnpackedBzip2 {
  const parts: Uint8Array[] = [];
  let size = 0;
  let at = 0;
  const done = (problem?: Bzip2Problem): UnpackedBzip2 => ({
    bytes: joinBytes(parts.length === 0 ? [new Uint8Array(0)] : parts),
    problem,
  });
  if (!isBzip2(bytes)) return done('not-bzip2');
  try {
    while (at < bytes.length) {
      if (!isBzip2(bytes.subarray(at))) return done('trailing');
      const reader = new BitReader(bytes, at + 4);
      let whole = 0;
      for (;;) {
        const magic = reader.bits(48);
        const crc = reader.bits(32);
        if (magic === 0x177245385090) {
          if (crc !== whole) return done('damaged');
          break;
        }
        if (magic !== 0x314159265359) return done('damaged');
        const part = expand(readBlock(reader));
        size += part.length;
        if (size > MAX_UNPACKED) return done('too-large');
        let own = -1;
        for (const byte of part) own = crcStep(own, byte);
        if (~own >>> 0 !== crc) return done('damaged');
        whole = (((whole << 1) | (whole >>> 31)) ^ crc) >>> 0;
        parts.push(part);
      }
      reader.align();
      at = reader.position;
    }
    return done();
  } catch (error) {
    if (error instanceof Ended) return done('cut');
    if (error instanceof Damaged) return done('damaged');
    throw error;
  }
}

/** Undoes the runs of four with a count. */
function expand(block: Uint8Array): Uint8Array {
  let size = 0;
  for (let at = 0, run = 0; at < block.length; at++) {
    run = at > 0 && run < RUN && block[at] === block[at - 1] ? run + 1 : 1;
    size += 1;
    if (run === RUN) {
      size += block[++at] ?? 0;
      run = 0;
      if (size > MAX_UNPACKED) throw new Damaged();
    }
  }
  const out = new Uint8Array(size);
  let to = 0;
  for (let at = 0, run = 0, last = -1; at < block.length; at++) {
    const byte = block[at] ?? 0;
    run = byte === last && run > 0 ? run + 1 : 1;
    last = byte;
    out[to++] = byte;
    if (run === RUN) {
      const more = block[++at] ?? 0;
      out.fill(byte, to, to + more);
      to += more;
      run = 0;
    }
  }
  return out.subarray(0, to);
}

interface DecodeTable {
  /** By length: the smallest code that is longer, the first symbol's place. */
  readonly limits: Int32Array;
  readonly bases: Int32Array;
  readonly symbols: Uint16Array;
  readonly least: number;
}

function readTables(reader: BitReader, count: number, alphabet: number): DecodeTable[] {
  return Array.from({ length: count }, () => {
    const lengths = new Uint8Array(alphabet);
    let length = reader.bits(5);
    for (let symbol = 0; symbol < alphabet; symbol++) {
      while (reader.bits(1) === 1) length += reader.bits(1) === 0 ? 1 : -1;
      if (length < 1 || length > 20) throw new Damaged();
      lengths[symbol] = length;
    }
    return tableOf(lengths);
  });
}

function tableOf(lengths: Uint8Array): DecodeTable {
  const limits = new Int32Array(22).fill(-1);
  const bases = new Int32Array(22);
  const symbols: number[] = [];
  let code = 0;
  for (let length = 1; length <= 20; length++) {
    bases[length] = symbols.length - code;
    lengths.forEach((one, symbol) => {
      if (one === length) {
        symbols.push(symbol);
        code += 1;
      }
    });
    limits[length] = code - 1;
    code <<= 1;
  }
  return { limits, bases, symbols: Uint16Array.from(symbols), least: Math.min(...lengths) };
}

function readUsed(reader: BitReader): number[] {
  const rows = Array.from({ length: 16 }, () => reader.bits(1));
  const used: number[] = [];
  rows.forEach((has, row) => {
    if (has === 0) return;
    for (let column = 0; column < 16; column++) if (reader.bits(1) === 1) used.push(row * 16 + column);
  });
  if (used.length === 0) throw new Damaged();
  return used;
}

/** One block's bytes, with runs still counted. */
function readBlock(reader: BitReader): Uint8Array {
  if (reader.bits(1) === 1) throw new Damaged();
  const start = reader.bits(24);
  const used = readUsed(reader);
  const tableCount = reader.bits(3);
  const selectorCount = reader.bits(15);
  if (tableCount < 2 || tableCount > 6 || selectorCount === 0) throw new Damaged();
  const list = Array.from({ length: tableCount }, (_, at) => at);
  const selectors = Array.from({ length: selectorCount }, () => {
    let place = 0;
    while (reader.bits(1) === 1) if (++place >= tableCount) throw new Damaged();
    const [chosen = 0] = list.splice(place, 1);
    list.unshift(chosen);
    return chosen;
  });
  const tables = readTables(reader, tableCount, used.length + 2);
  const last = readColumn(reader, { used, tables, selectors });
  return undoRotations(last, start);
}

/** The last column of the rotations. */
function readColumn(
  reader: BitReader,
  {
    used,
    tables,
    selectors,
  }: { used: readonly number[]; tables: readonly DecodeTable[]; selectors: readonly number[] },
): Uint8Array {
  const out = new Uint8Array(900_000);
  const list = Uint8Array.from(used);
  let size = 0;
  let run = 0;
  let unit = 1;
  for (let index = 0; ; index++) {
    const table = tables[selectors[Math.floor(index / 50)] ?? -1];
    if (table === undefined) throw new Damaged();
    const symbol = readSymbol(reader, table);
    if (symbol < 2) {
      run += unit << symbol;
      unit <<= 1;
      if (run > out.length) throw new Damaged();
      continue;
    }
    if (run > 0) {
      if (size + run > out.length) throw new Damaged();
      out.fill(list[0] ?? 0, size, size + run);
      size += run;
      [run, unit] = [0, 1];
    }
    if (symbol === used.length + 1) return out.subarray(0, size);
    const byte = list[symbol - 1] ?? 0;
    list.copyWithin(1, 0, symbol - 1);
    list[0] = byte;
    if (size >= out.length) throw new Damaged();
    out[size++] = byte;
  }
}

function readSymbol(reader: BitReader, table: DecodeTable): number {
  let code = reader.bits(table.least);
  for (let length = table.least; length <= 20; length++) {
    if (code <= (table.limits[length] ?? -1)) return table.symbols[code + (table.bases[length] ?? 0)] ?? 0;
    code = (code << 1) | reader.bits(1);
  }
  throw new Damaged();
}

function undoRotations(last: Uint8Array, start: number): Uint8Array {
  if (start >= last.length) throw new Damaged();
  const starts = new Int32Array(257);
  for (const byte of last) starts[byte + 1] = (starts[byte + 1] ?? 0) + 1;
  for (let at = 1; at < 257; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const next = new Int32Array(last.length);
  last.forEach((byte, at) => {
    const place = starts[byte] ?? 0;
    starts[byte] = place + 1;
    next[place] = at;
  });
  const out = new Uint8Array(last.length);
  let at = next[start] ?? 0;
  for (let to = 0; to < out.length; to++) {
    out[to] = last[at] ?? 0;
    at = next[at] ?? 0;
  }
  return out;
}
