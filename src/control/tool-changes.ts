/**
 * Changes of the list of tools that an agent sees: renamed, removed, described anew, with other arguments.
 *
 * The idea: the engine keeps its own list; an agent sees a changed one, and its calls are translated back. Changes
 * are plain JSON, so that they are part of forks and snapshots. Source: Model Context Protocol, server/tools
 * (`notifications/tools/list_changed`). Not covered: output schemas, which stay.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/index.js';

/** A tool as it is listed; members beside these are kept. */
export interface ToolEntry {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
}

/** One change of one tool, named as the list has it when the change is made. A plain JSON value. */
export type ToolChange = {
  readonly tool: string;
  /** Its new name. */
  readonly to?: string;
  readonly removed?: boolean;
  readonly description?: string;
  /** Arguments that have a new name: old → new. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** New arguments that the service itself does not know, with their schemas. */
  readonly added?: JsonObject;
  /** Those of `added` that must be given. */
  readonly required?: readonly string[];
  /** Arguments that must now be given as text. */
  readonly asText?: readonly string[];
};

/** A tool of the changed list and how its calls get back. */
export interface ListedTool {
  readonly entry: ToolEntry;
  /** The name that the engine knows. */
  readonly original: string;
  /** New argument name → the engine's. */
  readonly back: ReadonlyMap<string, string>;
  /** Arguments that the engine does not know. */
  readonly extra: ReadonlySet<string>;
  /** Arguments (the engine's names) that arrive as text. */
  readonly asText: ReadonlySet<string>;
}

/** The list as an agent sees it after the changes, in the order of the original. Pure. */
export function changeTools(
  tools: readonly ToolEntry[],
  changes: readonly ToolChange[],
): readonly ListedTool[] {
  let list: readonly ListedTool[] = tools.map((entry) => ({
    entry,
    original: entry.name,
    back: new Map(),
    extra: new Set(),
    asText: new Set(),
  }));
  for (const change of changes) {
    list = list.flatMap((tool) => (tool.entry.name === change.tool ? changed(tool, change) : [tool]));
  }
  return list;
}

function changed(tool: ListedTool, change: ToolChange): ListedTool[] {
  if (change.removed === true) return [];
  const { renamed = {}, added = {}, asText = [] } = change;
  const back = new Map(tool.back);
  for (const [old, fresh] of Object.entries(renamed)) {
    back.set(fresh, tool.back.get(old) ?? old);
    back.delete(old);
  }
  return [
    {
      entry: {
        ...tool.entry,
        ...(change.to !== undefined && { name: change.to }),
        ...(change.description !== undefined && { description: change.description }),
        inputSchema: changedSchema(tool.entry.inputSchema, change),
      },
      original: tool.original,
      back,
      extra: new Set([...tool.extra, ...Object.keys(added)]),
      asText: new Set([...tool.asText, ...asText.map((name) => tool.back.get(name) ?? name)]),
    },
  ];
}

function changedSchema(schema: JsonObject, change: ToolChange): JsonObject {
  const { renamed = {}, added = {}, required = [], asText = [] } = change;
  if (Object.keys(renamed).length + Object.keys(added).length + asText.length === 0) return schema;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const nameOf = (name: string): string => (Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name);
  const kept = Object.entries(properties).map(([name, property]): [string, Json] => [
    nameOf(name),
    asText.includes(name)
      ? { ...(isJsonObject(property) ? described(property) : {}), type: 'string' }
      : property,
  ]);
  const needed = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  return {
    ...schema,
    properties: { ...Object.fromEntries(kept), ...added },
    required: [...needed.map((name) => (typeof name === 'string' ? nameOf(name) : name)), ...required],
  };
}

function described(property: JsonObject): JsonObject {
  const { description } = property;
  return description === undefined ? {} : { description };
}

/** A call with the changed list's names as the engine knows it, and the arguments that only the list knows. */
export function translateCall(
  tool: ListedTool,
  args: JsonObject,
): { readonly name: string; readonly arguments: JsonObject; readonly extra: JsonObject } {
  const own: [string, Json][] = [];
  const extra: [string, Json][] = [];
  for (const [name, value] of Object.entries(args)) {
    const known = tool.back.get(name) ?? name;
    if (tool.extra.has(name)) extra.push([name, value]);
    else own.push([known, tool.asText.has(known) ? fromText(value) : value]);
  }
  return { name: tool.original, arguments: Object.fromEntries(own), extra: Object.fromEntries(extra) };
}

function fromText(value: Json): Json {
  if (typeof value !== 'string') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
}
