/**
 * The fields of a collection: from the arguments that write them, the answers that show them, given rows, the
 * filters that ask for them, and the states that transitions lead to.
 *
 * The first source that knows a schema wins; a later one only adds what is missing (a description, values of an
 * enum). Names of foreign schemas are data: fields are kept in a Map until the end, so `__proto__` is a field like
 * any other.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import type { Field } from '../service.js';
import { answerProperties } from './entities-answers.js';
import { isDestination } from './infer-files.js';
import type { Intent } from './infer-intent-types.js';
import { keyWordsOf } from './infer-keys.js';
import type { Nouns } from './infer-nouns.js';
import { collectionName } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import { own, type Property } from './infer-schema.js';
import { endsWith, splitWords } from './words.js';

/** What fields are gathered from. */
export interface FieldInput {
  readonly noun: readonly string[];
  readonly key: readonly string[];
  readonly keyEvidence: readonly Property[];
  /** Argument → field, for scope arguments that are written differently in different tools. */
  readonly scope: ReadonlyMap<string, string>;
  readonly intents: readonly Intent[];
  readonly rows: readonly JsonObject[];
  readonly nouns: Nouns;
}

type Draft = { -readonly [K in keyof Field]: Field[K] };

/** All fields of a collection, the key first. */
export function gatherFields(input: FieldInput): Map<string, Field> {
  const fields = new Map<string, Draft>();
  for (const name of input.key) addKey(fields, name, input);
  for (const field of new Set(input.scope.values())) addField(fields, field, { schema: { type: 'string' } });
  for (const intent of input.intents) {
    for (const property of writtenBy(intent)) {
      const renamed = renamedField(intent, property.name);
      if (intent.files === true && isDestination(property)) continue;
      if (renamed === undefined) addProperty(fields, property, input);
      else addRenamed(fields, renamed, input);
    }
    for (const name of Object.values(intent.renames ?? {})) addRenamed(fields, name, input);
    if (intent.listField !== undefined) addListField(fields, intent);
    if (intent.keyField !== undefined) addField(fields, intent.keyField, { schema: {} });
  }
  for (const intent of input.intents) {
    for (const property of answerProperties(intent))
      addField(fields, property.name, fromProperty(property, input));
  }
  for (const { only } of input.intents) {
    if (only !== undefined)
      addField(fields, only, { schema: { type: NUMERIC.test(only) ? 'number' : 'string' } });
  }
  addRowFields(fields, input);
  if (input.rows.length === 0) addFilterFields(fields, input);
  if (input.intents.some((intent) => intent.files === true)) addFileFields(fields, input.intents);
  return fields;
}

/** Values read one by one that are numbers. */
const NUMERIC = /(?:balance|count|total|amount|price|stock|quantity|score|points|size)$/;

function addKey(fields: Map<string, Draft>, name: string, input: FieldInput): void {
  const [shown] = input.keyEvidence;
  const many = shown !== undefined && keyWordsOf(shown).many;
  const description =
    shown === undefined || shown.description === '' ? {} : { description: shown.description };
  const items = many ? own(shown.schema, 'items') : undefined;
  const schema =
    shown === undefined
      ? {}
      : many
        ? typeof items === 'object' && items !== null && !Array.isArray(items)
          ? (items as JsonObject)
          : {}
        : shown.schema;
  const bare = Object.fromEntries(
    Object.entries(schema).filter(([key]) => key !== 'description' && key !== 'title'),
  );
  fields.set(name, {
    name,
    schema: bare,
    ...description,
    required: true,
    ...(input.key.length === 1 && input.scope.size === 0 ? { unique: true } : {}),
  });
}

/** Adds a field or fills in what an earlier source did not know. */
function addField(fields: Map<string, Draft>, name: string, more: Partial<Omit<Draft, 'name'>>): void {
  const old = fields.get(name);
  if (old === undefined) {
    fields.set(name, { schema: {}, required: false, ...more, name });
    return;
  }
  if (Object.keys(old.schema).length === 0 && more.schema !== undefined) old.schema = more.schema;
  if (own(old.schema, 'enum') === undefined && more.schema !== undefined) {
    const choices = own(more.schema, 'enum');
    if (choices !== undefined && own(old.schema, 'type') === own(more.schema, 'type'))
      old.schema = { ...old.schema, enum: choices };
  }
  if (old.description === undefined && more.description !== undefined) old.description = more.description;
  if (old.refersTo === undefined && more.refersTo !== undefined) old.refersTo = more.refersTo;
}

function fromProperty(property: Property, input: FieldInput, required = false): Partial<Omit<Draft, 'name'>> {
  const target = referenceOf(property, input);
  const initial = own(property.schema, 'default');
  return {
    schema: property.schema,
    required,
    ...(property.description === '' ? {} : { description: property.description }),
    ...(target === undefined ? {} : { refersTo: target }),
    ...(initial === undefined || !required ? {} : {}),
  };
}

/** The arguments or item properties that an intent writes as values. */
export function writtenBy(intent: Intent): readonly Property[] {
  if (!['create', 'update', 'upsert'].includes(intent.op)) return [];
  const held = intent.batch?.items === 'objects' ? intent.batch.properties : intent.facts.args;
  return held.filter((property) => {
    if (property === intent.keyArgument || property === intent.batch?.argument) return false;
    const role = roleOf(property, 'write');
    return role === 'value';
  });
}

function addProperty(fields: Map<string, Draft>, property: Property, input: FieldInput): void {
  const name = fieldNameOf(property, {
    fields,
    scope: input.scope,
    key: input.key,
    noun: input.noun,
    nouns: input.nouns,
  });
  const made = input.intents.filter((intent) => intent.op === 'create' || intent.op === 'upsert');
  const required =
    made.length > 0 &&
    made.every((intent) => writtenBy(intent).some((p) => p.name === property.name && p.required));
  addField(fields, name, fromProperty(property, input, required));
  const initial = own(property.schema, 'default');
  const field = fields.get(name);
  const creates = made.some((intent) => writtenBy(intent).includes(property));
  if (field !== undefined && initial !== undefined && creates && field.initial === undefined)
    field.initial = initial;
}

/** The field that an intent gives an argument of another kind of row; undefined if it gives none. */
export function renamedField(intent: Intent, argument: string): string | undefined {
  const { renames } = intent;
  return renames !== undefined && Object.hasOwn(renames, argument) ? renames[argument] : undefined;
}

/** What a field is written as: `new_name` writes `name`, scope arguments their shared name, keys their key. */
export function fieldNameOf(
  property: Property,
  how: {
    readonly fields: ReadonlyMap<string, unknown>;
    readonly scope: ReadonlyMap<string, string>;
    readonly key: readonly string[];
    readonly noun: readonly string[];
    readonly nouns: Nouns;
  },
): string {
  const scoped = how.scope.get(property.name);
  if (scoped !== undefined) return scoped;
  const words = splitWords(property.name);
  // target_category moves a row into another category, where rows have one.
  if (words.length > 1 && ['target', 'destination', 'dest'].includes(words[0] ?? '')) {
    const rest = words.slice(1).join(' ');
    const known = [...how.fields.keys()].find((name) => splitWords(name).join(' ') === rest);
    if (known !== undefined) return known;
  }
  if (words.length > 1 && (words[0] === 'new' || words[0] === 'updated')) {
    const rest = words.slice(1).join(' ');
    const known = [...how.fields.keys()].find((name) => splitWords(name).join(' ') === rest);
    if (known !== undefined) return known;
    return words.slice(1).join('_');
  }
  const { stem, word } = keyWordsOf(property);
  const [key] = how.key;
  const foreign = stem.length < how.noun.length && how.nouns.known(stem) !== undefined;
  const isKey =
    !foreign &&
    word !== '' &&
    stem.length > 0 &&
    endsWith(how.noun, stem) &&
    key !== undefined &&
    splitWords(key).at(-1) === word;
  return isKey && how.key.length === 1 ? (key ?? property.name) : property.name;
}

const PEOPLE = new Set(['user', 'member', 'person', 'employee', 'contact', 'agent', 'customer', 'account']);
const PERSON_WORDS = new Set([
  'assignee',
  'author',
  'owner',
  'reporter',
  'creator',
  'sender',
  'recipient',
  'approver',
  'reviewer',
  'manager',
  'organizer',
  'requester',
  'lead',
]);

/** The collection that a value such as `project_id` refers to; undefined if it refers to none. */
export function referenceOf(
  property: Property,
  input: { readonly noun: readonly string[]; readonly nouns: Nouns },
): string | undefined {
  if (property.types.some((type) => type === 'array' || type === 'object' || type === 'boolean'))
    return undefined;
  const { stem, word, strong } = keyWordsOf(property);
  if (stem.length === 0) return undefined;
  if (word !== '' && !strong && word !== 'code') return undefined;
  const nouns = input.nouns.all();
  if (stem.join(' ') === 'parent' && strong) return nameOf(input.nouns, input.noun);
  if (stem.join(' ') === input.noun.join(' ')) return undefined;
  const target =
    nouns.find((noun) => noun.words.join(' ') === stem.join(' ')) ??
    (word === '' ? undefined : closest(nouns, stem));
  if (target !== undefined) return word === '' && !mayBeKey(property) ? undefined : collectionName(target);
  if (word !== '' && PERSON_WORDS.has(stem.at(-1) ?? '')) {
    const people = nouns.find((noun) => PEOPLE.has(noun.words.at(-1) ?? ''));
    return people === undefined ? undefined : collectionName(people);
  }
  return undefined;
}

/** `from_account_id` → accounts; `queue_id` → cluster queues, if only one noun ends so. */
function closest(
  nouns: readonly { readonly words: readonly string[]; readonly name?: string }[],
  stem: readonly string[],
) {
  const inner = nouns.filter((noun) => endsWith(stem, noun.words));
  if (inner.length > 0)
    return inner.reduce((a, b) => (b.words.length > a.words.length ? b : a)) as Parameters<
      typeof collectionName
    >[0];
  const outer = nouns.filter((noun) => endsWith(noun.words, stem));
  return outer.length === 1 ? (outer[0] as Parameters<typeof collectionName>[0]) : undefined;
}

function nameOf(nouns: Nouns, words: readonly string[]): string | undefined {
  const noun = nouns.known(words);
  return noun === undefined ? undefined : collectionName(noun);
}

/** A bare noun such as `project` refers to a project only if its description speaks of an id. */
function mayBeKey(property: Property): boolean {
  return /\b(?:id|identifier|slug|key)\b/i.test(property.description);
}

/** A field that names a row of another kind, or another row of its own kind: card_id, in_reply_to, parent_id. */
function addRenamed(fields: Map<string, Draft>, name: string, input: FieldInput): void {
  const schema = { type: 'string' };
  const property: Property = {
    name,
    schema,
    types: ['string'],
    required: false,
    description: '',
    choices: [],
  };
  const itself = ['inReplyTo', 'in_reply_to'].includes(name) || splitWords(name)[0] === 'parent';
  const own = itself ? nameOf(input.nouns, input.noun) : undefined;
  addField(fields, name, {
    ...fromProperty(property, input),
    ...(own === undefined ? {} : { refersTo: own }),
  });
}

function addListField(fields: Map<string, Draft>, intent: Intent): void {
  if (intent.listField === undefined) return;
  const item =
    intent.value?.types.includes('array') === true ? own(intent.value.schema, 'items') : intent.value?.schema;
  const items = typeof item === 'object' && item !== null && !Array.isArray(item) ? (item as JsonObject) : {};
  const bare = Object.fromEntries(
    Object.entries(items).filter(([key]) => key === 'type' || key === 'enum' || key === 'format'),
  );
  addField(fields, intent.listField, { schema: { type: 'array', items: bare } });
  const field = fields.get(intent.listField);
  if (field !== undefined && field.initial === undefined && !field.required) field.initial = [];
}

function addRowFields(fields: Map<string, Draft>, input: FieldInput): void {
  // a second value of the same field and type would only say the same again
  const seen = new Set<string>();
  for (const row of input.rows.slice(0, 1000)) {
    for (const [name, value] of Object.entries(row)) {
      const kind = `${typeNameOf(value)} ${name}`;
      if (seen.has(kind)) continue;
      seen.add(kind);
      const old = fields.get(name);
      if (old !== undefined && Object.keys(old.schema).length > 0 && old.refersTo !== undefined) continue;
      const schema = schemaOfValue(value);
      const property: Property = {
        name,
        schema,
        types: typeof schema.type === 'string' ? [schema.type] : [],
        required: false,
        description: '',
        choices: [],
      };
      addField(fields, name, fromProperty(property, input));
    }
  }
}

function typeNameOf(value: Json): string {
  return String(schemaOfValue(value).type ?? 'null');
}

function schemaOfValue(value: Json): JsonObject {
  if (value === null) return {};
  if (Array.isArray(value)) return { type: 'array' };
  if (typeof value === 'bigint') return { type: 'integer' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value };
}

/** A list that filters by `status` shows that rows have a status. */
function addFilterFields(fields: Map<string, Draft>, input: FieldInput): void {
  for (const intent of input.intents) {
    if (intent.op !== 'list' && intent.op !== 'search' && intent.op !== 'count') continue;
    for (const argument of intent.facts.args) {
      if (input.scope.has(argument.name) || roleOf(argument, 'many') !== 'value') continue;
      if (renamedField(intent, argument.name) !== undefined) continue;
      if (intent.under?.argument === argument.name) continue;
      const range = rangeWords(argument);
      if (range !== undefined) {
        addBounded(fields, argument, range.rest);
        continue;
      }
      if (argument.types.includes('object') || splitWords(argument.name).length > 3) continue;
      const list = argument.types.includes('array');
      if (list) continue;
      const invented = !fields.has(argument.name);
      addField(fields, argument.name, fromProperty(argument, input));
      if (invented) startLikeDefault(fields.get(argument.name), argument);
    }
  }
}

/** What a list shows unless told otherwise, new rows are: open, not archived. */
function startLikeDefault(field: Draft | undefined, argument: Property): void {
  const value = own(argument.schema, 'default');
  const plain = typeof value === 'boolean' || (typeof value === 'string' && argument.choices.includes(value));
  if (field === undefined || !plain || value === 'all' || value === 'any') return;
  field.initial = value;
}

/** min_price shows that rows have a price. */
function addBounded(fields: Map<string, Draft>, argument: Property, rest: readonly string[]): void {
  const numeric = argument.types.some((type) => type === 'number' || type === 'integer');
  const known = [...fields.keys()].some((name) => rest.every((word) => splitWords(name).includes(word)));
  if (numeric && rest.length > 0 && !known) addField(fields, rest.join('_'), { schema: { type: 'number' } });
}

const LOWER = new Set(['min', 'minimum', 'after', 'since', 'from', 'start', 'gte', 'gt', 'oldest', 'begin']);
const UPPER = new Set(['max', 'maximum', 'before', 'until', 'to', 'end', 'lte', 'lt', 'latest', 'till']);

/** An argument that bounds a field: min_price, created_after, since, end_date. The words left say which field. */
export function rangeWords(
  argument: Property,
): { readonly test: 'min' | 'max'; readonly rest: readonly string[] } | undefined {
  const words = splitWords(argument.name);
  const at = words.findIndex((word) => LOWER.has(word) || UPPER.has(word));
  if (at === -1 || (at > 0 && at < words.length - 1)) return undefined;
  const rest = words.filter((_, i) => i !== at);
  const temporal = /\b(?:date|time|timestamp|iso)\b/i.test(
    `${rest.join(' ')} ${argument.description} ${String(own(argument.schema, 'format') ?? '')}`,
  );
  const word = words[at] ?? '';
  if ((word === 'from' || word === 'to' || word === 'start' || word === 'end') && !temporal) return undefined;
  if (rest.at(-1) === 'id') return undefined;
  return { test: LOWER.has(word) ? 'min' : 'max', rest };
}

function addFileFields(fields: Map<string, Draft>, intents: readonly Intent[]): void {
  const folders = intents.some((intent) => intent.under !== undefined || intent.sets?.type === 'directory');
  if (folders)
    addField(fields, 'type', { schema: { type: 'string', enum: ['file', 'directory'] }, initial: 'file' });
  addField(fields, 'content', { schema: { type: 'string' } });
}
