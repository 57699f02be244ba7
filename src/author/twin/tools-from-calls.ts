/**
 * Tool definitions out of the calls seen, for logs that list no tools.
 *
 * An argument is required if every call that went well gave it; its type is that of the values seen. What no call
 * used cannot be known.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';

/** One call as far as tools are told by it. */
interface SeenCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly isError: boolean;
}

/** The tools that were called, in order of their first call. */
export function toolsFromCalls(calls: readonly SeenCall[]): readonly ToolDefinition[] {
  const byTool = new Map<string, SeenCall[]>();
  for (const call of calls) byTool.set(call.tool, [...(byTool.get(call.tool) ?? []), call]);
  return [...byTool]
    .filter(([name, seen]) => name !== '' && seen.some((call) => !call.isError))
    .map(
      ([name, seen]) =>
        ({
          name,
          inputSchema: objectSchema(seen.filter((call) => !call.isError).map(({ args }) => args)),
        }) as ToolDefinition,
    );
}

function objectSchema(objects: readonly JsonObject[]): JsonObject {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const properties = names.map((name): [string, Json] => [
    name,
    valueSchema(objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name] as Json] : []))),
  ]);
  const required = names.filter((name) => objects.every((object) => Object.hasOwn(object, name)));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

function valueSchema(values: readonly Json[]): JsonObject {
  const types = [...new Set(values.map((value) => typeOf(value)))];
  const lists = values.filter((value): value is readonly Json[] => Array.isArray(value)).flat();
  const objects = values.filter(isJsonObject);
  if (types.length === 1 && types[0] === 'object') return objectSchema(objects);
  if (types.length === 1 && types[0] === 'array') {
    return { type: 'array', ...(lists.length > 0 && { items: valueSchema(lists) }) };
  }
  const [only] = types;
  return types.length === 1 && only !== undefined
    ? { type: only }
    : types.length === 0
      ? {}
      : { type: types };
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'object' ? 'object' : typeof value;
}
