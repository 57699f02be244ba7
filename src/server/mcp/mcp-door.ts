/**
 * One episode behind Streamable HTTP, for clients of both protocol eras.
 *
 * A client of 2026-07-28 has no session: each request is a server of its own. One of 2025-11-25 or older opens a
 * session with `initialize`; without one its requests are served one by one, since the address names the episode
 * already. The official library does the protocol; bodies are read here, so that they are bounded and exact.
 * Sessions that were silent long make room for new ones. Source: MCP 2025-11-25 and 2026-07-28, transports.
 */
import { randomUUID } from 'node:crypto';
import type {
  AuthInfo,
  McpHttpHandler,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { canonicalJson, isJsonObject, type Json, LIMITS, parseJson, ServiceError } from '../../core/index.js';
import type { HostedEpisode } from '../hosted-episode.js';
import { readText } from '../read-request.js';
import { argumentText } from './argument-text.js';
import { markNumbers, restoreNumbers } from './exact-numbers.js';
import { loadMcpLibrary, type McpLibrary } from './library.js';
import type { McpHandlers } from './mcp-handlers.js';
import { createMcpServer, listTools, type ServerWiring } from './mcp-server.js';
import { invalidParams } from './request-check.js';

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  seenMs: number;
}

interface Body {
  /** The parsed message, or list of messages; undefined for a request without a body. */
  readonly json: Json | undefined;
  /** The exact arguments of a call, by the id of its message. */
  readonly texts: ReadonlyMap<string | number, string>;
}

const POST = 'POST';

/** The MCP door of one episode. */
export class McpDoor {
  readonly #hosted: HostedEpisode;
  readonly #wiring: ServerWiring;
  readonly #nowMs: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #off: () => void;
  #modern: McpHttpHandler | undefined;
  #tools: string | undefined;
  #seenMs: number;

  constructor(hosted: HostedEpisode, nowMs: () => number, handlers?: McpHandlers) {
    this.#wiring = { ...WIRING, handlers };
    this.#hosted = hosted;
    this.#nowMs = nowMs;
    this.#seenMs = nowMs();
    this.#off = hosted.onTurn(() => this.#noticeTools());
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** No session is open but such as were forgotten, and no other client was here lately. */
  isSilent(nowMs: number): boolean {
    const idleMs = this.#sessions.size > 0 ? LIMITS.sessionIdleMs : LIMITS.episodeIdleMs;
    return this.#seenMs < nowMs - idleMs;
  }

  /** Answers one HTTP request. */
  async fetch(request: Request): Promise<Response> {
    this.#seenMs = this.#nowMs();
    const library = await loadMcpLibrary();
    this.#tools ??= toolsKey(this.#hosted);
    const body = request.method === POST ? await readBody(request) : NO_BODY;
    if (body === 'unreadable')
      return rpcError(400, -32_700, 'Parse error: the body is not JSON, or is too deep');
    const { json, texts } = body;
    const refused = isJsonObject(json) ? invalidParams(json) : undefined;
    if (refused !== undefined) return Response.json(refused);
    const options = {
      authInfo: carryTexts(texts),
      ...(json !== undefined && { parsedBody: json }),
    };
    const legacy = await library.isLegacyRequest(request, json);
    const response = legacy
      ? await this.#legacy(library, request, options)
      : await this.#modernHandler(library).fetch(request, options);
    return restoreNumbers(response);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    this.#off();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all([...sessions.map(({ server }) => server.close()), this.#modern?.close()]);
  }

  async #legacy(library: McpLibrary, request: Request, options: TransportOptions): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.#inSession(id, request, options);
    if (request.method !== POST) return methodNotAllowed();
    if (opensSession(options.parsedBody)) return this.#open(library, request, options);
    return this.#withoutSession(library, request, options);
  }

  async #inSession(id: string, request: Request, options: TransportOptions): Promise<Response> {
    const session = this.#sessions.get(id);
    if (session === undefined) return rpcError(404, -32_001, 'Session not found');
    // Re-inserted, so that the first of the map is the one that was silent longest.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.seenMs = this.#nowMs();
    return session.transport.handleRequest(request, options);
  }

  async #open(library: McpLibrary, request: Request, options: TransportOptions): Promise<Response> {
    this.#makeRoom();
    const id = randomUUID();
    const transport = new library.WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const server = createMcpServer(library, this.#hosted, this.#wiring);
    await server.connect(transport);
    // Set after `connect`, which has set its own.
    server.onclose = () => this.#sessions.delete(id);
    this.#sessions.set(id, { server, transport, seenMs: this.#nowMs() });
    const response = await transport.handleRequest(request, options);
    if (response.status !== 200) await server.close();
    return response;
  }

  async #withoutSession(library: McpLibrary, request: Request, options: TransportOptions): Promise<Response> {
    const transport = new library.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const revision = request.headers.get('mcp-protocol-version') ?? OLDEST_OVER_HTTP;
    const server = createMcpServer(library, this.#hosted, { ...this.#wiring, revision });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, options);
    } finally {
      await server.close();
    }
  }

  #modernHandler(library: McpLibrary): McpHttpHandler {
    this.#modern ??= library.createMcpHandler(() => createMcpServer(library, this.#hosted, this.#wiring), {
      legacy: 'reject',
      maxRequestBodySize: LIMITS.requestBytes,
    });
    return this.#modern;
  }

  #makeRoom(): void {
    const silentSinceMs = this.#nowMs() - LIMITS.sessionIdleMs;
    for (const [id, { server, seenMs }] of this.#sessions) {
      if (this.#sessions.size < LIMITS.sessionsPerEpisode && seenMs > silentSinceMs) return;
      this.#sessions.delete(id);
      void server.close();
    }
  }

  /** Tells clients when the list of tools is another one than before the turn. */
  #noticeTools(): void {
    if (this.#tools === undefined) return;
    const now = toolsKey(this.#hosted);
    if (now === this.#tools) return;
    this.#tools = now;
    this.#modern?.notify.toolsChanged();
    for (const { server } of this.#sessions.values()) server.sendToolListChanged().catch(() => undefined);
  }
}

interface TransportOptions {
  readonly authInfo: AuthInfo;
  readonly parsedBody?: unknown;
}

/** What an HTTP client speaks that names no revision. Source: MCP 2025-06-18, transports. */
const OLDEST_OVER_HTTP = '2025-03-26';
const NO_BODY: Body = { json: undefined, texts: new Map() };

async function readBody(request: Request): Promise<Body | 'unreadable'> {
  let text: string;
  try {
    text = await readText(request);
  } catch (error) {
    if (ServiceError.isInstance(error) && error.code === 'service/bad-request') return 'unreadable';
    throw error;
  }
  const json = parseJson(text);
  if (!json.ok) return 'unreadable';
  const texts = new Map<string | number, string>();
  if (isJsonObject(json.value) && json.value.method === 'tools/call') {
    const { id } = json.value;
    const sent = argumentText(text);
    if (sent !== undefined && (typeof id === 'string' || typeof id === 'number')) texts.set(id, sent);
  }
  return { json: json.value, texts };
}

/** The library passes this object on to handlers untouched; it is no authentication. */
function carryTexts(texts: Body['texts']): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { texts } };
}

const WIRING: ServerWiring = {
  carry: markNumbers,
  takeArguments: (context) => {
    const texts = context.http?.authInfo?.extra?.texts;
    return texts instanceof Map ? texts.get(context.mcpReq.id) : undefined;
  },
};

function opensSession(body: unknown): boolean {
  return isJsonObject(body) && body.method === 'initialize';
}

function toolsKey(hosted: HostedEpisode): string {
  return canonicalJson(listTools(hosted) as Json);
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

function methodNotAllowed(): Response {
  const message = 'Method not allowed: open a session with initialize first';
  const error = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  return Response.json(error, { status: 405, headers: { allow: POST } });
}
