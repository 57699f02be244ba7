/**
 * The definitions of a harness's tools, made from its profile: what a server of tools lists.
 *
 * Argument names are the harness's own; the words of descriptions are this package's.
 */
import type { Json } from '../../core/index.js';
import type { ToolDefinition } from '../mcp/tool-definition.js';
import { RESULT_TEXTS } from './result-texts.js';
import { type ProfileTool, TOOL_PROFILES, type ToolField, type ToolKind } from './tool-profiles.js';

const ABOUT: Readonly<Partial<Record<ToolKind, string>>> = {
  read: 'Shows a file with its lines.',
  write: 'Writes a whole file.',
  edit: 'Replaces a text that stands in a file.',
  'multi-edit': 'Does several replacements in one file, all or none.',
  glob: 'Finds files by a pattern of their paths.',
  grep: 'Searches the contents of files for a regular expression.',
  list: 'Lists a folder.',
  shell: 'Runs a command in bash in the project.',
  'shell-output': 'Shows new output of a command that runs in the background.',
  'shell-kill': 'Ends a command that runs in the background.',
  todo: 'Replaces the list of tasks.',
};

const TYPES: Readonly<Partial<Record<ToolField, Json>>> = {
  offset: { type: 'number' },
  limit: { type: 'number' },
  line: { type: 'number' },
  items: { type: 'array' },
};

const OPTIONAL: ReadonlySet<ToolField> = new Set(['offset', 'limit', 'folder', 'include', 'line']);

const MORE: Readonly<Partial<Record<ToolKind, Readonly<Record<string, Json>>>>> = {
  shell: {
    description: { type: 'string' },
    timeout: { type: 'number' },
    run_in_background: { type: 'boolean' },
  },
  edit: { replace_all: { type: 'boolean' } },
};

/** Names of the harnesses whose tools are computed. */
export const HARNESSES: readonly string[] = TOOL_PROFILES.map(({ name }) => name).filter((name) =>
  Object.hasOwn(RESULT_TEXTS, name),
);

/** The tools of a harness that are computed, as definitions; empty for an unknown harness. */
export function harnessTools(harness: string): ToolDefinition[] {
  const profile = TOOL_PROFILES.find(({ name }) => name === harness);
  return Object.entries(profile?.tools ?? {}).flatMap(([name, tool]) => {
    const about = ABOUT[tool.kind];
    if (about === undefined || /^Notebook/.test(name)) return [];
    return [{ name, description: about, inputSchema: schemaOf(tool) as ToolDefinition['inputSchema'] }];
  });
}

function schemaOf(tool: ProfileTool): Json {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  if (tool.by !== undefined) {
    properties[tool.by.field] = { type: 'string', enum: Object.keys(tool.by.kinds) };
    required.push(tool.by.field);
  }
  for (const [field, name] of Object.entries(tool.fields) as [ToolField, string][]) {
    properties[name] =
      name === 'view_range'
        ? { type: 'array' }
        : name === 'command' && tool.kind === 'shell' && field === 'command'
          ? {}
          : (TYPES[field] ?? { type: 'string' });
    if (!OPTIONAL.has(field) && (tool.by === undefined || field === 'path')) required.push(name);
  }
  return {
    type: 'object',
    properties: { ...properties, ...(MORE[tool.kind] ?? {}) },
    required: [...new Set(required)],
  };
}
