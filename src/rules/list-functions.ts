/**
 * Functions on lists, and those that lists share with text and maps (`size`, `contains`, `indexOf`, `get`).
 *
 * Lists are never changed: every function gives a new one. Not covered: ranges (a list comes from data, never from
 * a count, so that work stays proportional to the data).
 */
import { canonicalJson, type Json } from '../core/index.js';
import { compute, type Numeric } from './arithmetic.js';
import { detach } from './detach.js';
import {
  type Arguments,
  type FunctionTable,
  integerAt,
  listAt,
  textAt,
  wrongArgument,
} from './function-arguments.js';
import type { Run } from './run.js';
import { containsText, countCodePoints, indexOfText, textOf } from './text-functions.js';
import { equals, fieldOf, isList, isMap, keysOf, kindOf, order, ownValue, setOwn, show } from './values.js';

function sizeOf(run: Run, args: Arguments): number {
  const [value] = args;
  if (typeof value === 'string') return countCodePoints(run, value);
  if (value !== undefined && isList(value)) return value.length;
  if (value !== undefined && isMap(value)) return keysOf(run, value).length;
  throw wrongArgument(run, args, { index: 0, wanted: 'a list, a map or a string' });
}

function indexIn(run: Run, list: readonly Json[], wanted: Json): number {
  for (let i = 0; i < list.length; i++) if (equals(run, list[i] as Json, wanted)) return i;
  return -1;
}

function bothTexts(args: Arguments): readonly [string, string] | undefined {
  const [text, part] = args;
  return typeof text === 'string' && typeof part === 'string' ? [text, part] : undefined;
}

/** The first or last element; of an empty list the default, or an error. */
function endOf(run: Run, args: Arguments, end: 'first' | 'last'): Json {
  const value = listAt(run, args, 0).at(end === 'first' ? 0 : -1);
  if (value !== undefined) return value;
  if (args.length > 1) return args[1] as Json;
  throw run.error(() => `${end}() of an empty list has no value; give a default: ${end}(list, default)`);
}

function count(run: Run, args: Arguments): Numeric {
  const list = listAt(run, args, 0);
  if (args.length === 1) return list.length;
  let found = 0;
  for (const item of list) if (equals(run, item, args[1] as Json)) found++;
  return found;
}

function distinct(run: Run, list: readonly Json[]): Json[] {
  const seen = new Set<string>();
  return list.filter((item) => {
    const key = canonicalJson(exactNumber(detach(run, item)));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A whole double beyond 2^53 as the integer it is, so that equal numbers give equal texts. */
function exactNumber(value: Json): Json {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? BigInt(value)
    : value;
}

function sortBy(run: Run, args: Arguments): Json[] {
  const list = listAt(run, args, 0);
  const field = args.length > 1 ? textAt(run, args, 1) : undefined;
  if (args.length > 2 && args[2] !== 'asc' && args[2] !== 'desc') {
    throw wrongArgument(run, args, { index: 2, wanted: '"asc" or "desc"' });
  }
  const sign = args[2] === 'desc' ? -1 : 1;
  run.reserve(list.length, 'list');
  const rows = list.map((item) => ({ item, key: field === undefined ? item : fieldOf(run, item, field) }));
  rows.sort((a, b) => {
    run.spend(1);
    return sign * order(run, a.key, b.key);
  });
  return rows.map((row) => row.item);
}

function groupBy(run: Run, list: readonly Json[], field: string): Json {
  const groups = new Map<string, Json[]>();
  for (const item of list) {
    run.spend(2);
    const key = fieldOf(run, item, field);
    if (typeof key === 'object')
      throw run.error(() => `groupBy() needs plain values in "${field}"; here is ${show(key)}`);
    const name = textOf(run, key);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  const map: Record<string, Json> = {};
  for (const [name, items] of groups) setOwn(map, name, items);
  return map;
}

/** Rows by the text of their key, for rows of two lists that are compared. */
function rowsByKey(run: Run, list: readonly Json[], field: string): Map<string, Json> {
  const rows = new Map<string, Json>();
  for (const row of list) {
    run.spend(2);
    const key = canonicalJson(exactNumber(detach(run, fieldOf(run, row, field))));
    if (rows.has(key))
      throw run.error(() => `changes() needs rows with different ${field}; ${key} is there twice`);
    rows.set(key, row);
  }
  return rows;
}

/** What became of a list of rows: those that came, those that went, and those that are different, as they are now. */
function changes(run: Run, args: Arguments): Json {
  const field = textAt(run, args, 2);
  const before = rowsByKey(run, listAt(run, args, 0), field);
  const after = rowsByKey(run, listAt(run, args, 1), field);
  const added: Json[] = [];
  const changed: Json[] = [];
  for (const [key, row] of after) {
    const old = before.get(key);
    if (old === undefined) added.push(row);
    else if (old !== row && !equals(run, old, row)) changed.push(row);
  }
  const removed = [...before].flatMap(([key, row]) => (after.has(key) ? [] : [row]));
  return { added, removed, changed };
}

/** The value under a key or index, or the default when there is none. */
function get(run: Run, args: Arguments): Json {
  const [target = null, key, missing = null] = args;
  if (isMap(target)) return ownValue(target, textAt(run, args, 1)) ?? missing;
  if (isList(target)) {
    const index = integerAt(run, args, { index: 1, min: 0, max: Number.MAX_SAFE_INTEGER });
    return target[index] ?? missing;
  }
  throw run.error(
    () => `get() needs a map or a list; here is ${kindOf(target)} ${show(target)} (key ${show(key)})`,
  );
}

/** The functions on lists and what they share with text and maps. */
export const LIST_FUNCTIONS: FunctionTable = {
  size: { form: 'size(list, map or text)', arity: [1, 1], apply: sizeOf },
  count: { form: 'count(list) or count(list, x)', arity: [1, 2], apply: count },
  first: { form: 'first(list, default)', arity: [1, 2], apply: (run, args) => endOf(run, args, 'first') },
  last: { form: 'last(list, default)', arity: [1, 2], apply: (run, args) => endOf(run, args, 'last') },
  get: { form: 'get(map, key, default)', arity: [3, 3], apply: get },
  contains: {
    form: 'contains(text or list, x)',
    arity: [2, 2],
    apply: (run, args) => {
      const texts = bothTexts(args);
      if (texts !== undefined) return containsText(run, texts);
      if (typeof args[0] === 'string') throw wrongArgument(run, args, { index: 1, wanted: 'a string' });
      return indexIn(run, listAt(run, args, 0), args[1] as Json) >= 0;
    },
  },
  indexOf: {
    form: 'indexOf(text or list, x)',
    arity: [2, 2],
    apply: (run, args) => {
      const texts = bothTexts(args);
      if (texts !== undefined) return indexOfText(run, texts);
      if (typeof args[0] === 'string') throw wrongArgument(run, args, { index: 1, wanted: 'a string' });
      return indexIn(run, listAt(run, args, 0), args[1] as Json);
    },
  },
  distinct: {
    form: 'distinct(list)',
    arity: [1, 1],
    apply: (run, args) => distinct(run, listAt(run, args, 0)),
  },
  sortBy: { form: "sortBy(list, 'field', 'desc')", arity: [1, 3], apply: sortBy },
  groupBy: {
    form: "groupBy(list, 'field')",
    arity: [2, 2],
    apply: (run, args) => groupBy(run, listAt(run, args, 0), textAt(run, args, 1)),
  },
  changes: { form: 'changes(before, after, field)', arity: [3, 3], apply: changes },
  append: {
    form: 'append(list, x)',
    arity: [2, 2],
    apply: (run, args) => {
      const list = listAt(run, args, 0);
      run.reserve(list.length + 1, 'list');
      return [...list, args[1] as Json];
    },
  },
};

/** Adds two values of the kinds that `+` takes: numbers, strings, lists. */
export function add(run: Run, a: Json, b: Json): Json {
  if (typeof a === 'string' && typeof b === 'string') {
    run.reserve(a.length + b.length, 'string');
    return a + b;
  }
  if (isList(a) && isList(b)) {
    run.reserve(a.length + b.length, 'list');
    return a.concat(b);
  }
  return compute(run, '+', [a, b]);
}
