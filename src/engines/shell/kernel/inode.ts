/**
 * Inodes and the table that holds them: a persistent radix tree, so that sharing the whole file system is O(1).
 *
 * The idea (Bagwell's tries with Clojure's transient ownership): every node and inode carries the number of the owner
 * that may change it in place. {@link InodeTable.share} gives both sides new numbers, so the next write copies at most
 * one path of the tree and one inode. Nothing else is ever copied.
 */
import type { Content } from './content.js';
import type { OpenFile } from './open-file.js';

/** What kind of file an inode is. */
export type FileKind = 'file' | 'directory' | 'symlink' | 'fifo' | 'char' | 'block' | 'socket';

/** Contents that are computed when they are looked at, as in `/proc`. */
export interface Computed {
  /** For a directory: the names in it. */
  names?(): readonly string[];
  /** For a directory: one entry. */
  find?(name: string): Inode | undefined;
  /** For a file: its text now. Raises a `SystemError`. */
  text?(): string;
  /** For a symbolic link: where it leads. Raises a `SystemError`. */
  target?(): string;
  /** For a symbolic link that leads to an open file and not to a path: what it leads to. */
  follow?(): Inode;
  /** For what such a link leads to: the open file. */
  openFile?(): OpenFile;
}

/** One file, as `stat` sees it. Times are microseconds since 1970. */
export interface Inode {
  readonly ino: number;
  readonly kind: FileKind;
  /** Permission bits, the three special bits included (0–0o7777). */
  mode: number;
  uid: number;
  gid: number;
  nlink: number;
  atimeUs: number;
  mtimeUs: number;
  ctimeUs: number;
  btimeUs: number;
  /** Number of the mount it is on. */
  readonly dev: number;
  /** Of a regular file. */
  content?: Content;
  /** Of a directory: inode numbers by name, in order of creation, without `.` and `..`. */
  entries?: Map<string, number>;
  /** Of a directory: the inode number of `..`. */
  parent: number;
  /** Of a symbolic link. */
  target?: string;
  /** Of a device: major × 256 + minor. */
  rdev?: number;
  /** Of a computed file. */
  computed?: Computed;
  /** Which table may change it in place. */
  owner: number;
}

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;
/** Three levels below the root: 2^20 inodes. */
const LEVELS = 3;

interface Node {
  readonly owner: number;
  readonly slots: (Node | Inode | undefined)[];
}

let owners = 0;

function emptyNode(owner: number): Node {
  return { owner, slots: new Array<Node | Inode | undefined>(WIDTH).fill(undefined) };
}

function copyInode(inode: Inode, owner: number): Inode {
  const copy = { ...inode, owner };
  if (inode.content !== undefined) copy.content = inode.content.fork();
  if (inode.entries !== undefined) copy.entries = new Map(inode.entries);
  return copy;
}

/** How many inodes one file system can have over its life. */
export const MAX_INODES = 1 << (BITS * (LEVELS + 1));

/** The inodes of one file system. */
export class InodeTable {
  private owner = ++owners;

  private constructor(
    private root: Node,
    /** The next inode number that was never used. */
    public nextIno: number,
  ) {}

  /** A table without inodes; numbers start at 2, the root's. */
  static empty(): InodeTable {
    return new InodeTable(emptyNode(0), 2);
  }

  /** The inode of a number. It is not changed in place: see {@link writable}. */
  get(ino: number): Inode | undefined {
    let node = this.root;
    for (let level = LEVELS; level > 0; level--) {
      const next = node.slots[(ino >>> (level * BITS)) & MASK] as Node | undefined;
      if (next === undefined) return undefined;
      node = next;
    }
    return node.slots[ino & MASK] as Inode | undefined;
  }

  /** The inode of a number, to be changed in place; copied first when it is shared. */
  writable(ino: number): Inode | undefined {
    const inode = this.get(ino);
    if (inode === undefined || inode.owner === this.owner) return inode;
    const copy = copyInode(inode, this.owner);
    this.put(ino, copy);
    return copy;
  }

  /** Adds an inode under a new number. */
  add(make: (ino: number, owner: number) => Inode): Inode {
    const inode = make(this.nextIno++, this.owner);
    this.put(inode.ino, inode);
    return inode;
  }

  /** Puts an inode of a snapshot in its place. */
  place(inode: Omit<Inode, 'owner'>): void {
    this.put(inode.ino, { ...inode, owner: this.owner });
  }

  /** Takes an inode away. */
  remove(ino: number): void {
    this.put(ino, undefined);
  }

  /** A second table with the same inodes; both go on apart. O(1). */
  share(): InodeTable {
    this.owner = ++owners;
    return new InodeTable(this.root, this.nextIno);
  }

  /** Every inode, by number. */
  *all(): Generator<Inode> {
    const walk = function* (node: Node, level: number): Generator<Inode> {
      for (const slot of node.slots) {
        if (slot === undefined) continue;
        if (level === 0) yield slot as Inode;
        else yield* walk(slot as Node, level - 1);
      }
    };
    yield* walk(this.root, LEVELS);
  }

  private put(ino: number, inode: Inode | undefined): void {
    this.root = this.ownNode(this.root);
    let node = this.root;
    for (let level = LEVELS; level > 0; level--) {
      const slot = (ino >>> (level * BITS)) & MASK;
      const next = node.slots[slot] as Node | undefined;
      const own = next === undefined ? emptyNode(this.owner) : this.ownNode(next);
      node.slots[slot] = own;
      node = own;
    }
    node.slots[ino & MASK] = inode;
  }

  private ownNode(node: Node): Node {
    return node.owner === this.owner ? node : { owner: this.owner, slots: node.slots.slice() };
  }
}
