/**
 * The variables of a new shell: those of its environment and its own.
 */
import { Parser } from '../syntax/parser.js';
import { ShellSyntaxError } from '../syntax/syntax-error.js';
import { hostName } from './prompt.js';
import type { Shell } from './shell.js';
import { installSpecials } from './special-variables.js';
import { AssociativeArray, IndexedArray } from './state/arrays.js';
import { ATTRIBUTE, Variable } from './state/variable.js';

const VERSION = '5.2.15(1)-release';

function define(shell: Shell, name: string, value: string, attributes = 0): void {
  shell.variables.globals.set(name, new Variable(value, attributes));
}

/** Takes in the environment and defines what every shell has. */
export function defineVariables(shell: Shell): void {
  const { process: own } = shell;
  const { globals } = shell.variables;
  for (const [name, value] of own.env) {
    if (/^[A-Za-z_]\w*$/.test(name) && name !== '_') define(shell, name, value, ATTRIBUTE.exported);
    const functionName = /^BASH_FUNC_(.+)%%$/.exec(name)?.[1];
    if (functionName !== undefined) importFunction(shell, functionName, value);
  }
  installSpecials(shell);
  for (const name of shell.variables.specials.keys()) globals.delete(name);
  if (!globals.has('PATH'))
    define(shell, 'PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin');
  defineFolders(shell);
  const level = Number(globals.get('SHLVL')?.text ?? 0);
  define(
    shell,
    'SHLVL',
    String(Number.isInteger(level) && level >= 0 && level < 999 ? level + 1 : 1),
    ATTRIBUTE.exported,
  );
  define(shell, 'IFS', ' \t\n');
  define(shell, 'OPTIND', '1', ATTRIBUTE.integer);
  define(shell, 'OPTERR', '1');
  if (!globals.has('PS4')) define(shell, 'PS4', '+ ');
  define(shell, 'PPID', String(own.ppid), ATTRIBUTE.readonly | ATTRIBUTE.integer);
  define(shell, 'UID', String(own.realUid), ATTRIBUTE.readonly | ATTRIBUTE.integer);
  define(shell, 'EUID', String(own.uid), ATTRIBUTE.readonly | ATTRIBUTE.integer);
  if (shell.isPosixSh) return;
  define(shell, 'BASH', '/bin/bash');
  define(shell, 'BASH_VERSION', VERSION);
  const info = new Variable(undefined, ATTRIBUTE.indexed | ATTRIBUTE.readonly);
  info.array = new IndexedArray(['5', '2', '15', '1', 'release', 'x86_64-pc-linux-gnu']);
  globals.set('BASH_VERSINFO', info);
  for (const name of ['BASH_ARGC', 'BASH_ARGV']) {
    const array = new Variable(undefined, ATTRIBUTE.indexed);
    array.array = new IndexedArray();
    globals.set(name, array);
  }
  for (const name of ['BASH_ALIASES', 'BASH_CMDS']) {
    const array = new Variable(undefined, ATTRIBUTE.associative);
    array.array = new AssociativeArray();
    globals.set(name, array);
  }
  define(shell, 'HOSTTYPE', 'x86_64');
  define(shell, 'MACHTYPE', 'x86_64-pc-linux-gnu');
  define(shell, 'OSTYPE', 'linux-gnu');
  if (!globals.has('HOSTNAME')) define(shell, 'HOSTNAME', hostName(shell));
  if (!globals.has('TERM')) define(shell, 'TERM', 'dumb');
  shell.randomSeed = Math.floor(own.random() * 0x7fffffff) + 1;
}

function defineFolders(shell: Shell): void {
  const { globals } = shell.variables;
  const given = globals.get('PWD')?.text;
  let folder = '/';
  try {
    folder = shell.process.getcwd();
    if (given?.startsWith('/') === true && shell.process.stat(given).ino === shell.process.cwdIno)
      folder = given;
  } catch {
    // A folder that is gone or hidden: the shell says so when it is asked.
  }
  define(shell, 'PWD', folder, ATTRIBUTE.exported);
  shell.logicalCwd = folder;
  if (!globals.has('OLDPWD')) globals.set('OLDPWD', new Variable(undefined, ATTRIBUTE.exported));
}

function importFunction(shell: Shell, name: string, text: string): void {
  try {
    const command = new Parser(`${name} ${text}`, {}).next();
    if (command?.kind !== 'function') return;
    shell.functions.set(name, {
      definition: command,
      source: 'environment',
      lineOffset: 0,
      isExported: true,
      isReadonly: false,
      isTraced: false,
    });
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
  }
}
