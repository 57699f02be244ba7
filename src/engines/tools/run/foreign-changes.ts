/**
 * What another actor does to the state: rows that appear, change or vanish while the agent thinks.
 *
 * They go through the same checks as effects that come with an answer (fields, types, keys, references), all or
 * nothing; their values carry the origin `fault`. Not covered: rules of the world, which are about tools.
 */
import {
  type FaultedRow,
  type ForeignChange,
  fail,
  type Json,
  ok,
  type Result,
  renderJson,
} from '../../../core/index.js';
import type { ServiceModel } from '../service.js';
import { keyOf, rowsOf, type StoreState } from '../store/store.js';
import { collectionNamed } from '../store/store-integrity.js';
import { type EffectWorld, effectsOn, identityOf } from './run-effects.js';

/** The state after the changes and the rows that were touched, or why nothing was done. */
export function applyForeignChanges(
  world: EffectWorld,
  state: StoreState,
  changes: readonly ForeignChange[],
): Result<{ readonly state: StoreState; readonly rows: readonly FaultedRow[] }, string> {
  const { model } = world;
  const rows: FaultedRow[] = [];
  let next = state;
  for (const change of changes) {
    const { collection } = change;
    const identity = identityOf(model, collection, change.row);
    const problem = problemOf(model, next, change);
    if (identity === undefined || problem !== undefined) return fail(problem ?? `there is no ${collection}`);
    const changed = effectsOn(world, next, { effects: effectsOf(change, identity), origin: 'fault' });
    if (!changed.ok) return changed;
    next = changed.value;
    rows.push({ collection, key: keyText(identity), change: change.change });
  }
  return ok({ state: next, rows });
}

function effectsOf({ collection, change, row, set = {} }: ForeignChange, identity: Json): Json {
  if (change === 'deleted') return { deletes: [{ collection, key: identity }] };
  const written = change === 'created' ? row : { ...(identity as object), ...set };
  return { writes: [{ collection, row: written as Json }] };
}

/** An addition must be new; everything else must be there. */
function problemOf(model: ServiceModel, state: StoreState, change: ForeignChange): string | undefined {
  const collection = collectionNamed(model, change.collection);
  if (collection === undefined) return `there is no collection ${change.collection}`;
  const isThere = rowsOf(state, collection.name).has(keyOf(collection, change.row));
  if (change.change === 'created' && isThere) return `${collection.name} has such a row already`;
  return change.change !== 'created' && !isThere ? `${collection.name} has no such row` : undefined;
}

function keyText(identity: Json): string {
  const values = Object.values(identity as Readonly<Record<string, Json>>);
  return values.map((value) => (typeof value === 'string' ? value : renderJson(value))).join('/');
}
