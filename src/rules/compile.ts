/**
 * From a tree to closures: what can be known before a rule runs is checked and resolved here.
 *
 * Unknown functions, wrong numbers of arguments, unknown names (when the known ones are given) and constant regular
 * expressions that cannot be used are found now. Macro variables become slots, so that running needs no lookups.
 * Each closure pays one step and then does one thing; recursion is as deep as the tree, which the parser bounds.
 */
import { type Json, nearestName } from '../core/index.js';
import { compute, negate } from './arithmetic.js';
import type { ChainPart, ComparisonOperator, Node } from './ast.js';
import { compileCall } from './calls.js';
import { didYouMean, type RuleFault, syntaxFault } from './fault.js';
import { FUNCTIONS } from './functions.js';
import { add } from './list-functions.js';
import { compileLogic } from './logic.js';
import { compileMacro } from './macros.js';
import type { Run } from './run.js';
import { type Code, constant, type NodeOf, type Scope } from './scope.js';
import {
  elementOf,
  equals,
  fieldOf,
  isList,
  isMap,
  kindOf,
  order,
  ownValue,
  setOwn,
  show,
} from './values.js';

/** Compiles a node. Throws a syntax fault for what can be known to be wrong. */
export function compileNode(node: Node, scope: Scope): Code {
  switch (node.kind) {
    case 'literal':
      return constant(node.value);
    case 'name':
      return compileName(node, scope);
    case 'list':
      return compileList(node, scope);
    case 'entries':
      return compileEntries(node, scope);
    case 'field':
      return compileField(node, scope);
    case 'index':
      return compileIndex(node, scope);
    case 'has':
      return compileHas(node, scope);
    case 'call':
      return compileCall(node, scope, compileNode);
    case 'macro':
      return compileMacro(node, scope, compileNode);
    case 'not':
    case 'negate':
      return compileUnary(node, scope);
    case 'chain':
      return compileChain(node, scope);
    case 'compare':
      return compileCompare(node, scope);
    case 'and':
    case 'or':
      return compileLogic(node, scope, compileNode);
    case 'choice':
      return compileChoice(node, scope);
  }
}

function compileName(node: NodeOf<'name'>, scope: Scope): Code {
  const { name } = node;
  const slot = scope.variables.get(name);
  if (slot !== undefined) {
    return (run) => {
      run.spend(1);
      return run.locals[slot] as Json;
    };
  }
  if (scope.known !== undefined && !scope.known.includes(name)) throw unknownName(node, scope);
  scope.found.add(name);
  return (run) => {
    run.where = node;
    run.spend(1);
    return run.lookup(name);
  };
}

function unknownName(node: NodeOf<'name'>, scope: Scope): RuleFault {
  const names = [...scope.variables.keys(), ...(scope.known ?? [])];
  const nearest = nearestName(node.name, names);
  const list = names.length === 0 ? 'no names are known here' : `known are ${names.slice(0, 20).join(', ')}`;
  const isFunction = FUNCTIONS.has(node.name) ? ' (it is a function: call it with brackets)' : '';
  return syntaxFault(node, `unknown name "${node.name}"${isFunction}; ${list}.${didYouMean(nearest)}`, {
    name: node.name,
    nearest,
  });
}

function compileList(node: NodeOf<'list'>, scope: Scope): Code {
  const items = node.items.map((item) => compileNode(item, scope));
  return (run) => {
    run.where = node;
    run.reserve(items.length + 1, 'list');
    return items.map((item) => item(run));
  };
}

function compileEntries(node: NodeOf<'entries'>, scope: Scope): Code {
  const entries = node.entries.map(([key, value]) => ({
    key: compileKey(key, scope),
    value: compileNode(value, scope),
    where: key,
  }));
  return (run) => {
    run.where = node;
    run.reserve(entries.length + 1, 'map');
    const map: Record<string, Json> = {};
    for (const { key, value, where } of entries) {
      const name = key(run);
      run.where = where;
      if (typeof name !== 'string')
        throw run.error(() => `a map key must be a string; here is ${show(name)}`);
      if (Object.hasOwn(map, name)) throw run.error(() => `the map has the key ${show(name)} twice`);
      setOwn(map, name, value(run));
    }
    return map;
  };
}

/** A key is an expression, as in CEL; a bare unknown name there is most likely a missing pair of quotes. */
function compileKey(key: Node, scope: Scope): Code {
  if (key.kind === 'name' && !scope.variables.has(key.name) && scope.known?.includes(key.name) === false) {
    throw syntaxFault(key, `keys of a map are quoted: write '${key.name}'`);
  }
  return compileNode(key, scope);
}

function compileField(node: NodeOf<'field'>, scope: Scope): Code {
  const target = compileNode(node.target, scope);
  const { name } = node;
  return (run) => {
    const value = target(run);
    run.where = node;
    run.spend(1);
    return fieldOf(run, value, name);
  };
}

function compileIndex(node: NodeOf<'index'>, scope: Scope): Code {
  const target = compileNode(node.target, scope);
  const key = compileNode(node.key, scope);
  return (run) => {
    const value = target(run);
    const at = key(run);
    run.where = node;
    run.spend(1);
    if (isList(value)) return elementOf(run, value, at);
    if (typeof at === 'string') return fieldOf(run, value, at);
    if (isMap(value)) throw run.error(() => `a map is indexed by a string; here is ${show(at)}`);
    const hint = typeof value === 'string' ? '; use substring(text, start, end)' : '';
    throw run.error(() => `a ${kindOf(value)} has no elements; the value is ${show(value)}${hint}`);
  };
}

function compileHas(node: NodeOf<'has'>, scope: Scope): Code {
  const target = compileNode(node.target, scope);
  const key = typeof node.key === 'string' ? constant(node.key) : compileNode(node.key, scope);
  return (run) => {
    const value = target(run);
    const at = key(run);
    run.where = node;
    run.spend(1);
    if (isMap(value)) return typeof at === 'string' && ownValue(value, at) !== undefined;
    return isList(value) && typeof at === 'number' && value[at] !== undefined;
  };
}

function compileUnary(node: NodeOf<'not' | 'negate'>, scope: Scope): Code {
  const operand = compileNode(node.value, scope);
  const { kind } = node;
  return (run) => {
    const value = operand(run);
    run.where = node;
    run.spend(1);
    if (kind === 'negate') return negate(run, value);
    if (typeof value !== 'boolean')
      throw run.error(() => `! needs a bool; here is ${kindOf(value)} ${show(value)}`);
    return !value;
  };
}

function compileChain(node: NodeOf<'chain'>, scope: Scope): Code {
  const first = compileNode(node.first, scope);
  const rest = node.rest.map((part: ChainPart) => ({
    part,
    op: part.op,
    code: compileNode(part.value, scope),
  }));
  return (run) => {
    let value = first(run);
    for (const { part, op, code } of rest) {
      const right = code(run);
      run.where = part;
      run.spend(1);
      value = op === '+' ? add(run, value, right) : compute(run, op, [value, right]);
    }
    return value;
  };
}

function compileCompare(node: NodeOf<'compare'>, scope: Scope): Code {
  const left = compileNode(node.left, scope);
  const right = compileNode(node.right, scope);
  const compare = COMPARISONS[node.op];
  return (run) => {
    const a = left(run);
    const b = right(run);
    run.where = node;
    run.spend(1);
    return compare(run, a, b);
  };
}

const COMPARISONS: Readonly<Record<ComparisonOperator, (run: Run, a: Json, b: Json) => boolean>> = {
  '==': (run, a, b) => equals(run, a, b),
  '!=': (run, a, b) => !equals(run, a, b),
  '<': (run, a, b) => order(run, a, b) < 0,
  '<=': (run, a, b) => order(run, a, b) <= 0,
  '>': (run, a, b) => order(run, a, b) > 0,
  '>=': (run, a, b) => order(run, a, b) >= 0,
  in: (run, a, b) => {
    if (isList(b)) return b.some((item) => equals(run, item, a));
    if (isMap(b)) return typeof a === 'string' && ownValue(b, a) !== undefined;
    const hint = typeof b === 'string' ? '; use text.contains(part)' : '';
    throw run.error(() => `in needs a list or a map on its right; here is ${kindOf(b)} ${show(b)}${hint}`);
  },
};

function compileChoice(node: NodeOf<'choice'>, scope: Scope): Code {
  const test = compileNode(node.test, scope);
  const yes = compileNode(node.yes, scope);
  const no = compileNode(node.no, scope);
  return (run) => {
    const value = test(run);
    if (value === true) return yes(run);
    if (value === false) return no(run);
    run.where = node.test;
    throw run.error(
      () => `?: needs a bool before the question mark; here is ${kindOf(value)} ${show(value)}`,
    );
  };
}
