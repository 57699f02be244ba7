/**
 * A session's state as bytes, and back: only what differs from the start state, which the world and seed give.
 *
 * Format: one header line (JSON: format, version, world id, seed, CRC-32 and length of the body), a line break, the
 * body (JSON). Rows keep their place: a row that moved is listed as gone and as added. Big integers are written as
 * `{"~big":"digits"}` and objects with that key are escaped. Anything that does not fit (another version, world or
 * seed, damaged bytes) is `engine/bad-snapshot`.
 */
import {
  EngineError,
  isJsonObject,
  type Json,
  type JsonObject,
  ORIGINS,
  type Origin,
} from '../../../core/index.js';
import type { ToolWorld } from '../engine-world.js';
import type { Collection, RowOrigins, StoredRow } from '../service.js';
import {
  frozenJson,
  type IdempotencyRecord,
  keyOf,
  makeRow,
  own,
  type QuotaUse,
  rowsOf,
  type StoreState,
} from './store.js';

const FORMAT = 'umwelt-tools';
const VERSION = 2;
const BIG = '~big';

/** Writes a state as bytes. */
export function encodeSnapshot(world: ToolWorld, state: StoreState): Uint8Array {
  const body = writeBody(bodyOf(world, state));
  const header = {
    format: FORMAT,
    version: VERSION,
    world: world.spec.id,
    seed: world.seed,
    checksum: crc32(body),
    length: body.length,
  };
  return new TextEncoder().encode(`${JSON.stringify(header)}\n${body}`);
}

/** JSON of the body; the slow way only where a big integer, or a key that looks like one, is in it. */
function writeBody(body: unknown): string {
  try {
    const plain = JSON.stringify(body);
    if (!plain.includes(`"${BIG}"`)) return plain;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(body, writeBig);
}

function writeBig(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { [BIG]: value.toString() };
  return isEscapable(value) ? { [BIG]: [escaped(value)] } : value;
}

function isEscapable(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, BIG);
}

/** The members as pairs; the object that {@link BIG} names is no longer met as a key. */
function escaped(value: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(value);
}

function readBig(_key: string, value: unknown): unknown {
  if (!isEscapable(value)) return value;
  const big = value[BIG];
  if (typeof big === 'string') return BigInt(big);
  const pairs = Array.isArray(big) ? (big as readonly Json[])[0] : undefined;
  return Array.isArray(pairs) ? Object.fromEntries(pairs as unknown as [string, Json][]) : value;
}

function bodyOf(world: ToolWorld, state: StoreState): unknown {
  const names = [...new Set([...world.start.rows.keys(), ...state.rows.keys()])].sort();
  const rows = names.flatMap((name) => {
    const change = changesOf(world.start, state, name);
    return change === undefined ? [] : [change];
  });
  const counters = differing(state.counters, world.start.counters);
  const idempotency = differing(state.idempotency, world.start.idempotency);
  const quotas = differing(state.quotas, world.start.quotas);
  const session = state.session === world.start.session ? {} : { session: state.session };
  return { rows, counters, idempotency, quotas, ...session };
}

type Entries<T> = Iterable<readonly [string, T]> & { get(key: string): T | undefined };

function differing<T>(now: Entries<T>, before: Entries<T>): [string, T][] {
  if (now === before) return [];
  const changed: [string, T][] = [];
  for (const [key, value] of now) if (before.get(key) !== value) changed.push([key, value]);
  return changed.sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

/**
 * Rows of one collection that are gone, and rows that changed or came, in order. Both lists are walked side by side:
 * rows that kept their place meet, and from the first that does not, all are written as gone and added.
 */
function changesOf(before: StoreState, now: StoreState, name: string): unknown {
  const rows = rowsOf(now, name);
  const old = rowsOf(before, name);
  if (old === rows) return undefined;
  const gone: string[] = [];
  const put: unknown[] = [];
  const places = old.entries();
  let place = places.next();
  let inPlace = true;
  for (const [key, row] of rows) {
    while (inPlace && place.done !== true && place.value[0] !== key && !rows.has(place.value[0])) {
      gone.push(place.value[0]);
      place = places.next();
    }
    inPlace &&= place.done !== true && place.value[0] === key;
    if (!inPlace && old.has(key)) gone.push(key);
    if (!inPlace || place.value?.[1] !== row)
      put.push([row.data, row.origins.base, row.origins.fields ?? null]);
    if (inPlace) place = places.next();
  }
  for (; place.done !== true; place = places.next()) if (!rows.has(place.value[0])) gone.push(place.value[0]);
  return gone.length + put.length === 0 ? undefined : { name, gone, put };
}

/** Reads bytes back into a state. Raises `engine/bad-snapshot`. */
export function decodeSnapshot(world: ToolWorld, bytes: Uint8Array): StoreState {
  const text = decodeText(bytes);
  const cut = text.indexOf('\n');
  const header = cut < 0 ? undefined : readJson(text.slice(0, cut));
  const body = text.slice(cut + 1);
  if (!isJsonObject(header) || own(header, 'format') !== FORMAT)
    throw bad('these bytes are no tools snapshot');
  want(header, 'version', VERSION);
  want(header, 'world', world.spec.id);
  want(header, 'seed', world.seed);
  if (header.length !== body.length || header.checksum !== crc32(body)) throw bad('the bytes are damaged');
  const read = readJson(body);
  if (!isJsonObject(read)) throw bad('the body is no object');
  return stateFrom(world, read);
}

function want(header: JsonObject, name: string, value: Json): void {
  const seen = own(header, name);
  if (seen === value) return;
  const told = `its ${name} is ${JSON.stringify(seen ?? null)}, wanted is ${JSON.stringify(value)}`;
  throw bad(`${told}; restore it with the world and seed it was taken from`, { name, seen, wanted: value });
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw bad('the bytes are not UTF-8', {}, cause);
  }
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text, text.includes(BIG) ? readBig : undefined) as Json;
  } catch (cause) {
    throw bad('the bytes are damaged', {}, cause);
  }
}

function bad(what: string, data: Record<string, unknown> = {}, cause?: unknown): EngineError {
  return new EngineError(`this snapshot cannot be restored: ${what}`, {
    code: 'engine/bad-snapshot',
    data,
    cause,
  });
}

function stateFrom(world: ToolWorld, body: JsonObject): StoreState {
  let { rows } = world.start;
  for (const change of listIn(body, 'rows')) {
    const name = isJsonObject(change) ? own(change, 'name') : undefined;
    if (!isJsonObject(change) || typeof name !== 'string') throw bad('a collection has no name');
    const collection = Object.hasOwn(world.model.collections, name)
      ? world.model.collections[name]
      : undefined;
    if (collection === undefined) throw bad(`it has the collection ${name}, which this world does not have`);
    const next = rowsOf(world.start, name).withMutations((list) => {
      for (const key of listIn(change, 'gone')) list.delete(String(key));
      for (const put of listIn(change, 'put')) {
        const row = rowFrom(put);
        list.set(keyFor(collection, row), row);
      }
    });
    rows = rows.set(name, next);
  }
  const counters = world.start.counters.withMutations((map) => {
    for (const [name, value] of pairsIn(body, 'counters')) {
      if (typeof value !== 'number') throw bad('a counter is no number');
      map.set(name, value);
    }
  });
  const idempotency = world.start.idempotency.withMutations((map) => {
    for (const [name, value] of pairsIn(body, 'idempotency')) map.set(name, recordFrom(value));
  });
  const quotas = world.start.quotas.withMutations((map) => {
    for (const [name, value] of pairsIn(body, 'quotas')) map.set(name, quotaFrom(value));
  });
  const session = own(body, 'session') ?? world.start.session;
  if (!isJsonObject(session)) throw bad('the session is no object');
  return { rows, counters, idempotency, quotas, session: frozenJson(session) as JsonObject };
}

function quotaFrom(value: Json): QuotaUse {
  const isPair = (pair: Json): boolean =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part: Json) => typeof part === 'number');
  if (!Array.isArray(value) || !value.every(isPair)) throw bad('the use of a quota is no list of pairs');
  return value as unknown as QuotaUse;
}

function keyFor(collection: Collection, row: StoredRow): string {
  return keyOf(collection, row.data);
}

function rowFrom(put: Json): StoredRow {
  const [data, base, fields] = Array.isArray(put) ? (put as readonly Json[]) : [];
  if (!isJsonObject(data) || !isOrigin(base)) throw bad('a row has no data or no origin');
  if (fields === null || fields === undefined) return makeRow(data, { base });
  if (!isJsonObject(fields) || !Object.values(fields).every(isOrigin)) throw bad('a row has unknown origins');
  return makeRow(data, { base, fields: fields as NonNullable<RowOrigins['fields']> });
}

function isOrigin(value: unknown): value is Origin {
  return typeof value === 'string' && (ORIGINS as readonly string[]).includes(value);
}

function recordFrom(value: Json): IdempotencyRecord {
  const args = isJsonObject(value) ? own(value, 'args') : undefined;
  const answer = isJsonObject(value) ? own(value, 'answer') : undefined;
  if (typeof args !== 'string' || !isJsonObject(answer)) throw bad('an idempotency record is not whole');
  const atMs = own(value as JsonObject, 'atMs');
  return { args, answer, ...(typeof atMs === 'number' ? { atMs } : {}) };
}

function listIn(object: JsonObject, name: string): readonly Json[] {
  const list = own(object, name);
  if (!Array.isArray(list)) throw bad(`${name} is no list`);
  return list as readonly Json[];
}

function pairsIn(object: JsonObject, name: string): (readonly [string, Json])[] {
  return listIn(object, name).map((pair) => {
    const [key, value] = Array.isArray(pair) ? (pair as readonly Json[]) : [];
    if (typeof key !== 'string' || value === undefined) throw bad(`${name} has an entry that is no pair`);
    return [key, value] as const;
  });
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 (ISO 3309) over the UTF-16 units of a text, low byte first. Finds damage, not forgery. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ unit) & 0xff] ?? 0);
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (unit >>> 8)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
