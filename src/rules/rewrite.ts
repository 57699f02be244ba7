/**
 * A rule's text with some names and literals exchanged for values.
 *
 * A template of a world has rules over names that get their value when a child is made; a child's own rules stand
 * alone, so the names become literals. Only free names count: the variable of a macro hides one of the same name.
 * The rest of the text stays as it is, comments and spacing too. Not covered: names and literals inside templates.
 */
import { type Json, ok, type Result, type RuleError, renderJson } from '../core/index.js';
import { type Node, partsOf } from './ast.js';
import { parseExpression } from './parser.js';
import { checkLength, guarded } from './rule.js';

/** What is exchanged; `undefined` leaves the piece as it is. */
export interface Rewriting {
  /** The value that a free name becomes. */
  readonly name?: (name: string) => Json | undefined;
  /** What a literal becomes; `pattern` is true for the regular expression of `matches`. */
  readonly literal?: (value: string | number | bigint, pattern: boolean) => Json | undefined;
}

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** Rewrites a rule. Errors: `rules/syntax` for text that is no rule. The result is a rule of the same form. */
export function rewriteRule(source: string, rewriting: Rewriting): Result<string, RuleError> {
  const edits: Edit[] = [];
  const parsed = guarded(source, () => {
    checkLength(source);
    collect(parseExpression(source), new Set(), { rewriting, edits });
  });
  if (!parsed.ok) return parsed;
  let text = '';
  let from = 0;
  for (const edit of edits.sort((a, b) => a.at - b.at)) {
    text += source.slice(from, edit.at) + edit.text;
    from = edit.end;
  }
  return ok(text + source.slice(from));
}

interface Collecting {
  readonly rewriting: Rewriting;
  readonly edits: Edit[];
}

function collect(node: Node, bound: ReadonlySet<string>, into: Collecting): void {
  const { rewriting, edits } = into;
  if (node.kind === 'name') {
    const value = bound.has(node.name) ? undefined : rewriting.name?.(node.name);
    if (value !== undefined) edits.push({ at: node.at, end: node.end, text: literalText(value) });
    return;
  }
  if (node.kind === 'literal') {
    literal(node, false, into);
    return;
  }
  if (node.kind === 'macro') {
    collect(node.target, bound, into);
    const inner = new Set([...bound, node.variable]);
    for (const body of node.bodies) collect(body, inner, into);
    return;
  }
  if (node.kind === 'call' && node.name === 'matches') {
    for (const [index, part] of node.args.entries()) {
      if (index === 1 && part.kind === 'literal') literal(part, true, into);
      else collect(part, bound, into);
    }
    return;
  }
  for (const part of partsOf(node)) collect(part, bound, into);
}

function literal(node: Extract<Node, { kind: 'literal' }>, pattern: boolean, into: Collecting): void {
  const { value } = node;
  if (value === null || typeof value === 'boolean') return;
  const changed = into.rewriting.literal?.(value, pattern);
  if (changed !== undefined) into.edits.push({ at: node.at, end: node.end, text: literalText(changed) });
}

/** A value as the rules language writes it: JSON, whose strings, lists and maps it reads; negatives in brackets. */
function literalText(value: Json): string {
  if ((typeof value === 'number' || typeof value === 'bigint') && value < 0) return `(${value})`;
  return renderJson(value);
}
