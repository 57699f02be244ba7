/**
 * Small files that are looked at all the time (`/etc/passwd`, `/etc/hostname`): read and taken apart once per content.
 *
 * What was made of a content is kept as long as the content is; a change shows in its time or size. Where somebody
 * listens to reads of files the file is really opened.
 */
import { toText } from './byte-text.js';
import type { Content } from './content.js';
import type { Inode } from './inode.js';
import type { Process } from './process.js';

interface Kept<T> {
  readonly mtimeUs: number;
  readonly size: number;
  readonly made: T;
}

/** Makes something of the text of a small file; the same again while the file is the same. */
export class SmallFileReader<T> {
  private readonly kept = new WeakMap<Content, Kept<T>>();

  constructor(
    private readonly path: string,
    private readonly make: (text: string) => T,
    /** Reads the file as any program does; undefined where it cannot be read. */
    private readonly readPlainly: (proc: Process, path: string) => string | undefined,
  ) {}

  /** What the file holds for this process; undefined where it cannot be read. */
  read(proc: Process): T | undefined {
    const inode = proc.kernel.consult === null ? this.readable(proc) : undefined;
    const content = inode?.content;
    if (inode === undefined || content === undefined) {
      const text = this.readPlainly(proc, this.path);
      return text === undefined ? undefined : this.make(text);
    }
    const known = this.kept.get(content);
    if (known !== undefined && known.mtimeUs === inode.mtimeUs && known.size === content.size)
      return known.made;
    const made = this.make(toText(content.read(0, content.size)));
    this.kept.set(content, { mtimeUs: inode.mtimeUs, size: content.size, made });
    return made;
  }

  private readable(proc: Process): Inode | undefined {
    const inode = proc.find(this.path);
    return inode?.kind === 'file' && inode.computed === undefined && proc.may(inode, 4) ? inode : undefined;
  }
}
