/**
 * Character devices: null, zero, full, random and urandom.
 *
 * Numbers as in the kernel's devices.txt: major 1 memory, major 5 terminals.
 */
import type { RandomStream } from '../../../core/index.js';
import { SystemError } from './errors.js';
import type { Inode } from './inode.js';
import { OpenFile, type OpenMode } from './open-file.js';

/** Device numbers (major × 256 + minor) by name in `/dev`. */
export const DEVICES = {
  null: 0x103,
  zero: 0x105,
  full: 0x107,
  random: 0x108,
  urandom: 0x109,
  tty: 0x500,
  console: 0x501,
  ptmx: 0x502,
} as const;

/** The number of `/dev/pts/0`. */
export const FIRST_PTS = 0x8800;

/** An open memory device. */
export class OpenDevice extends OpenFile {
  constructor(
    private readonly inode: Inode,
    private readonly random: RandomStream,
    opened: { readonly mode: OpenMode; readonly path: string },
  ) {
    super(opened.mode, opened.path);
  }

  override stat(): Inode {
    return this.inode;
  }

  override readNow(max: number): Uint8Array {
    if (!this.mode.read) throw new SystemError('EBADF');
    const device = this.inode.rdev;
    if (device === DEVICES.null) return new Uint8Array(0);
    const bytes = new Uint8Array(Math.min(max, 1 << 20));
    if (device === DEVICES.random || device === DEVICES.urandom) {
      for (let index = 0; index < bytes.length; index++) bytes[index] = this.random.integer(0, 255);
    }
    return bytes;
  }

  override writeNow(bytes: Uint8Array): number {
    if (!this.mode.write) throw new SystemError('EBADF');
    if (this.inode.rdev === DEVICES.full) throw new SystemError('ENOSPC');
    return bytes.length;
  }

  override seek(): number {
    return 0;
  }
}
