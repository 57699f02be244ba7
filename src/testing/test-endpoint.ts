/**
 * A model endpoint that answers what it is told to, well or badly, on a real socket of this machine.
 *
 * For tests of whatever talks to OpenAI-compatible servers. Each request takes the next reply of the script, the last one
 * again when it is used up; bytes, pauses, broken connections and silence are all part of a reply. It knows nothing of
 * models. See `misbehaviours.ts` for ready ones.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Json, parseJson } from '../core/index.js';

/** One answer of the endpoint. */
export interface EndpointReply {
  /** Default 200. */
  readonly status?: number;
  /** Default: a JSON content type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds of silence before the headers. Default 0. */
  readonly headersAfterMs?: number;
  /** The body: texts and bytes are written as they are, numbers are milliseconds of silence. Default: none. */
  readonly body?: readonly (string | Uint8Array | number)[];
  /** Then the body ends, the connection breaks, or nothing happens any more. Default `end`. */
  readonly ending?: 'end' | 'reset' | 'silence';
}

/** A request that arrived. */
export interface EndpointRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Json;
}

/** A running endpoint. */
export interface TestEndpoint {
  /** With the version, for `MODEL@BASE_URL`. */
  readonly baseUrl: string;
  /** The requests so far, in order of arrival. */
  readonly requests: readonly EndpointRequest[];
  close(): Promise<void>;
}

/** Starts an endpoint on a free port of 127.0.0.1. */
export async function startTestEndpoint(
  script: readonly EndpointReply[] | ((request: EndpointRequest, index: number) => EndpointReply),
): Promise<TestEndpoint> {
  const requests: EndpointRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('end', () => {
      const json = parseJson(Buffer.concat(chunks).toString('utf8'));
      const request = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: json.ok ? json.value : null,
      };
      requests.push(request);
      const index = requests.length - 1;
      const reply =
        typeof script === 'function'
          ? script(request, index)
          : (script[index] ?? script[script.length - 1] ?? {});
      void give(response, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

async function give(response: ServerResponse, reply: EndpointReply): Promise<void> {
  response.on('error', () => undefined);
  if (reply.headersAfterMs !== undefined) await pause(reply.headersAfterMs);
  if (response.destroyed) return;
  if (reply.ending === 'reset' && (reply.body ?? []).length === 0 && reply.status === undefined) {
    response.destroy();
    return;
  }
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
  response.flushHeaders();
  for (const piece of reply.body ?? []) {
    if (typeof piece === 'number') await pause(piece);
    else await written(response, piece);
    if (response.destroyed) return;
  }
  if (reply.ending === 'reset') response.destroy();
  else if (reply.ending !== 'silence') response.end();
}

/** Written and handed to the socket, so that pieces arrive apart. */
function written(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(piece, () => setImmediate(resolve));
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
