/**
 * bash as a program: its arguments, its scripts, and where commands are read from.
 *
 * `sh` is the same program in POSIX mode with dash's form of messages where that is cheap. Source: bash manual,
 * Invoking Bash and Bash Startup Files.
 */
import { type Process, type Program, type Running, SystemError, toText } from '../kernel/index.js';
import { Parser } from '../syntax/parser.js';
import { ShellSyntaxError } from '../syntax/syntax-error.js';
import { readUntil } from './builtins/read-line.js';
import { setOption } from './builtins/set.js';
import { runInteractive } from './interactive/session.js';
import { endShell } from './run/ending.js';
import { flushOutput } from './run/output.js';
import { runText, tellSyntaxError } from './run/read-loop.js';
import { run } from './run/run-command.js';
import { trampoline } from './run/trampoline.js';
import { Shell } from './shell.js';
import { defineVariables } from './startup.js';
import { SET_OPTIONS } from './state/options.js';

const LETTERS = new Map(
  SET_OPTIONS.filter(([, letter]) => letter !== '').map(([name, letter]) => [letter, name]),
);

/** What the arguments of bash ask for. */
interface Invocation {
  readonly isCommand: boolean;
  readonly readsInput: boolean;
  readonly isInteractive: boolean;
  readonly isLogin: boolean;
  readonly noProfile: boolean;
  readonly noRc: boolean;
  readonly rcFile: string | undefined;
  readonly on: readonly string[];
  readonly off: readonly string[];
  readonly shopts: readonly (readonly [string, boolean])[];
  readonly rest: readonly string[];
  /** What the shell prints instead of running. */
  readonly says?: string;
  readonly error?: string;
}

const HELP_HEAD = 'GNU bash, version 5.2.15(1)-release-(x86_64-pc-linux-gnu)\n';
const VERSION_TEXT = `GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)
Copyright (C) 2022 Free Software Foundation, Inc.
License GPLv3+: GNU GPL version 3 or later <http://gnu.org/licenses/gpl.html>

This is free software; you are free to change and redistribute it.
There is NO WARRANTY, to the extent permitted by law.
`;

/** Reads the arguments. */
function readArguments(args: readonly string[]): Invocation {
  const state = {
    isCommand: false,
    readsInput: false,
    isInteractive: false,
    isLogin: false,
    noProfile: false,
    noRc: false,
  };
  let rcFile: string | undefined;
  const on: string[] = [];
  const off: string[] = [];
  const shopts: [string, boolean][] = [];
  let index = 0;
  const result = (extra: { says?: string; error?: string } = {}): Invocation => ({
    ...state,
    rcFile,
    on,
    off,
    shopts,
    rest: args.slice(index),
    ...extra,
  });
  for (; index < args.length; index += 1) {
    const arg = args[index] as string;
    if (arg === '--' || arg === '-') {
      index += 1;
      break;
    }
    if (arg.startsWith('--')) {
      if (arg === '--login') state.isLogin = true;
      else if (arg === '--noprofile') state.noProfile = true;
      else if (arg === '--norc') state.noRc = true;
      else if (arg === '--posix') on.push('posix');
      else if (arg === '--verbose') on.push('verbose');
      else if (arg === '--rcfile' || arg === '--init-file') {
        index += 1;
        rcFile = args[index];
      } else if (arg === '--version') return result({ says: VERSION_TEXT });
      else if (arg === '--help') return result({ says: HELP_HEAD });
      else if (arg !== '--noediting' && arg !== '--restricted' && arg !== '--debugger')
        return result({ error: `${arg}: invalid option` });
      continue;
    }
    if (!/^[-+]./.test(arg)) break;
    const isOn = arg.startsWith('-');
    for (const letter of arg.slice(1)) {
      const name = LETTERS.get(letter);
      if (letter === 'c') state.isCommand = true;
      else if (letter === 's') state.readsInput = true;
      else if (letter === 'i') state.isInteractive = true;
      else if (letter === 'l') state.isLogin = true;
      else if (letter === 'o' || letter === 'O') {
        index += 1;
        const value = args[index];
        if (value === undefined) continue;
        if (letter === 'O') shopts.push([value, isOn]);
        else (isOn ? on : off).push(value);
      } else if (name !== undefined) (isOn ? on : off).push(name);
      else return result({ error: `${isOn ? '-' : '+'}${letter}: invalid option` });
    }
  }
  return result();
}

/** The program of `/bin/bash`. */
export const bashProgram: Program = function* (process: Process) {
  return yield* trampoline(main(process, false));
};

/** The program of `/bin/sh`. */
export const shProgram: Program = function* (process: Process) {
  return yield* trampoline(main(process, true));
};

function* main(own: Process, isPosixSh: boolean): Running<number> {
  const [zero = 'bash', ...args] = own.argv;
  const invocation = readArguments(args);
  const terminal = own.isatty(0) && own.isatty(2);
  const isInteractive =
    invocation.isInteractive ||
    (!invocation.isCommand && terminal && (invocation.rest.length === 0 || invocation.readsInput));
  const shell = new Shell({ process: own, name: zero, isInteractive, isPosixSh });
  shell.isLogin = invocation.isLogin || zero.startsWith('-');
  for (const [signal, disposition] of own.dispositions)
    if (disposition === 'ignore') shell.ignoredAtStart.add(signal);
  defineVariables(shell);
  if (invocation.says !== undefined) {
    shell.out(invocation.says);
    yield* flushOutput(shell);
    return 0;
  }
  if (invocation.error !== undefined) {
    shell.err(`${zero}: ${invocation.error}\n`);
    yield* flushOutput(shell);
    return 2;
  }
  for (const name of invocation.on) setOption(shell, name, true);
  for (const name of invocation.off) setOption(shell, name, false);
  for (const [name, value] of invocation.shopts) shell.shopts.set(name, value);
  if (isPosixSh) setOption(shell, 'posix', true);
  if (isInteractive) return yield* runInteractive(shell, invocation);
  return yield* runScript(shell, invocation);
}

function* runScript(shell: Shell, invocation: Invocation): Running<number> {
  const [first, ...rest] = invocation.rest;
  let status = 0;
  if (invocation.isCommand) {
    if (first === undefined) {
      shell.err(`${shell.name}: -c: option requires an argument\n`);
      yield* flushOutput(shell);
      return 2;
    }
    if (rest[0] !== undefined) shell.name = rest[0];
    shell.positional = rest.slice(1);
    shell.isCommandString = true;
    status = yield* runText(shell, first, { name: '-c', isMain: true });
  } else if (first !== undefined && !invocation.readsInput) {
    const text = yield* scriptText(shell, first);
    if (typeof text === 'number') return text;
    shell.name = first;
    shell.scriptSource = first;
    shell.positional = rest;
    status = yield* runText(shell, text, { name: '', isMain: true });
  } else {
    shell.positional = invocation.rest;
    status = yield* runInput(shell);
  }
  return yield* endShell(shell, status);
}

/** The text of a script, or the status of the shell when it cannot be read. */
function* scriptText(shell: Shell, path: string): Running<string | number> {
  const own = shell.process;
  let file = path;
  try {
    if (!own.exists(path) && !path.includes('/')) {
      const found = (shell.variables.find('PATH')?.value ?? '')
        .split(':')
        .map((folder) => `${folder}/${path}`)
        .find((one) => own.exists(one));
      file = found ?? path;
    }
    if (own.stat(file).kind === 'directory') {
      shell.err(`${path}: ${path}: Is a directory\n`);
      yield* flushOutput(shell);
      return 126;
    }
    const bytes = yield* own.readFile(file);
    const head = bytes.subarray(0, 80);
    const end = head.indexOf(10);
    if ((end === -1 ? head : head.subarray(0, end)).includes(0)) {
      shell.err(`${path}: ${path}: cannot execute binary file\n`);
      yield* flushOutput(shell);
      return 126;
    }
    return toText(bytes);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    shell.err(
      shell.isPosixSh
        ? `${shell.name}: 0: cannot open ${path}: ${error.code === 'ENOENT' ? 'No such file' : error.text}\n`
        : `${shell.name}: ${path}: ${error.text}\n`,
    );
    yield* flushOutput(shell);
    return shell.isPosixSh ? 2 : error.code === 'ENOENT' ? 127 : 126;
  }
}

/** Runs what comes on standard input, line by line, so that commands can read the rest. */
function* runInput(shell: Shell): Running<number> {
  let buffer = '';
  let firstLine = 1;
  let status = 0;
  for (;;) {
    const line = yield* readUntil(shell, 0, { delimiter: 10 });
    if (line !== null) {
      buffer += line.ended ? `${line.text}\n` : line.text;
      if (shell.is('verbose')) shell.err(line.ended ? `${line.text}\n` : line.text);
    }
    if (line === null && buffer === '') return status;
    const parser = new Parser(buffer, shell.readOptions(), firstLine);
    try {
      const command = parser.next();
      const incomplete = parser.lexer.heredocHitEnd || /(^|[^\\])(\\\\)*\\\n$/.test(buffer);
      if (incomplete && line !== null) continue;
      for (const warning of parser.lexer.warnings) {
        shell.line = warning.line;
        shell.error(`warning: ${warning.message}`);
      }
      firstLine += buffer.split('\n').length - 1;
      buffer = '';
      if (command !== undefined) status = yield* run(shell, command);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      if (error.isIncomplete && line !== null) continue;
      yield* tellSyntaxError(shell, error, '');
      if (error.recovery === 'give-up') return shell.lastStatus;
      firstLine += buffer.split('\n').length - 1;
      buffer = '';
      status = error.recovery === 'next-line' ? 1 : 2;
      shell.lastStatus = status;
      if (error.recovery === 'stop') return status;
    }
    if (shell.jump?.kind === 'discard') {
      shell.jump = undefined;
      status = shell.lastStatus;
    } else if (shell.jump !== undefined) return shell.lastStatus;
  }
}
