/**
 * The probabilities and states of LZMA, shared by packing and unpacking.
 *
 * Source: the LZMA specification. Always lc = 3, lp = 0, pb = 2, as xz writes.
 */

/** Bits of a probability. */
export const PROBABILITY_BITS = 11;
/** A probability of one half. */
const HALF = 1 << (PROBABILITY_BITS - 1);
/** How fast probabilities follow. */
export const MOVE_BITS = 5;
/** The shortest match. */
export const MATCH_LEAST = 2;
/** The longest match. */
export const MATCH_MOST = 273;

const POSITIONS = 4;
const STATES = 12;

/** A table of probabilities of one half. */
function halves(size: number): Uint16Array {
  return new Uint16Array(size).fill(HALF);
}

/** The coder of lengths. */
export interface LengthModel {
  /** choice, choice 2 */
  readonly choice: Uint16Array;
  readonly low: readonly Uint16Array[];
  readonly middle: readonly Uint16Array[];
  readonly high: Uint16Array;
}

function lengthModel(): LengthModel {
  const tables = (): Uint16Array[] => Array.from({ length: POSITIONS }, () => halves(8));
  return { choice: halves(2), low: tables(), middle: tables(), high: halves(256) };
}

/** Everything that is learned while coding. */
export class LzmaModel {
  readonly literal: Uint16Array;
  readonly isMatch = halves(STATES * POSITIONS);
  readonly isRepeat = halves(STATES);
  readonly isRepeat0 = halves(STATES);
  readonly isRepeat1 = halves(STATES);
  readonly isRepeat2 = halves(STATES);
  readonly isLong = halves(STATES * POSITIONS);
  readonly slots = Array.from({ length: 4 }, () => halves(64));
  readonly special = halves(128);
  readonly align = halves(16);
  readonly matchLength = lengthModel();
  readonly repeatLength = lengthModel();
  state = 0;
  /** The last four distances, less one. */
  repeats: [number, number, number, number] = [0, 0, 0, 0];
  readonly positionMask: number;

  constructor(
    readonly lc = 3,
    readonly lp = 0,
    pb = 2,
  ) {
    this.positionMask = (1 << pb) - 1;
    this.literal = halves(0x300 << (lc + lp));
  }

  /** Where the probabilities of a literal begin. */
  literalAt(position: number, before: number): number {
    const low = position & ((1 << this.lp) - 1);
    return 0x300 * ((low << this.lc) + (before >> (8 - this.lc)));
  }

  /** The state behind a literal. */
  afterLiteral(): void {
    const { state } = this;
    this.state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }

  /** The state behind a match (7), a repeat (8) or a short repeat (9). */
  after(kind: 7 | 8 | 9): void {
    this.state = this.state < 7 ? kind : kind === 7 ? 10 : 11;
  }
}

/** The slot of a distance less one. */
export function slotOf(distance: number): number {
  if (distance < 4) return distance;
  const bits = 31 - Math.clz32(distance);
  return bits * 2 + ((distance >>> (bits - 1)) & 1);
}

/** Which table of slots a length uses. */
export function lengthState(length: number): number {
  return Math.min(length - MATCH_LEAST, 3);
}
