/**
 * Takes in a record of unknown making: it must speak of the same row, and gets the row's fields where it lacks them.
 */
import { canonicalJson, DataError, type JsonObject } from '../../core/index.js';
import type { DataSet, IndexedRow } from '../files/data-set.js';

const FIELDS = ['prompt', 'response', 'system_str', 'current_prompt'] as const;

/**
 * The record with all fields of its row; the same object where nothing is missing. Raises `data/invalid` where the
 * record was made of another row of this key.
 */
export function completeRecord(
  data: DataSet,
  indexed: IndexedRow | undefined,
  record: JsonObject,
): JsonObject {
  if (indexed === undefined) return record;
  const { raw } = data.read(indexed);
  for (const field of FIELDS) {
    const theirs = record[field];
    if (theirs === undefined || canonicalJson(theirs) === canonicalJson(raw[field] ?? null)) continue;
    throw new DataError(
      `the record of ${indexed.key} that is there already was made of another row (its ${field} differs); write elsewhere with --out, or start anew with --force`,
      { code: 'data/invalid', data: { key: indexed.key, field } },
    );
  }
  const isWhole = Object.keys(raw).every((key) => Object.hasOwn(record, key));
  return isWhole ? record : { ...raw, ...record };
}
