/**
 * Samples a value that validates against a JSON Schema.
 *
 * Used to shape answers to a tool's output schema and as filler for tools that nobody can compute. References are
 * followed with a depth limit (cycles end with what is smallest), `allOf` is merged, of `anyOf` and `oneOf` the first
 * feasible part is taken, real values known from rows or arguments are used where they fit. Draft-07 and 2020-12.
 * Not covered: `if`/`then`, `dependentSchemas`, `unevaluatedProperties`, contradictions, patterns that are not
 * simple; for those the value may not validate, and the caller must check.
 */
import type { Json, JsonObject, RandomStream } from '../../../core/index.js';
import { isJsonObject } from '../../../core/index.js';
import { lookUp, own, typesOf } from '../infer/infer-schema.js';
import { singularOf, splitWords } from '../infer/words.js';
import { conforms } from './sample-check.js';
import { mergeSchemas } from './sample-merge.js';
import { valueFor } from './values.js';

/** What sampling draws on. */
export interface SampleOptions {
  /** The document that references look into. */
  readonly root: JsonObject;
  readonly random: RandomStream;
  /** A real value for a place in the answer, if there is one; `path` holds property names and list positions. */
  readonly known?: (path: readonly string[], schema: JsonObject) => Json | undefined;
  /** The latest time of dates, milliseconds since 1970 UTC. */
  readonly nowMs?: number;
}

/** Levels down to which optional properties are filled in. */
const FULL_DEPTH = 4;
/** Sub-schemas sampled for one value at most. */
const MOST_SCHEMAS = 20_000;
/** Levels at which even required parts end. */
const MOST_DEPTH = 24;

interface Sampling extends SampleOptions {
  readonly path: readonly string[];
  readonly depth: number;
  /** Shared count of schemas still to be sampled; hostile schemas end here. */
  readonly budget: { left: number };
}

/** A value for the schema; `undefined` only for a schema that nothing satisfies (`false`, or a required endless cycle). */
export function sampleSchema(schema: Json, options: SampleOptions): Json | undefined {
  return sample(schema, { ...options, path: [], depth: 0, budget: { left: MOST_SCHEMAS } });
}

function sample(schema: Json, at: Sampling): Json | undefined {
  if (schema === true)
    return nameOf(at) === '' ? {} : valueFor({ name: nameOf(at), schema: { type: 'string' } }, at);
  if (!isJsonObject(schema) || at.depth > MOST_DEPTH || at.budget.left-- <= 0) return undefined;
  const merged = flatten(schema, at);
  if (merged === undefined) return undefined;
  const known = at.known?.(at.path, merged);
  if (known !== undefined && conforms(known, merged, at.root)) return known;
  for (let attempt = 0; attempt < 8; attempt++) {
    const value = sampleMerged(merged, at);
    const not = own(merged, 'not');
    if (value === undefined || not === undefined || !conforms(value, not, at.root)) return value;
  }
  return undefined;
}

/** The schema with references followed and `allOf` merged in; undefined if that never ends or cannot be. */
function flatten(schema: JsonObject, at: Sampling): JsonObject | undefined {
  if (at.depth > MOST_DEPTH) return undefined;
  let current = schema;
  for (let step = 0; step < 30 && at.budget.left-- > 0; step++) {
    const ref = own(current, '$ref') ?? own(current, '$dynamicRef');
    const parts = own(current, 'allOf');
    if (typeof ref === 'string') {
      const target = lookUp(
        ref.replace(/^#\w+$/, (text) => (lookUp(text, at.root) === undefined ? '#' : text)),
        at.root,
      );
      const { $ref: _ref, $dynamicRef: _dynamic, ...rest } = current;
      if (target === undefined || target === true) current = rest;
      else if (!isJsonObject(target)) return undefined;
      else current = mergeSchemas(target, rest);
    } else if (Array.isArray(parts)) {
      const { allOf: _parts, ...rest } = current;
      let merged: JsonObject = rest;
      for (const part of parts as readonly Json[]) {
        if (part === false) return undefined;
        const flat = isJsonObject(part) ? flatten(part, { ...at, depth: at.depth + 1 }) : {};
        if (flat === undefined || at.depth > MOST_DEPTH) return undefined;
        merged = mergeSchemas(merged, flat);
      }
      current = merged;
    } else return current;
  }
  return undefined;
}

function sampleMerged(schema: JsonObject, at: Sampling): Json | undefined {
  for (const key of ['oneOf', 'anyOf']) {
    const parts = own(schema, key);
    if (Array.isArray(parts)) return samplePart(schema, { key, parts: parts as readonly Json[], at });
  }
  const only = own(schema, 'const');
  if (only !== undefined) return only;
  const choices = own(schema, 'enum');
  if (Array.isArray(choices)) {
    const { enum: _choices, ...rest } = schema;
    const fitting = (choices as readonly Json[]).filter((choice) => conforms(choice, rest, at.root));
    const telling = fitting.filter((choice) => choice !== null);
    return fitting.length === 0 ? undefined : at.random.pick(telling.length > 0 ? telling : fitting);
  }
  return ofType(schema, at);
}

/** The first part that gives a value; for oneOf one that no other part accepts. */
function samplePart(
  schema: JsonObject,
  of: { readonly key: string; readonly parts: readonly Json[]; readonly at: Sampling },
): Json | undefined {
  const { [of.key]: _parts, ...rest } = schema;
  const at = { ...of.at, depth: of.at.depth + 1 };
  const order = [...of.parts].sort((a, b) => Number(isNull(a)) - Number(isNull(b)));
  let fallback: Json | undefined;
  for (const part of order) {
    if (part === false) continue;
    for (let attempt = 0; attempt < 4; attempt++) {
      const value = sample(isJsonObject(part) ? mergeSchemas(rest, part) : rest, at);
      if (value === undefined) break;
      const matches = of.parts.filter((one) => conforms(value, one, at.root)).length;
      if (of.key === 'anyOf' || matches === 1) return value;
      fallback ??= value;
    }
  }
  return fallback;
}

function isNull(part: Json): boolean {
  return isJsonObject(part) && own(part, 'type') === 'null';
}

function ofType(schema: JsonObject, at: Sampling): Json | undefined {
  const listed = own(schema, 'type');
  const [type] =
    Array.isArray(listed) && listed.every((one) => one === 'null')
      ? ['null']
      : listed === 'null'
        ? ['null']
        : typesOf(schema);
  switch (type) {
    case 'object':
      return sampleObject(schema, at);
    case 'array':
      return sampleArray(schema, at);
    case 'null':
      return null;
    case undefined:
      return untyped(schema, at);
    default:
      return valueFor({ name: nameOf(at), schema: { ...schema, type }, ...describedBy(schema) }, at);
  }
}

function describedBy(schema: JsonObject): { description?: string } {
  const description = own(schema, 'description');
  return typeof description === 'string' ? { description } : {};
}

/** No type: objects are told by `required`, else a text fits everything. */
function untyped(schema: JsonObject, at: Sampling): Json | undefined {
  if (own(schema, 'required') !== undefined || own(schema, 'additionalProperties') !== undefined)
    return sampleObject(schema, at);
  if (at.path.length === 0) return {};
  return valueFor({ name: nameOf(at), schema: { ...schema, type: 'string' }, ...describedBy(schema) }, at);
}

/** The property's name; for items of a list the list's name in the singular. */
function nameOf(at: Sampling): string {
  const last = at.path.at(-1);
  if (last === undefined) return '';
  if (!/^\d+$/.test(last)) return last;
  const list = [...at.path].reverse().find((part) => !/^\d+$/.test(part)) ?? 'text';
  return singularOf(splitWords(list).at(-1) ?? list);
}

function sampleObject(schema: JsonObject, at: Sampling): Json | undefined {
  const properties = own(schema, 'properties');
  const known = properties !== undefined && isJsonObject(properties) ? properties : {};
  const listed = own(schema, 'required');
  const required = new Set(
    Array.isArray(listed) ? listed.filter((name): name is string => typeof name === 'string') : [],
  );
  const values = new Map<string, Json>();
  const most = limit(schema, 'maxProperties') ?? Number.MAX_SAFE_INTEGER;
  const names = [...new Set([...Object.keys(known), ...required])].sort(
    (a, b) => Number(required.has(b)) - Number(required.has(a)),
  );
  for (const name of names) {
    if (!required.has(name) && (at.depth > FULL_DEPTH || values.size >= most)) continue;
    const value = sample(Object.hasOwn(known, name) ? (known[name] ?? true) : extra(schema), {
      ...at,
      path: [...at.path, name],
      depth: at.depth + 1,
    });
    if (value !== undefined) values.set(name, value);
    else if (required.has(name)) return undefined;
  }
  fillProperties(schema, values, at);
  const order = [...Object.keys(known), ...values.keys()].filter(
    (name, i, all) => values.has(name) && all.indexOf(name) === i,
  );
  return Object.fromEntries(order.map((name): [string, Json] => [name, values.get(name) ?? null]));
}

/** The schema of properties that are not listed. */
function extra(schema: JsonObject): Json {
  const more = own(schema, 'additionalProperties');
  return more === undefined || more === false ? true : more;
}

/** Maps (`additionalProperties` only) get one entry; `minProperties` is kept. */
function fillProperties(schema: JsonObject, values: Map<string, Json>, at: Sampling): void {
  const more = own(schema, 'additionalProperties');
  if (more === false) return;
  const isMap =
    more !== undefined &&
    isJsonObject(more) &&
    own(schema, 'properties') === undefined &&
    at.depth <= FULL_DEPTH;
  const least = Math.min(limit(schema, 'minProperties') ?? 0, 100);
  const most = limit(schema, 'maxProperties') ?? Number.MAX_SAFE_INTEGER;
  const wanted = Math.min(Math.max(least, isMap && values.size === 0 ? 1 : 0), most);
  for (let i = 1; values.size < wanted && i <= 200; i++) {
    const name = `key${i}`;
    if (values.has(name)) continue;
    const value = sample(extra(schema), { ...at, path: [...at.path, name], depth: at.depth + 1 });
    if (value === undefined) return;
    values.set(name, value);
  }
}

function limit(schema: JsonObject, key: string): number | undefined {
  const value = own(schema, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function sampleArray(schema: JsonObject, at: Sampling): Json | undefined {
  const items = own(schema, 'items');
  const tuple = own(schema, 'prefixItems') ?? (Array.isArray(items) ? items : undefined);
  const first = Array.isArray(tuple) ? (tuple as readonly Json[]) : [];
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  const least = Math.min(limit(schema, 'minItems') ?? 0, 1000);
  const most = limit(schema, 'maxItems') ?? Number.MAX_SAFE_INTEGER;
  const contains = own(schema, 'contains');
  const usual = at.depth > FULL_DEPTH ? 0 : Math.max(first.length, rest === false ? first.length : 2);
  const wanted = Math.min(most, Math.max(least, Math.min(usual, most)));
  const unique = own(schema, 'uniqueItems') === true;
  const list: Json[] = [];
  const seen = new Set<string>();
  for (let attempt = 0; list.length < wanted && attempt < wanted * 10 + 10; attempt++) {
    const position = list.length;
    const itemSchema =
      position < first.length
        ? (first[position] ?? true)
        : contains !== undefined && position === wanted - 1
          ? both(rest ?? true, contains)
          : (rest ?? true);
    if (itemSchema === false) break;
    const value = sample(itemSchema, { ...at, path: [...at.path, String(position)], depth: at.depth + 1 });
    if (value === undefined) break;
    const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
    if (unique && seen.has(text)) continue;
    seen.add(text);
    list.push(value);
  }
  return list.length < least ? undefined : list;
}

function both(a: Json, b: Json): Json {
  return isJsonObject(a) && isJsonObject(b) ? mergeSchemas(a, b) : isJsonObject(b) ? b : a;
}
