/**
 * Which rows are counted together, without looking at every row: the index behind uniqueness and limits.
 *
 * Made when first asked for, kept beside the version of the rows it describes and carried on by each change, so that a
 * write costs the same in a small collection and a large one. No part of the state: snapshots leave it out and forks
 * share it. Unlike `store-index.ts` a row may be in no group, and rules decide which it is in.
 */
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { canonicalJson, type Json, type JsonObject } from '../../../core/index.js';
import type { StoredRow } from '../service.js';

/** Text of a group → canonical keys of its rows. */
type Groups = PersistentMap<string, PersistentSet<string>>;

/** What an index goes by; one object stands for one index. */
export interface IndexRule {
  /** Rows with the same text are counted together; a row without one is in no group. */
  textOf(row: JsonObject): string | undefined;
}

/** A version of the rows of one collection; only its identity and its entries matter here. */
interface RowsVersion {
  entries(): IterableIterator<[string, StoredRow]>;
}

const KEPT = new WeakMap<object, ReadonlyMap<IndexRule, Groups>>();

const NOBODY = PersistentSet<string>();

/** The canonical keys of the rows in the same group as `like`; undefined where `like` is in none. */
export function keysLike(
  rows: RowsVersion,
  rule: IndexRule,
  like: JsonObject,
): PersistentSet<string> | undefined {
  const text = rule.textOf(like);
  return text === undefined ? undefined : (groupsOf(rows, rule).get(text) ?? NOBODY);
}

/** Carries the groups of one version of rows on to the next, in which one row came, changed or went. */
export function carryGroups(
  before: object,
  after: object,
  change: { readonly key: string; readonly old: StoredRow | undefined; readonly row: StoredRow | undefined },
): void {
  const kept = KEPT.get(before);
  if (kept === undefined || before === after) return;
  const { key, old, row } = change;
  const next = [...kept].map(([rule, groups]): [IndexRule, Groups] => {
    const without = old === undefined ? undefined : rule.textOf(old.data);
    const within = row === undefined ? undefined : rule.textOf(row.data);
    if (without === within) return [rule, groups];
    return [rule, added(removed(groups, without, key), within, key)];
  });
  KEPT.set(after, new Map(next));
}

function groupsOf(rows: RowsVersion, rule: IndexRule): Groups {
  const kept = KEPT.get(rows);
  const known = kept?.get(rule);
  if (known !== undefined) return known;
  const made = (PersistentMap() as Groups).withMutations((groups) => {
    for (const [key, row] of rows.entries()) added(groups, rule.textOf(row.data), key);
  });
  KEPT.set(rows, new Map([...(kept ?? []), [rule, made]]));
  return made;
}

function added(groups: Groups, text: string | undefined, key: string): Groups {
  return text === undefined ? groups : groups.set(text, (groups.get(text) ?? NOBODY).add(key));
}

function removed(groups: Groups, text: string | undefined, key: string): Groups {
  if (text === undefined) return groups;
  const left = groups.get(text)?.delete(key);
  return left === undefined || left.isEmpty() ? groups.delete(text) : groups.set(text, left);
}

/** Equal texts for rows whose fields hold the same values; with `fold` texts that differ only in case are the same. */
export function valuesText(data: JsonObject, fields: readonly string[], fold: boolean): string {
  return JSON.stringify(
    fields.map((field) => (Object.hasOwn(data, field) ? textOf(data[field], fold) : 'u')),
  );
}

/** Equal texts for values that `sameValue` calls the same. */
function textOf(value: Json | undefined, fold: boolean): string {
  if (value === undefined) return 'u';
  if (typeof value === 'object') return `o${canonicalJson(value)}`;
  if (typeof value === 'boolean') return `b${value}`;
  return `s${fold ? String(value).normalize('NFC').toLowerCase() : String(value)}`;
}
