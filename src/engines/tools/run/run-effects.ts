/**
 * State changes from outside (with an answer of a model or a recording, or by another actor): validated as a whole, then written with
 * the answer's origin, or refused as a whole. Groups of unique or limited rows are judged when all is written. What a recording shows happened: its references and uniqueness are not
 * judged, and a deletion of what is gone already is no problem. Side effects do not follow: whoever gives the effects
 * gives all of them.
 *
 * Form: `{ writes: [{ collection, row }], deletes: [{ collection, key }] }`. A write adds a row or changes the
 * given fields of the one with the same key; a key is a value, or an object of the identity fields.
 */
import {
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  type Origin,
  ok,
  type Result,
} from '../../../core/index.js';
import { nearestName } from '../check/messages.js';
import type { ToolWorld } from '../engine-world.js';
import { overfullGroup } from '../policy/unique-rows.js';
import type { Collection, ServiceModel, StoredRow } from '../service.js';
import {
  changeRow,
  identityFields,
  keyOf,
  makeRow,
  own,
  putRow,
  rowsOf,
  type StoreState,
  sameValue,
} from '../store/store.js';
import { checkReferences, collectionNamed, deleteWithChildren } from '../store/store-integrity.js';
import type { Call } from './run-call.js';

/** The state with the effects, or why they are refused (nothing is applied then). `origin` is that of the rows. */
export function applyEffects(
  call: Call,
  effects: Json,
  origin: Origin = 'predicted',
): Result<StoreState, string> {
  return effectsOn(call.world, call.state, { effects, origin });
}

/** What effects are checked against. */
export type EffectWorld = Pick<ToolWorld, 'model' | 'policy'>;

/** A state with effects; see {@link applyEffects}. `origin` is that of the values written. */
export function effectsOn(
  world: EffectWorld,
  before: StoreState,
  given: { readonly effects: Json; readonly origin: Origin },
): Result<StoreState, string> {
  const { effects, origin } = given;
  const { model } = world;
  if (!isJsonObject(effects)) return fail('effects must be an object with writes and deletes');
  const odd = Object.keys(effects).find((name) => name !== 'writes' && name !== 'deletes');
  if (odd !== undefined) return fail(`effects have the unknown part ${JSON.stringify(odd)}`);
  const touched: Touched[] = [];
  let state = before;
  for (const write of partsOf(effects, 'writes')) {
    const written = applyWrite({ state, model, origin }, write);
    if (!written.ok) return written;
    state = written.value.state;
    touched.push(written.value.touched);
  }
  for (const entry of partsOf(effects, 'deletes')) {
    const deleted = applyDelete({ state, model, origin }, entry);
    if (!deleted.ok) return deleted;
    state = deleted.value;
  }
  for (const { collection, row } of origin === 'recorded' ? [] : touched) {
    if (!rowsOf(state, collection.name).has(keyOf(collection, row.data))) continue;
    const message = checkReferences(state, model, {
      collection,
      row: row.data,
      fields: Object.keys(row.data),
      argumentOf: {},
    });
    if (message !== undefined) return fail(message);
    const { groups } = world.policy.collections.get(collection.name) ?? {};
    const full = overfullGroup(groups, collection, { rows: rowsOf(state, collection.name), data: row.data });
    if (full !== undefined) return fail(full);
  }
  return ok(state);
}

interface Touched {
  readonly collection: Collection;
  readonly row: StoredRow;
}

function partsOf(effects: JsonObject, name: string): readonly Json[] {
  const parts = own(effects, name);
  return parts === undefined ? [] : Array.isArray(parts) ? (parts as readonly Json[]) : [parts];
}

function namedCollection(model: ServiceModel, part: Json): Result<Collection, string> {
  const name = isJsonObject(part) ? own(part, 'collection') : undefined;
  if (typeof name !== 'string') return fail('an effect names no collection');
  const collection = collectionNamed(model, name);
  if (collection !== undefined) return ok(collection);
  const nearest = nearestName(name, Object.keys(model.collections));
  return fail(`there is no collection ${name}${nearest === undefined ? '' : `; the nearest is ${nearest}`}`);
}

interface Applying {
  readonly state: StoreState;
  readonly model: ServiceModel;
  readonly origin: Origin;
}

function applyWrite(
  { state, model, origin }: Applying,
  write: Json,
): Result<{ readonly state: StoreState; readonly touched: Touched }, string> {
  const collection = namedCollection(model, write);
  if (!collection.ok) return collection;
  const row = isJsonObject(write) ? own(write, 'row') : undefined;
  if (!isJsonObject(row)) return fail(`a write to ${collection.value.name} has no row`);
  const lacks = identityFields(collection.value).find((field) => (own(row, field) ?? null) === null);
  if (lacks !== undefined) return fail(`a row for ${collection.value.name} has no ${lacks}`);
  const problem = origin === 'recorded' ? undefined : fieldProblem(state, collection.value, row);
  if (problem !== undefined) return fail(problem);
  const old = rowsOf(state, collection.value.name).get(keyOf(collection.value, row));
  const made = old === undefined ? makeRow(row, { base: origin }) : changeRow(old, row, origin);
  return ok({
    state: putRow(state, collection.value, made),
    touched: { collection: collection.value, row: made },
  });
}

/** The first field that is of another kind than its schema says, computed, or not unique. */
function fieldProblem(state: StoreState, collection: Collection, row: JsonObject): string | undefined {
  const key = keyOf(collection, row);
  for (const field of Object.values(collection.fields)) {
    const value = own(row, field.name);
    if (value === undefined) continue;
    if (field.computed !== undefined)
      return `${collection.name}.${field.name} is computed and cannot be written`;
    if (!isOfType(value, own(field.schema, 'type')))
      return `${collection.name}.${field.name} has the wrong type`;
    const values = own(field.schema, 'enum');
    if (Array.isArray(values) && value !== null && !values.some((one: Json) => sameValue(one, value))) {
      return `${collection.name}.${field.name} is none of its allowed values`;
    }
    if (field.unique !== true || value === null) continue;
    for (const other of rowsOf(state, collection.name).values()) {
      const same = sameValue(own(other.data, field.name), value) && keyOf(collection, other.data) !== key;
      if (same) return `another of ${collection.name} has the same ${field.name}`;
    }
  }
  return undefined;
}

function isOfType(value: Json, type: Json | undefined): boolean {
  if (type === undefined || value === null) return true;
  return (Array.isArray(type) ? type : [type]).some((one: Json) => {
    if (one === 'array') return Array.isArray(value);
    if (one === 'object') return isJsonObject(value);
    if (one === 'integer') return typeof value === 'bigint' || Number.isInteger(value);
    if (one === 'number') return typeof value === 'number' || typeof value === 'bigint';
    return one === 'null' ? value === null : typeof value === one;
  });
}

function applyDelete({ state, model, origin }: Applying, entry: Json): Result<StoreState, string> {
  const collection = namedCollection(model, entry);
  if (!collection.ok) return collection;
  const key = isJsonObject(entry) ? own(entry, 'key') : undefined;
  const [keyField = 'id'] = collection.value.key;
  const values: JsonObject | undefined = isJsonObject(key)
    ? key
    : key === undefined
      ? undefined
      : { [keyField]: key };
  const row =
    values === undefined
      ? undefined
      : rowsOf(state, collection.value.name).get(keyOf(collection.value, values));
  if (row === undefined && origin === 'recorded') return ok(state);
  if (row === undefined) return fail(`a deletion names no row of ${collection.value.name}`);
  return ok(deleteWithChildren(state, model, { collection: collection.value, row }));
}

/** The members of a row that name it. */
export function identityOf(model: ServiceModel, collection: string, row: JsonObject): JsonObject | undefined {
  const found = collectionNamed(model, collection);
  if (found === undefined) return undefined;
  return Object.fromEntries(identityFields(found).map((field) => [field, own(row, field) ?? null]));
}
