/**
 * Completion for `umwelt play`: command words, tool names, then the skeleton of a tool's arguments.
 *
 * `issue_cl` completes to `issue_close `, and that to `issue_close {"number": }`. A skeleton holds the required
 * arguments in the schema's order; texts are `""`, everything else is left blank.
 */
import type { JsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';

/** What readline wants: the completions, and the part of the line they stand for. */
export type Completions = [string[], string];

/** The words that `:` commands start with, without the colon. */
export const COMMAND_WORDS = [
  'answer',
  'fork',
  'help',
  'origins',
  'quit',
  'state',
  'tool',
  'tools',
  'undo',
] as const;

/** The start of a call of a tool with its required arguments, for example `issue_close {"number": }`. */
export function callSkeleton(tool: ToolDefinition): string {
  const { required, properties } = tool.inputSchema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const known = typeof properties === 'object' && properties !== null ? (properties as JsonObject) : {};
  const parts = names.map((name) => {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    const isText = typeof schema === 'object' && schema !== null && (schema as JsonObject).type === 'string';
    return `${JSON.stringify(name)}: ${isText ? '""' : ''}`;
  });
  return `${tool.name} {${parts.join(', ')}}`;
}

/** Completes the line before the cursor. */
export function completeLine(line: string, tools: readonly ToolDefinition[]): Completions {
  const ofTool = /^:tool\s+(\S*)$/.exec(line);
  if (ofTool !== null) return [namesFrom(ofTool[1] ?? '', tools), ofTool[1] ?? ''];
  if (line.startsWith(':')) {
    const words = COMMAND_WORDS.map((word) => `:${word}`).filter((word) => word.startsWith(line));
    return [words, line];
  }
  const call = /^(\S+)\s+$/.exec(line);
  const tool = tools.find((one) => one.name === call?.[1]);
  if (tool !== undefined) return [[callSkeleton(tool)], line];
  return /\s/.test(line) ? [[], line] : [namesFrom(line, tools), line];
}

/** How many characters before its end the first blank of a skeleton is: in `get {"id": "", "n": }` the text of `id`. */
export function stepsToBlank(completion: string): number {
  const first = /^\S+ \{"(?:[^"\\]|\\.)*": "?/.exec(completion);
  return first === null ? 0 : completion.length - first[0].length;
}

/** Tool names that start with a prefix; the only one gets a space, so that the next TAB gives its skeleton. */
function namesFrom(prefix: string, tools: readonly ToolDefinition[]): string[] {
  const names = tools.map((tool) => tool.name).filter((name) => name.startsWith(prefix));
  return names.length === 1 ? names.map((name) => `${name} `) : names;
}
