/**
 * Tells whether the engine answers a recorded call alike: the same words, but for what is new in every run.
 *
 * New in every run are ids by chance, the ids of the rows that the call itself made, and times.
 */
import { type Json, renderJson } from '../../core/index.js';
import type { ServiceModel } from '../../engines/index.js';
import type { LearnedCall } from './learned-state.js';
import { changesBetween, type Rows, rowsOfView } from './rows-of-view.js';

const BY_CHANCE =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{12,64}\b|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)?|\b1\d{12}\b/g;

/** True if the engine's answer to a recorded call is the recorded one, new ids and times apart. */
export function isAlike(model: ServiceModel, { call, trial, before, after, plan }: LearnedCall): boolean {
  const computed = trial.outcome.answer?.text.text;
  if (computed === undefined) return false;
  const wanted = withoutChance(call.text);
  const given = withoutChance(computed);
  if (wanted === given) return true;
  if (plan?.op !== 'create' && plan?.op !== 'upsert') return false;
  const made = newIds(model, before, rowsOfView(trial.after.view(), model));
  return without(given, made) === without(wanted, newIds(model, before, after));
}

function withoutChance(text: string): string {
  return text.replace(BY_CHANCE, '#');
}

/** The minted keys of rows that are there after a call and were not before. */
function newIds(model: ServiceModel, before: Rows, after: Rows): readonly string[] {
  return changesBetween(before, after).added.flatMap(({ collection, row }) => {
    const { key = [], idStyle } = model.collections[collection] ?? {};
    const [field] = key;
    if (field === undefined || key.length > 1 || idStyle?.kind === 'given') return [];
    const id: Json = row[field] ?? null;
    const shown = typeof id === 'string' ? id : renderJson(id);
    return shown.length < SHORTEST ? [] : [shown];
  });
}

/** Shorter ids may stand anywhere in a text. */
const SHORTEST = 4;

function without(text: string, ids: readonly string[]): string {
  return ids.reduce((left, id) => left.split(id).join('#'), text);
}
