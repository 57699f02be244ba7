/**
 * References between rows: they always lead somewhere.
 *
 * A written reference must name a row that is there. When a row goes, a row that refers to it goes too if the
 * reference is part of its scope or key or is required; otherwise the reference is emptied (taken out of a list,
 * set to null where the schema allows null, else left out). When a row's key changes, references follow it.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/index.js';
import { danglingMessage } from '../check/messages.js';
import type { Collection, Field, ServiceModel, StoredRow } from '../service.js';
import {
  changeRow,
  dropRow,
  identityFields,
  identityScope,
  keyOf,
  own,
  putRow,
  type Rows,
  rowsOf,
  type StoreState,
  sameValue,
} from './store.js';
import { isIndexed, rowsHolding, rowsLike } from './store-index.js';

/** A collection of the model by name, or undefined. */
export function collectionNamed(model: ServiceModel, name: string | undefined): Collection | undefined {
  return name !== undefined && Object.hasOwn(model.collections, name) ? model.collections[name] : undefined;
}

/** Whether a field of a collection is computed, so that stored rows do not have it. */
export function isComputed(collection: Collection, field: string): boolean {
  return Object.hasOwn(collection.fields, field) && collection.fields[field]?.computed !== undefined;
}

/** The row of `target` that `value` names, as seen from a row whose fields may give the scope. */
export function referredRow(
  state: StoreState,
  target: Collection,
  link: { readonly value: Json; readonly from: JsonObject },
): StoredRow | undefined {
  const [keyField] = target.key;
  if (keyField === undefined) return undefined;
  const rows = rowsOf(state, target.name);
  const scope = identityScope(target);
  if (isFoundByKey(target, link.from)) {
    const scoped = scope.map((field): [string, Json] => [field, own(link.from, field) ?? null]);
    return rows.get(keyOf(target, Object.fromEntries([...scoped, [keyField, link.value]])));
  }
  if (isIndexed(rows)) return rowsLike(rows, [keyField], { [keyField]: link.value }).slice(0, 1)[0];
  for (const row of rows.values()) if (sameValue(own(row.data, keyField), link.value)) return row;
  return undefined;
}

/** True where a reference from a row needs no look at every row of its target. */
export function isFoundByKey(target: Collection, from: JsonObject): boolean {
  return target.key.length === 1 && identityScope(target).every((field) => own(from, field) !== undefined);
}

/** How many rows there are in fields that refer to a collection; a row counts once for each such field. */
export function referringRows(state: StoreState, model: ServiceModel, target: Collection): number {
  return referrers(model, target).reduce(
    (sum, { collection }) => sum + rowsOf(state, collection.name).size,
    0,
  );
}

/** What is checked: some fields of a row that is to be written. */
export interface ReferenceCheck {
  readonly collection: Collection;
  readonly row: JsonObject;
  readonly fields: readonly string[];
  readonly argumentOf: Readonly<Record<string, string>>;
}

/** The message about the first reference that leads nowhere, or undefined. */
export function checkReferences(
  state: StoreState,
  model: ServiceModel,
  check: ReferenceCheck,
): string | undefined {
  for (const name of check.fields) {
    const field = Object.hasOwn(check.collection.fields, name) ? check.collection.fields[name] : undefined;
    const target = collectionNamed(model, field?.refersTo);
    if (target === undefined) continue;
    const value = own(check.row, name);
    for (const one of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      if (one === undefined || one === null || typeof one === 'object') continue;
      if (referredRow(state, target, { value: one, from: check.row }) !== undefined) continue;
      if (isSelf(check, target, one)) continue;
      const argument = Object.hasOwn(check.argumentOf, name) ? (check.argumentOf[name] ?? name) : name;
      return danglingMessage(target, one, argument);
    }
  }
  return undefined;
}

/** A new row may refer to itself. */
function isSelf(check: ReferenceCheck, target: Collection, value: Json): boolean {
  const [keyField] = target.key;
  return (
    target.name === check.collection.name &&
    keyField !== undefined &&
    sameValue(own(check.row, keyField), value)
  );
}

/** Every field of every collection that refers to this collection. */
function referrers(model: ServiceModel, target: Collection): { collection: Collection; field: Field }[] {
  return Object.values(model.collections).flatMap((collection) =>
    Object.values(collection.fields)
      .filter((field) => field.refersTo === target.name)
      .map((field) => ({ collection, field })),
  );
}

/** A deletion: what goes, and who wants to know. */
export interface Deletion {
  readonly collection: Collection;
  readonly row: StoredRow;
  /** Told how many rows are looked at. */
  readonly spend?: (rows: number) => void;
  /** What becomes of a row whose field refers to a deleted one; undefined for the usual. */
  readonly fate?: (collection: Collection, field: Field) => 'cascade' | 'restrict' | 'empty' | undefined;
  /** Called for rows that are in the way of the deletion; raises. */
  readonly restrict?: (blocked: { readonly collection: Collection; readonly rows: number }) => never;
  /** Told every row that goes or changes. */
  readonly note?: (change: {
    readonly collection: Collection;
    readonly kind: 'update' | 'delete';
    readonly row: StoredRow;
    readonly old?: StoredRow;
  }) => void;
}

/** Deletes a row and settles every reference to it, however deep. */
export function deleteWithChildren(state: StoreState, model: ServiceModel, start: Deletion): StoreState {
  let next = state;
  const waiting: { readonly collection: Collection; readonly row: StoredRow }[] = [start];
  for (let gone = waiting.pop(); gone !== undefined; gone = waiting.pop()) {
    const target = gone;
    const key = keyOf(target.collection, target.row.data);
    if (!rowsOf(next, target.collection.name).has(key) && target !== start) continue;
    next = dropRow(next, target.collection, key);
    start.note?.({ collection: target.collection, kind: 'delete', row: target.row });
    for (const { collection, field } of referrers(model, target.collection)) {
      const fate = start.fate?.(collection, field);
      const near = rowsNaming(next, { collection, field, target });
      start.spend?.(near.size);
      const children = Array.from(near.rows).filter(
        (child) => refersTo(child, field, target) || lostItsTarget(next, { child, field, target }),
      );
      if (fate === 'restrict' && children.length > 0) start.restrict?.({ collection, rows: children.length });
      for (const child of children) {
        if (fate === 'cascade' || (fate !== 'empty' && mustGo(collection, field, child))) {
          waiting.push({ collection, row: child });
          continue;
        }
        const row = emptied(child, field, target);
        next = putRow(next, collection, row);
        start.note?.({ collection, kind: 'update', row, old: child });
      }
    }
  }
  return next;
}

interface Target {
  readonly collection: Collection;
  readonly row: StoredRow;
}

/** The rows among which those are whose field names the key of a row: by index, or all of them. */
function rowsNaming(
  state: StoreState,
  of: { readonly collection: Collection; readonly field: Field; readonly target: Target },
): { readonly rows: Iterable<StoredRow>; readonly size: number } {
  const { collection, field, target } = of;
  const rows = rowsOf(state, collection.name);
  const [keyField] = target.collection.key;
  const key = keyField === undefined ? undefined : own(target.row.data, keyField);
  if (key === undefined) return { rows: [], size: 0 };
  const found = isIndexed(rows) ? rowsHolding(rows, [{ field: field.name, value: key }]) : undefined;
  if (found === undefined) return { rows: rows.values(), size: rows.size };
  return { rows: found.slice(0, found.size), size: found.size };
}

function refersTo(child: StoredRow, field: Field, target: Target): boolean {
  const [keyField] = target.collection.key;
  const value = own(child.data, field.name);
  if (keyField === undefined || value === undefined || value === null) return false;
  const key = own(target.row.data, keyField);
  const sameScope = identityScope(target.collection).every((name) => {
    const scope = own(child.data, name);
    return scope === undefined || name === field.name || sameValue(scope, own(target.row.data, name));
  });
  if (!sameScope) return false;
  return Array.isArray(value) ? value.some((one: Json) => sameValue(one, key)) : sameValue(value, key);
}

/**
 * True for a reference by the same key from another scope (given data may hold one) that nothing answers any more:
 * no row of this key in the child's own scope, nor in any other.
 */
function lostItsTarget(
  state: StoreState,
  of: { readonly child: StoredRow; readonly field: Field; readonly target: Target },
): boolean {
  const { child, field, target } = of;
  const { collection } = target;
  const [keyField] = collection.key;
  if (keyField === undefined || identityScope(collection).length === 0) return false;
  const key = own(target.row.data, keyField);
  const value = own(child.data, field.name);
  const named = Array.isArray(value) ? value.some((one: Json) => sameValue(one, key)) : sameValue(value, key);
  return named && !hasKey(rowsOf(state, collection.name), keyField, key);
}

/** Whether any row has this value in its key field, in whatever scope. */
function hasKey(rows: Rows, keyField: string, key: Json | undefined): boolean {
  if (isIndexed(rows) && key !== undefined) return rowsLike(rows, [keyField], { [keyField]: key }).size > 0;
  return rows.some((row) => sameValue(own(row.data, keyField), key));
}

function mustGo(collection: Collection, field: Field, child: StoredRow): boolean {
  if (Array.isArray(own(child.data, field.name))) return false;
  return (
    field.required || collection.scope.includes(field.name) || identityFields(collection).includes(field.name)
  );
}

function emptied(child: StoredRow, field: Field, target: Target): StoredRow {
  const [keyField] = target.collection.key;
  const key = keyField === undefined ? undefined : own(target.row.data, keyField);
  const value = own(child.data, field.name);
  if (Array.isArray(value)) {
    return changeRow(child, { [field.name]: value.filter((one: Json) => !sameValue(one, key)) }, 'computed');
  }
  return changeRow(child, { [field.name]: allowsNull(field.schema) ? null : undefined }, 'computed');
}

function allowsNull(schema: JsonObject): boolean {
  const type = own(schema, 'type');
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  const branches = own(schema, 'anyOf') ?? own(schema, 'oneOf');
  return Array.isArray(branches) && branches.some((part: Json) => isJsonObject(part) && allowsNull(part));
}

/** A row got another key: references to the old one now name the new one. */
export function repointReferences(
  state: StoreState,
  model: ServiceModel,
  change: { readonly collection: Collection; readonly from: JsonObject; readonly to: JsonObject },
): StoreState {
  const [keyField] = change.collection.key;
  if (keyField === undefined) return state;
  const oldKey = own(change.from, keyField);
  const newKey = own(change.to, keyField);
  if (newKey === undefined || sameValue(oldKey, newKey)) return state;
  const target: Target = {
    collection: change.collection,
    row: { data: change.from, origins: { base: 'computed' } },
  };
  let next = state;
  for (const { collection, field } of referrers(model, change.collection)) {
    for (const child of rowsNaming(next, { collection, field, target }).rows) {
      if (!refersTo(child, field, target)) continue;
      const value = own(child.data, field.name);
      const moved = Array.isArray(value)
        ? value.map((one: Json) => (sameValue(one, oldKey) ? newKey : one))
        : newKey;
      const changed = changeRow(child, { [field.name]: moved }, 'computed');
      const oldChild = keyOf(collection, child.data);
      if (oldChild !== keyOf(collection, changed.data)) next = dropRow(next, collection, oldChild);
      next = putRow(next, collection, changed);
    }
  }
  return next;
}
