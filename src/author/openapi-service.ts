/**
 * Where method and path say more than a name: `entities` and `overrides` for a world of an OpenAPI document.
 *
 * The service is inferred from the tools as always; then each operation whose path plainly lists, makes, reads,
 * changes or deletes rows is compared with its plan. Only what differs is written into the world file. A collection
 * counts as kept when some operation makes its rows, or lists them and another reads one; so `GET /weather/{city}` is
 * not taken for a table. Not covered: what an action does beside setting a state that its word names.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/index.js';
import {
  type EntitySpec,
  inferService,
  type OverrideSpec,
  type Plan,
  type ServiceModel,
} from '../engines/index.js';
import {
  looksObject,
  pluralName,
  propertiesThrough,
  type RestKind,
  rowsSchema,
  singularName,
  wordsOf,
} from './openapi-rest.js';
import { lookThrough, newVisits, type SchemaConverter, type Visits } from './openapi-schema.js';
import type { OpenApiSource } from './openapi-source.js';
import type { OperationTool } from './openapi-tools.js';

/** What the world file has to say beside the tools. */
export interface ServiceCorrections {
  readonly entities: Readonly<Record<string, EntitySpec>>;
  readonly overrides: Readonly<Record<string, OverrideSpec>>;
  /** The service that the tools and these corrections lead to, before any rows are given. */
  readonly model: ServiceModel;
}

type Draft = Pick<ServiceCorrections, 'entities' | 'overrides'>;

/** The operations on one collection, and what its rows look like. */
export interface RestGroup {
  /** The collection's name in the service model. */
  readonly collection: string;
  readonly members: readonly OperationTool[];
  /** The field that names a row. */
  readonly key: string;
  /** Properties of a row by name: schemas as the document has them. */
  readonly fields: ReadonlyMap<string, Json>;
  /** The schema of one row, where some answer shows it. */
  readonly row: Json | undefined;
}

/** Compares the inferred service with what paths say. */
export function correctService(
  source: OpenApiSource,
  converter: SchemaConverter,
  tools: readonly OperationTool[],
): ServiceCorrections {
  const list = tools.map(({ tool }) => tool);
  const infer = (corrections: Draft): ServiceModel =>
    inferService({ tools: list, data: {}, strict: false, ...corrections });
  const model = infer({ entities: {}, overrides: {} });
  const groups = restGroups(source, tools, model).filter(isKept);
  const overrides = new Map<string, OverrideSpec>();
  const keys = new Map<string, EntitySpec>();
  for (const group of groups) {
    const known = model.collections[group.collection];
    if (known !== undefined && !known.key.includes(group.key) && group.fields.has(group.key)) {
      keys.set(group.collection, { key: group.key });
    }
  }
  const rekeyed = keys.size === 0 ? model : infer({ entities: Object.fromEntries(keys), overrides: {} });
  for (const group of groups) {
    for (const member of group.members) {
      const override = overrideOf(source, { group, member, plan: rekeyed.plans[member.tool.name], groups });
      if (override !== undefined) overrides.set(member.tool.name, override);
    }
  }
  const draft = { entities: Object.fromEntries(keys), overrides: Object.fromEntries(overrides) };
  const corrected = overrides.size === 0 ? rekeyed : infer(draft);
  const entities = completeEntities(source, converter, { groups, draft, model: corrected });
  const final = { entities, overrides: draft.overrides };
  const same = overrides.size === 0 && Object.keys(entities).length === keys.size;
  return { ...final, model: same ? corrected : infer(final) };
}

/** Groups operations by what their path says they are about, and finds what the model calls it. */
export function restGroups(
  source: OpenApiSource,
  tools: readonly OperationTool[],
  model: ServiceModel,
): RestGroup[] {
  const byName = new Map<string, OperationTool[]>();
  for (const member of tools) {
    const name = pluralName(member.rest.collection);
    if (name === '' || member.rest.kind === 'other') continue;
    byName.set(name, [...(byName.get(name) ?? []), member]);
  }
  return [...byName].map(([name, members]) => {
    const row = rowOf(source, members);
    const fields = new Map(row === undefined ? [] : propertiesThrough(source, row));
    return {
      collection: collectionOf(name, members, model),
      members,
      key: keyOf(name, members, fields),
      fields,
      row,
    };
  });
}

/** The collection that most of the plans speak of; else the path's own word. */
function collectionOf(name: string, members: readonly OperationTool[], model: ServiceModel): string {
  const votes = new Map<string, number>();
  for (const { tool, rest } of members) {
    const plan = model.plans[tool.name];
    if (plan?.collection === undefined || !fits(rest.kind, plan)) continue;
    votes.set(plan.collection, (votes.get(plan.collection) ?? 0) + 1);
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  // one odd name among several operations does not rename what the path calls it
  return best !== undefined && best[1] * 2 > members.length ? best[0] : name;
}

/** What one row looks like: the answer that reads one, a list's items, the answer that makes one. */
function rowOf(source: OpenApiSource, members: readonly OperationTool[]): Json | undefined {
  for (const kind of ['get', 'list', 'create', 'update'] as const) {
    for (const { operation, rest } of members) {
      if (rest.kind !== kind) continue;
      const value =
        kind === 'list'
          ? rowsSchema(source, operation)?.value
          : rowAnswer(source, operation.answer?.schema?.value);
      if (value !== undefined && propertiesThrough(source, value).length > 0) return value;
    }
  }
  return undefined;
}

/** The row in an answer: the object itself, or the only object in it (`{"pet": {…}}`). */
function rowAnswer(source: OpenApiSource, value: Json | undefined): Json | undefined {
  if (value === undefined || !looksObject(source, value)) return undefined;
  const properties = propertiesThrough(source, value);
  const [only] = properties;
  return properties.length === 1 && only !== undefined && looksObject(source, only[1]) ? only[1] : value;
}

/** The row's field that the path parameter speaks of. */
function keyOf(name: string, members: readonly OperationTool[], fields: ReadonlyMap<string, Json>): string {
  const parameter = members.find(({ rest }) => rest.key !== undefined)?.rest.key;
  if (parameter === undefined)
    return ['id', 'uuid', 'key', 'code'].find((field) => fields.has(field)) ?? 'id';
  if (fields.size === 0 || fields.has(parameter)) return parameter;
  const one = wordsOf(singularName(name));
  const words = wordsOf(parameter);
  const alike = [...fields.keys()].find((field) => wordsOf(field).join(' ') === words.join(' '));
  if (alike !== undefined) return alike;
  const rest =
    words.slice(0, one.length).join(' ') === one.join(' ') ? words.slice(one.length) : words.slice(-1);
  const last = [...fields.keys()].find((field) => wordsOf(field).join(' ') === rest.join(' '));
  return last ?? (fields.has('id') ? 'id' : parameter);
}

function isKept({ members }: RestGroup): boolean {
  const has = (kind: RestKind): boolean => members.some(({ rest }) => rest.kind === kind);
  return (
    has('create') ||
    (has('list') && (has('get') || has('update') || has('delete'))) ||
    (has('list') && !has('get'))
  );
}

const OPS: Readonly<Record<RestKind, readonly Plan['op'][]>> = {
  list: ['list', 'search'],
  create: ['create', 'upsert'],
  get: ['get'],
  update: ['update', 'upsert'],
  delete: ['delete'],
  action: [],
  other: [],
};

function fits(kind: RestKind, plan: Plan): boolean {
  return OPS[kind].includes(plan.op);
}

interface Comparing {
  readonly group: RestGroup;
  readonly member: OperationTool;
  readonly plan: Plan | undefined;
  readonly groups: readonly RestGroup[];
}

/** What to write for one operation; undefined where the plan already says it. */
function overrideOf(source: OpenApiSource, comparing: Comparing): OverrideSpec | undefined {
  const { group, member, plan } = comparing;
  const { rest } = member;
  if (plan?.cases !== undefined || rest.kind === 'other') return undefined;
  if (rest.kind === 'action') return actionOverride(source, comparing);
  const key = rest.key === undefined ? undefined : argumentOf(member, rest.key);
  const sameRows = plan?.collection === group.collection && plan !== undefined && fits(rest.kind, plan);
  if (rest.kind === 'list')
    return sameRows && filtersByParents(comparing) ? undefined : listOverride(source, comparing);
  // a list without rows of its own to show is left to its name
  if (rest.kind === 'create') {
    if (sameRows || member.bodyArgument !== undefined) return undefined;
    // an argument that stands for a key of another name is stored under that name only
    const renamed = parentFields(comparing).filter(({ argument, field }) => argument !== field);
    const fields = Object.fromEntries(renamed.map(({ argument, field }) => [argument, field]));
    return { op: 'create', collection: group.collection, ...(renamed.length > 0 && { key: fields }) };
  }
  if (key === undefined || (sameRows && plan.key !== undefined && Object.hasOwn(plan.key, key)))
    return undefined;
  if (
    rest.kind === 'update' &&
    member.bodyArgument !== undefined &&
    !member.operation.body?.mediaType.includes('json')
  )
    return undefined;
  return { op: rest.kind, collection: group.collection, key: { [key]: group.key } };
}

/** POST /invoices/{invoice}/pay: the row's state becomes `paid`, where a field knows such a value. */
function actionOverride(source: OpenApiSource, { group, member, plan }: Comparing): OverrideSpec | undefined {
  const { rest, operation } = member;
  const key = rest.key === undefined ? undefined : argumentOf(member, rest.key);
  if (key === undefined || rest.action === undefined) return undefined;
  if (
    plan !== undefined &&
    plan.op !== 'unknown' &&
    !(plan.op === 'create' && plan.collection === group.collection)
  )
    return undefined;
  const answer = rowAnswer(source, operation.answer?.schema?.value);
  const sameRow = answer !== undefined && lookThrough(source, answer) === lookThrough(source, group.row);
  const state = stateOf(source, group, rest.action);
  if (state === undefined && !sameRow) return undefined;
  const base = { op: 'update' as const, collection: group.collection, key: { [key]: group.key } };
  return state === undefined ? base : { ...base, set: { [state.field]: JSON.stringify(state.value) } };
}

/** The field and value that a verb leads to: `pay` → status `paid`, `cancel` → state `cancelled`. */
function stateOf(
  source: OpenApiSource,
  group: RestGroup,
  action: string,
): { readonly field: string; readonly value: string } | undefined {
  const verb = wordsOf(action)[0] ?? '';
  const stem = verb.replace(/[ey]$/, '');
  if (stem.length < 2) return undefined;
  for (const [field, schema] of group.fields) {
    const choices = lookThrough(source, schema).enum;
    for (const value of Array.isArray(choices) ? choices : []) {
      if (typeof value !== 'string') continue;
      const word = wordsOf(value).join('');
      if (
        word === verb ||
        (word.startsWith(stem) && /^(d|ed|id|ied|led|ped|ted|n|en)$/.test(word.slice(stem.length)))
      )
        return { field, value };
    }
  }
  return undefined;
}

function argumentOf(member: OperationTool, parameter: string): string | undefined {
  return member.argumentOf.get(`path ${parameter}`);
}

interface ParentField {
  readonly argument: string;
  readonly field: string;
  readonly collection: string;
}

/** The rows' fields that hold the ids of what stands before them in the path. */
function parentFields({ group, member, groups }: Comparing): ParentField[] {
  return member.rest.parents.flatMap(({ parameter, collection }) => {
    const argument = argumentOf(member, parameter);
    if (argument === undefined) return [];
    const one = singularName(collection);
    const names = [...group.fields.keys()];
    const like = (words: string): string | undefined =>
      names.find((name) => wordsOf(name).join(' ') === words);
    const words = wordsOf(parameter).join(' ');
    const owner = one.replaceAll('_', ' ');
    const field = like(words) ?? like(`${owner} ${words}`) ?? like(`${owner} id`) ?? like(owner) ?? argument;
    const parent = groups.find((other) =>
      other.members.some(({ rest }) => pluralName(rest.collection) === pluralName(collection)),
    );
    return [{ argument, field, collection: parent?.collection ?? '' }];
  });
}

function filtersByParents(comparing: Comparing): boolean {
  const filters = comparing.plan?.filters ?? {};
  return parentFields(comparing).every(({ argument }) => Object.hasOwn(filters, argument));
}

function argumentRule(argument: string): string {
  return `get(args, ${JSON.stringify(argument)}, null)`;
}

function listOverride(source: OpenApiSource, comparing: Comparing): OverrideSpec | undefined {
  const { group, member } = comparing;
  if (rowsSchema(source, member.operation) === undefined) return undefined;
  const names = Object.keys(
    isJsonObject(member.tool.inputSchema.properties) ? member.tool.inputSchema.properties : {},
  );
  const searched = names.some((name) => /^(q|query|search|text|keyword)$/i.test(name));
  const parents = parentFields(comparing);
  const op = searched ? ('search' as const) : ('list' as const);
  if (parents.every(({ argument, field }) => argument === field)) return { op, collection: group.collection };
  const tests = parents.map(
    ({ argument, field }) => `get(row, ${JSON.stringify(field)}, null) == ${argumentRule(argument)}`,
  );
  const others = names.filter(
    (name) => group.fields.has(name) && !parents.some(({ argument }) => argument === name),
  );
  for (const name of others) {
    const text = JSON.stringify(name);
    tests.push(`(!(${text} in args) || get(row, ${text}, null) == args[${text}])`);
  }
  return { op, collection: group.collection, match: tests.join(' && ') };
}

/** Entities for collections whose operations were corrected, with the fields that answers show. */
function completeEntities(
  source: OpenApiSource,
  converter: SchemaConverter,
  of: {
    readonly groups: readonly RestGroup[];
    readonly draft: Draft;
    readonly model: ServiceModel;
  },
): Record<string, EntitySpec> {
  const entities = new Map<string, EntitySpec>(Object.entries(of.draft.entities));
  for (const group of of.groups) {
    const touched = group.members.some(({ tool }) => Object.hasOwn(of.draft.overrides, tool.name));
    if (!touched) continue;
    const known = Object.hasOwn(of.model.collections, group.collection)
      ? of.model.collections[group.collection]
      : undefined;
    const required = new Set(requiredThrough(source, group.row));
    const fields: Record<string, NonNullable<EntitySpec['fields']>[string]> = {};
    for (const [name, value] of group.fields) {
      if (known !== undefined && Object.hasOwn(known.fields, name)) continue;
      const schema = fieldSchema(converter.schema(value, '', 'output'));
      fields[name] = { schema, ...(required.has(name) && { required: true }) };
    }
    for (const member of group.members) {
      for (const { field, collection } of parentFields({
        group,
        member,
        plan: undefined,
        groups: of.groups,
      })) {
        if (known?.fields[field]?.refersTo !== undefined || collection === '') continue;
        fields[field] = { ...(fields[field] ?? { schema: { type: 'string' } }), refersTo: collection };
      }
    }
    const spec: EntitySpec = { key: group.key, ...(Object.keys(fields).length > 0 && { fields }) };
    entities.set(group.collection, { ...entities.get(group.collection), ...spec });
  }
  for (const group of of.groups) {
    const id = idStyle(lookThrough(source, group.fields.get(group.key)));
    const { collection } = group;
    if (id !== undefined) entities.set(collection, { key: group.key, ...entities.get(collection), id });
  }
  return Object.fromEntries(entities);
}

/** How ids look where the key's pattern says it: `^S-[0-9]{4}$` counts with a prefix and a width. */
function idStyle(schema: JsonObject): EntitySpec['id'] {
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : '';
  const parts = /^\^([A-Za-z]{1,10}[-_:]?)(?:\[0-9\]|\\d)(\+|\{(\d{1,2})(?:,\d*)?\})\$$/.exec(pattern);
  if (parts === null) return undefined;
  const width = Number(parts[3] ?? 0);
  if (width > 20) return undefined;
  return { style: 'counter', prefix: parts[1] ?? '', start: 1, ...(width > 0 && { width }) };
}

function requiredThrough(
  source: OpenApiSource,
  value: Json | undefined,
  visits: Visits = newVisits(),
): string[] {
  const schema = lookThrough(source, value);
  if (visits.left-- <= 0) return [];
  const own = (Array.isArray(schema.required) ? schema.required : []).filter(
    (name) => typeof name === 'string',
  );
  const parts: readonly Json[] = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [...own, ...parts.flatMap((part) => requiredThrough(source, part, visits))];
}

type FieldSchema = NonNullable<NonNullable<EntitySpec['fields']>[string]['schema']>;

/** A field's schema without definitions of its own, which a world file's author would not want to read. */
function fieldSchema(schema: Json): FieldSchema {
  if (!isJsonObject(schema)) return {};
  if (schema.$defs === undefined) return { ...schema } as FieldSchema;
  const kept = Object.entries(schema).filter(([key, value]) => key !== '$defs' && !mentionsDefs(value));
  return Object.fromEntries(kept.filter(([key]) => key !== '$ref')) as FieldSchema;
}

function mentionsDefs(value: Json): boolean {
  if (Array.isArray(value)) return value.some(mentionsDefs);
  if (!isJsonObject(value)) return false;
  return typeof value.$ref === 'string' || Object.values(value as JsonObject).some(mentionsDefs);
}
