/**
 * What each turn did to the state, row by row: the evidence behind every verdict "by effect".
 *
 * The idea: what an agent says about a call, and what a fault made of its answer, are words; the rows before and after
 * the turn are facts. A watch compares the episode's view before and after each turn. Unchanged collections and rows
 * keep their identity in the engine's views, so a turn that writes nothing costs almost nothing.
 * Files of a machine are compared too (`file-effects.ts`).
 * Not covered: what happens outside the view (processes, services), and changes of computed fields, which follow from others.
 */
import { z } from 'zod';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../core/index.js';
import type { Collection } from '../engines/index.js';
import { inferService } from '../engines/index.js';
import type { Episode } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import { diffFiles } from './file-effects.js';

/** Effects kept of one run; a run that makes more is judged on these, and says so. */
const EFFECTS_KEPT = 2_000;

const RowSchema = z.custom<JsonObject>(isJsonObject, 'must be an object');

/** Schema of {@link RowEffect}. */
export const RowEffectSchema = z.object({
  /** The turn that did it, from 1. */
  turn: z.int().positive(),
  change: z.enum(['created', 'updated', 'deleted']),
  collection: z.string(),
  /** The row's key as text; rows that share one are told apart by `#2`, `#3`. */
  key: z.string(),
  /** Deleted: the whole row. Updated: the changed fields as they were. */
  before: RowSchema.optional(),
  /** Created: the whole row. Updated: the changed fields as they became. */
  after: RowSchema.optional(),
});

/** One row that one turn created, changed or deleted. */
export type RowEffect = z.infer<typeof RowEffectSchema>;

/** The effects of an episode so far, turn by turn. */
export interface EffectLog {
  readonly effects: readonly RowEffect[];
  /** Effects beyond {@link EFFECTS_KEPT} that were not kept. */
  readonly dropped: number;
  /** Takes in the state after a turn (from 1), as `episode.view()` gives it. */
  saw(turn: number, view: Json): void;
}

/** Collection name → what names a row and which fields follow from others. */
export type RowShapes = Readonly<Record<string, RowShape>>;

/** What names a row of a collection, and which of its fields are not an agent's doing. */
export interface RowShape {
  readonly key: readonly string[];
  /** Computed fields and stamps: they follow from the clock and from other fields. */
  readonly derived: ReadonlySet<string>;
}

/** The shapes of a world's collections. */
export function rowShapes(collections: Readonly<Record<string, Collection>>): RowShapes {
  return Object.fromEntries(
    Object.values(collections).map((collection): [string, RowShape] => {
      const scope = (collection.identityScope ?? collection.scope).filter(
        (field) => !collection.key.includes(field),
      );
      const derived = Object.values(collection.fields)
        .filter((field) => field.computed !== undefined || field.stamp !== undefined)
        .map((field) => field.name);
      return [collection.name, { key: [...collection.key, ...scope], derived: new Set(derived) }];
    }),
  );
}

/** A log that begins at a state, as `episode.view()` gives it. For episodes whose object changes from step to step. */
export function createEffectLog(world: World, start: Json): EffectLog {
  const shapes = shapesOf(world);
  const effects: RowEffect[] = [];
  let dropped = 0;
  let before = start;
  return {
    effects,
    get dropped() {
      return dropped;
    },
    saw: (turn, view) => {
      for (const effect of diffViews(before, view, shapes)) {
        if (effects.length < EFFECTS_KEPT) effects.push({ turn, ...effect });
        else dropped++;
      }
      before = view;
    },
  };
}

/** Watches an in-process episode from where it is now. Attach before the first step. */
export function watchEffects(episode: Episode): EffectLog {
  const log = createEffectLog(episode.world, episode.view());
  let turn = episode.turnCount;
  episode.onTurn(() => {
    turn++;
    log.saw(turn, episode.view());
  });
  return log;
}

const SHAPES = new WeakMap<World, RowShapes>();

function shapesOf(world: World): RowShapes {
  const known = SHAPES.get(world);
  if (known !== undefined) return known;
  const made = world.spec === null ? {} : rowShapes(inferService(world.spec).collections);
  SHAPES.set(world, made);
  return made;
}

/** The rows that differ between two views of one world, collection by collection. Pure. */
function diffViews(before: Json, after: Json, shapes: RowShapes): Omit<RowEffect, 'turn'>[] {
  if (before === after) return [];
  const [old, now] = [dataOf(before), dataOf(after)];
  const found: Omit<RowEffect, 'turn'>[] = [];
  const compare = (name: string): void => {
    const [was, is] = [old[name], now[name]];
    if (was === is) return;
    found.push(...diffRows(name, [rowsIn(was), rowsIn(is)], shapes[name] ?? UNKNOWN_SHAPE));
  };
  for (const name of Object.keys(old)) compare(name);
  for (const name of Object.keys(now)) if (!Object.hasOwn(old, name)) compare(name);
  return [...found, ...diffFiles(before, after)];
}

const NO_DATA: JsonObject = {};
const NO_ROWS: readonly Json[] = [];

function dataOf(view: Json): JsonObject {
  const data = isJsonObject(view) ? view.data : undefined;
  return isJsonObject(data) ? data : NO_DATA;
}

function rowsIn(list: Json | undefined): readonly Json[] {
  return Array.isArray(list) ? (list as readonly Json[]) : NO_ROWS;
}

const UNKNOWN_SHAPE: RowShape = { key: ['id'], derived: new Set() };

/** The collections of a view; anything that is not a list of rows is left out. */
export function rowsByCollection(view: Json): Readonly<Record<string, readonly Json[]>> {
  const data = isJsonObject(view) ? view.data : undefined;
  if (!isJsonObject(data)) return {};
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, rows]): [string, readonly Json[]][] =>
      Array.isArray(rows) ? [[name, rows as readonly Json[]]] : [],
    ),
  );
}

function diffRows(
  collection: string,
  [was, is]: readonly [readonly Json[], readonly Json[]],
  shape: RowShape,
): Omit<RowEffect, 'turn'>[] {
  const few = changedInPlace(was, is, shape);
  const [old, now] = few ?? [byKey(was, shape), byKey(is, shape)];
  const found: Omit<RowEffect, 'turn'>[] = [];
  for (const [key, row] of now) {
    const earlier = old.get(key);
    if (earlier === undefined) found.push({ change: 'created', collection, key, after: row });
    else if (earlier !== row) {
      const fields = changedFields(earlier, row, shape);
      if (fields !== null) found.push({ change: 'updated', collection, key, ...fields });
    }
  }
  for (const [key, row] of old) {
    if (!now.has(key)) found.push({ change: 'deleted', collection, key, before: row });
  }
  return found;
}

/** Changed rows that are looked at by themselves; above that both lists are keyed as a whole. */
const FEW_ROWS = 4;

type Keyed = ReadonlyMap<string, JsonObject>;

/**
 * Only the rows between what both lists begin and end with, where these are few, as most turns touch one row. Null
 * where they are many, or where a key of theirs occurs elsewhere too, since such rows are numbered through the list.
 */
function changedInPlace(
  was: readonly Json[],
  is: readonly Json[],
  shape: RowShape,
): readonly [Keyed, Keyed] | null {
  const shortest = Math.min(was.length, is.length);
  let start = 0;
  while (start < shortest && was[start] === is[start]) start++;
  let end = 0;
  while (end < shortest - start && was[was.length - 1 - end] === is[is.length - 1 - end]) end++;
  const [old, now] = [was.slice(start, was.length - end), is.slice(start, is.length - end)];
  if (old.length > FEW_ROWS || now.length > FEW_ROWS) return null;
  const keyed = [keyedOnce(old, shape), keyedOnce(now, shape)] as const;
  const [before, after] = keyed;
  if (before === null || after === null) return null;
  for (let at = 0; at < is.length; at++) {
    if (at === start) at += now.length;
    const row = is[at];
    if (!isJsonObject(row)) continue;
    const key = rowKey(row, shape);
    if (before.has(key) || after.has(key)) return null;
  }
  return [before, after];
}

/** Rows by key; null where two share one. */
function keyedOnce(rows: readonly Json[], shape: RowShape): Keyed | null {
  const map = new Map<string, JsonObject>();
  for (const row of rows) {
    if (!isJsonObject(row)) continue;
    const key = rowKey(row, shape);
    if (map.has(key)) return null;
    map.set(key, row);
  }
  return map;
}

/** The key of a row as text. */
function rowKey(row: JsonObject, shape: RowShape): string {
  const [field] = shape.key;
  if (field !== undefined && shape.key.length === 1) {
    const only = row[field] ?? null;
    if (typeof only === 'string' || typeof only === 'number') return String(only);
  }
  return canonicalJson(shape.key.map((name) => row[name] ?? null));
}

interface KeyedRows {
  readonly shape: RowShape;
  readonly rows: ReadonlyMap<string, JsonObject>;
}

/** By list of rows: what a turn leaves is what the next one finds, so each list is asked for twice. */
const KEYED = new WeakMap<readonly Json[], KeyedRows>();

function byKey(rows: readonly Json[], shape: RowShape): ReadonlyMap<string, JsonObject> {
  const known = KEYED.get(rows);
  if (known !== undefined && known.shape === shape) return known.rows;
  const made = keyedRows(rows, shape);
  // A list that may still change is not remembered; those of the engine's views are frozen.
  if (Object.isFrozen(rows)) KEYED.set(rows, { shape, rows: made });
  return made;
}

function keyedRows(rows: readonly Json[], shape: RowShape): Map<string, JsonObject> {
  const map = new Map<string, JsonObject>();
  for (const row of rows) {
    if (!isJsonObject(row)) continue;
    const key = rowKey(row, shape);
    let unique = key;
    for (let count = 2; map.has(unique); count++) unique = `${key}#${count}`;
    map.set(unique, row);
  }
  return map;
}

function changedFields(
  before: JsonObject,
  after: JsonObject,
  shape: RowShape,
): { before: JsonObject; after: JsonObject } | null {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter(
    (name) => !shape.derived.has(name) && !sameValue(before[name] ?? null, after[name] ?? null),
  );
  if (changed.length === 0) return null;
  const pick = (row: JsonObject): JsonObject =>
    Object.fromEntries(
      changed.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name] ?? null]),
    );
  return { before: pick(before), after: pick(after) };
}

function sameValue(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return canonicalJson(a) === canonicalJson(b);
}
