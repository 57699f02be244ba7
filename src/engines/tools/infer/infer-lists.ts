/**
 * Tools that add to or take from a list field of a row: `add_label(issue_number, labels)`, `tag_add_many([{id, tag}])`,
 * `add_observations([{entityName, contents}])`, `remove_user_from_group(user_id, group_id)`.
 *
 * Two signs are wanted: the arguments name a row of another noun, and what is left is one value whose name is the
 * tool's object (or the row is known to hold a list of that name). More values than that make a row of its own.
 */

import type { BatchIntent, Intent, IntentContext } from './infer-intent-types.js';
import { bestKey, explicitKey, keyWordsOf } from './infer-keys.js';
import type { Noun, Nouns } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import type { Property } from './infer-schema.js';
import { objectLists, speaksOfMany, type ToolFacts } from './infer-tool.js';
import { pluralOf, pluralWords, singularOf, singularWords, splitWords, startsWith } from './words.js';

/** The list change a tool makes; undefined if it makes none. */
export function listChange(given: ToolFacts, context: IntentContext): Intent | undefined {
  const { facts, before } = splitHolder(given, context.nouns);
  const kind = facts.parsed.verb?.kind;
  if ((kind !== 'add' && kind !== 'drop' && kind !== 'delete') || facts.object.length === 0) return undefined;
  const { args, batch } = changedArguments(facts);
  const holder = before === undefined ? holderOf(facts, context.nouns, args) : keyed(before, args);
  if (holder === undefined) return undefined;
  const field = listFieldOf(facts, holder.noun);
  const value = addedValue(facts, { args, key: holder.key, field });
  if (value === undefined) return undefined;
  if (field === undefined && kind === 'delete') return undefined;
  const others = args.filter(
    (argument) =>
      argument !== value &&
      argument !== holder.key &&
      argument.required &&
      !context.shared.has(argument.name) &&
      roleOf(argument, 'write') === 'value',
  );
  if (others.length > 0) return undefined;
  const op = kind === 'add' ? 'append' : 'remove';
  const listField = field ?? pluralWords(facts.object.slice(-1)).join('_');
  return {
    facts: given,
    op,
    noun: holder.noun.words,
    keyArgument: holder.key,
    ...(batch === undefined ? {} : { batch }),
    listField,
    value,
    why: `${value.name} ${op === 'append' ? 'is added to' : 'is taken from'} the ${listField} of the ${holder.noun.words.join(' ')} that ${holder.key.name} names`,
  };
}

/** card_add_label: the noun before the verb is what is changed, the one after it what is added. */
function splitHolder(facts: ToolFacts, nouns: Nouns): { readonly facts: ToolFacts; readonly before?: Noun } {
  const verb = facts.parsed.verb?.word ?? '';
  const at = facts.words.indexOf(verb);
  if (at <= 0 || facts.object.length < 2 || at >= facts.words.length - 1) return { facts };
  const before = nouns.known(singularWords(facts.words.slice(0, at)));
  return before === undefined ? { facts } : { facts: { ...facts, object: facts.object.slice(at) }, before };
}

function keyed(noun: Noun, args: readonly Property[]): { noun: Noun; key: Property } | undefined {
  const key = bestKey(args, noun.words, false);
  return key === undefined ? undefined : { noun, key };
}

/** The arguments that matter: those of the items if the tool takes a list of objects. */
function changedArguments(facts: ToolFacts): { args: readonly Property[]; batch: BatchIntent | undefined } {
  const [list, more] = objectLists(facts);
  if (list === undefined || more !== undefined || !speaksOfMany(facts))
    return { args: facts.args, batch: undefined };
  if (facts.args.some((argument) => argument !== list.argument && argument.required)) {
    return { args: facts.args, batch: undefined };
  }
  return { args: list.items, batch: { argument: list.argument, items: 'objects', properties: list.items } };
}

/** The noun whose row is named, other than the object itself. */
function holderOf(
  facts: ToolFacts,
  nouns: Nouns,
  args: readonly Property[],
): { noun: Noun; key: Property } | undefined {
  const object = facts.object.join(' ');
  const others = nouns.all().filter((noun) => noun.words.join(' ') !== object);
  for (const link of facts.parsed.links) {
    const noun = nouns.known(singularWords(link.object));
    const key = noun === undefined ? undefined : bestKey(args, noun.words, false);
    if (noun !== undefined && key !== undefined) return { noun, key };
  }
  const ownRows = nouns.known(facts.object) !== undefined;
  for (const noun of others) {
    if (ownRows && listFieldOf(facts, noun) === undefined && !startsWith(facts.object, noun.words)) continue;
    const key = exactKey(args, noun.words);
    if (key !== undefined && !key.types.includes('array') && keyWordsOf(key).stem.join(' ') !== object)
      return { noun, key };
  }
  const bare = bestKey(args, [], false);
  if (bare === undefined || nouns.known(facts.object) !== undefined) return undefined;
  const noun = others.length === 1 ? others[0] : nouns.main();
  return noun === undefined ? undefined : { noun, key: bare };
}

/** A key argument whose stem is the whole noun: `issue_number` for issues, not for sub-issues. */
function exactKey(args: readonly Property[], noun: readonly string[]): Property | undefined {
  const key = explicitKey(args, noun);
  if (key === undefined) return undefined;
  const { stem } = keyWordsOf(key);
  return stem.join(' ') === noun.join(' ') || (noun.length > stem.length && stem.length > 1)
    ? key
    : undefined;
}

/** A list property of the noun's rows that is named like the object: observations, tags. */
function listFieldOf(facts: ToolFacts, noun: Noun): string | undefined {
  const wanted = pluralOf(facts.object.at(-1) ?? '');
  for (const property of noun.made.values()) {
    if (property.types.includes('array') && splitWords(property.name).at(-1) === wanted) return property.name;
  }
  return undefined;
}

/** The argument that is added: named like the object, or the only one left when the list is known. */
function addedValue(
  facts: ToolFacts,
  has: { args: readonly Property[]; key: Property; field: string | undefined },
): Property | undefined {
  const object = facts.object.at(-1) ?? '';
  const rest = has.args.filter((argument) => argument !== has.key);
  const named = rest.find((argument) => {
    const { stem, word } = keyWordsOf(argument);
    const words = splitWords(argument.name).map(singularOf);
    return words.at(-1) === object || (word !== '' && stem.at(-1) === object);
  });
  const alone = rest.filter((argument) => roleOf(argument, 'write') === 'value').length === 1;
  if (named !== undefined && !named.types.includes('object') && (named.required || alone)) return named;
  const values = rest.filter((argument) => roleOf(argument, 'write') === 'value');
  return has.field !== undefined && values.length === 1 ? values[0] : undefined;
}
