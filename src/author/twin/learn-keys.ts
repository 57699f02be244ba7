/**
 * Learns which field names the rows of a collection, where answers show another than was inferred.
 *
 * A list that shows `requestId` and no `id` has that key. Only lists and objects under names of the collection, or the
 * only list of an answer, count; a field is a key if its values are unlike in every list.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { Collection, EntitySpec, ServiceModel } from '../../engines/index.js';
import { jsonOf } from './learn-entities.js';
import type { TwinCall } from './twin-source.js';

/** The keys that answers show, by collection. */
export function learnKeys(
  model: ServiceModel,
  calls: readonly TwinCall[],
): Readonly<Record<string, EntitySpec>> {
  const keys: [string, EntitySpec][] = [];
  for (const collection of Object.values(model.collections)) {
    const [field] = collection.key;
    if (field === undefined || collection.key.length > 1 || collection.idStyle.kind === 'given') continue;
    const lists = calls
      .filter(
        ({ tool, isError }) =>
          !isError && model.plans[tool]?.collection === collection.name && isList(model, tool),
      )
      .flatMap(({ value, text }) => listsIn(value ?? jsonOf(text) ?? null, collection));
    const rows = lists.flat();
    if (rows.length === 0 || rows.some((row) => Object.hasOwn(row, field))) continue;
    const named = Object.keys(rows[0] ?? {}).find(
      (name) => isIdName(name, collection) && lists.every((list) => isUnlike(list, name)),
    );
    if (named !== undefined) keys.push([collection.name, { key: named }]);
  }
  return Object.fromEntries(keys);
}

function isList(model: ServiceModel, tool: string): boolean {
  return ['list', 'search', 'dump'].includes(model.plans[tool]?.op ?? '');
}

function listsIn(value: Json, collection: Collection): readonly (readonly JsonObject[])[] {
  if (Array.isArray(value)) {
    const rows = (value as readonly Json[]).filter(isJsonObject);
    return rows.length === value.length && rows.length > 0 ? [rows] : [];
  }
  if (!isJsonObject(value)) return [];
  const own = value[collection.name];
  const parts = own === undefined ? Object.values(value) : [own];
  return parts.flatMap((part) => (Array.isArray(part) ? listsIn(part, collection) : []));
}

function isIdName(name: string, { singular }: Collection): boolean {
  const plain = name.toLowerCase().replace(/[_-]/g, '');
  const noun = singular.toLowerCase().replace(/[^a-z0-9]/g, '');
  return ['id', 'uuid', 'key', 'number', 'slug', `${noun}id`, `${noun}key`, `${noun}number`].includes(plain);
}

function isUnlike(list: readonly JsonObject[], name: string): boolean {
  const values = list.map((row) => row[name]);
  return (
    values.every((value) => value !== undefined && typeof value !== 'object') &&
    new Set(values).size === values.length
  );
}
