/**
 * How many words two texts have, and how many they share, counted without making a string for any word.
 *
 * The idea: words of both texts go into one open-addressed table by two hashes of 32 bits and their length; a pair of
 * different words is taken for one with a probability of 2^-64, about once in a hundred thousand data sets of ten million
 * trajectories. The table is kept between calls and emptied by counting a generation up, so a turn costs no allocation.
 * Words are those of `scan-words.ts`, in lower case (`toLowerCase`, no locale), each counted once.
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
const SMALLEST = 1 << 12;
/** A table larger than this is given back after use. */
const KEPT_SLOTS = 1 << 17;

class WordTable {
  private hashes = new Int32Array(SMALLEST);
  private seconds = new Int32Array(SMALLEST);
  private generations = new Int32Array(SMALLEST);
  /** Which texts have the word: the bits FIRST and SECOND. */
  private owners = new Uint8Array(SMALLEST);
  private generation = 0;
  private used = 0;
  private reading = FIRST;
  private first = 0;
  private second = 0;
  private shared = 0;
  private readonly visit = (_start: number, _end: number, hash: number, second: number): void =>
    this.add(hash, second);

  count(first: string, second: string): WordCounts {
    this.clear();
    this.reading = FIRST;
    scanWords(first.toLowerCase(), this.visit);
    this.reading = SECOND;
    scanWords(second.toLowerCase(), this.visit);
    return { first: this.first, second: this.second, shared: this.shared };
  }

  private clear(): void {
    if (this.hashes.length > KEPT_SLOTS || this.generation === 0x7fffffff) this.resize(SMALLEST);
    this.generation += 1;
    this.used = 0;
    this.first = 0;
    this.second = 0;
    this.shared = 0;
  }

  private add(hash: number, second: number): void {
    const { hashes, seconds, generations, generation } = this;
    const mask = hashes.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (generations[slot] === generation) {
      if (hashes[slot] === hash && seconds[slot] === second) {
        if (this.reading === SECOND) this.meet(slot);
        return;
      }
      slot = (slot + 1) & mask;
    }
    generations[slot] = generation;
    hashes[slot] = hash;
    seconds[slot] = second;
    this.owners[slot] = this.reading;
    if (this.reading === FIRST) this.first += 1;
    else this.second += 1;
    this.used += 1;
    if (this.used * 2 >= hashes.length) this.grow();
  }

  /** A word of the second text that the table has already. */
  private meet(slot: number): void {
    const owner = this.owners[slot] ?? 0;
    if ((owner & SECOND) !== 0) return;
    this.owners[slot] = owner | SECOND;
    this.second += 1;
    this.shared += 1;
  }

  private grow(): void {
    const { hashes, seconds, generations, owners, generation } = this;
    this.resize(hashes.length * 2);
    this.generation = 1;
    const mask = this.hashes.length - 1;
    for (let old = 0; old < hashes.length; old++) {
      if (generations[old] !== generation) continue;
      const hash = hashes[old] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.generations[slot] === 1) slot = (slot + 1) & mask;
      this.generations[slot] = 1;
      this.hashes[slot] = hash;
      this.seconds[slot] = seconds[old] ?? 0;
      this.owners[slot] = owners[old] ?? 0;
    }
  }

  private resize(slots: number): void {
    this.hashes = new Int32Array(slots);
    this.seconds = new Int32Array(slots);
    this.generations = new Int32Array(slots);
    this.owners = new Uint8Array(slots);
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
