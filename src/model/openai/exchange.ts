/**
 * One POST over HTTP/1.1 with limits of our own: until the headers, between pieces that count, and in all.
 *
 * Node's fetch gives up on headers and on silence after 300 s, whatever it is told (hard case P-API-4); `node:http` has
 * no such wall, and costs less. The reader of the body says which pieces count as a sign of life, since comment lines
 * of a warming-up server do not. Redirects are not followed and no proxy is used. Not covered: HTTP/2, TLS settings
 * beyond Node's own.
 */
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { fail, LIMITS, type Result } from '../../core/index.js';
import type { CallFailure } from './call-failure.js';

/** Limits of one exchange, in milliseconds and bytes. */
export interface ExchangeLimits {
  /** Until the answer's headers. A completion that is not streamed sends them when it is done. Default 600,000. */
  readonly headersMs: number;
  /** Between two pieces of the answer that count. Default 120,000. */
  readonly idleMs: number;
  /** For the whole exchange. Default 1,200,000. */
  readonly totalMs: number;
  /** Size of the answer's body. Default `LIMITS.modelReplyBytes`. */
  readonly bodyBytes: number;
}

/** The defaults. */
export const EXCHANGE_LIMITS: ExchangeLimits = {
  headersMs: 600_000,
  idleMs: 120_000,
  totalMs: 1_200_000,
  bodyBytes: LIMITS.modelReplyBytes,
};

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
}

/** Takes the body of an answer. */
export interface BodyReader<T> {
  /** Takes the next text; true if it holds something that counts as a sign of life. */
  push(text: string): boolean;
  /** The answer is complete, whatever else the server sends. */
  readonly done: boolean;
  /** The answer is whole, and only what may follow it (usage, an end mark) is missing. */
  readonly complete: boolean;
  /** The body has ended (or was complete). */
  end(): Result<T, CallFailure>;
  /** Text that had arrived; evidence for a failure. */
  partialText(): string;
}

/** What is sent where. */
export interface ExchangeRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly limits: ExchangeLimits;
  readonly signal?: AbortSignal | undefined;
}

const SOCKETS = 512;
const REST_MS = 1_000;
const AGENTS = {
  'http:': new Agent({ keepAlive: true, maxSockets: SOCKETS }),
  'https:': new SecureAgent({ keepAlive: true, maxSockets: SOCKETS }),
};

/**
 * Sends a request and reads the answer with the reader made for its head. Failures are values; rejects with the
 * signal's reason when the caller aborts.
 */
export function exchange<T>(
  asked: ExchangeRequest,
  readerFor: (head: AnswerHead) => BodyReader<T>,
): Promise<Result<T, CallFailure>> {
  return new Promise((resolve, reject) => {
    const { url, limits, signal } = asked;
    const secure = url.protocol === 'https:';
    const startedAt = performance.now();
    let reader: BodyReader<T> | undefined;
    let settled = false;
    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      for (const timer of [headersTimer, totalTimer, idleTimer]) clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const give = (result: Result<T, CallFailure>, ended: boolean): void =>
      settle(() => {
        if (!result.ok && !ended) sent.destroy();
        // The rest of a complete answer is let pass for a moment, so that the socket can be used again.
        else if (!ended) setTimeout(() => sent.destroy(), REST_MS).unref();
        resolve(result);
      });
    const failed = (failure: CallFailure): void => {
      const partialText = reader?.partialText() ?? '';
      // Silence or a break behind a whole answer costs nothing: asking again would pay for it twice.
      if (reader?.complete === true && failure.kind !== 'too-large') give(reader.end(), false);
      else give(fail(partialText === '' ? failure : { ...failure, partialText }), false);
    };
    const timeUp = (kind: 'headers-timeout' | 'idle-timeout' | 'total-timeout', limitMs: number) => () =>
      failed(timeout(kind, limitMs, performance.now() - startedAt));
    const onAbort = (): void =>
      settle(() => {
        sent.destroy();
        reject(signal?.reason);
      });

    const send = secure ? requestHttps : requestHttp;
    // Encoded once: its length is asked for, and it is sent.
    const bytes = Buffer.from(asked.body);
    const sent = send(url, {
      method: 'POST',
      agent: secure ? AGENTS['https:'] : AGENTS['http:'],
      headers: { ...asked.headers, 'content-length': String(bytes.length) },
    });
    const headersTimer = setTimeout(timeUp('headers-timeout', limits.headersMs), limits.headersMs);
    const totalTimer = setTimeout(timeUp('total-timeout', limits.totalMs), limits.totalMs);
    let idleTimer: NodeJS.Timeout | undefined;
    const alive = (): void => {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(timeUp('idle-timeout', limits.idleMs), limits.idleMs);
    };

    sent.on('error', (cause: NodeJS.ErrnoException) => failed(broken(cause, reader !== undefined)));
    sent.on('response', (answer) => {
      clearTimeout(headersTimer);
      const body = readerFor(headOf(answer));
      reader = body;
      alive();
      readBody(answer, {
        limitBytes: limits.bodyBytes,
        text: (text) => {
          if (body.push(text)) alive();
          if (body.done) give(body.end(), false);
        },
        end: () => give(body.end(), true),
        failed,
      });
    });
    if (signal?.aborted === true) onAbort();
    else {
      signal?.addEventListener('abort', onAbort, { once: true });
      sent.end(bytes);
    }
  });
}

interface BodyEvents {
  readonly limitBytes: number;
  readonly text: (text: string) => void;
  readonly end: () => void;
  readonly failed: (failure: CallFailure) => void;
}

/** Turns the body's bytes into text; a character that was cut between two pieces is whole again. */
function readBody(answer: IncomingMessage, events: BodyEvents): void {
  const decoder = new TextDecoder();
  const plain = unpacked(answer);
  let bytes = 0;
  plain.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > events.limitBytes) {
      const message = `the answer is larger than ${events.limitBytes} bytes (limit bodyBytes)`;
      events.failed({ kind: 'too-large', message, retryable: false });
      return;
    }
    events.text(decoder.decode(chunk, { stream: true }));
  });
  plain.on('end', () => {
    events.text(decoder.decode());
    if (answer.complete) events.end();
    else events.failed(broken(new Error('the connection closed'), true));
  });
  for (const stream of new Set<Readable>([answer, plain]))
    stream.on('error', (cause) => events.failed(broken(cause, true)));
  answer.on('aborted', () => events.failed(broken(new Error('the connection closed'), true)));
}

function unpacked(answer: IncomingMessage): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'gzip' || encoding === 'x-gzip') return answer.pipe(createGunzip());
  if (encoding === 'deflate') return answer.pipe(createInflate());
  return encoding === 'br' ? answer.pipe(createBrotliDecompress()) : answer;
}

function headOf(answer: IncomingMessage): AnswerHead {
  const { headers } = answer;
  return {
    status: answer.statusCode ?? 0,
    contentType: headers['content-type'] ?? '',
    retryAfter: headers['retry-after'],
    location: headers.location,
  };
}

function broken(cause: NodeJS.ErrnoException, begun: boolean): CallFailure {
  const why = cause.code === undefined ? cause.message : `${cause.message} (${cause.code})`;
  const refused = cause.code === 'ECONNREFUSED' || cause.code === 'ENOTFOUND';
  if (!begun) {
    const next = refused ? '; is the server running at this address?' : '';
    return { kind: 'network', message: `no answer: ${why}${next}`, retryable: true };
  }
  return {
    kind: 'truncated',
    message: `the connection broke in the middle of the answer: ${why}`,
    retryable: true,
  };
}

const LIMIT_NAMES = {
  'headers-timeout': ['headersMs', 'the server sent no headers'],
  'idle-timeout': ['idleMs', 'the server fell silent in the middle of its answer'],
  'total-timeout': ['totalMs', 'the answer was not complete'],
} as const;

function timeout(kind: keyof typeof LIMIT_NAMES, limitMs: number, elapsedMs: number): CallFailure {
  const [limit, what] = LIMIT_NAMES[kind];
  const message = `${what} within ${limitMs} ms (limit ${limit}; ${Math.round(elapsedMs)} ms since the request)`;
  // Time for headers and in all is what the caller allows: trying again would double it.
  return { kind, message, retryable: kind === 'idle-timeout' };
}
