/**
 * What tools read from many rows: list, search, count, dump, and the time.
 */
import type { JsonObject } from '../../../core/index.js';
import { shownRule } from '../result/result-shape.js';
import type { Plan, StoredRow } from '../service.js';
import { keyOf, own } from '../store/store.js';
import { collectionNamed } from '../store/store-integrity.js';
import { holds } from './overrides-rules.js';
import { listingOf, pageOf } from './paging.js';
import type { Call, Steps } from './run-call.js';
import type { Facts, Task } from './run-facts.js';
import { findMatching } from './run-match.js';
import { readRows } from './run-rows.js';
import { isSorted, type Operators, searchRows, sortRows, sortRowsBy } from './search.js';

/** What an override says of a list beside its plan. */
export interface ListHow {
  readonly test?: (row: StoredRow) => boolean;
  /** Field that orders the rows, `-` for largest first; instead of a search's ranking. */
  readonly sort?: string;
  readonly operators?: Operators;
}

/** Lists, searches or counts the rows that pass the plan's filters (and `how.test`, where one is given). */
export function* runList(call: Call, task: Task, how: ListHow = {}): Steps<Facts> {
  const { plan, collection, args } = task;
  const query = plan.query === undefined ? undefined : own(args, plan.query);
  const found = yield* findMatching(call, task, how.test ?? shownTest(call, task));
  const complete = (row: StoredRow): JsonObject => call.world.completeRow(call, collection, row);
  const base = { op: plan.op, collection };
  const { paging, sorting } = plan;
  const isInOrder = how.sort === undefined && (sorting === undefined || !isSorted({ sorting, args }));
  const list = [collection.name, listMark(plan, args)];
  const { selection } = found;
  if (
    typeof query !== 'string' &&
    (plan.op === 'count' || (isInOrder && paging !== undefined && selection))
  ) {
    const counted = { ...base, total: found.size, message: `${found.size} ${collection.name} found` };
    if (plan.op === 'count' || paging === undefined || selection === undefined) return counted;
    const page = pageOf(paging, args, { listing: selection, list });
    call.spend(page.items.length);
    return { ...counted, rows: page.items.map(complete), page: page.info };
  }
  let rows: readonly JsonObject[] = found.rows().map(complete);
  const { operators } = how;
  if (typeof query === 'string')
    rows = searchRows(rows, collection, { query, ...(operators === undefined ? {} : { operators }) });
  if (how.sort !== undefined) rows = sortRowsBy(rows, how.sort);
  if (sorting !== undefined) rows = sortRows(rows, collection, { sorting, args });
  const counted = { ...base, total: rows.length, message: `${rows.length} ${collection.name} found` };
  if (plan.op === 'count') return counted;
  if (paging === undefined) return { ...counted, rows };
  const page = pageOf(paging, args, { listing: listingOf(rows, (row) => keyOf(collection, row)), list });
  return { ...counted, rows: page.items, page: page.info };
}

/** What a tool's list leaves out without being asked. */
function shownTest(call: Call, { collection, args }: Task): ((row: StoredRow) => boolean) | undefined {
  const rule = shownRule(call);
  if (rule === undefined) return undefined;
  return (row) => holds(call, rule, { args, row: call.world.completeRow(call, collection, row) });
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
    groups.push([name, rows.map((row) => call.world.completeRow(call, collection, row))]);
  }
  const total = groups.reduce((sum, [, rows]) => sum + rows.length, 0);
  return { op: 'dump', groups: Object.fromEntries(groups), total, message: `${total} rows` };
}

/** Tells the simulated time. */
export function runClock(call: Call): Facts {
  return { op: 'clock', value: { time: call.nowText, timezone: 'UTC' }, message: call.nowText };
}
