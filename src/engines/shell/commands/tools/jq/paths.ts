/**
 * Looking into values, and values with something changed inside.
 */
import { compareValues, described, isArray, isObject, JqError, type JqValue, typeOf } from './values.js';

/** `value[key]`. */
export function indexValue(value: JqValue, key: JqValue): JqValue {
  if (isObject(value) && typeof key === 'string') return value.get(key) ?? null;
  if (isArray(value) && typeof key === 'number') {
    const at = Math.floor(key);
    return value[at < 0 ? at + value.length : at] ?? null;
  }
  if (value === null && (typeof key === 'string' || typeof key === 'number' || key === null)) return null;
  if (isObject(key) && (isArray(value) || value === null || typeof value === 'string'))
    return sliceValue(value, key.get('start') ?? null, key.get('end') ?? null);
  if (isArray(value) && isArray(key)) return indices(value, key);
  const shown = typeof key === 'string' ? ` "${key}"` : '';
  throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}${shown}`);
}

/** Where a list stands inside another. */
export function indices(value: readonly JqValue[], wanted: readonly JqValue[]): JqValue {
  const found: number[] = [];
  if (wanted.length === 0) return null;
  for (let at = 0; at + wanted.length <= value.length; at++)
    if (wanted.every((one, i) => compareValues(one, value[at + i] ?? null) === 0)) found.push(at);
  return found;
}

function bounds(length: number, from: JqValue, to: JqValue): readonly [number, number] {
  const place = (value: JqValue, none: number, round: (value: number) => number): number => {
    if (value === null) return none;
    if (typeof value !== 'number')
      throw new JqError('Start and end indices of an array slice must be numbers');
    const at = value < 0 ? value + length : value;
    return Math.min(Math.max(round(at), 0), length);
  };
  const start = place(from, 0, Math.floor);
  return [start, Math.max(start, place(to, length, Math.ceil))];
}

/** `value[from:to]`. */
export function sliceValue(value: JqValue, from: JqValue, to: JqValue): JqValue {
  if (value === null) return null;
  if (typeof value === 'string') {
    const characters = [...value];
    return characters.slice(...bounds(characters.length, from, to)).join('');
  }
  if (isArray(value)) return value.slice(...bounds(value.length, from, to));
  throw new JqError(`Cannot index ${typeOf(value)} with object`);
}

/** What stands at a path; null where there is nothing. */
export function getPath(value: JqValue, path: readonly JqValue[]): JqValue {
  let here = value;
  for (const key of path) {
    if (here === null) return null;
    here = indexValue(here, key);
  }
  return here;
}

/** The largest index that may be assigned. */
const MAX_INDEX = 1 << 24;

/** The value with another at a path. */
export function setPath(value: JqValue, path: readonly JqValue[], made: JqValue): JqValue {
  const [key, ...rest] = path;
  if (key === undefined) return made;
  if (typeof key === 'string' && (value === null || isObject(value))) {
    const object = value ?? new Map<string, JqValue>();
    return new Map([
      ...(object as ReadonlyMap<string, JqValue>),
      [key, setPath((object as ReadonlyMap<string, JqValue>).get(key) ?? null, rest, made)],
    ]);
  }
  if (typeof key === 'number' && (value === null || isArray(value))) {
    const list = [...(value ?? [])] as JqValue[];
    const at = key < 0 ? key + list.length : Math.floor(key);
    if (at < 0) throw new JqError('Out of bounds negative array index');
    if (at > MAX_INDEX) throw new JqError('Array index too large');
    while (list.length < at) list.push(null);
    list[at] = setPath(list[at] ?? null, rest, made);
    return list;
  }
  if (isObject(key) && (value === null || isArray(value))) {
    const list = value ?? [];
    const [start, end] = bounds(
      (list as readonly JqValue[]).length,
      key.get('start') ?? null,
      key.get('end') ?? null,
    );
    const inside = setPath((list as readonly JqValue[]).slice(start, end), rest, made);
    if (!isArray(inside)) throw new JqError('A slice of an array can only be assigned another array');
    return [
      ...(list as readonly JqValue[]).slice(0, start),
      ...inside,
      ...(list as readonly JqValue[]).slice(end),
    ];
  }
  indexValue(value, key);
  throw new JqError(`Invalid path component ${described(key)}`);
}

/** The value without what stands at some paths. */
export function deletePaths(value: JqValue, paths: readonly (readonly JqValue[])[]): JqValue {
  let result = value;
  for (const path of [...paths].sort((a, b) => compareValues(b, a))) result = deletePath(result, path);
  return result;
}

function deletePath(value: JqValue, path: readonly JqValue[]): JqValue {
  const [key, ...rest] = path;
  if (value === null || key === undefined) return null;
  if (rest.length > 0) {
    const inner = getPath(value, [key]);
    return inner === null ? value : setPath(value, [key], deletePath(inner, rest));
  }
  if (isObject(value) && typeof key === 'string') return new Map([...value].filter(([name]) => name !== key));
  if (isArray(value) && typeof key === 'number') {
    const at = key < 0 ? key + value.length : key;
    return value.filter((_, i) => i !== at);
  }
  if (isArray(value) && isObject(key)) {
    const [start, end] = bounds(value.length, key.get('start') ?? null, key.get('end') ?? null);
    return [...value.slice(0, start), ...value.slice(end)];
  }
  throw new JqError(
    `Cannot delete field at ${isArray(value) ? 'array index of object' : 'object index of array'}`,
  );
}
