/**
 * Connects to a real MCP server, stdio or HTTP, of either protocol era, within a bounded time.
 *
 * The official client library negotiates: `server/discover` first (2026-07-28), then the older handshake. A stdio
 * server that ends or stays silent because of the unknown first request is started once more and asked the old way.
 * Over HTTP the deprecated event-stream transport is tried last. Every way to fail has its own code and says what
 * was seen. Not covered: signing in (OAuth); a bearer token can be given.
 */
import type { Client, Transport } from '@modelcontextprotocol/client';
import { type CaptureError, fail, ok, type Result, UsageError } from '../core/index.js';
import { ChildTransport } from './child-transport.js';
import { explainFailure, isLegacySignal } from './connect-failure.js';
import { createExactResults } from './exact-http.js';

/** A program to start, or an address. */
export type ServerTarget =
  | {
      readonly command: string;
      readonly args: readonly string[];
      /** Added to the minimal environment (PATH, HOME, USER and the like). */
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      readonly url: string;
      /** Sent as `Authorization: Bearer …`; never written anywhere. */
      readonly bearerToken?: string;
    };

/** How to connect. */
export interface ConnectOptions {
  /** Until the server must have answered, from the start of the process. Default 30,000. */
  readonly startTimeoutMs?: number;
  /** How this client introduces itself. Default: umwelt. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
}

/** A connected server. */
export interface ServerConnection {
  /** As the server introduces itself; undefined where it does not. */
  readonly server: { readonly name: string; readonly version: string } | undefined;
  readonly instructions: string | undefined;
  /** The agreed revision, for example `2025-11-25`. */
  readonly protocolVersion: string;
  /** Capabilities as declared. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Sends one request; the result is as the server sent it, big integers exact. Rejects as the library does. */
  request(method: string, params: Record<string, unknown>, timeoutMs: number): Promise<unknown>;
  /** Ends the connection and the server, if it was started here. Never rejects. */
  close(): Promise<void>;
}

/** Until a server must have answered. */
const START_TIMEOUT_MS = 30_000;
/** The share of that which the first question of the new protocol may take before the old one is asked. */
const PROBE_MS = 10_000;

type Library = typeof import('@modelcontextprotocol/client');
type Mode = 'auto' | 'legacy';

/**
 * Connects. Fails with `usage/unknown-name` (no such command), `usage/bad-argument` (no URL), `capture/not-started`,
 * `capture/exited`, `capture/timeout`, `capture/refused` (401, 403), `capture/not-mcp` or `capture/failed`.
 */
export async function connectServer(
  target: ServerTarget,
  options: ConnectOptions = {},
): Promise<Result<ServerConnection, CaptureError | UsageError>> {
  if ('url' in target && !(URL.canParse(target.url) && /^https?:$/.test(new URL(target.url).protocol))) {
    const message = `the address ${JSON.stringify(target.url)} is no http:// or https:// URL`;
    return fail(new UsageError(message, { code: 'usage/bad-argument', data: { seen: target.url } }));
  }
  const library = await import('@modelcontextprotocol/client');
  const startTimeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  const deadlineMs = Date.now() + startTimeoutMs;
  const attempt = { library, target, options, startTimeoutMs };
  const first = await tryConnect({ ...attempt, mode: 'auto', leftMs: startTimeoutMs });
  if (first.ok) return first;
  const leftMs = deadlineMs - Date.now();
  if (leftMs <= 0 || !isLegacySignal(first.error)) return first;
  const second = await tryConnect({ ...attempt, mode: 'legacy', leftMs });
  if (second.ok || !('url' in target) || deadlineMs <= Date.now()) return second;
  const last = await tryConnect({
    ...attempt,
    mode: 'legacy',
    leftMs: deadlineMs - Date.now(),
    events: true,
  });
  // The first failure says more than the one of a transport that hardly anyone speaks.
  return last.ok ? last : second;
}

interface Attempt {
  readonly library: Library;
  readonly target: ServerTarget;
  readonly options: ConnectOptions;
  readonly startTimeoutMs: number;
  readonly mode: Mode;
  readonly leftMs: number;
  /** The deprecated HTTP transport with an event stream of its own. */
  readonly events?: boolean;
}

async function tryConnect(attempt: Attempt): Promise<Result<ServerConnection, CaptureError | UsageError>> {
  const { library, target, options, leftMs, mode } = attempt;
  // On stdio silence means an older server; over HTTP it means that nobody is there.
  const probe = { timeoutMs: 'url' in target ? leftMs + 1_000 : Math.min(PROBE_MS, leftMs / 2) };
  const client = new library.Client(options.clientInfo ?? { name: 'umwelt', version: '1.0.0' }, {
    capabilities: {},
    versionNegotiation: { mode, probe },
  });
  const transport = await openTransport(attempt);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StartTimeout()), leftMs);
  });
  // The library's answer to a time-out of ours comes after we have gone.
  const connecting = client.connect(transport, { timeout: leftMs + 1_000 });
  connecting.catch(() => undefined);
  try {
    await Promise.race([connecting, late]);
    return ok(connectionOf(client));
  } catch (cause) {
    const child = transport instanceof ChildTransport ? transport : undefined;
    await transport.close().catch(() => undefined);
    const { startTimeoutMs } = attempt;
    const isLate = cause instanceof StartTimeout;
    return fail(explainFailure({ target, cause, isLate, startTimeoutMs, report: child?.report() }));
  } finally {
    clearTimeout(timer);
  }
}

class StartTimeout extends Error {}

async function openTransport({ library, target, events }: Attempt): Promise<Transport> {
  if (!('url' in target)) {
    const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
    const env = { ...getDefaultEnvironment(), ...target.env };
    return new ChildTransport({ command: target.command, args: target.args, env });
  }
  const exact = createExactResults();
  const headers = new Headers();
  if (target.bearerToken !== undefined) headers.set('authorization', `Bearer ${target.bearerToken}`);
  const how = { fetch: exact.fetch, requestInit: { headers } };
  const url = new URL(target.url);
  const inner =
    events === true
      ? new library.SSEClientTransport(url, how)
      : new library.StreamableHTTPClientTransport(url, how);
  return exact.wrap(inner);
}

function connectionOf(client: Client): ServerConnection {
  const { name, version } = client.getServerVersion() ?? {};
  return {
    server: name === undefined ? undefined : { name, version: version ?? '' },
    instructions: client.getInstructions(),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    capabilities: client.getServerCapabilities() ?? {},
    request: (method, params, timeoutMs) =>
      client.request({ method, params }, ANY_RESULT, { timeout: timeoutMs, maxTotalTimeout: timeoutMs }),
    close: () => client.close().catch(() => undefined),
  };
}

/** Accepts every result as it is: what a server really sends must not be changed by a schema. */
const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'umwelt', validate: (value: unknown) => ({ value }) },
} as const;
