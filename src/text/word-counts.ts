/**
 * How many words two texts have, and how many they share, counted without making a string for any word.
 *
 * The idea: both texts are laid out as bytes once, and their words go into one open-addressed table by two hashes of 32
 * bits; a pair of different words is taken for one with a probability of about 2^-64. The table is kept between calls
 * and emptied by counting a generation up, so a turn costs no allocation; a short text uses a small part of it. Words are
 * those of `scan-words.ts`, in lower case (`toLowerCase`, no locale), each counted once.
 */
import {
  ByteWords,
  FIRST_MASKS,
  firstHash,
  LOWER_CASE,
  MASKED_BYTES,
  SECOND_MASKS,
  secondHash,
} from './byte-words.js';
import { scanWords } from './scan-words.js';

/** Distinct words of two texts. */
export interface WordCounts {
  /** Distinct words of the first text. */
  readonly first: number;
  /** Distinct words of the second text. */
  readonly second: number;
  /** Distinct words that both have. */
  readonly shared: number;
}

/** A slot has a generation with the text that brought the word, two hashes, and the text that had it too. */
const STRIDE = 4;
const SMALLEST_SLOTS = 1 << 9;
/** A larger table, or a longer text, is given back after use. */
const KEPT_SLOTS = 1 << 17;
const KEPT_BYTES = 1 << 20;
const SMALLEST_BYTES = 1 << 16;
/** Words that are added without looking at the room for them. */
const BATCH_WORDS = 1 << 12;
const LAST_GENERATION = 0x7ffffffe;

class WordTable {
  private slots = new Int32Array(SMALLEST_SLOTS * STRIDE);
  private mask = SMALLEST_SLOTS - 1;
  /** Of the words of the first text; those of the second have one more. */
  private generation = 0;
  private used = 0;
  private reading = 0;
  private first = 0;
  private second = 0;
  private shared = 0;
  private words = new ByteWords(SMALLEST_BYTES);
  private readonly encoder = new TextEncoder();
  private readonly take = (hash: number, second: number): void => this.add(hash, second);

  count(first: string, second: string): WordCounts {
    this.clear(first.length + second.length);
    this.reading = this.generation;
    this.read(first);
    this.reading = this.generation + 1;
    this.read(second);
    return { first: this.first, second: this.second, shared: this.shared };
  }

  private read(text: string): void {
    const size = this.layOut(text);
    // As many bytes as units is ASCII, whose case does not matter; other text is laid out again in lower case.
    if (size === text.length) this.readAscii(size);
    else this.words.scan(this.layOut(text.toLowerCase()), this.take);
    if (this.words.sizeBytes > KEPT_BYTES) this.words = new ByteWords(SMALLEST_BYTES);
  }

  private readAscii(size: number): void {
    const count = this.words.findEdges(size);
    for (let from = 0; from < count; from += BATCH_WORDS) {
      const to = Math.min(count, from + BATCH_WORDS);
      this.makeRoom(to - from);
      this.addAscii(from, to);
    }
  }

  /** Adds words by their edges; one loop without calls and with room for all, since most of a mask's time goes here. */
  private addAscii(from: number, to: number): void {
    const { words, generation, reading, slots, mask } = this;
    const { edges, view } = words;
    let fresh = 0;
    let met = 0;
    for (let i = from; i < to; i++) {
      const at = edges[i * 2] as number;
      const length = (edges[i * 2 + 1] as number) - at;
      const short = Math.min(length, MASKED_BYTES);
      const one = (view.getInt32(at, true) | LOWER_CASE) & (FIRST_MASKS[short] as number);
      const two = (view.getInt32(at + 4, true) | LOWER_CASE) & (SECOND_MASKS[short] as number);
      let hash = firstHash(one ^ length, two);
      let second = secondHash(one, two);
      if (length > MASKED_BYTES) {
        hash = words.longHash(hash, at, length);
        second = words.longSecondHash(second, at, length);
      }
      let slot = (hash & mask) * STRIDE;
      let owner = slots[slot] as number;
      while (owner >= generation && (slots[slot + 1] !== hash || slots[slot + 2] !== second)) {
        slot = (slot + STRIDE) & (mask * STRIDE);
        owner = slots[slot] as number;
      }
      if (owner < generation) {
        slots[slot] = reading;
        slots[slot + 1] = hash;
        slots[slot + 2] = second;
        slots[slot + 3] = 0;
        fresh += 1;
      } else if (owner !== reading && slots[slot + 3] !== reading) {
        slots[slot + 3] = reading;
        met += 1;
      }
    }
    this.tell(fresh, met);
  }

  /** Enters new words, and words of the first text that the second has too. */
  private tell(fresh: number, met: number): void {
    this.used += fresh;
    this.shared += met;
    if (this.reading === this.generation) this.first += fresh;
    else this.second += fresh + met;
  }

  /** Puts a text into the bytes; gives how many there are. */
  private layOut(text: string): number {
    if (this.words.sizeBytes < text.length) this.words = new ByteWords(text.length + (text.length >> 2));
    const done = this.encoder.encodeInto(text, this.words.bytes.subarray(0, this.words.sizeBytes));
    if (done.read === text.length) return done.written;
    this.words = new ByteWords(text.length * 3);
    return this.encoder.encodeInto(text, this.words.bytes).written;
  }

  private clear(units: number): void {
    const isLarge = this.slots.length > KEPT_SLOTS * STRIDE;
    if (isLarge || this.generation >= LAST_GENERATION) this.resize(SMALLEST_SLOTS);
    // Text has a word in four units or more; a table that is too small grows.
    const wanted = Math.min(this.slots.length / STRIDE, 1 << (32 - Math.clz32((units >> 1) | 127)));
    this.mask = Math.max(SMALLEST_SLOTS, wanted) - 1;
    this.generation += 2;
    this.used = 0;
    this.first = 0;
    this.second = 0;
    this.shared = 0;
  }

  /** Adds one word. */
  private add(hash: number, second: number): void {
    this.makeRoom(1);
    const { slots, mask, generation, reading } = this;
    let slot = (hash & mask) * STRIDE;
    let owner = slots[slot] as number;
    while (owner >= generation && (slots[slot + 1] !== hash || slots[slot + 2] !== second)) {
      slot = (slot + STRIDE) & (mask * STRIDE);
      owner = slots[slot] as number;
    }
    if (owner < generation) {
      slots[slot] = reading;
      slots[slot + 1] = hash;
      slots[slot + 2] = second;
      slots[slot + 3] = 0;
      this.tell(1, 0);
    } else if (owner !== reading && slots[slot + 3] !== reading) {
      slots[slot + 3] = reading;
      this.tell(0, 1);
    }
  }

  private makeRoom(words: number): void {
    while ((this.used + words) * 2 > this.mask + 1) this.grow();
  }

  private grow(): void {
    const { slots, mask: oldMask, generation } = this;
    const mask = oldMask * 2 + 1;
    const larger = new Int32Array(Math.max(slots.length, (mask + 1) * STRIDE));
    for (let old = 0; old <= oldMask; old++) {
      const from = old * STRIDE;
      if ((slots[from] as number) < generation) continue;
      let slot = ((slots[from + 1] as number) & mask) * STRIDE;
      while ((larger[slot] as number) >= generation) slot = (slot + STRIDE) & (mask * STRIDE);
      larger.set(slots.subarray(from, from + STRIDE), slot);
    }
    this.slots = larger;
    this.mask = mask;
  }

  private resize(slots: number): void {
    this.slots = new Int32Array(slots * STRIDE);
    this.generation = 0;
  }
}

const table = new WordTable();

/** The distinct words of two texts, and how many both have. Linear in their lengths. */
export function countWords(first: string, second: string): WordCounts {
  return table.count(first, second);
}

/** The distinct words of a text, in order of first appearance, in lower case. */
export function wordSet(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  const words = new Set<string>();
  scanWords(lower, (start, end) => words.add(lower.slice(start, end)));
  return words;
}
