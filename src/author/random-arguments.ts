/**
 * Random arguments that fit a tool's input schema.
 *
 * Follows types, `enum`, `const`, bounds, `required`, local references and unions (one branch by chance). Values come
 * from what was seen where it fits, else are made. Source: JSON Schema 2020-12. Not covered: `pattern`, `not`,
 * `if`; such arguments may be refused, which is a legal thing for a random policy to meet.
 */
import { isJsonObject, type Json, type JsonObject, type RandomStream } from '../core/index.js';
import type { ValuePool } from './value-pool.js';

/** What arguments are made from. */
export interface ArgumentSource {
  readonly stream: RandomStream;
  readonly pool: ValuePool;
}

const DEPTH = 6;

/** Arguments for a tool with this input schema; optional ones are there half of the time. */
export function randomArguments(inputSchema: JsonObject, source: ArgumentSource): JsonObject {
  const value = new Maker(inputSchema, source).make(inputSchema, '', 0);
  return isJsonObject(value) ? value : {};
}

class Maker {
  constructor(
    private readonly root: JsonObject,
    private readonly source: ArgumentSource,
  ) {}

  make(schema: Json | undefined, name: string, depth: number): Json {
    const { stream } = this.source;
    if (!isJsonObject(schema) || depth > DEPTH) return this.text({}, name);
    if (Object.hasOwn(schema, 'const')) return schema.const ?? null;
    if (Array.isArray(schema.enum) && schema.enum.length > 0)
      return stream.pick(schema.enum as readonly Json[]);
    const target = typeof schema.$ref === 'string' ? this.resolve(schema.$ref) : undefined;
    if (target !== undefined) return this.make(target, name, depth + 1);
    const branches = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.length > 0);
    if (Array.isArray(branches)) {
      return this.make(
        { ...rest(schema), ...objectOf(stream.pick(branches as readonly Json[])) },
        name,
        depth + 1,
      );
    }
    if (Array.isArray(schema.allOf)) return this.make(mergeAll(schema), name, depth + 1);
    return this.byType(this.typeOf(schema), schema, { name, depth });
  }

  private typeOf(schema: JsonObject): string {
    if (typeof schema.type === 'string') return schema.type;
    if (Array.isArray(schema.type) && schema.type.length > 0)
      return String(this.source.stream.pick(schema.type));
    if (Object.hasOwn(schema, 'properties')) return 'object';
    return Object.hasOwn(schema, 'items') ? 'array' : 'string';
  }

  private byType(type: string, schema: JsonObject, at: { name: string; depth: number }): Json {
    const { stream } = this.source;
    switch (type) {
      case 'object':
        return this.object(schema, at.depth);
      case 'array':
        return this.list(schema, at);
      case 'integer':
      case 'number':
        return this.number(schema, at.name, type === 'integer');
      case 'boolean':
        return stream.chance(0.5);
      case 'null':
        return null;
      default:
        return this.text(schema, at.name);
    }
  }

  private object(schema: JsonObject, depth: number): JsonObject {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const members: [string, Json][] = [];
    for (const [key, property] of Object.entries(objectOf(schema.properties))) {
      const wanted = required.includes(key) || (depth < 3 && this.source.stream.chance(0.5));
      if (wanted) members.push([key, this.make(property, key, depth + 1)]);
    }
    return Object.fromEntries(members);
  }

  private list(schema: JsonObject, at: { name: string; depth: number }): Json[] {
    const least = numberOr(schema.minItems, 0);
    const most = Math.max(least, Math.min(numberOr(schema.maxItems, 3), least + 3));
    const size = this.source.stream.integer(least, most);
    const singular = at.name.replace(/s$/, '');
    const items = Array.from({ length: size }, () => this.make(schema.items, singular, at.depth + 1));
    if (schema.uniqueItems !== true) return items;
    return items.filter((item, index) => items.findIndex((other) => same(other, item)) === index);
  }

  private number(schema: JsonObject, name: string, whole: boolean): number {
    const { stream, pool } = this.source;
    const least = numberOr(schema.minimum, numberOr(schema.exclusiveMinimum, 0));
    const most = Math.max(least, numberOr(schema.maximum, numberOr(schema.exclusiveMaximum, least + 100)));
    const fits = (value: Json): boolean =>
      typeof value === 'number' &&
      (!whole || Number.isInteger(value)) &&
      value >= least &&
      value <= upper(schema);
    const seen = stream.chance(0.8) ? pool.draw(stream, name, fits) : undefined;
    if (typeof seen === 'number') return seen;
    if (!whole) return least + stream.next() * (most - least);
    // ranges beyond 2^32 would lose evenness; their low end does as well
    return stream.integer(Math.ceil(least), Math.floor(Math.min(most, Math.ceil(least) + 2 ** 31)));
  }

  private text(schema: JsonObject, name: string): string {
    const { stream, pool } = this.source;
    const least = numberOr(schema.minLength, 0);
    const most = Math.max(least, numberOr(schema.maxLength, 2_000));
    const format = typeof schema.format === 'string' ? schema.format : '';
    const fits = (value: Json): boolean =>
      typeof value === 'string' && value.length >= least && value.length <= most && fitsFormat(value, format);
    const seen = stream.chance(0.85) ? pool.draw(stream, name, fits) : undefined;
    if (typeof seen === 'string') return seen;
    const made = madeText(stream, format);
    return made.padEnd(least, 'x').slice(0, most);
  }

  private resolve(pointer: string): Json | undefined {
    if (!pointer.startsWith('#')) return undefined;
    let value: Json | undefined = this.root;
    for (const part of pointer
      .slice(1)
      .split('/')
      .filter((piece) => piece !== '')) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
    return value;
  }
}

const WORDS = ['north', 'lamp', 'invoice', 'draft', 'open', 'review', 'alpha', 'paper', 'late', 'blue'];

function madeText(stream: RandomStream, format: string): string {
  const day = `2026-01-${String(stream.integer(1, 28)).padStart(2, '0')}`;
  const time = `${String(stream.integer(0, 23)).padStart(2, '0')}:${stream.pick(['00', '15', '30', '45'])}:00Z`;
  switch (format) {
    case 'date':
      return day;
    case 'time':
      return time;
    case 'date-time':
      return `${day}T${time}`;
    case 'email':
      return `${stream.pick(WORDS)}@mail.example`;
    case 'uri':
    case 'url':
      return `https://${stream.pick(WORDS)}.example/${stream.pick(WORDS)}`;
    case 'uuid':
      return `00000000-0000-4000-8000-${String(stream.integer(0, 999_999)).padStart(12, '0')}`;
    default:
      return `${stream.pick(WORDS)} ${stream.pick(WORDS)}`;
  }
}

function fitsFormat(value: string, format: string): boolean {
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(value);
  if (format === 'date-time') return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);
  if (format === 'email') return value.includes('@');
  if (format === 'uri' || format === 'url') return /^[a-z]+:/.test(value);
  return format !== 'uuid' || /^[0-9a-f-]{36}$/i.test(value);
}

function upper(schema: JsonObject): number {
  return numberOr(schema.maximum, numberOr(schema.exclusiveMaximum, Number.MAX_SAFE_INTEGER));
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function rest(schema: JsonObject): JsonObject {
  const { anyOf: _any, oneOf: _one, ...kept } = schema;
  return kept;
}

function mergeAll(schema: JsonObject): JsonObject {
  const { allOf, ...kept } = schema;
  const parts = [kept, ...(Array.isArray(allOf) ? allOf.map((part: Json) => objectOf(part)) : [])];
  const properties = Object.assign({}, ...parts.map((part) => objectOf(part.properties))) as JsonObject;
  const required = parts.flatMap((part) =>
    Array.isArray(part.required) ? (part.required as readonly Json[]) : [],
  );
  return { ...Object.assign({}, ...parts), properties, required };
}

function same(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a, bigText) === JSON.stringify(b, bigText);
}

function bigText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
