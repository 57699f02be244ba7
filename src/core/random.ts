/**
 * Seeded random streams, one per concern.
 *
 * A stream is named by (seed, concern, key…): two concerns never share numbers, so adding a fault or a field does
 * not change the data of another. The generator is sfc32 (Chris Doty-Humphrey's PractRand family): 128 bits of
 * state, 32 bits a step; its state is four words, so a stream can be stored in a snapshot. Not for cryptography.
 */
import { hashWords } from './hash.js';

/** The state of a stream: four unsigned 32-bit words. */
export type RandomState = readonly [number, number, number, number];

/** A stream of seeded random numbers. */
export interface RandomStream {
  /** A number in [0, 1) with 32 bits of precision. */
  next(): number;
  /** An integer in [min, max], both included, without modulo bias worth naming (range below 2^32). */
  integer(min: number, max: number): number;
  /** One element of a non-empty list. */
  pick<T>(items: readonly T[]): T;
  /** True with the given probability (fraction 0–1). */
  chance(fraction: number): boolean;
  /** The state now; `restoreStream` goes on from it. */
  state(): RandomState;
}

/**
 * Opens the stream of one concern. The same seed, concern and keys always give the same numbers; the concern is a
 * short word such as `data`, `faults` or `latency`.
 */
export function randomStream(
  seed: number | string,
  concern: string,
  ...keys: readonly string[]
): RandomStream {
  return restoreStream(hashWords(JSON.stringify([String(seed), concern, ...keys])));
}

/** Continues a stream from a stored state. */
export function restoreStream(state: RandomState): RandomStream {
  let [a, b, c, d] = state;
  const word = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  const next = (): number => word() / 4294967296;
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new RangeError('cannot pick from an empty list');
      return items[integer(0, items.length - 1)] as T;
    },
    chance: (fraction) => next() < fraction,
    state: () => [a >>> 0, b >>> 0, c >>> 0, d >>> 0],
  };
}
