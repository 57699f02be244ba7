/**
 * Compiled rules and templates that a process keeps, by their source: worlds made from one seed share nearly all of
 * theirs, and compiling them again is most of what reading their rules takes.
 *
 * What is compiled has no state, so it does not matter who uses it. Bounded by the sizes of all together; what was not
 * used for longest goes first. Only time and memory depend on this, never an answer. Not covered: sources that do
 * not compile, which are compiled again for their message.
 */

/** Sizes of the programs that are kept, all together; a unit takes some hundred bytes. */
const KEPT_SIZE = 256 * 1024;

/** A kind of compiled programs, by names in sight and source. */
export class KeptPrograms<T> {
  private readonly kept = new Map<string, { readonly program: T; readonly size: number }>();
  private size = 0;

  constructor(private readonly most: number = KEPT_SIZE) {}

  /** The program of a source with the names in sight, if it is kept. */
  get(source: string, names: readonly string[] | undefined): T | undefined {
    const key = keyOf(source, names);
    const known = this.kept.get(key);
    if (known === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, known);
    return known.program;
  }

  /** Keeps a program, and lets others go where there are too many. `more` is its size beyond its source's characters. */
  put(
    source: string,
    names: readonly string[] | undefined,
    { program, more }: { readonly program: T; readonly more: number },
  ): void {
    const key = keyOf(source, names);
    const size = key.length + more;
    if (size > this.most || this.kept.has(key)) return;
    this.size += size;
    this.kept.set(key, { program, size });
    for (const [oldest, one] of this.kept) {
      if (this.size <= this.most) break;
      this.kept.delete(oldest);
      this.size -= one.size;
    }
  }
}

function keyOf(source: string, names: readonly string[] | undefined): string {
  return `${names === undefined ? '*' : names.join(' ')}\n${source}`;
}
