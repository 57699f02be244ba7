/**
 * How packers put what they made in the place of a file: with its mode and times, and the old one goes.
 */
import type { Process, Running } from '../../../kernel/index.js';

/** Writes `target` with the mode and times of `name`, which is removed unless it is kept. */
export function* replaceFile(
  proc: Process,
  {
    name,
    target,
    bytes,
    keep,
  }: { readonly name: string; readonly target: string; readonly bytes: Uint8Array; readonly keep: boolean },
): Running<void> {
  const inode = proc.stat(name);
  if (proc.exists(target)) proc.unlink(target);
  const fd = yield* proc.open(target, { write: true, create: true, truncate: true, mode: 0o600 });
  yield* proc.write(fd, bytes);
  proc.close(fd);
  proc.chmod(target, inode.mode & 0o777);
  proc.utimes(target, { atimeUs: inode.atimeUs, mtimeUs: inode.mtimeUs });
  if (!keep) proc.unlink(name);
}
