/**
 * The files of a machine that is known in part: it notes what is asked of it that nobody can know.
 *
 * The idea: the machine of a foreign history is an ordinary one that holds what was seen; a command whose way led over a
 * name, a listing or a text that was never seen has an answer that is not determined, whatever came out of it here.
 */

import { FileSystem } from '../kernel/file-system.js';
import type { Actor, Clock, DirectoryEntry, NewInode } from '../kernel/file-types.js';
import type { Inode, InodeTable } from '../kernel/inode.js';
import type { Mount } from '../kernel/mount.js';
import type { Walked } from '../kernel/path-walk.js';
import { baseImage, ROOT_ACTOR } from '../machine/debian-image.js';
import { isEssential, tellsOfMachine } from './essential-programs.js';
import type { Known } from './known.js';

const BIN_FOLDERS = [
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/usr/games',
  '/usr/local/games',
];
/** Programs that read accounts to write names for numbers. */
const NAME_READERS = new Set([
  'ls',
  'stat',
  'id',
  'whoami',
  'groups',
  'chown',
  'chgrp',
  'tar',
  'bash',
  'find',
  'install',
]);

/** Something that decided a run and that nobody knows. */
export interface Doubt {
  /** In words, for example `whether /app/x.txt exists`. */
  readonly about: string;
  readonly key: string;
}

let bins: ReadonlySet<number> | undefined;

/** The numbers of the folders that programs are looked for in. */
function binFolders(): ReadonlySet<number> {
  const image = baseImage();
  bins ??= new Set(
    BIN_FOLDERS.flatMap((path) => {
      const { inode } = image.walk(ROOT_ACTOR, path, true);
      return inode === undefined ? [] : [inode.ino];
    }),
  );
  return bins;
}

/** The files, with what is known of them. */
export class PartlyKnownFiles extends FileSystem {
  /** Notes doubts only while a run is watched. */
  isWatched = false;
  /** The name of the program that asks now. */
  asker: () => string = () => '';
  readonly doubts: Doubt[] = [];

  constructor(
    table: InodeTable,
    mounts: readonly Mount[],
    clock: Clock,
    storedBytes: number,
    readonly known: Known,
  ) {
    super(table, mounts, clock, storedBytes);
  }

  override fork(clock: Clock): PartlyKnownFiles {
    return new PartlyKnownFiles(this.table.share(), this.mounts, clock, this.storedBytes, this.known.copy());
  }

  override find(directory: Inode, name: string): Inode | undefined {
    const inode = super.find(directory, name);
    if (this.isWatched) this.noteLook(directory, name, inode);
    return inode;
  }

  override list(actor: Actor, path: string): DirectoryEntry[] {
    const directory = this.resolve(actor, path);
    if (directory.kind === 'directory') this.noteListing(directory);
    return this.unwatched(() => super.list(actor, path));
  }

  override rmdir(actor: Actor, path: string): void {
    const { inode } = this.walk(actor, path, false);
    if (inode?.kind === 'directory') this.noteListing(inode);
    super.rmdir(actor, path);
  }

  override createIn(actor: Actor, walked: Walked, made: NewInode & { readonly path: string }): Inode {
    const key = keyOf(walked.directory.ino, walked.name);
    const last = this.doubts.at(-1);
    const wasUnknown = this.isWatched && last?.key === key;
    const inode = super.createIn(actor, walked, made);
    if (wasUnknown && made.kind === 'file') {
      // Opening for writing comes out the same whether there was a file before; what is in it then may not.
      this.doubts.pop();
      if (made.isWhole !== true) this.known.setText(inode.ino, false);
    }
    return inode;
  }

  override read(ino: number, offset: number, length: number): Uint8Array {
    if (this.isWatched && !this.known.knowsText(ino)) this.noteText(ino);
    return super.read(ino, offset, length);
  }

  override resize(ino: number, size: number): void {
    super.resize(ino, size);
    if (this.isWatched && size === 0) this.known.setText(ino, true);
  }

  /** What a run came upon that nobody knows, in order. */
  note(about: string, key: string = about): void {
    if (this.doubts.length < 100) this.doubts.push({ about, key });
  }

  private noteLook(directory: Inode, name: string, inode: Inode | undefined): void {
    const { known } = this;
    if (binFolders().has(directory.ino)) {
      this.noteProgram(name);
      return;
    }
    if (inode !== undefined) {
      const isRoot = directory.ino === this.root;
      if (inode.computed !== undefined && !isRoot && name !== 'fd' && name !== 'self')
        this.note(`what the system tells in ${name}`);
      return;
    }
    const level = known.levelOf(directory.ino);
    if (level === 'all' || (level === 'visible' && !name.startsWith('.'))) return;
    if (known.isMissing(directory.ino, name)) return;
    this.note(`whether ${this.nameOf(directory)}/${name} exists`, keyOf(directory.ino, name));
  }

  private noteProgram(name: string): void {
    if (tellsOfMachine(name)) this.note(`what ${name} tells of that machine`);
    if (isEssential(name)) return;
    const isThere = this.known.programs.get(name);
    if (isThere === undefined) this.note(`whether the program ${name} is installed`);
  }

  private noteListing(directory: Inode): void {
    if (this.isWatched && this.known.levelOf(directory.ino) === 'none')
      this.note(`what is in ${this.nameOf(directory)}`);
  }

  private noteText(ino: number): void {
    const inode = this.table.get(ino);
    if (inode === undefined || inode.kind !== 'file') return;
    const path = this.unwatched(() => this.nameOf(this.get(inode.parent)));
    const isAccounts = path === '/etc';
    if (isAccounts && NAME_READERS.has(this.asker())) return;
    this.note(`the text of a file in ${path}`);
  }

  private nameOf(directory: Inode): string {
    try {
      const path = this.unwatched(() => this.pathOf(directory.ino));
      return path === '/' ? '' : path;
    } catch {
      return '?';
    }
  }

  private unwatched<T>(look: () => T): T {
    const was = this.isWatched;
    this.isWatched = false;
    try {
      return look();
    } finally {
      this.isWatched = was;
    }
  }
}

function keyOf(folder: number, name: string): string {
  return `look ${folder}/${name}`;
}
