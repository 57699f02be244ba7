/**
 * Rows of a state by collection and key, and what changed between two states.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { Collection, ServiceModel } from '../../engines/index.js';

/** Collection → key → row, in the order of the state. */
export type Rows = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;

/** A row with where it belongs. */
export interface PlacedRow {
  readonly collection: string;
  readonly key: string;
  readonly row: JsonObject;
}

/** What one state has that another has not. */
export interface RowChanges {
  readonly added: readonly PlacedRow[];
  /** Rows that changed, with the fields that differ. */
  readonly changed: readonly (PlacedRow & { readonly fields: JsonObject })[];
  readonly removed: readonly PlacedRow[];
}

/** The name of a row within its collection. */
export function rowKey(collection: Collection, row: JsonObject): string {
  const names = [...(collection.identityScope ?? collection.scope), ...collection.key];
  return canonicalJson([...new Set(names)].map((name) => row[name] ?? null));
}

/** The rows of a state's view. */
export function rowsOfView(view: Json, model: ServiceModel): Rows {
  const data = isJsonObject(view) && isJsonObject(view.data) ? view.data : {};
  return new Map(
    Object.values(model.collections).map((collection) => {
      const rows = data[collection.name];
      const list = Array.isArray(rows) ? (rows as readonly Json[]).filter(isJsonObject) : [];
      return [collection.name, new Map(list.map((row) => [rowKey(collection, row), row] as const))] as const;
    }),
  );
}

/** What `after` has and `before` has not, and the other way round. */
export function changesBetween(before: Rows, after: Rows): RowChanges {
  const added: PlacedRow[] = [];
  const changed: (PlacedRow & { fields: JsonObject })[] = [];
  const removed: PlacedRow[] = [];
  for (const [collection, rows] of after) {
    const old = before.get(collection) ?? new Map<string, JsonObject>();
    for (const [key, row] of rows) {
      const had = old.get(key);
      if (had === undefined) added.push({ collection, key, row });
      else if (had !== row) {
        const fields = differing(had, row);
        if (Object.keys(fields).length > 0) changed.push({ collection, key, row, fields });
      }
    }
    for (const [key, row] of old) if (!rows.has(key)) removed.push({ collection, key, row });
  }
  return { added, changed, removed };
}

function differing(had: JsonObject, row: JsonObject): JsonObject {
  const names = Object.keys(row).filter((name) => {
    const old = Object.hasOwn(had, name) ? had[name] : undefined;
    return old === undefined || canonicalJson(old) !== canonicalJson(row[name] ?? null);
  });
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
}
