/**
 * Plain filler for a schema: the smallest value of its kind. Used until a richer sampler is given.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { resolvePointer } from './check-compile.js';
import { own } from './store.js';

/** The smallest value of a schema's first kind, with what is known put in by name. */
export function smallestValue(schema: JsonObject, root: JsonObject, known: JsonObject): Json {
  const target = own(schema, '$ref');
  const pointed = typeof target === 'string' ? resolvePointer(root, target) : undefined;
  if (isJsonObject(pointed)) return smallestValue(pointed, root, known);
  const [choice] = (own(schema, 'enum') as readonly Json[] | undefined) ?? [own(schema, 'const')];
  if (choice !== undefined) return choice;
  const type = own(schema, 'type');
  const [kind] = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const properties = own(schema, 'properties');
  if (kind === 'object' || isJsonObject(properties)) {
    const members = Object.entries(isJsonObject(properties) ? properties : {});
    return Object.fromEntries(
      members.map(([name, part]): [string, Json] => [
        name,
        own(known, name) ?? smallestValue(isJsonObject(part) ? part : {}, root, {}),
      ]),
    );
  }
  if (kind === 'array') return [];
  if (kind === 'integer' || kind === 'number') return Number(own(schema, 'minimum') ?? 0);
  if (kind === 'boolean') return true;
  return kind === 'null' ? null : 'n/a';
}
