/**
 * Files that a program writes or removes, by the machine's own rules: its user's permissions, read-only mounts, full disks.
 *
 * Everything is tried out first, so that a claim that cannot be true leaves no half of itself behind; only a disk that runs
 * full is found out while writing. Missing folders are made, as programs that write into new folders do.
 */
import type { JsonObject } from '../../../../core/index.js';
import { type Process, type Running, SystemError, strerror } from '../../kernel/index.js';

/** Writes and removes; gives what the machine did not allow, as `PATH: reason`, or null. */
export function* writeEffects(proc: Process, files: JsonObject): Running<string | null> {
  let path = '';
  try {
    for (const [name, text] of Object.entries(files)) {
      path = name;
      if (text === null) proc.access(folderOf(name), 2);
      else mayWrite(proc, name);
    }
    for (const [name, text] of Object.entries(files)) {
      path = name;
      if (text === null) remove(proc, name);
      else if (typeof text === 'string') yield* write(proc, name, text);
    }
    return null;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return `${path}: ${strerror(error.code)}`;
  }
}

function folderOf(path: string): string {
  const at = path.replace(/\/+$/, '').lastIndexOf('/');
  if (at < 0) return '.';
  return at === 0 ? '/' : path.slice(0, at);
}

/** Raises what writing to the path would raise. */
function mayWrite(proc: Process, path: string): void {
  if (proc.exists(path)) {
    if (proc.stat(path).kind === 'directory') throw new SystemError('EISDIR', path);
    proc.access(path, 2);
    return;
  }
  let folder = folderOf(path);
  while (!proc.exists(folder) && folder !== '/' && folder !== '.') folder = folderOf(folder);
  if (proc.stat(folder).kind !== 'directory') throw new SystemError('ENOTDIR', path);
  proc.access(folder, 3);
}

function* write(proc: Process, path: string, text: string): Running<void> {
  makeFolders(proc, folderOf(path));
  const fd = yield* proc.open(path, { write: true, create: true, truncate: true });
  try {
    yield* proc.write(fd, text);
  } finally {
    proc.close(fd);
  }
}

function makeFolders(proc: Process, folder: string): void {
  if (folder === '/' || folder === '.' || proc.exists(folder)) return;
  makeFolders(proc, folderOf(folder));
  proc.mkdir(folder);
}

/** What is not there need not be removed. */
function remove(proc: Process, path: string): void {
  if (proc.exists(path)) proc.unlink(path);
}
