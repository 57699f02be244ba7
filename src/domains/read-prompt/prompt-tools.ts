/**
 * The tools that a system prompt lists, in whatever form: JSON lists, one object a line, `<tools>` blocks, fenced blocks.
 *
 * Every JSON value that reads as a list of tools or as one tool counts, outside the demonstrations; a tool needs a name and
 * a description or a schema, so that calls in examples are no tools. Not covered: tools described in prose.
 */
import { findJson, isJsonObject, type Json } from '../../core/index.js';
import type { ToolDefinition } from '../mcp/tool-definition.js';
import { readToolList } from '../mcp/tool-list.js';

/** Reads the tools of a prompt, first of each name, in order. */
export function readPromptTools(text: string): readonly ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (const { value } of findJson(text)) {
    const listed = toolsIn(value);
    for (const tool of listed) if (!tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

function toolsIn(value: Json): readonly ToolDefinition[] {
  const entries = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const isList = isJsonObject(value) && Array.isArray(value.tools);
  if (!isList && !entries.some(looksLikeTool)) return [];
  const read = readToolList(isList ? value : entries.filter(looksLikeTool));
  return read.ok ? read.value.tools : [];
}

/** A call has a name and arguments; a tool says what it is or what it takes. */
function looksLikeTool(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const inner = isJsonObject(value.function) ? value.function : value;
  if (typeof inner.name !== 'string') return false;
  const schema = inner.inputSchema ?? inner.input_schema ?? inner.parameters;
  return isJsonObject(schema as Json) || typeof inner.description === 'string';
}
