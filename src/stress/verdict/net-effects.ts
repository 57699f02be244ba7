/**
 * What a run changed in the end: effects of many turns on one row become one, and a change taken back is none.
 */
import { canonicalJson, type Json, type JsonObject, parseJson } from '../../core/index.js';
import type { RowEffect } from '../row-effects.js';

/** What became of one row from the start to the end of a run. */
export interface NetEffect {
  readonly change: RowEffect['change'];
  readonly collection: string;
  readonly key: string;
  /** The turns that touched it, in order. */
  readonly turns: readonly number[];
  /** Deleted: the row. Updated: the changed fields as they were. */
  readonly before: JsonObject;
  /** Created: the row. Updated: the changed fields as they are. */
  readonly after: JsonObject;
}

/** Several rules ask for the same list: of the reference, of the clean twin, of the run. */
const KNOWN = new WeakMap<readonly RowEffect[], readonly NetEffect[]>();

/** Joins effects by row. Rows that ended as they began are left out. Pure; a list must not change afterwards. */
export function netEffects(effects: readonly RowEffect[]): readonly NetEffect[] {
  const known = KNOWN.get(effects);
  if (known !== undefined) return known;
  const made = joined(effects);
  KNOWN.set(effects, made);
  return made;
}

function joined(effects: readonly RowEffect[]): readonly NetEffect[] {
  const rows = new Map<string, RowEffect[]>();
  for (const effect of effects) {
    const name = rowName(effect);
    const list = rows.get(name);
    if (list === undefined) rows.set(name, [effect]);
    else list.push(effect);
  }
  return [...rows.values()].flatMap((list) => {
    const net = netOf(list);
    return net === null ? [] : [net];
  });
}

/** Names a row over all collections. */
export function rowName(row: { readonly collection: string; readonly key: string }): string {
  return `${row.collection}\u0000${row.key}`;
}

function netOf(list: readonly RowEffect[]): NetEffect | null {
  const [first] = list;
  const last = list.at(-1);
  if (first === undefined || last === undefined) return null;
  if (list.length === 1) return netOfOne(first);
  const existed = first.change !== 'created';
  const exists = last.change !== 'deleted';
  const { collection, key } = first;
  const common = { collection, key, turns: [...new Set(list.map((effect) => effect.turn))] };
  if (!existed && !exists) return null;
  if (!existed) return { ...common, change: 'created', before: {}, after: folded(list) };
  if (!exists) return { ...common, change: 'deleted', before: firstSeen(list), after: {} };
  const [before, after] = [firstSeen(list), folded(list)];
  const fields = changedFields(before, after);
  return fields === null ? null : { ...common, change: 'updated', ...fields };
}

/** Most rows are touched once: what the effect says is the net effect. */
function netOfOne(effect: RowEffect): NetEffect | null {
  const { change, collection, key } = effect;
  const common = { change, collection, key, turns: [effect.turn] };
  if (change === 'created') return { ...common, before: {}, after: effect.after ?? {} };
  if (change === 'deleted') return { ...common, before: effect.before ?? {}, after: {} };
  const fields = changedFields(effect.before ?? {}, effect.after ?? {});
  return fields === null ? null : { ...common, ...fields };
}

function changedFields(
  before: JsonObject,
  after: JsonObject,
): { before: JsonObject; after: JsonObject } | null {
  const changed = Object.keys({ ...before, ...after }).filter(
    (name) => !sameValue(before[name] ?? null, after[name] ?? null),
  );
  if (changed.length === 0) return null;
  const pick = (row: JsonObject): JsonObject =>
    Object.fromEntries(changed.map((name) => [name, row[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

function sameValue(one: Json, other: Json): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** Two lists as one: `neededKeys` and others ask for the same pair again and again. */
const JOINED = new WeakMap<readonly RowEffect[], WeakMap<readonly RowEffect[], readonly NetEffect[]>>();

/** {@link netEffects} of one list followed by another. */
export function netEffectsOf(
  first: readonly RowEffect[],
  second: readonly RowEffect[],
): readonly NetEffect[] {
  if (second.length === 0) return netEffects(first);
  if (first.length === 0) return netEffects(second);
  const known = JOINED.get(second)?.get(first);
  if (known !== undefined) return known;
  const made = joined([...first, ...second]);
  const kept = JOINED.get(second) ?? new WeakMap<readonly RowEffect[], readonly NetEffect[]>();
  JOINED.set(second, kept);
  kept.set(first, made);
  return made;
}

/** The effects that are no doing of a fault; the list itself where all are. */
export function ownEffects(run: {
  readonly effects: readonly RowEffect[];
  readonly faultsByTurn: ReadonlyMap<number, Parameters<typeof madeByFault>[1]>;
}): readonly RowEffect[] {
  const byFault = (effect: RowEffect): boolean => {
    const faults = run.faultsByTurn.get(effect.turn) ?? [];
    return faults.length > 0 && madeByFault(effect, faults);
  };
  return run.effects.some(byFault) ? run.effects.filter((effect) => !byFault(effect)) : run.effects;
}

/** Fields as the last effect that wrote them left them. */
function folded(list: readonly RowEffect[]): JsonObject {
  return Object.assign({}, ...list.map((effect) => effect.after ?? {})) as JsonObject;
}

/** Fields as the first effect that touched them found them. */
function firstSeen(list: readonly RowEffect[]): JsonObject {
  return Object.assign({}, ...[...list].reverse().map((effect) => effect.before ?? {})) as JsonObject;
}

/** True where the fault itself touched this row in this turn: not the agent's doing. */
export function madeByFault(
  effect: RowEffect,
  faults: readonly {
    readonly rows?:
      | readonly {
          readonly collection: string;
          readonly key: unknown;
          readonly change?: string | undefined;
        }[]
      | undefined;
  }[],
): boolean {
  return faults.some((fault) =>
    (fault.rows ?? []).some(
      (row) =>
        row.collection === effect.collection &&
        (row.change === undefined || row.change === effect.change) &&
        keyTexts(effect.key).has(keyText(row.key)),
    ),
  );
}

/** A key of several fields is written in more than one way: as a list, joined by slashes, or by its own field alone. */
function keyTexts(key: string): ReadonlySet<string> {
  const plain = key.replace(/#\d+$/, '');
  const read = parseJson(plain);
  const parts = read.ok && Array.isArray(read.value) ? (read.value as readonly Json[]).map(keyText) : [];
  return new Set([key, plain, parts.join('/'), ...parts]);
}

function keyText(key: unknown): string {
  if (typeof key === 'string' || typeof key === 'number') return String(key);
  return JSON.stringify(key) ?? '';
}
