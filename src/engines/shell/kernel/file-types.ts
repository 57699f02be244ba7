/**
 * The values that go into the file system's operations and come out of them.
 */
import type { Content } from './content.js';
import type { FileKind } from './inode.js';
import type { Credentials } from './path-walk.js';

/** Who asks, and from where. */
export interface Actor extends Credentials {
  /** The inode number of the current folder. */
  readonly cwdIno: number;
  readonly umask: number;
}

/** The moment, in microseconds since 1970; operations stamp files with it. */
export interface Clock {
  readonly nowUs: number;
}

/** One entry of a folder. */
export interface DirectoryEntry {
  readonly name: string;
  readonly ino: number;
  readonly kind: FileKind;
}

/** What a new inode starts with; the rest follows from the actor and the folder. */
export interface NewInode {
  readonly kind: FileKind;
  /** Permission bits before the umask. */
  readonly mode: number;
  readonly target?: string;
  readonly rdev?: number;
  readonly content?: Content;
  /** Whoever makes it decides its whole content, whatever was there. Only what knows a machine partly asks. */
  readonly isWhole?: boolean;
  /** The mount that begins here. */
  readonly dev?: number;
}
