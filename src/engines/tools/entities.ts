/**
 * The collections of a service: assembled from intents, answers, given rows and the world file's corrections.
 *
 * Per noun: its key, how ids look, what scopes it, its fields, its label. Corrections (`entities`) always win; names
 * of given data win over inferred ones. Collections of data that no tool is about are kept too, so that rules and
 * references can use them.
 */
import type { Json, JsonObject } from '../../core/index.js';
import { answerProperties } from './entities-answers.js';
import {
  fieldNameOf,
  gatherFields,
  rangeWords,
  referenceOf,
  renamedField,
  writtenBy,
} from './entities-fields.js';
import { styleOfArgument, styleOfName, styleOfSpec, styleOfValues } from './entities-ids.js';
import { chooseKey, type KeyChoice } from './entities-keys.js';
import { addStates } from './entities-states.js';
import type { Intent } from './infer-intent.js';
import { keyStrength, keyWordsOf } from './infer-keys.js';
import { collectionName, type Noun, type Nouns } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import type { Property } from './infer-schema.js';
import type { Collection, Field, IdStyle } from './service.js';
import type { EntitySpec } from './spec.js';
import { singularWords, splitWords } from './words.js';

/** A collection with what plans need to bind arguments to it. */
export interface Draft {
  readonly collection: Collection;
  readonly noun: readonly string[];
  readonly intents: readonly Intent[];
  /** Argument → field for scope arguments. */
  readonly scope: ReadonlyMap<string, string>;
  readonly fields: Map<string, Field>;
  readonly nouns: Nouns;
}

/** What collections are built from. */
export interface EntityInput {
  readonly intents: readonly Intent[];
  readonly nouns: Nouns;
  readonly data: ReadonlyMap<string, readonly JsonObject[]>;
  readonly entities: ReadonlyMap<string, EntitySpec>;
  /** Tools name their arguments in camel case mostly. */
  readonly camel: boolean;
}

/** Builds all collections, by name, in the order of the tools. */
export function buildCollections(input: EntityInput): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  for (const [name, group] of groupByCollection(input)) {
    drafts.set(name, buildCollection(name, group, input));
  }
  return drafts;
}

interface Group {
  readonly noun: readonly string[];
  readonly intents: Intent[];
}

function groupByCollection(input: EntityInput): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const intent of input.intents) {
    if (intent.noun === undefined || intent.noun.length === 0 || intent.op === 'unknown') continue;
    const noun = input.nouns.entries.get(intent.noun.join(' '));
    const name = noun === undefined ? collectionName(emptyNoun(intent.noun)) : collectionName(noun);
    const group = groups.get(name) ?? { noun: intent.noun, intents: [] };
    group.intents.push(intent);
    groups.set(name, group);
  }
  for (const name of [...input.data.keys(), ...input.entities.keys()]) {
    if (!groups.has(name)) groups.set(name, { noun: singularWords(splitWords(name)), intents: [] });
  }
  return groups;
}

function emptyNoun(words: readonly string[]): Noun {
  return { words, weight: 0, creators: 0, made: new Map() };
}

function buildCollection(name: string, group: Group, input: EntityInput): Draft {
  const rows = input.data.get(name) ?? [];
  const spec = input.entities.get(name);
  const shown = shownNames(group.intents, rows);
  const chosen = chooseKey({
    noun: group.noun,
    intents: group.intents,
    rows,
    shown,
    elsewhere: namedElsewhere(group, input),
  });
  const key = spec?.key === undefined ? chosen.fields : typeof spec.key === 'string' ? [spec.key] : spec.key;
  const { noun, intents } = group;
  const scope = scopeOf({ noun, intents, key, rows, nouns: input.nouns });
  const scopeFields = spec?.scope ?? [...new Set(scope.values())];
  const fields = gatherFields({
    noun,
    key,
    keyEvidence: chosen.evidence,
    scope,
    intents,
    rows,
    nouns: input.nouns,
  });
  addStates(fields, intents);
  const singleton = intents.length > 0 && intents.every((intent) => intent.singleton === true);
  const singular = spec?.singular ?? noun.join(' ');
  addUsual(fields, { noun, key, scope: scopeFields, rows, shown });
  if (!singleton) addStamps(fields, { intents, rows, camel: input.camel, shown });
  correctFields(fields, spec);
  const label = spec?.label ?? labelOf(fields, key);
  const idStyle = idStyleOf({ chosen, key, rows, intents, spec, singular });
  const collection: Collection = {
    name,
    singular,
    key,
    idStyle,
    scope: scopeFields,
    fields: toRecord(fields),
    ...(label === undefined ? {} : { label }),
    ...(singleton ? { singleton } : {}),
  };
  return { collection, noun, intents, scope, fields, nouns: input.nouns };
}

/** Arguments of other collections' tools that name a row of this one: `space_key` of a page. */
function namedElsewhere(group: Group, input: EntityInput): Property[] {
  const found = input.intents.flatMap((intent) => (group.intents.includes(intent) ? [] : intent.facts.args));
  return found.filter((argument) => {
    const { stem, strong } = keyWordsOf(argument);
    return strong && stem.join(' ') === group.noun.join(' ');
  });
}

/** Own fields as a record; foreign names such as `__proto__` become ordinary own keys. */
function toRecord(fields: ReadonlyMap<string, Field>): Readonly<Record<string, Field>> {
  return Object.fromEntries(fields);
}

function shownNames(intents: readonly Intent[], rows: readonly JsonObject[]): Set<string> {
  const names = new Set<string>();
  for (const row of rows.slice(0, 1000)) for (const name of Object.keys(row)) names.add(name);
  if (names.size > 0) return names;
  for (const intent of intents) for (const property of answerProperties(intent)) names.add(property.name);
  return names;
}

/** Words of scopes: whose or which part of the service. */
const SCOPES = new Set([
  'owner',
  'repo',
  'repository',
  'org',
  'organization',
  'organisation',
  'workspace',
  'tenant',
  'namespace',
  'repo path',
  'project',
  'account',
  'team',
  'site',
  'database',
  'region',
  'bucket',
  'guild',
  'cluster',
  'company',
  'group',
  'environment',
  'app',
  'schema',
  'realm',
  'vault',
  'space',
  'base',
  'store',
  'domain',
  'calendar',
  'board',
]);

/** True for names such as owner, repo or workspace. */
export function isScopeName(name: string): boolean {
  return SCOPES.has(canonicalScope(name));
}

/** Argument → scope field: what most tools of the collection require to find its rows. */
function scopeOf(of: {
  readonly noun: readonly string[];
  readonly intents: readonly Intent[];
  readonly key: readonly string[];
  readonly rows: readonly JsonObject[];
  readonly nouns: Nouns;
}): Map<string, string> {
  const uses = new Map<
    string,
    { names: Map<string, number>; required: number; total: number; property: Property }
  >();
  for (const intent of of.intents) {
    for (const argument of intent.facts.args) {
      if (!mayScope(argument, intent, of)) continue;
      const canonical = canonicalScope(argument.name);
      const use = uses.get(canonical) ?? { names: new Map(), required: 0, total: 0, property: argument };
      use.names.set(argument.name, (use.names.get(argument.name) ?? 0) + 1);
      use.total++;
      if (argument.required) use.required++;
      uses.set(canonical, use);
    }
  }
  const scope = new Map<string, string>();
  for (const [canonical, use] of uses) {
    const most = use.total * 2 > of.intents.length && use.required * 2 >= use.total;
    const reference = referenceOf(use.property, of);
    if (!most || !SCOPES.has(canonical) || (reference !== undefined && !numbersWithin(of))) continue;
    const [field] = [...use.names].sort((a, b) => b[1] - a[1])[0] ?? [canonical];
    const kept = of.rows.length === 0 || of.rows.some((row) => Object.hasOwn(row, field));
    if (!kept) continue;
    for (const name of use.names.keys()) scope.set(name, field);
  }
  return scope;
}

/** Rows counted by number (issue 12 of a project) are counted within what holds them. */
function numbersWithin(of: { readonly key: readonly string[] }): boolean {
  return ['number', 'iid', 'name', 'path'].includes(of.key[0] ?? '');
}

function mayScope(
  argument: Property,
  intent: Intent,
  of: { noun: readonly string[]; key: readonly string[] },
): boolean {
  if (argument === intent.keyArgument || argument === intent.value || argument === intent.batch?.argument)
    return false;
  if (
    argument.types.length > 0 &&
    !argument.types.some((type) => ['string', 'number', 'integer'].includes(type))
  )
    return false;
  if (roleOf(argument, 'write') !== 'value' || of.key.includes(argument.name)) return false;
  return !(keyStrength(argument, of.noun) >= 2 && keyWordsOf(argument).stem.length === 0);
}

/** `org_slug`, `orgId` and `org` are the same scope. */
function canonicalScope(name: string): string {
  const words = splitWords(name);
  const last = words.at(-1) ?? '';
  const short = words.length > 1 && ['id', 'slug', 'name', 'key', 'uuid', 'number'].includes(last);
  return (short ? words.slice(0, -1) : words).join(' ');
}

function idStyleOf(of: {
  readonly chosen: KeyChoice;
  readonly key: readonly string[];
  readonly rows: readonly JsonObject[];
  readonly intents: readonly Intent[];
  readonly spec: EntitySpec | undefined;
  readonly singular: string;
}): IdStyle {
  const inferred = inferredStyle(of);
  return of.spec?.id === undefined ? inferred : styleOfSpec(of.spec.id, inferred);
}

function inferredStyle(of: Parameters<typeof idStyleOf>[0]): IdStyle {
  const [field = 'id'] = of.key;
  if (of.key.length > 1) return { kind: 'given' };
  const creators = of.intents.filter((intent) => intent.op === 'create' || intent.op === 'upsert');
  const takes = creators.flatMap((intent) => givenKey(intent, field));
  const needed = takes.some((argument) => argument.required);
  const values = of.rows.flatMap((row): Json[] => {
    const value = Object.hasOwn(row, field) ? row[field] : undefined;
    return value === undefined || value === null ? [] : [value];
  });
  if (needed) return { kind: 'given' };
  const fromRows = styleOfValues(values);
  if (fromRows !== undefined) return fromRows;
  const told =
    of.chosen.fields[0] === field
      ? of.chosen.evidence.map(styleOfArgument).find((style) => style !== undefined)
      : undefined;
  const shown = of.intents.flatMap(answerProperties).find((property) => property.name === field);
  return (
    told ??
    (shown === undefined ? undefined : styleOfArgument(shown)) ??
    styleOfName(field, of.singular, {
      made: takes.length > 0 && field !== 'id',
      text: of.chosen.evidence.some((argument) => argument.types.includes('string')),
    })
  );
}

/** The argument of a creating tool that gives the key itself. */
function givenKey(intent: Intent, field: string): Property[] {
  const written = writtenBy(intent);
  if (intent.keyArgument !== undefined) return [intent.keyArgument];
  return written.filter((property) => {
    if (renamedField(intent, property.name) !== undefined) return false;
    if (property.name === field) return true;
    const { stem, word } = keyWordsOf(property);
    return word === field && stem.length > 0 && keyStrength(property, intent.noun ?? []) === 3;
  });
}

const LABELS = [
  'title',
  'name',
  'subject',
  'summary',
  'label',
  'full_name',
  'fullName',
  'display_name',
  'displayName',
  'text',
  'message',
  'description',
  'content',
  'email',
];

function labelOf(fields: ReadonlyMap<string, Field>, key: readonly string[]): string | undefined {
  const exact = LABELS.find((name) => fields.has(name));
  if (exact !== undefined) return exact;
  const ending = [...fields.keys()].find((name) =>
    ['title', 'name', 'subject'].includes(splitWords(name).at(-1) ?? ''),
  );
  return ending ?? (key.length === 1 && ['name', 'path', 'slug'].includes(key[0] ?? '') ? key[0] : undefined);
}

/** What rows usually hold when no tool says: by the last word of the noun. */
const USUAL: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  balance: [
    ['amount', 'number'],
    ['currency', 'string'],
  ],
  message: [['text', 'string']],
  comment: [['body', 'string']],
  reply: [['text', 'string']],
  directory: [['path', 'string']],
  user: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  me: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  customer: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  contact: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  employee: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  member: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  transaction: [
    ['amount', 'number'],
    ['currency', 'string'],
    ['description', 'string'],
  ],
  payment: [
    ['amount', 'number'],
    ['currency', 'string'],
  ],
  price: [
    ['amount', 'number'],
    ['currency', 'string'],
  ],
  invoice: [
    ['amount', 'number'],
    ['currency', 'string'],
  ],
  commit: [
    ['sha', 'string'],
    ['message', 'string'],
  ],
  issue: [
    ['title', 'string'],
    ['body', 'string'],
  ],
  email: [
    ['from', 'string'],
    ['subject', 'string'],
    ['body', 'string'],
  ],
};

/** Rows of which nothing but ids is known get the fields that such things usually have; a name, if nothing better. */
function addUsual(
  fields: Map<string, Field>,
  of: {
    readonly noun: readonly string[];
    readonly key: readonly string[];
    readonly scope: readonly string[];
    readonly rows: readonly JsonObject[];
    readonly shown: ReadonlySet<string>;
  },
): void {
  if (of.rows.length > 0 || of.shown.size > 0) return;
  const told = [...fields.values()].some((field) => !isBookkeeping(field, of));
  if (told) return;
  for (const [name, type] of USUAL[of.noun.at(-1) ?? ''] ?? [['name', 'string']]) {
    if (!fields.has(name)) fields.set(name, { name, schema: { type }, required: false });
  }
}

function isBookkeeping(
  field: Field,
  of: { readonly key: readonly string[]; readonly scope: readonly string[] },
): boolean {
  if (of.key.includes(field.name))
    return !['id', 'uuid', 'number', 'key', 'iid', 'slug'].includes(field.name);
  if (of.scope.includes(field.name) || field.refersTo !== undefined || field.stamp !== undefined) return true;
  const type = field.schema.type;
  return (
    type === 'boolean' ||
    Array.isArray(field.schema.enum) ||
    /(?:_id|Id|ID|_number|Number|_slug)$/.test(field.name)
  );
}

/** Rows with minted ids are stamped, unless answers or given rows show that they are not. */
function addStamps(
  fields: Map<string, Field>,
  of: {
    readonly intents: readonly Intent[];
    readonly rows: readonly JsonObject[];
    readonly camel: boolean;
    readonly shown: ReadonlySet<string>;
  },
): void {
  for (const field of fields.values()) {
    const stamp = stampOf(field.name);
    const written = of.intents.some((intent) =>
      writtenBy(intent).some((property) => property.name === field.name),
    );
    if (stamp !== undefined && !written && field.schema.type !== 'boolean')
      fields.set(field.name, { ...field, stamp });
  }
  const natural = of.intents.some((intent) => intent.files === true);
  if (of.shown.size > 0 || natural || of.intents.length === 0) return;
  const has = (stamp: 'created' | 'updated') => [...fields.values()].some((field) => field.stamp === stamp);
  const add = (name: string, stamp: 'created' | 'updated'): void => {
    if (!has(stamp) && !fields.has(name))
      fields.set(name, { name, schema: { type: 'string', format: 'date-time' }, required: false, stamp });
  };
  if (of.intents.some((intent) => intent.op === 'create' || intent.op === 'get' || intent.op === 'list')) {
    add(of.camel ? 'createdAt' : 'created_at', 'created');
  }
  const changes = of.intents.some((intent) => ['update', 'upsert', 'append', 'remove'].includes(intent.op));
  if (changes) add(of.camel ? 'updatedAt' : 'updated_at', 'updated');
}

function stampOf(name: string): 'created' | 'updated' | undefined {
  const words = splitWords(name).join(' ');
  if (
    /^(?:created|created at|created on|date created|creation date|creation time|created time|inserted at|created date)$/.test(
      words,
    )
  )
    return 'created';
  if (
    /^(?:updated|updated at|updated on|last updated|modified|modified at|last modified|date modified|last edited time|updated time|last modified at)$/.test(
      words,
    )
  )
    return 'updated';
  return undefined;
}

/** The world file's words on fields win. */
function correctFields(fields: Map<string, Field>, spec: EntitySpec | undefined): void {
  for (const [name, given] of Object.entries(spec?.fields ?? {})) {
    const old = fields.get(name) ?? { name, schema: {}, required: false };
    const { schema, initial, ...rest } = given;
    const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    fields.set(name, {
      ...old,
      ...kept,
      ...(schema === undefined ? {} : { schema: schema as JsonObject }),
      ...(initial === undefined ? {} : { initial: initial as Json }),
    });
  }
}

/** The field that a filter argument asks for; undefined if the collection has none such. */
export function filterField(argument: Property, draft: Draft): string | undefined {
  const scoped = draft.scope.get(argument.name);
  if (scoped !== undefined) return scoped;
  const { fields } = draft;
  if (fields.has(argument.name)) return argument.name;
  const written = fieldNameOf(argument, {
    fields,
    scope: draft.scope,
    key: draft.collection.key,
    noun: draft.noun,
    nouns: draft.nouns,
  });
  if (fields.has(written)) return written;
  const words = singularWords(splitWords(argument.name)).join(' ');
  const alike = [...fields.keys()].find((name) => singularWords(splitWords(name)).join(' ') === words);
  if (alike !== undefined) return alike;
  const { stem, word } = keyWordsOf(argument);
  const bare = [...fields.keys()].find(
    (name) => stem.length > 0 && word !== '' && splitWords(name).join(' ') === stem.join(' '),
  );
  return (
    bare ??
    (keyWordsOf(argument).many && word !== '' && keyStrength(argument, draft.noun) >= 2
      ? draft.collection.key[0]
      : undefined)
  );
}

/** The field that a range argument bounds: min_price → price, since → the time it was made. */
export function rangeField(
  argument: Property,
  draft: Draft,
): { field: string; test: 'min' | 'max' } | undefined {
  const range = rangeWords(argument);
  if (range === undefined) return undefined;
  const names = [...draft.fields.keys()];
  const rest = range.rest.filter((word) => !['date', 'time', 'at', 'on'].includes(word));
  const find = (test: (words: readonly string[], field: Field) => boolean) =>
    names.find((name) => {
      const field = draft.fields.get(name);
      return field !== undefined && test(splitWords(name), field);
    });
  const exact = rest.length === 0 ? undefined : find((words) => rest.every((word) => words.includes(word)));
  if (exact !== undefined) return { field: exact, test: range.test };
  if (rest.length > 0) return undefined;
  const timed = (words: readonly string[]) =>
    words.some((word) =>
      ['date', 'time', 'at', 'start', 'datetime', 'timestamp', 'day', 'due', 'starts'].includes(word),
    );
  const field =
    find((words, one) => one.stamp === undefined && timed(words)) ??
    find((_, one) => one.stamp === 'created');
  return field === undefined ? undefined : { field, test: range.test };
}
