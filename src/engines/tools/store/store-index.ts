/**
 * Which rows hold given values in given fields, without looking at every row: the index behind unique fields.
 *
 * Made when first asked for, kept beside the version of the rows it describes, and carried on by each change, so that
 * a write costs the same in a small collection and a large one. It is no part of the state: snapshots leave it out
 * and forks share it. Values are compared as `sameValue` does: a number and its digits are alike. Not covered:
 * references and free filters, which still look at the rows.
 */
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { canonicalJson, type Json, type JsonObject } from '../../../core/index.js';
import type { StoredRow } from '../service.js';

/** Text of the values → canonical keys of the rows that hold it. */
type ValueIndex = PersistentMap<string, PersistentSet<string>>;

/** A version of the rows of one collection; only its identity and its entries matter here. */
interface RowsVersion {
  entries(): IterableIterator<[string, StoredRow]>;
}

const KEPT = new WeakMap<object, ReadonlyMap<string, ValueIndex>>();

/** The canonical keys of the rows whose fields hold the same values as `like` does; absent is a value too. */
export function keysHolding(
  rows: RowsVersion,
  fields: readonly string[],
  like: JsonObject,
): Iterable<string> {
  return indexOf(rows, fields).get(textIn(like, fields)) ?? [];
}

/** Carries the indexes of one version of rows on to the next, in which one row came, changed or went. */
export function carryIndexes(
  before: RowsVersion,
  after: RowsVersion,
  change: { readonly key: string; readonly old: StoredRow | undefined; readonly row: StoredRow | undefined },
): void {
  const kept = KEPT.get(before);
  if (kept === undefined || before === after) return;
  const { key, old, row } = change;
  const next = [...kept].map(([name, index]): [string, ValueIndex] => {
    const fields = JSON.parse(name) as readonly string[];
    const without = old === undefined ? undefined : textIn(old.data, fields);
    const within = row === undefined ? undefined : textIn(row.data, fields);
    if (without === within) return [name, index];
    return [name, added(removed(index, without, key), within, key)];
  });
  KEPT.set(after, new Map(next));
}

function indexOf(rows: RowsVersion, fields: readonly string[]): ValueIndex {
  const kept = KEPT.get(rows);
  const name = JSON.stringify(fields);
  const known = kept?.get(name);
  if (known !== undefined) return known;
  const made = (PersistentMap() as ValueIndex).withMutations((index) => {
    for (const [key, row] of rows.entries()) added(index, textIn(row.data, fields), key);
  });
  KEPT.set(rows, new Map([...(kept ?? []), [name, made]]));
  return made;
}

function added(index: ValueIndex, text: string | undefined, key: string): ValueIndex {
  return text === undefined ? index : index.set(text, (index.get(text) ?? PersistentSet<string>()).add(key));
}

function removed(index: ValueIndex, text: string | undefined, key: string): ValueIndex {
  if (text === undefined) return index;
  const left = index.get(text)?.delete(key);
  return left === undefined || left.isEmpty() ? index.delete(text) : index.set(text, left);
}

function textIn(data: JsonObject, fields: readonly string[]): string {
  return JSON.stringify(fields.map((field) => (Object.hasOwn(data, field) ? textOf(data[field]) : 'u')));
}

/** Equal texts for values that `sameValue` calls the same. */
function textOf(value: Json | undefined): string {
  if (value === undefined) return 'u';
  if (typeof value === 'object') return `o${canonicalJson(value)}`;
  return typeof value === 'boolean' ? `b${value}` : `s${value}`;
}
