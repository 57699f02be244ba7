/**
 * What a condition wants to be equal: the fields of a bound map that must hold given values wherever it is true.
 *
 * From `row.id == args.id && row.open` it reads `id`, `args.id`. A store can then look at the rows that hold the value
 * instead of at all. Only whole parts of an outer `&&` count, since each of them must be true. The other side must
 * not use the map itself. Not covered: `in`, `||`, fields of fields.
 */
import type { Node } from './ast.js';
import { parseExpression } from './parser.js';
import { compileRule, guarded } from './rule.js';

/** A field that must hold the value of a rule. */
export interface Equality {
  readonly field: string;
  /** The source of the rule for its value; does not use the map. */
  readonly value: string;
}

/** The equalities that a condition states about the map of this name; none for a text that is no rule. Pure. */
export function equalitiesOf(source: string, name: string): readonly Equality[] {
  const found = guarded(source, () => {
    const node = parseExpression(source);
    const parts = node.kind === 'and' ? node.parts : [node];
    return parts.flatMap((part) => equalityIn(part, { source, name }));
  });
  return found.ok ? found.value : [];
}

interface About {
  readonly source: string;
  readonly name: string;
}

function equalityIn(part: Node, about: About): Equality[] {
  if (part.kind !== 'compare' || part.op !== '==') return [];
  const [left, right] = [fieldOf(part.left, about.name), fieldOf(part.right, about.name)];
  if (left !== undefined && right === undefined) return equality(left, part.right, about);
  if (right !== undefined && left === undefined) return equality(right, part.left, about);
  return [];
}

function equality(field: string, other: Node, about: About): Equality[] {
  const value = about.source.slice(other.at, other.end);
  const rule = compileRule(value);
  return rule.ok && !rule.value.names.includes(about.name) ? [{ field, value }] : [];
}

/** The field that a node reads of the map, directly. */
function fieldOf(node: Node, name: string): string | undefined {
  if (node.kind === 'field' && node.target.kind === 'name' && node.target.name === name) return node.name;
  if (node.kind !== 'index' || node.target.kind !== 'name' || node.target.name !== name) return undefined;
  return node.key.kind === 'literal' && typeof node.key.value === 'string' ? node.key.value : undefined;
}
