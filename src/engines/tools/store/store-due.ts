/**
 * Which rows are due by a given time, without looking at every row: the queue behind scheduled transitions.
 *
 * A persistent leftist heap (Crane 1972) of moments, earliest first, kept beside the version of the rows it describes,
 * made when first asked for and carried on by each change. A row that changed or went leaves its old entry behind; it
 * is dropped when its turn comes, because the row is no longer the same object. No part of the state: snapshots leave
 * it out and forks share it. The order is (moment, key), so a rebuilt queue gives the same order.
 */
import type { JsonObject } from '../../../core/index.js';
import type { StoredRow } from '../service.js';

/** When a row is due: milliseconds since 1970, or undefined for never. Must depend on the row alone. */
export interface DueRule {
  dueMs(row: JsonObject): number | undefined;
}

/** A row that is due. */
export interface DueRow {
  readonly dueMs: number;
  /** Canonical key of the row. */
  readonly key: string;
  readonly row: StoredRow;
}

interface Heap extends DueRow {
  readonly rank: number;
  readonly left: Heap | undefined;
  readonly right: Heap | undefined;
}

interface RowsVersion {
  entries(): IterableIterator<[string, StoredRow]>;
  get(key: string): StoredRow | undefined;
}

const KEPT = new WeakMap<object, Map<DueRule, Heap | undefined>>();

/** The rows that are due at or before `nowMs`, earliest first. */
export function* dueRows(rows: RowsVersion, rule: DueRule, nowMs: number): Generator<DueRow> {
  const kept = KEPT.get(rows) ?? new Map<DueRule, Heap | undefined>();
  KEPT.set(rows, kept);
  let heap = withoutStale(rows, kept.has(rule) ? kept.get(rule) : build(rows, rule));
  kept.set(rule, heap);
  while (heap !== undefined && heap.dueMs <= nowMs) {
    yield heap;
    heap = withoutStale(rows, merge(heap.left, heap.right));
  }
}

/** A queue whose first entry is about a row as it is now. */
function withoutStale(rows: RowsVersion, heap: Heap | undefined): Heap | undefined {
  let top = heap;
  while (top !== undefined && rows.get(top.key) !== top.row) top = merge(top.left, top.right);
  return top;
}

/** Carries the queues of one version of rows on to the next, in which one row came, changed or went. */
export function carryDue(
  before: object,
  after: object,
  change: { readonly key: string; readonly row: StoredRow | undefined },
): void {
  const kept = KEPT.get(before);
  if (kept === undefined || before === after) return;
  const { key, row } = change;
  const next = new Map(kept);
  if (row !== undefined) {
    for (const [rule, heap] of kept) next.set(rule, merge(heap, entryOf(rule, key, row)));
  }
  KEPT.set(after, next);
}

function entryOf(rule: DueRule, key: string, row: StoredRow): Heap | undefined {
  const dueMs = rule.dueMs(row.data);
  return dueMs === undefined ? undefined : { dueMs, key, row, rank: 1, left: undefined, right: undefined };
}

/** Merges neighbours until one is left, so that building is linear. */
function build(rows: RowsVersion, rule: DueRule): Heap | undefined {
  let heaps: Heap[] = [];
  for (const [key, row] of rows.entries()) {
    const entry = entryOf(rule, key, row);
    if (entry !== undefined) heaps.push(entry);
  }
  while (heaps.length > 1) {
    const merged: Heap[] = [];
    for (let at = 0; at < heaps.length; at += 2) {
      const pair = merge(heaps[at], heaps[at + 1]);
      if (pair !== undefined) merged.push(pair);
    }
    heaps = merged;
  }
  return heaps[0];
}

function isFirst(a: Heap, b: Heap): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.key <= b.key);
}

/** The right spine of a leftist heap is logarithmic, and so is the depth of this recursion. */
function merge(a: Heap | undefined, b: Heap | undefined): Heap | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const [top, other] = isFirst(a, b) ? [a, b] : [b, a];
  const merged = merge(top.right, other);
  const { left } = top;
  const [deep, flat] = (left?.rank ?? 0) >= (merged?.rank ?? 0) ? [left, merged] : [merged, left];
  return { ...top, left: deep, right: flat, rank: (flat?.rank ?? 0) + 1 };
}
