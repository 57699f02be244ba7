/**
 * The facts of one tool: its name read as a sentence, its arguments, its answer, and the cases of a tool that
 * chooses by an argument (`method: create | update | delete`).
 *
 * Each case becomes facts of its own, read from "value + noun of the tool", so that everything later treats it like
 * a tool. Source: the tool definition as the server lists it. Nothing is decided here about what a tool does.
 */
import type { JsonObject } from '../../../core/index.js';
import { isJsonObject } from '../../../core/index.js';
import type { ToolDefinition } from '../../../domains/index.js';
import { explicitKey, keyStrength } from './infer-keys.js';
import { itemPropertiesOf, own, type Property, propertiesOf } from './infer-schema.js';
import { isPlural, singularOf, singularWords, splitWords } from './words.js';
import { commonPrefix, type ParsedName, parseName, withoutMark } from './words-name.js';
import { plainVerbOf, type Verb, verbOfParticiple } from './words-verbs.js';

/** What is known of one tool, or of one case of a tool. */
export interface ToolFacts {
  /** The tool's name; for a case `tool#value`. */
  readonly id: string;
  readonly tool: string;
  readonly description: string;
  /** Words of the name without the server's prefix. */
  readonly words: readonly string[];
  /** The prefix that was dropped. */
  readonly prefix: readonly string[];
  readonly parsed: ParsedName;
  /** The object in the singular, without marks; empty if the name has none. */
  readonly object: readonly string[];
  /** A state named before the object: the completed ones of `clear_completed_todos`. */
  readonly state?: Verb;
  readonly args: readonly Property[];
  readonly inputRoot: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  readonly readOnly: boolean | undefined;
  readonly dispatch?: { readonly argument: string; readonly cases: readonly DispatchCase[] };
}

/** One value of a choosing argument, with the facts of what it then does. */
export interface DispatchCase {
  readonly value: string;
  readonly facts: ToolFacts;
}

/** Names of arguments that choose what a tool does. */
export const DISPATCH_NAMES = new Set([
  'method',
  'action',
  'operation',
  'command',
  'op',
  'mode',
  'subcommand',
  'verb',
]);
const DISPATCH_CASES = 64;

/** Reads all tools of a server. Never throws, whatever the schemas are. */
export function readTools(tools: readonly ToolDefinition[]): ToolFacts[] {
  const names = tools.map((tool) => splitWords(tool.name));
  const prefix = commonPrefix(names);
  return tools.map((tool, i) => {
    const words = names[i] ?? [];
    const drop = prefix.every((word, at) => words[at] === word) && words.length > prefix.length;
    return readTool(tool, drop ? words.slice(prefix.length) : words, drop ? prefix : []);
  });
}

function readTool(tool: ToolDefinition, words: readonly string[], prefix: readonly string[]): ToolFacts {
  const description = (tool.description ?? tool.title ?? tool.annotations?.title ?? '').slice(0, 4000);
  const inputRoot = isJsonObject(tool.inputSchema) ? tool.inputSchema : {};
  const args = propertiesOf(inputRoot, inputRoot);
  const parsed = parseName(words, description);
  const base: ToolFacts = {
    id: tool.name,
    tool: tool.name,
    description,
    words,
    prefix,
    parsed,
    ...objectWords(parsed),
    args,
    inputRoot,
    outputSchema: isJsonObject(tool.outputSchema) ? tool.outputSchema : undefined,
    readOnly: tool.annotations?.readOnlyHint,
  };
  const chooser = args.find(isChooser);
  return chooser === undefined ? base : { ...base, dispatch: readDispatch(base, chooser) };
}

function objectWords(parsed: ParsedName): { readonly object: readonly string[]; readonly state?: Verb } {
  const object = singularWords(withoutMark(parsed.object, parsed.verb));
  const state = object.length > 1 ? verbOfParticiple(object[0] ?? '') : undefined;
  return state === undefined ? { object } : { object: object.slice(1), state };
}

/** An argument such as `method` whose values are mostly verbs, alone or in front of a noun. */
function isChooser(argument: Property): boolean {
  if (!DISPATCH_NAMES.has(argument.name.toLowerCase())) return false;
  const values = choicesOf(argument);
  if (values.length < 2 || values.length > DISPATCH_CASES) return false;
  const verbs = values.filter((value) => splitWords(value).some((word) => plainVerbOf(word) !== undefined));
  return verbs.length * 2 >= values.length;
}

/** Values of an enum, or those a description lists as `- value - what it does` or `'value'`. */
function choicesOf(argument: Property): string[] {
  const listed = argument.choices.filter((choice): choice is string => typeof choice === 'string');
  if (listed.length > 0 || !argument.types.includes('string')) return listed;
  const found = [
    ...argument.description.matchAll(/(?:^|\n)\s*[-*\d.]+\s*['"`]?([a-z][a-z_]{1,40})['"`]?\s*(?:-|:|–)/g),
  ];
  const quoted =
    found.length > 0 ? found : [...argument.description.matchAll(/['"`]([a-z][a-z_]{1,40})['"`]/g)];
  return [...new Set(quoted.map((match) => match[1] ?? ''))];
}

function readDispatch(base: ToolFacts, chooser: Property): NonNullable<ToolFacts['dispatch']> {
  const args = base.args.filter((argument) => argument !== chooser);
  const cases = choicesOf(chooser).map((value) => ({ value, facts: readCase(base, value, args) }));
  return { argument: chooser.name, cases };
}

function readCase(base: ToolFacts, value: string, args: readonly Property[]): ToolFacts {
  const own = parseName(splitWords(value), '');
  const noun = base.object;
  const keyed = noun.some((_, i) => hasOwnKey(args, noun.slice(0, i + 1)));
  const object = caseObject(objectWords(own).object, noun, keyed);
  const plural = own.object.length > 0 ? own.plural : own.verb?.kind === 'list';
  return {
    ...base,
    id: `${base.tool}#${value}`,
    description: '',
    words: splitWords(value),
    parsed: { ...own, object, plural },
    object,
    args,
  };
}

/** An argument names a row of the noun by its own words, not as a `resource_id`. */
function hasOwnKey(args: readonly Property[], noun: readonly string[]): boolean {
  const key = explicitKey(args, noun);
  return key !== undefined && keyStrength(key, noun) === 3;
}

/** `get` of an issue tool means the issue; `get_comments` of one with an issue number means the comments. */
function caseObject(own: readonly string[], noun: readonly string[], keyed: boolean): readonly string[] {
  if (own.length === 0) return noun;
  const overlaps = own.some((word) => noun.includes(word) || noun.includes(singularOf(word)));
  return overlaps || !keyed ? own : [...noun, ...own];
}

/** All facts to infer from: cases instead of the tool that holds them. */
export function flatten(tools: readonly ToolFacts[]): ToolFacts[] {
  return tools.flatMap((tool) => tool.dispatch?.cases.map((one) => one.facts) ?? [tool]);
}

/** The list-of-objects arguments of a tool with the properties of their items. */
export function objectLists(facts: ToolFacts): { argument: Property; items: Property[] }[] {
  return facts.args.flatMap((argument) => {
    if (!argument.types.includes('array')) return [];
    const items = itemPropertiesOf(argument.schema, facts.inputRoot);
    return items === undefined ? [] : [{ argument, items }];
  });
}

/** True for an argument that is a list of texts or numbers. */
export function isScalarList(argument: Property, root: JsonObject): boolean {
  if (!argument.types.includes('array')) return false;
  const items = own(argument.schema, 'items');
  if (items === undefined) return true;
  return itemPropertiesOf(argument.schema, root) === undefined;
}

/** True when the tool speaks of several things: plural object, or `all`, `many`, `bulk` in its name. */
export function speaksOfMany(facts: ToolFacts): boolean {
  const many = ['all', 'many', 'multiple', 'bulk', 'batch', 'mass'];
  return (
    facts.parsed.plural ||
    facts.words.some((word) => many.includes(word) || (word.length > 3 && isPlural(word)))
  );
}
