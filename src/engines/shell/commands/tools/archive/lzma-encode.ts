/**
 * LZMA2 packed: matches found through a hash of three bytes, taken greedily with one look ahead.
 *
 * What it writes is valid and about as small as xz's fast presets; not the same bytes as xz where that packs harder. A
 * chunk that does not become smaller is stored as it is, as xz does. Source: the LZMA specification.
 */
import { joinBytes } from '../../../kernel/index.js';
import {
  type LengthModel,
  LzmaModel,
  lengthState,
  MATCH_LEAST,
  MATCH_MOST,
  MOVE_BITS,
  PROBABILITY_BITS,
  slotOf,
} from './lzma-model.js';

const TOP = 2 ** 24;
/** Bytes of a chunk: small enough that a chunk always fits its length fields. */
const CHUNK = 61_440;
const HASH_BITS = 16;
const MAX_STEPS = 48;
const MAX_DISTANCE = 1 << 23;
const PROPERTIES = 0x5d;

class RangeEncoder {
  private low = 0;
  private range = 0xffffffff;
  private cache = 0;
  private pending = 1;
  private out = new Uint8Array(CHUNK * 2);
  size = 0;

  bit(table: Uint16Array, index: number, bit: number): void {
    const probability = table[index] ?? 0;
    const bound = (this.range >>> PROBABILITY_BITS) * probability;
    if (bit === 0) {
      this.range = bound;
      table[index] = probability + (((1 << PROBABILITY_BITS) - probability) >> MOVE_BITS);
    } else {
      this.low += bound;
      this.range -= bound;
      table[index] = probability - (probability >> MOVE_BITS);
    }
    while (this.range < TOP) {
      this.range = (this.range << 8) >>> 0;
      this.shift();
    }
  }

  direct(value: number, count: number): void {
    for (let at = count - 1; at >= 0; at--) {
      this.range >>>= 1;
      if ((value >>> at) & 1) this.low += this.range;
      while (this.range < TOP) {
        this.range = (this.range << 8) >>> 0;
        this.shift();
      }
    }
  }

  tree(table: Uint16Array, bits: number, value: number): void {
    let node = 1;
    for (let at = bits - 1; at >= 0; at--) {
      const bit = (value >>> at) & 1;
      this.bit(table, node, bit);
      node = (node << 1) | bit;
    }
  }

  reverse(table: Uint16Array, start: number, { bits, value }: { bits: number; value: number }): void {
    let node = 1;
    for (let at = 0; at < bits; at++) {
      const bit = (value >>> at) & 1;
      this.bit(table, start + node, bit);
      node = (node << 1) | bit;
    }
  }

  finish(): Uint8Array {
    for (let at = 0; at < 5; at++) this.shift();
    return this.out.slice(0, this.size);
  }

  private shift(): void {
    if (this.low < 0xff000000 || this.low >= 2 ** 32) {
      const carry = this.low >= 2 ** 32 ? 1 : 0;
      let byte = this.cache;
      do {
        this.put((byte + carry) & 0xff);
        byte = 0xff;
      } while (--this.pending > 0);
      this.cache = Math.floor(this.low / TOP) & 0xff;
    }
    this.pending += 1;
    this.low = (this.low % TOP) * 256;
  }

  private put(byte: number): void {
    if (this.size === this.out.length) {
      const larger = new Uint8Array(this.out.length * 2);
      larger.set(this.out);
      this.out = larger;
    }
    this.out[this.size++] = byte;
  }
}

interface Match {
  readonly length: number;
  /** Less one. */
  readonly distance: number;
}

/** Finds earlier text by a hash of three bytes. */
class Finder {
  private readonly heads = new Int32Array(1 << HASH_BITS).fill(-1);
  private readonly chain: Int32Array;
  private known = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.chain = new Int32Array(bytes.length);
  }

  private hash(at: number): number {
    const { bytes } = this;
    const value = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    return Math.imul(value, 0x9e3779b1) >>> (32 - HASH_BITS);
  }

  /** Takes everything before a place into the table. */
  learn(until: number): void {
    for (; this.known < until; this.known++) {
      const hash = this.hash(this.known);
      this.chain[this.known] = this.heads[hash] ?? -1;
      this.heads[hash] = this.known;
    }
  }

  /** How many bytes at a place are as they were `distance` + 1 before. */
  lengthAt(at: number, distance: number, most: number): number {
    const { bytes } = this;
    const from = at - distance - 1;
    if (from < 0) return 0;
    let length = 0;
    while (length < most && bytes[at + length] === bytes[from + length]) length++;
    return length;
  }

  longest(at: number, most: number): Match {
    this.learn(at);
    let best: Match = { length: 0, distance: 0 };
    if (most < 3) return best;
    let from = this.heads[this.hash(at)] ?? -1;
    for (let step = 0; from >= 0 && step < MAX_STEPS && at - from <= MAX_DISTANCE; step++) {
      const length = this.lengthAt(at, at - from - 1, most);
      if (length > best.length) best = { length, distance: at - from - 1 };
      if (length === most) break;
      from = this.chain[from] ?? -1;
    }
    return best;
  }
}

/** Packs bytes as LZMA2, end mark included. */
export function encodeLzma2(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  const finder = new Finder(bytes);
  let model = new LzmaModel();
  let needsReset = true;
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const end = Math.min(bytes.length, at + CHUNK);
    const packed = new ChunkEncoder(bytes, finder, model).run(at, end);
    const size = end - at - 1;
    if (packed.length + 6 >= end - at + 3) {
      parts.push(Uint8Array.of(at === 0 ? 1 : 2, size >> 8, size & 0xff), bytes.subarray(at, end));
      model = new LzmaModel();
      needsReset = true;
      continue;
    }
    const mode = at === 0 ? 0xe0 : needsReset ? 0xc0 : 0x80;
    const inner = packed.length - 1;
    parts.push(Uint8Array.of(mode | (size >> 16), (size >> 8) & 0xff, size & 0xff, inner >> 8, inner & 0xff));
    if (needsReset) parts.push(Uint8Array.of(PROPERTIES));
    parts.push(packed);
    needsReset = false;
  }
  parts.push(Uint8Array.of(0));
  return joinBytes(parts);
}

class ChunkEncoder {
  private readonly range = new RangeEncoder();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly finder: Finder,
    private readonly model: LzmaModel,
  ) {}

  run(start: number, end: number): Uint8Array {
    for (let at = start; at < end; ) at += this.step(at, end);
    return this.range.finish();
  }

  /** Codes what stands at a place; returns how many bytes that was. */
  private step(at: number, end: number): number {
    const { finder, model } = this;
    const most = Math.min(MATCH_MOST, end - at);
    const repeat = this.bestRepeat(at, most);
    const found = finder.longest(at, most);
    if (repeat.length >= MATCH_LEAST && repeat.length + 1 >= found.length) {
      this.repeat(at, repeat.index, repeat.length);
      return repeat.length;
    }
    const isWorth = found.length >= 4 || (found.length === 3 && found.distance < 1 << 12);
    if (
      isWorth &&
      !(at + 1 < end && finder.longest(at + 1, Math.min(MATCH_MOST, end - at - 1)).length > found.length + 1)
    ) {
      this.match(at, found);
      return found.length;
    }
    if (
      at > model.repeats[0] &&
      this.bytes[at] === this.bytes[at - model.repeats[0] - 1] &&
      model.state >= 7 &&
      at > 0
    ) {
      this.short(at);
      return 1;
    }
    this.literal(at);
    return 1;
  }

  private bestRepeat(at: number, most: number): { index: number; length: number } {
    let best = { index: 0, length: 0 };
    this.model.repeats.forEach((distance, index) => {
      const length = this.finder.lengthAt(at, distance, most);
      if (length > best.length) best = { index, length };
    });
    return best;
  }

  private literal(at: number): void {
    const { range, model, bytes } = this;
    range.bit(model.isMatch, model.state * 4 + (at & 3), 0);
    const start = model.literalAt(at, at === 0 ? 0 : (bytes[at - 1] ?? 0));
    const byte = bytes[at] ?? 0;
    let symbol = 1;
    let matchByte = model.state >= 7 ? (bytes[at - model.repeats[0] - 1] ?? 0) : -1;
    for (let place = 7; place >= 0; place--) {
      const bit = (byte >> place) & 1;
      if (matchByte < 0) range.bit(model.literal, start + symbol, bit);
      else {
        const matchBit = (matchByte >> 7) & 1;
        matchByte = (matchByte << 1) & 0xff;
        range.bit(model.literal, start + ((1 + matchBit) << 8) + symbol, bit);
        if (matchBit !== bit) matchByte = -1;
      }
      symbol = (symbol << 1) | bit;
    }
    model.afterLiteral();
  }

  private short(at: number): void {
    const { range, model } = this;
    const { state } = model;
    range.bit(model.isMatch, state * 4 + (at & 3), 1);
    range.bit(model.isRepeat, state, 1);
    range.bit(model.isRepeat0, state, 0);
    range.bit(model.isLong, state * 4 + (at & 3), 0);
    model.after(9);
  }

  private repeat(at: number, index: number, length: number): void {
    const { range, model } = this;
    const { state, repeats } = model;
    range.bit(model.isMatch, state * 4 + (at & 3), 1);
    range.bit(model.isRepeat, state, 1);
    range.bit(model.isRepeat0, state, index === 0 ? 0 : 1);
    if (index === 0) range.bit(model.isLong, state * 4 + (at & 3), 1);
    else {
      range.bit(model.isRepeat1, state, index === 1 ? 0 : 1);
      if (index > 1) range.bit(model.isRepeat2, state, index === 2 ? 0 : 1);
      const [first, second, third, fourth] = repeats;
      if (index === 1) model.repeats = [second, first, third, fourth];
      else if (index === 2) model.repeats = [third, first, second, fourth];
      else model.repeats = [fourth, first, second, third];
    }
    model.after(8);
    this.length(model.repeatLength, at, length);
  }

  private match(at: number, { length, distance }: Match): void {
    const { range, model } = this;
    const { state, repeats } = model;
    range.bit(model.isMatch, state * 4 + (at & 3), 1);
    range.bit(model.isRepeat, state, 0);
    model.after(7);
    this.length(model.matchLength, at, length);
    const slot = slotOf(distance);
    range.tree(model.slots[lengthState(length)] ?? model.align, 6, slot);
    if (slot >= 4) {
      const bits = (slot >> 1) - 1;
      const base = (2 | (slot & 1)) * 2 ** bits;
      const rest = distance - base;
      if (slot < 14) range.reverse(model.special, base - slot, { bits, value: rest });
      else {
        range.direct(rest >>> 4, bits - 4);
        range.reverse(model.align, 0, { bits: 4, value: rest & 15 });
      }
    }
    model.repeats = [distance, repeats[0], repeats[1], repeats[2]];
  }

  private length(model: LengthModel, at: number, length: number): void {
    const { range } = this;
    const value = length - MATCH_LEAST;
    range.bit(model.choice, 0, value < 8 ? 0 : 1);
    if (value < 8) {
      range.tree(model.low[at & 3] ?? model.high, 3, value);
      return;
    }
    range.bit(model.choice, 1, value < 16 ? 0 : 1);
    if (value < 16) range.tree(model.middle[at & 3] ?? model.high, 3, value - 8);
    else range.tree(model.high, 8, value - 16);
  }
}
