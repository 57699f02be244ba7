/**
 * Checks rows that were taken in from files against what is known of their collection: key, required fields, types,
 * choices, bounds, values that must be unique, and references to rows that exist.
 *
 * What is known is inferred from the tools and corrected by `entities`, so every message says where to correct it.
 * References are checked where the collection meant has rows of its own. Not covered: patterns and formats of texts,
 * rows that stand in the world file itself.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject, nearestName } from '../core/index.js';
import type { Collection, Field } from '../engines/index.js';
import { rowsByCollection, rowsModel } from './rows-model.js';
import { typesOf } from './rows-typed.js';
import type { Finding } from './schema-problems.js';
import { type PathPart, renderSeen } from './world-problem.js';

/** Problems told of one collection; the rest is counted. */
const PROBLEMS = 100;

/** Checks the collections named; findings in the order of the rows. */
export function checkRows(json: JsonObject, collections: readonly string[]): Finding[] {
  if (collections.length === 0) return [];
  const data = rowsByCollection(json);
  const { collections: known } = rowsModel(json, data);
  // rows that repeat an id would talk inference out of it, so the key is what the tools say where rows have it
  const names = Object.keys(data).map((name): [string, JsonObject[]] => [name, []]);
  const { collections: told } = rowsModel(json, Object.fromEntries(names));
  return collections.flatMap((name) => {
    const inferred = Object.hasOwn(known, name) ? known[name] : undefined;
    if (inferred === undefined) return [];
    const key = Object.hasOwn(told, name) ? (told[name]?.key ?? []) : [];
    const [first] = data[name] ?? [];
    const has = key.length > 0 && key.every((field) => first !== undefined && Object.hasOwn(first, field));
    const collection = has ? { ...inferred, key } : inferred;
    const { state } = json;
    const rows = isJsonObject(state) && isJsonObject(state.data) ? state.data[name] : undefined;
    return Array.isArray(rows) ? new RowsCheck(collection, rows, { known, data }).run() : [];
  });
}

interface Around {
  readonly known: Readonly<Record<string, Collection>>;
  readonly data: Readonly<Record<string, readonly JsonObject[]>>;
}

class RowsCheck {
  private readonly findings: Finding[] = [];
  private more = 0;
  private readonly unique: readonly {
    readonly fields: readonly string[];
    readonly seen: Map<string, number>;
  }[];
  private readonly references = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly collection: Collection,
    private readonly rows: readonly Json[],
    around: Around,
  ) {
    const scope = collection.identityScope ?? collection.scope;
    const fields = Object.values(collection.fields).filter(
      (field) => field.unique === true && !collection.key.includes(field.name),
    );
    this.unique = [[...collection.key, ...scope], ...fields.map(({ name }) => [name])].map((names) => ({
      fields: names,
      seen: new Map(),
    }));
    for (const { name, refersTo } of Object.values(collection.fields)) {
      if (refersTo === undefined) continue;
      const target = Object.hasOwn(around.known, refersTo) ? around.known[refersTo] : undefined;
      const rows = Object.hasOwn(around.data, refersTo) ? (around.data[refersTo] ?? []) : [];
      const [key, second] = target?.key ?? [];
      if (key === undefined || second !== undefined || rows.length === 0) continue;
      this.references.set(name, new Set(rows.map((row) => String(own(row, key)))));
    }
  }

  run(): Finding[] {
    for (const [index, row] of this.rows.entries()) if (isJsonObject(row)) this.row(row, index);
    if (this.more > 0) {
      const message = `and ${this.more} more problems in the rows of ${this.collection.name}`;
      this.findings.push({ path: ['state', 'data', this.collection.name], message });
    }
    return this.findings;
  }

  private row(row: JsonObject, index: number): void {
    for (const field of Object.values(this.collection.fields)) {
      if (field.computed !== undefined) continue;
      const value = own(row, field.name);
      if (value === undefined || value === null) this.absent(field, { value, index });
      else this.value(field, value, index);
    }
    for (const one of this.unique) this.repeated(one, row, index);
  }

  private absent(field: Field, at: { readonly value: Json | undefined; readonly index: number }): void {
    const { key, name } = this.collection;
    const isKey = key.includes(field.name);
    if (!isKey && (!field.required || field.initial !== undefined || field.stamp !== undefined)) return;
    if (at.value === null && typesOf(field.schema).includes('null')) return;
    const what = isKey ? `the key of ${name}` : `required in ${name}`;
    this.find([at.index], `has no ${field.name}, which is ${what}`, { wanted: field.name });
  }

  private value(field: Field, value: Json, index: number): void {
    const path = [index, field.name];
    const seen = renderSeen(value);
    const wanted = misfit(field.schema, value);
    if (wanted !== undefined) {
      const choices = Array.isArray(field.schema.enum) ? field.schema.enum.map(String) : [];
      const nearest = typeof value === 'string' ? nearestName(value, choices) : undefined;
      const hint = nearest === undefined ? '' : `; nearest: ${nearest}`;
      const correct = ` (entities.${this.collection.name}.fields.${field.name}.schema says it otherwise)`;
      const more = nearest === undefined ? {} : { nearest };
      this.find(path, `is ${seen}; wanted ${wanted}${hint}${correct}`, { seen, wanted, ...more });
      return;
    }
    const known = this.references.get(field.name);
    if (known === undefined) return;
    for (const id of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      if (typeof id === 'object' || known.has(String(id))) continue;
      const target = `the key of a row of ${field.refersTo ?? ''}`;
      this.find(path, `is ${renderSeen(id)}; there is no such row in ${field.refersTo ?? ''}`, {
        seen,
        wanted: target,
      });
    }
  }

  private repeated(
    one: { readonly fields: readonly string[]; readonly seen: Map<string, number> },
    row: JsonObject,
    index: number,
  ): void {
    const values = one.fields.map((name) => own(row, name) ?? null);
    if (values[0] === null) return;
    const text =
      values.length === 1 && typeof values[0] === 'string' ? `"${values[0]}` : canonicalJson(values);
    const earlier = one.seen.get(text);
    if (earlier === undefined) {
      one.seen.set(text, index);
      return;
    }
    const names = one.fields.join(', ');
    const seen = renderSeen(values.length === 1 ? (values[0] ?? null) : values);
    const message = `is ${seen}; row ${earlier} of ${this.collection.name} has the same ${names}`;
    this.find([index, one.fields[0] ?? ''], message, { seen, wanted: `another ${names}` });
  }

  private find(path: readonly PathPart[], message: string, more: Partial<Finding>): void {
    if (this.findings.length >= PROBLEMS) this.more += 1;
    else this.findings.push({ path: ['state', 'data', this.collection.name, ...path], message, ...more });
  }
}

function own(row: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** What a schema wanted instead of a value, in words; undefined where the value fits. */
function misfit(schema: JsonObject, value: Json): string | undefined {
  const choices: readonly Json[] = Array.isArray(schema.enum) ? schema.enum : [];
  if (choices.length > 0 && !choices.some((choice) => canonicalJson(choice) === canonicalJson(value)))
    return choices
      .slice(0, 20)
      .map((choice) => JSON.stringify(choice))
      .join(' or ');
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    return types.map((type) => WORDS[type] ?? type).join(' or ');
  const number = typeof value === 'number' || typeof value === 'bigint';
  const size = typeof value === 'string' ? value.length : number ? Number(value) : undefined;
  if (size === undefined) return undefined;
  const [least, most, unit] = number ? ['minimum', 'maximum', ''] : ['minLength', 'maxLength', ' characters'];
  const low = schema[least ?? ''];
  const high = schema[most ?? ''];
  if (typeof low === 'number' && size < low) return `at least ${low}${unit}`;
  if (typeof high === 'number' && size > high) return `at most ${high}${unit}`;
  return undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'null':
      return value === null;
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
