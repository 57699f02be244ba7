/**
 * Which rows a tool means when it names none: by equal values, bounds, fixed values and folders.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { danglingMessage, shown } from '../check/messages.js';
import type { Plan, StoredRow } from '../service.js';
import { own, rowsOf } from '../store/store.js';
import { collectionNamed, referredRow } from '../store/store-integrity.js';
import { type Call, type Steps, ToolFailure } from './run-call.js';
import type { Task } from './run-facts.js';
import { readRows } from './run-rows.js';
import { compareValues, type Filter, filtersOf, passesFilter } from './search.js';

/** Reads the rows that pass the plan's filters (and `test`, where one is given); one `data.read`. */
export function* readMatching(
  call: Call,
  task: Task,
  test?: (row: StoredRow) => boolean,
): Steps<StoredRow[]> {
  const { plan, collection, args } = task;
  const filters = filtersOf(collection, { ...(plan.key ?? {}), ...(plan.filters ?? {}) }, args);
  const fixed = Object.entries(plan.where ?? {}).map(([field, value]): Filter => ({ field, value }));
  refuseUnknownScope(call, task, filters);
  const inFolder = folderTest(call, task);
  const inRange = rangeTest(plan, args);
  const computed = Object.values(collection.fields).some((field) => field.computed !== undefined);
  const wanted = [...filters, ...fixed];
  const query = plan.query === undefined ? undefined : own(args, plan.query);
  return yield* readRows(call, collection, {
    args: {
      filters: Object.fromEntries(wanted.map((filter): [string, Json] => [filter.field, filter.value])),
      ...(query === undefined ? {} : { query }),
    },
    test: (row) => {
      const data = computed ? call.world.completeRow(call, collection, row) : row.data;
      const fits = wanted.every((filter) => passesFilter(data, filter)) && inRange(data) && inFolder(data);
      return fits && (test === undefined || test(row));
    },
  });
}

/** Whether a row lies within the bounds that the arguments set; a row without the field does not. */
function rangeTest(plan: Plan, args: JsonObject): (row: JsonObject) => boolean {
  const bounds = Object.entries(plan.ranges ?? {}).flatMap(([argument, { field, test }]) => {
    const bound = own(args, argument);
    return bound === undefined || bound === null || bound === '' ? [] : [{ field, test, bound }];
  });
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
function folderTest(call: Call, task: Task): (row: JsonObject) => boolean {
  const { under } = task.plan;
  const given = under === undefined ? undefined : own(task.args, under.argument);
  const [pathField] = task.collection.key;
  if (under === undefined || typeof given !== 'string' || pathField === undefined) return () => true;
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
