/**
 * Tools on things of several kinds that say by an argument which kind is meant: `delete_object(type, id)`.
 *
 * Each kind that other tools of the server speak of becomes a case, read as if the tool were called `delete_task`.
 * The argument must be required, list its values, and the tool's own object must say nothing (`object`, `item`).
 * Kinds that no other tool knows are no cases; nobody can compute what they give.
 */
import { isGeneric } from './infer-nouns.js';
import type { Property } from './infer-schema.js';
import type { ToolFacts } from './infer-tool.js';
import { singularWords, splitWords } from './words.js';

/** The facts, with cases for tools that choose a kind of thing by an argument. */
export function withKinds(tools: readonly ToolFacts[]): ToolFacts[] {
  const spoken = new Set(tools.map((facts) => facts.object.join(' ')));
  return tools.map((facts) => {
    if (facts.dispatch !== undefined || !isGeneric(facts.object)) return facts;
    const chooser = facts.args.find((argument) => isKind(argument));
    const values = chooser === undefined ? [] : kindsOf(chooser).filter((value) => spoken.has(words(value)));
    if (chooser === undefined || values.length < 2) return facts;
    const args = facts.args.filter((argument) => argument !== chooser);
    const cases = values.map((value) => ({ value, facts: caseOf(facts, value, args) }));
    return { ...facts, dispatch: { argument: chooser.name, cases } };
  });
}

function isKind(argument: Property): boolean {
  return argument.required && ['type', 'kind'].includes(splitWords(argument.name).at(-1) ?? '');
}

function kindsOf(argument: Property): string[] {
  return argument.choices.filter((choice): choice is string => typeof choice === 'string').slice(0, 64);
}

function words(value: string): string {
  return singularWords(splitWords(value)).join(' ');
}

function caseOf(facts: ToolFacts, value: string, args: readonly Property[]): ToolFacts {
  const object = singularWords(splitWords(value));
  return {
    ...facts,
    id: `${facts.tool}#${value}`,
    description: '',
    parsed: { ...facts.parsed, object, plural: false },
    object,
    args,
  };
}
