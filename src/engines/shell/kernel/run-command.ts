/**
 * Running another command from inside a command: PATH lookup, fork, exec, wait, with the usual 126 and 127.
 *
 * Source: POSIX `execvp`; statuses as env, xargs, timeout and nice use them.
 */
import { SystemError } from './errors.js';
import { mayAccess } from './path-walk.js';
import type { ExitStatus, Process } from './process.js';
import type { Running } from './wait.js';

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The path that `execvp` would run: the name itself when it has a slash. Raises `ENOENT` or `EACCES`. */
export function findInPath(proc: Process, name: string, path = proc.env.get('PATH') ?? DEFAULT_PATH): string {
  if (name.includes('/')) return name;
  let denied = false;
  for (const folder of path.split(':')) {
    const candidate = folder === '' ? `./${name}` : `${folder}/${name}`;
    try {
      const inode = proc.stat(candidate);
      if (inode.kind === 'file' && mayAccess(inode, proc.actor, 1)) return candidate;
      denied = true;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code === 'EACCES') denied = true;
    }
  }
  throw new SystemError(denied ? 'EACCES' : 'ENOENT', name);
}

/**
 * Runs a command in a child and waits for its end. `prepare` runs in the child first (redirections). A text without
 * `#!` is run by `/bin/sh`. Raises what the lookup raises; then nothing was started.
 */
export function* runCommand(
  proc: Process,
  argv: readonly string[],
  prepare?: (child: Process) => Running<void>,
): Running<ExitStatus> {
  const path = findInPath(proc, argv[0] ?? '');
  const child = proc.fork(function* (forked) {
    if (prepare !== undefined) yield* prepare(forked);
    return yield* execOrScript(forked, path, argv);
  });
  const event = yield* proc.wait({ pid: child.pid });
  return event?.status ?? { code: 127 };
}

/** `execvp` of a found path: what has no known format is given to `/bin/sh`. */
export function* execOrScript(proc: Process, path: string, argv: readonly string[]): Running<never> {
  try {
    return yield* proc.exec(path, argv);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'ENOEXEC') throw error;
    return yield* proc.exec('/bin/sh', ['/bin/sh', path, ...argv.slice(1)]);
  }
}
