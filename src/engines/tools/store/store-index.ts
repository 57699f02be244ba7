/**
 * Which rows hold given values in given fields, in the order of the rows, without looking at every row.
 *
 * Every row gets a number in the order of the rows; an index maps the text of some fields' values to the set of the
 * numbers that hold them ({@link Positions}), so that a page of a filtered list costs the same in a small collection
 * and a large one. Made when first asked for, kept beside the version of the rows it describes, and carried on by
 * each change. It is no part of the state: snapshots leave it out and forks share it. Values are compared as
 * `sameValue` does: a number and its digits are alike. Not covered: ranges, sorting, words of a search.
 */
import { List, Map as PersistentMap } from 'immutable';
import { canonicalJson, type Json, type JsonObject } from '../../../core/index.js';
import type { StoredRow } from '../service.js';
import { Positions } from './positions.js';

/** A version of the rows of one collection; only its identity and its entries matter here. */
interface RowsVersion {
  readonly size: number;
  entries(): IterableIterator<[string, StoredRow]>;
  get(key: string): StoredRow | undefined;
}

/** The numbers of the rows: a new row gets the next one, a changed row keeps its own, none is used again. */
interface Order {
  readonly numbers: PersistentMap<string, number>;
  readonly keys: List<string>;
  readonly all: Positions;
}

/** Text of the values → the rows that hold them; null where rows hold too many values to keep. */
type Buckets = PersistentMap<string, Positions> | null;

/** What is kept beside one version of the rows; an index's name says how it reads a row (see {@link textsOf}). */
interface Kept {
  readonly order: Order;
  readonly indexes: ReadonlyMap<string, Buckets>;
}

/** One equality filter: a field and the value it must hold; see {@link rowsHolding}. */
export interface HeldValue {
  readonly field: string;
  readonly value: Json;
}

/** Rows in their order, of which any part can be had at once. */
export interface Selection {
  readonly size: number;
  /** The rows from a position (from 0) on, at most `count`. */
  slice(start: number, count: number): StoredRow[];
  /** The canonical key of the row at a position. */
  keyAt(position: number): string | undefined;
  /** The position of the row of this canonical key, or −1. */
  positionOf(key: string): number;
}

const KEPT = new WeakMap<object, Kept>();

/** Indexes kept of one collection; the one made first goes first. */
const MOST_INDEXES = 16;
/** Combinations of values under which one row is kept, and which one question may ask for. */
const MOST_TEXTS = 64;

/** Rows from which on an index is made; below, looking at each takes no time to speak of, and an index per episode much memory. */
const INDEXED_FROM = 2048;

/** Whether an index of these rows is worth its making. */
export function isIndexed(rows: Pick<RowsVersion, 'size'>): boolean {
  return rows.size >= INDEXED_FROM;
}

/** The rows whose fields hold the same values as `like` does; absent is a value too. */
export function rowsLike(rows: RowsVersion, fields: readonly string[], like: JsonObject): Selection {
  const { order, buckets } = indexOf(rows, `=${JSON.stringify(fields)}`);
  return selection(rows, order, buckets?.get(wholeText(like, fields)) ?? Positions.none);
}

/** All rows. */
export function allRows(rows: RowsVersion): Selection {
  const { order } = keptOf(rows);
  return selection(rows, order, order.all);
}

/**
 * The rows that hold every one of the values: the field equals the value or, where either is a list, they share an
 * item. Undefined where the question or the rows have too many combinations of list items to be indexed.
 */
export function rowsHolding(rows: RowsVersion, held: readonly HeldValue[]): Selection | undefined {
  const fields = held.map(({ field }) => field);
  const asked = combined(held.map(({ value }) => itemTexts(value)));
  if (asked === undefined || new Set(fields).size < fields.length) return undefined;
  const { order, buckets } = indexOf(rows, `~${JSON.stringify(fields)}`);
  if (buckets === null) return undefined;
  const sets = asked.map((text) => buckets.get(text) ?? Positions.none);
  return selection(
    rows,
    order,
    sets.reduce((all, set) => all.union(set), Positions.none),
  );
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
  const order = old !== undefined && row !== undefined ? kept.order : renumbered(kept.order, key, row);
  const number = (row === undefined ? kept.order : order).numbers.get(key);
  if (number === undefined) return;
  const indexes = [...kept.indexes].map(([name, buckets]): [string, Buckets] => {
    const without = old === undefined ? [] : textsOf(name, old.data);
    const within = row === undefined ? [] : textsOf(name, row.data);
    if (buckets === null || without === undefined || within === undefined) return [name, null];
    if (without.length === within.length && without.every((text, at) => text === within[at]))
      return [name, buckets];
    let next = buckets;
    for (const text of without) next = changedBucket(next, text, (set) => set.remove(number));
    for (const text of within) next = changedBucket(next, text, (set) => set.add(number));
    return [name, next];
  });
  KEPT.set(after, { order, indexes: new Map(indexes) });
}

function renumbered(order: Order, key: string, row: StoredRow | undefined): Order {
  const number = row === undefined ? order.numbers.get(key) : order.keys.size;
  if (number === undefined) return order;
  if (row === undefined) {
    return { ...order, numbers: order.numbers.delete(key), all: order.all.remove(number) };
  }
  return {
    numbers: order.numbers.set(key, number),
    keys: order.keys.push(key),
    all: order.all.add(number),
  };
}

function changedBucket(
  buckets: PersistentMap<string, Positions>,
  text: string,
  change: (set: Positions) => Positions,
): PersistentMap<string, Positions> {
  const next = change(buckets.get(text) ?? Positions.none);
  return next.size === 0 ? buckets.delete(text) : buckets.set(text, next);
}

function keptOf(rows: RowsVersion): Kept {
  const known = KEPT.get(rows);
  if (known !== undefined) return known;
  const keys = Array.from(rows.entries(), ([key]) => key);
  const order: Order = {
    numbers: PersistentMap(keys.map((key, number): [string, number] => [key, number])),
    keys: List(keys),
    all: Positions.of(keys.keys()),
  };
  const made: Kept = { order, indexes: new Map() };
  KEPT.set(rows, made);
  return made;
}

function indexOf(rows: RowsVersion, name: string): { readonly order: Order; readonly buckets: Buckets } {
  const { order, indexes } = keptOf(rows);
  const known = indexes.get(name);
  if (known !== undefined) return { order, buckets: known };
  const buckets = bucketsOf(rows, order, name);
  const older = [...indexes].slice(-(MOST_INDEXES - 1));
  KEPT.set(rows, { order, indexes: new Map([...older, [name, buckets]]) });
  return { order, buckets };
}

function bucketsOf(rows: RowsVersion, order: Order, name: string): Buckets {
  const lists = new Map<string, number[]>();
  for (const [key, row] of rows.entries()) {
    const texts = textsOf(name, row.data);
    if (texts === undefined) return null;
    const number = order.numbers.get(key) ?? 0;
    for (const text of texts) {
      const list = lists.get(text);
      if (list === undefined) lists.set(text, [number]);
      else list.push(number);
    }
  }
  return PersistentMap(Array.from(lists, ([text, list]): [string, Positions] => [text, Positions.of(list)]));
}

function selection(rows: RowsVersion, order: Order, set: Positions): Selection {
  const keyAt = (position: number): string | undefined => {
    const [number] = position < 0 ? [] : set.slice(position, 1);
    return number === undefined ? undefined : order.keys.get(number);
  };
  return {
    size: set.size,
    keyAt,
    slice: (start, count) =>
      set.slice(start, count).flatMap((number) => rows.get(order.keys.get(number) ?? '') ?? []),
    positionOf: (key) => {
      const number = order.numbers.get(key);
      return number === undefined || !set.has(number) ? -1 : set.rank(number);
    },
  };
}

/** The texts under which a row stands in an index: `=` for its values as they are, `~` for each of their items. */
function textsOf(name: string, data: JsonObject): readonly string[] | undefined {
  const fields = JSON.parse(name.slice(1)) as readonly string[];
  if (name.startsWith('=')) return [wholeText(data, fields)];
  return combined(fields.map((field) => itemTexts(Object.hasOwn(data, field) ? data[field] : undefined)));
}

function wholeText(data: JsonObject, fields: readonly string[]): string {
  return JSON.stringify(fields.map((field) => (Object.hasOwn(data, field) ? textOf(data[field]) : 'u')));
}

/** A value's own text and those of its items. */
function itemTexts(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [textOf(value)];
  return [...new Set([`w${textOf(value)}`, ...value.map((item: Json) => textOf(item))])];
}

/** Each choice of one text per field, as one text; undefined where there are too many. */
function combined(lists: readonly (readonly string[])[]): readonly string[] | undefined {
  const count = lists.reduce((product, list) => product * list.length, 1);
  if (count > MOST_TEXTS) return undefined;
  let choices: readonly (readonly string[])[] = [[]];
  for (const list of lists) choices = choices.flatMap((start) => list.map((text) => [...start, text]));
  return choices.map((choice) => JSON.stringify(choice));
}

/** Equal texts for values that `sameValue` calls the same. */
function textOf(value: Json | undefined): string {
  if (value === undefined) return 'u';
  if (typeof value === 'object') return `o${canonicalJson(value)}`;
  return typeof value === 'boolean' ? `b${value}` : `s${value}`;
}
