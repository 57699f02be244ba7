/**
 * Fits what a tool found out to the output schema it promises.
 *
 * Each property takes the first known value that suits it: a field of the row, the rows themselves, totals and page
 * facts, what the caller gave, the sentence of what happened. What is promised and unknown is filled from a seeded
 * stream and marked `generated`. The whole is then validated by the caller (`result.ts`).
 */
import { isJsonObject, type Json, type JsonObject, type Origin } from '../../../core/index.js';
import { resolvePointer } from '../check/check-compile.js';
import { mergeSchemas } from '../generate/sample-merge.js';
import type { Facts, ItemResult } from '../run/run-facts.js';
import { plainName } from '../run/search.js';
import { own } from '../store/store.js';
import { originOfField, TracedObject } from './result-origins.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const TOTALS = words(
  'total count totalcount totalitems totalresults totalrows size length found matches numresults',
);
const DONE = words('success ok deleted created updated done found exists completed succeeded removed added');
const MORE = words('hasmore hasnextpage more hasnext ismore truncated incompleteresults');
const NEXT = words('nextcursor nextpagetoken nexttoken cursor endcursor nextpage nextoffset');
const TEXTS = words('message content text result output summary description status');
const ROWS = 'items results data rows records list entries values nodes matches';
const ONE = 'item result data row record object entity';

/** What is known when a value is built. */
export interface Known {
  readonly facts: Facts;
  readonly args: JsonObject;
  /** The whole answer as one text, for properties like `content`. */
  readonly text: string;
}

/** A value with its origin. */
interface Found {
  readonly value: Json;
  readonly origin: Origin;
}

/** Makes a value for a schema that nothing known suits; undefined where the world allows no filler. */
export type Fill = (schema: JsonObject, name: string) => Json | undefined;

/** By root: what its parts are when simplified. Schemas never change, and every answer asks again. */
const RESOLVED = new WeakMap<JsonObject, WeakMap<JsonObject, JsonObject>>();

/** Builds values for one output schema. */
export class SchemaFitter {
  /** True once something unknown was needed: it was filled, or is missing where filling is not allowed. */
  filled = false;
  private readonly resolved: WeakMap<JsonObject, JsonObject>;

  constructor(
    private readonly root: JsonObject,
    private readonly fill: Fill,
  ) {
    this.resolved = RESOLVED.get(root) ?? new WeakMap();
    RESOLVED.set(root, this.resolved);
  }

  /** The object that the schema describes, as far as it is known. */
  fit(known: Known): JsonObject {
    return this.object(this.root, known, 0);
  }

  private object(given: JsonObject, known: Known, depth: number): JsonObject {
    const schema = this.resolve(given);
    const properties = own(schema, 'properties');
    const required = own(schema, 'required');
    const must = new Set(Array.isArray(required) ? (required as readonly Json[]).map(String) : []);
    const object = new TracedObject();
    const members = isJsonObject(properties) ? Object.entries(properties) : [];
    const siblings = members.map(([, part]) => part).filter(isJsonObject);
    for (const [name, part] of members) {
      const property = isJsonObject(part) ? this.resolve(part) : {};
      const found = depth > 8 ? undefined : this.member({ name, property, siblings }, known, depth);
      if (found !== undefined) object.set(name, found.value, found.origin);
      else if (must.has(name)) this.fillMember(object, name, isJsonObject(part) ? part : {});
    }
    if (depth === 0 && isOpen(schema)) copyRow(object, known.facts.row);
    return object.done();
  }

  private fillMember(object: TracedObject, name: string, schema: JsonObject): void {
    this.filled = true;
    const value = this.fill(schema, name);
    if (value !== undefined) object.set(name, value, 'generated');
  }

  private member(at: Member, known: Known, depth: number): Found | undefined {
    const { facts, args } = known;
    const plain = plainName(at.name);
    return (
      this.suited(at, this.constant(at.property)) ??
      this.suited(at, facts.row === undefined ? undefined : fieldOf(facts.row, plain)) ??
      this.suited(at, this.changed(at, known)) ??
      this.suited(at, this.list(at, known, depth)) ??
      this.suited(at, this.one(at, known, depth)) ??
      this.suited(at, scalarOf(plain, at, known)) ??
      this.suited(at, argumentLike(args, plain))
    );
  }

  private suited(at: Member, found: Found | undefined): Found | undefined {
    return found !== undefined && this.fits(found.value, at.property, 0) ? found : undefined;
  }

  private constant(property: JsonObject): Found | undefined {
    const value = own(property, 'const');
    return value === undefined ? undefined : { value, origin: 'computed' };
  }

  private changed(at: Member, { facts }: Known): Found | undefined {
    if (facts.changed === undefined || !isType(at.property, 'array')) return undefined;
    const listed = facts.changed;
    return /^(added|removed|deleted|new)/.test(plainName(at.name))
      ? { value: listed, origin: 'computed' }
      : undefined;
  }

  private list(at: Member, known: Known, depth: number): Found | undefined {
    if (!isType(at.property, 'array')) return undefined;
    const { facts } = known;
    const lists = at.siblings.filter((property) => isType(this.resolve(property), 'array'));
    const items = own(at.property, 'items');
    const schema = isJsonObject(items) ? this.resolve(items) : {};
    const groups = facts.groups ?? facts.related;
    const group = groups === undefined || !Object.hasOwn(groups, at.name) ? undefined : groups[at.name];
    const names = `${plainName(facts.collection?.name ?? '')} ${ROWS}`.split(' ');
    const mine = lists.length === 1 || names.includes(plainName(at.name));
    if (group !== undefined)
      return this.each(
        group.map((row) => ({ row })),
        { schema, known, depth },
      );
    if (!mine) return undefined;
    if (facts.rows !== undefined)
      return this.each(
        facts.rows.map((row) => ({ row })),
        { schema, known, depth },
      );
    if (facts.items === undefined) return undefined;
    return this.each(
      facts.items.filter((item) => item.status === 'ok' || reports(schema)),
      { schema, known, depth },
    );
  }

  private each(
    parts: readonly (ItemResult | { readonly row: JsonObject })[],
    how: { readonly schema: JsonObject; readonly known: Known; readonly depth: number },
  ): Found {
    const { schema, known, depth } = how;
    const {
      page: _page,
      rows: _rows,
      groups: _groups,
      related: _related,
      items: _items,
      total: _total,
      value: _value,
      ...rest
    } = known.facts;
    const value = parts.map((part): Json => {
      const row = 'row' in part ? part.row : part.facts?.row;
      if (row !== undefined && !isType(schema, 'object') && !isJsonObject(own(schema, 'properties'))) {
        return isType(schema, 'string') ? String(own(row, known.facts.collection?.key[0] ?? '') ?? '') : row;
      }
      if (row !== undefined && isOpen(schema)) return copyOf(row);
      const item = 'row' in part ? undefined : part;
      const args = item !== undefined && isJsonObject(item.item) ? item.item : {};
      const facts: Facts = {
        ...rest,
        ...(item?.facts?.changed === undefined ? {} : { changed: item.facts.changed }),
        ...(row === undefined ? {} : { row }),
        message: item?.error ?? item?.facts?.message ?? 'ok',
      };
      const status: JsonObject =
        item === undefined
          ? {}
          : { status: item.status, ...(item.error === undefined ? {} : { error: item.error }) };
      return this.object(schema, { facts, args: { ...args, ...status }, text: facts.message }, depth + 1);
    });
    return { value, origin: 'computed' };
  }

  private one(at: Member, known: Known, depth: number): Found | undefined {
    const { row, collection } = known.facts;
    if (
      row === undefined ||
      !(isType(at.property, 'object') || isJsonObject(own(at.property, 'properties')))
    ) {
      return undefined;
    }
    const names = `${plainName(collection?.singular ?? '')} ${ONE}`.split(' ');
    const objects = at.siblings.filter((property) => isType(this.resolve(property), 'object'));
    const named = names.includes(plainName(at.name));
    if (objects.length !== 1 && !named) return undefined;
    if (named && isOpen(at.property)) return { value: copyOf(row), origin: 'computed' };
    return { value: this.object(at.property, known, depth + 1), origin: 'computed' };
  }

  /** A schema with its local reference followed, `allOf` parts merged, and the non-null branch of a union. */
  private resolve(schema: JsonObject): JsonObject {
    const known = this.resolved.get(schema);
    if (known !== undefined) return known;
    // A schema that contains itself finds itself here; each is looked into once.
    this.resolved.set(schema, schema);
    const simple = this.follow(schema);
    this.resolved.set(schema, simple);
    return simple;
  }

  private follow(schema: JsonObject): JsonObject {
    let at = schema;
    for (let steps = 0; steps < 16; steps++) {
      const target = own(at, '$ref');
      const pointed = typeof target === 'string' ? resolvePointer(this.root, target) : undefined;
      const branches = own(at, 'anyOf') ?? own(at, 'oneOf');
      const parts = own(at, 'allOf');
      if (isJsonObject(pointed)) at = pointed;
      else if (Array.isArray(parts) && parts.length > 0) {
        const { allOf: _allOf, ...rest } = at;
        const simple = parts.filter(isJsonObject).map((part) => this.resolve(part));
        at = [...simple, rest].reduce(mergeSchemas);
      } else if (
        Array.isArray(branches) &&
        own(at, 'type') === undefined &&
        !isJsonObject(own(at, 'properties'))
      ) {
        const branch = branches.filter(isJsonObject).find((part) => own(part, 'type') !== 'null');
        if (branch === undefined) return at;
        at = branch;
      } else return at;
    }
    return at;
  }

  /** A quick look whether a value can be what a schema wants; the whole is validated in the end. */
  private fits(value: Json, given: JsonObject, depth: number): boolean {
    if (depth > 6) return true;
    const schema = this.resolve(given);
    const values = own(schema, 'enum');
    if (Array.isArray(values) && !values.includes(value)) return false;
    const type = own(schema, 'type');
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
    if (types.length > 0 && !types.some((one) => hasType(value, String(one)))) return false;
    if (Array.isArray(value)) {
      const items = own(schema, 'items');
      return !isJsonObject(items) || value.every((item: Json) => this.fits(item, items, depth + 1));
    }
    return !isJsonObject(value) || this.fitsObject(value, schema, depth);
  }

  private fitsObject(value: JsonObject, schema: JsonObject, depth: number): boolean {
    const required = own(schema, 'required');
    const must = Array.isArray(required) ? (required as readonly Json[]) : [];
    if (!this.filled && must.some((name) => !Object.hasOwn(value, String(name)))) return false;
    const properties = own(schema, 'properties');
    if (!isJsonObject(properties)) return true;
    const strict = own(schema, 'additionalProperties') === false;
    return Object.entries(value).every(([name, part]) => {
      const property = own(properties, name);
      return isJsonObject(property) ? this.fits(part, property, depth + 1) : !strict || property === true;
    });
  }
}

interface Member {
  readonly name: string;
  readonly property: JsonObject;
  readonly siblings: readonly JsonObject[];
}

/** True for objects of which the schema names no member, so that a row can be sent as it is. */
function isOpen(schema: JsonObject): boolean {
  return own(schema, 'additionalProperties') !== false && !isJsonObject(own(schema, 'properties'));
}

function copyOf(row: JsonObject): JsonObject {
  const object = new TracedObject();
  copyRow(object, row);
  return object.done();
}

function copyRow(object: TracedObject, row: JsonObject | undefined): void {
  for (const [name, value] of Object.entries(row ?? {})) {
    object.set(name, value, originOfField(row ?? {}, name, 'computed'));
  }
}

/** True if results of this shape can tell a failure. */
function reports(schema: JsonObject): boolean {
  const properties = own(schema, 'properties');
  return (
    isJsonObject(properties) &&
    ['status', 'error', 'success', 'ok'].some((name) => Object.hasOwn(properties, name))
  );
}

function fieldOf(row: JsonObject, plain: string): Found | undefined {
  const name = Object.keys(row).find((field) => plainName(field) === plain);
  if (name === undefined) return undefined;
  return { value: row[name] ?? null, origin: originOfField(row, name, 'computed') };
}

function argumentLike(args: JsonObject, plain: string): Found | undefined {
  const name = Object.keys(args).find((argument) => plainName(argument) === plain);
  return name === undefined ? undefined : { value: args[name] ?? null, origin: 'computed' };
}

function scalarOf(plain: string, at: Member, known: Known): Found | undefined {
  const value = knownScalar(plain, at, known);
  return value === undefined ? undefined : { value, origin: 'computed' };
}

function knownScalar(plain: string, at: Member, known: Known): Json | undefined {
  const { facts } = known;
  const { property } = at;
  if (isType(property, 'boolean')) {
    if (MORE.has(plain)) return facts.page?.hasMore ?? false;
    return DONE.has(plain) ? statusOf(known) === 'ok' : undefined;
  }
  if (NEXT.has(plain)) return nextOf(facts, property);
  if (isType(property, 'integer') || isType(property, 'number')) return knownNumber(plain, at, facts);
  if (!isType(property, 'string') || !TEXTS.has(plain)) return undefined;
  if (plain === 'status') return undefined;
  return plain === 'message' || plain === 'summary' || plain === 'description' ? facts.message : known.text;
}

function statusOf(known: Known): string {
  const status = own(known.args, 'status');
  return typeof status === 'string' && own(known.args, 'error') !== undefined ? status : 'ok';
}

function knownNumber(plain: string, at: Member, facts: Facts): Json | undefined {
  const items = facts.items ?? [];
  if (plain === 'succeeded' || plain === 'successcount')
    return items.filter((item) => item.status === 'ok').length;
  if (plain === 'failed' || plain === 'failedcount' || plain === 'errorcount') {
    return items.filter((item) => item.status !== 'ok').length;
  }
  if (plain === 'page' || plain === 'currentpage') return facts.page?.page;
  if (plain === 'totalpages' || plain === 'pages' || plain === 'pagecount') return facts.page?.pages;
  if (plain === 'limit' || plain === 'pagesize' || plain === 'perpage') return facts.page?.size;
  const total = facts.total ?? facts.rows?.length ?? facts.items?.length;
  const only = facts.op === 'count' && at.siblings.length === 1;
  return only || TOTALS.has(plain) || plain === `total${plainName(facts.collection?.name ?? '-')}`
    ? total
    : undefined;
}

function nextOf(facts: Facts, property: JsonObject): Json | undefined {
  const { page } = facts;
  if (page === undefined || !page.hasMore) return undefined;
  if (isType(property, 'string')) return page.nextCursor;
  return page.nextOffset ?? (page.page === undefined ? undefined : page.page + 1);
}

function isType(schema: JsonObject, name: string): boolean {
  const type = own(schema, 'type');
  return type === name || (Array.isArray(type) && type.includes(name));
}

function hasType(value: Json, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value);
  if (type === 'number') return typeof value === 'number' || typeof value === 'bigint';
  return typeof value === type;
}
