/**
 * What a shell tells while it runs: `set -x` lines and the DEBUG trap.
 */
import { type Running, SystemError } from '../../kernel/index.js';
import type { Command } from '../../syntax/ast.js';
import { renderPrompt } from '../prompt.js';
import type { Shell } from '../shell.js';
import { ansiQuoted, containsSpecial, needsAnsiQuotes, singleQuoted } from '../state/quoting.js';
import { flushOutput } from './output.js';
import { withOutputs } from './substitution.js';
import { runTrap } from './traps.js';

/** A word as a trace line shows it. */
export function tracedWord(word: string): string {
  if (word === '') return "''";
  if (containsSpecial(word)) return singleQuoted(word);
  return needsAnsiQuotes(word) ? ansiQuoted(word) : word;
}

/** Writes a trace line when `set -x` is on. */
export function* traceLine(shell: Shell, text: string): Running<void> {
  if (!shell.is('xtrace')) return;
  const ps4 = shell.variables.find('PS4')?.value ?? '';
  shell.options.delete('xtrace');
  let prefix: string;
  try {
    prefix = yield* withOutputs(shell, () => renderPrompt(shell, ps4));
  } finally {
    shell.options.add('xtrace');
  }
  const repeated = prefix.slice(0, 1).repeat(shell.traceLevel) + prefix;
  const line = `${repeated}${text}\n`;
  yield* flushOutput(shell);
  const fd = Number(shell.variables.find('BASH_XTRACEFD')?.value ?? 2);
  try {
    yield* shell.process.write(Number.isInteger(fd) && shell.process.isOpen(fd) ? fd : 2, line);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

/** Traces one test of `[[ … ]]`. */
export function* traceCondition(shell: Shell, words: readonly string[]): Running<void> {
  if (!shell.is('xtrace')) return;
  const shown = words.map((word, index) =>
    index === 1 && words.length === 3 ? word : word === '' ? "''" : word,
  );
  yield* traceLine(shell, `[[ ${shown.join(' ')} ]]`);
}

/** Runs the DEBUG trap before a command. */
export function* debugTrap(shell: Shell, command: Command): Running<void> {
  if (shell.runningTraps.has('DEBUG')) return;
  shell.currentCommand = command;
  const action = shell.traps.get('DEBUG');
  if (action === undefined || action === '') return;
  if (shell.frames.some((frame) => frame.isFunction) && !shell.is('functrace')) return;
  yield* runTrap(shell, 'DEBUG', action);
}
