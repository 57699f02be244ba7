/**
 * The answer of a tool that promises no shape: what a plain server would send.
 *
 * A row is the row, a list is `{ <collection>: […], total, … }`, a batch is its results in request order with
 * counts, a deletion names what went. An empty list is `{ …: [], total: 0 }`, never nothing.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/index.js';
import type { ToolDefinition } from '../../../domains/index.js';
import type { Facts, ItemResult } from '../run/run-facts.js';
import type { Collection } from '../service.js';
import { own } from '../store/store.js';
import { originOfField, TracedObject } from './result-origins.js';

/** The structured form of the facts, with origins registered. */
export function naturalValue(facts: Facts, tool: ToolDefinition): Json {
  if (facts.value !== undefined) return facts.value;
  if (facts.items !== undefined) return batchValue(facts.items, facts.collection);
  if (facts.groups !== undefined) return facts.groups as JsonObject;
  if (facts.rows !== undefined && facts.op === 'delete') return { deleted: facts.rows.length };
  if (facts.rows !== undefined) return listValue(facts, tool);
  if (facts.op === 'count') return { total: facts.total ?? 0 };
  if (facts.row === undefined) return { ok: true };
  if (facts.only !== undefined) return onlyValue(facts.row, facts.only);
  return facts.op === 'delete' ? deletedValue(facts.row, facts.collection) : facts.row;
}

function onlyValue(row: JsonObject, field: string): Json {
  const origin = originOfField(row, field, 'computed');
  return new TracedObject().set(field, own(row, field) ?? null, origin).done();
}

function deletedValue(row: JsonObject, collection: Collection | undefined): JsonObject {
  const object = new TracedObject().set('deleted', true);
  for (const field of collection?.key ?? []) {
    object.set(field, own(row, field) ?? null, originOfField(row, field, 'computed'));
  }
  return object.done();
}

function listValue(facts: Facts, tool: ToolDefinition): JsonObject {
  const rows = facts.rows ?? [];
  const object = new TracedObject().set(facts.collection?.name ?? 'items', rows);
  object.set('total', facts.total ?? rows.length);
  const name = nameStyle(tool);
  const { page } = facts;
  if (page === undefined) return object.done();
  if (page.page !== undefined) object.set('page', page.page).set(name('total_pages'), page.pages ?? 1);
  if (page.style !== 'cursor') object.set(name('has_more'), page.hasMore);
  if (page.nextOffset !== undefined) object.set(name('next_offset'), page.nextOffset);
  if (page.nextCursor !== undefined) object.set(name('next_cursor'), page.nextCursor);
  return object.done();
}

/** Names as this tool writes them: with underscores if any of its arguments has one, else in camel case. */
function nameStyle(tool: ToolDefinition): (name: string) => string {
  const properties = tool.inputSchema.properties;
  const snake = isJsonObject(properties) && Object.keys(properties).some((name) => name.includes('_'));
  return (name) =>
    snake ? name : name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function batchValue(items: readonly ItemResult[], collection: Collection | undefined): JsonObject {
  const failed = items.filter((item) => item.status !== 'ok').length;
  return {
    results: items.map((item) => itemValue(item, collection)),
    succeeded: items.length - failed,
    failed,
    total: items.length,
  };
}

function itemValue(result: ItemResult, collection: Collection | undefined): JsonObject {
  const object = new TracedObject();
  const { facts } = result;
  const row = facts?.row;
  const named = Object.entries(result.name);
  for (const [name, value] of named) object.set(name, value);
  for (const field of row === undefined ? [] : (collection?.key ?? [])) {
    const value = row === undefined ? undefined : own(row, field);
    const told = named.some(([, given]) => given === value);
    if (value !== undefined && row !== undefined && !told)
      object.set(field, value, originOfField(row, field, 'computed'));
  }
  if (object.isEmpty) object.set('item', result.item);
  object.set('status', result.status);
  if (result.error !== undefined) object.set('error', result.error);
  if (facts?.value !== undefined) object.set('result', facts.value);
  else if (facts?.op === 'get' && row !== undefined) setShown(object, row, facts.only);
  return object.done();
}

/** What a batch of reads is for: the row, or the one field asked for. */
function setShown(object: TracedObject, row: JsonObject, only: string | undefined): void {
  if (only === undefined) object.set('result', row);
  else object.set(only, own(row, only) ?? null, originOfField(row, only, 'computed'));
}
