/**
 * How a builtin is called, and what all of them share: options and usage errors.
 */
import type { Running } from '../../kernel/index.js';
import type { ExpandedAssignment } from '../run/assignments.js';
import type { Shell } from '../shell.js';
import { SYNOPSES } from './synopses.js';

/** One call of a builtin. */
export interface BuiltinCall {
  readonly shell: Shell;
  readonly name: string;
  /** The arguments, without the name. */
  readonly args: readonly string[];
  /** Arguments that were written as assignments, by position in the whole command (the name is 0). */
  readonly declared: ReadonlyMap<number, ExpandedAssignment>;
}

/** A builtin: its status, at once or after waiting. */
export type Builtin = (call: BuiltinCall) => number | Running<number>;

/** Queues a message that begins with the builtin's name; returns the status. */
export function fail(call: BuiltinCall, message: string, status = 1): number {
  call.shell.error(`${call.name}: ${message}`);
  return status;
}

/** Queues the usage of a builtin; returns 2. */
export function usage(call: BuiltinCall): number {
  call.shell.err(`${call.name}: usage: ${SYNOPSES[call.name] ?? call.name}\n`);
  return 2;
}

/** Options of a call, in order, and where the other arguments begin. */
export interface ReadOptions {
  readonly options: readonly { readonly letter: string; readonly value: string; readonly isOff: boolean }[];
  readonly rest: readonly string[];
  /** How many arguments were options. */
  readonly used: number;
}

/** What is wrong with a text that is no identifier. */
export function invalidName(call: BuiltinCall, name: string): number {
  return fail(call, `\`${name}': not a valid identifier`);
}

/**
 * Reads options by letters; `x:` takes a value, and with a `+` in front `+x` is an option as well. Undefined when one is
 * wrong; that has been told then.
 */
export function readOptions(call: BuiltinCall, letters: string): ReadOptions | undefined {
  const allowsOff = letters.startsWith('+');
  const options: { letter: string; value: string; isOff: boolean }[] = [];
  const { args } = call;
  let used = 0;
  for (; used < args.length; used += 1) {
    const arg = args[used] as string;
    if (arg === '--') {
      used += 1;
      break;
    }
    const isOff = allowsOff && arg.startsWith('+');
    if (arg.length < 2 || !(arg.startsWith('-') || isOff)) break;
    for (let at = 1; at < arg.length; at += 1) {
      const letter = arg[at] as string;
      const place = letters.indexOf(letter, allowsOff ? 1 : 0);
      if (place === -1 || letter === ':') {
        if (arg === '--help') {
          call.shell.out(`${call.name}: ${SYNOPSES[call.name] ?? ''}\n`);
          return undefined;
        }
        fail(call, `${isOff ? '+' : '-'}${letter}: invalid option`);
        usage(call);
        return undefined;
      }
      if (letters[place + 1] !== ':') {
        options.push({ letter, value: '', isOff });
        continue;
      }
      const inline = arg.slice(at + 1);
      const value = inline === '' ? args[used + 1] : inline;
      if (value === undefined) {
        fail(call, `-${letter}: option requires an argument`);
        usage(call);
        return undefined;
      }
      if (inline === '') used += 1;
      options.push({ letter, value, isOff });
      break;
    }
  }
  return { options, rest: args.slice(used), used };
}

/** Whether a text is a name of a variable. */
export function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}
