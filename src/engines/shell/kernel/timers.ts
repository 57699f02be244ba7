/**
 * A list of moments, ordered; equal moments keep the order in which they were set.
 *
 * A plain sorted array: machines here have few timers, and reading the first is what happens most.
 */

/** Timers that belong to owners; an owner has at most one. */
export class TimerList<T> {
  private entries: { readonly atUs: number; readonly owner: T }[] = [];

  /** Sets a timer. */
  add(atUs: number, owner: T): void {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.atUs ?? 0) <= atUs) low = middle + 1;
      else high = middle;
    }
    this.entries.splice(low, 0, { atUs, owner });
  }

  /** Takes an owner's timer away. */
  remove(owner: T): void {
    if (this.entries.length === 0) return;
    const at = this.entries.findIndex((entry) => entry.owner === owner);
    if (at >= 0) this.entries.splice(at, 1);
  }

  /** Moves every moment. */
  shift(us: number): void {
    this.entries = this.entries.map(({ atUs, owner }) => ({ atUs: atUs + us, owner }));
  }

  /** The first moment, if there is one. */
  firstUs(): number | undefined {
    return this.entries[0]?.atUs;
  }

  /** Takes out the owners whose moment has come. */
  take(nowUs: number): T[] {
    let count = 0;
    while (count < this.entries.length && (this.entries[count]?.atUs ?? 0) <= nowUs) count += 1;
    return this.entries.splice(0, count).map((entry) => entry.owner);
  }
}
