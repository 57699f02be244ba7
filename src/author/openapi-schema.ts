/**
 * OpenAPI schemas to JSON Schema 2020-12, with references kept.
 *
 * A reference becomes `#/$defs/NAME`; what it means is converted once per direction and stands in `$defs` of each
 * schema that needs it, so cycles stay cycles and nothing is written out without end. Of 3.0: `nullable`, boolean
 * exclusive bounds, `example`. Of an input, properties that are `readOnly` are left out, of an output those that are
 * `writeOnly`. Sources: OpenAPI 3.0.3 and 3.1.0 schema object; JSON Schema 2020-12. Not covered: `$dynamicRef`,
 * `$anchor` (any value is accepted there, with a note), `xml`.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject, renderJson } from '../core/index.js';
import { type OpenApiSource, step } from './openapi-source.js';

/** Which way values of a schema go: into the service, or out of it. */
export type Direction = 'input' | 'output';

/** Characters of definitions that one schema may carry; what lies beyond is kept by its type only. */
const DEFS_CHARS = 96 * 1024;
/** The same for all schemas of a document together: with many operations each may carry less, but never less than: */
const ALL_DEFS_CHARS = 6 * 1024 * 1024;
const LEAST_DEFS_CHARS = 1024;
/** Schemas within schemas; deeper ones accept any value, because rows cannot be made of them in bounded time. */
const DEPTH = 24;

const SCHEMA_KEYS = new Set(
  'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties contentSchema'.split(
    ' ',
  ),
);
const LIST_KEYS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAP_KEYS = new Set(['patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const DROPPED = new Set(
  'xml externalDocs nullable example $schema $id $anchor $dynamicRef $dynamicAnchor $vocabulary $defs definitions discriminator readOnly writeOnly'.split(
    ' ',
  ),
);

interface Definition {
  readonly schema: Json;
  readonly refs: ReadonlySet<string>;
  readonly chars: number;
}

/** What a conversion carries along. */
interface Work {
  readonly direction: Direction;
  /** Names of definitions referred to. */
  readonly refs: Set<string>;
  /** How deep the schema at hand stands in others. */
  depth: number;
}

/** Converts the schemas of one document. */
export class SchemaConverter {
  private readonly names = new Map<string, string>();
  private readonly pointers = new Map<string, string>();
  private readonly done = new Map<string, Definition>();

  private readonly limit: number;

  /** @param operations how many operations share the room for definitions */
  constructor(
    private readonly source: OpenApiSource,
    operations: number,
  ) {
    const share = Math.floor(ALL_DEFS_CHARS / 2 / Math.max(1, operations));
    this.limit = Math.max(LEAST_DEFS_CHARS, Math.min(DEFS_CHARS, share));
  }

  /** Converts a schema and gives it the definitions it needs. `at` is its place in the document. */
  schema(value: Json, at: string, direction: Direction): Json {
    const work: Work = { direction, refs: new Set(), depth: 0 };
    const schema = this.root(value, at, work);
    return isJsonObject(schema) ? this.withDefs(schema, work) : schema;
  }

  /** Builds one schema out of parts: `part` converts each; definitions are added at the end. */
  assemble(direction: Direction, build: (part: (value: Json, at: string) => Json) => JsonObject): JsonObject {
    const work: Work = { direction, refs: new Set(), depth: 0 };
    return this.withDefs(
      build((value, at) => this.root(value, at, work)),
      work,
    );
  }

  /** The schema with `$defs`, nearest definitions first, until they are too many. */
  private withDefs(schema: JsonObject, work: Work): JsonObject {
    const defs: [string, Json][] = [];
    const seen = new Set(work.refs);
    let chars = 0;
    for (const name of seen) {
      const definition = this.definition(name, work.direction);
      chars += definition.chars;
      if (chars > this.limit) {
        const kib = Math.round(this.limit / 1024);
        this.source.notes.add(
          '',
          `with so many operations a schema carries at most ${kib} KiB of definitions; those beyond are kept by their type only (fewer operations: --tag)`,
        );
        defs.push([name, shallow(definition.schema)]);
        continue;
      }
      defs.push([name, definition.schema]);
      for (const next of definition.refs) seen.add(next);
    }
    if (defs.length === 0) return schema;
    defs.sort(([a], [b]) => (a < b ? -1 : 1));
    return { ...schema, $defs: Object.fromEntries(defs) };
  }

  private definition(name: string, direction: Direction): Definition {
    const key = `${direction} ${name}`;
    const known = this.done.get(key);
    if (known !== undefined) return known;
    const pointer = this.pointers.get(name) ?? '';
    const work: Work = { direction, refs: new Set(), depth: 0 };
    const schema = this.root(this.source.lookUp(pointer) ?? true, pointer, work);
    const definition = { schema, refs: work.refs, chars: renderJson(schema).length };
    this.done.set(key, definition);
    return definition;
  }

  /** The definition's name for a pointer; undefined where the pointer leads nowhere. */
  private nameOf(ref: string): string | undefined {
    const known = this.names.get(ref);
    if (known !== undefined) return known;
    const target = this.source.lookUp(ref);
    if (!isJsonObject(target) && typeof target !== 'boolean') return undefined;
    const last = ref.split('/').at(-1) ?? '';
    const plain = /^#\/components\/schemas\/[^/]+$/.test(ref) ? last : ref.slice(2).replaceAll('/', '_');
    const stem = plain.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 80) || 'Schema';
    let name = stem;
    for (let i = 2; this.pointers.has(name); i++) name = `${stem}_${i}`;
    this.names.set(ref, name);
    this.pointers.set(name, ref);
    return name;
  }

  /** Converts what stands at the top: there an `allOf` of plain objects is written as the one object it means. */
  private root(value: Json, at: string, work: Work): Json {
    return this.convert(isJsonObject(value) ? joined(this.source, value) : value, at, work);
  }

  private convert(value: Json, at: string, work: Work): Json {
    if (work.depth < DEPTH) {
      work.depth += 1;
      const schema = this.convertOne(value, at, work);
      work.depth -= 1;
      return schema;
    }
    this.source.notes.add(at, `stands in more than ${DEPTH} other schemas; any value is accepted there`);
    return {};
  }

  private convertOne(value: Json, at: string, work: Work): Json {
    if (typeof value === 'boolean') return value;
    if (!isJsonObject(value)) {
      this.source.notes.add(at, 'is no schema; any value is accepted there');
      return {};
    }
    const refs = typeof value.$ref === 'string' ? this.reference(value.$ref, at, work) : undefined;
    if (refs !== undefined && this.source.version === '3.0') {
      const described = pick(value, 'description');
      return value.nullable === true
        ? { ...described, anyOf: [refs, { type: 'null' }] }
        : { ...refs, ...described };
    }
    if (typeof value.$dynamicRef === 'string' || typeof value.$anchor === 'string')
      this.source.notes.add(at, '$dynamicRef and $anchor are not followed; any value is accepted there');
    const out = new Map<string, Json>(Object.entries(refs ?? {}));
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' || DROPPED.has(key) || key.startsWith('x-')) continue;
      out.set(key, this.keyword(key, item, step(at, key), work));
    }
    this.leaveOut(value, out, work);
    bounds(value, out);
    examples(value, out);
    const kept = this.discriminator(value, work);
    if (kept !== undefined) out.set('discriminator', kept);
    const schema = Object.fromEntries(out);
    return value.nullable === true ? nullable(schema) : schema;
  }

  private keyword(key: string, item: Json, at: string, work: Work): Json {
    if (SCHEMA_KEYS.has(key)) {
      // a list of schemas under `items` is the tuple form of old drafts
      return Array.isArray(item) ? {} : this.convert(item, at, work);
    }
    if (LIST_KEYS.has(key)) {
      return Array.isArray(item) ? item.map((one: Json, i) => this.convert(one, step(at, i), work)) : [];
    }
    if (key !== 'properties' && !MAP_KEYS.has(key)) return item;
    if (!isJsonObject(item)) return {};
    return Object.fromEntries(
      Object.entries(item).map(([name, one]): [string, Json] => [
        name,
        this.convert(one, step(at, name), work),
      ]),
    );
  }

  private reference(ref: string, at: string, work: Work): JsonObject | undefined {
    const name = this.nameOf(ref);
    if (name === undefined) {
      this.source.notes.add(at, `${this.source.missing(ref)}; any value is accepted there`);
      return {};
    }
    work.refs.add(name);
    return { $ref: `#/$defs/${name}` };
  }

  /** Takes properties away that never go this way. */
  private leaveOut(value: JsonObject, out: Map<string, Json>, work: Work): void {
    if (!isJsonObject(value.properties)) return;
    const mark = work.direction === 'input' ? 'readOnly' : 'writeOnly';
    const gone = new Set(
      Object.entries(value.properties)
        .filter(([, one]) => this.marked(one, mark))
        .map(([name]) => name),
    );
    if (gone.size === 0) return;
    const properties = out.get('properties');
    const kept = Object.entries(isJsonObject(properties) ? properties : {}).filter(
      ([name]) => !gone.has(name),
    );
    out.set('properties', Object.fromEntries(kept));
    if (!Array.isArray(value.required)) return;
    const required = value.required.filter((name) => typeof name !== 'string' || !gone.has(name));
    if (required.length > 0) out.set('required', required);
    else out.delete('required');
  }

  /** True if a property says so itself, or what it refers to does. */
  private marked(property: Json, mark: 'readOnly' | 'writeOnly'): boolean {
    if (!isJsonObject(property)) return false;
    if (property[mark] === true) return true;
    if (typeof property.$ref !== 'string') return false;
    const target = this.source.lookUp(property.$ref);
    return isJsonObject(target) && target[mark] === true;
  }

  /** The discriminator with its references as the definitions are called. */
  private discriminator(value: JsonObject, work: Work): JsonObject | undefined {
    const { discriminator } = value;
    if (!isJsonObject(discriminator)) return undefined;
    if (!isJsonObject(discriminator.mapping)) return discriminator;
    const mapping = Object.entries(discriminator.mapping).map(([key, ref]): [string, Json] => {
      const pointer = typeof ref === 'string' && !ref.includes('/') ? `#/components/schemas/${ref}` : ref;
      const name = typeof pointer === 'string' ? this.nameOf(pointer) : undefined;
      if (name === undefined) return [key, ref];
      work.refs.add(name);
      return [key, `#/$defs/${name}`];
    });
    return { ...discriminator, mapping: Object.fromEntries(mapping) };
  }
}

function bounds(value: JsonObject, out: Map<string, Json>): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof value[exclusive] !== 'boolean') continue;
    out.delete(exclusive);
    const limit = value[bound];
    if (value[exclusive] !== true || limit === undefined) continue;
    out.delete(bound);
    out.set(exclusive, limit);
  }
}

function examples(value: JsonObject, out: Map<string, Json>): void {
  if (value.example !== undefined && !Array.isArray(value.examples)) out.set('examples', [value.example]);
  else if (value.examples !== undefined && !Array.isArray(value.examples)) out.delete('examples');
}

/** A 3.0 schema that also allows null. */
function nullable(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (typeof type === 'string' && type !== 'null') {
    const choices: readonly Json[] = Array.isArray(schema.enum) ? schema.enum : [];
    const nulls: JsonObject =
      choices.length > 0 && !choices.includes(null) ? { enum: [...choices, null] } : {};
    return { ...schema, type: [type, 'null'], ...nulls };
  }
  const { description, ...rest } = schema;
  const union = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => Object.hasOwn(rest, key));
  if (!union) return schema;
  return { ...pick({ description: description ?? null }, 'description'), anyOf: [rest, { type: 'null' }] };
}

/** A text of an object under its key, or nothing. */
function pick(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return typeof value === 'string' ? { [key]: value } : {};
}

/** What is left of a definition that does not fit any more. */
function shallow(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  const kept = ['type', 'description'].filter((key) => schema[key] !== undefined);
  return Object.fromEntries(kept.map((key): [string, Json] => [key, schema[key] ?? null]));
}

/** How many parts one look at a schema may visit, so that parts of parts of parts end. */
const VISITS = 2_000;

/** Counts down the parts that may still be looked at. */
export interface Visits {
  left: number;
}

/** A fresh count. */
export function newVisits(): Visits {
  return { left: VISITS };
}

/** Keywords of an object that joins others without changing what they mean. */
const PLAIN_KEYS = new Set(
  'type properties required additionalProperties allOf title description example examples xml externalDocs nullable default minProperties maxProperties deprecated readOnly writeOnly discriminator'.split(
    ' ',
  ),
);

/** A plain object as its parts (`allOf` taken apart), the outermost last; undefined if something else is said. */
export function plainParts(
  source: OpenApiSource,
  value: Json,
  visits: Visits = newVisits(),
): JsonObject[] | undefined {
  const schema = lookThrough(source, value);
  if (visits.left-- <= 0) return undefined;
  if (Object.keys(schema).some((key) => !PLAIN_KEYS.has(key) && !key.startsWith('x-'))) return undefined;
  const open = schema.additionalProperties === undefined || typeof schema.additionalProperties === 'boolean';
  if (!open || schema.maxProperties !== undefined || schema.nullable === true) return undefined;
  if (schema.type !== undefined && schema.type !== 'object') return undefined;
  const inner: JsonObject[] = [];
  const list: readonly Json[] = Array.isArray(schema.allOf) ? schema.allOf : [];
  if (schema.type === undefined && schema.properties === undefined && list.length === 0) return undefined;
  for (const part of list) {
    const parts = plainParts(source, part, visits);
    if (parts === undefined) return undefined;
    inner.push(...parts);
  }
  // a closed part beside others would forbid what they say
  const closed = [...inner, schema].some((part) => part.additionalProperties === false);
  return closed && inner.length > 0 ? undefined : [...inner, schema];
}

/** One object that says what an `allOf` of plain objects says; the schema itself where it is something else. */
function joined(source: OpenApiSource, value: JsonObject): JsonObject {
  if (!Array.isArray(value.allOf)) return value;
  const parts = plainParts(source, value);
  if (parts === undefined) return value;
  const properties = new Map<string, Json>();
  const required = new Set<Json>();
  let fewest = 0;
  for (const part of parts) {
    for (const [name, property] of Object.entries(isJsonObject(part.properties) ? part.properties : {})) {
      const old = properties.get(name);
      const same = old === undefined || canonicalJson(old) === canonicalJson(property);
      properties.set(name, same ? property : { allOf: [old, property] });
    }
    for (const name of Array.isArray(part.required) ? part.required : []) required.add(name as Json);
    if (typeof part.minProperties === 'number') fewest = Math.max(fewest, part.minProperties);
  }
  const { allOf: _allOf, minProperties: _few, ...own } = value;
  const more: JsonObject = fewest > 0 ? { minProperties: fewest } : {};
  const needs: JsonObject = required.size > 0 ? { required: [...required] } : {};
  return { ...own, type: 'object', properties: Object.fromEntries(properties), ...needs, ...more };
}

/** The schema a reference chain ends at, for looking at it; the value itself where there is no reference. */
export function lookThrough(source: OpenApiSource, value: Json | undefined): JsonObject {
  let here = value;
  for (let i = 0; i < 50 && isJsonObject(here) && typeof here.$ref === 'string'; i++)
    here = source.lookUp(here.$ref);
  return isJsonObject(here) && typeof here.$ref !== 'string' ? here : {};
}
