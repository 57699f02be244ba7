/**
 * Tools that calculate, told from their cases.
 *
 * `add` makes a row in a tool that keeps things and a sum in one that calculates. Where the cases beside it are
 * calculations (`diff`, `convert`) and none reads or changes what it would make, it is a sum: a row that nobody could
 * read again would only label what nobody computed as computed.
 */
import type { ToolFacts } from './infer-tool.js';
import type { VerbKind } from './words-verbs.js';

const MAKES: ReadonlySet<VerbKind> = new Set(['create', 'add']);

/** The ids of cases that look as if they made something and calculate instead. */
export function calculatingCases(tools: readonly ToolFacts[]): ReadonlySet<string> {
  const found = tools.flatMap(({ dispatch }) => {
    const cases = dispatch?.cases.map((one) => one.facts) ?? [];
    const kinds = cases.flatMap(({ parsed }) => parsed.verb?.kind ?? []);
    const calculates = kinds.includes('act') && kinds.every((kind) => kind === 'act' || makes(kind));
    return calculates ? cases.filter(({ parsed }) => makes(parsed.verb?.kind)).map(({ id }) => id) : [];
  });
  return new Set(found);
}

function makes(kind: VerbKind | undefined): boolean {
  return kind !== undefined && MAKES.has(kind);
}
