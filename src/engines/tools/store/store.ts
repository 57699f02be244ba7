/**
 * The state of a tool service: persistent collections of rows with structural sharing.
 *
 * Everything is immutable (immutable.js hash tries), so a fork is a copied reference, a roll-back is the old
 * reference, and lookups are logarithmic. Rows are deep-frozen plain JSON objects. Keys are texts in a hash trie,
 * so a row named `__proto__` is a row like any other. Not here: what a tool means (`run-*.ts`), references
 * (`store-integrity.ts`), bytes (`snapshot.ts`).
 */
import { OrderedMap, Map as PersistentMap } from 'immutable';
import { isJsonObject, type Json, type JsonObject } from '../../../core/index.js';
import { registerOrigins } from '../result/result-origins.js';
import type { Collection, IdStyle, RowOrigins, StoredRow } from '../service.js';
import { carryGroups } from './group-index.js';
import { carryDue } from './store-due.js';
import { carryIndexes } from './store-index.js';

/** The rows of one collection by canonical key, in the order in which they came. */
export type Rows = OrderedMap<string, StoredRow>;

/** An answer kept under an idempotency key. */
export interface IdempotencyRecord {
  /** Canonical JSON of the arguments without the key. */
  readonly args: string;
  /** The answer as JSON: `{ text, origins, value?, content? }`. */
  readonly answer: JsonObject;
  /** When it was kept, milliseconds since 1970; absent where keys are remembered for ever. */
  readonly atMs?: number;
}

/** How much of a quota is used: [moment in milliseconds, how many], oldest first; one pair for a fixed window. */
export type QuotaUse = readonly (readonly [number, number])[];

/** The whole state at one moment. A new object after every change; never changed in place. */
export interface StoreState {
  readonly rows: PersistentMap<string, Rows>;
  /** Highest number minted or seen, by collection and scope. Never goes down. */
  readonly counters: PersistentMap<string, number>;
  readonly idempotency: PersistentMap<string, IdempotencyRecord>;
  /** Use of quotas, by quota and group. */
  readonly quotas: PersistentMap<string, QuotaUse>;
  /** Who calls. */
  readonly session: JsonObject;
}

const NOBODY: JsonObject = Object.freeze({});

/** A state with nothing in it. */
export function emptyState(): StoreState {
  return {
    rows: PersistentMap(),
    counters: PersistentMap(),
    idempotency: PersistentMap(),
    quotas: PersistentMap(),
    session: NOBODY,
  };
}

const NO_ROWS: Rows = OrderedMap<string, StoredRow>();

/** The rows of a collection; empty for one that has none. */
export function rowsOf(state: StoreState, collection: string): Rows {
  return state.rows.get(collection) ?? NO_ROWS;
}

/**
 * The value frozen all the way down: a copy, or the value itself where it is frozen already. Minus zero, which JSON
 * does not have, becomes zero.
 */
export function frozenJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => frozenJson(item));
    const same = Object.isFrozen(value) && items.every((item, index) => Object.is(item, value[index]));
    return same ? value : Object.freeze(items);
  }
  const object = value as JsonObject;
  const members = Object.entries(object).map(([name, part]): [string, Json] => [name, frozenJson(part)]);
  const same = Object.isFrozen(object) && members.every(([name, part]) => Object.is(part, object[name]));
  return same ? object : Object.freeze(Object.fromEntries(members));
}

/** Makes a stored row: a frozen copy of its data, marked with its origins. The data itself is left alone. */
export function makeRow(data: JsonObject, origins: RowOrigins): StoredRow {
  const copy = Object.fromEntries(
    Object.entries(data).map(([name, value]): [string, Json] => [name, frozenJson(value)]),
  );
  registerOrigins(copy, origins);
  return { data: Object.freeze(copy), origins };
}

/** The text that one key value has inside a canonical key: `5` and `"5"` mean the same row. */
function keyPart(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The scope fields that a row's identity includes: ids that count or are given may repeat in another scope. */
export function identityScope(collection: Collection): readonly string[] {
  const mayRepeat = ['counter', 'number', 'given'].includes(collection.idStyle.kind);
  const scope = collection.identityScope ?? (mayRepeat ? collection.scope : []);
  return scope.filter((field) => !collection.key.includes(field));
}

/** The fields whose values together name a row in the whole world. */
export function identityFields(collection: Collection): readonly string[] {
  return [...identityScope(collection), ...collection.key];
}

/** The canonical key of a row of this collection, from values by field name. */
export function keyOf(collection: Collection, values: JsonObject): string {
  const fields = identityFields(collection);
  const [only] = fields;
  if (fields.length === 1 && only !== undefined) return keyPart(own(values, only));
  return JSON.stringify(fields.map((field) => keyPart(own(values, field))));
}

/** An own property of a JSON object, or undefined; `constructor` and the like are not found by accident. */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function counterName(collection: Collection, values: JsonObject): string {
  const scope = identityScope(collection).map((field) => keyPart(own(values, field)));
  return JSON.stringify([collection.name, ...scope]);
}

/** The number inside an id of a counting style, or undefined. */
function numberOfId(style: IdStyle, id: Json | undefined): number | undefined {
  if (style.kind === 'number') return Number.isSafeInteger(id) ? (id as number) : undefined;
  if (style.kind !== 'counter' || typeof id !== 'string' || !id.startsWith(style.prefix)) return undefined;
  const digits = id.slice(style.prefix.length);
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

/** Puts a row in: replaces the one of the same key in its place, or adds it at the end. Counters learn its id. */
export function putRow(state: StoreState, collection: Collection, row: StoredRow): StoreState {
  const before = rowsOf(state, collection.name);
  const key = keyOf(collection, row.data);
  const rows = before.set(key, row);
  carryIndexes(before, rows, { key, old: before.get(key), row });
  carryGroups(before, rows, { key, old: before.get(key), row });
  carryDue(before, rows, { key, row });
  return { ...noteId(state, collection, row.data), rows: state.rows.set(collection.name, rows) };
}

function noteId(state: StoreState, collection: Collection, data: JsonObject): StoreState {
  const [idField] = collection.key;
  if (idField === undefined) return state;
  const seen = numberOfId(collection.idStyle, own(data, idField));
  if (seen === undefined) return state;
  const name = counterName(collection, data);
  const highest = state.counters.get(name);
  if (highest !== undefined && highest >= seen) return state;
  return { ...state, counters: state.counters.set(name, seen) };
}

/** Takes a row out by its canonical key. Its id is never minted again. */
export function dropRow(state: StoreState, collection: Collection, key: string): StoreState {
  const before = rowsOf(state, collection.name);
  const rows = before.delete(key);
  carryIndexes(before, rows, { key, old: before.get(key), row: undefined });
  carryGroups(before, rows, { key, old: before.get(key), row: undefined });
  carryDue(before, rows, { key, row: undefined });
  return { ...state, rows: state.rows.set(collection.name, rows) };
}

/** The number for the next id in the scope of `values`, and the state in which it is taken. */
export function takeNumber(
  state: StoreState,
  collection: Collection,
  values: JsonObject,
): { readonly state: StoreState; readonly number: number } {
  const name = counterName(collection, values);
  const style = collection.idStyle;
  const first = style.kind === 'counter' || style.kind === 'number' ? style.start : 1;
  const number = Math.max(first, (state.counters.get(name) ?? first - 1) + 1);
  return { state: { ...state, counters: state.counters.set(name, number) }, number };
}

/** A row with some fields changed; the changed fields take the given origin, `undefined` removes a field. */
export function changeRow(
  row: StoredRow,
  changes: Readonly<Record<string, Json | undefined>>,
  origin: RowOrigins['base'],
): StoredRow {
  const data = new Map(Object.entries(row.data));
  const origins = new Map(Object.entries(row.origins.fields ?? {}));
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) data.delete(field);
    else data.set(field, value);
    origins.set(field, origin);
  }
  const fields = [...origins].filter(([field, of]) => data.has(field) && of !== row.origins.base);
  return makeRow(Object.fromEntries(data), {
    base: row.origins.base,
    ...(fields.length === 0 ? {} : { fields: Object.fromEntries(fields) }),
  });
}

/** True for two JSON values that mean the same in a filter or key: numbers and their digits are alike. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  if (typeof a === 'object' || typeof b === 'object') return deepEqual(a, b);
  return typeof a !== 'boolean' && typeof b !== 'boolean' && String(a) === String(b);
}

/** Structural equality of JSON values, whatever their key order. */
export function deepEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index] as Json));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && deepEqual(a[name] as Json, b[name] as Json));
}
