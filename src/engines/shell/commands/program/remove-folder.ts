/**
 * `rmdir` as Linux does it for a link with a slash behind it: that is no folder.
 */
import { type Process, SystemError } from '../../kernel/index.js';

/** True for `link/` where the link itself is meant. */
export function isLinkWithSlash(proc: Process, path: string): boolean {
  if (!path.endsWith('/')) return false;
  try {
    return proc.lstat(path.replace(/\/+$/, '')).kind === 'symlink';
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** Removes an empty folder. Raises `ENOTDIR` for a link with a slash. */
export function removeFolder(proc: Process, path: string): void {
  if (isLinkWithSlash(proc, path)) throw new SystemError('ENOTDIR', path);
  proc.rmdir(path);
}
