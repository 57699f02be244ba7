/**
 * Names inside the rules of a collection: fields that are counted together, arguments that carry a version.
 *
 * A field that nothing in the file knows would make a rule that never counts anything. Known is whatever the file
 * speaks of: arguments and results of tools, rows, fields of entities, values that something sets; only where all that
 * is not enough, what inference makes of the tools is asked too. Not covered: names inside rules, which are looked at
 * when they run.
 */
import { isJsonObject, type Json } from '../core/index.js';
import { type ToolDefinition, ToolDefinitionSchema } from '../domains/index.js';
import { inferService } from '../engines/index.js';
import type { CheckContext, Placed } from './check-context.js';

type Entity = Placed<Json> & { readonly name: string };

/** Runs the checks for every entity. */
export function checkFields(context: CheckContext): void {
  for (const entity of context.members(['entities'])) {
    checkGroupFields(context, entity);
    checkVersionArgument(context, entity);
  }
}

function checkGroupFields(context: CheckContext, entity: Entity): void {
  const named = [
    ...context.items([...entity.path, 'unique']).flatMap(({ path }) => context.items([...path, 'fields'])),
    ...context.items([...entity.path, 'limits']).flatMap(({ path }) => context.items([...path, 'by'])),
  ];
  const data = context.at(['state', 'data', entity.name]);
  if (named.length === 0 || (data !== undefined && !Array.isArray(data))) return;
  const known = new Set(spokenOf(context, entity));
  const unknown = named.filter(({ value }) => typeof value === 'string' && !known.has(value));
  if (unknown.length === 0) return;
  const inferred = inferredFields(context, entity.name);
  for (const { value, path } of unknown) {
    if (typeof value !== 'string' || inferred.includes(value)) continue;
    context.unknownName(path, value, {
      noun: `field of ${entity.name}`,
      known: [...new Set([...ownFields(context, entity), ...inferred])],
    });
  }
}

/** The fields that the file gives this collection itself. */
function ownFields(context: CheckContext, entity: Entity): string[] {
  const key = context.at([...entity.path, 'key']) ?? [];
  const scope = context.at([...entity.path, 'scope']) ?? [];
  const version = context.text([...entity.path, 'version', 'field']);
  return [
    ...[key, scope].flat().filter((name): name is string => typeof name === 'string'),
    ...(version === undefined ? [] : [version]),
    ...context.members([...entity.path, 'fields']).map(({ name }) => name),
    ...context.items(['state', 'data', entity.name]).flatMap(({ value }) => namesOf(value)),
  ];
}

/** Every name of a field or argument that the file speaks of and that may be one of this collection's. */
function spokenOf(context: CheckContext, entity: Entity): string[] {
  const names: string[] = ['id', ...ownFields(context, entity)];
  for (const { path } of context.items(['tools'])) {
    for (const schema of ['inputSchema', 'outputSchema'])
      collectNames(context.at([...path, schema]), 'properties', names);
  }
  for (const part of ['overrides', 'effects', 'entities', 'shapes', 'recorded'])
    collectNames(context.at([part]), 'set', names);
  return names;
}

/** Adds the names of the members of every object called `under`, however deep. */
function collectNames(value: Json | undefined, under: string, names: string[], depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 64) return;
  for (const [name, part] of Object.entries(value)) {
    if (name === under) names.push(...namesOf(part));
    collectNames(part as Json, under, names, depth + 1);
  }
}

function namesOf(value: Json): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

function inferredFields(context: CheckContext, collection: string): readonly string[] {
  const tools = context.items(['tools']).flatMap(({ value }): ToolDefinition[] => {
    const tool = ToolDefinitionSchema.safeParse(value);
    return tool.success ? [tool.data] : [];
  });
  const { collections } = inferService({ tools, data: {}, entities: {}, overrides: {}, strict: false });
  return Object.hasOwn(collections, collection) ? Object.keys(collections[collection]?.fields ?? {}) : [];
}

/** An argument for the version that no tool has could never be given. */
function checkVersionArgument(context: CheckContext, entity: Entity): void {
  const path = [...entity.path, 'version', 'argument'];
  const name = context.text(path);
  if (name === undefined) return;
  const properties = context
    .items(['tools'])
    .map((tool) => context.at([...tool.path, 'inputSchema', 'properties']));
  if (properties.length === 0 || properties.some((one) => one !== undefined && !isJsonObject(one))) return;
  const known = [...new Set(properties.flatMap((one) => (one === undefined ? [] : namesOf(one))))];
  if (!known.includes(name)) context.unknownName(path, name, { noun: 'argument', known });
}
