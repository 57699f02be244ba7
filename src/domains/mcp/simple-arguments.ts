/**
 * The simplified argument lists of some registries, turned into an input schema.
 *
 * Form: `arguments: [{name, type, desc, items?, optional?}]` (the Docker MCP registry's `tools.json`). Not optional
 * means required. An empty or absent list says nothing about the tool, since such lists are often left out, so any
 * object is accepted then.
 */
import { isJsonObject, type JsonObject } from '../../core/index.js';

/** An input schema made from a simplified list, with what was left out. */
export interface SimpleSchema {
  readonly schema: JsonObject;
  readonly warnings: readonly string[];
}

/** The schema that accepts any object: nothing is known about the arguments. */
export const UNKNOWN_INPUT: JsonObject = { type: 'object' };

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** Short names that registries and languages use for JSON types. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
]);

/** Turns a simplified list into a schema, or says (as a text) what is wrong with it. */
export function schemaOfArguments(list: unknown): SimpleSchema | string {
  if (list === null || list === undefined) return { schema: UNKNOWN_INPUT, warnings: [] };
  if (!Array.isArray(list)) return 'is not a list';
  if (list.length === 0) return { schema: UNKNOWN_INPUT, warnings: [] };
  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  const warnings: string[] = [];
  for (const [i, item] of (list as readonly unknown[]).entries()) {
    if (!isJsonObject(item) || typeof item.name !== 'string' || item.name === '') return `[${i}] has no name`;
    const { name, type, desc, optional, ...rest } = item;
    const known = readType(type);
    if (known === null)
      warnings.push(`argument "${name}" has the unknown type ${JSON.stringify(type)}; left open`);
    const description: JsonObject = typeof desc === 'string' ? { description: desc } : {};
    properties.push([name, { ...(known ?? {}), ...description, ...rest }]);
    if (optional !== true && !required.includes(name)) required.push(name);
  }
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return { schema, warnings };
}

/** `{}` where no type is given, null where it is not a JSON Schema type. */
function readType(type: unknown): JsonObject | null {
  if (type === undefined || type === null) return {};
  const names = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  const known = names.map((name) => (typeof name === 'string' ? (TYPE_NAMES.get(name) ?? name) : ''));
  if (known.length === 0 || !known.every((name) => TYPES.includes(name))) return null;
  return { type: Array.isArray(type) ? known : (known[0] ?? 'string') };
}
