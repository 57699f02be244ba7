/**
 * New ids for whole collections, and every mention of the old ones with them.
 *
 * Ids that are a prefix and a number get new numbers in the order of their rows, with gaps, so that neither their
 * values nor their distances tell which rows a child was given. Not covered: ids of other forms, which stay; plain
 * numbers, because a number in a text need not be an id.
 */
import { isJsonObject, type Json, type JsonObject, type RandomStream } from '../../core/index.js';
import type { ServiceModel } from '../../engines/index.js';
import { countingForm, type RowsByCollection } from './vary-rows.js';

/** Old id → new id. */
export type NewIds = ReadonlyMap<string, string>;

/** Draws new ids for the collections; those whose ids do not count keep theirs. */
export function drawNewIds(
  collections: readonly string[],
  from: { readonly rows: RowsByCollection; readonly model: ServiceModel },
  streamOf: (name: string) => RandomStream,
): NewIds {
  const ids = new Map<string, string>();
  for (const collection of collections) {
    const rows = from.rows.get(collection) ?? [];
    const known = Object.hasOwn(from.model.collections, collection)
      ? from.model.collections[collection]
      : undefined;
    const [key, second] = known?.key ?? [];
    if (key === undefined || second !== undefined || rows.length === 0) continue;
    const form = countingForm(rows.map((row) => row[key]));
    if (form === null) continue;
    const stream = streamOf(`renumber ${collection}`);
    let number = firstNumber(form.width, rows.length, stream);
    for (const row of rows) {
      ids.set(String(row[key]), form.prefix + String(number).padStart(form.width, '0'));
      number += stream.integer(1, 3);
    }
  }
  return ids;
}

/** A start from which all new numbers have as many digits as the old ones, where that is possible. */
function firstNumber(width: number, rows: number, stream: RandomStream): number {
  const low = width === 1 ? 1 : 10 ** (width - 1);
  const high = 10 ** width - 3 * rows - 1;
  return high <= low ? low : stream.integer(low, Math.min(high, low + 2 ** 31));
}

/** A value with all mentions of old ids exchanged, in keys too. */
export function renumberJson(value: Json, ids: NewIds): Json {
  return ids.size === 0 ? value : walk(value, { ids, pattern: patternOf(ids) });
}

/** A text with all mentions of old ids exchanged. */
export function renumberText(text: string, ids: NewIds): string {
  return ids.size === 0 ? text : exchange(text, { ids, pattern: patternOf(ids) });
}

interface Walking {
  readonly ids: NewIds;
  readonly pattern: RegExp;
}

function walk(value: Json, how: Walking): Json {
  if (typeof value === 'string') return exchange(value, how);
  if (Array.isArray(value)) return value.map((item: Json) => walk(item, how));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, part]): [string, Json] => [
    exchange(key, how),
    walk(part, how),
  ]);
  return Object.fromEntries(members) as JsonObject;
}

function exchange(text: string, { ids, pattern }: Walking): string {
  if (!/[0-9]/.test(text)) return text;
  return text.replace(pattern, (found) => ids.get(found) ?? found);
}

const PATTERNS = new WeakMap<NewIds, RegExp>();

/** Any word that starts like an id and goes on with digits; made once for a set of ids, which must not change then. */
function patternOf(ids: NewIds): RegExp {
  const known = PATTERNS.get(ids);
  if (known !== undefined) return known;
  const prefixes = new Set([...ids.keys()].map((id) => id.replace(/\d+$/, '')));
  const any = [...prefixes].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  // what stands before is looked at after the prefix was met, because most places of a text begin none
  const started = any.map((prefix) => {
    const escaped = prefix.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    return String.raw`${escaped}(?<![\p{L}\p{N}_]${escaped})`;
  });
  const pattern = new RegExp(String.raw`(?:${started.join('|')})\d+(?![\p{L}\p{N}_])`, 'gu');
  PATTERNS.set(ids, pattern);
  return pattern;
}
