/**
 * How many words two texts have, and how many they share, counted exactly without a set of strings.
 *
 * The idea: words of both texts go into one open-addressed table of (hash, place in its text); equal hashes are
 * compared character by character. The table is kept between calls, so a pair of turns costs no allocation. Words are
 * those of `scan-words.ts`, in lower case (`toLowerCase`, no locale), each counted once.
 */
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

const FIRST = 1;
const SECOND = 2;
/** A table larger than this is given back after use. */
const KEPT_SLOTS = 1 << 16;

class WordTable {
  private slots = new Int32Array(1 << 10);
  private hashes = new Int32Array(1 << 9);
  private begins = new Int32Array(1 << 9);
  private lengths = new Int32Array(1 << 9);
  /** Which texts have the word: the bits FIRST and SECOND. */
  private owners = new Uint8Array(1 << 9);
  private used = 0;
  private texts: readonly [string, string] = ['', ''];
  private reading = FIRST;
  private counts = { first: 0, second: 0, shared: 0 };
  private readonly visit = (start: number, end: number, hash: number): void => this.add(start, end, hash);

  count(first: string, second: string): WordCounts {
    this.texts = [first.toLowerCase(), second.toLowerCase()];
    this.counts = { first: 0, second: 0, shared: 0 };
    this.reading = FIRST;
    scanWords(this.texts[0], this.visit);
    this.reading = SECOND;
    scanWords(this.texts[1], this.visit);
    const { counts } = this;
    this.clear();
    return counts;
  }

  private clear(): void {
    this.texts = ['', ''];
    if (this.slots.length > KEPT_SLOTS) this.resize(1 << 10);
    else this.slots.fill(0);
    this.used = 0;
  }

  private add(start: number, end: number, hash: number): void {
    const { slots, reading, counts } = this;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const entry = (slots[slot] ?? 0) - 1;
      if (entry < 0) break;
      if (this.hashes[entry] === hash && this.isWord(entry, start, end)) {
        const owner = this.owners[entry] ?? 0;
        if (reading === SECOND && (owner & SECOND) === 0) {
          this.owners[entry] = owner | SECOND;
          counts.second += 1;
          counts.shared += 1;
        }
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.enter(slot, start, end, hash);
    if (reading === FIRST) counts.first += 1;
    else counts.second += 1;
  }

  private isWord(entry: number, start: number, end: number): boolean {
    const length = this.lengths[entry] ?? 0;
    if (length !== end - start) return false;
    const own = this.texts[this.reading - 1] ?? '';
    const other = ((this.owners[entry] ?? 0) & FIRST) !== 0 ? this.texts[0] : this.texts[1];
    const begin = this.begins[entry] ?? 0;
    for (let i = 0; i < length; i++) {
      if (own.charCodeAt(start + i) !== other.charCodeAt(begin + i)) return false;
    }
    return true;
  }

  private enter(slot: number, start: number, end: number, hash: number): void {
    const entry = this.used++;
    this.slots[slot] = entry + 1;
    this.hashes[entry] = hash;
    this.begins[entry] = start;
    this.lengths[entry] = end - start;
    this.owners[entry] = this.reading;
    if (this.used * 2 >= this.slots.length) this.grow();
  }

  private grow(): void {
    const { hashes, begins, lengths, owners, used } = this;
    this.resize(this.slots.length * 2);
    this.hashes.set(hashes.subarray(0, used));
    this.begins.set(begins.subarray(0, used));
    this.lengths.set(lengths.subarray(0, used));
    this.owners.set(owners.subarray(0, used));
    const mask = this.slots.length - 1;
    for (let entry = 0; entry < used; entry++) {
      const hash = hashes[entry] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while ((this.slots[slot] ?? 0) !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = entry + 1;
    }
  }

  private resize(slots: number): void {
    this.slots = new Int32Array(slots);
    this.hashes = new Int32Array(slots / 2);
    this.begins = new Int32Array(slots / 2);
    this.lengths = new Int32Array(slots / 2);
    this.owners = new Uint8Array(slots / 2);
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
