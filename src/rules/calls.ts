/**
 * Calls of functions: which function, how many arguments, and the regular expressions written in a rule.
 */
import { LIMITS, nearestName } from '../core/index.js';
import { MACROS } from './ast.js';
import { didYouMean, RuleFault, syntaxFault } from './fault.js';
import type { RuleFunction } from './function-arguments.js';
import { FUNCTIONS } from './functions.js';
import { compilePattern, type Pattern } from './pattern.js';
import { type Code, type Compile, constant, type NodeOf, type Scope } from './scope.js';
import { matchPattern } from './text-functions.js';
import { show } from './values.js';

/** Compiles a call of a function or method. */
export function compileCall(node: NodeOf<'call'>, scope: Scope, compile: Compile): Code {
  const { name } = node;
  const called = FUNCTIONS.get(name);
  if (called === undefined) throw unknownFunction(node);
  const [min, max] = called.arity;
  if (node.args.length < min || node.args.length > max) {
    const seen = `${node.args.length} argument${node.args.length === 1 ? '' : 's'}`;
    throw syntaxFault(
      node,
      `the form is ${called.form}; here are ${seen}${node.method ? ' with what is before the dot' : ''}`,
    );
  }
  const pattern = name === 'matches' ? constantPattern(node, scope) : undefined;
  const args = node.args.map((arg) => compile(arg, scope));
  return pattern === undefined ? callFunction(node, called, args) : callPattern(node, pattern, args);
}

function callFunction(node: NodeOf<'call'>, called: RuleFunction, args: readonly Code[]): Code {
  return (run) => {
    const values = args.map((arg) => arg(run));
    run.where = node;
    run.calling = node.name;
    run.spend(1);
    return called.apply(run, values);
  };
}

function callPattern(node: NodeOf<'call'>, pattern: Pattern, args: readonly Code[]): Code {
  const text = args[0] ?? constant(null);
  return (run) => {
    const value = text(run);
    run.where = node;
    if (typeof value !== 'string') throw run.error(() => `matches() needs a string; here is ${show(value)}`);
    return matchPattern(run, pattern, value);
  };
}

function unknownFunction(node: NodeOf<'call'>): RuleFault {
  const nearest = nearestName(node.name, [...FUNCTIONS.keys(), ...MACROS, 'has']);
  return syntaxFault(node, `unknown function "${node.name}".${didYouMean(nearest)}`, {
    name: node.name,
    nearest,
  });
}

/** The compiled pattern of `matches` when it is written in the rule; its mistakes are the rule's mistakes. */
function constantPattern(node: NodeOf<'call'>, scope: Scope): Pattern | undefined {
  const source = node.args[1];
  if (source?.kind !== 'literal' || typeof source.value !== 'string') return undefined;
  const pattern = compilePattern(source.value);
  if (!pattern.ok) {
    const { code, message } = pattern.error;
    throw new RuleFault(code === 'rules/budget' ? code : 'rules/syntax', source, () => message);
  }
  scope.patterns.size += pattern.value.size;
  if (scope.patterns.size > LIMITS.rulePatternSize) {
    const limit = `${LIMITS.rulePatternSize} instructions (rulePatternSize)`;
    throw new RuleFault(
      'rules/budget',
      source,
      () => `the patterns of this rule compile to more than ${limit}`,
    );
  }
  return pattern.value;
}
