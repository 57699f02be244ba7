/**
 * Changes the rows of a child: rows that are otherwise, rows that are added (distractors, near duplicates, decoys),
 * rows and fields that are missing.
 *
 * A new row gets an id of its collection's form, after the highest there is; `renumber` hides which rows are new.
 */
import { isJsonObject, type Json, type JsonObject, type RandomStream } from '../../core/index.js';
import type { ServiceModel } from '../../engines/index.js';
import type { Bindings } from '../../rules/index.js';
import type { AddRowsSpec, ChangeRowsSpec, DropRowsSpec } from '../../worlds/index.js';
import { drawValue } from './draw-value.js';
import { countOf, ExpansionFault, evaluate, fillJson, holds } from './fill-template.js';
import type { MentionGraph } from './mention-graph.js';

/** Collection → its rows; changed in place. */
export type RowsByCollection = Map<string, JsonObject[]>;

/** What rows are varied with. */
export interface VaryContext {
  readonly rows: RowsByCollection;
  readonly model: ServiceModel;
  readonly bindings: Bindings;
  readonly today: string;
  /** The stream of one concern, by its name. */
  readonly streamOf: (name: string) => RandomStream;
}

/** Sets fields of rows that fit. */
export function changeRows(spec: ChangeRowsSpec, context: VaryContext): void {
  const rows = rowsOf(spec.in, context);
  for (const [index, row] of rows.entries()) {
    const bindings = { ...context.bindings, row };
    if (holds(spec.where, bindings)) rows[index] = merged(row, fillJson(spec.set as Json, bindings));
  }
}

/** Adds rows; gives how many. */
export function addRows(spec: AddRowsSpec, context: VaryContext, name: string): number {
  const stream = context.streamOf(name);
  const rows = rowsOf(spec.into, context);
  const count = countOf(spec.count, context.bindings);
  const { like } = spec;
  const models = like === undefined ? [] : rows.filter((row) => holds(like, { ...context.bindings, row }));
  if (count > 0 && like !== undefined && models.length === 0)
    throw new ExpansionFault('rows', `no row of ${spec.into} fits ${like}`);
  const ids = new NextIds(spec.into, rows, context.model);
  const before = rows.length;
  for (let n = 0; n < count; n++) {
    const model = models.length === 0 ? {} : stream.pick(models);
    let bindings: Bindings = { ...context.bindings, row: model, n };
    for (const [key, maker] of Object.entries(spec.make)) {
      bindings = { ...bindings, [key]: drawValue(maker, { stream, bindings, today: context.today }) };
    }
    const own = fillJson(spec.row as Json, bindings);
    const row = merged(ids.without(model), own);
    const made = ids.put(row);
    const at =
      spec.place === 'end' ? rows.length : spec.place === 'start' ? n : stream.integer(0, before + n);
    rows.splice(at, 0, made);
  }
  return count;
}

/**
 * Takes rows or fields away; gives how many rows were hit. Runs before rows are added, so that places are those of the
 * seed world until the end of all drops; what is gone meanwhile is `undefined`.
 */
export function dropRows(specs: readonly DropRowsSpec[], context: VaryContext, graph: MentionGraph): number {
  const counts = graph.counts();
  const gone = new Map<string, Set<number>>();
  let hits = 0;
  for (const [number, spec] of specs.entries()) {
    const rows = rowsOf(spec.from, context);
    const stream = context.streamOf(`drops ${number} ${spec.from}`);
    const away = gone.get(spec.from) ?? new Set<number>();
    gone.set(spec.from, away);
    const fitting = rows.flatMap((row, index) => {
      if (away.has(index) || (spec.unused && (counts.get(spec.from)?.[index] ?? 0) > 0)) return [];
      return spec.where === 'true' || holds(spec.where, { ...context.bindings, row }) ? [index] : [];
    });
    const count = Math.min(dropCount(spec, fitting.length, context), fitting.length);
    hits += count;
    for (const index of drawSome(fitting, count, stream)) {
      if (spec.fields !== undefined) rows[index] = without(rows[index], spec.fields);
      else {
        away.add(index);
        for (const target of graph.targetsOf({ collection: spec.from, index })) {
          const list = counts.get(target.collection);
          if (list !== undefined) list[target.index] = (list[target.index] ?? 0) - 1;
        }
      }
    }
  }
  for (const [collection, away] of gone) {
    const rows = context.rows.get(collection) ?? [];
    context.rows.set(
      collection,
      rows.filter((_row, index) => !away.has(index)),
    );
  }
  return hits;
}

function dropCount(spec: DropRowsSpec, fitting: number, context: VaryContext): number {
  if (spec.share === undefined) return countOf(spec.count ?? 1, context.bindings);
  const share = typeof spec.share === 'number' ? spec.share : evaluate(spec.share, context.bindings);
  if (typeof share === 'number' && share >= 0 && share <= 1) return Math.round(share * fitting);
  throw new ExpansionFault('rule', `a share is ${JSON.stringify(share)}; wanted a number from 0 to 1`);
}

/** Some of the items, each with the same chance: a partial Fisher-Yates shuffle. */
function drawSome(items: readonly number[], count: number, stream: RandomStream): number[] {
  const list = [...items];
  for (let at = 0; at < count; at++) {
    const other = stream.integer(at, list.length - 1);
    [list[at], list[other]] = [list[other] as number, list[at] as number];
  }
  return list.slice(0, count);
}

function without(row: JsonObject | undefined, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(row ?? {}).filter(([field]) => !fields.includes(field)));
}

function rowsOf(collection: string, context: VaryContext): JsonObject[] {
  const rows = context.rows.get(collection);
  if (rows === undefined) throw new ExpansionFault('rows', `there is no collection ${collection} with rows`);
  return rows;
}

/** Fields of the second over the first; a field that became undefined is not possible in JSON, null stays null. */
function merged(row: JsonObject, own: Json): JsonObject {
  return isJsonObject(own) ? { ...row, ...own } : row;
}

/** Mints ids for rows that have none. */
class NextIds {
  private readonly key: string | undefined;
  private readonly computed: readonly string[];
  private next: (() => Json) | undefined;

  constructor(
    private readonly collection: string,
    rows: readonly JsonObject[],
    model: ServiceModel,
  ) {
    const known = Object.hasOwn(model.collections, collection) ? model.collections[collection] : undefined;
    this.key = known?.key.length === 1 ? known.key[0] : undefined;
    this.computed = Object.values(known?.fields ?? {}).flatMap(({ name, computed }) =>
      computed === undefined ? [] : [name],
    );
    const key = this.key;
    if (key !== undefined) this.next = countingIds(rows.map((row) => row[key]));
  }

  /** A model row without its id. */
  without(row: JsonObject): JsonObject {
    const kept = Object.entries(row).filter(
      ([field]) => field !== this.key && !this.computed.includes(field),
    );
    return Object.fromEntries(kept);
  }

  /** The row with an id, in front where the row had none. */
  put(row: JsonObject): JsonObject {
    if (this.key === undefined || row[this.key] !== undefined) return row;
    if (this.next === undefined)
      throw new ExpansionFault('rows', `a new row of ${this.collection} needs a value for ${this.key}`);
    return { [this.key]: this.next(), ...row };
  }
}

/** Ids that go on after the given ones, or undefined where they do not count. */
export function countingIds(ids: readonly (Json | undefined)[]): (() => Json) | undefined {
  if (ids.length === 0) {
    let number = 0;
    return () => ++number;
  }
  if (ids.every((id) => typeof id === 'number' && Number.isSafeInteger(id))) {
    let highest = Math.max(...(ids as number[]));
    return () => ++highest;
  }
  const form = countingForm(ids);
  if (form === null) return undefined;
  let highest = form.highest;
  return () => form.prefix + String(++highest).padStart(form.width, '0');
}

/** The form that ids share: a prefix and a number, or null. `width` is that of the shortest number. */
export function countingForm(
  ids: readonly (Json | undefined)[],
): { prefix: string; width: number; highest: number } | null {
  let prefix: string | undefined;
  let width = Number.POSITIVE_INFINITY;
  let highest = 0;
  for (const id of ids) {
    const [, head, digits] = typeof id === 'string' ? (/^(.*?\D)(\d{1,15})$/s.exec(id) ?? []) : [];
    if (head === undefined || digits === undefined || (prefix !== undefined && prefix !== head)) return null;
    prefix = head;
    width = Math.min(width, digits.length);
    highest = Math.max(highest, Number(digits));
  }
  return prefix === undefined ? null : { prefix, width, highest };
}
