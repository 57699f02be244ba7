/**
 * What names mean: `type`, `command`, `builtin`, `enable`, `hash`, `alias`, `unalias`.
 */
import type { Running } from '../../kernel/index.js';
import { KEYWORDS } from '../../syntax/parser.js';
import { printFunction } from '../../syntax/printer.js';
import { findInPath, runExternal } from '../run/external.js';
import type { Shell } from '../shell.js';
import { hashOrder } from '../state/arrays.js';
import { containsSpecial } from '../state/quoting.js';
import { Variable } from '../state/variable.js';
import { type Builtin, type BuiltinCall, fail, readOptions } from './call.js';
import { SYNOPSES } from './synopses.js';

/** The builtins by name, given by the table to break the circle. */
let builtins: ReadonlyMap<string, Builtin> = new Map();

/** Tells this file the builtins. */
export function knowBuiltins(table: ReadonlyMap<string, Builtin>): void {
  builtins = table;
}

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const SPECIAL = new Set([
  'break',
  ':',
  'continue',
  '.',
  'eval',
  'exec',
  'exit',
  'export',
  'readonly',
  'return',
  'set',
  'shift',
  'source',
  'times',
  'trap',
  'unset',
]);

/** One meaning of a name. */
interface Meaning {
  readonly kind: 'alias' | 'keyword' | 'function' | 'builtin' | 'file';
  readonly text: string;
  readonly isHashed?: boolean;
}

function meanings(
  shell: Shell,
  name: string,
  how: { all: boolean; functions: boolean; onlyFiles: boolean },
): Meaning[] {
  const out: Meaning[] = [];
  if (!how.onlyFiles) {
    const alias = shell.shopt('expand_aliases') ? shell.aliases.get(name) : undefined;
    if (alias !== undefined) out.push({ kind: 'alias', text: alias });
    if (KEYWORDS.has(name)) out.push({ kind: 'keyword', text: name });
    const definition = how.functions ? shell.functions.get(name) : undefined;
    if (definition !== undefined) out.push({ kind: 'function', text: printFunction(definition.definition) });
    if (builtins.has(name) && !shell.disabledBuiltins.has(name)) out.push({ kind: 'builtin', text: name });
    if (out.length > 0 && !how.all) return out.slice(0, 1);
  }
  const kept = shell.hashTable.get(name);
  if (name.includes('/')) {
    const found = findInPath(shell, name, '').path;
    if (!('error' in findAt(shell, name))) out.push({ kind: 'file', text: found });
    return out;
  }
  if (kept !== undefined && !how.all) {
    out.push({ kind: 'file', text: kept.path, isHashed: true });
    return out;
  }
  const folders = (shell.variables.find('PATH')?.value ?? '').split(':');
  for (const folder of folders) {
    const found = findInPath(shell, name, folder === '' ? '.' : folder);
    if ('error' in found) continue;
    out.push({ kind: 'file', text: found.path });
    if (!how.all) break;
  }
  return out;
}

function findAt(shell: Shell, path: string): { path: string } | { error: string } {
  try {
    shell.process.access(path, 1);
    return shell.process.stat(path).kind === 'directory' ? { error: 'folder' } : { path };
  } catch {
    return { error: 'none' };
  }
}

/** `type`. */
export const typeOf: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'afptP');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  let status = 0;
  for (const name of read.rest) {
    const found = meanings(shell, name, { all: has('a'), functions: !has('f'), onlyFiles: has('P') });
    if (found.length === 0) {
      status = 1;
      if (!has('t') && !has('p') && !has('P')) fail(call, `${name}: not found`);
    }
    for (const one of found) {
      if (has('t')) shell.out(`${one.kind}\n`);
      else if (has('p') || has('P')) shell.out(one.kind === 'file' ? `${one.text}\n` : '');
      else shell.out(describe(name, one));
    }
  }
  return status;
};

function describe(name: string, meaning: Meaning): string {
  switch (meaning.kind) {
    case 'alias':
      return `${name} is aliased to \`${meaning.text}'\n`;
    case 'keyword':
      return `${name} is a shell keyword\n`;
    case 'function':
      return `${name} is a function\n${meaning.text}\n`;
    case 'builtin':
      return `${name} is a ${SPECIAL.has(name) ? 'shell builtin' : 'shell builtin'}\n`;
    default:
      return meaning.isHashed === true
        ? `${name} is hashed (${meaning.text})\n`
        : `${name} is ${meaning.text}\n`;
  }
}

/** `command`. */
export const commandBuiltin: Builtin = (call): number | Running<number> => {
  const { shell } = call;
  const read = readOptions(call, 'pvV');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  if (has('v') || has('V')) {
    let status = read.rest.length === 0 ? 0 : 1;
    for (const name of read.rest) {
      const [found] = meanings(shell, name, { all: false, functions: true, onlyFiles: false });
      if (found === undefined) {
        if (has('V')) fail(call, `${name}: not found`);
        continue;
      }
      status = 0;
      if (has('V')) shell.out(describe(name, found));
      else if (found.kind === 'alias') shell.out(`alias ${name}='${found.text.replaceAll("'", "'\\''")}'\n`);
      else shell.out(`${found.kind === 'file' ? found.text : name}\n`);
    }
    return status;
  }
  const [name, ...args] = read.rest;
  if (name === undefined) return 0;
  return runNamed(call, { name, args, usesDefaultPath: has('p'), shift: read.used });
};

function* runNamed(
  call: BuiltinCall,
  how: { name: string; args: readonly string[]; usesDefaultPath: boolean; shift: number },
): Running<number> {
  const { shell } = call;
  const { name, args } = how;
  const builtin = shell.disabledBuiltins.has(name) ? undefined : builtins.get(name);
  if (builtin !== undefined) {
    const declared = new Map([...call.declared].map(([index, one]) => [index - how.shift - 1, one]));
    const result = builtin({ shell, name, args, declared });
    return typeof result === 'number' ? result : yield* result;
  }
  const command = { kind: 'simple' as const, line: shell.line - shell.lineOffset, redirects: [], words: [] };
  if (!how.usesDefaultPath) return yield* runExternal(shell, command, [name, ...args]);
  const scope = shell.variables.push('command');
  scope.variables.set('PATH', new Variable(DEFAULT_PATH));
  try {
    return yield* runExternal(shell, command, [name, ...args]);
  } finally {
    shell.variables.pop();
  }
}

/** `builtin`. */
export const builtinBuiltin: Builtin = (call): number | Running<number> => {
  const read = readOptions(call, '');
  if (read === undefined) return 2;
  const [name, ...args] = read.rest;
  if (name === undefined) return 0;
  const builtin = builtins.get(name);
  if (builtin === undefined) return fail(call, `${name}: not a shell builtin`);
  const declared = new Map([...call.declared].map(([index, one]) => [index - 1, one]));
  return builtin({ shell: call.shell, name, args, declared });
};

/** `enable`. */
export const enableBuiltin: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'adf:nps');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  if (read.rest.length === 0) {
    for (const name of Object.keys(SYNOPSES)
      .filter((one) => builtins.has(one))
      .sort()) {
      const disabled = shell.disabledBuiltins.has(name);
      if (has('a')) shell.out(`enable ${disabled ? '-n ' : ''}${name}\n`);
      else if (has('n') === disabled) shell.out(`enable ${disabled ? '-n ' : ''}${name}\n`);
    }
    return 0;
  }
  let status = 0;
  for (const name of read.rest) {
    if (!builtins.has(name)) status = fail(call, `${name}: not a shell builtin`);
    else if (has('n')) shell.disabledBuiltins.add(name);
    else shell.disabledBuiltins.delete(name);
  }
  return status;
};

/** `hash`. */
export const hashBuiltin: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'dlp:rt');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  const path = read.options.find((one) => one.letter === 'p')?.value;
  if (has('r')) shell.hashTable.clear();
  if (read.rest.length === 0) {
    if (has('r')) return 0;
    if (shell.hashTable.size === 0) {
      if (has('l')) return 0;
      shell.out('hash: hash table empty\n');
      return 0;
    }
    if (!has('l')) shell.out('hits\tcommand\n');
    for (const name of hashOrder([...shell.hashTable.keys()].reverse(), 256)) {
      const entry = shell.hashTable.get(name);
      if (entry === undefined) continue;
      shell.out(
        has('l')
          ? `builtin hash -p ${entry.path} ${name}\n`
          : `${String(entry.hits).padStart(4)}\t${entry.path}\n`,
      );
    }
    return 0;
  }
  let status = 0;
  for (const name of read.rest) {
    const entry = shell.hashTable.get(name);
    if (path !== undefined) shell.hashTable.set(name, { path, hits: 0 });
    else if (has('d')) {
      if (!shell.hashTable.delete(name)) status = fail(call, `${name}: not found`);
    } else if (has('t')) {
      if (entry === undefined) status = fail(call, `${name}: not found`);
      else shell.out(read.rest.length > 1 ? `${name}\t${entry.path}\n` : `${entry.path}\n`);
    } else if (!builtins.has(name) && !shell.functions.has(name) && !name.includes('/')) {
      const found = findInPath(shell, name);
      if ('error' in found) status = fail(call, `${name}: not found`);
      else shell.hashTable.set(name, { path: found.path, hits: 0 });
    }
  }
  return status;
};

function aliasLine(name: string, value: string): string {
  return `alias ${name}='${value.replaceAll("'", "'\\''")}'\n`;
}

/** `alias`. */
export const aliasBuiltin: Builtin = (call) => {
  const { shell } = call;
  const read = readOptions(call, 'p');
  if (read === undefined) return 2;
  if (read.rest.length === 0 || read.options.length > 0)
    for (const name of [...shell.aliases.keys()].sort())
      shell.out(aliasLine(name, shell.aliases.get(name) ?? ''));
  let status = 0;
  for (const arg of read.rest) {
    const equals = arg.indexOf('=', 1);
    const name = equals === -1 ? arg : arg.slice(0, equals);
    if (equals === -1) {
      const value = shell.aliases.get(name);
      if (value === undefined) status = fail(call, `${name}: not found`);
      else shell.out(aliasLine(name, value));
    } else if (containsSpecial(name) || name.includes('/'))
      status = fail(call, `\`${name}': invalid alias name`);
    else shell.aliases.set(name, arg.slice(equals + 1));
  }
  return status;
};

/** `unalias`. */
export const unaliasBuiltin: Builtin = (call) => {
  const read = readOptions(call, 'a');
  if (read === undefined) return 2;
  if (read.options.length > 0) {
    call.shell.aliases.clear();
    return 0;
  }
  if (read.rest.length === 0) {
    call.shell.err('unalias: usage: unalias [-a] name [name ...]\n');
    return 2;
  }
  let status = 0;
  for (const name of read.rest)
    if (!call.shell.aliases.delete(name)) status = fail(call, `${name}: not found`);
  return status;
};
