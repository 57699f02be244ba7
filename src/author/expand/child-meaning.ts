/**
 * When two children are the same: equal content, or the same task in the same state but for names of rows.
 *
 * `content` is of the file without the lines that say which child it is. `meaning` leaves out what does not change the
 * world for who lives in it: ids of rows (each becomes its collection and place) and spaces and case of the task.
 * Children of one seed have their keys in one order, so texts are compared. Not covered: paraphrases of one task, rows
 * in another order.
 */
import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';
import type { ServiceModel } from '../../engines/index.js';
import { renumberText } from './renumber.js';
import { countingForm } from './vary-rows.js';

/** The two fingerprints of a child, SHA-256 in hex. */
export interface ChildPrints {
  readonly content: string;
  readonly meaning: string;
}

/** Keys that differ in every child, or in none. */
const APART = ['name', 'x-parent', 'tools', 'entities', 'overrides'];

/** Fingerprints of a child's file. */
export function childPrints(file: JsonObject, model: ServiceModel): ChildPrints {
  const own = Object.fromEntries(Object.entries(file).filter(([key]) => !APART.includes(key)));
  return { content: digest(renderJson(own)), meaning: digest(meaningOf(own, model)) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function meaningOf(file: JsonObject, model: ServiceModel): string {
  const state = isJsonObject(file.state) ? file.state : {};
  const data = isJsonObject(state.data) ? state.data : {};
  const ids = new Map<string, string>();
  for (const [collection, rows] of Object.entries(data)) {
    const known = Object.hasOwn(model.collections, collection) ? model.collections[collection] : undefined;
    const [key, second] = known?.key ?? [];
    if (key === undefined || second !== undefined || !Array.isArray(rows)) continue;
    const list = rows as readonly JsonObject[];
    if (countingForm(list.map((row) => row[key])) === null) continue;
    for (const [index, row] of list.entries()) ids.set(String(row[key]), `#${collection}-${index}`);
  }
  const task = typeof file.task === 'string' ? file.task.toLowerCase().replace(/\s+/g, ' ').trim() : null;
  const { clock = null, permissions = null } = state;
  const said: Json = {
    task,
    clock,
    permissions,
    data,
    facts: file.facts ?? null,
    success: verifierTexts(file),
  };
  return renumberText(renderJson(said), ids);
}

function verifierTexts(file: JsonObject): Json {
  const list = Array.isArray(file.success) ? (file.success as readonly JsonObject[]) : [];
  return list.map((verifier) => verifier.expr ?? verifier.run ?? null);
}
