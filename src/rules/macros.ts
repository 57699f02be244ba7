/**
 * The macros `all`, `exists`, `exists_one`, `filter`, `map`: the only loops of the language.
 *
 * They go over the elements of a list or the keys of a map, so a loop is never longer than the data; nested loops
 * are bounded by the run's fuel. `all` and `exists` treat errors as `&&` and `||` do (cel-spec, "Macros").
 */
import type { Json } from '../core/index.js';
import type { Node } from './ast.js';
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
  const loop: Loop = { node, slot, elements: (run) => elementsOf(run, target(run), node), body, where };
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

function decide({ slot, elements, body, where }: Loop, deciding: boolean): Code {
  return (run) => {
    const vote = new Vote(run, deciding);
    for (const element of elements(run)) {
      run.spend(1);
      run.locals[slot] = element;
      if (vote.cast(body, where)) return deciding;
    }
    return vote.undecided();
  };
}

function existsOne({ slot, elements, body, where }: Loop): Code {
  return (run) => {
    let found = 0;
    for (const element of elements(run)) {
      run.spend(1);
      run.locals[slot] = element;
      if (boolOf(run, body(run), where)) found++;
    }
    return found === 1;
  };
}

function filter({ slot, elements, body, where }: Loop): Code {
  return (run) => {
    const kept: Json[] = [];
    for (const element of elements(run)) {
      run.spend(1);
      run.locals[slot] = element;
      if (boolOf(run, body(run), where)) kept.push(element);
    }
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

function mapSome({ slot, elements, body, where }: Loop, value: Code): Code {
  return (run) => {
    const made: Json[] = [];
    for (const element of elements(run)) {
      run.spend(1);
      run.locals[slot] = element;
      if (boolOf(run, body(run), where)) made.push(value(run));
    }
    return made;
  };
}
