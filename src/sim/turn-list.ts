/**
 * The turns of an episode as a list that is cheap to extend and free to share.
 *
 * The idea: all forks share one growing array and each knows how many of its entries are its own. The fork that
 * appends first extends the shared array; any other copies once and goes its own way. Entries are never changed.
 */
import type { Turn } from '../core/index.js';

/** An append-only list of turns; `append` gives a new list and leaves the old one as it was. */
export class TurnList {
  /** The list without turns. */
  static readonly empty = new TurnList([], 0);

  private readonly shared: Turn[];
  /** How many turns there are. */
  readonly length: number;

  private constructor(shared: Turn[], length: number) {
    this.shared = shared;
    this.length = length;
  }

  /** A list of the given turns. */
  static of(turns: readonly Turn[]): TurnList {
    return new TurnList([...turns], turns.length);
  }

  /** This list with one more turn. Amortised O(1) along one line of life, O(n) where two forks part. */
  append(turn: Turn): TurnList {
    const own = this.shared.length === this.length && this.length > 0;
    const array = own ? this.shared : this.shared.slice(0, this.length);
    array.push(turn);
    return new TurnList(array, this.length + 1);
  }

  /** The turns, oldest first, as an array of its own. */
  toArray(): readonly Turn[] {
    return this.shared.slice(0, this.length);
  }

  /** The last turns, at most so many, oldest first. */
  last(count: number): readonly Turn[] {
    return this.shared.slice(Math.max(0, this.length - count), this.length);
  }
}
