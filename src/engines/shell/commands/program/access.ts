/**
 * What the process may do to a file, asked without an error.
 */
import { type Inode, type Process, SystemError } from '../../kernel/index.js';

/** True where `access` allows the bits (4 read, 2 write, 1 execute). */
export function mayAccessPath(proc: Process, path: string, bits: number): boolean {
  try {
    proc.access(path, bits);
    return true;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** True where the file may be written; symbolic links always may. */
export function mayWrite(proc: Process, path: string, inode: Inode): boolean {
  return inode.kind === 'symlink' || mayAccessPath(proc, path, 2);
}
