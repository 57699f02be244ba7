/**
 * Merges two schemas into one that asks for both.
 *
 * Bounds are narrowed, required names and properties are united, types and enums are cut. Where the two cannot be
 * one keyword (two patterns, two `anyOf`) the rest is kept under `allOf`-free form as well as possible: the later
 * wins. Used by sampling only; validation of the result is the caller's.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { isJsonObject } from '../../../core/index.js';

const HIGHER = new Set(['minimum', 'minLength', 'minItems', 'minProperties', 'exclusiveMinimum']);
const LOWER = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties', 'exclusiveMaximum']);

/** A schema that both schemas' values must satisfy; where keywords cannot be joined, those of `b` win. */
export function mergeSchemas(a: JsonObject, b: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const old = merged.get(key);
    merged.set(key, old === undefined ? value : mergeKeyword(key, old, value));
  }
  return Object.fromEntries(merged);
}

function mergeKeyword(key: string, a: Json, b: Json): Json {
  if (typeof a === 'number' && typeof b === 'number') {
    if (HIGHER.has(key)) return Math.max(a, b);
    if (LOWER.has(key)) return Math.min(a, b);
  }
  if (key === 'required') return [...new Set([...listOf(a), ...listOf(b)])];
  if (key === 'allOf') return [...listOf(a), ...listOf(b)];
  if (key === 'enum') return cut(listOf(a), listOf(b));
  if (key === 'type') return mergeTypes(a, b);
  if (key === 'properties' || key === '$defs' || key === 'definitions') return mergeProperties(a, b);
  if (key === 'additionalProperties') return a === false || b === false ? false : isJsonObject(b) ? b : a;
  if (key === 'uniqueItems') return a === true || b === true;
  if (key === 'items' && isJsonObject(a) && isJsonObject(b)) return mergeSchemas(a, b);
  return b;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

function cut(a: readonly Json[], b: readonly Json[]): readonly Json[] {
  const texts = new Set(b.map((value) => JSON.stringify(value)));
  return a.filter((value) => texts.has(JSON.stringify(value)));
}

function mergeTypes(a: Json, b: Json): Json {
  const wide = (types: readonly Json[]) => (types.includes('number') ? [...types, 'integer'] : types);
  const both = cut(wide(listOf(a)), wide(listOf(b)));
  const kept = both.filter((type) => type !== 'integer' || !both.includes('number'));
  return kept.length === 1 ? (kept[0] ?? b) : kept.length === 0 ? b : kept;
}

function mergeProperties(a: Json, b: Json): Json {
  if (!isJsonObject(a) || !isJsonObject(b)) return b;
  const merged = new Map<string, Json>(Object.entries(a));
  for (const [name, value] of Object.entries(b)) {
    const old = merged.get(name);
    // Two references or unions cannot be merged keyword by keyword; both are asked for instead.
    const joined =
      old !== undefined && isJsonObject(old) && isJsonObject(value) ? { allOf: [old, value] } : value;
    merged.set(name, joined);
  }
  return Object.fromEntries(merged);
}
