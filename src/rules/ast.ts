/**
 * The syntax tree of a rule.
 *
 * Chains of one precedence (`a + b - c`, `p && q && r`) are one node with a list, so that a long sum is not a deep
 * tree. `depth` is 1 + the deepest child: the parser refuses trees deeper than `LIMITS.ruleDepth`, which bounds
 * every recursion over a tree.
 */
import type { Range } from './fault.js';

/** Arithmetic operators. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
/** Comparison operators. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';
/** The macros: they bind a name per element. */
export const MACROS = ['all', 'exists', 'exists_one', 'filter', 'map'] as const;
/** One of {@link MACROS}. */
export type MacroName = (typeof MACROS)[number];

/** What all nodes share. */
export interface NodeBase extends Range {
  readonly depth: number;
}

/** One further part of an arithmetic chain. */
export interface ChainPart extends Range {
  readonly op: ArithmeticOperator;
  readonly value: Node;
}

/** A node of the tree, without place and depth. */
export type NodeShape =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | bigint | string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'entries'; readonly entries: readonly (readonly [Node, Node])[] }
  | { readonly kind: 'field'; readonly target: Node; readonly name: string }
  | { readonly kind: 'index'; readonly target: Node; readonly key: Node }
  | { readonly kind: 'has'; readonly target: Node; readonly key: Node | string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[]; readonly method: boolean }
  | {
      readonly kind: 'macro';
      readonly macro: MacroName;
      readonly target: Node;
      readonly variable: string;
      /** `map` with a condition has two: the condition, then the value. */
      readonly bodies: readonly Node[];
    }
  | { readonly kind: 'not' | 'negate'; readonly value: Node }
  | { readonly kind: 'chain'; readonly first: Node; readonly rest: readonly ChainPart[] }
  | { readonly kind: 'compare'; readonly op: ComparisonOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node };

/** A node of the tree. */
export type Node = NodeBase & NodeShape;

/** The nodes directly inside a node, but for those of a macro, which binds a name. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'list':
      return node.items;
    case 'entries':
      return node.entries.flat();
    case 'field':
      return [node.target];
    case 'index':
      return [node.target, node.key];
    case 'has':
      return typeof node.key === 'string' ? [node.target] : [node.target, node.key];
    case 'call':
      return node.args;
    case 'not':
    case 'negate':
      return [node.value];
    case 'chain':
      return [node.first, ...node.rest.map((part) => part.value)];
    case 'compare':
      return [node.left, node.right];
    case 'and':
    case 'or':
      return node.parts;
    case 'choice':
      return [node.test, node.yes, node.no];
    default:
      return [];
  }
}
