/**
 * Reading and writing rows as operations through the Host: find one, read many, write one, take one away.
 *
 * Nothing here knows what a tool is for; it knows keys, references, uniqueness and the order of operations.
 */
import { type Json, type JsonObject, LIMITS } from '../../../core/index.js';
import {
  ambiguousMessage,
  capital,
  existsMessage,
  keyText,
  notFoundMessage,
  shown,
  takenMessage,
} from '../check/messages.js';
import type { RowChange } from '../policy/row-effects.js';
import { checkGroups } from '../policy/unique-rows.js';
import { checkVersion } from '../policy/versions.js';
import type { Collection, StoredRow } from '../service.js';
import {
  dropRow,
  identityFields,
  identityScope,
  keyOf,
  own,
  putRow,
  rowsOf,
  sameValue,
} from '../store/store.js';
import { isIndexed, rowsLike } from '../store/store-index.js';
import {
  checkReferences,
  collectionNamed,
  deleteWithChildren,
  isFoundByKey,
  referringRows,
  repointReferences,
} from '../store/store-integrity.js';
import { type Call, dataAnswer, type Steps, StopCall, ToolFailure } from './run-call.js';

/** Which row is meant: values by field name, and the argument that each came from. */
export interface Meant {
  readonly values: JsonObject;
  readonly argumentOf: Readonly<Record<string, string>>;
}

/** How a row is named in messages: by what the caller gave. */
export function meantText(collection: Collection, meant: Meant): string {
  if (collection.key.every((field) => own(meant.values, field) !== undefined)) {
    return keyText(collection, meant.values);
  }
  return Object.values(meant.values)
    .map((value) => shown(value))
    .join(', ');
}

/** Looks a row up without telling the Host. Several matches are a failure; none is undefined. */
export function findRow(call: Call, collection: Collection, meant: Meant): StoredRow | undefined {
  const rows = rowsOf(call.state, collection.name);
  const identity = identityFields(collection);
  const given = Object.entries(meant.values);
  if (given.length === 0) return collection.singleton === true ? rows.first() : undefined;
  if (identity.every((field) => own(meant.values, field) !== undefined)) {
    const row = rows.get(keyOf(collection, meant.values));
    return row !== undefined && fits(row, given) ? row : undefined;
  }
  const matches: StoredRow[] = [];
  for (const row of candidates(call, collection, given)) if (fits(row, given)) matches.push(row);
  if (matches.length > 1) {
    const missing = identityScope(collection).filter((field) => own(meant.values, field) === undefined);
    throw new ToolFailure(ambiguousMessage(collection, meantText(collection, meant), missing), 'ambiguous');
  }
  return matches[0];
}

function fits(row: StoredRow, given: readonly (readonly [string, Json])[]): boolean {
  return given.every(([field, value]) => {
    const has = own(row.data, field);
    return has === undefined ? false : sameValue(has, value);
  });
}

/** Reads the row that is meant, or undefined where there is none; one `data.read`. */
export function* readRow(call: Call, collection: Collection, meant: Meant): Steps<StoredRow | undefined> {
  const op = call.operation('data.read', meant.values, { target: collection.name });
  yield* call.before(op);
  const row = seen(call, collection, findRow(call, collection, meant));
  yield* call.after(op, dataAnswer(row === undefined ? '0 rows' : '1 row', row?.data ?? null));
  return row;
}

/** The row where the caller may see it; undefined for a hidden one, a failure for a forbidden one. */
function seen(call: Call, collection: Collection, row: StoredRow | undefined): StoredRow | undefined {
  if (row === undefined || call.guard === undefined || call.depth > 0) return row;
  const refusal = call.guard.refusal(collection, row);
  if (refusal === undefined) return row;
  if (refusal === 'hidden') return undefined;
  throw refusal;
}

/** Reads the row that is meant; a failure where there is none. */
export function* readExisting(call: Call, collection: Collection, meant: Meant): Steps<StoredRow> {
  const row = yield* readRow(call, collection, meant);
  if (row === undefined) {
    throw new ToolFailure(notFoundMessage(collection, meantText(collection, meant)), 'not-found');
  }
  return row;
}

/** The rows among which those of equal values are, in their order; the call pays for each. */
function candidates(
  call: Call,
  collection: Collection,
  given: readonly (readonly [string, Json])[],
): Iterable<StoredRow> {
  const rows = rowsOf(call.state, collection.name);
  const fields = given.map(([field]) => field);
  const found =
    given.length > 0 && isIndexed(rows) ? rowsLike(rows, fields, Object.fromEntries(given)) : undefined;
  call.spend(found?.size ?? rows.size);
  return found === undefined ? rows.values() : found.slice(0, found.size);
}

/** Reads all rows of a collection that hold some values and pass a test; one `data.read`. */
export function* readRows(
  call: Call,
  collection: Collection,
  query: {
    readonly args: Json;
    readonly test: (row: StoredRow) => boolean;
    /** Values by stored field that each row found must hold, where that is known. */
    readonly held?: readonly (readonly [string, Json])[];
  },
): Steps<StoredRow[]> {
  const op = call.operation('data.read', query.args, { target: collection.name });
  yield* call.before(op);
  const found: StoredRow[] = [];
  const guard = call.depth > 0 ? undefined : call.guard;
  for (const row of candidates(call, collection, query.held ?? [])) {
    if (query.test(row) && guard?.refusal(collection, row) === undefined) found.push(row);
  }
  yield* call.after(op, dataAnswer(`${found.length} rows`, found.length));
  return found;
}

/** A row to write, and what it replaces. */
export interface Write {
  readonly op: 'create' | 'update';
  readonly row: StoredRow;
  readonly old?: StoredRow;
  /** The fields that the caller changed, checked for references and uniqueness. */
  readonly changed: readonly string[];
  readonly argumentOf: Readonly<Record<string, string>>;
}

/** Checks keys, uniqueness and references of a row, then writes it; one `data.write`. */
export function* writeRow(call: Call, collection: Collection, write: Write): Steps<void> {
  checkWrite(call, collection, write);
  if (write.old === undefined) refuseBeyondLimit(call, collection);
  const key = keyOf(collection, write.row.data);
  const changes = write.op === 'create' ? write.row.data : pick(write.row.data, write.changed);
  const op = call.operation(
    'data.write',
    { op: write.op, key, values: changes },
    { target: collection.name },
  );
  yield* call.before(op);
  if (write.old === undefined) call.state = putRow(call.state, collection, write.row);
  else call.state = replaceRow(call, collection, { old: write.old, row: write.row });
  if (write.old === undefined && call.depth === 0) call.created += 1;
  yield* call.after(op, dataAnswer('1 row', write.row.data));
  const { old, row } = write;
  const kind = old === undefined ? ('create' as const) : ('update' as const);
  yield* call.world.effectsOf(call, { collection, kind, row, ...(old === undefined ? {} : { old }) }) ?? [];
}

function refuseBeyondLimit(call: Call, collection: Collection): void {
  if (rowsOf(call.state, collection.name).size < LIMITS.rowsPerCollection) return;
  const reason = `${collection.name} holds ${LIMITS.rowsPerCollection} rows (limit rowsPerCollection)`;
  throw new StopCall({ kind: 'null', status: 'limit', reason });
}

function replaceRow(
  call: Call,
  collection: Collection,
  change: { readonly old: StoredRow; readonly row: StoredRow },
): Call['state'] {
  const oldKey = keyOf(collection, change.old.data);
  if (oldKey === keyOf(collection, change.row.data)) return putRow(call.state, collection, change.row);
  call.spend(referringRows(call.state, call.world.model, collection));
  const moved = putRow(dropRow(call.state, collection, oldKey), collection, change.row);
  return repointReferences(moved, call.world.model, {
    collection,
    from: change.old.data,
    to: change.row.data,
  });
}

function checkWrite(call: Call, collection: Collection, write: Write): void {
  const key = keyOf(collection, write.row.data);
  const isNewKey = write.old === undefined || keyOf(collection, write.old.data) !== key;
  if (isNewKey && rowsOf(call.state, collection.name).has(key)) {
    throw new ToolFailure(existsMessage(collection, keyText(collection, write.row.data)), 'exists');
  }
  if (call.depth === 0) {
    const refusal = call.guard?.refusal(collection, write.row);
    if (refusal !== undefined)
      throw refusal === 'hidden' ? new ToolFailure('permission denied', 'permission') : refusal;
  }
  checkGroups(call, collection, write);
  for (const field of write.changed) checkUnique(call, collection, { write, field });
  call.spend(referenceWork(call, collection, write));
  const message = checkReferences(call.state, call.world.model, {
    collection,
    row: write.row.data,
    fields: write.changed,
    argumentOf: write.argumentOf,
  });
  if (message !== undefined) throw new ToolFailure(message, 'not-found');
}

/** The rows that checking a row's references may look at. */
function referenceWork(call: Call, collection: Collection, write: Write): number {
  let work = 0;
  for (const name of write.changed) {
    const field = Object.hasOwn(collection.fields, name) ? collection.fields[name] : undefined;
    const target = collectionNamed(call.world.model, field?.refersTo);
    if (target === undefined) continue;
    const each = isFoundByKey(target, write.row.data) ? 1 : rowsOf(call.state, target.name).size;
    work += listOf(own(write.row.data, name)).length * each;
  }
  return work;
}

function checkUnique(
  call: Call,
  collection: Collection,
  at: { readonly write: Write; readonly field: string },
): void {
  const { write, field } = at;
  if (!Object.hasOwn(collection.fields, field) || collection.fields[field]?.unique !== true) return;
  const value = own(write.row.data, field);
  if (value === undefined || value === null) return;
  // A key alone is unique by being a key, which was checked before.
  const identity = identityFields(collection);
  if (identity.length === 1 && identity[0] === field) return;
  call.spend(1);
  const scope = collection.scope.filter((name) => name !== field);
  const rows = rowsOf(call.state, collection.name);
  // At most one row holds a unique value; the row that is replaced is no other.
  for (const row of rowsLike(rows, [field, ...scope], write.row.data).slice(0, 2)) {
    if (row === write.old) continue;
    throw new ToolFailure(takenMessage(collection, value, argumentName(write, field)), 'exists');
  }
}

function argumentName(write: Write, field: string): string {
  return Object.hasOwn(write.argumentOf, field) ? (write.argumentOf[field] ?? field) : field;
}

function pick(data: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((field): [string, Json] => [field, own(data, field) ?? null]));
}

/** Takes a row away, with what cannot be without it; one `data.write`, then the side effects. */
export function* removeRow(call: Call, collection: Collection, row: StoredRow): Steps<void> {
  checkVersion(call, collection, row.data);
  const key = keyOf(collection, row.data);
  const op = call.operation('data.write', { op: 'delete', key }, { target: collection.name });
  yield* call.before(op);
  const changes: RowChange[] = [];
  call.state = deleteWithChildren(call.state, call.world.model, {
    collection,
    row,
    spend: (rows) => call.spend(rows),
    fate: (one, field) => call.world.policy.collections.get(one.name)?.onDelete[field.name],
    restrict: (blocked) => refuseRestricted(collection, row, blocked),
    note: (change) => changes.push(change),
  });
  yield* call.after(op, dataAnswer('1 row', row.data));
  for (const change of changes) yield* call.world.effectsOf(call, change) ?? [];
}

function refuseRestricted(
  collection: Collection,
  row: StoredRow,
  blocked: { readonly collection: Collection; readonly rows: number },
): never {
  const { name, singular } = blocked.collection;
  const what = blocked.rows === 1 ? `1 ${singular} refers` : `${blocked.rows} ${name} refer`;
  const message = `${capital(collection.singular)} ${keyText(collection, row.data)} cannot be deleted: ${what} to it`;
  throw new ToolFailure(message, 'conflict');
}

/** The items of a list value, or the value alone; nothing for null. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly Json[];
  return [value];
}
