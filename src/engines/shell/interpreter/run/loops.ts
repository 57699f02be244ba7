/**
 * `for`, `select`, `while`, `until`, `for ((…))` and `((…))`.
 */
import type { Running } from '../../kernel/index.js';
import type {
  ArithmeticCommand,
  ArithmeticForCommand,
  Command,
  ForCommand,
  WhileCommand,
} from '../../syntax/ast.js';
import { readLine } from '../builtins/read-line.js';
import { expandArithmeticText } from '../expand/expander.js';
import { evaluate, writeName } from '../expand/names.js';
import { ShellFailure } from '../failures.js';
import type { Shell } from '../shell.js';
import { ATTRIBUTE } from '../state/variable.js';
import { flushOutput } from './output.js';
import { ignoring, run } from './run-command.js';
import { withOutputs } from './substitution.js';
import { debugTrap, traceLine } from './trace.js';
import { expandWords } from './words.js';

/** What a loop does after its body: goes on, or ends. */
function afterBody(shell: Shell): 'next' | 'end' {
  const { jump } = shell;
  if (jump === undefined) return 'next';
  if (jump.kind !== 'break' && jump.kind !== 'continue') return 'end';
  if (jump.levels > 1) {
    jump.levels -= 1;
    return 'end';
  }
  shell.jump = undefined;
  return jump.kind === 'break' ? 'end' : 'next';
}

/** Runs a loop around `body`, counting its level. */
function* looped(shell: Shell, running: Running<number>): Running<number> {
  shell.loopDepth += 1;
  try {
    return yield* running;
  } finally {
    shell.loopDepth -= 1;
  }
}

/** Runs `while` and `until`. */
export function* runWhile(shell: Shell, command: WhileCommand): Running<number> {
  return yield* looped(shell, whileTurns(shell, command));
}

function* whileTurns(shell: Shell, command: WhileCommand): Running<number> {
  let status = 0;
  for (;;) {
    const test = yield* ignoring(shell, command.test);
    if (shell.jump !== undefined) {
      if (afterBody(shell) === 'end') return status;
      continue;
    }
    if ((test === 0) !== (command.kind === 'while')) return status;
    status = yield* run(shell, command.body);
    if (afterBody(shell) === 'end') return status;
  }
}

/** The words of `for` and `select`, and the check of its name. */
function* loopWords(shell: Shell, command: ForCommand): Running<readonly string[]> {
  shell.line = command.line + shell.lineOffset;
  const name = command.name.text;
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new ShellFailure(`\`${name}': not a valid identifier`, 'command');
  return command.words === undefined ? shell.positional : yield* expandWords(shell, command.words);
}

/** Runs `for`. */
export function* runFor(shell: Shell, command: ForCommand): Running<number> {
  const words = yield* loopWords(shell, command);
  return yield* looped(shell, forTurns(shell, command, words));
}

function* forTurns(shell: Shell, command: ForCommand, words: readonly string[]): Running<number> {
  let status = 0;
  for (const word of words) {
    shell.line = command.line + shell.lineOffset;
    yield* debugTrap(shell, command);
    yield* traceLine(
      shell,
      `for ${command.name.text} in ${command.words?.map((one) => one.text).join(' ') ?? '"$@"'}`,
    );
    const variable = shell.variables.findPlain(command.name.text);
    if (variable?.has(ATTRIBUTE.reference) === true) variable.text = word;
    else if (variable?.has(ATTRIBUTE.readonly) === true)
      throw new ShellFailure(`${command.name.text}: readonly variable`, 'command');
    else writeName(shell, { name: command.name.text, value: word });
    status = yield* run(shell, command.body);
    if (afterBody(shell) === 'end') return status;
  }
  return status;
}

/** The table of choices that `select` shows. */
function menu(shell: Shell, words: readonly string[]): string {
  const columns = Number(shell.variables.find('COLUMNS')?.value ?? 80) || 80;
  const digits = String(words.length).length;
  const longest = words.reduce((most, word) => Math.max(most, word.length), 0);
  const width = longest + digits + 2;
  let perRow = Math.max(1, Math.floor(columns / (width + 2)));
  let rows = Math.ceil(words.length / perRow);
  perRow = Math.ceil(words.length / rows);
  if (rows === 1) {
    rows = perRow;
    perRow = 1;
  }
  let out = '';
  for (let row = 0; row < rows; row += 1) {
    let line = '';
    for (let index = row; index < words.length; index += rows) {
      const entry = `${String(index + 1).padStart(digits)}) ${words[index]}`;
      line += index + rows < words.length ? `${entry.padEnd(width)}  ` : entry;
    }
    out += `${line}\n`;
  }
  return out;
}

/** Runs `select`. */
export function* runSelect(shell: Shell, command: ForCommand): Running<number> {
  const words = yield* loopWords(shell, command);
  if (words.length === 0) return 0;
  return yield* looped(shell, selectTurns(shell, command, words));
}

function* selectTurns(shell: Shell, command: ForCommand, words: readonly string[]): Running<number> {
  let status = 0;
  let shows = true;
  for (;;) {
    if (shows) shell.err(menu(shell, words));
    shell.err(shell.variables.find('PS3')?.value ?? '#? ');
    yield* flushOutput(shell);
    const line = yield* readLine(shell, 0);
    if (line === null) {
      shell.out('\n');
      yield* flushOutput(shell);
      return 1;
    }
    writeName(shell, { name: 'REPLY', value: line });
    if (line === '') {
      shows = true;
      continue;
    }
    const choice = /^\s*\d+\s*$/.test(line) ? words[Number(line) - 1] : undefined;
    writeName(shell, { name: command.name.text, value: choice ?? '' });
    status = yield* run(shell, command.body);
    if (afterBody(shell) === 'end') return status;
    shows = shell.variables.find('REPLY')?.value === '' || shell.variables.find('REPLY') === undefined;
  }
}

/** Evaluates one expression of `((…))` or `for ((…))`. */
function* arithmetic(shell: Shell, text: string): Running<bigint> {
  shell.commandName = '((';
  try {
    return yield* withOutputs(shell, () => evaluate(shell, expandArithmeticText(shell, text)));
  } catch (error) {
    if (error instanceof ShellFailure && error.effect === 'discard')
      throw new ShellFailure(error.message, 'command');
    throw error;
  } finally {
    shell.commandName = '';
  }
}

/** Runs `((…))`. */
export function* runArithmetic(shell: Shell, command: ArithmeticCommand): Running<number> {
  shell.line = command.line + shell.lineOffset;
  yield* debugTrap(shell, command);
  yield* traceLine(shell, `(( ${command.expression.trim()} ))`);
  const value = yield* arithmetic(shell, command.expression);
  const status = value === 0n ? 1 : 0;
  shell.pipeStatus = [status];
  return status;
}

/** Runs `for ((…))`. */
export function* runArithmeticFor(shell: Shell, command: ArithmeticForCommand): Running<number> {
  return yield* looped(shell, arithmeticTurns(shell, command));
}

function* part(shell: Shell, command: Command, text: string): Running<bigint> {
  shell.line = command.line + shell.lineOffset;
  if (text.trim() === '') return 1n;
  yield* traceLine(shell, `(( ${text.trim()} ))`);
  return yield* arithmetic(shell, text);
}

function* arithmeticTurns(shell: Shell, command: ArithmeticForCommand): Running<number> {
  let status = 0;
  yield* part(shell, command, command.init);
  while ((yield* part(shell, command, command.test)) !== 0n) {
    status = yield* run(shell, command.body);
    if (afterBody(shell) === 'end') return status;
    yield* part(shell, command, command.step);
  }
  return status;
}
