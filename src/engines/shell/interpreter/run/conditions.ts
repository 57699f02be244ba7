/**
 * `if`, `case` and `[[ … ]]`.
 */
import type { Running } from '../../kernel/index.js';
import type { CaseCommand, Condition, ConditionalCommand, IfCommand } from '../../syntax/ast.js';
import { binaryTest, unaryTest } from '../builtins/test-operators.js';
import { expandPattern, expandRegex, expandText, matches } from '../expand/expander.js';
import { evaluate } from '../expand/names.js';
import { ShellFailure } from '../failures.js';
import { Regex, RegexError } from '../patterns/regex.js';
import type { Shell } from '../shell.js';
import { IndexedArray } from '../state/arrays.js';
import { ATTRIBUTE, Variable } from '../state/variable.js';
import { ignoring, run } from './run-command.js';
import { withOutputs } from './substitution.js';
import { debugTrap, traceCondition, traceLine } from './trace.js';

/** Runs `if`. */
export function* runIf(shell: Shell, command: IfCommand): Running<number> {
  const status = yield* ignoring(shell, command.test);
  if (shell.jump !== undefined) return status;
  if (status === 0) return yield* run(shell, command.then);
  if (command.otherwise === undefined) return 0;
  if (command.otherwise.kind === 'if' && command.otherwise.redirects.length === 0)
    return yield* runIf(shell, command.otherwise);
  return yield* run(shell, command.otherwise);
}

/** Runs `case`. */
export function* runCase(shell: Shell, command: CaseCommand): Running<number> {
  shell.line = command.line + shell.lineOffset;
  yield* debugTrap(shell, command);
  const subject = yield* withOutputs(shell, () => expandText(shell, command.word));
  yield* traceLine(shell, `case ${command.word.text} in`);
  let falls = false;
  let status = 0;
  for (const clause of command.clauses) {
    let found = falls;
    for (const word of clause.patterns) {
      if (found) break;
      const pattern = yield* withOutputs(shell, () => expandPattern(shell, word));
      found = matches(shell, subject, pattern);
    }
    if (!found) continue;
    falls = false;
    status = clause.body === undefined ? 0 : yield* run(shell, clause.body);
    if (clause.end === ';;' || shell.jump !== undefined) return status;
    falls = clause.end === ';&';
  }
  return status;
}

/** Runs `[[ … ]]`. */
export function* runConditionalCommand(shell: Shell, command: ConditionalCommand): Running<number> {
  shell.line = command.line + shell.lineOffset;
  yield* debugTrap(shell, command);
  shell.commandName = '[[';
  try {
    const status = yield* test(shell, command.condition);
    shell.pipeStatus = [status];
    return status;
  } finally {
    shell.commandName = '';
  }
}

function* test(shell: Shell, condition: Condition): Running<number> {
  switch (condition.kind) {
    case 'and': {
      const left = yield* test(shell, condition.left);
      return left === 0 ? yield* test(shell, condition.right) : left;
    }
    case 'or': {
      const left = yield* test(shell, condition.left);
      return left === 0 ? 0 : yield* test(shell, condition.right);
    }
    case 'not': {
      const inner = yield* test(shell, condition.inner);
      return inner === 0 ? 1 : 0;
    }
    case 'group':
      return yield* test(shell, condition.inner);
    case 'term': {
      const text = yield* withOutputs(shell, () => expandText(shell, condition.operand));
      yield* traceCondition(shell, ['-n', text]);
      return text !== '' ? 0 : 1;
    }
    case 'unary': {
      const text = yield* withOutputs(shell, () => expandText(shell, condition.operand));
      yield* traceCondition(shell, [condition.operator, text]);
      return unaryTest(shell, condition.operator, text) ? 0 : 1;
    }
    default:
      return yield* testBinary(shell, condition);
  }
}

function* testBinary(shell: Shell, condition: Condition & { kind: 'binary' }): Running<number> {
  const { operator } = condition;
  const left = yield* withOutputs(shell, () => expandText(shell, condition.left));
  if (operator === '=~') return yield* testRegex(shell, left, condition);
  if (operator === '==' || operator === '=' || operator === '!=') {
    const pattern = yield* withOutputs(shell, () => expandPattern(shell, condition.right));
    yield* traceCondition(shell, [left, operator, pattern]);
    return matches(shell, left, pattern) === (operator !== '!=') ? 0 : 1;
  }
  const right = yield* withOutputs(shell, () => expandText(shell, condition.right));
  yield* traceCondition(shell, [left, operator, right]);
  if (operator === '<') return left < right ? 0 : 1;
  if (operator === '>') return left > right ? 0 : 1;
  return binaryTest(shell, { operator, left, right, number: (text) => evaluate(shell, text) }) ? 0 : 1;
}

function* testRegex(shell: Shell, text: string, condition: Condition & { kind: 'binary' }): Running<number> {
  const source = yield* withOutputs(shell, () => expandRegex(shell, condition.right));
  yield* traceCondition(shell, [text, '=~', source]);
  const previous = shell.variables.globals.get('BASH_REMATCH');
  if (previous?.has(ATTRIBUTE.readonly) === true) throw new ShellFailure('BASH_REMATCH: readonly variable');
  let groups: (string | undefined)[] | undefined;
  try {
    groups = new Regex(source, shell.shopt('nocasematch')).match(text);
  } catch (error) {
    if (error instanceof RegexError) return 2;
    throw error;
  }
  const variable = new Variable(undefined, ATTRIBUTE.indexed);
  variable.array = new IndexedArray((groups ?? []).map((group) => group ?? ''));
  shell.variables.globals.set('BASH_REMATCH', variable);
  return groups === undefined ? 1 : 0;
}
