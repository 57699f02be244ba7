/**
 * Seeded rows for the collections that a world gives no data for.
 *
 * Keys first, then the other fields, so that references find rows. Every value has a stream of its own, named by
 * (seed, `data`, collection, row, field): another field or collection changes nothing else. Created is never after
 * updated, ends follow starts, scopes are few and shared by all collections. Everything here is `generated`. Not
 * covered: totals and other values that rules compute.
 */
import { type Json, type JsonObject, type RandomStream, randomStream } from '../../../core/index.js';
import { own } from '../infer/infer-schema.js';
import { splitWords } from '../infer/words.js';
import type { Collection, Field, IdStyle, ServiceModel, StoredRow } from '../service.js';
import { fileRows } from './seed-files.js';
import { valueFor } from './values.js';

/** How rows are generated. */
export interface SeedOptions {
  readonly seed: number | string;
  /** No generated values at all: no rows. Default false. */
  readonly strict?: boolean;
  /** Rows wanted by collection. Default 8 each, 1 for a singleton. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Rows that are there already: their collections get none, references may point to them. */
  readonly given?: Readonly<Record<string, readonly JsonObject[]>>;
  /** The simulated clock at the start, milliseconds since 1970 UTC; no time stamp lies after it. Default 2026-01-01. */
  readonly startMs?: number;
}

/** Rows of a collection when nothing says how many. */
const DEFAULT_ROWS = 8;
const DEFAULT_START_MS = Date.UTC(2026, 0, 1);

type Draft = Map<string, Json>;

interface Seeding {
  readonly options: SeedOptions;
  readonly startMs: number;
  readonly drafts: Map<string, Draft[]>;
  /** Keys that references choose from, once all keys are made. */
  readonly choices: Map<string, readonly Json[]>;
}

/**
 * Generates rows for every collection without given ones; `strict` gives none. The same model and options always
 * give the same rows. Collections with rows in `given` are left out of the answer.
 */
export function seedRows(model: ServiceModel, options: SeedOptions): Record<string, StoredRow[]> {
  if (options.strict === true) return {};
  const seeding: Seeding = {
    options,
    startMs: options.startMs ?? DEFAULT_START_MS,
    drafts: new Map(),
    choices: new Map(),
  };
  const wanted = Object.values(model.collections).filter(
    (collection) => givenRows(seeding, collection.name).length === 0,
  );
  for (const collection of wanted)
    seeding.drafts.set(collection.name, keyedDrafts(collection, { model, seeding }));
  const scopes = new Set(Object.values(model.collections).flatMap((one) => one.scope.map(canonical)));
  for (const collection of wanted) fillDrafts(collection, { model, seeding, scopes });
  const rows = wanted.map((collection): [string, StoredRow[]] => [
    collection.name,
    finish(collection, seeding),
  ]);
  return Object.fromEntries(rows.filter(([, list]) => list.length > 0));
}

interface With {
  readonly model: ServiceModel;
  readonly seeding: Seeding;
}

function givenRows(seeding: Seeding, name: string): readonly JsonObject[] {
  const given = seeding.options.given ?? {};
  return Object.hasOwn(given, name) ? (given[name] ?? []) : [];
}

function countOf(collection: Collection, options: SeedOptions): number {
  const counts = options.counts ?? {};
  if (Object.hasOwn(counts, collection.name)) return counts[collection.name] ?? 0;
  return collection.singleton === true ? 1 : DEFAULT_ROWS;
}

function streamOf(seeding: Seeding, ...keys: readonly string[]): RandomStream {
  return randomStream(seeding.options.seed, 'data', ...keys);
}

/** Rows with only their keys and scopes. Rows whose key cannot be made different are left out. */
function keyedDrafts(collection: Collection, of: With): Draft[] {
  const { seeding } = of;
  const seen = new Set<string>();
  const drafts: Draft[] = [];
  const count = countOf(collection, seeding.options);
  for (let index = 0; index < count; index++) {
    const draft: Draft = new Map();
    for (const field of collection.scope) draft.set(field, scopeValue(field, index, seeding));
    for (let attempt = 0; attempt < 20; attempt++) {
      for (const field of collection.key)
        draft.set(field, keyValue(collection, field, { ...of, index, attempt }));
      const key = JSON.stringify(collection.key.map((field) => draft.get(field) ?? null));
      if (seen.has(key)) continue;
      seen.add(key);
      drafts.push(draft);
      break;
    }
  }
  return drafts;
}

/** `org_slug` and `org` are the same scope. */
function canonical(field: string): string {
  const words = splitWords(field);
  const short = words.length > 1 && ['id', 'slug', 'name', 'key'].includes(words.at(-1) ?? '');
  return (short ? words.slice(0, -1) : words).join('_');
}

/** Two values per scope field, the same in every collection, and pairs that belong together. */
function scopeValue(field: string, index: number, seeding: Seeding): Json {
  const group = String(index % 2);
  const last = canonical(field);
  const made = [0, 1].map((one) =>
    valueFor(
      { name: last, schema: { type: 'string' } },
      { random: streamOf(seeding, 'scope', last, String(one)), nowMs: seeding.startMs },
    ),
  );
  const [first, second] = made;
  return group === '0' || first === second ? (first ?? '') : (second ?? '');
}

function keyValue(
  collection: Collection,
  name: string,
  of: With & { readonly index: number; readonly attempt: number },
): Json {
  const { seeding, index, attempt } = of;
  const field = fieldOf(collection, name);
  const random = streamOf(
    seeding,
    collection.name,
    String(index),
    name,
    ...(attempt === 0 ? [] : [String(attempt)]),
  );
  const end = collection.key.length > 1 ? endOfEdge(field, of, random) : undefined;
  if (end !== undefined) return end;
  if (collection.key.length === 1) {
    const minted = mintedKey(collection.idStyle, index, random);
    if (minted !== undefined) return ofType(minted, field);
  }
  const value = valueFor(field, { random, nowMs: seeding.startMs, singular: collection.singular });
  return attempt < 10 || typeof value !== 'string' ? value : `${value}-${index + 1}`;
}

function ofType(value: Json, field: Field): Json {
  const type = own(field.schema, 'type');
  if (typeof value === 'number' && type === 'string') return String(value);
  return typeof value === 'string' && (type === 'integer' || type === 'number') && /^\d+$/.test(value)
    ? Number(value)
    : value;
}

/** The from and to of an edge are keys of rows: of the collection referred to, else of the first named by its caller. */
function endOfEdge(field: Field, of: With, random: RandomStream): Json | undefined {
  const isEnd = ['from', 'to', 'source', 'target'].includes(splitWords(field.name)[0] ?? '');
  const target =
    field.refersTo ??
    (isEnd
      ? Object.values(of.model.collections).find(
          (one) => one.idStyle.kind === 'given' && one.key.length === 1,
        )?.name
      : undefined);
  const keys = target === undefined ? [] : keysOf(target, of);
  return keys.length === 0 ? undefined : random.pick(keys);
}

function mintedKey(style: IdStyle, index: number, random: RandomStream): Json | undefined {
  const draw = (letters: string, length: number): string =>
    Array.from({ length }, () => random.pick([...letters])).join('');
  switch (style.kind) {
    case 'number':
      return style.start + index;
    case 'counter':
      return style.prefix + String(style.start + index).padStart(style.width, '0');
    case 'hex':
      return draw('0123456789abcdef', style.length);
    case 'token':
      return (
        style.prefix +
        draw(
          /[A-Z]$/.test(style.prefix)
            ? '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'
            : '0123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ',
          style.length,
        )
      );
    case 'uuid': {
      const hex = '0123456789abcdef';
      return `${draw(hex, 8)}-${draw(hex, 4)}-4${draw(hex, 3)}-${draw('89ab', 1)}${draw(hex, 3)}-${draw(hex, 12)}`;
    }
    default:
      return undefined;
  }
}

function fieldOf(collection: Collection, name: string): Field {
  const field = Object.hasOwn(collection.fields, name) ? collection.fields[name] : undefined;
  return field ?? { name, schema: {}, required: true };
}

/** Keys of a collection's rows, given or generated; only those of the same scope where both are scoped alike. */
function keysOf(name: string, of: With, within: ReadonlyMap<string, Json> = new Map()): Json[] {
  const collection = Object.hasOwn(of.model.collections, name) ? of.model.collections[name] : undefined;
  const [key] = collection?.key ?? [];
  if (collection === undefined || key === undefined) return [];
  const given = givenRows(of.seeding, name).map((row) => own(row, key));
  const alike = (draft: Draft): boolean =>
    collection.scope.every(
      (field) => (within.get(canonical(field)) ?? draft.get(field)) === draft.get(field),
    );
  const made = (of.seeding.drafts.get(name) ?? []).filter(alike).map((draft) => draft.get(key));
  return [...given, ...made].filter((value): value is Json => value !== undefined && value !== null);
}

/** The same as {@link keysOf}, remembered, for when no further keys are made. */
function choicesOf(name: string, of: With, within: ReadonlyMap<string, Json>): readonly Json[] {
  const key = JSON.stringify([name, ...within], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  const known = of.seeding.choices.get(key);
  if (known !== undefined) return known;
  const keys = keysOf(name, of, within);
  of.seeding.choices.set(key, keys);
  return keys;
}

function fillDrafts(collection: Collection, of: With & Pick<Filling, 'scopes'>): void {
  const { seeding } = of;
  const drafts = seeding.drafts.get(collection.name) ?? [];
  const taken = new Map<string, Set<string>>();
  for (const [index, draft] of drafts.entries()) {
    for (const field of Object.values(collection.fields)) {
      if (draft.has(field.name) || field.computed !== undefined) continue;
      const value = fieldValue(collection, field, { ...of, index, draft, taken });
      if (value !== undefined) draft.set(field.name, value);
    }
    orderTimes(collection, draft, { seeding, index });
  }
}

/** The scope values that a row has so far, by canonical name. */
function scopesOf(collection: Collection, draft: Draft): ReadonlyMap<string, Json> {
  return new Map(
    collection.scope.map((field): [string, Json] => [canonical(field), draft.get(field) ?? null]),
  );
}

interface Filling extends With {
  /** Canonical names of all scopes of the service. */
  readonly scopes: ReadonlySet<string>;
  readonly index: number;
  readonly draft: Draft;
  /** Values of unique fields so far. */
  readonly taken: Map<string, Set<string>>;
}

function fieldValue(collection: Collection, field: Field, of: Filling): Json | undefined {
  const random = streamOf(of.seeding, collection.name, String(of.index), field.name);
  if (field.refersTo === undefined && of.scopes.has(canonical(field.name)))
    return scopeValue(field.name, of.index, of.seeding);
  if (field.refersTo !== undefined) {
    const keys = choicesOf(field.refersTo, of, scopesOf(collection, of.draft));
    const itself = field.refersTo === collection.name;
    if (itself && (of.index === 0 || random.chance(0.6))) return undefined;
    const count = itself ? Math.min(keys.length, Math.ceil(of.index / 2)) : keys.length;
    return count === 0 ? undefined : ofType(keys[random.integer(0, count - 1)] ?? null, field);
  }
  const make = (stream: RandomStream): Json =>
    valueFor(field, { random: stream, nowMs: of.seeding.startMs, singular: collection.singular });
  if (field.unique !== true) return make(random);
  const taken = of.taken.get(field.name) ?? new Set<string>();
  of.taken.set(field.name, taken);
  for (let attempt = 0; attempt < 20; attempt++) {
    const value = make(
      attempt === 0
        ? random
        : streamOf(of.seeding, collection.name, String(of.index), field.name, String(attempt)),
    );
    const text = JSON.stringify(value);
    if (taken.has(text)) continue;
    taken.add(text);
    return value;
  }
  return undefined;
}

/** Created at or before updated, both before the start; an end follows its start. */
function orderTimes(
  collection: Collection,
  draft: Draft,
  of: { readonly seeding: Seeding; readonly index: number },
): void {
  const fields = Object.values(collection.fields);
  const random = streamOf(of.seeding, collection.name, String(of.index), 'times');
  const created = of.seeding.startMs - random.integer(60, 120 * 24 * 60) * 60_000;
  const updated = created + Math.floor(((of.seeding.startMs - created) * random.integer(0, 90)) / 100);
  for (const field of fields) {
    if (field.stamp === undefined || !draft.has(field.name)) continue;
    draft.set(field.name, stampValue(field, field.stamp === 'created' ? created : updated));
  }
  for (const field of fields) endAfterStart(fields, field, { draft, random });
}

function stampValue(field: Field, ms: number): Json {
  const type = own(field.schema, 'type');
  if (type === 'integer' || type === 'number') return Math.floor(ms / 1000);
  const text = new Date(ms).toISOString();
  return own(field.schema, 'format') === 'date' ? text.slice(0, 10) : text;
}

function endAfterStart(
  fields: readonly Field[],
  field: Field,
  of: { readonly draft: Draft; readonly random: RandomStream },
): void {
  const words = splitWords(field.name);
  const at = words.findIndex((word) => word === 'end' || word === 'until' || word === 'checkout');
  if (at === -1) return;
  const partner = fields.find((one) => {
    const other = splitWords(one.name);
    return (
      other.length === words.length &&
      other.every((word, i) =>
        i === at ? ['start', 'begin', 'from', 'checkin'].includes(word) : word === words[i],
      )
    );
  });
  const start = partner === undefined ? undefined : of.draft.get(partner.name);
  const end = of.draft.get(field.name);
  if (typeof start !== 'string' || typeof end !== 'string' || Number.isNaN(Date.parse(start))) return;
  const day = start.length === 10;
  const ms =
    Date.parse(start) + (day ? of.random.integer(1, 7) * 86_400_000 : of.random.integer(1, 8) * 900_000);
  const text = new Date(ms).toISOString();
  of.draft.set(field.name, day ? text.slice(0, 10) : text);
}

function finish(collection: Collection, seeding: Seeding): StoredRow[] {
  const drafts = seeding.drafts.get(collection.name) ?? [];
  const order = [...new Set([...collection.key, ...Object.keys(collection.fields)])];
  const rows = drafts.map((draft) =>
    Object.fromEntries(
      order.flatMap((name): [string, Json][] => (draft.has(name) ? [[name, draft.get(name) ?? null]] : [])),
    ),
  );
  const isFiles =
    collection.key.length === 1 &&
    collection.key[0] === 'path' &&
    Object.hasOwn(collection.fields, 'content');
  const shaped = isFiles
    ? fileRows(collection, rows, (index) => streamOf(seeding, collection.name, String(index), 'content'))
    : rows;
  return shaped.map((data) => ({ data, origins: { base: 'generated' } }));
}
