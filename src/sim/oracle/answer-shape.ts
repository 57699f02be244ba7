/**
 * What a careful reader looks for in an answer: whether it can be read at all, its rows, its next page.
 *
 * Works on the structured form where there is one, else on JSON text. Names of paging fields are those that servers
 * commonly use; nothing here knows a world.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';

/** An answer of a tool as an agent sees it. */
export interface SeenAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly value?: Json;
}

/** The answer as a value: the structured form, else the JSON that the text is or begins with; undefined where none. */
export function answerValue(answer: SeenAnswer): Json | undefined {
  if (answer.value !== undefined) return answer.value;
  const read = parseJson(leadingJson(answer.text.trim()));
  return read.ok ? read.value : undefined;
}

/** The text was meant to be JSON and is not, is empty, or holds broken characters: its content is not known. */
export function isBroken(answer: SeenAnswer): boolean {
  const text = answer.text.trim();
  if (text === '' || text.includes('\ufffd')) return true;
  return /^[{[]/.test(text) && answerValue(answer) === undefined;
}

/** The part of a text up to where its first bracket closes; services write notes behind their JSON. */
function leadingJson(text: string): string {
  if (!/^[{[]/.test(text)) return text;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    if (quoted) {
      if (unit === '\\') at++;
      else if (unit === '"') quoted = false;
    } else if (unit === '"') quoted = true;
    else if (unit === '{' || unit === '[') depth++;
    else if ((unit === '}' || unit === ']') && --depth === 0) return text.slice(0, at + 1);
  }
  return text;
}

/** The rows in an answer: the longest list of objects in it, or the one object. */
export function rowsOf(value: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) return value.filter(isJsonObject);
  if (!isJsonObject(value)) return [];
  const lists = Object.values(value)
    .filter((member): member is readonly Json[] => Array.isArray(member))
    .map((list) => list.filter(isJsonObject))
    .sort((a, b) => b.length - a.length);
  const [longest] = lists;
  return longest !== undefined && longest.length > 0 ? longest : [value];
}

const CURSORS = ['next_cursor', 'nextCursor', 'next_page_token', 'nextPageToken', 'next_token', 'nextToken'];
const CURSOR_ARGUMENTS = [
  'cursor',
  'page_token',
  'pageToken',
  'next_token',
  'nextToken',
  'after',
  'start_cursor',
];
const OFFSETS = ['next_offset', 'nextOffset'];
const MORE = ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage'];
const PAGES = ['total_pages', 'totalPages', 'pages', 'page_count'];

/** The arguments that ask for the next page, or null where there is none or the tool has no such argument. */
export function nextPage(value: Json | undefined, args: JsonObject, tool: ToolDefinition): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const { properties } = tool.inputSchema;
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const info = {
    ...(isJsonObject(value.meta) ? value.meta : {}),
    ...(isJsonObject(value.pagination) ? value.pagination : {}),
    ...value,
  };
  const cursor = first(info, CURSORS);
  const cursorArgument = CURSOR_ARGUMENTS.find((name) => known.includes(name));
  if (cursor !== undefined && cursor !== null && cursor !== '' && cursorArgument !== undefined) {
    return { ...args, [cursorArgument]: cursor };
  }
  const offset = first(info, OFFSETS);
  if (typeof offset === 'number' && known.includes('offset')) return { ...args, offset };
  const pages = first(info, PAGES);
  const page = typeof info.page === 'number' ? info.page : typeof args.page === 'number' ? args.page : 1;
  const more = first(info, MORE) === true || (typeof pages === 'number' && page < pages);
  return more && known.includes('page') ? { ...args, page: page + 1 } : null;
}

function first(value: JsonObject, names: readonly string[]): Json | undefined {
  const name = names.find((one) => Object.hasOwn(value, one));
  return name === undefined ? undefined : value[name];
}
