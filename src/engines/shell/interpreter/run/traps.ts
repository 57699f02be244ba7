/**
 * Traps: commands that run on signals, on exit, on errors, before commands and on return.
 *
 * A signal only marks its trap; it runs between commands, as in bash. Source: bash manual, `trap`.
 */
import { type Running, SIG, SIGNALS } from '../../kernel/index.js';
import type { Shell } from '../shell.js';
import { runText } from './read-loop.js';

/** Makes the process react to a signal as the traps of the shell say. */
export function installTrap(shell: Shell, name: string): void {
  const signal = SIGNALS[name];
  if (signal === undefined || signal === SIG.KILL || signal === SIG.STOP) return;
  const action = shell.traps.get(name);
  if (action === undefined) shell.process.onSignal(signal, defaultFor(shell, signal));
  else if (action === '') shell.process.onSignal(signal, 'ignore');
  else
    shell.process.onSignal(signal, () => {
      shell.pendingTraps.push(name);
      return shell.interruptible ? 'interrupt' : 'restart';
    });
}

/** What an interactive shell does with signals that nobody trapped. */
function defaultFor(shell: Shell, signal: number): 'default' | 'ignore' | (() => 'restart' | 'interrupt') {
  if (!shell.isInteractive || shell.subshellLevel > 0) return 'default';
  if (signal === SIG.INT)
    return () => {
      shell.wasInterrupted = true;
      return 'interrupt';
    };
  if (signal === SIG.TERM || signal === SIG.QUIT) return 'ignore';
  if (signal === SIG.TSTP || signal === SIG.TTIN || signal === SIG.TTOU) return 'ignore';
  return 'default';
}

/** Sets the reactions of a new interactive shell. */
export function installInteractiveSignals(shell: Shell): void {
  for (const name of ['INT', 'TERM', 'QUIT', 'TSTP', 'TTIN', 'TTOU']) installTrap(shell, name);
}

/** In a subshell: traps go back to their defaults, ignored signals stay ignored. */
export function resetTraps(sub: Shell, isAsynchronous: boolean): void {
  for (const [name, action] of [...sub.traps]) {
    if (action === '') continue;
    const kept =
      (name === 'DEBUG' || name === 'RETURN') && sub.is('functrace')
        ? true
        : name === 'ERR' && sub.is('errtrace');
    if (kept) continue;
    sub.traps.delete(name);
    const signal = SIGNALS[name];
    if (signal !== undefined) sub.process.onSignal(signal, 'default');
  }
  if (sub.isInteractive && sub.subshellLevel === 1) {
    for (const signal of [SIG.INT, SIG.TERM, SIG.QUIT, SIG.TSTP, SIG.TTIN, SIG.TTOU])
      if (sub.process.dispositions.get(signal) !== undefined && sub.traps.get(nameOf(signal)) !== '')
        sub.process.onSignal(signal, 'default');
    sub.isInteractive = false;
  }
  if (isAsynchronous) {
    sub.process.onSignal(SIG.INT, 'ignore');
    sub.process.onSignal(SIG.QUIT, 'ignore');
  }
}

const NAMES = new Map(Object.entries(SIGNALS).map(([name, number]) => [number, name]));

function nameOf(signal: number): string {
  return NAMES.get(signal) ?? '';
}

/** Runs the traps of signals that arrived. */
export function* runPendingTraps(shell: Shell): Running<void> {
  while (shell.pendingTraps.length > 0) {
    const name = shell.pendingTraps.shift() as string;
    const action = shell.traps.get(name);
    if (action !== undefined && action !== '') yield* runTrap(shell, name, action);
  }
}

/** Runs one trap; `$?` is as before afterwards. Returns the status of its last command. */
export function* runTrap(shell: Shell, name: string, action: string): Running<number> {
  if (shell.runningTraps.has(name)) return shell.lastStatus;
  const { lastStatus, pipeStatus, line, lineOffset, ignoresErrors } = shell;
  shell.runningTraps.add(name);
  try {
    const status = yield* runText(shell, action, {
      name: `${name.toLowerCase()} trap`,
      lineOffset: name === 'EXIT' ? 0 : Math.max(0, line - 1),
    });
    if (shell.jump === undefined) {
      shell.lastStatus = lastStatus;
      shell.pipeStatus = pipeStatus;
    }
    return status;
  } finally {
    shell.runningTraps.delete(name);
    shell.line = line;
    shell.lineOffset = lineOffset;
    shell.ignoresErrors = ignoresErrors;
  }
}
