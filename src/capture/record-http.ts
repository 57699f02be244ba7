/**
 * Stands between MCP clients and a Streamable HTTP server: a reverse proxy on the loopback interface.
 *
 * Requests, headers and bodies pass through as they are, streams chunk by chunk; each JSON-RPC message is recorded
 * once, with the number of its HTTP exchange. A replayed event (`Last-Event-ID`) is not recorded again. Only the
 * `Host` header is the server's own; therefore a request whose own `Host` is no loopback name is refused, so that no
 * web page can reach the server through here by rebinding a name. Headers are never recorded: they hold keys.
 * Source: MCP Streamable HTTP, protocols 2025-03-26 to 2026-07-28. Not covered: WebSocket, HTTP/2.
 */
import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { DataError, fail, LIMITS, ok, type Result, UsageError } from '../core/index.js';
import type { FrameRecording } from './frame-recording.js';
import { createMessageTap, type MessageTap } from './message-tap.js';
import type { HttpPlace } from './recording-line.js';

/** Which server, and where to listen. */
export interface HttpRecorderOptions {
  /** The server's MCP address, `http:` or `https:`. */
  readonly url: string;
  readonly recording: FrameRecording;
  /** Port on 127.0.0.1. Default 0: any free one. */
  readonly port?: number;
  /** Told when the server cannot be reached or breaks off. */
  readonly onProblem?: (message: string) => void;
}

/** A running proxy. */
export interface HttpRecorder {
  /** Where clients connect: the server's path on this machine. */
  readonly url: string;
  /** Ends all connections and waits until what passed is recorded. */
  close(): Promise<void>;
}

/**
 * Starts the proxy. Fails with `usage/bad-argument` for an address that is no http(s) URL and with
 * `data/unreadable` when the port cannot be had.
 */
export async function startHttpRecorder(
  options: HttpRecorderOptions,
): Promise<Result<HttpRecorder, DataError | UsageError>> {
  const target = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    const message = `the address ${JSON.stringify(options.url)} is no http:// or https:// URL`;
    return fail(new UsageError(message, { code: 'usage/bad-argument', data: { seen: options.url } }));
  }
  const proxy = new RecordingProxy(target, options);
  const server = http.createServer({ maxHeaderSize: HEADER_BYTES }, (request, response) =>
    proxy.handle(request, response),
  );
  // A stream may be silent for as long as it likes.
  server.requestTimeout = 0;
  // And an idle connection is the client's to close, or it would meet one that is just closing.
  server.keepAliveTimeout = 0;
  const failure = await listen(server, options.port ?? 0);
  if (failure !== undefined) {
    const message = `cannot listen on 127.0.0.1:${options.port ?? 0} (${failure.code ?? failure.message})`;
    return fail(new DataError(message, { code: 'data/unreadable', cause: failure }));
  }
  const { port } = server.address() as AddressInfo;
  return ok({
    url: `http://127.0.0.1:${port}${target.pathname}${target.search}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await proxy.settled();
    },
  });
}

function listen(server: Server, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
}

/** Headers of one connection, never of a message: each side has its own. */
const HOP_HEADERS = ['connection', 'keep-alive', 'proxy-connection', 'upgrade'];
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?$/i;
/** Headers of one message; more than servers take, so that the server decides and not the recorder. */
const HEADER_BYTES = 1024 * 1024;
/** Replayed events remembered, to record each message once. */
const EVENTS = 100_000;

class RecordingProxy {
  readonly #target: URL;
  readonly #recording: FrameRecording;
  readonly #onProblem: (message: string) => void;
  readonly #seen = new Set<string>();
  readonly #open = new Set<Promise<void>>();
  #exchanges = 0;

  constructor(target: URL, { recording, onProblem = () => undefined }: HttpRecorderOptions) {
    this.#target = target;
    this.#recording = recording;
    this.#onProblem = onProblem;
  }

  /** Resolves when the messages of all ended bodies are recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    if (!LOOPBACK.test(request.headers.host ?? '')) {
      response.writeHead(403, { 'content-type': 'text/plain' });
      response.end('umwelt record: the Host header must be a loopback name\n');
      return;
    }
    const place: HttpPlace = {
      exchange: ++this.#exchanges,
      method: request.method ?? 'GET',
      ...sessionOf(request),
    };
    const send = this.#target.protocol === 'https:' ? https.request : http.request;
    const onward = send({
      protocol: this.#target.protocol,
      hostname: this.#target.hostname.replace(/^\[(.*)\]$/, '$1'),
      ...(this.#target.port !== '' && { port: this.#target.port }),
      // A connection of its own: a kept one may be closing just now, and a call must not be sent twice.
      agent: false,
      maxHeaderSize: HEADER_BYTES,
      method: place.method,
      path: request.url ?? '/',
      headers: ['host', this.#target.host, ...passingHeaders(request.rawHeaders, ['host', 'expect'])],
    });
    onward.setNoDelay(true);
    onward.on('response', (answer) => this.#answer(answer, response, place));
    onward.on('error', (error) => this.#unreachable(error, response, place));
    response.on('close', () => onward.destroy());
    this.#passBody(request, onward, this.#tap(request, place, 'client->server'));
  }

  #answer(answer: IncomingMessage, response: ServerResponse, asked: HttpPlace): void {
    const status = answer.statusCode ?? 502;
    const place = { ...asked, status, ...sessionOf(answer) };
    let messages = 0;
    const tap = this.#tap(answer, place, 'server->client', () => {
      messages++;
    });
    response.writeHead(status, answer.statusMessage, passingHeaders(answer.rawHeaders, []));
    response.flushHeaders();
    let isCut = false;
    answer.once('aborted', () => {
      isCut = !response.destroyed;
      response.destroy();
    });
    this.#passBody(answer, response, {
      push: tap.push,
      end: async () => {
        await tap.end();
        // A request that got no message must not look as if it were still open.
        if (isCut) this.#note(place, ' and broke off');
        else if (messages === 0 && (status >= 400 || place.method === 'DELETE')) this.#note(place);
      },
    });
  }

  /** Hands a body on, recorded first; the reader's pace is the writer's. */
  #passBody(source: IncomingMessage, sink: NodeJS.WritableStream, tap: MessageTap): void {
    source.on('data', (chunk: Buffer) => {
      tap.push(chunk);
      if (sink.write(chunk)) return;
      source.pause();
      sink.once('drain', () => source.resume());
    });
    source.on('error', () => undefined);
    sink.on('error', () => source.destroy());
    let closing: Promise<void> | undefined;
    const endTap = (): Promise<void> => {
      closing ??= tap.end();
      return closing;
    };
    // A whole body is recorded before the other side can have seen all of it.
    source.once('end', () => {
      void endTap();
      sink.end();
    });
    const ended = new Promise<void>((resolve) => {
      source.once('close', () => void endTap().then(resolve));
    });
    this.#open.add(ended);
    void ended.then(() => this.#open.delete(ended));
  }

  #tap(
    body: IncomingMessage,
    place: HttpPlace,
    dir: 'client->server' | 'server->client',
    onRecorded: () => void = () => undefined,
  ): MessageTap {
    const headers = {
      contentType: body.headers['content-type'],
      contentEncoding: body.headers['content-encoding'],
    };
    const onTooLong = (sizeBytes: number): void => {
      onRecorded();
      const text = `a message of at least ${sizeBytes} bytes (${dir}) is over the limit of ${LIMITS.lineBytes} (lineBytes); not recorded`;
      this.#recording.append({ dir: 'http', bytes: Buffer.from(text), http: place });
      this.#onProblem(text);
    };
    const onMessage = (bytes: Uint8Array, event?: string): void => {
      onRecorded();
      if (event !== undefined && event !== '' && this.#isReplay(bytes, event, place)) return;
      this.#recording.append({ dir, bytes, http: event ? { ...place, event } : place });
    };
    return createMessageTap(headers, { onMessage, onTooLong });
  }

  #isReplay(bytes: Uint8Array, event: string, place: HttpPlace): boolean {
    const hash = createHash('sha256')
      .update(`${place.session ?? ''}\n${event}\n`)
      .update(bytes);
    const key = hash.digest('base64');
    if (this.#seen.has(key)) return true;
    if (this.#seen.size >= EVENTS) this.#seen.clear();
    this.#seen.add(key);
    return false;
  }

  #note(place: HttpPlace, more = ''): void {
    const text = `${place.method} answered ${place.status ?? 'nothing'}${more}`;
    this.#recording.append({ dir: 'http', bytes: Buffer.from(text), http: place });
  }

  #unreachable(error: Error, response: ServerResponse, place: HttpPlace): void {
    if (response.destroyed) return;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const why = (error as NodeJS.ErrnoException).code ?? error.message;
    this.#onProblem(`cannot reach ${this.#target.origin} (${why})`);
    this.#note({ ...place, status: 502 });
    response.writeHead(502, { 'content-type': 'text/plain' });
    response.end(`umwelt record: cannot reach ${this.#target.origin} (${why})\n`);
  }
}

/** Raw headers, name after value, order and case kept, without those of the connection and the ones named. */
function passingHeaders(raw: readonly string[], without: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    const key = name.toLowerCase();
    if (!HOP_HEADERS.includes(key) && !without.includes(key)) kept.push(name, value);
  }
  return kept;
}

/** The session as a short hash: enough to pair by, useless as a key. */
function sessionOf(message: IncomingMessage): { readonly session?: string } {
  const id = message.headers['mcp-session-id'];
  if (typeof id !== 'string' || id === '') return {};
  return { session: createHash('sha256').update(id).digest('hex').slice(0, 12) };
}
