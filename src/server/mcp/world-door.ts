/**
 * A world behind Streamable HTTP: each session is an episode of its own.
 *
 * A session ends by `DELETE`, or when it was silent long and another is opened; its episode is then finished and
 * scored, and stays for those who hold the control token until the service needs its place. A client of 2026-07-28
 * has no sessions: it is told the revisions that have, and falls back; without one it uses the address of an episode.
 * Source: contracts, `/mcp/:world`.
 */
import { isJsonObject, type Json, LIMITS, parseJson } from '../../core/index.js';
import type { HostedEpisode } from '../hosted-episode.js';
import { readText } from '../read-request.js';
import type { McpDoor } from './mcp-door.js';

/** What the door needs from its service. */
export interface WorldDoorContext {
  /** Opens an episode of the world. */
  readonly open: () => Promise<HostedEpisode>;
  readonly doorOf: (hosted: HostedEpisode) => McpDoor;
  /** The wall clock, milliseconds since 1970. */
  readonly nowMs: () => number;
}

interface Session {
  readonly hosted: HostedEpisode;
  readonly door: McpDoor;
  seenMs: number;
}

type Id = string | number | null;

const SESSION_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const UNSUPPORTED_REVISION = -32_022;

/** The MCP door of one world. */
export class WorldDoor {
  readonly #context: WorldDoorContext;
  readonly #sessions = new Map<string, Session>();

  constructor(context: WorldDoorContext) {
    this.#context = context;
  }

  /** Answers one HTTP request. */
  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.#inSession(id, request);
    if (request.method !== 'POST') {
      return rpcError(405, {
        code: -32_000,
        message: 'Method not allowed: open a session with initialize first',
      });
    }
    const text = await readText(request);
    const json = parseJson(text);
    // Read once: the door of the episode gets the same request again.
    const again = new Request(request.url, { method: 'POST', headers: request.headers, body: text });
    if (json.ok && isJsonObject(json.value) && json.value.method === 'initialize') return this.#open(again);
    return json.ok
      ? noSession(json.value)
      : rpcError(400, { code: -32_700, message: 'Parse error: the body is not JSON' });
  }

  async #open(request: Request): Promise<Response> {
    await this.#endSilent();
    const hosted = await this.#context.open();
    const door = this.#context.doorOf(hosted);
    const response = await door.fetch(request);
    const id = response.headers.get('mcp-session-id');
    if (id === null) await hosted.finish().catch(() => undefined);
    else this.#sessions.set(id, { hosted, door, seenMs: this.#context.nowMs() });
    return response;
  }

  async #inSession(id: string, request: Request): Promise<Response> {
    const session = this.#sessions.get(id);
    if (session === undefined) return rpcError(404, { code: -32_001, message: 'Session not found' });
    session.seenMs = this.#context.nowMs();
    const response = await session.door.fetch(request);
    if (request.method === 'DELETE') await this.#end(id, session);
    return response;
  }

  /** Sessions stand in the order in which they were opened; a look at all of them is cheap beside opening one. */
  async #endSilent(): Promise<void> {
    const sinceMs = this.#context.nowMs() - LIMITS.sessionIdleMs;
    const silent = [...this.#sessions].filter(([, { seenMs }]) => seenMs < sinceMs);
    await Promise.all(silent.map(([id, session]) => this.#end(id, session)));
  }

  async #end(id: string, { hosted, door }: Session): Promise<void> {
    this.#sessions.delete(id);
    // An episode that was finished or deleted meanwhile needs no end.
    await hosted.finish().catch(() => undefined);
    await door.close();
  }
}

function noSession(json: Json): Response {
  const meta = isJsonObject(json) && isJsonObject(json.params) ? json.params._meta : undefined;
  const requested = isJsonObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  const id =
    isJsonObject(json) && (typeof json.id === 'string' || typeof json.id === 'number') ? json.id : null;
  if (requested === undefined) {
    return rpcError(400, { code: -32_000, message: 'Bad Request: open a session with initialize first' }, id);
  }
  const message = `Unsupported protocol version: ${String(requested).slice(0, 40)} (this address needs a session)`;
  const data = { supported: SESSION_REVISIONS, requested: String(requested) };
  return rpcError(400, { code: UNSUPPORTED_REVISION, message, data }, id);
}

function rpcError(
  status: number,
  error: { code: number; message: string; data?: unknown },
  id: Id = null,
): Response {
  const headers = status === 405 ? { allow: 'POST' } : undefined;
  return Response.json({ jsonrpc: '2.0', error, id }, { status, ...(headers !== undefined && { headers }) });
}
