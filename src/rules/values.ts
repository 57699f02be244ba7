/**
 * What the rules language knows about values: kinds, safe reading of fields, equality, order, display.
 *
 * Only own properties exist: `constructor`, `toString` or `__proto__` are never found on a map unless the data
 * itself has such a key. Walks pay per node and refuse nesting beyond {@link VALUE_DEPTH}.
 */
import { type Json, type JsonObject, LIMITS, nearestName } from '../core/index.js';
import { didYouMean } from './fault.js';
import type { Run } from './run.js';

/** The names of the kinds of values, as `type()` gives them. */
export type Kind = 'null' | 'bool' | 'number' | 'string' | 'list' | 'map';

/** How deep values may nest in walks: twice what a document may nest, since rules and worlds wrap documents. */
export const VALUE_DEPTH = 2 * LIMITS.jsonDepth;

/** True for a list. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** True for a map. */
export function isMap(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a number of either representation. */
export function isNumber(value: Json): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The kind of a value; undefined for what is not JSON (a function, a symbol, undefined). */
export function kindOf(value: Json): Kind | undefined {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'number';
    case 'string':
      return 'string';
    case 'object':
      return Array.isArray(value) ? 'list' : 'map';
    default:
      return undefined;
  }
}

/** The own, defined value under a key; undefined when there is none. Never an inherited one. */
export function ownValue(map: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The keys that have a value. The work is paid when it is known, right after. */
export function keysOf(run: Run, map: JsonObject): string[] {
  const keys = Object.keys(map);
  run.spend(keys.length);
  return keys.filter((key) => map[key] !== undefined);
}

/** Sets an own property, `__proto__` included. */
export function setOwn(map: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  } else map[key] = value;
}

/** The element of a list; an index that is negative, fractional or beyond the end is an error. */
export function elementOf(run: Run, list: readonly Json[], index: Json): Json {
  const value = typeof index === 'number' && index >= 0 ? list[index] : undefined;
  if (value !== undefined) return value;
  if (list.length === 0) throw run.error(() => `the list is empty; it has no element ${show(index)}`);
  const wanted = `an index is an integer from 0 to ${list.length - 1}`;
  throw run.error(() => `the list has no element ${show(index)}; ${wanted} here`);
}

/** The field of a map; a missing one is an error that names the nearest key. */
export function fieldOf(run: Run, target: Json, key: string): Json {
  if (isMap(target)) {
    const value = ownValue(target, key);
    if (value !== undefined) return value;
    throw missingField(run, target, key);
  }
  throw run.error(() => `a ${kindOf(target)} has no field "${shorten(key)}"; the value is ${show(target)}`);
}

function missingField(run: Run, map: JsonObject, key: string) {
  return run.error(() => {
    const keys = Object.keys(map);
    const some = keys.slice(0, 8).map(shorten).join(', ');
    const has = keys.length === 0 ? 'the map is empty' : `it has ${some}${keys.length > 8 ? ', …' : ''}`;
    return `there is no field "${shorten(key)}"; ${has}.${didYouMean(nearestName(key, keys))}`;
  });
}

/** Deep equality of any two values. Integers compare exactly, whatever their representation. */
export function equals(run: Run, a: Json, b: Json, depth = 0): boolean {
  run.spend(1);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false;
    run.spendText(a.length);
    return a === b;
  }
  if (a === b) return true;
  // biome-ignore lint/suspicious/noDoubleEquals: between a bigint and a number, == compares the exact values
  if (isNumber(a) && isNumber(b)) return a == b;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth > VALUE_DEPTH) throw tooDeep(run);
  if (isList(a)) return isList(b) && equalLists(run, [a, b], depth);
  return !isList(b) && equalMaps(run, [a as JsonObject, b as JsonObject], depth);
}

function equalLists(run: Run, [a, b]: readonly [readonly Json[], readonly Json[]], depth: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!equals(run, a[i] as Json, b[i] as Json, depth + 1)) return false;
  }
  return true;
}

function equalMaps(run: Run, [a, b]: readonly [JsonObject, JsonObject], depth: number): boolean {
  const keys = keysOf(run, a);
  if (keys.length !== keysOf(run, b).length) return false;
  for (const key of keys) {
    const other = ownValue(b, key);
    if (other === undefined || !equals(run, a[key] as Json, other, depth + 1)) return false;
  }
  return true;
}

/** Order of two numbers or two strings (by UTF-16 units): negative, 0 or positive. Other kinds are an error. */
export function order(run: Run, a: Json, b: Json): number {
  if (typeof a === 'string' && typeof b === 'string') {
    run.spendText(Math.min(a.length, b.length));
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  throw run.error(
    () =>
      `only two numbers or two strings have an order; here are ${kindOf(a)} ${show(a)} and ${kindOf(b)} ${show(b)}`,
  );
}

/** A fault for values that nest too deep to walk. */
export function tooDeep(run: Run) {
  return run.fault('rules/budget', () => `the value nests deeper than ${VALUE_DEPTH} levels`);
}

/** A short display of a value for messages, whatever its size. */
export function show(value: Json | undefined, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (typeof value === 'bigint')
    return value < 10n ** 40n && value > -(10n ** 40n) ? String(value) : 'a huge integer';
  if (typeof value !== 'object' || value === null) return shorten(String(value));
  if (depth > 1) return Array.isArray(value) ? '[…]' : '{…}';
  if (isList(value)) {
    const items = value.slice(0, 4).map((item) => show(item, depth + 1));
    return `[${items.join(', ')}${value.length > 4 ? `, … ${value.length} elements` : ''}]`;
  }
  const keys = Object.keys(value);
  const some = keys
    .slice(0, 4)
    .map((key) => `${JSON.stringify(shorten(key))}: ${show((value as JsonObject)[key], depth + 1)}`);
  return `{${some.join(', ')}${keys.length > 4 ? `, … ${keys.length} keys` : ''}}`;
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
