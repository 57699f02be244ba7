/**
 * What is known of a machine that somebody else's history shows in part.
 *
 * Folders are known at three levels: `all` (every name), `visible` (every name that does not begin with a dot), `none`.
 * Whatever was made by commands that were carried out here is known. Inode numbers name files; each machine has its own.
 */

/** How much of a folder's names is known. */
export type FolderLevel = 'all' | 'visible' | 'none';

/** The facts, to be changed in place; copied with the files they are about. */
export class Known {
  private readonly levels: Map<number, FolderLevel>;
  /** Files that are there and whose text nobody has seen. */
  private readonly vague: Set<number>;
  /** Files of the base image whose text was seen. */
  private readonly seen: Set<number>;
  /** `INO/NAME` of what is known to be missing. */
  private readonly missing: Set<string>;
  /** Folders from this number on are known as a whole, where nothing else is said. */
  private wholeFrom: number;
  /** Program → whether it is installed. */
  readonly programs: Map<string, boolean>;

  constructor(
    /** Inodes from this number on were made here. */
    readonly ownFrom: number,
    from?: Known,
  ) {
    this.levels = new Map(from?.levels);
    this.vague = new Set(from?.vague);
    this.seen = new Set(from?.seen);
    this.missing = new Set(from?.missing);
    this.programs = new Map(from?.programs);
    this.wholeFrom = from?.wholeFrom ?? ownFrom;
  }

  copy(): Known {
    return new Known(this.ownFrom, this);
  }

  levelOf(ino: number): FolderLevel {
    return this.levels.get(ino) ?? (ino >= this.wholeFrom ? 'all' : 'none');
  }

  setLevel(ino: number, level: FolderLevel): void {
    this.levels.set(ino, level);
  }

  knowsText(ino: number): boolean {
    return this.vague.has(ino) ? false : ino >= this.ownFrom || this.seen.has(ino);
  }

  setText(ino: number, isKnown: boolean): void {
    if (isKnown) this.vague.delete(ino);
    else this.vague.add(ino);
    if (isKnown) this.seen.add(ino);
  }

  isMissing(folder: number, name: string): boolean {
    return this.missing.has(`${folder}/${name}`);
  }

  setMissing(folder: number, name: string): void {
    this.missing.add(`${folder}/${name}`);
  }

  /** Something ran whose effects nobody saw: no folder with a number below `nextIno` is known as a whole any more. */
  loosen(nextIno: number): void {
    this.levels.clear();
    this.missing.clear();
    this.wholeFrom = nextIno;
  }
}
