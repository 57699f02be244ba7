/**
 * Compiles JSON Schemas as servers really send them: draft-07, 2019-09 and 2020-12, chosen by `$schema` (2020-12
 * when there is none, as MCP says), strict mode off, formats on.
 *
 * Schemas are foreign data. Regular expressions run on re2 (linear time), `uniqueItems` is checked with a set, and a
 * schema that cannot be compiled is checked as far as it can be, with a note, never with a crash. ajv generates its
 * own code from a schema's structure; texts in a schema only ever become quoted literals in it. Not covered:
 * references to other documents (taken as "anything") and patterns re2 does not have (look-around, taken as
 * "anything"); both leave a note.
 *
 * A schema without references is checked in time proportional to schema and value. With references a few lines can
 * ask for 2^40 checks (each definition uses the next one twice), so every reference followed is counted, and a value
 * whose check follows more than `LIMITS.schemaReferences` is refused.
 */

import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { canonicalJson, isJsonObject, type Json, type JsonObject, LIMITS } from '../../../core/index.js';
import { own } from '../store/store.js';

/** Values with more parts than this are checked up to their first problem, so that problems stay few. */
const LARGE_PARTS = 20_000;
/** Problems of one value that are handed on. */
const MOST_PROBLEMS = 100;

/** A compiled schema. */
export interface CompiledSchema {
  /** The problems of a value; empty when it fits. `bigint` counts as a number. */
  check(value: Json): readonly ErrorObject[];
  /** The problems of a value up to the first; empty when it fits. */
  first(value: Json): readonly ErrorObject[];
  /** What of the schema is not checked, and why. */
  readonly notes: readonly string[];
}

/** Compiles schemas with one validator per dialect, made when first needed. */
export class SchemaCompiler {
  private readonly dialects = new Map<string, Ajv>();
  private notes: string[] = [];
  /** References that the check under way may still follow. */
  private references = 0;

  /** Compiles one schema; never raises. */
  compile(schema: JsonObject): CompiledSchema {
    this.notes = [];
    const attempts = [
      () => schema,
      () => withoutBadReferences(schema, this.notes),
      () => this.shallow(schema),
    ];
    for (const attempt of attempts) {
      const validate = this.attempt(attempt());
      if (validate !== null) return { ...validate, notes: [...new Set(this.notes)] };
    }
    this.notes.push('the schema could not be compiled at all; any value passes');
    return { check: () => [], first: () => [], notes: this.notes };
  }

  private attempt(schema: JsonObject): Omit<CompiledSchema, 'notes'> | null {
    try {
      const counted = countReferences(schema) as JsonObject;
      const all = this.dialectOf(schema, true).compile(counted);
      let first: typeof all | undefined;
      const upToFirst = (plain: Json): readonly ErrorObject[] => {
        first ??= this.dialectOf(schema, false).compile(counted);
        return first(plain) ? [] : (first.errors ?? []);
      };
      return {
        first: (value) => this.bounded(() => upToFirst(plainNumbers(value))),
        check: (value) =>
          this.bounded(() => {
            const plain = plainNumbers(value);
            if (isLarge(plain)) return upToFirst(plain);
            return all(plain) ? [] : (all.errors ?? []).slice(0, MOST_PROBLEMS);
          }),
      };
    } catch (error) {
      this.notes.push(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** Runs a check that may follow only so many references. */
  private bounded(check: () => readonly ErrorObject[]): readonly ErrorObject[] {
    this.references = LIMITS.schemaReferences;
    try {
      return check();
    } catch (error) {
      // A schema that refers to itself for the same value fills the stack before the count is reached.
      if (!(error instanceof TooManyReferences || error instanceof RangeError)) throw error;
      const message = `need more than ${LIMITS.schemaReferences} references of the schema to be checked (limit schemaReferences)`;
      return [{ instancePath: '', schemaPath: '#', keyword: COUNTED, params: {}, message }];
    }
  }

  /** The outline of an object schema, each property kept only if it compiles by itself. */
  private shallow(schema: JsonObject): JsonObject {
    const properties = own(schema, 'properties');
    const required = own(schema, 'required');
    const open = own(schema, 'additionalProperties');
    const kept: [string, Json][] = [];
    for (const [name, property] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const shared = Object.fromEntries(['$defs', 'definitions'].flatMap((key) => pairOf(schema, key)));
      const alone = isJsonObject(property) && this.attempt({ ...shared, ...property }) !== null;
      kept.push([name, alone ? { ...shared, ...property } : {}]);
    }
    return {
      type: 'object',
      properties: Object.fromEntries(kept),
      ...(Array.isArray(required) ? { required: required.filter((name) => typeof name === 'string') } : {}),
      ...(typeof open === 'boolean' ? { additionalProperties: open } : {}),
    };
  }

  private dialectOf(schema: JsonObject, allErrors: boolean): Ajv {
    const named = String(own(schema, '$schema') ?? '');
    const dialect = ['draft-03', 'draft-04', 'draft-06', 'draft-07', '2019-09'].find((d) =>
      named.includes(d),
    );
    const name = dialect === undefined ? '2020-12' : dialect === '2019-09' ? dialect : 'draft-07';
    const slot = `${name} ${allErrors ? 'all' : 'first'}`;
    const known = this.dialects.get(slot);
    if (known !== undefined) return known;
    const made = this.makeDialect(name, allErrors);
    this.dialects.set(slot, made);
    return made;
  }

  private makeDialect(name: string, allErrors: boolean): Ajv {
    const options: Options = {
      strict: false,
      allErrors,
      ownProperties: true,
      verbose: true,
      validateSchema: false,
      addUsedSchema: false,
      logger: false,
      unicodeRegExp: true,
      code: { regExp: this.patternEngine() },
    };
    const ajv =
      name === '2019-09'
        ? new Ajv2019(options)
        : name === 'draft-07'
          ? new Ajv(options)
          : new Ajv2020(options);
    addFormats.default(ajv as Ajv);
    ajv.addKeyword({
      keyword: COUNTED,
      validate: () => {
        this.references -= 1;
        if (this.references < 0) throw new TooManyReferences();
        return true;
      },
      errors: false,
    });
    ajv.removeKeyword('uniqueItems');
    ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      validate: (wanted: boolean, items: Json[]) =>
        !wanted || new Set(items.map((item) => canonicalJson(item))).size === items.length,
    });
    return ajv as Ajv;
  }

  private patternEngine() {
    const engine = (pattern: string) => {
      try {
        return RE2JS.compile(RE2JS.translateRegExp(pattern)) as unknown as RegExp;
      } catch (error) {
        this.notes.push(`pattern ${JSON.stringify(pattern)} is not checked: ${String(error)}`);
        return { test: () => true, toString: () => pattern } as unknown as RegExp;
      }
    };
    return Object.assign(engine, { code: 'linearPattern' });
  }
}

/** The keyword that stands beside each reference of a compiled schema. */
export const COUNTED = 'umweltCountsReference';
/** Ends a check that follows too many references. */
class TooManyReferences extends Error {}

/** Keywords whose values are data, and those whose values are schemas by name. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required']);
const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** A copy of a schema in which each reference is counted when it is followed; the schema itself without any. */
function countReferences(schema: Json): Json {
  if (Array.isArray(schema)) {
    const parts = schema.map((part: Json) => countReferences(part));
    return parts.some((part, index) => part !== schema[index]) ? parts : schema;
  }
  if (!isJsonObject(schema)) return schema;
  const pairs = Object.entries(schema).map(([name, part]): [string, Json] => {
    if (DATA.has(name)) return [name, part];
    return [name, NAMED.has(name) && isJsonObject(part) ? countNamed(part) : countReferences(part)];
  });
  const refers = ['$ref', '$dynamicRef', '$recursiveRef'].some(
    (name) => typeof own(schema, name) === 'string',
  );
  if (refers) pairs.push([COUNTED, true]);
  return refers || pairs.some(([name, part]) => part !== schema[name]) ? Object.fromEntries(pairs) : schema;
}

function countNamed(schemas: JsonObject): JsonObject {
  const pairs = Object.entries(schemas).map(([name, part]): [string, Json] => [name, countReferences(part)]);
  return pairs.some(([name, part]) => part !== schemas[name]) ? Object.fromEntries(pairs) : schemas;
}

function pairOf(schema: JsonObject, key: string): [string, Json][] {
  const value = own(schema, key);
  return value === undefined ? [] : [[key, value]];
}

/** True for a value of more than {@link LARGE_PARTS} members and items. */
function isLarge(value: Json): boolean {
  let left = LARGE_PARTS;
  const count = (part: Json): void => {
    if (typeof part !== 'object' || part === null || left < 0) return;
    const parts = Object.values(part) as Json[];
    left -= parts.length;
    if (left >= 0) parts.forEach(count);
  };
  count(value);
  return left < 0;
}

/** The value with `bigint` as the nearest double, copied only where there is one. */
export function plainNumbers(value: Json): Json {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => plainNumbers(item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const pairs = Object.entries(value).map(([name, part]): [string, Json] => [name, plainNumbers(part)]);
  return pairs.some(([name, part]) => part !== (value as JsonObject)[name])
    ? Object.fromEntries(pairs)
    : value;
}

/** A copy of a schema in which references that lead nowhere inside the document stand for "anything". */
function withoutBadReferences(schema: JsonObject, notes: string[]): JsonObject {
  const ids = new Set<string>();
  collectNames(schema, ids);
  const copy = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(copy);
    if (!isJsonObject(part)) return part;
    const target = own(part, '$ref');
    if (typeof target === 'string' && !resolves(schema, target, ids)) {
      notes.push(`reference ${JSON.stringify(target)} leads nowhere; any value passes there`);
      const rest = Object.entries(part).filter(([name]) => name !== '$ref');
      return Object.fromEntries(rest.map(([name, value]): [string, Json] => [name, copy(value)]));
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, value]): [string, Json] => [name, copy(value)]),
    );
  };
  return copy(schema) as JsonObject;
}

function collectNames(part: Json, into: Set<string>): void {
  if (typeof part !== 'object' || part === null) return;
  if (isJsonObject(part)) {
    const id = own(part, '$id');
    const anchor = own(part, '$anchor');
    if (typeof id === 'string') into.add(id);
    if (typeof anchor === 'string') into.add(`#${anchor}`);
  }
  for (const value of Object.values(part)) collectNames(value as Json, into);
}

function resolves(root: JsonObject, reference: string, ids: ReadonlySet<string>): boolean {
  if (reference === '#' || ids.has(reference)) return true;
  return resolvePointer(root, reference) !== undefined;
}

/** The part of a schema that a local reference (`#/…`) points to, or undefined. */
export function resolvePointer(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const raw of reference.slice(2).split('/')) {
    const name = decode(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(name)];
    else at = isJsonObject(at) ? own(at, name) : undefined;
  }
  return at;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
