/**
 * What tools read from many rows: list, search, count, dump, and the time.
 */
import type { Json, JsonObject } from '../../core/index.js';
import { danglingMessage } from './messages.js';
import { pageOf } from './paging.js';
import { type Call, type Steps, ToolFailure } from './run-call.js';
import type { Facts } from './run-facts.js';
import type { Task } from './run-ops.js';
import { readRows } from './run-rows.js';
import { type Filter, filtersOf, passesFilter, searchRows, sortRows } from './search.js';
import type { Plan, StoredRow } from './service.js';
import { keyOf, own } from './store.js';
import { collectionNamed, referredRow } from './store-integrity.js';

/** Lists, searches or counts the rows that pass the plan's filters (and `test`, where one is given). */
export function* runList(call: Call, task: Task, test?: (row: StoredRow) => boolean): Steps<Facts> {
  const { plan, collection, args } = task;
  const filters = filtersOf(collection, { ...(plan.key ?? {}), ...(plan.filters ?? {}) }, args);
  const computed = Object.values(collection.fields).some((field) => field.computed !== undefined);
  const complete = (row: StoredRow): JsonObject => call.world.completeRow(call.state, collection, row);
  const query = plan.query === undefined ? undefined : own(args, plan.query);
  refuseUnknownScope(call, task, filters);
  const found = yield* readRows(call, collection, {
    args: {
      filters: Object.fromEntries(filters.map((f): [string, Json] => [f.field, f.value])),
      ...asQuery(query),
    },
    test: (row) => {
      const data = computed ? complete(row) : row.data;
      return filters.every((filter) => passesFilter(data, filter)) && (test === undefined || test(row));
    },
  });
  let rows: readonly JsonObject[] = found.map(complete);
  if (typeof query === 'string') rows = searchRows(rows, collection, query);
  if (plan.sorting !== undefined) rows = sortRows(rows, collection, { sorting: plan.sorting, args });
  const message = `${rows.length} ${collection.name} found`;
  const base = { op: plan.op, collection, total: rows.length, message };
  if (plan.op === 'count') return base;
  if (plan.paging === undefined) return { ...base, rows };
  const page = pageOf(plan.paging, args, {
    items: rows,
    keyOf: (row) => keyOf(collection, row),
    list: [collection.name, listMark(plan, args)],
  });
  return { ...base, rows: page.items, page: page.info };
}

/** A list inside something that is not there is a failure, not an empty list. */
function refuseUnknownScope(call: Call, task: Task, filters: readonly Filter[]): void {
  const { collection, plan, args } = task;
  for (const { field, value } of filters) {
    if (!collection.scope.includes(field) || typeof value === 'object') continue;
    const named = Object.hasOwn(collection.fields, field) ? collection.fields[field]?.refersTo : undefined;
    const target = collectionNamed(call.world.model, named);
    if (target === undefined) continue;
    const from = Object.fromEntries(filters.map((filter): [string, Json] => [filter.field, filter.value]));
    if (referredRow(call.state, target, { value, from }) !== undefined) continue;
    const pairs = Object.entries({ ...(plan.key ?? {}), ...(plan.filters ?? {}) });
    const argument = pairs.find(([name, of]) => of === field && Object.hasOwn(args, name))?.[0] ?? field;
    throw new ToolFailure(danglingMessage(target, value, argument), 'not-found');
  }
}

function asQuery(query: Json | undefined): JsonObject {
  return query === undefined ? {} : { query };
}

/** The arguments that make this list another list: all but where the page starts and how long it is. */
function listMark(plan: Plan, args: JsonObject): JsonObject {
  const paging = [plan.paging?.at, plan.paging?.size];
  return Object.fromEntries(Object.entries(args).filter(([name]) => !paging.includes(name)));
}

/** Answers the whole of several collections. */
export function* runDump(call: Call, plan: Plan): Steps<Facts> {
  const names = plan.collections ?? Object.keys(call.world.model.collections);
  const groups: [string, readonly JsonObject[]][] = [];
  for (const name of names) {
    const collection = collectionNamed(call.world.model, name);
    if (collection === undefined) continue;
    const rows = yield* readRows(call, collection, { args: {}, test: () => true });
    groups.push([name, rows.map((row) => call.world.completeRow(call.state, collection, row))]);
  }
  const total = groups.reduce((sum, [, rows]) => sum + rows.length, 0);
  return { op: 'dump', groups: Object.fromEntries(groups), total, message: `${total} rows` };
}

/** Tells the simulated time. */
export function runClock(call: Call): Facts {
  return { op: 'clock', value: { time: call.nowText, timezone: 'UTC' }, message: call.nowText };
}
