/**
 * The interactive shell: start files, prompts, history, and one command after another.
 *
 * Lines come from the terminal in canonical mode; editing, completion and history keys are not here yet.
 */
import { type Running, SystemError, toText } from '../../kernel/index.js';
import { Parser } from '../../syntax/parser.js';
import { ShellSyntaxError } from '../../syntax/syntax-error.js';
import { readLine } from '../builtins/read-line.js';
import { setOption } from '../builtins/set.js';
import { tellJobs } from '../jobs/waiting.js';
import { renderPrompt } from '../prompt.js';
import { endShell } from '../run/ending.js';
import { flushOutput } from '../run/output.js';
import { runText, tellSyntaxError } from '../run/read-loop.js';
import { run } from '../run/run-command.js';
import { withOutputs } from '../run/substitution.js';
import { installInteractiveSignals } from '../run/traps.js';
import type { Shell } from '../shell.js';
import { Variable } from '../state/variable.js';

/** How the shell was asked to start. */
export interface SessionOptions {
  readonly noProfile: boolean;
  readonly noRc: boolean;
  readonly rcFile: string | undefined;
}

/** Runs an interactive shell until it ends. */
export function* runInteractive(shell: Shell, options: SessionOptions): Running<number> {
  setOption(shell, 'monitor', true);
  setOption(shell, 'history', true);
  setOption(shell, 'histexpand', true);
  setOption(shell, 'emacs', true);
  shell.shopts.set('expand_aliases', true);
  defineDefault(shell, 'PS1', '\\s-\\v\\$ ');
  defineDefault(shell, 'PS2', '> ');
  installInteractiveSignals(shell);
  yield* readStartFiles(shell, options);
  let status = 0;
  let buffer = '';
  for (;;) {
    if (buffer === '') yield* tellJobs(shell);
    yield* showPrompt(shell, buffer === '' ? 'PS1' : 'PS2');
    const line = yield* nextLine(shell);
    if (line === 'interrupted') {
      buffer = '';
      continue;
    }
    if (line === null) {
      if (buffer === '') break;
      buffer = yield* afterEnd(shell, buffer);
      continue;
    }
    buffer += `${line}\n`;
    const complete = yield* runBuffer(shell, buffer);
    if (complete) buffer = '';
    status = shell.lastStatus;
    if (shell.jump?.kind === 'exit') return yield* endShell(shell, status);
    shell.jump = undefined;
  }
  shell.err(shell.isLogin ? 'logout\n' : 'exit\n');
  return yield* endShell(shell, status);
}

function defineDefault(shell: Shell, name: string, value: string): void {
  if (shell.variables.find(name) === undefined) shell.variables.globals.set(name, new Variable(value));
}

function* readStartFiles(shell: Shell, options: SessionOptions): Running<void> {
  const home = shell.variables.find('HOME')?.value ?? '';
  const files: string[] = [];
  if (shell.isLogin) {
    if (!options.noProfile) {
      files.push('/etc/profile');
      const own = ['.bash_profile', '.bash_login', '.profile'].find((name) =>
        shell.process.exists(`${home}/${name}`),
      );
      if (own !== undefined) files.push(`${home}/${own}`);
    }
  } else if (options.rcFile !== undefined) files.push(options.rcFile);
  else if (!options.noRc) files.push('/etc/bash.bashrc', `${home}/.bashrc`);
  for (const file of files) {
    try {
      const text = toText(yield* shell.process.readFile(file));
      yield* runText(shell, text, { name: '' });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
    if (shell.jump?.kind === 'return' || shell.jump?.kind === 'discard') shell.jump = undefined;
  }
}

function* showPrompt(shell: Shell, name: string): Running<void> {
  const command = name === 'PS1' ? shell.variables.find('PROMPT_COMMAND')?.value : undefined;
  if (command !== undefined && command !== '') {
    const { lastStatus } = shell;
    yield* runText(shell, command, { name: '' });
    shell.lastStatus = lastStatus;
  }
  const text = shell.variables.find(name)?.value ?? '';
  shell.err(yield* withOutputs(shell, () => renderPrompt(shell, text)));
  yield* flushOutput(shell);
}

/** One line of the terminal; null at its end. */
function* nextLine(shell: Shell): Running<string | null> {
  shell.wasInterrupted = false;
  try {
    return yield* readLine(shell, 0);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EINTR') throw error;
    shell.err('\n');
    shell.lastStatus = 130;
    return 'interrupted';
  }
}

/** The text ended inside a command. */
function* afterEnd(shell: Shell, buffer: string): Running<string> {
  try {
    new Parser(buffer, shell.readOptions()).next();
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    yield* tellSyntaxError(shell, error, '');
    shell.lastStatus = 2;
  }
  return '';
}

/** Runs what was typed when it is complete. */
function* runBuffer(shell: Shell, buffer: string): Running<boolean> {
  const parser = new Parser(buffer, shell.readOptions());
  try {
    const command = parser.next();
    if (parser.lexer.heredocHitEnd || /(^|[^\\])(\\\\)*\\\n$/.test(buffer)) return false;
    remember(shell, buffer);
    if (command !== undefined) yield* run(shell, command);
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    if (error.isIncomplete) return false;
    remember(shell, buffer);
    yield* tellSyntaxError(shell, error, '');
    shell.lastStatus = error.recovery === 'next-line' ? 1 : 2;
  }
  return true;
}

function remember(shell: Shell, buffer: string): void {
  const line = buffer.replace(/\n$/, '');
  if (line.trim() !== '') shell.history.push(line);
}
