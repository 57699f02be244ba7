/**
 * What the compiler of rules works with: code, and the names in sight.
 */
import type { Json } from '../core/index.js';
import type { Node } from './ast.js';
import type { Run } from './run.js';

/** Compiled code: computes a value in a run, or throws a fault. */
export type Code = (run: Run) => Json;

/** Compiles a node in a scope; handed to the parts of the compiler, so that they need not know each other. */
export type Compile = (node: Node, scope: Scope) => Code;

/** A node of one kind. */
export type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>;

/** What compiling knows and learns. */
export interface Scope {
  /** Macro variables in sight and their slots. */
  readonly variables: ReadonlyMap<string, number>;
  /** Free names found so far, shared by all scopes of one rule. */
  readonly found: Set<string>;
  /** Names that will have a value; undefined when that is not known yet. */
  readonly known: readonly string[] | undefined;
  /** Instructions of constant patterns so far, shared by all scopes of one rule. */
  readonly patterns: { size: number };
}

/** The scope of a whole rule. */
export function topScope(known: readonly string[] | undefined): Scope {
  return { variables: new Map(), found: new Set(), known, patterns: { size: 0 } };
}

/** Code that gives a constant. */
export function constant(value: Json): Code {
  return (run) => {
    run.spend(1);
    return value;
  };
}
