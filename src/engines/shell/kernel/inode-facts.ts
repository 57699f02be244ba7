/**
 * What `stat` shows of an inode that is not stored as such: size, blocks, the type bits of the mode.
 */
import { toBytes } from './byte-text.js';
import type { FileKind, Inode } from './inode.js';
import { BLOCK_BYTES, wholeBlocks } from './mount.js';

const TYPE_BITS: Readonly<Record<FileKind, number>> = {
  fifo: 0o010000,
  char: 0o020000,
  directory: 0o040000,
  block: 0o060000,
  file: 0o100000,
  symlink: 0o120000,
  socket: 0o140000,
};

/** `st_size`: bytes of a file or of a link's target; folders take one block. */
export function sizeOf(inode: Inode): number {
  if (inode.computed !== undefined) return 0;
  if (inode.kind === 'file') return inode.content?.size ?? 0;
  if (inode.kind === 'symlink') return toBytes(inode.target ?? '').length;
  return inode.kind === 'directory' ? BLOCK_BYTES : 0;
}

/** `st_blocks`: units of 512 bytes on the disk. */
export function blocksOf(inode: Inode): number {
  if (inode.computed !== undefined) return 0;
  if (inode.kind === 'file') return wholeBlocks(inode.content?.allocatedBytes ?? 0) / 512;
  return inode.kind === 'directory' ? BLOCK_BYTES / 512 : 0;
}

/** `st_mode`: type and permission bits. */
export function modeOf(inode: Inode): number {
  return TYPE_BITS[inode.kind] | inode.mode;
}
