/**
 * What a person types in `umwelt play`, read into a command, an action, or a hint.
 *
 * Forms: `:word rest`; a JSON value (an object or list is the action itself, a string is the text it holds);
 * `tool {"json": …}`; `tool key=value …`, where a value is JSON if the tool's schema does not want text. A typing
 * slip (an unknown tool, broken JSON) is a hint and no turn; raw JSON is always sent as it is.
 */
import { type Json, type JsonObject, nearestName, parseJson, renderJson } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';

/** What a typed line means. */
export type TypedLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'command'; readonly name: string; readonly rest: string }
  | { readonly kind: 'action'; readonly action: string }
  | { readonly kind: 'hint'; readonly text: string };

/** Reads one line against the tools of the world. */
export function readTypedLine(line: string, tools: readonly ToolDefinition[]): TypedLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (text.startsWith(':')) {
    const [, name = '', rest = ''] = /^:(\S*)\s*(.*)$/s.exec(text) ?? [];
    return { kind: 'command', name, rest };
  }
  if (/^[{["]/.test(text)) return readRaw(text);
  const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return unknownTool(name, tools);
  const given = rest.startsWith('{') ? readObject(rest) : readPairs(rest, tool);
  if (typeof given === 'string') return { kind: 'hint', text: given };
  return { kind: 'action', action: renderJson({ name, arguments: given }) };
}

function readRaw(text: string): TypedLine {
  const read = parseJson(text);
  if (!read.ok) return { kind: 'hint', text: `not JSON: ${read.error.message}` };
  return { kind: 'action', action: typeof read.value === 'string' ? read.value : text };
}

function unknownTool(name: string, tools: readonly ToolDefinition[]): TypedLine {
  const near = nearestName(
    name,
    tools.map((tool) => tool.name),
  );
  const hint = near === undefined ? 'see :tools' : `did you mean ${near}?`;
  return { kind: 'hint', text: `no tool "${name}" here; ${hint} (raw JSON is sent as it is)` };
}

function readObject(text: string): JsonObject | string {
  const read = parseJson(text);
  if (!read.ok) return `the arguments are not JSON: ${read.error.message}`;
  return read.value as JsonObject;
}

/** `key=value` pairs; quotes hold spaces together. A string is what went wrong. */
function readPairs(text: string, tool: ToolDefinition): JsonObject | string {
  const pairs: [string, Json][] = [];
  const pattern = /\s*([^\s=]+)=("(?:[^"\\]|\\.)*"|'[^']*'|\{.*\}|\[.*\]|\S*)(?=\s|$)/gsy;
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, key = '', value = ''] = match;
    pairs.push([key, readPairValue(value, propertySchema(tool, key))]);
    end = match.index + whole.length;
  }
  const left = text.slice(end).trim();
  if (left !== '')
    return `cannot read "${left}"; wanted ${tool.name} {"key": value} or ${tool.name} key=value`;
  return Object.fromEntries(pairs);
}

function propertySchema(tool: ToolDefinition, key: string): JsonObject {
  const properties = tool.inputSchema.properties;
  if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, key)) return {};
  const schema = (properties as JsonObject)[key];
  return typeof schema === 'object' && schema !== null ? (schema as JsonObject) : {};
}

function readPairValue(value: string, schema: JsonObject): Json {
  if (value.startsWith("'") && value.endsWith("'") && value.length > 1) return value.slice(1, -1);
  const read = parseJson(value);
  if (!read.ok) return value;
  return schema.type === 'string' && typeof read.value !== 'string' ? value : read.value;
}
