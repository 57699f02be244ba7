/**
 * Binds a tool's intent to its collection: which argument is the key, a value, a filter, a page size.
 *
 * The result is data that the runtime executes. Arguments of a tool that means one row become `key` (the row) and
 * `filters` (its scope, and references that the row must have); arguments of a tool that makes a row all become
 * `writes`. Arguments that only shape the answer (`fields`, `verbose`) are left out. Words for people are in `why`.
 */
import type { JsonObject } from '../../core/index.js';
import type { Draft } from './infer/entities.js';
import { filterField, rangeField } from './infer/entities-bind.js';
import { fieldNameOf, referenceOf, renamedField, writtenBy } from './infer/entities-fields.js';
import { isScopeName } from './infer/entities-scope.js';
import { stateChange } from './infer/entities-states.js';
import { isDestination } from './infer/infer-files.js';
import type { Intent } from './infer/infer-intent-types.js';
import { keyStrength, keyWordsOf } from './infer/infer-keys.js';
import type { Nouns } from './infer/infer-nouns.js';
import { type ArgumentRole, deletesBy, pagingOf, roleOf, sortingOf } from './infer/infer-roles.js';
import type { Property } from './infer/infer-schema.js';
import { startsWith } from './infer/words.js';
import type { Plan } from './service.js';

/** Names bound to names, as plans hold them. */
type Names = Record<string, string>;

/** The plan of one intent; `draft` is its collection where it has one. */
export function planOf(intent: Intent, draft: Draft | undefined, nouns: Nouns): Plan {
  const base = { tool: intent.facts.tool, op: intent.op, why: intent.why };
  if (intent.op === 'unknown' || intent.op === 'clock' || draft === undefined) {
    return { ...base, op: intent.op === 'clock' ? 'clock' : 'unknown' };
  }
  const common = { ...base, collection: draft.collection.name };
  const idempotency = intent.facts.args.find(
    (argument) => argument !== intent.keyArgument && roleOf(argument, 'write') === 'idempotency',
  );
  const key = idempotency === undefined ? {} : { idempotencyKey: idempotency.name };
  switch (intent.op) {
    case 'list':
    case 'search':
    case 'count':
      return { ...common, ...manyRows(intent, draft) };
    case 'create':
      return { ...common, ...madeRow(intent, draft), ...key };
    case 'append':
    case 'remove':
      return { ...common, ...changedList(intent, draft), ...key };
    default:
      return { ...common, ...oneRow(intent, draft, nouns), ...key };
  }
}

/** The plan that reads everything: all collections with more than one row. */
export function dumpPlan(intent: Intent, drafts: ReadonlyMap<string, Draft>): Plan {
  const kept = [...drafts.values()].filter((draft) => draft.collection.singleton !== true);
  return {
    tool: intent.facts.tool,
    op: 'dump',
    collections: kept.map((draft) => draft.collection.name),
    why: intent.why,
  };
}

function record(pairs: readonly (readonly [string, string])[]): Names {
  return Object.fromEntries(pairs);
}

function optional(name: string, names: Names): Record<string, Names> {
  return Object.keys(names).length === 0 ? {} : { [name]: names };
}

function manyRows(intent: Intent, draft: Draft): Partial<Plan> {
  let roles = intent.facts.args.map((argument): [Property, ArgumentRole] => [
    argument,
    roleOf(argument, 'many'),
  ]);
  let query =
    intent.op === 'list' || intent.op === 'count'
      ? undefined
      : roles.find(([, role]) => role === 'query')?.[0];
  query ??=
    intent.op === 'search'
      ? textToFind(roles, intent, draft)
      : roles.find(([, role]) => role === 'query')?.[0];
  roles = roles.map(([argument, role]) => (argument === query ? [argument, 'query'] : [argument, role]));
  const filters: [string, string][] = [];
  const ranges: [string, { field: string; test: 'min' | 'max' }][] = [];
  for (const [argument, role] of roles) {
    if (role !== 'value' || argument === query || argument.name === intent.under?.argument) continue;
    const renamed = renamedField(intent, argument.name);
    const range = renamed === undefined ? rangeField(argument, draft) : undefined;
    const field = renamed ?? filterField(argument, draft);
    if (range !== undefined && (field === undefined || field !== argument.name))
      ranges.push([argument.name, range]);
    else if (field !== undefined) filters.push([argument.name, field]);
  }
  const paging = pagingOf(roles);
  const where = stateOf(intent, draft);
  const sorting = sortingOf(roles);
  return {
    ...optional('filters', record(filters)),
    ...where,
    ...(ranges.length === 0 ? {} : { ranges: Object.fromEntries(ranges) }),
    ...(intent.under === undefined ? {} : { under: intent.under }),
    ...(query === undefined ? {} : { query: query.name }),
    ...(paging === undefined || intent.op === 'count' ? {} : { paging }),
    ...(sorting === undefined || intent.op === 'count' ? {} : { sorting }),
  };
}

/** The fixed filter of a tool that speaks of rows in one state: completed todos. */
function stateOf(intent: Intent, draft: Draft): Partial<Plan> {
  const { state } = intent.facts;
  const change = state === undefined ? undefined : stateChange(state, draft.fields);
  return change === undefined ? {} : { where: change.sets };
}

/** A search without a query argument looks for its first free text: `text`, `name`, `title`, `pattern`. */
function textToFind(
  roles: readonly (readonly [Property, ArgumentRole])[],
  intent: Intent,
  draft: Draft,
): Property | undefined {
  const values = roles
    .filter(
      ([argument, role]) =>
        role === 'value' && argument.types.includes('string') && argument.choices.length === 0,
    )
    .map(([argument]) => argument);
  const free = values.filter(
    (argument) =>
      argument.name !== intent.under?.argument &&
      !draft.scope.has(argument.name) &&
      !keyWordsOf(argument).strong,
  );
  const textual = free.find((argument) =>
    /text|phrase|title|name|content|term|filter|prompt|expression/i.test(argument.name),
  );
  return textual ?? (free.length === 1 && free[0]?.required === true ? free[0] : undefined);
}

function madeRow(intent: Intent, draft: Draft): Partial<Plan> {
  const writes = writesOf(intent, draft);
  const outer = intent.batch === undefined ? [] : outerValues(intent, draft);
  const key =
    intent.keyArgument === undefined
      ? {}
      : record([[intent.keyArgument.name, keyField(intent, intent.keyArgument, draft)]]);
  return { ...optional('writes', { ...key, ...record(outer), ...writes }), ...batchOf(intent) };
}

/** Values beside the list of a batch go into every row: a project for all tasks. */
function outerValues(intent: Intent, draft: Draft): [string, string][] {
  return intent.facts.args
    .filter((argument) => argument !== intent.batch?.argument && roleOf(argument, 'write') === 'value')
    .map((argument): [string, string] => [argument.name, fieldName(argument, draft, intent)]);
}

function batchOf(intent: Intent): Partial<Plan> {
  const { batch } = intent;
  return batch === undefined ? {} : { batch: { argument: batch.argument.name, items: batch.items } };
}

function fieldName(argument: Property, draft: Draft, intent: Intent): string {
  const renamed = renamedField(intent, argument.name);
  if (renamed !== undefined) return renamed;
  return fieldNameOf(argument, {
    fields: draft.fields,
    scope: draft.scope,
    key: draft.collection.key,
    noun: draft.noun,
    nouns: draft.nouns,
  });
}

function writesOf(intent: Intent, draft: Draft, except: ReadonlySet<string> = new Set()): Names {
  return record(
    writtenBy(intent)
      .filter((property) => !except.has(property.name))
      .map((property): [string, string] => [property.name, fieldName(property, draft, intent)]),
  );
}

/** The field that the key argument speaks of. */
function keyField(intent: Intent, argument: Property, draft: Draft): string {
  const { key } = draft.collection;
  const [first = 'id'] = key;
  if (intent.keyField !== undefined) return intent.keyField;
  if (intent.files === true || key.includes(argument.name))
    return intent.files === true ? first : argument.name;
  const strength = keyStrength(argument, draft.noun);
  const { stem, word } = keyWordsOf(argument);
  if (strength === 0) return draft.fields.has(argument.name) ? argument.name : first;
  if (word === '') return first;
  if (first === word || first.toLowerCase().endsWith(word)) return first;
  if (stem.length === 0 && draft.fields.has(word)) return word;
  return draft.fields.has(argument.name) ? argument.name : draft.fields.has(word) ? word : first;
}

function changedList(intent: Intent, draft: Draft): Partial<Plan> {
  const { keyArgument, value, listField } = intent;
  if (keyArgument === undefined || value === undefined || listField === undefined) return {};
  const scope = scopeFilters(intent, draft, new Set([keyArgument.name, value.name]));
  return {
    key: record([[keyArgument.name, keyField(intent, keyArgument, draft)]]),
    ...optional('filters', scope),
    writes: record([[value.name, listField]]),
    listField,
    ...batchOf(intent),
  };
}

function scopeFilters(intent: Intent, draft: Draft, except: ReadonlySet<string>): Names {
  return record(
    intent.facts.args.flatMap((argument): [string, string][] => {
      const field = draft.scope.get(argument.name);
      return field === undefined || except.has(argument.name) ? [] : [[argument.name, field]];
    }),
  );
}

function oneRow(intent: Intent, draft: Draft, nouns: Nouns): Partial<Plan> {
  const key = keysOf(intent, draft);
  const named = new Set(Object.keys(key));
  const filters: Names = {
    ...scopeFilters(intent, draft, named),
    ...parents(intent, draft, { named, nouns }),
  };
  const change = intent.transition === undefined ? undefined : stateChange(intent.transition, draft.fields);
  const sets: JsonObject = { ...(change?.sets ?? {}), ...(intent.sets ?? {}) };
  const writes =
    intent.op === 'update' || intent.op === 'upsert'
      ? ownWrites(intent, draft, new Set([...named, ...Object.keys(filters)]))
      : {};
  const whole =
    intent.op === 'get' && intent.facts.parsed.verb?.word === 'download' && draft.fields.has('content');
  const value = intent.only ?? (whole ? 'content' : undefined);
  const only = value === undefined ? {} : { only: value };
  const deletes = intent.facts.args.find(deletesBy);
  const scopeWrites = intent.op === 'upsert' ? scopeFilters(intent, draft, named) : {};
  return {
    ...optional('key', key),
    ...optional('filters', filters),
    ...stateOf(intent, draft),
    ...optional('writes', { ...scopeWrites, ...writes }),
    ...batchOf(intent),
    ...(Object.keys(sets).length === 0 ? {} : { sets }),
    ...(change === undefined || intent.op !== 'update' ? {} : { already: change.already }),
    ...(intent.all === true ? { all: true } : {}),
    ...(deletes === undefined || intent.op !== 'update' ? {} : { deletes: deletes.name }),
    ...only,
  };
}

/** Argument → key field. A batch of objects holds the key in its items, a natural key in several arguments. */
function keysOf(intent: Intent, draft: Draft): Names {
  const { batch, keyArgument } = intent;
  const [first = 'id', ...more] = draft.collection.key;
  if (batch?.items === 'keys') return record([[batch.argument.name, first]]);
  if (batch !== undefined) {
    const held = batch.properties.filter(
      (property) => draft.collection.key.includes(property.name) || keyStrength(property, draft.noun) >= 2,
    );
    return record(
      held.slice(0, more.length + 1).map((property) => [property.name, keyField(intent, property, draft)]),
    );
  }
  if (keyArgument !== undefined) return record([[keyArgument.name, keyField(intent, keyArgument, draft)]]);
  const natural = intent.facts.args.filter((argument) => draft.collection.key.includes(argument.name));
  return record(
    intent.all === true || intent.singleton === true
      ? []
      : natural.map((argument) => [argument.name, argument.name]),
  );
}

/** References that the row must have: `pipeline_slug` when one build of a pipeline is read. */
function parents(
  intent: Intent,
  draft: Draft,
  of: { readonly named: ReadonlySet<string>; readonly nouns: Nouns },
): Names {
  const changes = (intent.op === 'update' || intent.op === 'upsert') && intent.all !== true;
  return record(
    intent.facts.args.flatMap((argument): [string, string][] => {
      if (of.named.has(argument.name) || draft.scope.has(argument.name)) return [];
      const renamed = renamedField(intent, argument.name);
      if (renamed !== undefined) return [[argument.name, renamed]];
      const field = filterField(argument, draft);
      if (field === undefined || roleOf(argument, 'one') !== 'value') return [];
      const reference = referenceOf(argument, { noun: draft.noun, nouns: of.nouns }) !== undefined;
      if (changes) return reference && locates(argument, draft) ? [[argument.name, field]] : [];
      const { stem } = keyWordsOf(argument);
      const holds = argument.required || startsWith(draft.noun, stem);
      return (reference && holds) ||
        (intent.all === true && (reference || argument.required || isScopeName(argument.name)))
        ? [[argument.name, field]]
        : [];
    }),
  );
}

/** A reference that reads and deletes of one row require too: it finds the row, a change does not write it. */
function locates(argument: Property, draft: Draft): boolean {
  if (!argument.required) return false;
  const others = draft.intents.filter((intent) => intent.op === 'get' || intent.op === 'delete');
  const asks = (intent: Intent) =>
    intent.facts.args.some((one) => one.name === argument.name && one.required);
  return others.length > 0 && others.every(asks);
}

function ownWrites(intent: Intent, draft: Draft, except: ReadonlySet<string>): Names {
  const writes = writesOf(intent, draft, except);
  if (intent.files !== true) return writes;
  const [path = 'path'] = draft.collection.key;
  const moves = new Set(intent.facts.args.filter(isDestination).map((argument) => argument.name));
  const renamed = Object.keys(writes).find((name) => moves.has(name));
  const moved =
    intent.keyArgument !== undefined &&
    renamed !== undefined &&
    intent.op === 'update' &&
    writes.content === undefined;
  return moved && renamed !== undefined ? { [renamed]: path } : writes;
}
