/**
 * Words of a text as numbers, out of its UTF-8 bytes: what `word-counts.ts` puts into its table.
 *
 * The idea: bytes in a typed array are read faster than the units of a string. In text of ASCII the places where words
 * begin and end are found first, without a branch that depends on the text, which is what costs most; then a word is
 * hashed four bytes at a time with bit 0x20 set in each. That makes letters lower case, leaves digits alone and sends the
 * underscore to a byte that no word has, so no lower-case copy is needed. The words are exactly those of `scan-words.ts`.
 * Not covered: the words themselves, which nobody needs for counting.
 */
import { classOfPoint, PICTURE, PLANE_CLASSES, UNSPACED, WORD } from './character-class.js';

/** Takes one word as two hashes of 32 bits (signed). */
export type WordTaker = (hash: number, second: number) => void;

/** Bytes of several-byte sequences. */
const LONG = 7;
const BYTE_CLASSES = new Uint8Array(256).fill(LONG);
BYTE_CLASSES.set(PLANE_CLASSES.subarray(0, 128));
/** One for bytes of words, else zero. */
const IS_WORD = BYTE_CLASSES.map((kind) => (kind === WORD ? 1 : 0));

const SEED = 0x811c9dc5 | 0;
/** Words with longer sequences start elsewhere, so that none has the hashes of an ASCII word. */
const LONG_SEED = 0x2545f491 | 0;
const PRIME = 0x9e3779b1 | 0;
const SECOND_PRIME = 0x85ebca6b | 0;
/** Set in every byte of a block: makes letters of ASCII lower case and keeps different words different. */
export const LOWER_CASE = 0x20202020;

/** Words of up to so many bytes are two blocks that are cut to size by a table. */
export const MASKED_BYTES = 8;
/** Which bytes of the first block belong to a word of so many bytes; the last entry is for longer words. */
export const FIRST_MASKS = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1);
/** As {@link FIRST_MASKS}, for the second block. */
export const SECOND_MASKS = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1);

/** Bytes that have to follow a text in its array, since blocks are read whole. */
const SLACK_BYTES = 8;

/** The hash of a word of at most eight bytes: its first block with its length, and its second. */
export function firstHash(one: number, two: number): number {
  const half = Math.imul(SEED ^ one, PRIME);
  const hash = Math.imul(half ^ (half >>> 15) ^ two, PRIME);
  return hash ^ (hash >>> 15);
}

/** The other hash of a word of at most eight bytes. */
export function secondHash(one: number, two: number): number {
  return (Math.imul(one, SECOND_PRIME) + two) | 0;
}

/** Bytes of a text laid out, and the words in them. */
export class ByteWords {
  /** Room for a text of `sizeBytes`. */
  readonly bytes: Uint8Array;
  /** Where words of an ASCII text begin and end, in turn. */
  readonly edges: Int32Array;
  readonly view: DataView;

  constructor(readonly sizeBytes: number) {
    this.bytes = new Uint8Array(sizeBytes + SLACK_BYTES);
    this.edges = new Int32Array(sizeBytes + 2);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Finds the edges of the words of an ASCII text of `size` bytes; gives how many words there are. */
  findEdges(size: number): number {
    const { bytes, edges } = this;
    let count = 0;
    let before = 0;
    for (let at = 0; at < size; at++) {
      const now = IS_WORD[bytes[at] as number] as number;
      // Written over until the kind of byte changes.
      edges[count] = at;
      count += now ^ before;
      before = now;
    }
    edges[count] = size;
    return (count + before) >> 1;
  }

  /** The hash of a longer word out of that of its first eight bytes. */
  longHash(start: number, at: number, size: number): number {
    let hash = start;
    for (let done = MASKED_BYTES; done < size; done += 4) {
      hash = Math.imul(hash ^ this.block(at + done, size - done), PRIME);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** The other hash of a longer word out of that of its first eight bytes. */
  longSecondHash(start: number, at: number, size: number): number {
    let hash = start;
    for (let done = MASKED_BYTES; done < size; done += 4) {
      const block = this.block(at + done, size - done);
      hash = (Math.imul(hash ^ (hash >>> 13), SECOND_PRIME) + block) | 0;
    }
    return hash;
  }

  /** Up to four bytes of a word, in lower case. */
  private block(at: number, left: number): number {
    const mask = left < 4 ? (FIRST_MASKS[left] as number) : -1;
    return (this.view.getInt32(at, true) | LOWER_CASE) & mask;
  }

  /** Gives the words of `size` bytes of any text in lower case, each time they come. */
  scan(size: number, take: WordTaker): void {
    const { bytes } = this;
    for (let at = 0; at < size; ) {
      const kind = BYTE_CLASSES[bytes[at] as number];
      if (kind !== WORD) {
        at = kind === LONG ? this.scanLong(at, size, take) : at + 1;
        continue;
      }
      let end = at + 1;
      while (end < size && BYTE_CLASSES[bytes[end] as number] === WORD) end += 1;
      if (end < size && (bytes[end] as number) >= 0x80 && classOfPoint(this.point(end)) === WORD) {
        at = this.scanWord(at, size, take);
        continue;
      }
      this.giveAscii(at, end - at, take);
      at = end;
    }
  }

  private giveAscii(at: number, size: number, take: WordTaker): void {
    const short = Math.min(size, MASKED_BYTES);
    const one = (this.view.getInt32(at, true) | LOWER_CASE) & (FIRST_MASKS[short] as number);
    const two = (this.view.getInt32(at + 4, true) | LOWER_CASE) & (SECOND_MASKS[short] as number);
    const hash = this.longHash(firstHash(one ^ size, two), at, size);
    take(hash, this.longSecondHash(secondHash(one, two), at, size));
  }

  /** What begins with a sequence of several bytes; gives where to go on. */
  private scanLong(at: number, to: number, take: WordTaker): number {
    const kind = classOfPoint(this.point(at));
    if (kind === WORD) return this.scanWord(at, to, take);
    if (kind === UNSPACED) return this.scanPairs(at, to, take);
    const next = at + this.size(at);
    if (kind === PICTURE) this.give(at, next, take);
    return next;
  }

  /** A run of word characters, some of several bytes. */
  private scanWord(start: number, to: number, take: WordTaker): number {
    let at = start;
    while (at < to && classOfPoint(this.point(at)) === WORD) at += this.size(at);
    this.give(start, at, take);
    return at;
  }

  /** The pairs of a run of a script without spaces; a lone character is a word by itself. */
  private scanPairs(start: number, to: number, take: WordTaker): number {
    let before = -1;
    let at = start;
    let pairs = 0;
    while (at < to && classOfPoint(this.point(at)) === UNSPACED) {
      const next = at + this.size(at);
      if (before >= 0) {
        this.give(before, next, take);
        pairs += 1;
      }
      before = at;
      at = next;
    }
    if (pairs === 0) this.give(start, at, take);
    return at;
  }

  private give(start: number, end: number, take: WordTaker): void {
    let hash = LONG_SEED;
    let second = LONG_SEED;
    for (let at = start; at < end; at++) {
      const byte = this.bytes[at] as number;
      hash = Math.imul(hash ^ byte, 0x01000193);
      second = Math.imul(second ^ byte, 0x5bd1e995) ^ (second >>> 15);
    }
    take(hash, second);
  }

  private size(at: number): number {
    const byte = this.bytes[at] as number;
    if (byte < 0x80) return 1;
    if (byte < 0xe0) return 2;
    return byte < 0xf0 ? 3 : 4;
  }

  private point(at: number): number {
    const { bytes } = this;
    const byte = bytes[at] as number;
    if (byte < 0x80) return byte;
    const second = (bytes[at + 1] as number) & 0x3f;
    if (byte < 0xe0) return ((byte & 0x1f) << 6) | second;
    const third = (bytes[at + 2] as number) & 0x3f;
    if (byte < 0xf0) return ((byte & 0x0f) << 12) | (second << 6) | third;
    return ((byte & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] as number) & 0x3f);
  }
}
