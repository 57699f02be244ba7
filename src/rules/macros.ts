/**
 * The macros `all`, `exists`, `exists_one`, `filter`, `map`: the only loops of the language.
 *
 * They go over the elements of a list or the keys of a map, so a loop is never longer than the data; nested loops
 * are bounded by the run's fuel. `all` and `exists` treat errors as `&&` and `||` do (cel-spec, "Macros").
 */
import type { Json } from '../core/index.js';
import type { Node } from './ast.js';
import { goOverKeyed, type KeyedLoop, keyedLoop } from './keyed-loop.js';
import { boolOf, Vote } from './logic.js';
import type { Run } from './run.js';
import type { Code, Compile, NodeOf, Scope } from './scope.js';
import { isList, isMap, keysOf, kindOf, show } from './values.js';

type MacroNode = NodeOf<'macro'>;

interface Loop {
  readonly node: MacroNode;
  readonly slot: number;
  readonly elements: (run: Run) => readonly Json[];
  readonly body: Code;
  readonly where: Node;
  /** What the condition asks of an element; undefined where it must be tried on each. */
  readonly key: KeyedLoop | undefined;
}

/** Compiles a macro. */
export function compileMacro(node: MacroNode, scope: Scope, compile: Compile): Code {
  const target = compile(node.target, scope);
  const slot = Math.max(-1, ...scope.variables.values()) + 1;
  const inner = { ...scope, variables: new Map(scope.variables).set(node.variable, slot) };
  const bodies = node.bodies.map((body) => compile(body, inner));
  const [body, value] = bodies;
  const [where] = node.bodies;
  if (body === undefined || where === undefined) throw new Error('the parser gives every macro a body');
  const hasCondition = node.macro !== 'map' || value !== undefined;
  const asked = { variable: node.variable, condition: where };
  const key = hasCondition ? keyedLoop(node.macro, asked, (part) => compile(part, scope)) : undefined;
  const loop: Loop = { node, slot, elements: (run) => elementsOf(run, target(run), node), body, where, key };
  switch (node.macro) {
    case 'all':
      return decide(loop, false);
    case 'exists':
      return decide(loop, true);
    case 'exists_one':
      return existsOne(loop);
    case 'filter':
      return filter(loop);
    case 'map':
      return value === undefined ? map(loop) : mapSome(loop, value);
  }
}

function elementsOf(run: Run, target: Json, node: MacroNode): readonly Json[] {
  run.where = node;
  run.spend(1);
  if (isList(target)) return target;
  if (isMap(target)) return keysOf(run, target);
  throw run.error(
    () => `${node.macro}() goes over a list or the keys of a map; here is ${kindOf(target)} ${show(target)}`,
  );
}

/** Goes over the elements of which the condition may be true (in `all`: false), until `each` is true. */
function goOver(run: Run, { elements, slot, key }: Loop, each: (element: Json) => boolean): void {
  const list = elements(run);
  const tried = (element: Json): boolean => {
    run.locals[slot] = element;
    return each(element);
  };
  if (key !== undefined && goOverKeyed(run, { list, key }, tried)) return;
  for (const element of list) {
    run.spend(1);
    if (tried(element)) return;
  }
}

function decide(loop: Loop, deciding: boolean): Code {
  const { body, where } = loop;
  return (run) => {
    const vote = new Vote(run, deciding);
    let decided = false;
    goOver(run, loop, () => {
      decided = vote.cast(body, where);
      return decided;
    });
    return decided ? deciding : vote.undecided();
  };
}

function existsOne(loop: Loop): Code {
  const { body, where } = loop;
  return (run) => {
    let found = 0;
    goOver(run, loop, () => {
      if (boolOf(run, body(run), where)) found++;
      return false;
    });
    return found === 1;
  };
}

function filter(loop: Loop): Code {
  const { body, where } = loop;
  return (run) => {
    const kept: Json[] = [];
    goOver(run, loop, (element) => {
      if (boolOf(run, body(run), where)) kept.push(element);
      return false;
    });
    return kept;
  };
}

function map({ node, slot, elements, body }: Loop): Code {
  return (run) => {
    const list = elements(run);
    run.where = node;
    run.reserve(list.length, 'list');
    return list.map((element) => {
      run.locals[slot] = element;
      return body(run);
    });
  };
}

function mapSome(loop: Loop, value: Code): Code {
  const { body, where } = loop;
  return (run) => {
    const made: Json[] = [];
    goOver(run, loop, () => {
      if (boolOf(run, body(run), where)) made.push(value(run));
      return false;
    });
    return made;
  };
}
