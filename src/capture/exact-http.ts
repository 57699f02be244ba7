/**
 * Keeps big integers exact over HTTP, and bodies bounded, for a client library that reads JSON with rounding.
 *
 * The body streams through a tap on its way into the library; a message that holds a long number is read here
 * without rounding, and takes the library's place when that delivers it. Not covered: long fractions.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, LIMITS, parseJson } from '../core/index.js';
import { createMessageTap } from './message-tap.js';

/** A transport that may hold a session. */
type SessionTransport = Transport & { terminateSession?: () => Promise<void> };

/** Exact results that wait for their delivery. */
export interface ExactResults {
  /** A `fetch` that looks at what comes back. */
  readonly fetch: typeof fetch;
  /** Lets a transport deliver the exact results. */
  wrap(transport: SessionTransport): Transport;
}

/** More results than this do not wait at once. */
const WAITING = 1_000;

/** Makes the pair of tap and delivery for one connection. */
export function createExactResults(): ExactResults {
  const waiting = new Map<unknown, JsonObject>();
  const onMessage = (bytes: Uint8Array): void => {
    const text = Buffer.from(bytes).toString('utf8');
    const json = /\d{16}/.test(text) ? parseJson(text) : undefined;
    if (!json?.ok || !isJsonObject(json.value) || !isJsonObject(json.value.result)) return;
    if (waiting.size < WAITING) waiting.set(json.value.id, json.value.result);
  };
  return {
    fetch: async (input, init) => look(await fetch(input, init), init?.method === 'POST', onMessage),
    wrap: (transport) => deliver(transport, waiting),
  };
}

function look(response: Response, bounded: boolean, onMessage: (bytes: Uint8Array) => void): Response {
  if (response.body === null || response.status !== 200) return response;
  // fetch has unpacked the body already.
  const headers = {
    contentType: response.headers.get('content-type') ?? undefined,
    contentEncoding: undefined,
  };
  const tap = createMessageTap(headers, { onMessage, onTooLong: () => undefined });
  let sizeBytes = 0;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, control) {
        sizeBytes += chunk.length;
        if (bounded && sizeBytes > LIMITS.lineBytes) {
          control.error(new Error(`an answer is longer than ${LIMITS.lineBytes} bytes (lineBytes)`));
          return;
        }
        tap.push(chunk);
        control.enqueue(chunk);
      },
      flush: () => tap.end(),
    }),
  );
  const { status, statusText } = response;
  const seen = new Response(body, { status, statusText, headers: response.headers });
  // The library compares the address of an answer after redirects.
  Object.defineProperty(seen, 'url', { value: response.url });
  return seen;
}

/** A transport that is another one, but for the results that are known exactly. */
function deliver(inner: SessionTransport, waiting: Map<unknown, JsonObject>): Transport {
  const outer: Transport = {
    start() {
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onmessage = (message, extra) => outer.onmessage?.(exact(message), extra);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    async close() {
      // A session is the server's memory of us; a polite client ends it (DELETE).
      await inner.terminateSession?.().catch(() => undefined);
      await inner.close();
    },
    ...(inner.hasPerRequestStream !== undefined && { hasPerRequestStream: inner.hasPerRequestStream }),
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  const exact = <Message extends JSONRPCMessage>(message: Message): Message => {
    if (!('id' in message) || !('result' in message)) return message;
    const result = waiting.get(message.id);
    waiting.delete(message.id);
    return result === undefined ? message : { ...message, result };
  };
  return outer;
}
