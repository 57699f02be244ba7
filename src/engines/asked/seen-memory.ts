/**
 * What code remembers of a world that nobody computes: as much as actions and observations show without doubt.
 *
 * Screens (web, android, os): the last one. Search: results by address with title, snippet, date and the query that found
 * them, pages that were opened, and the agent's notes (`dict_memory`), which are computed. swe: texts of files that were
 * written or edited, files that were removed. The memory is what a model is given in place of forgotten turns, and what the
 * guard holds its words against. Not covered: what is only said in prose.
 */
import { isJsonObject, type Json, type JsonObject, type ToolCall } from '../../core/index.js';
import type { AskedSpec } from './asked-spec.js';

/** A result of a search. */
export interface SeenResult {
  readonly title: string;
  readonly snippet: string;
  readonly date: string;
  /** The queries of the call that showed it first. */
  readonly query: string;
}

/** The memory of a session; never changed, only replaced. */
export interface SeenMemory {
  /** Answered actions so far. */
  readonly turns: number;
  /** The last whole observation, in domains that show one screen. */
  readonly screen: string | null;
  readonly results: Readonly<Record<string, SeenResult>>;
  /** Results that one query showed the first time. */
  readonly perQuery: number | null;
  /** The beginnings of pages that were opened. */
  readonly pages: Readonly<Record<string, string>>;
  readonly notes: JsonObject;
  /** Path → text, or null for a file that was removed. */
  readonly files: Readonly<Record<string, string | null>>;
}

/** The memory of a world that nobody has looked at. */
export const NOTHING_SEEN: SeenMemory = {
  turns: 0,
  screen: null,
  results: {},
  perQuery: null,
  pages: {},
  notes: {},
  files: {},
};

const MOST_RESULTS = 500;
const MOST_PAGES = 100;
const MOST_FILES = 500;
const PAGE_CHARS = 1_000;
const SCREENS: ReadonlySet<string> = new Set(['web', 'android', 'os', 'terminal']);

/** The memory after an observation. */
export function remember(
  spec: AskedSpec,
  before: SeenMemory,
  seen: { readonly action: ToolCall; readonly observation: string; readonly isError: boolean },
): SeenMemory {
  const memory = { ...before, turns: before.turns + 1 };
  if (seen.isError) return memory;
  if (SCREENS.has(spec.domain)) return { ...memory, screen: seen.observation };
  if (spec.domain === 'search') return rememberSearch(memory, seen.action, seen.observation);
  return spec.domain === 'swe' ? rememberFiles(memory, seen.action, seen.observation) : memory;
}

function rememberSearch(memory: SeenMemory, { name, arguments: args }: ToolCall, text: string): SeenMemory {
  if (name === 'web_search') {
    const found = readResults(text);
    const queries = queriesOf(args);
    const fresh = found.filter(({ url }) => !Object.hasOwn(memory.results, url));
    const added = fresh.map(({ url, ...result }) => [url, { ...result, query: queries.join('\n') }] as const);
    const results = newest({ ...memory.results, ...Object.fromEntries(added) }, MOST_RESULTS);
    const perQuery =
      memory.perQuery ?? (found.length === 0 ? null : found.length / Math.max(1, queries.length));
    return { ...memory, results, perQuery };
  }
  if (name !== 'web_extractor' || typeof args.url !== 'string') return memory;
  return { ...memory, pages: newest({ ...memory.pages, [args.url]: text.slice(0, PAGE_CHARS) }, MOST_PAGES) };
}

/** The queries of a search call. */
export function queriesOf(args: Json): readonly string[] {
  if (!isJsonObject(args)) return [];
  const many = Array.isArray(args.queries) ? (args.queries as readonly Json[]) : [];
  return [args.query, ...many].filter((one): one is string => typeof one === 'string');
}

/** The results in a list of results, in order. */
export function readResults(
  text: string,
): readonly (Omit<SeenResult, 'query'> & { readonly url: string; readonly number: number })[] {
  return text.split(/^(?=\[\d+\][ \t])/m).flatMap((block) => {
    const head = /^\[(\d+)\][ \t]+(\S+)/.exec(block);
    if (head === null) return [];
    const field = (label: string): string =>
      new RegExp(`^${label}:[ \\t]*(.*)$`, 'm').exec(block)?.[1]?.trim() ?? '';
    const [, number = '0', url = ''] = head;
    return [
      { number: Number(number), url, title: field('Title'), snippet: field('Snippet'), date: field('Date') },
    ];
  });
}

const PATHS = ['path', 'file_path', 'filePath', 'filename', 'absolute_path', 'target_file'];
const TEXTS = ['content', 'contents', 'file_text', 'text', 'new_content'];
const OLD = ['old_string', 'old_str', 'oldText', 'old_text'];
const NEW = ['new_string', 'new_str', 'newText', 'new_text'];
const FAILED = /^\W*(?:error|failed|exception|traceback|no such|file not found|permission denied)/i;

function rememberFiles(memory: SeenMemory, { name, arguments: args }: ToolCall, text: string): SeenMemory {
  const path = textOf(args, PATHS);
  if (path === undefined || FAILED.test(text)) return memory;
  const [old, fresh, whole] = [textOf(args, OLD), textOf(args, NEW), textOf(args, TEXTS)];
  let next: string | null | undefined;
  if (/(?:delete|remove|unlink)/i.test(name)) next = null;
  else if (/(?:write|create|save|overwrite)/i.test(name) && whole !== undefined) next = whole;
  else if (old !== undefined && fresh !== undefined)
    next = edited(memory.files[path] ?? undefined, old, fresh);
  if (next === undefined) return memory;
  return { ...memory, files: newest({ ...memory.files, [path]: next }, MOST_FILES) };
}

/** The text after replacing the one place; undefined where the text is not known. */
function edited(text: string | undefined, old: string, fresh: string): string | undefined {
  const at = text?.indexOf(old) ?? -1;
  return text === undefined || at < 0
    ? undefined
    : `${text.slice(0, at)}${fresh}${text.slice(at + old.length)}`;
}

function textOf(args: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) if (typeof args[name] === 'string') return args[name];
  return undefined;
}

function newest<T>(record: Readonly<Record<string, T>>, most: number): Readonly<Record<string, T>> {
  const entries = Object.entries(record);
  return entries.length <= most ? record : Object.fromEntries(entries.slice(-most));
}
