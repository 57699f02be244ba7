/**
 * Absolute paths without links and dots, where parts may be missing; paths relative to a folder.
 *
 * Source: realpath(1), readlink(1): the modes `-e`, default and `-m`.
 */
import { type Process, SystemError } from '../../kernel/index.js';
import { joinPath } from './path-words.js';

/** Which parts must exist. */
export type Existing = 'all' | 'all-but-last' | 'none';

/** Resolves a path. Raises the `SystemError` of the part that fails. `logical` takes `..` away before links are followed. */
export function resolvePath(
  proc: Process,
  path: string,
  rule: { existing: Existing; followLinks?: boolean; logical?: boolean },
): string {
  if (path === '') throw new SystemError('ENOENT', path);
  const follows = rule.followLinks !== false;
  let done = path.startsWith('/') ? '/' : proc.getcwd();
  const todo = (rule.logical === true ? foldDots(path) : path)
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  if (rule.existing !== 'none' && path.endsWith('/') && todo.length > 0) todo.push('.');
  let links = 0;
  while (todo.length > 0) {
    const name = todo.shift() as string;
    if (name === '..') {
      done = done.replace(/\/[^/]*$/, '') || '/';
      continue;
    }
    if (name === '.') {
      let kind: string | undefined;
      try {
        kind = proc.stat(done).kind;
      } catch (error) {
        if (!(error instanceof SystemError) || rule.existing === 'all') throw error;
      }
      if (kind !== undefined && kind !== 'directory') throw new SystemError('ENOTDIR', path);
      continue;
    }
    const next = joinPath(done, name);
    const isLast = todo.length === 0 || (todo.length === 1 && todo[0] === '.');
    try {
      const inode = proc.lstat(next);
      if (inode.kind === 'symlink' && follows) {
        links += 1;
        if (links > 40) {
          if (rule.existing === 'none') {
            done = next;
            continue;
          }
          throw new SystemError('ELOOP', path);
        }
        const target = proc.readlink(next);
        if (target.startsWith('/')) done = '/';
        todo.unshift(...target.split('/').filter((part) => part !== '' && part !== '.'));
        continue;
      }
      if (!isLast && inode.kind !== 'directory' && rule.existing !== 'none')
        throw new SystemError('ENOTDIR', path);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const isAllowed =
        rule.existing === 'none' || (rule.existing === 'all-but-last' && isLast && error.code === 'ENOENT');
      if (!isAllowed) throw error;
    }
    done = next;
  }
  return done;
}

/** Takes `.` and `..` away without looking at the files. */
function foldDots(path: string): string {
  const kept: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && kept.length > 0 && kept[kept.length - 1] !== '..') kept.pop();
    else if (name !== '' && name !== '.') kept.push(name);
  }
  return (path.startsWith('/') ? '/' : '') + kept.join('/');
}

/** Resolves as far as possible; null where even that fails. */
export function resolveLoosely(proc: Process, path: string): string | null {
  try {
    return resolvePath(proc, path, { existing: 'none' });
  } catch (error) {
    if (error instanceof SystemError) return null;
    throw error;
  }
}

/** The way from a folder to a path, both absolute. */
export function relativePath(path: string, folder: string): string {
  const to = path.split('/').filter((name) => name !== '');
  const from = folder.split('/').filter((name) => name !== '');
  let shared = 0;
  while (shared < to.length && shared < from.length && to[shared] === from[shared]) shared += 1;
  const parts = [...from.slice(shared).map(() => '..'), ...to.slice(shared)];
  return parts.length === 0 ? '.' : parts.join('/');
}
