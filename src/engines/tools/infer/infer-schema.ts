/**
 * Reads arguments and row shapes out of JSON Schemas from foreign servers.
 *
 * The idea: never trust a schema. References are followed a bounded number of steps, unions look for the first part
 * that says something, everything that is not what it should be counts as "nothing known". Nothing here throws or
 * recurses without a bound. Not covered: remote references, `$dynamicRef`, conditional schemas.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { isJsonObject } from '../../../core/index.js';

/** Properties read from one schema at most. */
const MAX_PROPERTIES = 500;
/** Sub-schemas looked at for one list of properties at most. */
const MAX_VISITS = 2000;
/** References and unions followed at most. */
const MAX_STEPS = 12;

/** One property of an object schema. */
export interface Property {
  readonly name: string;
  /** The schema with references and unions resolved at its top; `{}` if nothing is known. */
  readonly schema: JsonObject;
  /** JSON types, without null; empty if unknown. */
  readonly types: readonly string[];
  readonly required: boolean;
  readonly description: string;
  /** Values of an enum or const, without null. */
  readonly choices: readonly Json[];
}

/** The value at a key that the object itself has; undefined for anything else. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Follows local references and picks the first telling part of unions. Gives `{}` for what is no object schema. */
function resolveSchema(schema: Json | undefined, root: JsonObject): JsonObject {
  let current: Json | undefined = schema;
  let outer: JsonObject = {};
  for (let step = 0; step < MAX_STEPS; step++) {
    if (current === undefined || !isJsonObject(current)) return outer;
    const ref = own(current, '$ref');
    const next = typeof ref === 'string' ? lookUp(ref, root) : unionPart(current, root);
    outer = overlay(current, outer);
    if (next === undefined) return outer;
    current = next;
  }
  return outer;
}

/** Keys of the outer schema win over those of the part that it points to. */
function overlay(inner: JsonObject, outer: JsonObject): JsonObject {
  const merged: Record<string, Json> = Object.create(null) as Record<string, Json>;
  for (const part of [inner, outer]) {
    for (const [key, value] of Object.entries(part)) {
      if (key !== '$ref' && key !== 'anyOf' && key !== 'oneOf' && key !== 'allOf') merged[key] = value;
    }
  }
  return { ...merged };
}

/** The schema at a local reference such as `#/$defs/Row`; undefined if there is none. */
export function lookUp(ref: string, root: JsonObject): Json | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return byAnchor(ref, root);
  let at: Json | undefined = root;
  for (const raw of ref.slice(2).split('/').slice(0, 64)) {
    const key = unescapePointer(raw);
    if (Array.isArray(at)) at = at[Number(key)];
    else if (at !== undefined && isJsonObject(at)) at = own(at, key);
    else return undefined;
  }
  return at;
}

function byAnchor(ref: string, root: JsonObject): Json | undefined {
  if (!ref.startsWith('#')) return undefined;
  for (const holder of ['$defs', 'definitions']) {
    const defs = own(root, holder);
    if (defs === undefined || !isJsonObject(defs)) continue;
    const found = Object.values(defs).find(
      (def) => isJsonObject(def) && own(def, '$anchor') === ref.slice(1),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function unescapePointer(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

/** The first part of anyOf, oneOf or allOf that is not just null. */
function unionPart(schema: JsonObject, root: JsonObject): Json | undefined {
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const parts = own(schema, key);
    if (!Array.isArray(parts)) continue;
    const telling = parts.find((part) => {
      if (!isJsonObject(part) || own(part, 'type') === 'null') return false;
      const ref = own(part, '$ref');
      return typeof ref === 'string' ? lookUp(ref, root) !== undefined : Object.keys(part).length > 0;
    });
    if (telling !== undefined) return telling;
  }
  return undefined;
}

/** The properties of an object schema, `allOf` included, in order. */
export function propertiesOf(schema: Json | undefined, root: JsonObject): Property[] {
  const found = new Map<string, Property>();
  collect({ schema, root, found, depth: 0, visits: { left: MAX_VISITS } });
  return [...found.values()];
}

interface Collecting {
  readonly schema: Json | undefined;
  readonly root: JsonObject;
  readonly found: Map<string, Property>;
  readonly depth: number;
  /** Shared count of schemas still to be looked at. */
  readonly visits: { left: number };
}

function collect(at: Collecting): void {
  if (at.depth > 4 || at.visits.left-- <= 0 || at.schema === undefined || !isJsonObject(at.schema)) return;
  const schema = at.schema;
  const ref = own(schema, '$ref');
  if (typeof ref === 'string') collect({ ...at, schema: lookUp(ref, at.root), depth: at.depth + 1 });
  const properties = own(schema, 'properties');
  const required = own(schema, 'required');
  const names = new Set(Array.isArray(required) ? required : []);
  if (properties !== undefined && isJsonObject(properties)) {
    for (const [name, value] of Object.entries(properties)) {
      if (at.found.size >= MAX_PROPERTIES) return;
      if (!at.found.has(name))
        at.found.set(name, readProperty(name, value, { root: at.root, required: names.has(name) }));
    }
  }
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const parts = own(schema, key);
    if (!Array.isArray(parts)) continue;
    for (const part of parts.slice(0, 20)) collect({ ...at, schema: part as Json, depth: at.depth + 1 });
  }
}

function readProperty(name: string, value: Json, how: { root: JsonObject; required: boolean }): Property {
  const schema = resolveSchema(value, how.root);
  const description = own(schema, 'description');
  return {
    name,
    schema,
    types: typesOf(schema),
    required: how.required,
    description: typeof description === 'string' ? description.slice(0, 2000) : '',
    choices: choicesOf(schema),
  };
}

/** The JSON types a resolved schema allows, without null; guessed from its keywords where `type` is missing. */
export function typesOf(schema: JsonObject): string[] {
  const type = own(schema, 'type');
  const list = Array.isArray(type) ? type : [type];
  const types = list.filter((t): t is string => typeof t === 'string' && t !== 'null');
  if (types.length > 0) return types;
  if (own(schema, 'properties') !== undefined) return ['object'];
  if (own(schema, 'items') !== undefined) return ['array'];
  const first = choicesOf(schema)[0];
  if (first !== undefined) return [typeof first];
  if (own(schema, 'pattern') !== undefined || own(schema, 'format') !== undefined) return ['string'];
  return own(schema, 'minimum') !== undefined || own(schema, 'maximum') !== undefined ? ['number'] : [];
}

function choicesOf(schema: JsonObject): Json[] {
  const choices = own(schema, 'enum');
  const only = own(schema, 'const');
  const list = Array.isArray(choices) ? choices : only === undefined ? [] : [only];
  return list.filter((choice: Json) => choice !== null).slice(0, 200);
}

/** The properties of the objects in a list schema; undefined if its items are no objects. */
export function itemPropertiesOf(list: JsonObject, root: JsonObject): Property[] | undefined {
  const items = own(list, 'items');
  const item = resolveSchema(items, root);
  if (!typesOf(item).includes('object')) return undefined;
  const properties = propertiesOf(items, root);
  return properties.length > 0 ? properties : undefined;
}
