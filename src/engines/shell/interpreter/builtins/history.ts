/**
 * `history`, `fc`, `help`, `complete`, `compgen`, `compopt` and `bind`: the basics that scripts and people use.
 *
 * Not covered: editing with `fc -e`, key bindings, programmable completion beyond `-W`, `-A` and `-F` lists.
 */
import { type Running, SystemError, toText } from '../../kernel/index.js';
import { KEYWORDS } from '../../syntax/parser.js';
import { trimHistory } from '../interactive/history-list.js';
import { patternOf } from '../patterns/pattern.js';
import { runText } from '../run/read-loop.js';
import type { Shell } from '../shell.js';
import { ATTRIBUTE } from '../state/variable.js';
import { formatTime } from '../time-format.js';
import { type Builtin, type BuiltinCall, fail, readOptions, usage } from './call.js';
import { SYNOPSES } from './synopses.js';

function* writeFile(shell: Shell, path: string, how: { text: string; append: boolean }): Running<void> {
  const fd = yield* shell.process.open(path, {
    write: true,
    create: true,
    append: how.append,
    truncate: !how.append,
    mode: 0o600,
  });
  yield* shell.process.write(fd, how.text);
  shell.process.close(fd);
}

/** `history`. */
export const historyBuiltin: Builtin = function* (call) {
  const { shell, args } = call;
  const [first] = args;
  trimHistory(shell);
  if (first === '-c') {
    shell.history = [];
    return 0;
  }
  if (first === '-d') {
    const number = Number(args[1]);
    const index = number < 0 ? shell.history.length + number : number - shell.historyStart;
    if (!Number.isInteger(index) || shell.history[index] === undefined)
      return fail(call, `${args[1] ?? ''}: history position out of range`);
    shell.history = shell.history.filter((_, at) => at !== index);
    return 0;
  }
  if (first === '-s') {
    shell.history = [...shell.history, args.slice(1).join(' ')];
    return 0;
  }
  if (first !== undefined && /^-[anrw]$/.test(first)) return yield* historyFile(call, first, args[1]);
  if (first !== undefined && !/^\d+$/.test(first)) {
    if (first.startsWith('-')) {
      fail(call, `${first.slice(0, 2)}: invalid option`);
      return usage(call);
    }
    return fail(call, `${first}: numeric argument required`);
  }
  const count = first === undefined ? shell.history.length : Number(first);
  const format = shell.variables.find('HISTTIMEFORMAT')?.value;
  const from = Math.max(0, shell.history.length - count);
  for (let index = from; index < shell.history.length; index += 1) {
    const time = format === undefined ? '' : formatTime(shell, format, Math.floor(shell.process.now() / 1e6));
    shell.out(`${String(shell.historyStart + index).padStart(5)}  ${time}${shell.history[index]}\n`);
  }
  return 0;
};

function* historyFile(call: BuiltinCall, option: string, given: string | undefined): Running<number> {
  const { shell } = call;
  const path = given ?? shell.variables.find('HISTFILE')?.value ?? '';
  if (path === '') return 1;
  try {
    if (option === '-w' || option === '-a')
      yield* writeFile(shell, path, {
        text: shell.history.map((line) => `${line}\n`).join(''),
        append: option === '-a',
      });
    else {
      const text = toText(yield* shell.process.readFile(path));
      shell.history = [...shell.history, ...text.split('\n').filter((line) => line !== '')];
    }
    return 0;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return fail(call, `${path}: ${error.text}`);
  }
}

/** The place in the history that a number or the beginning of a line means. */
function historyIndex(shell: Shell, text: string): number | undefined {
  if (/^-?\d+$/.test(text)) {
    const number = Number(text);
    const index = number <= 0 ? shell.history.length - 1 + number : number - shell.historyStart;
    return Math.min(Math.max(0, index), shell.history.length - 1);
  }
  const found = shell.history.slice(0, -1).findLastIndex((line) => line.startsWith(text));
  return found === -1 ? undefined : found;
}

/** `fc`. */
export const fixCommand: Builtin = function* (call) {
  const { shell } = call;
  const args = call.args.filter((arg) => !/^-[lnrs]+$/.test(arg));
  const letters = call.args.filter((arg) => /^-[lnrs]+$/.test(arg)).join('');
  if (letters.includes('s')) {
    const last = shell.history.length - 2;
    const [change] = args.filter((arg) => arg.includes('='));
    const target = args.find((arg) => !arg.includes('='));
    const index = target === undefined ? last : historyIndex(shell, target);
    let line = index === undefined ? undefined : shell.history[index];
    if (line === undefined) return fail(call, 'no command found');
    if (change !== undefined) {
      const [from = '', to = ''] = change.split('=');
      line = line.replace(from, () => to);
    }
    shell.err(`${line}\n`);
    shell.history = [...shell.history.slice(0, -1), line];
    return yield* runText(shell, line, { name: '' });
  }
  if (!letters.includes('l')) return fail(call, 'editing is not supported here; use fc -l or fc -s');
  const end = Math.max(0, shell.history.length - 2);
  const from = args[0] === undefined ? Math.max(0, end - 15) : historyIndex(shell, args[0]);
  const to = args[1] === undefined ? end : historyIndex(shell, args[1]);
  if (from === undefined || to === undefined) return fail(call, 'history specification out of range');
  const lines: string[] = [];
  for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1)
    lines.push(
      letters.includes('n')
        ? `\t ${shell.history[index]}`
        : `${shell.historyStart + index}\t ${shell.history[index]}`,
    );
  if (letters.includes('r') !== from > to) lines.reverse();
  shell.out(lines.map((line) => `${line}\n`).join(''));
  return 0;
};

/** `help`. */
export const helpBuiltin: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'dms');
  if (read === undefined) return 2;
  const names = Object.keys(SYNOPSES).sort();
  if (read.rest.length === 0) {
    shell.out('GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n');
    shell.out(names.map((name) => ` ${SYNOPSES[name]}\n`).join(''));
    return 0;
  }
  let status = 0;
  for (const topic of read.rest) {
    const found = names.filter(
      (name) => name === topic || patternOf(topic).test(name) || name.startsWith(topic),
    );
    const shown = found.includes(topic) ? [topic] : found;
    if (shown.length === 0) {
      status = fail(
        call,
        `no help topics match \`${topic}'.  Try \`help help' or \`man -k ${topic}' or \`info ${topic}'.`,
      );
      continue;
    }
    for (const name of shown) shell.out(`${name}: ${SYNOPSES[name]}\n`);
  }
  return status;
};

/** Names for an action of `compgen`. */
function completionWords(shell: Shell, action: string): string[] {
  switch (action) {
    case 'alias':
      return [...shell.aliases.keys()];
    case 'builtin':
      return Object.keys(SYNOPSES).filter(
        (name) => !KEYWORDS.has(name) && name !== 'function' && !/[( ]/.test(name),
      );
    case 'function':
      return [...shell.functions.keys()];
    case 'keyword':
      return [...KEYWORDS];
    case 'variable':
      return [...shell.variables.names(), ...shell.variables.specials.keys()];
    case 'export':
      return shell.variables
        .all()
        .filter(([, variable]) => variable.has(ATTRIBUTE.exported))
        .map(([name]) => name);
    default:
      return [];
  }
}

const ACTION_LETTERS: Readonly<Record<string, string>> = {
  a: 'alias',
  b: 'builtin',
  c: 'command',
  d: 'directory',
  e: 'export',
  f: 'file',
  k: 'keyword',
  v: 'variable',
};

function filesFor(shell: Shell, word: string, foldersOnly: boolean): string[] {
  const slash = word.lastIndexOf('/') + 1;
  try {
    return shell.process
      .readdir(slash === 0 ? '.' : word.slice(0, slash))
      .map((entry) => word.slice(0, slash) + entry.name)
      .filter(
        (path) => path.startsWith(word) && (!foldersOnly || shell.process.stat(path).kind === 'directory'),
      )
      .filter((path) => word.slice(slash).startsWith('.') || !path.slice(slash).startsWith('.'));
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}

/** `compgen`. */
export const compgenBuiltin: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'abcdefgjksuvo:A:G:W:F:C:X:P:S:');
  if (read === undefined) return 2;
  const word = read.rest[0] ?? '';
  const out: string[] = [];
  for (const { letter, value } of read.options) {
    const action = letter === 'A' ? value : ACTION_LETTERS[letter];
    if (letter === 'W') out.push(...value.split(/\s+/).filter((one) => one !== '' && one.startsWith(word)));
    else if (action === 'file') out.push(...filesFor(shell, word, false));
    else if (action === 'directory') out.push(...filesFor(shell, word, true));
    else if (action === 'command') {
      for (const kind of ['alias', 'keyword', 'builtin', 'function'])
        out.push(...completionWords(shell, kind).filter((one) => one.startsWith(word)));
    } else if (action !== undefined)
      out.push(
        ...completionWords(shell, action)
          .filter((one) => one.startsWith(word))
          .sort(),
      );
  }
  const prefix = read.options.find((one) => one.letter === 'P')?.value ?? '';
  const suffix = read.options.find((one) => one.letter === 'S')?.value ?? '';
  shell.out(out.map((one) => `${prefix}${one}${suffix}\n`).join(''));
  return out.length > 0 ? 0 : 1;
};

/** `complete`. */
export const completeBuiltin: Builtin = (call) => {
  const { shell, args } = call;
  if (args.length === 0 || args[0] === '-p') {
    const wanted = args.slice(1);
    let status = 0;
    for (const name of wanted.length > 0 ? wanted : [...shell.completions.keys()]) {
      const spec = shell.completions.get(name);
      if (spec === undefined) status = fail(call, `${name}: no completion specification`);
      else shell.out(`complete ${spec}${spec === '' ? '' : ' '}${name}\n`);
    }
    return status;
  }
  if (args[0] === '-r') {
    if (args.length === 1) shell.completions.clear();
    for (const name of args.slice(1)) shell.completions.delete(name);
    return 0;
  }
  const read = readOptions(call, 'abcdefgjksuvprDEIo:A:G:W:F:C:X:P:S:');
  if (read === undefined) return 2;
  const spec = args
    .slice(0, read.used)
    .map((arg) => (/\s/.test(arg) ? `'${arg}'` : arg))
    .join(' ');
  for (const name of read.rest) shell.completions.set(name, spec);
  return 0;
};
