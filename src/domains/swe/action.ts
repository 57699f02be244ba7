/**
 * Actions of coding agents as text: tool calls in all forms, and the forms of harnesses whose agents write commands.
 *
 * Beside the forms of tool calls (`mcp/action.ts`): one block of shell in a fence (mini-swe-agent; without
 * a label SWE-agent), `<function=name>` with
 * `<parameter=name>` elements (OpenHands, Qwen), `<execute_bash>…</execute_bash>`. A command becomes a call of `bash`. Broken
 * JSON is not repaired.
 */
import { type JsonObject, type ParsedAction, parseJson, type ToolCall } from '../../core/index.js';
import { parseToolAction } from '../mcp/action.js';
import { behindHeading, withoutChat, withoutThought } from '../said-action.js';

/** The tool that a bare command is a call of. */
const SHELL_TOOL = 'bash';

/** Reads an action. Never throws. */
export function parseSweAction(text: string): ParsedAction {
  if (parseJson(text).ok) return parseToolAction(text);
  const said = withoutThought(withoutChat(text));
  if (said === null) return parseToolAction(text);
  const found = commandsIn(said);
  const calls =
    found.length > 0 ? found : commandsIn(behindHeading(said, (part) => commandsIn(part).length > 0));
  const [first] = calls;
  if (first === undefined) return unlabelled(said, parseToolAction(text));
  if (calls.length === 1) return first;
  return {
    kind: 'malformed',
    reason: `${calls.length} commands in one action; send one at a time, as {"name":"tool","arguments":{…}} or in one fenced block`,
  };
}

/** Calls in the forms of this domain, elements first. */
function commandsIn(text: string): readonly ToolCall[] {
  const functions = functionElements(text);
  if (functions.length > 0) return functions;
  const elements = [...text.matchAll(/<(execute_bash|bash)>([\s\S]*?)<\/\1>/g)].map((found) =>
    command(found[2] ?? ''),
  );
  return elements.length > 0 ? elements : fencedCommands(text);
}

function command(text: string): ToolCall {
  return { kind: 'tool-call', name: SHELL_TOOL, arguments: { command: text.replace(/^\n|\n$/g, '') } };
}

const OPEN_FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*(?:bash|sh|shell|mswea_bash_command|console)[ \t]*\r?$/;

/** Blocks of shell: a fence with such a label, up to the same fence alone on a line. */
function fencedCommands(text: string): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  let open: { readonly mark: string; readonly lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    if (open === null) {
      const mark = OPEN_FENCE.exec(line.slice(0, 200))?.[1];
      if (mark !== undefined) open = { mark, lines: [] };
    } else if (line.trim() === open.mark) {
      calls.push(command(open.lines.join('\n')));
      open = null;
    } else open.lines.push(line);
  }
  return calls;
}

const FENCED = /^```[ \t]*\r?\n([\s\S]*?)\n?^```[ \t]*\r?$/gm;

/** The one fenced block without a label, where it holds neither JSON nor elements and nothing else could be read. */
function unlabelled(text: string, read: ParsedAction): ParsedAction {
  const blocks = read.kind === 'malformed' ? [...text.matchAll(FENCED)].map((found) => found[1] ?? '') : [];
  const [body = ''] = blocks;
  return blocks.length === 1 && /^\s*[^\s[{<"']/.test(body) ? command(body) : read;
}

const FUNCTION = /<function=([\w.-]{1,100})>/g;
const PARAMETER = /<parameter=([\w.-]{1,100})>/g;

function functionElements(text: string): readonly ToolCall[] {
  return [...text.matchAll(FUNCTION)].flatMap((found) => {
    const start = found.index + found[0].length;
    const end = text.indexOf('</function>', start);
    return end < 0
      ? []
      : [{ kind: 'tool-call' as const, name: found[1] ?? '', arguments: parameters(text.slice(start, end)) }];
  });
}

function parameters(body: string): JsonObject {
  const pairs = [...body.matchAll(PARAMETER)].flatMap((found) => {
    const start = found.index + found[0].length;
    const end = body.indexOf('</parameter>', start);
    return end < 0 ? [] : [[found[1] ?? '', body.slice(start, end).replace(/^\r?\n|\r?\n$/g, '')] as const];
  });
  return Object.fromEntries(
    pairs.map(([name, value]) => {
      // Lists and objects are written as JSON; everything else is a text or told by its schema.
      const json = /^\s*[[{]/.test(value) ? parseJson(value) : null;
      return [name, json?.ok === true ? json.value : value];
    }),
  );
}
