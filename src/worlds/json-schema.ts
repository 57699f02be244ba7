/**
 * The published JSON schema of world files, made from the one schema the loader uses.
 *
 * Editors complete and check world files with it. Every object also takes `x-` keys; the `state` of domain mcp is
 * described in full. Source: JSON Schema 2020-12. Not covered: what needs the whole file to judge (names, rules).
 */
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../core/index.js';
import { WrittenMcpStateSchema } from './mcp-state.js';
import { WrittenWorldFileSchema } from './world-file.js';

/** The JSON schema of a world file as written. The same value every time. */
export function worldJsonSchema(): JsonObject {
  const whole = fileJsonSchema(WrittenWorldFileSchema);
  const state = fileJsonSchema(WrittenMcpStateSchema);
  delete state.$schema;
  return {
    ...whole,
    title: 'Umwelt world file',
    description: 'A world for agents: what is there, what tools do, the task and how success is told.',
    if: { properties: { domain: { const: 'mcp' } }, required: ['domain'] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a JSON Schema keyword; the object is never awaited
    then: { properties: { state } },
  };
}

/** A schema as JSON Schema of a file as written: every closed object also takes `x-` keys. */
export function fileJsonSchema(schema: z.ZodType): Record<string, Json> {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input', reused: 'inline' });
  return allowUserKeys(JSON.parse(JSON.stringify(json))) as Record<string, Json>;
}

/** Lets every closed object take keys that start with `x-`. */
function allowUserKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => allowUserKeys(item));
  if (!isJsonObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) result[key] = allowUserKeys(member);
  if (result.additionalProperties === false) result.patternProperties = { '^x-': {} };
  return result;
}
