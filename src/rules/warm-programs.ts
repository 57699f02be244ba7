/**
 * How much memory compiled regular expressions may keep, all together.
 *
 * re2js builds an automaton while it matches and keeps it, up to 8 MB for each pattern, with no way to let it go but
 * to drop the compiled program. A hostile world could keep hundreds. So programs that have read some text are
 * counted, and the oldest are dropped when their estimate passes {@link WARM_BYTES}; they compile again when used.
 * A program is counted only after {@link COUNTED_UNITS} units, so that what a rule paid for reading also covers
 * compiling again. Only time and memory depend on this, never an answer.
 */

/** Bytes, estimated, that automata may keep in one process. */
const WARM_BYTES = 64 * 1024 * 1024;
/** Text that a program reads before it is counted, in UTF-16 units. */
const COUNTED_UNITS = 256;
/** What the library allows one automaton. */
const MOST_BYTES = 8 * 1024 * 1024;

const warm = new Map<WarmProgram<unknown>, number>();
let warmBytes = 0;

/** A program that is compiled when used and may be dropped in between. */
export class WarmProgram<T> {
  private program: T | undefined;
  private units = 0;

  constructor(
    private readonly compile: () => T,
    private readonly size: number,
    first: T,
  ) {
    this.program = first;
  }

  /** Runs work that reads a text of that many units. */
  use<R>(units: number, work: (program: T) => R): R {
    this.program ??= this.compile();
    const result = work(this.program);
    this.units += units;
    if (this.units >= COUNTED_UNITS) keep(this, Math.min(MOST_BYTES, this.units * (128 + 8 * this.size)));
    return result;
  }

  /** Lets the compiled program go. */
  drop(): void {
    this.program = undefined;
    this.units = 0;
  }

  /** True while it is compiled; for tests. */
  get isCompiled(): boolean {
    return this.program !== undefined;
  }
}

function keep(program: WarmProgram<unknown>, bytes: number): void {
  warmBytes += bytes - (warm.get(program) ?? 0);
  warm.set(program, bytes);
  for (const [oldest, kept] of warm) {
    if (warmBytes <= WARM_BYTES) break;
    warm.delete(oldest);
    warmBytes -= kept;
    oldest.drop();
  }
}
