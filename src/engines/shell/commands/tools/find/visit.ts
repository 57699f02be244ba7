/**
 * What the expression of find works on: one file that the walk has come to, and the run as a whole.
 */
import type { Inode, Io, Process, Running } from '../../../kernel/index.js';
import type { Accounts } from '../../program/accounts.js';

/** One file. */
export interface Visit {
  readonly path: string;
  /** The starting point it lies under. */
  readonly start: string;
  readonly depth: number;
  /** The file as `-P`, `-H` or `-L` sees it. */
  readonly inode: Inode;
  /** Set by -prune: the folder is not entered. */
  pruned: boolean;
}

/** The run. */
export interface FindRun {
  readonly proc: Process;
  readonly io: Io;
  readonly accounts: Accounts;
  /** Follow symbolic links. */
  follow: boolean;
  depthFirst: boolean;
  minDepth: number;
  maxDepth: number;
  oneFileSystem: boolean;
  status: number;
  quit: boolean;
  /** What the end of the run must still do: commands of `-exec … +`. */
  readonly atEnd: (() => Running<void>)[];
}

/** Whether an expression is true of a file; running it has effects. */
export type Test = (visit: Visit) => Running<boolean>;

/** The last name of a path, as -name sees it. */
export function baseName(path: string): string {
  const bare = path.replace(/\/+$/, '');
  return bare === '' ? (path === '' ? '' : '/') : bare.slice(bare.lastIndexOf('/') + 1);
}
