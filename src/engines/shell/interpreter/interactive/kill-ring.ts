/**
 * What was cut out of lines, for `^Y` and `M-y`: the last pieces, newest last.
 *
 * Pieces that are cut one after the other become one piece. Source: readline's manual, "Killing Commands".
 */

/** Pieces that are kept, as readline does. */
const KEPT = 10;

/** The pieces; a shell keeps them from line to line. */
export class KillRing {
  private readonly pieces: string[] = [];
  private at = 0;

  /** The piece that `^Y` puts in; empty where there is none. */
  get current(): string {
    return this.pieces[this.at] ?? '';
  }

  /** Adds what was cut; `joins` says on which side of the last piece it belongs, if it belongs to that. */
  add(text: string, joins: 'before' | 'after' | null): void {
    const last = this.pieces.length - 1;
    if (joins !== null && last >= 0) {
      const piece = this.pieces[last] as string;
      this.pieces[last] = joins === 'before' ? text + piece : piece + text;
    } else {
      this.pieces.push(text);
      if (this.pieces.length > KEPT) this.pieces.shift();
    }
    this.at = this.pieces.length - 1;
  }

  /** Goes to the piece before the current one, after the oldest to the newest again. */
  turn(): string {
    if (this.pieces.length > 0) this.at = (this.at + this.pieces.length - 1) % this.pieces.length;
    return this.current;
  }
}
