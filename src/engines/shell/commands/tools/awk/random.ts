/**
 * The C library's `random()`, which mawk's rand() is built on: the same seed gives the same numbers.
 *
 * Source: the additive feedback generator of degree 31 (x^31 + x^3 + 1) as the GNU C library documents it.
 */

const DEGREE = 31;
const SEPARATION = 3;

/** A generator with a seed. */
export class CRandom {
  private readonly state = new Int32Array(DEGREE);
  private front = SEPARATION;
  private rear = 0;

  constructor(seed: number) {
    let word = seed >>> 0 === 0 ? 1 : seed | 0;
    this.state[0] = word;
    for (let i = 1; i < DEGREE; i++) {
      const high = Math.trunc(word / 127_773);
      const low = word % 127_773;
      word = 16_807 * low - 2_836 * high;
      if (word < 0) word += 2_147_483_647;
      this.state[i] = word;
    }
    for (let i = 0; i < DEGREE * 10; i++) this.next();
  }

  /** The next number from 0 to 2^31 − 1. */
  next(): number {
    const sum = ((this.state[this.front] ?? 0) + (this.state[this.rear] ?? 0)) | 0;
    this.state[this.front] = sum;
    this.front = (this.front + 1) % DEGREE;
    this.rear = (this.rear + 1) % DEGREE;
    return sum >>> 1;
  }
}
