/**
 * `cd`, `pwd`, `pushd`, `popd` and `dirs`.
 */
import { SystemError } from '../../kernel/index.js';
import { writeName } from '../expand/names.js';
import { abbreviated } from '../prompt.js';
import type { Shell } from '../shell.js';
import { type Builtin, type BuiltinCall, fail, readOptions } from './call.js';

/** An absolute path without dots, as the shell itself understands it. */
function logicalPath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function exportedWrite(shell: Shell, name: string, value: string): void {
  writeName(shell, { name, value });
}

/** The folder the shell is in. */
function workingDirectory(shell: Shell): string {
  const kept = shell.variables.find('PWD')?.value;
  if (kept?.startsWith('/') === true) {
    try {
      if (shell.process.stat(kept).ino === shell.process.cwdIno) return kept;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
  }
  return shell.process.getcwd();
}

/** Changes the folder; the error's text when that fails. */
function change(shell: Shell, path: string, physical: boolean): string | undefined {
  const before = shell.logicalCwd ?? shell.variables.find('PWD')?.value ?? shell.process.getcwd();
  try {
    let target = physical ? path : logicalPath(before, path);
    try {
      if (!physical && path.includes('..')) shell.process.stat(path);
      shell.process.chdir(target);
    } catch (error) {
      if (!(error instanceof SystemError) || physical) throw error;
      shell.process.chdir(path);
      target = shell.process.getcwd();
    }
    const now = physical ? shell.process.getcwd() : target;
    exportedWrite(shell, 'OLDPWD', shell.variables.find('PWD')?.value ?? before);
    exportedWrite(shell, 'PWD', now);
    shell.logicalCwd = now;
    return undefined;
  } catch (error) {
    if (error instanceof SystemError) return error.text;
    throw error;
  }
}

/** `cd`. */
export const changeDirectory: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'LPe@');
  if (read === undefined) return 2;
  const mode = read.options.filter((one) => 'LP'.includes(one.letter)).at(-1)?.letter;
  const physical = mode === undefined ? shell.is('physical') : mode === 'P';
  if (read.rest.length > 1) return fail(call, 'too many arguments');
  let [target] = read.rest;
  let shows = false;
  if (target === undefined) {
    target = shell.variables.find('HOME')?.value;
    if (target === undefined) return fail(call, 'HOME not set');
    if (target === '') return 0;
  } else if (target === '-') {
    target = shell.variables.find('OLDPWD')?.value;
    if (target === undefined) return fail(call, 'OLDPWD not set');
    shows = true;
  }
  if (target === '') return 0;
  if (!/^\.{0,2}\//.test(target) && target !== '.' && target !== '..') {
    for (const folder of (shell.variables.find('CDPATH')?.value ?? '').split(':')) {
      if (folder === '') continue;
      if (change(shell, `${folder}/${target}`, physical) === undefined) {
        shell.out(`${shell.variables.find('PWD')?.value}\n`);
        return 0;
      }
    }
  }
  const problem = change(shell, target, physical);
  if (problem !== undefined) {
    const value = shell.shopt('cdable_vars') ? shell.variables.find(target)?.value : undefined;
    if (value === undefined || change(shell, value, physical) !== undefined)
      return fail(call, `${target}: ${problem}`);
    shows = true;
  }
  if (shows) shell.out(`${shell.variables.find('PWD')?.value}\n`);
  return 0;
};

/** `pwd`. */
export const printDirectory: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'LP');
  if (read === undefined) return 2;
  const mode = read.options.at(-1)?.letter;
  try {
    const folder =
      (mode ?? (shell.is('physical') ? 'P' : 'L')) === 'P'
        ? shell.process.getcwd()
        : (shell.logicalCwd ?? workingDirectory(shell));
    shell.out(`${folder}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return fail(
      call,
      `error retrieving current directory: getcwd: cannot access parent directories: ${error.text}`,
    );
  }
};

function stackOf(shell: Shell): string[] {
  return [shell.variables.find('PWD')?.value ?? shell.process.getcwd(), ...shell.directoryStack];
}

/** Prints the stack: `l` long, `p` one on a line, `v` with numbers. */
function show(shell: Shell, how: { long?: boolean; lines?: boolean; numbers?: boolean } = {}): void {
  const names = stackOf(shell).map((folder) => (how.long === true ? folder : abbreviated(shell, folder)));
  if (how.numbers === true)
    for (const [index, name] of names.entries()) shell.out(`${String(index).padStart(2)}  ${name}\n`);
  else if (how.lines === true) shell.out(names.map((name) => `${name}\n`).join(''));
  else shell.out(`${names.join(' ')}\n`);
}

/** The place in the stack that `+N` or `-N` means; told when there is none. */
function placeOf(call: BuiltinCall, arg: string): number | undefined {
  const size = call.shell.directoryStack.length + 1;
  const number = Number(arg.slice(1));
  const place = arg.startsWith('+') ? number : size - 1 - number;
  if (size === 1 && number > 0) {
    fail(call, call.name === 'dirs' ? `${arg}: directory stack index out of range` : 'directory stack empty');
    return undefined;
  }
  if (place >= 0 && place < size) return place;
  fail(call, `${arg}: directory stack index out of range`);
  return undefined;
}

/** `dirs`. */
export const listDirectories: Builtin = (call) => {
  const { shell } = call;
  const wish = { long: false, lines: false, numbers: false };
  let place: number | undefined;
  for (const arg of call.args) {
    if (/^[+-]\d+$/.test(arg)) {
      place = placeOf(call, arg);
      if (place === undefined) return 1;
    } else if (/^-[clpv]+$/.test(arg)) {
      if (arg.includes('c')) shell.directoryStack = [];
      if (arg.includes('l')) wish.long = true;
      if (arg.includes('p')) wish.lines = true;
      if (arg.includes('v')) wish.numbers = true;
      if (arg.includes('c')) return 0;
    } else if (arg.startsWith('-') && arg.length > 1) {
      fail(call, `${arg}: invalid number`);
      call.shell.err('dirs: usage: dirs [-clpv] [+N] [-N]\n');
      return 2;
    } else return fail(call, `${arg}: invalid argument`, 2);
  }
  if (place !== undefined) {
    const folder = stackOf(shell)[place] ?? '';
    shell.out(`${wish.long ? folder : abbreviated(shell, folder)}\n`);
  } else show(shell, wish);
  return 0;
};

/** Goes to the first folder of a new stack. */
function goTo(call: BuiltinCall, stack: readonly string[], quiet: boolean): number {
  const { shell } = call;
  const [first = '', ...rest] = stack;
  const problem = change(shell, first, false);
  if (problem !== undefined) return fail(call, `${first}: ${problem}`);
  shell.directoryStack = rest;
  if (!quiet) show(shell);
  return 0;
}

/** `pushd`. */
export const pushDirectory: Builtin = (call) => {
  const { shell } = call;
  const stays = call.args[0] === '-n';
  const args = call.args.filter((arg) => arg !== '-n' && arg !== '--');
  const [arg] = args;
  const stack = stackOf(shell);
  if (arg === undefined) {
    if (stack.length < 2) return fail(call, 'no other directory');
    return goTo(call, [stack[1] as string, stack[0] as string, ...stack.slice(2)], false);
  }
  if (args.length > 1) return fail(call, 'too many arguments');
  if (/^[+-]\d+$/.test(arg)) {
    const place = placeOf(call, arg);
    if (place === undefined) return 1;
    return goTo(call, [...stack.slice(place), ...stack.slice(0, place)], false);
  }
  if (/^-./.test(arg)) {
    fail(call, `${arg}: invalid number`);
    shell.err('pushd: usage: pushd [-n] [+N | -N | dir]\n');
    return 2;
  }
  if (stays) {
    shell.directoryStack.unshift(logicalPath(stack[0] as string, arg));
    show(shell);
    return 0;
  }
  const before = stack[0] as string;
  const problem = change(shell, arg === '-' ? (shell.variables.find('OLDPWD')?.value ?? '') : arg, false);
  if (problem !== undefined) return fail(call, `${arg}: ${problem}`);
  shell.directoryStack.unshift(before);
  show(shell);
  return 0;
};

/** `popd`. */
export const popDirectory: Builtin = (call) => {
  const { shell } = call;
  const stays = call.args[0] === '-n';
  const [arg] = call.args.filter((one) => one !== '-n' && one !== '--');
  const stack = stackOf(shell);
  if (arg !== undefined && !/^[+-]\d+$/.test(arg)) {
    fail(call, `${arg}: invalid ${arg.startsWith('-') ? 'number' : 'argument'}`);
    shell.err('popd: usage: popd [-n] [+N | -N]\n');
    return 2;
  }
  if (stack.length < 2) return fail(call, 'directory stack empty');
  const place = arg === undefined ? 0 : placeOf(call, arg);
  if (place === undefined) return 1;
  if (place > 0 || stays) {
    shell.directoryStack.splice(Math.max(0, place - 1), 1);
    show(shell);
    return 0;
  }
  return goTo(call, stack.slice(1), false);
};
