/**
 * Tools that change or delete rows: updates, transitions of state, deletes.
 *
 * Without an argument that names a row they are unknown, unless their name says that all rows are meant.
 */
import type { Intent, IntentContext } from './infer-intent-types.js';
import { bestKey, explicitKey, keyWordsOf } from './infer-keys.js';
import { type Nouns, withoutDescription } from './infer-nouns.js';
import type { Property } from './infer-schema.js';
import { batchOf, keyBatch, onlyRequired, type Target, targetOf, unknown } from './infer-target.js';
import { objectLists, type ToolFacts } from './infer-tool.js';
import { singularWords, splitWords } from './words.js';
import type { Verb } from './words-verbs.js';

/** A tool that brings a row into a state: `close_ticket(id)`, `mark_all_read()`, or one that starts a session. */
export function transitionIntent(facts: ToolFacts, verb: Verb, context: IntentContext): Intent {
  const target = targetOf(facts, context);
  const { noun } = target;
  if (noun === undefined) return unknown(facts, `nothing says what it would ${verb.word}`);
  const batch = keyBatch(facts, noun);
  const common = { facts, noun, transition: verb };
  if (batch !== undefined && (target.key === undefined || target.key === batch.argument)) {
    return {
      ...common,
      op: 'update',
      batch,
      why: `each of ${batch.argument.name} becomes ${verb.participle}`,
    };
  }
  const key = target.key ?? onlyRequired(facts, context);
  if (key !== undefined) {
    const keyed = { ...common, op: 'update' as const, keyArgument: key };
    if (target.attribute.length === 0)
      return { ...keyed, why: `the ${noun.join(' ')} becomes ${verb.participle}` };
    return {
      ...keyed,
      why: `the ${target.attribute.join(' ')} of the ${noun.join(' ')} becomes ${verb.participle}`,
    };
  }
  if (facts.parsed.all || facts.parsed.plural)
    return { ...common, op: 'update', all: true, why: `all become ${verb.participle}` };
  const readById = context.tools.some(
    (other) =>
      other !== facts &&
      other.object.join(' ') === facts.object.join(' ') &&
      bestKey(other.args, noun, false) !== undefined,
  );
  if (readById && ['start', 'begin', 'raise'].includes(verb.word))
    return { facts, op: 'create', noun, why: `to ${verb.word} one makes it; the others name it by its id` };
  return unknown(facts, `no argument says which ${noun.join(' ')} is meant`);
}

/** A tool that deletes: one row, each of a batch, the children of a row, or all that match. */
export function deleteIntent(facts: ToolFacts, context: IntentContext): Intent {
  const target = targetOf(facts, context);
  const { noun } = target;
  if (noun === undefined) return unknown(facts, 'nothing says what it would delete');
  const batch = batchOf(facts, noun);
  const words = noun.join(' ');
  if (batch !== undefined && (target.key === undefined || target.key === batch.argument)) {
    return { facts, op: 'delete', noun, batch, why: `each of ${batch.argument.name} is deleted` };
  }
  if (target.attribute.length > 0) {
    const object = withoutDescription(facts.object);
    const child = context.nouns.known(object)?.words ?? context.nouns.known(target.attribute)?.words;
    if (child === undefined)
      return unknown(facts, `the ${target.attribute.join(' ')} of a ${words} are no rows of their own`);
    const renames = target.key === undefined ? {} : { renames: { [target.key.name]: target.key.name } };
    return {
      ...renames,
      facts,
      op: 'delete',
      noun: child,
      all: true,
      why: `all ${child.join(' ')} rows of one ${words} are deleted`,
    };
  }
  const key = target.key ?? onlyRequired(facts, context);
  if (key !== undefined)
    return {
      facts,
      op: 'delete',
      noun,
      keyArgument: key,
      why: `the ${words} that ${key.name} names is deleted`,
    };
  const values = facts.args.filter((argument) => argument.required && !context.shared.has(argument.name));
  if (facts.parsed.all || facts.parsed.plural || facts.parsed.verb?.word === 'clear')
    return { facts, op: 'delete', noun, all: true, why: `all ${words} rows are deleted` };
  if (values.length > 1)
    return { facts, op: 'delete', noun, why: `the ${words} with these ${values.length} values is deleted` };
  return unknown(facts, `no argument says which ${words} is meant`);
}

/** A tool that changes values of a row; the row may be of another noun than the object (`set_status(ticket_id)`). */
export function updateIntent(facts: ToolFacts, context: IntentContext): Intent {
  const { nouns } = context;
  let target = targetOf(facts, context);
  const object = withoutDescription(facts.object);
  const own = target.noun === undefined ? undefined : explicitKey(facts.args, target.noun);
  const linked = own === undefined && nouns.known(object) === undefined ? linkNoun(facts, nouns) : undefined;
  if (linked !== undefined)
    target = { noun: linked.words, attribute: object, key: bestKey(facts.args, linked.words) };
  if (
    own === undefined &&
    nouns.known(object) === undefined &&
    nouns.known(target.noun ?? []) === undefined
  ) {
    // set_status(ticket_id, status), assign_copilot_to_issue(issue_number): another noun's row is named.
    const other =
      nouns.all().find((noun) => explicitKey(facts.args, noun.words) !== undefined) ?? linkNoun(facts, nouns);
    if (other !== undefined)
      target = { noun: other.words, attribute: object, key: bestKey(facts.args, other.words) };
  }
  target = valueOfOther(facts, target, nouns) ?? target;
  const same = sameKey(facts, target, context);
  if (same !== undefined) target = { ...target, noun: same };
  const { noun } = target;
  if (noun === undefined) return unknown(facts, 'nothing says what it would change');
  const batch = batchOf(facts, noun);
  if (batch !== undefined && (target.key === undefined || target.key === batch.argument)) {
    return { facts, op: 'update', noun, batch, why: `each of ${batch.argument.name} is changed` };
  }
  const key = target.key ?? firstRequired(facts, context);
  if (key !== undefined)
    return {
      facts,
      op: 'update',
      noun,
      keyArgument: key,
      why: `the ${noun.join(' ')} that ${key.name} names is changed`,
    };
  const singular =
    !facts.parsed.plural &&
    facts.args.length > 0 &&
    ['settings', 'preferences', 'profile', 'me', 'config', 'configuration'].includes(
      facts.object.at(-1) ?? '',
    );
  if (singular) return { facts, op: 'update', noun, singleton: true, why: 'there is only one row' };
  return unknown(facts, `no argument says which ${noun.join(' ')} is meant`);
}

/** set_brightness(light_id, brightness): the argument named like the object is the value, the id says whose. */
function valueOfOther(facts: ToolFacts, target: Target, nouns: Nouns): Target | undefined {
  if (target.key === undefined || keyWordsOf(target.key).word !== '' || target.attribute.length > 0)
    return undefined;
  if (isRowItself(facts, target, nouns)) return undefined;
  const other = facts.args.find(
    (argument) =>
      argument !== target.key &&
      argument.required &&
      keyWordsOf(argument).strong &&
      keyWordsOf(argument).stem.length > 0,
  );
  if (other === undefined) return undefined;
  const { stem } = keyWordsOf(other);
  return { noun: nouns.resolve(stem)?.words ?? stem, attribute: target.noun ?? [], key: other };
}

/** update_records(base_id, records) changes records that the server keeps; rename_board(account_id, board, new_name). */
function isRowItself(facts: ToolFacts, target: Target, nouns: Nouns): boolean {
  if (nouns.known(target.noun ?? []) === undefined) return false;
  const objects = objectLists(facts).some(({ argument }) => argument === target.key);
  return objects || facts.args.some((argument) => splitWords(argument.name)[0] === 'new');
}

/** update_inventory(sku) of a server that reads products by sku: the product is changed. */
function sameKey(facts: ToolFacts, target: Target, context: IntentContext): readonly string[] | undefined {
  const { key, noun } = target;
  if (
    key === undefined ||
    noun === undefined ||
    ['id', 'name'].includes(key.name) ||
    context.tools.some((tool) => tool !== facts && tool.object.join(' ') === noun.join(' '))
  )
    return undefined;
  const reader = context.tools.find(
    (tool) =>
      tool.parsed.verb?.kind === 'get' &&
      tool.object.length > 0 &&
      onlyRequired(tool, context)?.name === key.name,
  );
  return reader === undefined ? undefined : context.nouns.known(reader.object)?.words;
}

function linkNoun(facts: ToolFacts, nouns: Nouns): { words: readonly string[] } | undefined {
  for (const link of facts.parsed.links) {
    const words = singularWords(link.object);
    if (bestKey(facts.args, words) !== undefined) return nouns.known(words) ?? { words };
  }
  return undefined;
}

/** update_x(name?, …) without an id: the first required value that is a key word. */
function firstRequired(facts: ToolFacts, context: IntentContext): Property | undefined {
  return facts.args.find(
    (argument) => argument.required && !context.shared.has(argument.name) && keyWordsOf(argument).strong,
  );
}
