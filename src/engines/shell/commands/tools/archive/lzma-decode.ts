/**
 * LZMA2 unpacked: chunks of LZMA or of plain bytes over one dictionary.
 *
 * Source: the LZMA specification and the description of the .xz format.
 */
import { type LengthModel, LzmaModel, lengthState, MOVE_BITS, PROBABILITY_BITS } from './lzma-model.js';

/** Bytes that are no LZMA2, or that end too early. */
export class LzmaProblem extends Error {
  constructor(readonly kind: 'cut' | 'damaged' | 'too-large') {
    super(kind);
  }
}

const TOP = 2 ** 24;

class RangeDecoder {
  private range = 0xffffffff;
  private code = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
    private readonly end: number,
  ) {
    for (let index = 0; index < 5; index++) this.code = ((this.code << 8) | this.next()) >>> 0;
  }

  private next(): number {
    if (this.at >= this.end) throw new LzmaProblem('damaged');
    return this.bytes[this.at++] ?? 0;
  }

  private normalize(): void {
    if (this.range >= TOP) return;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.next()) >>> 0;
  }

  bit(table: Uint16Array, index: number): number {
    this.normalize();
    const probability = table[index] ?? 0;
    const bound = (this.range >>> PROBABILITY_BITS) * probability;
    if (this.code < bound) {
      this.range = bound;
      table[index] = probability + (((1 << PROBABILITY_BITS) - probability) >> MOVE_BITS);
      return 0;
    }
    this.range -= bound;
    this.code -= bound;
    table[index] = probability - (probability >> MOVE_BITS);
    return 1;
  }

  direct(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--) {
      this.normalize();
      this.range >>>= 1;
      const bit = this.code >= this.range ? 1 : 0;
      if (bit === 1) this.code -= this.range;
      value = value * 2 + bit;
    }
    return value;
  }

  tree(table: Uint16Array, bits: number): number {
    let node = 1;
    for (let left = bits; left > 0; left--) node = (node << 1) | this.bit(table, node);
    return node - (1 << bits);
  }

  reverse(table: Uint16Array, start: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let at = 0; at < bits; at++) {
      const bit = this.bit(table, start + node);
      node = (node << 1) | bit;
      value |= bit << at;
    }
    return value;
  }
}

/** Unpacked bytes that grow. */
class Window {
  bytes = new Uint8Array(1 << 16);
  size = 0;

  constructor(private readonly most: number) {}

  room(more: number): void {
    if (this.size + more > this.most) throw new LzmaProblem('too-large');
    if (this.size + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.size + more));
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }
}

/** Unpacks LZMA2 that begins at a place. Raises {@link LzmaProblem}. */
export function decodeLzma2(
  input: Uint8Array,
  start: number,
  most: number,
): { readonly bytes: Uint8Array; readonly end: number } {
  const window = new Window(most);
  let model: LzmaModel | undefined;
  let at = start;
  const byte = (): number => {
    if (at >= input.length) throw new LzmaProblem('cut');
    return input[at++] ?? 0;
  };
  for (;;) {
    const control = byte();
    if (control === 0) return { bytes: window.bytes.slice(0, window.size), end: at };
    if (control < 0x80) {
      if (control > 2) throw new LzmaProblem('damaged');
      const size = (byte() << 8) + byte() + 1;
      if (at + size > input.length) throw new LzmaProblem('cut');
      window.room(size);
      window.bytes.set(input.subarray(at, at + size), window.size);
      window.size += size;
      at += size;
      continue;
    }
    const size = ((control & 0x1f) << 16) + (byte() << 8) + byte() + 1;
    const packed = (byte() << 8) + byte() + 1;
    const reset = (control >> 5) & 3;
    if (reset >= 2) model = modelOf(byte());
    else if (reset === 1 && model !== undefined)
      model = new LzmaModel(model.lc, model.lp, bitsOf(model.positionMask));
    if (model === undefined) throw new LzmaProblem('damaged');
    if (at + packed > input.length) throw new LzmaProblem('cut');
    window.room(size);
    decodeChunk(new RangeDecoder(input, at, at + packed), model, { window, size });
    at += packed;
  }
}

function bitsOf(mask: number): number {
  return 32 - Math.clz32(mask);
}

function modelOf(properties: number): LzmaModel {
  if (properties > 224) throw new LzmaProblem('damaged');
  const lc = properties % 9;
  const rest = Math.floor(properties / 9);
  return new LzmaModel(lc, rest % 5, Math.floor(rest / 5));
}

function decodeChunk(
  range: RangeDecoder,
  model: LzmaModel,
  { window, size }: { readonly window: Window; readonly size: number },
): void {
  const end = window.size + size;
  const { bytes } = window;
  while (window.size < end) {
    const position = window.size & model.positionMask;
    if (range.bit(model.isMatch, model.state * 4 + position) === 0) {
      const byte = literal(range, model, window);
      bytes[window.size++] = byte;
      model.afterLiteral();
      continue;
    }
    const length = matched(range, model, position);
    const distance = model.repeats[0] + 1;
    if (distance > window.size || window.size + length > end) throw new LzmaProblem('damaged');
    for (let left = length; left > 0; left--, window.size++)
      bytes[window.size] = bytes[window.size - distance] ?? 0;
  }
}

function literal(range: RangeDecoder, model: LzmaModel, window: Window): number {
  const { bytes, size } = window;
  const start = model.literalAt(size, size === 0 ? 0 : (bytes[size - 1] ?? 0));
  const table = model.literal;
  let symbol = 1;
  if (model.state >= 7) {
    let matchByte = bytes[size - model.repeats[0] - 1] ?? 0;
    do {
      const matchBit = (matchByte >> 7) & 1;
      matchByte <<= 1;
      const bit = range.bit(table, start + ((1 + matchBit) << 8) + symbol);
      symbol = (symbol << 1) | bit;
      if (matchBit !== bit) break;
    } while (symbol < 0x100);
  }
  while (symbol < 0x100) symbol = (symbol << 1) | range.bit(table, start + symbol);
  return symbol & 0xff;
}

/** Reads a match or a repeat; the distance is then the first of the repeats. Returns its length. */
function matched(range: RangeDecoder, model: LzmaModel, position: number): number {
  const { state, repeats } = model;
  if (range.bit(model.isRepeat, state) === 0) {
    model.after(7);
    const length = lengthFrom(range, model.matchLength, position);
    model.repeats = [distanceFrom(range, model, length), repeats[0], repeats[1], repeats[2]];
    return length;
  }
  if (range.bit(model.isRepeat0, state) === 0) {
    if (range.bit(model.isLong, state * 4 + position) === 0) {
      model.after(9);
      return 1;
    }
  } else if (range.bit(model.isRepeat1, state) === 0)
    model.repeats = [repeats[1], repeats[0], repeats[2], repeats[3]];
  else if (range.bit(model.isRepeat2, state) === 0)
    model.repeats = [repeats[2], repeats[0], repeats[1], repeats[3]];
  else model.repeats = [repeats[3], repeats[0], repeats[1], repeats[2]];
  model.after(8);
  return lengthFrom(range, model.repeatLength, position);
}

function lengthFrom(range: RangeDecoder, model: LengthModel, position: number): number {
  if (range.bit(model.choice, 0) === 0) return 2 + range.tree(model.low[position] ?? model.high, 3);
  if (range.bit(model.choice, 1) === 0) return 10 + range.tree(model.middle[position] ?? model.high, 3);
  return 18 + range.tree(model.high, 8);
}

function distanceFrom(range: RangeDecoder, model: LzmaModel, length: number): number {
  const slot = range.tree(model.slots[lengthState(length)] ?? model.align, 6);
  if (slot < 4) return slot;
  const bits = (slot >> 1) - 1;
  const base = (2 | (slot & 1)) * 2 ** bits;
  if (slot < 14) return base + range.reverse(model.special, base - slot, bits);
  return base + range.direct(bits - 4) * 16 + range.reverse(model.align, 0, 4);
}
