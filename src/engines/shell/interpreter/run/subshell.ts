/**
 * Subshells: a copy of the shell in a process of its own.
 */
import type { Process, Running } from '../../kernel/index.js';
import { SystemError } from '../../kernel/index.js';
import { ShellFailure } from '../failures.js';
import { JobTable } from '../jobs/job-table.js';
import { Shell } from '../shell.js';
import { installSpecials } from '../special-variables.js';
import { endShell } from './ending.js';
import { flushOutput } from './output.js';
import { trampoline } from './trampoline.js';
import { resetTraps } from './traps.js';

/** A copy of a shell for another process. */
function copyShell(shell: Shell, process: Process): Shell {
  // Not the constructor: everything that it would make is replaced.
  const copy: Shell = Object.create(Shell.prototype);
  Object.assign(copy, shell, {
    process,
    isOfInteractive: shell.isInteractive || shell.isOfInteractive,
    variables: shell.variables.copy(),
    functions: shell.functions.copy(),
    aliases: shell.aliases.copy(),
    options: shell.options.copy(),
    shopts: shell.shopts.copy(),
    traps: shell.traps.copy(),
    inheritedTraps: shell.traps.copy(),
    pendingTraps: [],
    runningTraps: new Set(),
    frames: [...shell.frames],
    directoryStack: [...shell.directoryStack],
    hashTable: shell.hashTable.copy(),
    disabledBuiltins: shell.disabledBuiltins.copy(),
    completions: shell.completions.copy(),
    ulimits: shell.ulimits.copy(),
    coprocs: shell.coprocs.copy(),
    jobs: new JobTable(),
    outputs: undefined,
    pending: [],
    substitutionFds: [],
    level: { native: 0 },
    onlyCommand: undefined,
    subshellLevel: shell.subshellLevel + 1,
    jump: undefined,
  });
  if (shell.jobs.jobs.length > 0) copy.jobs.parent = shell.jobs;
  installSpecials(copy);
  return copy;
}

/** How a subshell is started. */
export interface ForkOptions {
  /** `$(…)`: `set -e` is not inherited. */
  readonly isSubstitution?: boolean;
  /** The process group: 0 for one of its own. */
  readonly pgid?: number | undefined;
  /** Started by `&`. */
  readonly isAsynchronous?: boolean;
}

/** Seconds between tries when there are too many processes, as bash waits. */
const RETRY_SECONDS = [1, 2, 4, 8];

/**
 * Starts a process; waits and tries again a few times where there are too many. @throws ShellFailure
 */
export function* forkPatiently(shell: Shell, start: () => Process): Running<Process> {
  for (const seconds of RETRY_SECONDS) {
    try {
      return start();
    } catch (error) {
      if (!(error instanceof SystemError) || error.code !== 'EAGAIN') throw error;
      shell.error(`fork: retry: ${error.text}`);
      yield* flushOutput(shell);
      yield* shell.process.sleep(seconds * 1e6);
    }
  }
  try {
    return start();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new ShellFailure(`fork: ${error.text}`, 'exit', 254);
  }
}

/** Starts a subshell. Its body gets the copy; the copy is made now, before the parent goes on. */
export function* forkShell(
  shell: Shell,
  options: ForkOptions,
  body: (sub: Shell) => Running<number>,
): Running<Process> {
  let copy: Shell | undefined;
  const child = yield* forkPatiently(shell, () =>
    shell.process.fork(
      function* (own) {
        const sub = copy ?? copyShell(shell, own);
        sub.process = own;
        return yield* trampoline(subshellBody(sub, body));
      },
      options.pgid === undefined ? {} : { pgid: options.pgid },
    ),
  );
  copy = copyShell(shell, child);
  // bash: with the option off, `$(…)` goes on after errors.
  if (options.isSubstitution === true && !shell.shopt('inherit_errexit') && !shell.is('posix'))
    copy.options.delete('errexit');
  if (options.isSubstitution === true || options.isAsynchronous === true || shell.subshellLevel > 0)
    copy.options.delete('monitor');
  resetTraps(copy, options.isAsynchronous === true && !shell.is('monitor'));
  return child;
}

function* subshellBody(sub: Shell, body: (sub: Shell) => Running<number>): Running<number> {
  sub.loopDepth = 0;
  const status = yield* body(sub);
  return yield* endShell(sub, status);
}
