/**
 * The collections of a service: assembled from intents, answers, given rows and the world file's corrections.
 *
 * Per noun: its key, how ids look, what scopes it, its fields, its label. Corrections (`entities`) always win; names
 * of given data win over inferred ones. Collections of data that no tool is about are kept too, so that rules and
 * references can use them.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import type { Collection, Field, IdStyle } from '../service.js';
import type { EntitySpec } from '../spec.js';
import { answerProperties } from './entities-answers.js';
import { gatherFields, renamedField, writtenBy } from './entities-fields.js';
import { styleOfArgument, styleOfName, styleOfSpec, styleOfValues } from './entities-ids.js';
import { chooseKey, type KeyChoice } from './entities-keys.js';
import { scopeOf } from './entities-scope.js';
import { addStates } from './entities-states.js';
import { addStamps, addUsual, labelOf } from './entities-usual.js';
import type { Intent } from './infer-intent-types.js';
import { keyStrength, keyWordsOf } from './infer-keys.js';
import { collectionName, type Noun, type Nouns } from './infer-nouns.js';
import type { Property } from './infer-schema.js';
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
  const named = namedRows(input.intents);
  for (const [name, group] of groupByCollection(input)) {
    drafts.set(name, buildCollection(name, group, { ...input, named }));
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

function buildCollection(
  name: string,
  group: Group,
  input: EntityInput & { readonly named: NamedRows },
): Draft {
  const spec = input.entities.get(name);
  // Examples tell as much about rows as given ones do; they are only not in the state.
  const rows = [...(input.data.get(name) ?? []), ...((spec?.examples ?? []) as readonly JsonObject[])];
  const shown = shownNames(group.intents, rows);
  const chosen = chooseKey({
    noun: group.noun,
    intents: group.intents,
    rows,
    shown,
    elsewhere: namedElsewhere(group, input.named),
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
  const made = intents.some(
    (intent) => intent.op === 'create' || intent.op === 'upsert' || intent.files === true,
  );
  addUsual(fields, { noun, key, scope: scopeFields, rows, shown, made });
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

/** Arguments that surely name a row, with their tools, by the noun that they name. */
type NamedRows = ReadonlyMap<string, readonly { readonly intent: Intent; readonly argument: Property }[]>;

/** Read once for all collections: of thousands of tools, each would look at all arguments again. */
function namedRows(intents: readonly Intent[]): NamedRows {
  const named = new Map<string, { readonly intent: Intent; readonly argument: Property }[]>();
  for (const intent of intents) {
    for (const argument of intent.facts.args) {
      const { stem, strong } = keyWordsOf(argument);
      if (!strong) continue;
      const noun = stem.join(' ');
      const known = named.get(noun);
      if (known === undefined) named.set(noun, [{ intent, argument }]);
      else known.push({ intent, argument });
    }
  }
  return named;
}

/** Arguments of other collections' tools that name a row of this one: `space_key` of a page. */
function namedElsewhere(group: Group, named: NamedRows): Property[] {
  const own = new Set(group.intents);
  const found = named.get(group.noun.join(' ')) ?? [];
  return found.filter(({ intent }) => !own.has(intent)).map(({ argument }) => argument);
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
