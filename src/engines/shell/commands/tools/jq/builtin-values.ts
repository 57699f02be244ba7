/**
 * jq's functions of values alone: the input and the arguments' values give one value.
 */

import { breakTime } from '../../program/calendar.js';
import { strftime } from '../../program/strftime.js';
import { timeZone } from '../../program/time-zone.js';
import { splitText } from './arithmetic.js';
import { textOf } from './formats.js';
import { JsonReader, JsonTextError } from './json-reader.js';
import { deletePaths, indices, setPath } from './paths.js';
import {
  compareValues,
  described,
  isArray,
  isObject,
  JqError,
  type JqValue,
  sortedKeys,
  toJson,
  typeOf,
} from './values.js';

type Simple = (input: JqValue, args: readonly JqValue[]) => JqValue;

function numberOf(value: JqValue): number {
  if (typeof value !== 'number') throw new JqError(`${described(value)} number required`);
  return value;
}

function listOf(value: JqValue, what: string): readonly JqValue[] {
  if (!isArray(value)) throw new JqError(`${described(value)} cannot be ${what}, as it is not an array`);
  return value;
}

function pathsOf(value: JqValue): readonly (readonly JqValue[])[] {
  if (!isArray(value)) throw new JqError('Paths must be specified as an array');
  return value.map((path) => {
    if (!isArray(path)) throw new JqError('Path must be specified as an array');
    return path;
  });
}

function lengthOf(value: JqValue): number {
  if (value === null) return 0;
  if (typeof value === 'string') return [...value].length;
  if (typeof value === 'number') return Math.abs(value);
  if (isArray(value)) return value.length;
  if (isObject(value)) return value.size;
  throw new JqError(`${described(value)} has no length`);
}

function keysOf(value: JqValue, sorted: boolean): JqValue {
  if (isArray(value)) return value.map((_, at) => at);
  if (isObject(value)) return sorted ? sortedKeys(value) : [...value.keys()];
  throw new JqError(`${described(value)} has no keys`);
}

function has(value: JqValue, key: JqValue): boolean {
  if (isObject(value) && typeof key === 'string') return value.has(key);
  if (isArray(value) && typeof key === 'number') return key >= 0 && key < value.length;
  throw new JqError(
    `Cannot check whether ${typeOf(value)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`,
  );
}

function contains(value: JqValue, wanted: JqValue): boolean {
  if (isObject(value) && isObject(wanted))
    return [...wanted].every(([key, one]) => value.has(key) && contains(value.get(key) ?? null, one));
  if (isArray(value) && isArray(wanted))
    return wanted.every((one) =>
      value.some((other) => typeOf(other) === typeOf(one) && contains(other, one)),
    );
  if (typeof value === 'string' && typeof wanted === 'string') return value.includes(wanted);
  if (typeOf(value) === typeOf(wanted)) return compareValues(value, wanted) === 0;
  throw new JqError(`${described(value)} and ${described(wanted)} cannot have their containment checked`);
}

function parseJson(text: string): JqValue {
  try {
    const reader = new JsonReader(text);
    const value = reader.next();
    if (value === undefined) return null;
    if (reader.next() !== undefined) throw new JsonTextError('Unexpected extra JSON values');
    return value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new JqError(`${error.message} (while parsing '${text}')`);
  }
}

function flattened(value: readonly JqValue[], depth: number): JqValue[] {
  return value.flatMap((one) => (isArray(one) && depth > 0 ? flattened(one, depth - 1) : [one]));
}

/** Items with their sort keys, in order. */
function ordered(input: JqValue, keys: JqValue): { readonly item: JqValue; readonly key: JqValue }[] {
  const list = listOf(input, 'sorted');
  return list
    .map((item, at) => ({ item, key: (isArray(keys) ? keys[at] : null) ?? null }))
    .sort((a, b) => compareValues(a.key, b.key));
}

function extreme(input: JqValue, keys: JqValue, sign: 1 | -1): JqValue {
  const list = listOf(input, 'compared').map((item, at) => ({
    item,
    key: (isArray(keys) ? keys[at] : item) ?? null,
  }));
  let best = list[0];
  for (const one of list.slice(1)) {
    const order = best === undefined ? 1 : compareValues(one.key, best.key) * sign;
    if (order > 0 || (order === 0 && sign > 0)) best = one;
  }
  return best?.item ?? null;
}

function grouped(input: JqValue, keys: JqValue): JqValue {
  const groups: { readonly key: JqValue; readonly items: JqValue[] }[] = [];
  for (const { item, key } of ordered(input, keys)) {
    const last = groups[groups.length - 1];
    if (last !== undefined && compareValues(last.key, key) === 0) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups.map((group) => group.items);
}

function places(input: JqValue, wanted: JqValue): JqValue {
  if (input === null) return null;
  if (typeof input === 'string' && typeof wanted === 'string') {
    const found: number[] = [];
    if (wanted === '') return null;
    for (let at = input.indexOf(wanted); at >= 0; at = input.indexOf(wanted, at + 1))
      found.push(new TextEncoder().encode(input.slice(0, at)).length);
    return found;
  }
  if (!isArray(input)) throw new JqError(`Cannot determine indices of ${typeOf(wanted)} in ${typeOf(input)}`);
  return indices(input, isArray(wanted) ? wanted : [wanted]);
}

function implode(input: JqValue): string {
  if (!isArray(input)) throw new JqError('implode input must be an array');
  return input
    .map((code) => String.fromCodePoint(Math.min(Math.max(Math.trunc(numberOf(code)), 0), 0x10ffff)))
    .join('');
}

function brokenDown(input: JqValue): JqValue {
  const seconds = numberOf(input);
  const time = breakTime(Math.floor(seconds), 0, timeZone('UTC'));
  const fraction = seconds - Math.floor(seconds);
  return [
    time.year,
    time.month - 1,
    time.day,
    time.hour,
    time.minute,
    time.second + fraction,
    time.weekday,
    time.yearDay,
  ];
}

function secondsOf(input: JqValue): number {
  if (!isArray(input)) throw new JqError('mktime requires array of 6 numbers');
  const [year = 0, month = 0, day = 1, hour = 0, minute = 0, second = 0] = input.map(numberOf);
  return Math.floor(Date.UTC(year, month, day, hour, minute, Math.floor(second)) / 1000);
}

function timeText(input: JqValue, format: JqValue): string {
  if (typeof format !== 'string') throw new JqError('strftime/1 requires a string format');
  if (typeof input !== 'number' && !isArray(input))
    throw new JqError('strftime/1 requires parsed datetime inputs');
  return strftime(
    format,
    breakTime(typeof input === 'number' ? Math.floor(input) : secondsOf(input), 0, timeZone('UTC')),
  );
}

function timeParsed(input: JqValue, format: JqValue): JqValue {
  if (typeof input !== 'string' || typeof format !== 'string')
    throw new JqError(`strptime/1 requires string inputs and arguments`);
  const fields: Readonly<Record<string, string>> = {
    Y: '(?<Y>\\d{4})',
    m: '(?<m>\\d{1,2})',
    d: '(?<d>\\d{1,2})',
    H: '(?<H>\\d{1,2})',
    M: '(?<M>\\d{1,2})',
    S: '(?<S>\\d{1,2})',
    Z: '[A-Za-z]+',
  };
  const full = format.replace('%T', '%H:%M:%S').replace('%F', '%Y-%m-%d');
  const source = full
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/%([a-zA-Z])/g, (whole, letter) => fields[letter] ?? whole);
  const found = new RegExp(`^${source}$`).exec(input);
  if (found === null) throw new JqError(`date "${input}" does not match format "${format}"`);
  const part = (name: string, none: number): number => Number(found.groups?.[name] ?? none);
  return brokenDown(
    Date.UTC(part('Y', 1900), part('m', 1) - 1, part('d', 1), part('H', 0), part('M', 0), part('S', 0)) /
      1000,
  );
}

const round =
  (body: (value: number) => number): Simple =>
  (input) =>
    body(numberOf(input));

/** The functions by name and number of arguments. */
export const BUILTIN_VALUES: Readonly<Record<string, Simple>> = {
  'length/0': lengthOf,
  'utf8bytelength/0': (input) => {
    if (typeof input !== 'string')
      throw new JqError(`${described(input)} only strings have UTF-8 byte length`);
    return new TextEncoder().encode(input).length;
  },
  'type/0': typeOf,
  'keys/0': (input) => keysOf(input, true),
  'keys_unsorted/0': (input) => keysOf(input, false),
  'has/1': (input, [key = null]) => has(input, key),
  'contains/1': (input, [wanted = null]) => contains(input, wanted),
  'tostring/0': textOf,
  'tojson/0': (input) => toJson(input),
  'fromjson/0': (input) => {
    if (typeof input !== 'string') throw new JqError(`${described(input)} only strings can be parsed`);
    return parseJson(input);
  },
  'tonumber/0': (input) => {
    if (typeof input === 'number') return input;
    if (typeof input !== 'string') throw new JqError(`${described(input)} cannot be parsed as a number`);
    return parseJson(input);
  },
  'ascii/0': (input) => String.fromCharCode(numberOf(input)),
  'explode/0': (input) => {
    if (typeof input !== 'string') throw new JqError(`${described(input)} cannot be exploded`);
    return [...input].map((one) => one.codePointAt(0) ?? 0);
  },
  'implode/0': implode,
  'split/1': (input, [by = null]) => {
    if (typeof input !== 'string' || typeof by !== 'string')
      throw new JqError('split input and separator must be strings');
    return splitText(input, by);
  },
  '_ltrimstr/1': (input, [start = null]) =>
    typeof input === 'string' && typeof start === 'string' && input.startsWith(start)
      ? input.slice(start.length)
      : input,
  '_rtrimstr/1': (input, [end = null]) =>
    typeof input === 'string' && typeof end === 'string' && end !== '' && input.endsWith(end)
      ? input.slice(0, -end.length)
      : input,
  'startswith/1': (input, [start = null]) => {
    if (typeof input !== 'string' || typeof start !== 'string')
      throw new JqError('startswith() requires string inputs');
    return input.startsWith(start);
  },
  'endswith/1': (input, [end = null]) => {
    if (typeof input !== 'string' || typeof end !== 'string')
      throw new JqError('endswith() requires string inputs');
    return input.endsWith(end);
  },
  'indices/1': (input, [wanted = null]) => places(input, wanted),
  '_indices/1': (input, [wanted = null]) => places(input, wanted),
  'setpath/2': (input, [path = null, value = null]) => setPath(input, listOf(path, 'used as a path'), value),
  'delpaths/1': (input, [paths = null]) => deletePaths(input, pathsOf(paths)),
  'sort/0': (input) => ordered(input, input).map((one) => one.item),
  '_sort_by/1': (input, [keys = null]) => ordered(input, keys).map((one) => one.item),
  '_group_by/1': (input, [keys = null]) => grouped(input, keys),
  'min/0': (input) => extreme(input, input, -1),
  'max/0': (input) => extreme(input, input, 1),
  '_min_by/1': (input, [keys = null]) => extreme(input, keys, -1),
  '_max_by/1': (input, [keys = null]) => extreme(input, keys, 1),
  '_flatten/1': (input, [depth = null]) => {
    if (isObject(input)) return flattened([...input.values()], numberOf(depth));
    if (!isArray(input)) throw new JqError(`Cannot iterate over ${described(input)}`);
    return flattened(input, numberOf(depth));
  },
  'infinite/0': () => Number.POSITIVE_INFINITY,
  'nan/0': () => Number.NaN,
  'isinfinite/0': (input) => Math.abs(numberOf(input)) === Number.POSITIVE_INFINITY,
  'isnan/0': (input) => Number.isNaN(numberOf(input)),
  'isnormal/0': (input) =>
    Number.isFinite(numberOf(input)) && Math.abs(numberOf(input)) >= 2.2250738585072014e-308,
  'floor/0': round(Math.floor),
  'ceil/0': round(Math.ceil),
  'round/0': round((value) => (value < 0 ? -Math.round(-value) : Math.round(value))),
  'trunc/0': round(Math.trunc),
  'fabs/0': round(Math.abs),
  'sqrt/0': round(Math.sqrt),
  'exp/0': round(Math.exp),
  'exp2/0': round((value) => 2 ** value),
  'exp10/0': round((value) => 10 ** value),
  'log/0': round(Math.log),
  'log2/0': round(Math.log2),
  'log10/0': round(Math.log10),
  'sin/0': round(Math.sin),
  'cos/0': round(Math.cos),
  'tan/0': round(Math.tan),
  'atan/0': round(Math.atan),
  'pow/2': (_, [base = null, exponent = null]) => numberOf(base) ** numberOf(exponent),
  'gmtime/0': brokenDown,
  'localtime/0': brokenDown,
  'mktime/0': secondsOf,
  'strftime/1': (input, [format = null]) => timeText(input, format),
  'strflocaltime/1': (input, [format = null]) => timeText(input, format),
  'strptime/1': (input, [format = null]) => timeParsed(input, format),
};
