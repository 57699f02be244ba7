/**
 * MinHash: signatures of texts whose agreement estimates how many shingles two texts share.
 *
 * The idea (Broder 1997): of all shingles (runs of five words), each of 128 hash functions keeps the smallest value; two
 * texts agree in a position with the probability of their Jaccard similarity. Functions are `a·h + b` over 32 bits with
 * constants from a fixed stream, so signatures of different runs and machines compare. Bands of rows find candidates
 * without comparing all pairs. The standard error at 128 positions is at most 0.045.
 */
import { randomStream } from '../core/index.js';
import { scanWords } from './scan-words.js';

/** Words of one shingle. */
const SHINGLE_WORDS = 5;
/** Positions of a signature. */
export const SIGNATURE_LENGTH = 128;

const stream = randomStream('minhash-1', 'text');
const factors = Int32Array.from(
  { length: SIGNATURE_LENGTH },
  () => (stream.integer(0, 0xffffffff) | 1) >>> 0,
);
const shifts = Int32Array.from({ length: SIGNATURE_LENGTH }, () => stream.integer(0, 0xffffffff) >>> 0);

/** Hashes (32 bits, signed) of the shingles of several texts, each once; a text of fewer words is one shingle. */
export function shingleHashes(texts: Iterable<string>): ReadonlySet<number> {
  const all = new Set<number>();
  for (const text of texts) {
    const recent: number[] = [];
    let words = 0;
    scanWords(text.toLowerCase(), (_start, _end, hash) => {
      words += 1;
      recent.push(hash);
      if (recent.length > SHINGLE_WORDS) recent.shift();
      if (recent.length === SHINGLE_WORDS) all.add(joined(recent));
    });
    if (words > 0 && words < SHINGLE_WORDS) all.add(joined(recent));
  }
  return all;
}

function joined(hashes: readonly number[]): number {
  let hash = 0x811c9dc5 | 0;
  for (const word of hashes) {
    hash = Math.imul(hash ^ (word & 0xffff), 0x01000193);
    hash = Math.imul(hash ^ (word >>> 16), 0x01000193);
  }
  return hash ^ (hash >>> 13);
}

/** The signature of a set of shingles; null for none, since nothing is similar to nothing. */
export function signatureOf(shingles: ReadonlySet<number>): Uint32Array | null {
  if (shingles.size === 0) return null;
  const signature = new Uint32Array(SIGNATURE_LENGTH).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let i = 0; i < SIGNATURE_LENGTH; i++) {
      const mixed = Math.imul(shingle, factors[i] ?? 1) + (shifts[i] ?? 0);
      const value = (mixed ^ (mixed >>> 15)) >>> 0;
      if (value < (signature[i] ?? 0)) signature[i] = value;
    }
  }
  return signature;
}

/** The estimated Jaccard similarity of two signatures, fraction 0–1. */
export function signatureSimilarity(a: Uint32Array, b: Uint32Array): number {
  let equal = 0;
  for (let i = 0; i < SIGNATURE_LENGTH; i++) if (a[i] === b[i]) equal += 1;
  return equal / SIGNATURE_LENGTH;
}

/** The exact Jaccard similarity of two sets of shingles, fraction 0–1; null for two empty ones. */
export function shingleSimilarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number | null {
  if (a.size + b.size === 0) return null;
  let shared = 0;
  for (const shingle of a) if (b.has(shingle)) shared += 1;
  return shared / (a.size + b.size - shared);
}

/**
 * Keys of a signature's bands: two texts that share a key are candidates. With 32 bands of four rows a pair of
 * similarity 0.8 is a candidate with probability above 0.9999, one of 0.3 with 0.23.
 */
export function bandKeys(signature: Uint32Array): readonly string[] {
  const keys: string[] = [];
  for (let band = 0; band < SIGNATURE_LENGTH / 4; band++) {
    keys.push(`${band}:${signature.subarray(band * 4, band * 4 + 4).join('.')}`);
  }
  return keys;
}
