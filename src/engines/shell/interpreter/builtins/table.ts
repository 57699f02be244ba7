/**
 * Every builtin by name.
 */

import type { Builtin } from './call.js';
import {
  aliasBuiltin,
  builtinBuiltin,
  commandBuiltin,
  enableBuiltin,
  hashBuiltin,
  knowBuiltins,
  typeOf,
  unaliasBuiltin,
} from './command-names.js';
import { declareNames, exportNames, readonlyNames } from './declare.js';
import {
  changeDirectory,
  listDirectories,
  popDirectory,
  printDirectory,
  pushDirectory,
} from './directories.js';
import {
  breakLoop,
  caller,
  continueLoop,
  evaluateText,
  execute,
  exitShell,
  failQuietly,
  returnFrom,
  sourceFile,
  succeed,
} from './flow.js';
import { compgenBuiltin, completeBuiltin, fixCommand, helpBuiltin, historyBuiltin } from './history.js';
import {
  backgroundBuiltin,
  disownBuiltin,
  foregroundBuiltin,
  jobsBuiltin,
  suspendBuiltin,
  waitBuiltin,
} from './jobs.js';
import {
  getoptsBuiltin,
  letBuiltin,
  shiftBuiltin,
  timesBuiltin,
  ulimitBuiltin,
  umaskBuiltin,
} from './numbers.js';
import { echo, printFormatted } from './output.js';
import { mapfile, readVariables } from './read.js';
import { setBuiltin, shoptBuiltin } from './set.js';
import { killBuiltin, trapBuiltin } from './signals.js';
import { testBuiltin } from './test.js';
import { unsetNames } from './unset.js';

export type { BuiltinCall } from './call.js';

/** The builtins. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['.', sourceFile],
  [':', succeed],
  ['[', testBuiltin],
  ['alias', aliasBuiltin],
  ['bg', backgroundBuiltin],
  ['bind', succeed],
  ['break', breakLoop],
  ['builtin', builtinBuiltin],
  ['caller', caller],
  ['cd', changeDirectory],
  ['command', commandBuiltin],
  ['compgen', compgenBuiltin],
  ['complete', completeBuiltin],
  ['compopt', succeed],
  ['continue', continueLoop],
  ['declare', declareNames],
  ['dirs', listDirectories],
  ['disown', disownBuiltin],
  ['echo', echo],
  ['enable', enableBuiltin],
  ['eval', evaluateText],
  ['exec', execute],
  ['exit', exitShell],
  ['export', exportNames],
  ['false', failQuietly],
  ['fc', fixCommand],
  ['fg', foregroundBuiltin],
  ['getopts', getoptsBuiltin],
  ['hash', hashBuiltin],
  ['help', helpBuiltin],
  ['history', historyBuiltin],
  ['jobs', jobsBuiltin],
  ['kill', killBuiltin],
  ['let', letBuiltin],
  ['local', declareNames],
  ['logout', exitShell],
  ['mapfile', mapfile],
  ['popd', popDirectory],
  ['printf', printFormatted],
  ['pushd', pushDirectory],
  ['pwd', printDirectory],
  ['read', readVariables],
  ['readarray', mapfile],
  ['readonly', readonlyNames],
  ['return', returnFrom],
  ['set', setBuiltin],
  ['shift', shiftBuiltin],
  ['shopt', shoptBuiltin],
  ['source', sourceFile],
  ['suspend', suspendBuiltin],
  ['test', testBuiltin],
  ['times', timesBuiltin],
  ['trap', trapBuiltin],
  ['true', succeed],
  ['type', typeOf],
  ['typeset', declareNames],
  ['ulimit', ulimitBuiltin],
  ['umask', umaskBuiltin],
  ['unalias', unaliasBuiltin],
  ['unset', unsetNames],
  ['wait', waitBuiltin],
]);

knowBuiltins(BUILTINS);

/** Builtins whose arguments may be assignments. */
export const DECLARATION_BUILTINS: ReadonlySet<string> = new Set([
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'alias',
]);

/** POSIX special builtins. */
export const SPECIAL_BUILTINS: ReadonlySet<string> = new Set([
  'break',
  ':',
  '.',
  'continue',
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
