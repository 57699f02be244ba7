/**
 * When two children are the same: equal content, or the same task in the same state but for names of rows.
 *
 * `content` is the world's hash without the words that say which child it is. `meaning` leaves out what does not
 * change the world for who lives in it: ids of rows (each becomes its collection and place in the order of a
 * canonical sort), the order of keys, and spaces and case of the task. Not covered: paraphrases of one task.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ServiceModel } from '../../engines/index.js';
import { renumberJson } from './renumber.js';
import { countingForm } from './vary-rows.js';

/** The two fingerprints of a child, SHA-256 in hex. */
export interface ChildPrints {
  readonly content: string;
  readonly meaning: string;
}

/** Fingerprints of a child's file. */
export function childPrints(file: JsonObject, model: ServiceModel): ChildPrints {
  const {
    name: _name,
    'x-parent': _parent,
    tools: _tools,
    entities: _entities,
    overrides: _overrides,
    ...own
  } = file as Record<string, Json>;
  return { content: digest(own), meaning: digest(meaningOf(own, model)) };
}

function digest(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function meaningOf(file: Record<string, Json>, model: ServiceModel): Json {
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
  return renumberJson(
    { task, clock, permissions, data, facts: file.facts ?? null, success: verifierTexts(file) },
    ids,
  );
}

function verifierTexts(file: Record<string, Json>): Json {
  const list = Array.isArray(file.success) ? (file.success as readonly JsonObject[]) : [];
  return list.map((verifier) => verifier.expr ?? verifier.run ?? null);
}
