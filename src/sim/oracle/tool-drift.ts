/**
 * Finds a tool again after its name or its arguments changed in the middle of an episode.
 *
 * A tool that is gone is looked for by its schema and its description; an argument that is gone by its own schema among
 * the new ones. What cannot be found is said so; nothing is guessed by similarity of names.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';

/**
 * The tool that is now what `old` was, or null. `before`: the tools as they were; one that was there already is another
 * tool, however alike its arguments are.
 */
export function findAgain(
  old: ToolDefinition,
  now: readonly ToolDefinition[],
  before: readonly ToolDefinition[],
): ToolDefinition | null {
  const same = now.find(({ name }) => name === old.name);
  if (same !== undefined) return same;
  const known = new Set(before.map(({ name }) => name));
  const fresh = now.filter(({ name }) => !known.has(name));
  const schema = canonicalJson(old.inputSchema);
  const alike = fresh.filter((tool) => canonicalJson(tool.inputSchema) === schema);
  const described = alike.find(({ description }) => description === old.description);
  const byWords = fresh.find(
    ({ description }) => description !== undefined && description !== '' && description === old.description,
  );
  return described ?? byWords ?? (alike.length === 1 ? (alike[0] ?? null) : null);
}

/** The arguments as the tool wants them now, or null where a required one cannot be known. */
export function fitArguments(args: JsonObject, old: ToolDefinition, now: ToolDefinition): JsonObject | null {
  const before = propertiesOf(old);
  const after = propertiesOf(now);
  const fitted: Record<string, Json> = {};
  const fresh = Object.keys(after).filter((name) => before[name] === undefined);
  for (const [name, value] of Object.entries(args)) {
    if (after[name] !== undefined) fitted[name] = value;
    else {
      const schema = canonicalJson(before[name] ?? null);
      const renamed =
        fresh.find((one) => canonicalJson(after[one] ?? null) === schema && fitted[one] === undefined) ??
        (fresh.length === 1 ? fresh[0] : undefined);
      if (renamed !== undefined) fitted[renamed] = value;
    }
  }
  const required = Array.isArray(now.inputSchema.required) ? now.inputSchema.required : [];
  for (const name of required) {
    if (typeof name !== 'string' || Object.hasOwn(fitted, name)) continue;
    const choice = onlyChoice(after[name]);
    if (choice === undefined) return null;
    fitted[name] = choice;
  }
  return fitted;
}

/** A value that the schema itself names: its default, its constant, its first choice. */
function onlyChoice(schema: Json | undefined): Json | undefined {
  if (!isJsonObject(schema)) return undefined;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  return Array.isArray(schema.enum) ? schema.enum[0] : undefined;
}

function propertiesOf(tool: ToolDefinition): Readonly<Record<string, Json>> {
  const { properties } = tool.inputSchema;
  return isJsonObject(properties) ? properties : {};
}
