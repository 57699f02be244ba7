/**
 * Which rows a tool means when it names none: by equal values, bounds, fixed values and folders.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { danglingMessage, shown } from '../check/messages.js';
import type { Collection, Plan, StoredRow } from '../service.js';
import { own, rowsOf } from '../store/store.js';
import { allRows, isIndexed, rowsHolding, type Selection } from '../store/store-index.js';
import { collectionNamed, isComputed, referredRow } from '../store/store-integrity.js';
import { type Call, dataAnswer, type Steps, ToolFailure } from './run-call.js';
import type { Task } from './run-facts.js';
import { compareValues, type Filter, filtersOf, passesFilter } from './search.js';

/** Rows that were found, of which any part can be had. */
export interface Found {
  readonly size: number;
  readonly rows: () => readonly StoredRow[];
  /** Where an index answers the whole question: the rows by position. */
  readonly selection?: Selection;
}

/** Reads the rows that pass the plan's filters (and `test`, where one is given); one `data.read`. */
export function* readMatching(
  call: Call,
  task: Task,
  test?: (row: StoredRow) => boolean,
): Steps<readonly StoredRow[]> {
  const found = yield* findMatching(call, task, test);
  return found.rows();
}

/** As {@link readMatching}, without looking at the rows where an index knows them. */
export function* findMatching(call: Call, task: Task, test?: (row: StoredRow) => boolean): Steps<Found> {
  const { plan, collection, args } = task;
  const filters = filtersOf(collection, { ...(plan.key ?? {}), ...(plan.filters ?? {}) }, args);
  const fixed = Object.entries(plan.where ?? {}).map(([field, value]): Filter => ({ field, value }));
  refuseUnknownScope(call, task, filters);
  const query = plan.query === undefined ? undefined : own(args, plan.query);
  const wanted = [...filters, ...fixed];
  const asked = {
    filters: Object.fromEntries(wanted.map((filter): [string, Json] => [filter.field, filter.value])),
    ...(query === undefined ? {} : { query }),
  };
  const rest = restTest(call, task, { wanted, test: visible(call, collection, test) });
  const held = wanted.filter(({ field }) => !isComputed(collection, field));
  const op = call.operation('data.read', asked, { target: collection.name });
  yield* call.before(op);
  const selection = rest === undefined || held.length > 0 ? indexed(call, collection, held) : undefined;
  const found =
    selection === undefined
      ? scanned(call, collection, (row) => passesAll(row.data, held) && (rest === undefined || rest(row)))
      : selected(call, selection, rest);
  yield* call.after(op, dataAnswer(`${found.size} rows`, found.size));
  return found;
}

/** The test of rows that the caller may see; the test as it is where all may be seen. */
function visible(call: Call, collection: Collection, test: Test | undefined): Test | undefined {
  const guard = call.depth > 0 ? undefined : call.guard;
  if (guard === undefined) return test;
  return (row) => (test?.(row) ?? true) && guard.refusal(collection, row) === undefined;
}

type Test = (row: StoredRow) => boolean;

/** The rows that an index gives; undefined where each is to be looked at. */
function indexed(call: Call, collection: Collection, held: readonly Filter[]): Selection | undefined {
  const rows = rowsOf(call.state, collection.name);
  if (!isIndexed(rows)) return undefined;
  return held.length === 0 ? allRows(rows) : rowsHolding(rows, held);
}

function scanned(call: Call, collection: Collection, test: (row: StoredRow) => boolean): Found {
  const all = rowsOf(call.state, collection.name);
  call.spend(all.size);
  const rows = Array.from(all.values()).filter(test);
  return { size: rows.length, rows: () => rows };
}

function selected(call: Call, selection: Selection, rest: ((row: StoredRow) => boolean) | undefined): Found {
  if (rest === undefined) {
    call.spend(1);
    return { size: selection.size, rows: () => selection.slice(0, selection.size), selection };
  }
  call.spend(selection.size);
  const rows = selection.slice(0, selection.size).filter(rest);
  return { size: rows.length, rows: () => rows };
}

/** What must hold of a row beside the values of its stored fields; undefined where nothing must. */
function restTest(
  call: Call,
  task: Task,
  of: { readonly wanted: readonly Filter[]; readonly test: ((row: StoredRow) => boolean) | undefined },
): ((row: StoredRow) => boolean) | undefined {
  const { collection } = task;
  const { test } = of;
  const computed = of.wanted.filter(({ field }) => isComputed(collection, field));
  const inFolder = folderTest(call, task);
  const inRange = rangeTest(task.plan, task.args);
  if (inFolder === undefined && inRange === undefined && computed.length === 0) return test;
  const hasComputed = Object.values(collection.fields).some((field) => field.computed !== undefined);
  return (row) => {
    const data = hasComputed ? call.world.completeRow(call, collection, row) : row.data;
    const fits =
      passesAll(data, computed) && (inRange?.(data) ?? true) && (inFolder === undefined || inFolder(data));
    return fits && (test === undefined || test(row));
  };
}

function passesAll(data: JsonObject, filters: readonly Filter[]): boolean {
  return filters.every((filter) => passesFilter(data, filter));
}

/** Whether a row lies within the bounds that the arguments set; a row without the field does not. */
function rangeTest(plan: Plan, args: JsonObject): ((row: JsonObject) => boolean) | undefined {
  const bounds = Object.entries(plan.ranges ?? {}).flatMap(([argument, { field, test }]) => {
    const bound = own(args, argument);
    return bound === undefined || bound === null || bound === '' ? [] : [{ field, test, bound }];
  });
  if (bounds.length === 0) return undefined;
  return (row) =>
    bounds.every(({ field, test, bound }) => {
      const value = own(row, field);
      if (value === undefined || value === null) return false;
      const side = compareValues(value, bound);
      if (side === 0) return true;
      // A day as the upper bound includes the times of that day.
      if (test === 'max' && typeof value === 'string' && typeof bound === 'string' && value.startsWith(bound))
        return true;
      return test === 'min' ? side > 0 : side < 0;
    });
}

/** Whether a row's path lies in the folder that the arguments name. A folder with nothing in it is not there. */
function folderTest(call: Call, task: Task): ((row: JsonObject) => boolean) | undefined {
  const { under } = task.plan;
  const given = under === undefined ? undefined : own(task.args, under.argument);
  const [pathField] = task.collection.key;
  if (under === undefined || typeof given !== 'string' || pathField === undefined) return undefined;
  const folder = given.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  const isRoot = folder === '' || folder === '.';
  const prefix = isRoot ? (given.startsWith('/') ? '/' : '') : `${folder}/`;
  const inside = (row: JsonObject, deep: boolean): boolean => {
    const path = own(row, pathField);
    if (typeof path !== 'string' || !path.startsWith(prefix) || path.length === prefix.length) return false;
    return deep || !path.slice(prefix.length).replace(/\/$/, '').includes('/');
  };
  const rows = rowsOf(call.state, task.collection.name);
  const exists = isRoot || rows.some(({ data }) => inside(data, true) || own(data, pathField) === folder);
  if (!exists) throw new ToolFailure(`No such directory: ${shown(given)}`, 'not-found');
  return (row) => inside(row, under.deep);
}

/**
 * A list inside something that is not there is a failure, not an empty list: the reference is part of the rows'
 * scope, or the tool requires it.
 */
function refuseUnknownScope(call: Call, task: Task, filters: readonly Filter[]): void {
  const { collection, plan, args } = task;
  const pairs = Object.entries({ ...(plan.key ?? {}), ...(plan.filters ?? {}) });
  const from = Object.fromEntries(filters.map((filter): [string, Json] => [filter.field, filter.value]));
  const { required } = call.tool.inputSchema;
  for (const { field, value } of filters) {
    const named = Object.hasOwn(collection.fields, field) ? collection.fields[field]?.refersTo : undefined;
    const target = collectionNamed(call.world.model, named);
    if (target === undefined || typeof value === 'object') continue;
    const argument = pairs.find(([name, of]) => of === field && Object.hasOwn(args, name))?.[0] ?? field;
    const isRequired = Array.isArray(required) && required.includes(argument);
    if (!isRequired && !collection.scope.includes(field)) continue;
    if (referredRow(call.state, target, { value, from }) !== undefined) continue;
    throw new ToolFailure(danglingMessage(target, value, argument), 'not-found');
  }
}
