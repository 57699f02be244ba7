/**
 * Running commands: one function for any command, and what follows every one of them (`$?`, ERR, `set -e`, traps).
 *
 * The idea: generators that return statuses; `break`, `return`, `exit` and errors set `shell.jump`, which everybody who
 * runs commands in a row looks at. Expansion errors are caught here and told once.
 */
import type { Running } from '../../kernel/index.js';
import type { AndOrCommand, Command, ListCommand } from '../../syntax/ast.js';
import { ShellSyntaxError } from '../../syntax/syntax-error.js';
import { NeedOutput, ShellFailure } from '../failures.js';
import { afterCommand } from '../jobs/waiting.js';
import { BraceLimitError } from '../patterns/braces.js';
import type { Shell } from '../shell.js';
import { runCase, runConditionalCommand, runIf } from './conditions.js';
import { runCoproc } from './coproc.js';
import { foreground } from './foreground.js';
import { defineFunction } from './functions.js';
import { runArithmetic, runArithmeticFor, runFor, runSelect, runWhile } from './loops.js';
import { flushOutput } from './output.js';
import { runBackground, runPipeline } from './pipeline.js';
import { applyRedirects, prepareRedirects, RedirectError, SavedDescriptors } from './redirects.js';
import { runSimple } from './simple.js';
import { forkShell } from './subshell.js';
import { nest } from './trampoline.js';
import { runPendingTraps, runTrap } from './traps.js';

/** Runs commands in a row; the status of the last one. */
export function* runList(shell: Shell, commands: readonly Command[]): Running<number> {
  let status = 0;
  for (const command of commands) {
    status = yield* run(shell, command);
    if (shell.jump !== undefined) break;
  }
  return status;
}

/** Runs any command and does what follows it. */
export function* run(shell: Shell, command: Command): Running<number> {
  if (shell.is('noexec') && !shell.isInteractive) return 0;
  if (command.kind === 'simple') {
    const status = yield* runGuarded(shell, command, runSimple(shell, command));
    return yield* settle(shell, status, true);
  }
  if (command.kind === 'list') return yield* runItems(shell, command);
  if (command.kind === 'and-or') return yield* runAndOr(shell, command);
  const status = yield* runGuarded(shell, command, nest(shell.level, runCompound(shell, command)));
  const counts =
    command.kind === 'subshell' ||
    command.kind === 'arithmetic' ||
    command.kind === 'conditional' ||
    (command.kind === 'pipeline' && !command.negated && command.commands.length > 1);
  return yield* settle(shell, status, counts);
}

/** Tells errors of expansion and turns them into a status. */
function* runGuarded(shell: Shell, command: Command, running: Running<number>): Running<number> {
  try {
    return yield* running;
  } catch (error) {
    const failure = asFailure(error);
    if (failure === undefined) throw error;
    if (shell.lineOffset + command.line > 0 && command.kind !== 'function')
      shell.line = Math.max(shell.line, 0);
    if (failure.message !== '') shell.error(failure.message);
    yield* flushOutput(shell);
    const ends = failure.effect === 'exit' || (shell.isPosixSh && failure.effect === 'discard');
    if (ends && !shell.isInteractive) {
      shell.lastStatus = shell.isPosixSh ? 2 : failure.status;
      shell.jump = { kind: 'exit' };
    } else if (failure.effect !== 'command') shell.jump ??= { kind: 'discard' };
    if (shell.jump?.kind !== 'exit') shell.lastStatus = failure.status;
    return shell.lastStatus;
  }
}

function asFailure(error: unknown): ShellFailure | undefined {
  if (error instanceof ShellFailure) return error;
  if (error instanceof BraceLimitError || error instanceof ShellSyntaxError)
    return new ShellFailure(error.message);
  // A subscript with a command in it, at a place that cannot run commands.
  if (error instanceof NeedOutput) return new ShellFailure('bad array subscript');
  if (error instanceof RangeError && error.message === 'Invalid string length')
    return new ShellFailure('xrealloc: cannot allocate memory', 'exit', 2);
  if (error instanceof RangeError && error.message === 'too many array elements')
    return new ShellFailure('cannot allocate memory: too many array elements');
  return undefined;
}

/** `$?`, waiting messages, traps, ERR and `set -e` after a command. */
function* settle(shell: Shell, status: number, counts: boolean): Running<number> {
  shell.lastStatus = status;
  if (shell.pending.length > 0) yield* flushOutput(shell);
  if (shell.jobs.jobs.length > 0) yield* afterCommand(shell);
  if (shell.pendingTraps.length > 0) {
    yield* runPendingTraps(shell);
    if (shell.jump !== undefined) return shell.lastStatus;
  }
  if (shell.process.tick(2)) yield* shell.process.pause();
  if (shell.wasInterrupted) {
    shell.wasInterrupted = false;
    if (shell.isInteractive && shell.jump === undefined) {
      shell.err('\n');
      yield* flushOutput(shell);
      shell.lastStatus = 130;
      shell.jump = { kind: 'discard' };
      return 130;
    }
  }
  if (status === 0 || !counts || shell.ignoresErrors > 0 || shell.jump !== undefined) return status;
  const action = shell.traps.get('ERR');
  if (
    action !== undefined &&
    action !== '' &&
    (shell.frames.every((frame) => !frame.isFunction) || shell.is('errtrace'))
  ) {
    yield* runTrap(shell, 'ERR', action);
    if (shell.jump !== undefined) return shell.lastStatus;
  }
  if (shell.is('errexit')) {
    shell.lastStatus = status;
    shell.jump = { kind: 'exit' };
  }
  return status;
}

function* runItems(shell: Shell, list: ListCommand): Running<number> {
  let status = shell.lastStatus;
  for (const { command, operator } of list.items) {
    if (operator === '&') status = yield* runGuarded(shell, command, runBackground(shell, command));
    else status = yield* run(shell, command);
    shell.lastStatus = status;
    if (shell.jump !== undefined) return status;
  }
  return status;
}

/** `a && b || c`: failures of all but the last command are looked at, not acted on. */
function* runAndOr(shell: Shell, list: AndOrCommand): Running<number> {
  let status = yield* ignoring(shell, list.first);
  const last = list.rest.length - 1;
  for (const [index, { operator, command }] of list.rest.entries()) {
    if (shell.jump !== undefined) return status;
    if ((status === 0) !== (operator === '&&')) continue;
    status = index === last ? yield* run(shell, command) : yield* ignoring(shell, command);
    shell.lastStatus = status;
  }
  return status;
}

/** Runs a command whose failure is somebody's condition. */
export function* ignoring(shell: Shell, command: Command): Running<number> {
  shell.ignoresErrors += 1;
  try {
    return yield* run(shell, command);
  } finally {
    shell.ignoresErrors -= 1;
  }
}

/** A compound command with its redirections. */
function* runCompound(shell: Shell, command: Command): Running<number> {
  if (command.kind === 'subshell') return yield* runSubshell(shell, command);
  if (command.redirects.length === 0) return yield* runBare(shell, command);
  shell.line = command.line + shell.lineOffset;
  const prepared = yield* prepareRedirects(shell, command.redirects);
  const saved = new SavedDescriptors(shell.process);
  try {
    yield* applyRedirects(shell.process, prepared, { saved, shell });
    const status = yield* runBare(shell, command);
    yield* flushOutput(shell);
    return status;
  } catch (error) {
    if (!(error instanceof RedirectError)) throw error;
    saved.undo();
    shell.error(error.message);
    yield* flushOutput(shell);
    return 1;
  } finally {
    saved.undo();
  }
}

function* runBare(shell: Shell, command: Command): Running<number> {
  switch (command.kind) {
    case 'group':
      return yield* run(shell, command.body);
    case 'if':
      return yield* runIf(shell, command);
    case 'while':
    case 'until':
      return yield* runWhile(shell, command);
    case 'for':
      return yield* runFor(shell, command);
    case 'select':
      return yield* runSelect(shell, command);
    case 'arithmetic-for':
      return yield* runArithmeticFor(shell, command);
    case 'case':
      return yield* runCase(shell, command);
    case 'arithmetic':
      return yield* runArithmetic(shell, command);
    case 'conditional':
      return yield* runConditionalCommand(shell, command);
    case 'function':
      return defineFunction(shell, command);
    case 'pipeline':
      return yield* runPipeline(shell, command);
    case 'coproc':
      return yield* runCoproc(shell, command);
    default:
      return yield* run(shell, command);
  }
}

/** `( … )`. */
function* runSubshell(shell: Shell, command: Command): Running<number> {
  shell.line = command.line + shell.lineOffset;
  yield* flushOutput(shell);
  const child = yield* forkShell(shell, shell.is('monitor') ? { pgid: 0 } : {}, (sub) =>
    subshellCommands(sub, command),
  );
  return yield* foreground(shell, [{ pid: child.pid, command }], command);
}

/** What a subshell does once it has its own process: redirections, then the commands. */
export function* subshellCommands(sub: Shell, command: Command): Running<number> {
  if (command.kind !== 'subshell') return yield* run(sub, command);
  sub.line = command.line + sub.lineOffset;
  try {
    const prepared = yield* prepareRedirects(sub, command.redirects);
    yield* applyRedirects(sub.process, prepared, { shell: sub });
  } catch (error) {
    if (!(error instanceof RedirectError) && !(error instanceof ShellFailure)) throw error;
    sub.error(error.message);
    yield* flushOutput(sub);
    return 1;
  }
  sub.onlyCommand = command.body;
  return yield* run(sub, command.body);
}
