/**
 * Reads any list of tools: real MCP servers' answers, registry files, function lists of model providers.
 *
 * A schema is taken over value for value, with its references, unions and odd roots (hard case P-MCP-3). A tool that
 * cannot be read is a problem with its place; the others are still read. Where a list says nothing about a tool's
 * arguments, any object is accepted and a warning says so. Forms of one tool: MCP (`inputSchema`), Anthropic
 * (`input_schema`), OpenAI (`function.parameters`, also flat `parameters`), simplified (`arguments: […]`).
 */
import { fail, isJsonObject, type JsonObject, ok, parseJson, type Result } from '../../core/index.js';
import { schemaOfArguments, UNKNOWN_INPUT } from './simple-arguments.js';
import { type ToolDefinition, ToolDefinitionSchema } from './tool-definition.js';
import { findToolEntries, rpcError, type ToolEntry } from './tool-entries.js';

/** Something about one tool of a list. */
export interface ToolListNote {
  /** Position among all entries, from 0. */
  readonly index: number;
  /** Where the tool stands, for example `result.tools[3]`; with the key inside it where one is meant. */
  readonly path: string;
  readonly message: string;
}

/** The tools of a list. */
export interface ToolList {
  /** In the list's order; names are unique. */
  readonly tools: readonly ToolDefinition[];
  /** Tools that were read, with something to know about them. */
  readonly warnings: readonly ToolListNote[];
  /** Entries that could not be read as tools. */
  readonly problems: readonly ToolListNote[];
}

/** Why a value gave no tools. */
export interface ToolListFailure {
  readonly message: string;
  readonly problems: readonly ToolListNote[];
}

const FORMS = 'expected a list of tools, {"tools":[…]}, a tools/list reply or one tool';

/** Reads a list of tools from parsed JSON. An explicitly empty list is a success with no tools. Never throws. */
export function readToolList(json: unknown): Result<ToolList, ToolListFailure> {
  const error = rpcError(json);
  if (error !== null) return fail({ message: `the server answered an error: ${error}`, problems: [] });
  const entries = findToolEntries(json);
  if (entries === null) return fail({ message: `no list of tools in ${seen(json)}; ${FORMS}`, problems: [] });
  const warnings: ToolListNote[] = [];
  const problems: ToolListNote[] = [];
  const tools = new Map<string, { tool: ToolDefinition; path: string }>();
  for (const [index, entry] of entries.entries()) {
    const note = (message: string, key = ''): ToolListNote => ({ index, path: entry.path + key, message });
    const read = readTool(entry);
    if ('problem' in read) {
      problems.push(note(read.problem, read.key));
      continue;
    }
    const { tool } = read;
    warnings.push(...read.warnings.map((message) => note(message)));
    const first = tools.get(tool.name);
    if (first === undefined) tools.set(tool.name, { tool, path: entry.path });
    else warnings.push(note(`the name "${tool.name}" is taken by ${first.path}; the first one is used`));
  }
  if (tools.size === 0 && problems.length > 0) {
    const [first] = problems;
    return fail({ message: `no tool could be read; ${first?.path}: ${first?.message}; ${FORMS}`, problems });
  }
  return ok({ tools: [...tools.values()].map(({ tool }) => tool), warnings, problems });
}

/** Reads a list of tools from JSON text; big integers in schemas stay exact. */
export function parseToolList(text: string): Result<ToolList, ToolListFailure> {
  const parsed = parseJson(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (!parsed.ok) return fail({ message: `not JSON: ${parsed.error.message}`, problems: [] });
  return readToolList(parsed.value);
}

function seen(json: unknown): string {
  if (!isJsonObject(json))
    return json === null ? 'null' : Array.isArray(json) ? 'a list' : `a ${typeof json}`;
  const keys = Object.keys(json).slice(0, 8);
  return keys.length === 0 ? 'an empty object' : `an object with the keys ${keys.join(', ')}`;
}

type ReadTool =
  | { readonly tool: ToolDefinition; readonly warnings: readonly string[] }
  | { readonly problem: string; readonly key?: string };

function readTool(entry: ToolEntry): ReadTool {
  if (!isJsonObject(entry.value)) return { problem: `${seen(entry.value)} where a tool should be` };
  const flat = flatten(entry.value);
  const input = readInput(flat);
  if ('problem' in input) return input;
  const { arguments: _simple, input_schema: _anthropic, parameters: _openai, ...kept } = flat;
  const dropped = withoutNulls(isJsonObject(flat.inputSchema) ? flat : kept);
  const name = dropped.name ?? entry.key;
  const tool = { ...dropped, ...(name === undefined ? {} : { name }), inputSchema: input.schema };
  const checked = ToolDefinitionSchema.safeParse(tool);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const key = issue === undefined ? '' : `.${issue.path.map(String).join('.')}`;
    return { problem: issue?.message ?? 'not a tool', key };
  }
  return { tool: tool as unknown as ToolDefinition, warnings: input.warnings };
}

/** The fields of an OpenAI `function` wrapper and the tool's own, in one object. */
function flatten(value: JsonObject): JsonObject {
  if (!isJsonObject(value.function)) return value;
  const { function: inner, type: _type, ...rest } = value;
  return { ...rest, ...inner };
}

/** Optional fields that some servers send as null mean that they are absent. */
function withoutNulls(value: JsonObject): JsonObject {
  const optional = [
    'title',
    'description',
    'annotations',
    'outputSchema',
    'inputSchema',
    'icons',
    '_meta',
    'execution',
  ];
  return Object.fromEntries(
    Object.entries(value).filter(([key, item]) => item !== null || !optional.includes(key)),
  );
}

type ReadInput =
  | { readonly schema: JsonObject; readonly warnings: readonly string[] }
  | { readonly problem: string; readonly key: string };

function readInput(flat: JsonObject): ReadInput {
  for (const key of ['inputSchema', 'input_schema', 'parameters']) {
    const schema = Object.hasOwn(flat, key) ? flat[key] : undefined;
    if (schema === undefined || schema === null) continue;
    if (isJsonObject(schema)) return { schema, warnings: [] };
    return { problem: `the input schema is ${seen(schema)}, not an object`, key: `.${key}` };
  }
  const simple = schemaOfArguments(Object.hasOwn(flat, 'arguments') ? flat.arguments : undefined);
  if (typeof simple === 'string') return { problem: simple, key: '.arguments' };
  const open = simple.schema === UNKNOWN_INPUT;
  const warning = 'nothing is said about its arguments; any object is accepted';
  return { schema: simple.schema, warnings: open ? [...simple.warnings, warning] : simple.warnings };
}
