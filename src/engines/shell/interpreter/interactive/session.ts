/**
 * The interactive shell: start files, prompts, edited lines, history, and one command after another.
 *
 * The idea: between keys the session is data (the shell's state, what was typed of a command, the edited line), so
 * that a machine can be copied at a prompt. Lines are edited on terminals and read plainly from anything else.
 */
import { type Running, SystemError, toText } from '../../kernel/index.js';
import { Parser } from '../../syntax/parser.js';
import { ShellSyntaxError } from '../../syntax/syntax-error.js';
import { readLine } from '../builtins/read-line.js';
import { setOption } from '../builtins/set.js';
import { ShellFailure } from '../failures.js';
import { takeTerminal } from '../jobs/terminal.js';
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
import { editLine, type TypedLine } from './edit-line.js';
import { expandHistory, HistoryError } from './history-expansion.js';
import { loadHistory, rememberLine, saveHistory } from './history-list.js';
import type { EditorState } from './line-editor.js';

/** How the shell was asked to start. */
export interface SessionOptions {
  readonly noProfile: boolean;
  readonly noRc: boolean;
  readonly rcFile: string | undefined;
}

/** Runs an interactive shell until it ends. */
export function* runInteractive(shell: Shell, options: SessionOptions): Running<number> {
  for (const name of ['monitor', 'history', 'histexpand', 'emacs']) setOption(shell, name, true);
  shell.shopts.set('expand_aliases', true);
  defineDefault(shell, 'PS1', '\\s-\\v\\$ ');
  defineDefault(shell, 'PS2', '> ');
  defineDefault(shell, 'HISTSIZE', '500');
  defineDefault(shell, 'HISTFILESIZE', '500');
  defineDefault(shell, 'HISTFILE', `${shell.variables.find('HOME')?.value ?? ''}/.bash_history`);
  installInteractiveSignals(shell);
  takeTerminal(shell, shell.process.pgid);
  yield* readStartFiles(shell, options);
  yield* loadHistory(shell);
  return yield* readCommands(shell, { typed: '', editor: undefined });
}

/** Where a session stands between keys. */
export interface SessionState {
  /** The lines of a command that is not complete. */
  readonly typed: string;
  /** The line being edited; undefined before its prompt is shown. */
  readonly editor: EditorState | undefined;
}

/** Reads commands and runs them until the session ends. */
export function* readCommands(shell: Shell, start: SessionState): Running<number> {
  let { typed } = start;
  let editor = start.editor;
  for (;;) {
    const line = yield* promptedLine(shell, typed, editor);
    editor = undefined;
    if (line.kind === 'interrupt') {
      typed = '';
      shell.lastStatus = 130;
      continue;
    }
    if (line.kind === 'end') {
      if (typed !== '') {
        yield* tellUnfinished(shell, typed);
        typed = '';
      } else if (yield* mayEnd(shell)) break;
      continue;
    }
    shell.warnedOfJobs = shell.warnedOfJobs && /^\s*(exit|logout)/.test(line.text);
    const expanded = isHereDocument(shell, typed) ? line.text : yield* withHistory(shell, line.text);
    if (expanded === undefined) continue;
    const text = `${typed}${expanded}\n`;
    typed = (yield* runTyped(shell, text)) ? '' : text;
    if (shell.jump?.kind === 'exit') break;
    shell.jump = undefined;
  }
  shell.jump = undefined;
  yield* saveHistory(shell);
  return yield* endShell(shell, shell.lastStatus);
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

/** Shows a prompt and reads a line; with `editor`, the prompt is there already. */
function* promptedLine(shell: Shell, typed: string, editor: EditorState | undefined): Running<TypedLine> {
  const isTerminal = shell.process.isatty(0);
  if (editor !== undefined) return yield* editLine(shell, { prompt: editor.prompt, typed, editor });
  if (typed === '') {
    yield* tellJobs(shell);
    shell.jobs.struck.clear();
    yield* runPromptCommands(shell);
    updateSize(shell);
  }
  const text = shell.variables.find(typed === '' ? 'PS1' : 'PS2')?.value ?? '';
  const prompt = yield* shownPrompt(shell, text);
  yield* flushOutput(shell);
  if (isTerminal) return yield* editLine(shell, { prompt, typed, editor: undefined });
  shell.err(prompt.replace(/[\x01\x02]/g, ''));
  yield* flushOutput(shell);
  const line = yield* readLine(shell, 0);
  return line === null ? { kind: 'end' } : { kind: 'line', text: line };
}

/** A prompt as it is shown; one that cannot be expanded is told and shown as it is. */
function* shownPrompt(shell: Shell, text: string): Running<string> {
  try {
    return yield* withOutputs(shell, () => renderPrompt(shell, text));
  } catch (error) {
    if (!(error instanceof ShellFailure) && !(error instanceof ShellSyntaxError)) throw error;
    shell.error(error.message);
    return text;
  }
}

function* runPromptCommands(shell: Shell): Running<void> {
  const variable = shell.variables.find('PROMPT_COMMAND');
  const commands = variable?.isArray === true ? (variable.array?.values() ?? []) : [variable?.text ?? ''];
  const { lastStatus, pipeStatus } = shell;
  for (const command of commands)
    if (command !== '') yield* runText(shell, command, { name: 'PROMPT_COMMAND' });
  shell.lastStatus = lastStatus;
  shell.pipeStatus = pipeStatus;
  if (shell.jump?.kind !== 'exit') shell.jump = undefined;
}

/** `checkwinsize`. */
function updateSize(shell: Shell): void {
  if (!shell.process.isatty(0) || !shell.shopt('checkwinsize')) return;
  const { rows, columns } = shell.process.windowSize(0);
  shell.variables.globals.set('LINES', new Variable(String(rows)));
  shell.variables.globals.set('COLUMNS', new Variable(String(columns)));
}

/** The typed text ended inside a command. */
function* tellUnfinished(shell: Shell, typed: string): Running<void> {
  try {
    new Parser(typed, shell.readOptions()).next();
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    yield* tellSyntaxError(shell, error, '');
    shell.lastStatus = 2;
  }
}

/** `^D` at an empty prompt ends the shell, unless jobs are stopped or IGNOREEOF says no. */
function* mayEnd(shell: Shell): Running<boolean> {
  if (shell.is('ignoreeof') || shell.variables.find('IGNOREEOF') !== undefined) {
    shell.err(`Use "${shell.isLogin ? 'logout' : 'exit'}" to leave the shell.\n`);
    yield* flushOutput(shell);
    return false;
  }
  shell.err(shell.isLogin ? 'logout\n' : 'exit\n');
  if (shell.jobs.jobs.some((job) => job.isStopped) && !shell.warnedOfJobs) {
    shell.err('There are stopped jobs.\n');
    shell.warnedOfJobs = true;
    yield* flushOutput(shell);
    return false;
  }
  yield* flushOutput(shell);
  return true;
}

/** The next line belongs to a here-document, whose text history does not touch. */
function isHereDocument(shell: Shell, typed: string): boolean {
  if (!typed.includes('<<')) return false;
  const parser = new Parser(typed, shell.readOptions());
  try {
    while (parser.next() !== undefined);
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
  }
  return parser.lexer.heredocHitEnd;
}

/** History expansion; undefined when the line is not to be run. */
function* withHistory(shell: Shell, line: string): Running<string | undefined> {
  if (!shell.is('histexpand') || !/[!^]/.test(line)) return line;
  try {
    const result = expandHistory(line, shell.history, shell.historyStart);
    if (!result.changed) return line;
    shell.err(`${result.line}\n`);
    yield* flushOutput(shell);
    if (!result.onlyShown) return result.line;
    rememberLine(shell, result.line);
    return undefined;
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    shell.err(`${shell.messageName}: ${error.message}\n`);
    yield* flushOutput(shell);
    return undefined;
  }
}

/** Runs what was typed when it is complete; false when more lines belong to it. */
function* runTyped(shell: Shell, text: string): Running<boolean> {
  const parser = new Parser(text, shell.readOptions());
  let remembered = false;
  const remember = () => {
    if (!remembered) rememberLine(shell, text);
    remembered = true;
  };
  for (;;) {
    try {
      const command = parser.next();
      if (!remembered && (parser.lexer.heredocHitEnd || /(^|[^\\])(\\\\)*\\\n$/.test(text))) return false;
      remember();
      if (command === undefined) return true;
      yield* run(shell, command);
      if (shell.jump !== undefined) return true;
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      if (error.isIncomplete) return false;
      remember();
      yield* tellSyntaxError(shell, error, '');
      shell.lastStatus = error.recovery === 'next-line' ? 1 : 2;
      return true;
    }
  }
}
