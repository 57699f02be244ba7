/**
 * `let`, `shift`, `getopts`, `umask`, `ulimit` and `times`.
 */
import type { Running } from '../../kernel/index.js';
import { evaluate, readName, writeName } from '../expand/names.js';
import { ShellFailure } from '../failures.js';
import { withOutputs } from '../run/substitution.js';
import type { Shell } from '../shell.js';
import { type Builtin, fail, invalidName, isName, readOptions, usage } from './call.js';

/** `let`. */
export const letBuiltin: Builtin = function* (call) {
  const { shell } = call;
  const args = call.args[0] === '--' ? call.args.slice(1) : call.args;
  if (args.length === 0) return fail(call, 'expression expected');
  let value = 0n;
  for (const text of args) {
    shell.commandName = 'let';
    try {
      value = yield* withOutputs(shell, () => evaluate(shell, text));
    } catch (error) {
      if (!(error instanceof ShellFailure)) throw error;
      shell.error(error.message);
      return 1;
    } finally {
      shell.commandName = '';
    }
  }
  return value === 0n ? 1 : 0;
};

/** `shift`. */
export const shiftBuiltin: Builtin = (call) => {
  const { shell } = call;
  const args = call.args[0] === '--' ? call.args.slice(1) : call.args;
  const [text] = args;
  if (text !== undefined && !/^\s*[+-]?\d+\s*$/.test(text))
    return fail(call, `${text}: numeric argument required`);
  if (args.length > 1) return fail(call, 'too many arguments');
  const count = Number(text ?? 1);
  if (count < 0) return fail(call, `${text}: shift count out of range`);
  if (count > shell.positional.length) {
    if (shell.shopt('shift_verbose')) fail(call, `${text ?? 1}: shift count out of range`);
    return 1;
  }
  shell.positional = shell.positional.slice(count);
  return 0;
};

/** `getopts`. */
export const getoptsBuiltin: Builtin = (call) => {
  const { shell, args } = call;
  const rest = args[0] === '--' ? args.slice(1) : args;
  if (args[0] !== undefined && /^-[^-]/.test(args[0])) {
    fail(call, `-${args[0][1]}: invalid option`);
    return usage(call);
  }
  const [spec, name, ...given] = rest;
  if (spec === undefined || name === undefined) return usage(call);
  const words = given.length > 0 ? given : shell.positional;
  const result = nextOption(shell, spec, words);
  if (!isName(name)) {
    invalidName(call, name);
    return 1;
  }
  writeName(shell, { name, value: result.letter });
  return result.status;
};

/** One step of `getopts`: OPTIND, OPTARG and what the letter is. */
function nextOption(
  shell: Shell,
  spec: string,
  words: readonly string[],
): { letter: string; status: number } {
  const silent = spec.startsWith(':');
  let index = Number(readName(shell, 'OPTIND') ?? 1);
  if (!(index >= 1)) index = 1;
  if (index !== shell.getoptsIndex) shell.getoptsOffset = 1;
  const word = words[index - 1];
  const setIndex = (value: number) => {
    writeName(shell, { name: 'OPTIND', value: String(value) });
    shell.getoptsIndex = value;
  };
  if (word === undefined || !/^-./.test(word) || word === '--') {
    if (word === '--') index += 1;
    setIndex(index);
    shell.getoptsOffset = 1;
    shell.variables.unset('OPTARG');
    return { letter: '?', status: 1 };
  }
  const letter = word[shell.getoptsOffset] as string;
  const isLast = shell.getoptsOffset + 1 >= word.length;
  const place = letter === ':' ? -1 : spec.indexOf(letter, silent ? 1 : 0);
  const verbose = readName(shell, 'OPTERR') !== '0' && !silent;
  const advance = () => {
    if (isLast) {
      shell.getoptsOffset = 1;
      setIndex(index + 1);
    } else {
      shell.getoptsOffset += 1;
      setIndex(index);
    }
  };
  if (place === -1) {
    advance();
    if (verbose) shell.err(`${shell.name}: illegal option -- ${letter}\n`);
    if (silent) writeName(shell, { name: 'OPTARG', value: letter });
    else shell.variables.unset('OPTARG');
    return { letter: '?', status: 0 };
  }
  if (spec[place + 1] !== ':') {
    advance();
    shell.variables.unset('OPTARG');
    return { letter, status: 0 };
  }
  const value = isLast ? words[index] : word.slice(shell.getoptsOffset + 1);
  shell.getoptsOffset = 1;
  setIndex(isLast ? index + 2 : index + 1);
  if (value !== undefined) {
    writeName(shell, { name: 'OPTARG', value });
    return { letter, status: 0 };
  }
  setIndex(index + 1);
  if (verbose) shell.err(`${shell.name}: option requires an argument -- ${letter}\n`);
  if (silent) writeName(shell, { name: 'OPTARG', value: letter });
  else shell.variables.unset('OPTARG');
  return { letter: silent ? ':' : '?', status: 0 };
}

function symbolicMask(mask: number): string {
  const part = (shift: number) => {
    const bits = ~(mask >> shift) & 7;
    return `${(bits & 4) !== 0 ? 'r' : ''}${(bits & 2) !== 0 ? 'w' : ''}${(bits & 1) !== 0 ? 'x' : ''}`;
  };
  return `u=${part(6)},g=${part(3)},o=${part(0)}`;
}

/** The mask that a symbolic text makes of another; undefined when it is none. */
function changedMask(mask: number, text: string): number | string {
  let allowed = ~mask & 0o777;
  for (const clause of text.split(',')) {
    const match = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause);
    if (match === null) {
      const bad = /^[ugoa]*[-+=]/.test(clause)
        ? clause.replace(/^[ugoa]*[-+=][rwx]*/, '')[0]
        : clause.replace(/^[ugoa]*/, '')[0];
      return /^[ugoa]*[-+=]/.test(clause)
        ? `\`${bad}': invalid symbolic mode character`
        : `\`${bad ?? ''}': invalid symbolic mode operator`;
    }
    const who = match[1] === '' || match[1]?.includes('a') === true ? 'ugo' : (match[1] as string);
    let bits = 0;
    for (const letter of match[3] ?? '') bits |= { r: 4, w: 2, x: 1 }[letter] ?? 0;
    for (const one of who) {
      const shift = one === 'u' ? 6 : one === 'g' ? 3 : 0;
      if (match[2] === '=') allowed = (allowed & ~(7 << shift)) | (bits << shift);
      else if (match[2] === '+') allowed |= bits << shift;
      else allowed &= ~(bits << shift);
    }
  }
  return ~allowed & 0o777;
}

/** `umask`. */
export const umaskBuiltin: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'pS');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  const { process: own } = shell;
  const [text] = read.rest;
  if (text !== undefined) {
    if (/^\d/.test(text)) {
      if (!/^[0-7]+$/.test(text) || Number.parseInt(text, 8) > 0o777)
        return fail(call, `${text}: octal number out of range`);
      own.umask = Number.parseInt(text, 8);
    } else {
      const changed = changedMask(own.umask, text);
      if (typeof changed === 'string') return fail(call, changed);
      own.umask = changed;
    }
    if (has('S')) shell.out(`${symbolicMask(own.umask)}\n`);
    return 0;
  }
  const octal = own.umask.toString(8).padStart(4, '0');
  if (has('S')) shell.out(`${has('p') ? 'umask -S ' : ''}${symbolicMask(own.umask)}\n`);
  else shell.out(`${has('p') ? 'umask ' : ''}${octal}\n`);
  return 0;
};

const LIMITS: readonly (readonly [string, string, string, string])[] = [
  ['R', 'real-time non-blocking time ', 'microseconds, ', 'unlimited'],
  ['c', 'core file size             ', 'blocks, ', '0'],
  ['d', 'data seg size              ', 'kbytes, ', 'unlimited'],
  ['e', 'scheduling priority                ', '', '0'],
  ['f', 'file size                  ', 'blocks, ', 'unlimited'],
  ['i', 'pending signals                    ', '', '15441'],
  ['l', 'max locked memory          ', 'kbytes, ', '8192'],
  ['m', 'max memory size            ', 'kbytes, ', 'unlimited'],
  ['n', 'open files                         ', '', '1024'],
  ['p', 'pipe size               ', '512 bytes, ', '8'],
  ['q', 'POSIX message queues            ', 'bytes, ', '819200'],
  ['r', 'real-time priority                 ', '', '0'],
  ['s', 'stack size                 ', 'kbytes, ', '8192'],
  ['t', 'cpu time                  ', 'seconds, ', 'unlimited'],
  ['u', 'max user processes                 ', '', '15441'],
  ['v', 'virtual memory             ', 'kbytes, ', 'unlimited'],
  ['x', 'file locks                         ', '', 'unlimited'],
];

function limitOf(shell: Shell, letter: string): string {
  const own = shell.ulimits.get(letter);
  if (own !== undefined) return own;
  if (letter === 'n') return String(shell.process.maxDescriptors);
  if (letter === 'u') return String(shell.process.kernel.limits.processes);
  return LIMITS.find(([one]) => one === letter)?.[3] ?? 'unlimited';
}

/** `ulimit`. Only the number of open files has an effect. */
export const ulimitBuiltin: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'SHabcdefiklmnpqrstuvxPRT');
  if (read === undefined) return 2;
  const letters = read.options.map((one) => one.letter).filter((letter) => letter !== 'S' && letter !== 'H');
  if (letters.includes('a')) {
    for (const [letter, label, unit] of LIMITS)
      shell.out(`${label}(${unit}-${letter}) ${limitOf(shell, letter)}\n`);
    return 0;
  }
  const wanted = letters.length === 0 ? ['f'] : letters;
  const [value] = read.rest;
  for (const letter of wanted) {
    if (value === undefined) {
      const row = LIMITS.find(([one]) => one === letter);
      shell.out(
        wanted.length > 1 && row !== undefined
          ? `${row[1]}(${row[2]}-${letter}) ${limitOf(shell, letter)}\n`
          : `${limitOf(shell, letter)}\n`,
      );
      continue;
    }
    if (!/^(\d+|unlimited|hard|soft)$/.test(value)) return fail(call, `${value}: invalid number`);
    if (letter === 'p') return fail(call, 'pipe size: cannot modify limit: Invalid argument');
    const problem = setLimit(shell, letter, value);
    if (problem !== undefined) return fail(call, problem);
  }
  return 0;
};

function setLimit(shell: Shell, letter: string, value: string): string | undefined {
  if (value === 'hard' || value === 'soft') return undefined;
  if (letter === 'n') {
    const most = shell.process.kernel.limits.descriptors;
    const number = value === 'unlimited' ? Number.POSITIVE_INFINITY : Number(value);
    if (number > most && shell.process.uid !== 0)
      return 'open files: cannot modify limit: Operation not permitted';
    shell.process.maxDescriptors = Math.min(number, most);
  }
  shell.ulimits.set(letter, value);
  return undefined;
}

/** `times`. */
export const timesBuiltin: Builtin = (call): number | Running<number> => {
  const { shell } = call;
  const show = (us: number) => `${Math.floor(us / 60e6)}m${((us % 60e6) / 1e6).toFixed(3)}s`;
  shell.out(`${show(shell.process.cpuUs)} ${show(0)}\n${show(0)} ${show(0)}\n`);
  return 0;
};
