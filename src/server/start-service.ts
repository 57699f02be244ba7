/**
 * A service on a socket.
 *
 * On loopback an agent needs no token. On any other address the service starts only with both tokens given, because
 * what is reached from elsewhere must not be open by accident. Not covered: TLS; put a proxy in front of it.
 */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { WebSocketServer } from 'ws';
import { LIMITS, ServiceError } from '../core/index.js';
import { isLoopback } from './access.js';
import { serveSocket } from './openenv/openenv-socket.js';
import { errorReply } from './reply.js';
import { RequestGate } from './request-gate.js';
import { createService, type Service, type ServiceOptions } from './service.js';
import { NO_LOG } from './service-log.js';

/** Where a service listens, and how it is made. */
export interface StartOptions extends Omit<ServiceOptions, 'open' | 'url'> {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. Another than a loopback address needs `controlToken` and `agentTokens`. */
  readonly host?: string;
  /** Episodes that nobody changed for this long are forgotten, milliseconds. Default: never. */
  readonly keepMs?: number;
}

/** A service that listens. */
export interface ListeningService extends Service {
  /** For example `http://127.0.0.1:7077`. */
  readonly url: string;
}

/** Milliseconds that open connections get to end by themselves when the service closes. */
const GRACE_MS = 1_000;
const GOING_AWAY = 1001;
/** Milliseconds between two looks for idle episodes. */
const TIDY_MS = 30_000;

/** Starts a service. Rejects with `service/not-started` where it cannot or must not listen. */
export async function startService(options: StartOptions = {}): Promise<ListeningService> {
  const { port = 0, host = '127.0.0.1', ...rest } = options;
  const open = isLoopback(host);
  if (!open) needTokens(host, options);
  const shown = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  // The address of an episode holds the port, which is known only when somebody listens.
  let service: Service | undefined;
  const gate = new RequestGate();
  const server = createAdaptorServer({
    fetch: async (request: Request) => {
      await gate.enter();
      return service?.fetch(request) ?? new Response(null, { status: 503 });
    },
  }) as Server;
  server.on('connection', () => gate.connected());
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LIMITS.requestBytes });
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => socket.destroy());
    try {
      if (service === undefined) throw new ServiceError('not listening yet', { code: 'service/closed' });
      const entered = service.socketDoor(requestOf(incoming));
      sockets.handleUpgrade(incoming, socket, head, (opened) => serveSocket(opened, entered));
    } catch (error) {
      const { status } = errorReply(error);
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    }
  });
  const bound = await listen(server, { port, host: shown.replace(/^\[|\]$/g, '') });
  const url = `http://${shown}:${bound}`;
  const anyAddress = host === '0.0.0.0' || host === '::';
  const hostnames = [...(rest.hostnames ?? []), ...(open || anyAddress ? [] : [shown])];
  const made = createService({ ...rest, open, url, hostnames });
  service = made;
  const log = rest.log ?? NO_LOG;
  log.event('listening', { url, store: made.store.name, durable: made.store.durable });
  // What cannot be tidied now is tried again; a store that fails says so to those who ask for their episodes.
  const tidying = setInterval(() => made.tidy(rest.keepMs).catch(() => undefined), TIDY_MS);
  tidying.unref();
  return {
    fetch: made.fetch,
    socketDoor: made.socketDoor,
    openEpisode: made.openEpisode,
    tidy: made.tidy,
    controlToken: made.controlToken,
    store: made.store,
    url,
    close: async () => {
      clearInterval(tidying);
      log.event('closing');
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.clients) socket.close(GOING_AWAY);
      await made.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
        server.closeAllConnections();
      }, GRACE_MS);
      await closed;
      clearTimeout(timer);
      log.event('closed');
    },
  };
}

function needTokens(host: string, { controlToken, agentTokens = [] }: StartOptions): void {
  if (controlToken !== undefined && controlToken !== '' && agentTokens.length > 0) return;
  throw new ServiceError(
    `the address ${host} can be reached from other machines; set UMWELT_CONTROL_TOKEN and UMWELT_AGENT_TOKENS, or listen on 127.0.0.1`,
    { code: 'service/not-started', data: { host } },
  );
}

function listen(server: Server, where: { readonly port: number; readonly host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const hint = cause.code === 'EADDRINUSE' ? '; choose another port' : '';
      const message = `cannot listen on ${where.host} port ${where.port}: ${cause.message}${hint}`;
      reject(new ServiceError(message, { code: 'service/not-started', cause, data: where }));
    });
    server.listen(where.port, where.host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** The head of a request that asks for a socket. */
function requestOf({ headers, url = '/' }: IncomingMessage): Request {
  const given = Object.entries(headers).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as [string, string]] : [],
  );
  const host = headers.host ?? 'localhost';
  const address = URL.canParse(url, `http://${host}`) ? new URL(url, `http://${host}`) : 'http://localhost/';
  return new Request(address, { headers: given });
}
