/**
 * Which row a tool is about: its noun, the argument that names the row, and batches of rows.
 *
 * An object such as "issue labels" with an `issue_number` means the labels of an issue; a name with only a verb takes
 * its noun from a preposition, an id argument, or the only noun there is.
 */
import type { BatchIntent, Intent, IntentContext } from './infer-intent-types.js';
import { bestKey, explicitKey, keyStrength, keyWordsOf } from './infer-keys.js';
import { isGeneric, type Nouns, withoutDescription } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import type { Property } from './infer-schema.js';
import { DISPATCH_NAMES, isScalarList, objectLists, speaksOfMany, type ToolFacts } from './infer-tool.js';
import { singularOf, singularWords, splitWords } from './words.js';

/** The intent of a tool that nobody can compute, with the reason in words. */
export function unknown(facts: ToolFacts, why: string): Intent {
  return { facts, op: 'unknown', why };
}

/** The row that a tool is about: its noun, and words of the object that are an attribute of it. */
export interface Target {
  readonly noun: readonly string[] | undefined;
  readonly attribute: readonly string[];
  readonly key: Property | undefined;
}

/** Finds the noun whose row the arguments name: the whole object, a part of it in front, or another known noun. */
export function targetOf(facts: ToolFacts, context: IntentContext, weak = true): Target {
  const { nouns } = context;
  const object = withoutDescription(facts.object);
  const whole = object.length === 0 ? undefined : explicitKey(facts.args, object);
  if (
    whole !== undefined &&
    (object.length === 1 || (keyStrength(whole, object) === 3 && !isListOfParts(whole, facts, nouns)))
  )
    return { noun: meaning(object, nouns, false), attribute: [], key: whole };
  for (let length = object.length - 1; length > 0; length--) {
    const part = singularWords(object.slice(0, length));
    const key = explicitKey(facts.args, part);
    if (key !== undefined && (whole === undefined || keyStrength(key, part) === 3)) {
      if (nouns.known(object) !== undefined && bestKey(facts.args, [], false) !== undefined) break;
      return { noun: meaning(part, nouns, true), attribute: object.slice(length), key };
    }
  }
  if (object.length === 0) return fromElsewhere(facts, context);
  if (whole !== undefined) return { noun: meaning(object, nouns, false), attribute: [], key: whole };
  return { noun: meaning(object, nouns, true), attribute: [], key: bestKey(facts.args, object, weak) };
}

/** return_order_items(order_id, item_ids): the items are values of the order, if only orders are known. */
function isListOfParts(whole: Property, facts: ToolFacts, nouns: Nouns): boolean {
  if (!whole.types.includes('array') || (nouns.known(facts.object)?.creators ?? 0) > 0) return false;
  const part = singularWords(facts.object.slice(0, -1));
  const key = explicitKey(facts.args, part);
  return key !== undefined && !key.types.includes('array') && nouns.known(part) !== undefined;
}

/** The noun's own words, a known noun that they mean, or the main noun for words such as `nodes`. */
function meaning(words: readonly string[], nouns: Nouns, tails: boolean): readonly string[] {
  if (isGeneric(words) && nouns.known(words) === undefined) return nouns.main(false)?.words ?? words;
  const resolved = nouns.resolve(words);
  if (resolved === undefined) return words;
  const shorter = resolved.words.length < words.length;
  return shorter && !tails ? words : resolved.words;
}

/** A name with only a verb: the noun after a preposition, of an id argument, or the only one there is. */
export function fromElsewhere(facts: ToolFacts, context: IntentContext): Target {
  const { nouns } = context;
  for (const link of facts.parsed.links) {
    const words = singularWords(link.object);
    if (link.word !== 'by' && link.word !== 'with') {
      return { noun: meaning(words, nouns, true), attribute: [], key: bestKey(facts.args, words) };
    }
  }
  const named = nouns.all().find((noun) => explicitKey(facts.args, noun.words) !== undefined);
  const [single, second] = nouns.all();
  const told = nouns.mentioned(facts.description, []);
  const only =
    second === undefined && (facts.description === '' || facts.prefix.length === 0) ? single : undefined;
  const noun = named ?? told ?? only;
  if (noun === undefined) return { noun: undefined, attribute: [], key: undefined };
  return { noun: noun.words, attribute: [], key: bestKey(facts.args, noun.words) };
}

/** A batch: a list of objects, or of keys, that is what the tool is about. */
export function batchOf(facts: ToolFacts, noun: readonly string[]): BatchIntent | undefined {
  return objectBatch(facts, noun) ?? keyBatch(facts, noun);
}

/** A batch of objects that the tool is about; undefined if its list of objects is a value of one row. */
export function objectBatch(facts: ToolFacts, noun: readonly string[]): BatchIntent | undefined {
  const many = speaksOfMany(facts);
  const lists = objectLists(facts);
  const [list] = lists;
  const others = facts.args.filter((argument) => argument !== list?.argument && argument.required);
  if (list !== undefined && lists.length === 1) {
    const words = splitWords(list.argument.name).map(singularOf);
    const named = words.at(-1) === noun.at(-1) || isGeneric([words.at(-1) ?? '']);
    if (
      (many && (named || others.length === 0)) ||
      (named && others.length === 0 && facts.args.length === 1)
    ) {
      return { argument: list.argument, items: 'objects', properties: list.items };
    }
  }
  return undefined;
}

/** A batch of keys (`ids`, `entityNames`, `paths`); undefined if no list argument names rows. */
export function keyBatch(facts: ToolFacts, noun: readonly string[]): BatchIntent | undefined {
  const keys = facts.args.find((argument) => {
    if (!isScalarList(argument, facts.inputRoot)) return false;
    const words = keyWordsOf(argument);
    if (words.stem.length === 0)
      return words.word !== '' && !facts.args.some((a) => a !== argument && bestKey([a], noun, false));
    return (
      (words.word !== '' && words.stem.at(-1) === noun.at(-1)) ||
      (words.word === '' && words.stem.join(' ') === noun.join(' '))
    );
  });
  return keys === undefined ? undefined : { argument: keys, items: 'keys', properties: [] };
}

/**
 * What a lookup goes by when nothing is named like the noun: the only required argument that the whole server does
 * not share, or the only one of several that is surely a key.
 */
export function onlyRequired(facts: ToolFacts, context: IntentContext): Property | undefined {
  const left = facts.args.filter(
    (argument) =>
      argument.required &&
      !context.shared.has(argument.name) &&
      !DISPATCH_NAMES.has(argument.name.toLowerCase()) &&
      roleOf(argument, 'many') === 'value' &&
      !argument.types.some((type) => type === 'array' || type === 'object' || type === 'boolean'),
  );
  if (left.length <= 1) return left[0];
  const keys = left.filter((argument) => keyWordsOf(argument).strong);
  return keys.length === 1 ? keys[0] : undefined;
}
