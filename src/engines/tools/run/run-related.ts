/**
 * Rows of other collections that an answer promises beside its own.
 *
 * A search of a graph answers nodes and the edges between them; a read of an order its lines. Where an output schema
 * has a list named as another collection, the rows of that collection that hold the key of an answered row belong
 * there: they are kept facts, so filler would be a lie. Other lists are not looked at.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/index.js';
import type { Collection } from '../service.js';
import { own } from '../store/store.js';
import type { Call, Steps } from './run-call.js';
import type { Facts } from './run-facts.js';
import { readRows } from './run-rows.js';

const READS: ReadonlySet<string> = new Set(['get', 'list', 'search']);

/** The facts with the related rows that the tool's output schema has a place for; other facts as they are. */
export function* withRelated(call: Call, facts: Facts): Steps<Facts> {
  const { collection } = facts;
  if (collection === undefined || !READS.has(facts.op) || facts.value !== undefined) return facts;
  const others = listedCollections(call).filter(({ name }) => name !== collection.name);
  if (others.length === 0) return facts;
  const keys = keysOf(facts, collection.key);
  const related: [string, readonly JsonObject[]][] = [];
  for (const other of others) {
    const test = (row: JsonObject): boolean => Object.values(row).some((value) => keys.has(keyText(value)));
    const rows = yield* readRows(call, other, { args: {}, test: (row) => test(row.data) });
    related.push([other.name, rows.map((row) => call.world.completeRow(call, other, row))]);
  }
  return { ...facts, related: Object.fromEntries(related) };
}

/** By tool of one world: asked with every read, and always the same. */
const LISTED = new WeakMap<object, readonly Collection[]>();

/** The collections that the tool's output schema has a list for. */
function listedCollections(call: Call): readonly Collection[] {
  const { collections } = call.world.model;
  let listed = LISTED.get(call.tool);
  if (listed === undefined) {
    listed = listNames(call.tool.outputSchema).flatMap((name) =>
      Object.hasOwn(collections, name) ? (collections[name] ?? []) : [],
    );
    LISTED.set(call.tool, listed);
  }
  return listed;
}

/** The names of the properties that are lists, as the schema itself says it. */
function listNames(schema: JsonObject | undefined): string[] {
  const properties = schema === undefined ? undefined : own(schema, 'properties');
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) && own(property, 'type') === 'array' ? [name] : [],
  );
}

function keysOf(facts: Facts, key: readonly string[]): ReadonlySet<string> {
  const items = (facts.items ?? []).flatMap(({ facts: of }) => (of?.row === undefined ? [] : [of.row]));
  const rows = [...(facts.rows ?? []), ...items, ...(facts.row === undefined ? [] : [facts.row])];
  return new Set(rows.map((row) => keyText(own(row, key[0] ?? 'id') ?? null)).filter((text) => text !== ''));
}

function keyText(value: Json): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : '';
}
