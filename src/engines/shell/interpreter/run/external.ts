/**
 * Programs: found through PATH, run in a child; and the messages when they cannot be.
 */
import { MissingProgram, type Process, type Program, type Running, SystemError } from '../../kernel/index.js';
import type { SimpleCommand } from '../../syntax/ast.js';
import { dashWording } from '../dash-wording.js';
import { ShellFailure } from '../failures.js';
import type { Shell } from '../shell.js';
import { exportedEnvironment } from '../state/environment.js';
import { foreground } from './foreground.js';
import { callFunction } from './functions.js';
import { flushOutput } from './output.js';
import { applyRedirects, type PreparedRedirect, prepareRedirects, RedirectError } from './redirects.js';
import { forkPatiently, forkShell } from './subshell.js';

/** The path that a command name runs, or why none does. */
export type Found =
  | { readonly path: string }
  | { readonly error: 'not-found' | 'denied'; readonly path: string };

function isRunnable(shell: Shell, path: string): 'yes' | 'denied' | 'no' {
  const inode = shell.process.find(path);
  if (inode === undefined || inode.kind === 'directory') return 'no';
  return (inode.mode & 0o111) !== 0 && shell.process.may(inode, 1) ? 'yes' : 'denied';
}

/** Looks a name up in PATH. */
export function findInPath(
  shell: Shell,
  name: string,
  path = shell.variables.find('PATH')?.value ?? '',
): Found {
  let denied: string | undefined;
  for (const folder of path.split(':')) {
    const candidate = folder === '' ? `./${name}` : `${folder.replace(/\/$/, '')}/${name}`;
    const runnable = isRunnable(shell, candidate);
    if (runnable === 'yes') return { path: candidate };
    if (runnable === 'denied') denied ??= candidate;
  }
  return denied === undefined ? { error: 'not-found', path: name } : { path: denied };
}

/** Looks a name up, keeping what was found as `hash` shows it. */
export function findCommand(shell: Shell, name: string): Found {
  if (name.includes('/')) return { path: name };
  const kept = shell.hashTable.get(name);
  if (kept !== undefined) {
    kept.hits += 1;
    return { path: kept.path };
  }
  if ((shell.variables.find('PATH')?.value ?? '') === '') return { path: name };
  const found = findInPath(shell, name);
  if (!('error' in found) && shell.is('hashall') && found.path.startsWith('/'))
    shell.hashTable.set(name, { path: found.path, hits: 1 });
  return found;
}

/** Runs a program in a child and waits for it. */
export function* runExternal(shell: Shell, command: SimpleCommand, argv: readonly string[]): Running<number> {
  yield* flushOutput(shell);
  let prepared: readonly PreparedRedirect[] = [];
  try {
    prepared = command.redirects.length === 0 ? [] : yield* prepareRedirects(shell, command.redirects);
  } catch (error) {
    if (!(error instanceof ShellFailure) || error.effect !== 'command') throw error;
    shell.error(error.message);
    yield* flushOutput(shell);
    return 1;
  }
  const name = argv[0] as string;
  const found = findCommand(shell, name);
  const handler = 'error' in found ? shell.functions.get('command_not_found_handle') : undefined;
  if (handler !== undefined) {
    const child = yield* forkShell(shell, {}, function* (sub) {
      yield* applyRedirects(sub.process, prepared);
      return yield* callFunction(sub, handler, ['command_not_found_handle', ...argv]);
    });
    return yield* foreground(shell, [{ pid: child.pid, command }], command);
  }
  const launch = { argv, found, prepared };
  if (shell.onlyCommand === command && !shell.traps.has('EXIT'))
    return yield* programBody(shell, launch)(shell.process);
  const child = yield* startProgram(shell, launch);
  return yield* foreground(shell, [{ pid: child.pid, command }], command);
}

interface Launch {
  readonly argv: readonly string[];
  readonly found: Found;
  readonly prepared: readonly PreparedRedirect[];
}

function* startProgram(shell: Shell, launch: Launch): Running<Process> {
  const body = programBody(shell, launch);
  return yield* forkPatiently(shell, () => shell.process.fork(body, shell.is('monitor') ? { pgid: 0 } : {}));
}

/** What a child does to become a program. */
function programBody(shell: Shell, launch: Launch): Program {
  const { argv, found, prepared } = launch;
  const prefix = shell.errorPrefix();
  const environment = exportedEnvironment(shell, found.path);
  const signals = [...shell.traps].filter(([, action]) => action !== '').map(([name]) => name);
  return function* (child) {
    restoreSignals(shell, child, signals);
    const say = function* (message: string): Running<void> {
      try {
        yield* child.write(2, `${prefix}${shell.isPosixSh ? dashWording(message) : message}\n`);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
      }
    };
    try {
      yield* applyRedirects(child, prepared);
    } catch (error) {
      if (!(error instanceof RedirectError)) throw error;
      yield* say(error.message);
      return 1;
    }
    if ('error' in found) {
      yield* say(`${argv[0]}: command not found`);
      return 127;
    }
    return yield* become(child, { path: found.path, argv, environment, say });
  };
}

/** In a child, trapped signals have their defaults again. */
function restoreSignals(shell: Shell, child: Process, _names: readonly string[]): void {
  for (const [signal, disposition] of [...child.dispositions]) {
    if (typeof disposition === 'function') child.onSignal(signal, 'default');
    else if (disposition === 'ignore' && shell.isInteractive && shell.traps.get('') === undefined) {
      const trapped = [...shell.traps].some(
        ([name, action]) => action === '' && name === nameOfSignal(signal),
      );
      if (!trapped && !shell.ignoredAtStart.has(signal)) child.onSignal(signal, 'default');
    }
  }
}

function nameOfSignal(signal: number): string {
  return (
    ['', 'HUP', 'INT', 'QUIT'][signal] ??
    (signal === 15 ? 'TERM' : signal === 20 ? 'TSTP' : signal === 21 ? 'TTIN' : 'TTOU')
  );
}

interface Image {
  readonly path: string;
  readonly argv: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly say: (message: string) => Running<void>;
}

/** Turns a process into a program; tells why it could not and gives 126 or 127. */
export function* become(child: Process, image: Image): Running<number> {
  const { path, argv, environment, say } = image;
  try {
    return yield* child.exec(path, argv, environment);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (error.code === 'ENOEXEC') return yield* becomeScript(child, image);
    if (error instanceof MissingProgram) {
      yield* say(`${argv[0] ?? path}: command not found`);
      return 127;
    }
    if (error.code === 'ENOENT') {
      const interpreter = yield* interpreterOf(child, path);
      if (interpreter !== undefined && child.exists(path)) {
        yield* say(`${path}: cannot execute: required file not found`);
        return 127;
      }
      yield* say(`${path}: No such file or directory`);
      return 127;
    }
    if (isFolder(child, path)) yield* say(`${path}: Is a directory`);
    else yield* say(`${path}: ${error.text}`);
    return error.code === 'ENOTDIR' ? 126 : 126;
  }
}

function isFolder(child: Process, path: string): boolean {
  try {
    return child.stat(path).kind === 'directory';
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

function* interpreterOf(child: Process, path: string): Running<string | undefined> {
  try {
    const text = new TextDecoder().decode((yield* child.readFile(path)).subarray(0, 256));
    return /^#![ \t]*(\S+)/.exec(text)?.[1];
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

/** A text without `#!` is run by bash itself; anything else cannot be run. */
function* becomeScript(child: Process, image: Image): Running<number> {
  const { path, argv, environment, say } = image;
  try {
    const head = (yield* child.readFile(path)).subarray(0, 80);
    const line = head.subarray(0, head.indexOf(10) === -1 ? head.length : head.indexOf(10));
    if (line.includes(0)) {
      yield* say(`${path}: cannot execute binary file: Exec format error`);
      return 126;
    }
    return yield* child.exec('/bin/bash', ['bash', path, ...argv.slice(1)], environment);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    yield* say(`${path}: ${error.text}`);
    return 126;
  }
}
