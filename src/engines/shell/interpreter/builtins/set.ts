/**
 * `set` and `shopt`.
 */
import { printFunction } from '../../syntax/printer.js';
import type { Shell } from '../shell.js';
import { SET_OPTIONS, SHOPT_DEFAULTS } from '../state/options.js';
import { type Builtin, type BuiltinCall, fail, readOptions, usage } from './call.js';
import { setLine, specialLine } from './listing.js';

const BY_LETTER = new Map(
  SET_OPTIONS.filter(([, letter]) => letter !== '').map(([name, letter]) => [letter, name]),
);
const NAMES = new Set(SET_OPTIONS.map(([name]) => name));

/** Turns an option on or off, with what belongs to it. */
export function setOption(shell: Shell, name: string, on: boolean): void {
  if (name === 'posix') shell.shopts.set('expand_aliases', on || shell.isInteractive);
  if (on) shell.options.add(name);
  else shell.options.delete(name);
  if (on && name === 'vi') shell.options.delete('emacs');
  if (on && name === 'emacs') shell.options.delete('vi');
  if (name === 'interactive-comments') shell.shopts.set('interactive_comments', on);
}

function listOptions(call: BuiltinCall, asCommands: boolean): number {
  for (const [name] of SET_OPTIONS) {
    const on = call.shell.is(name);
    call.shell.out(
      asCommands ? `set ${on ? '-' : '+'}o ${name}\n` : `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n`,
    );
  }
  return 0;
}

function listVariables(shell: Shell): number {
  const names = new Set([...shell.variables.names(), ...shell.variables.specials.keys()]);
  for (const name of [...names].sort()) {
    const variable = shell.variables.findPlain(name);
    if (variable !== undefined && !shell.variables.specials.has(name)) shell.out(setLine(name, variable));
    else shell.out(specialLine(shell, name));
  }
  if (!shell.is('posix'))
    for (const [, one] of [...shell.functions].sort((a, b) => (a[0] < b[0] ? -1 : 1)))
      shell.out(`${printFunction(one.definition)}\n`);
  return 0;
}

/** `set`. */
export const setBuiltin: Builtin = (call) => {
  const { shell, args } = call;
  if (args.length === 0) return listVariables(shell);
  let index = 0;
  for (; index < args.length; index += 1) {
    const arg = args[index] as string;
    if (arg === '--') {
      shell.positional = args.slice(index + 1);
      return 0;
    }
    if (arg === '-' || arg === '+') {
      if (arg === '-') {
        setOption(shell, 'xtrace', false);
        setOption(shell, 'verbose', false);
      }
      if (index + 1 < args.length) shell.positional = args.slice(index + 1);
      return 0;
    }
    if (!/^[-+]/.test(arg)) break;
    const on = arg.startsWith('-');
    for (const letter of arg.slice(1)) {
      if (letter === 'o') {
        const name = args[index + 1];
        if (name === undefined) return listOptions(call, !on);
        if (!NAMES.has(name)) {
          fail(call, `${name}: invalid option name`);
          return 2;
        }
        setOption(shell, name, on);
        index += 1;
        continue;
      }
      const name = BY_LETTER.get(letter);
      if (name === undefined) {
        fail(call, `${on ? '-' : '+'}${letter}: invalid option`);
        return usage(call);
      }
      setOption(shell, name, on);
    }
  }
  if (index < args.length) shell.positional = args.slice(index);
  return 0;
};

/** `shopt`. */
export const shoptBuiltin: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'opqsu');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  if (has('s') && has('u')) return fail(call, 'cannot set and unset shell options simultaneously');
  if (has('o')) return shoptForSet(call, read.rest, has);
  const names = read.rest.length > 0 ? read.rest : Object.keys(SHOPT_DEFAULTS);
  let status = 0;
  for (const name of names) {
    if (!shell.shopts.has(name)) {
      status = fail(call, `${name}: invalid shell option name`);
      continue;
    }
    const on = shell.shopt(name);
    if (read.rest.length > 0 && (has('s') || has('u'))) {
      shell.shopts.set(name, has('s'));
      if (name === 'interactive_comments') setOption(shell, 'interactive-comments', has('s'));
      continue;
    }
    if (read.rest.length === 0 && ((has('s') && !on) || (has('u') && on))) continue;
    if (!on && read.rest.length > 0) status = status === 0 ? 1 : status;
    if (has('q')) continue;
    shell.out(has('p') ? `shopt -${on ? 's' : 'u'} ${name}\n` : `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n`);
  }
  return status;
};

function shoptForSet(call: BuiltinCall, rest: readonly string[], has: (letter: string) => boolean): number {
  const { shell } = call;
  let status = 0;
  for (const name of rest.length > 0 ? rest : SET_OPTIONS.map(([one]) => one)) {
    if (!NAMES.has(name)) {
      status = fail(call, `${name}: invalid option name`);
      continue;
    }
    if (rest.length > 0 && (has('s') || has('u'))) {
      setOption(shell, name, has('s'));
      continue;
    }
    const on = shell.is(name);
    if (!on && rest.length > 0) status = 1;
    if (!has('q'))
      shell.out(has('p') ? `set ${on ? '-' : '+'}o ${name}\n` : `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n`);
  }
  return status;
}
