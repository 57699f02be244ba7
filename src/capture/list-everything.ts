/**
 * Reads all that a server lists: tools, resources, resource templates and prompts, every page of each.
 *
 * Entries are kept value for value, unknown keys included (hard case P-MCP-3). Tools must be readable; the other
 * lists may be missing or fail, which is noted and never taken for an empty list. Pages, entries and time are
 * bounded, and a cursor that comes back is an error. Source: MCP pagination.
 */
import {
  CaptureError,
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  type Result,
} from '../core/index.js';
import type { ServerConnection } from './connect-server.js';

/** All that a server lists. */
export interface ServerLists {
  readonly tools: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  /** Lists that could not be read, and why. */
  readonly notes: readonly string[];
}

/** Bounds of one listing. */
export interface ListOptions {
  /** For all lists together. Default 60,000. */
  readonly timeoutMs?: number;
  /** Entries of one list. Default 10,000. */
  readonly maxEntries?: number;
}

const PAGES = 1_000;
const METHOD_NOT_FOUND = -32_601;

/** Lists everything. Fails with `capture/failed` or `capture/timeout` when the tools cannot be read. */
export async function listEverything(
  connection: ServerConnection,
  { timeoutMs = 60_000, maxEntries = 10_000 }: ListOptions = {},
): Promise<Result<ServerLists, CaptureError>> {
  const bounds = { deadlineMs: Date.now() + timeoutMs, timeoutMs, maxEntries };
  const { capabilities } = connection;
  const notes: string[] = [];
  const optional = async (method: string, key: string): Promise<readonly JsonObject[]> => {
    const read = await readPages(connection, { method, key }, bounds);
    if (read.ok) return read.value;
    if (!isUnknownMethod(read.error)) notes.push(read.error.message);
    return [];
  };
  const tools = await readPages(connection, { method: 'tools/list', key: 'tools' }, bounds);
  if (!tools.ok && !(isUnknownMethod(tools.error) && capabilities.tools === undefined)) return tools;
  const hasResources = capabilities.resources !== undefined;
  return ok({
    tools: tools.ok ? tools.value : [],
    resources: hasResources ? await optional('resources/list', 'resources') : [],
    resourceTemplates: hasResources ? await optional('resources/templates/list', 'resourceTemplates') : [],
    prompts: capabilities.prompts === undefined ? [] : await optional('prompts/list', 'prompts'),
    notes,
  });
}

interface Bounds {
  readonly deadlineMs: number;
  readonly timeoutMs: number;
  readonly maxEntries: number;
}

async function readPages(
  connection: ServerConnection,
  { method, key }: { readonly method: string; readonly key: string },
  { deadlineMs, timeoutMs, maxEntries }: Bounds,
): Promise<Result<readonly JsonObject[], CaptureError>> {
  const entries: JsonObject[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; page <= PAGES; page++) {
    const leftMs = deadlineMs - Date.now();
    if (leftMs <= 0) return fail(late(method, timeoutMs));
    let result: unknown;
    try {
      result = await connection.request(method, cursor === undefined ? {} : { cursor }, leftMs);
    } catch (cause) {
      if ((cause as { code?: unknown }).code === 'REQUEST_TIMEOUT')
        return fail(late(method, timeoutMs, cause));
      return fail(failed(method, cause));
    }
    const list = isJsonObject(result) ? (result[key] as Json | undefined) : undefined;
    if (!Array.isArray(list) || !list.every(isJsonObject)) {
      return fail(broken(`${method} answered no list of objects under "${key}" (page ${page})`));
    }
    if (entries.length + list.length > maxEntries) {
      return fail(broken(`${method} lists more than ${maxEntries} entries (maxEntries)`));
    }
    // One by one: a long page is too many arguments for one call.
    for (const entry of list) entries.push(entry);
    const next = (result as JsonObject).nextCursor;
    if (typeof next !== 'string' || next === '') return ok(entries);
    if (seen.has(next))
      return fail(broken(`${method} gives the cursor ${JSON.stringify(next)} a second time`));
    seen.add(next);
    cursor = next;
  }
  return fail(broken(`${method} has more than ${PAGES} pages`));
}

function late(method: string, timeoutMs: number, cause?: unknown): CaptureError {
  const message = `${method} was not read within ${timeoutMs / 1_000} s, the time for all lists (timeoutMs)`;
  return new CaptureError(message, { code: 'capture/timeout', cause });
}

function failed(method: string, cause: unknown): CaptureError {
  const { code } = cause as { code?: unknown };
  const why = cause instanceof Error ? cause.message : String(cause);
  if (typeof code !== 'number') return broken(`${method} failed: ${why}`, cause);
  return broken(`the server answers ${method} with the error ${code}: ${why}`, cause);
}

function broken(message: string, cause?: unknown): CaptureError {
  return new CaptureError(message, { code: 'capture/failed', cause });
}

function isUnknownMethod(error: CaptureError): boolean {
  return (error.cause as { code?: unknown } | undefined)?.code === METHOD_NOT_FOUND;
}
