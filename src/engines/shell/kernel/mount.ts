/**
 * Mounts: which parts of the tree are read only, how large they are and how full.
 *
 * A mount is a folder whose inodes carry another device number. Not covered: mounts that hide what was there before.
 */

/** One mounted file system. */
export interface Mount {
  /** Its number, as `stat` shows it; inodes carry it. */
  readonly dev: number;
  /** Where it is mounted, for example `/` or `/mnt/data`. */
  readonly path: string;
  /** What is mounted, for example `/dev/sda1` or `tmpfs`. */
  readonly source: string;
  /** `ext4`, `tmpfs`, `proc`, … */
  readonly type: string;
  readonly options: string;
  readonly isReadOnly: boolean;
  /** How much fits; for `proc` and the like 0, which is no limit. */
  readonly sizeBytes: number;
  /** What is taken, files of the start state included. */
  readonly usedBytes: number;
  /** How many inodes fit, and are taken. */
  readonly sizeInodes: number;
  readonly usedInodes: number;
}

/** Size of a block of every file system here. */
export const BLOCK_BYTES = 4096;

/** A size rounded up to whole blocks. */
export function wholeBlocks(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES;
}
