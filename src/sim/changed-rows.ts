/**
 * Which rows differ between two states, as rules see them. Rows that are the same objects are not looked into.
 */
import { canonicalJson, type FaultedRow, isJsonObject, type Json, type JsonObject } from '../core/index.js';

/** A row that differs, as it is after the change (or was, where it is gone). */
export interface ChangedRow extends FaultedRow {
  readonly row: JsonObject;
}

/** The most rows that are told. */
const MOST_ROWS = 100;

/** The rows that differ, at most a hundred; rows are matched by their key. */
export function changedRows(before: Json, after: Json): readonly ChangedRow[] {
  const [old, fresh] = [collectionsOf(before), collectionsOf(after)];
  const changes: ChangedRow[] = [];
  for (const collection of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    if (changes.length >= MOST_ROWS) break;
    const lists = [rowsOf(old, collection), rowsOf(fresh, collection)] as const;
    if (lists[0] !== lists[1]) changes.push(...changesOf(collection, ...lists));
  }
  return changes.slice(0, MOST_ROWS);
}

function changesOf(
  collection: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): readonly ChangedRow[] {
  const known = new Set(before);
  const kept = new Set(after.filter((row) => known.has(row)));
  const old = new Map(before.filter((row) => !kept.has(row)).map((row) => [keyOf(row), row]));
  const changes: ChangedRow[] = [];
  for (const row of after) {
    if (kept.has(row)) continue;
    const key = keyOf(row);
    const was = old.get(key);
    old.delete(key);
    if (was === undefined) changes.push({ collection, key, change: 'created', row });
    else if (canonicalJson(was) !== canonicalJson(row))
      changes.push({ collection, key, change: 'updated', row });
  }
  for (const [key, row] of old) changes.push({ collection, key, change: 'deleted', row });
  return changes;
}

function collectionsOf(view: Json): JsonObject {
  return isJsonObject(view) && isJsonObject(view.data) ? view.data : {};
}

function rowsOf(data: JsonObject, name: string): readonly JsonObject[] {
  const rows = Object.hasOwn(data, name) ? data[name] : undefined;
  return Array.isArray(rows) ? (rows as readonly JsonObject[]) : [];
}

/** What names a row: its `id`, or its first member. */
function keyOf(row: JsonObject): string {
  const value = row.id ?? Object.values(row)[0] ?? null;
  return typeof value === 'string' ? value : canonicalJson(value);
}
