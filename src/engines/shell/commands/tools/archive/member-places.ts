/**
 * Where members of an archive go: what is there already, and the folders on the way.
 */
import type { Process } from '../../../kernel/index.js';

/** Something stands at this path, also a link that leads nowhere. */
export function isThere(proc: Process, path: string): boolean {
  try {
    proc.lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** Makes the folders above a path that are missing. */
export function makeFolders(proc: Process, path: string): void {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at);
    if (!proc.exists(folder)) proc.mkdir(folder, 0o777);
  }
}
