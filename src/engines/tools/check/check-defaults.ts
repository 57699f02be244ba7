/**
 * Fills in the defaults that a schema names, on a copy, the way a server does before it runs a tool.
 *
 * Follows `properties`, `items`, `allOf` and local references; not unions, where no branch is chosen. The caller's
 * arguments are never changed.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/index.js';
import { own } from '../store/store.js';
import { resolvePointer } from './check-compile.js';

/** How many nested schemas are followed; recursive references end there. */
const DEPTH = 8;
/** Schemas looked at to complete one default; a few lines of schema could otherwise ask for millions. */
const VISITS = 200;

/** True if a schema names a default anywhere; without one {@link applyDefaults} would only copy. */
export function namesDefault(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (isJsonObject(schema) && Object.hasOwn(schema, 'default')) return true;
  return Object.values(schema).some((part) => namesDefault(part as Json));
}

/** The value with the defaults of its schema. `root` is where local references point. */
export function applyDefaults(value: Json, schema: JsonObject, root: JsonObject): Json {
  return fill(value, schema, { root, depth: 0 });
}

interface At {
  readonly root: JsonObject;
  readonly depth: number;
  /** Inside a default: the shared count of schemas still to be looked at. */
  readonly visits?: { left: number };
}

function fill(value: Json, schema: Json | undefined, at: At): Json {
  if (!isJsonObject(schema) || at.depth > DEPTH || isSpent(at)) return value;
  const deeper = { ...at, depth: at.depth + 1 };
  const target = own(schema, '$ref');
  let filled = typeof target === 'string' ? fill(value, resolvePointer(at.root, target), deeper) : value;
  const parts = own(schema, 'allOf');
  for (const part of Array.isArray(parts) ? (parts as readonly Json[]) : [])
    filled = fill(filled, part, deeper);
  if (Array.isArray(filled)) return filled.map((item: Json) => fill(item, own(schema, 'items'), deeper));
  return isJsonObject(filled) ? fillObject(filled, own(schema, 'properties'), deeper) : filled;
}

function isSpent({ visits }: At): boolean {
  return visits !== undefined && visits.left-- <= 0;
}

function fillObject(object: JsonObject, properties: Json | undefined, at: At): JsonObject {
  if (!isJsonObject(properties)) return object;
  const members = new Map(Object.entries(object));
  for (const [name, property] of Object.entries(properties)) {
    const given = members.get(name) ?? defaultOf(property, at);
    if (members.has(name)) members.set(name, fill(members.get(name) ?? null, property, at));
    else if (given !== undefined) {
      members.set(name, fill(given, property, { ...at, visits: at.visits ?? { left: VISITS } }));
    }
  }
  return Object.fromEntries(members);
}

function defaultOf(property: Json, at: At): Json | undefined {
  if (!isJsonObject(property)) return undefined;
  if (Object.hasOwn(property, 'default')) return property.default;
  const target = own(property, '$ref');
  const resolved = typeof target === 'string' ? resolvePointer(at.root, target) : undefined;
  return isJsonObject(resolved) && Object.hasOwn(resolved, 'default') ? resolved.default : undefined;
}
