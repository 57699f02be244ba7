/**
 * A client of one OpenAI-compatible endpoint: asks, reads, tries again, and gives a reply or the reason.
 *
 * A retry asks the whole question anew with an empty buffer. The key goes into one header and nowhere else. The clock
 * and chance can be given, so that waits can be tested. Measured reasons for a thin client: docs/decisions/0191.
 */
import {
  fail,
  type JsonObject,
  ok,
  type ProviderError,
  type Result,
  renderJson,
  UsageError,
} from '../../core/index.js';
import { type CallFailure, toProviderError } from './call-failure.js';
import type { ChatReply } from './chat-reply.js';
import { EXCHANGE_LIMITS, type ExchangeLimits, exchange } from './exchange.js';
import { answerReader } from './read-answer.js';
import { decideRetry, RETRY_POLICY, type RetryPolicy } from './retry.js';

/** Time and chance of a client. */
export interface ClientClock {
  /** Milliseconds since 1970 UTC; for `Retry-After` dates. */
  now(): number;
  /** Waits; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A fraction 0–1; spreads the waits. */
  random(): number;
}

/** How to reach an endpoint. */
export interface ChatClientOptions {
  /** Up to and with the version, for example `http://localhost:8000/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; never shown. */
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: Partial<ExchangeLimits>;
  readonly retry?: Partial<RetryPolicy>;
  readonly clock?: ClientClock;
  /** Ask for a stream. Default true: silence is seen sooner. */
  readonly stream?: boolean;
}

/** A reply with what it took. */
export interface AnsweredCall extends ChatReply {
  readonly attempts: number;
  /** Milliseconds spent waiting between attempts. */
  readonly waitedMs: number;
}

/** A client of one endpoint. */
export interface ChatClient {
  /** The address without credentials and query, for logs. */
  readonly endpoint: string;
  /**
   * Asks for a completion. `body` is sent as it is (model, messages, tools, temperature …) with `stream` added. Failures
   * are values: `provider/failed`, `provider/bad-reply`. Rejects with the signal's reason on an abort.
   */
  ask(
    body: JsonObject & { readonly model: string },
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Result<AnsweredCall, ProviderError>>;
}

const SYSTEM_CLOCK: ClientClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** Makes a client. Raises `usage/bad-argument` for an address that is no http or https URL. */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const url = completionsUrl(options.baseUrl);
  const endpoint = shownAddress(url);
  const clock = options.clock ?? SYSTEM_CLOCK;
  const policy = { ...RETRY_POLICY, ...options.retry };
  const limits = { ...EXCHANGE_LIMITS, ...options.limits };
  const stream = options.stream ?? true;
  const headers = headersOf(options, url);
  return {
    endpoint,
    async ask(body, { signal } = {}) {
      const usage: JsonObject = stream ? { stream_options: { include_usage: true } } : {};
      const text = renderJson({ ...usage, ...body, stream });
      const request = { url, headers, body: text, limits, signal };
      let waitedMs = 0;
      for (let attempt = 1; ; attempt++) {
        const result = await exchange(request, (head) => answerReader(head, body.model));
        if (result.ok) return ok({ ...result.value, attempts: attempt, waitedMs });
        const failure = result.error;
        const decision = decideRetry(failure, attempt, { policy, nowMs: clock.now(), random: clock.random });
        const tried = { attempts: attempt, waitedMs };
        if (decision.do === 'quota')
          return fail(toProviderError(quota(failure, decision.askedMs, policy), endpoint, tried));
        if (decision.do === 'give-up') return fail(toProviderError(failure, endpoint, tried));
        await clock.sleep(decision.ms, signal);
        waitedMs += decision.ms;
      }
    },
  };
}

function quota(failure: CallFailure, askedMs: number, policy: RetryPolicy): CallFailure {
  const message = `${failure.message}; it asks to wait ${Math.round(askedMs / 1000)} s, more than the ${Math.round(
    policy.retryAfterCapMs / 1000,
  )} s that are waited (retryAfterCapMs)`;
  return { ...failure, kind: 'quota', message, retryable: false };
}

/** The address of chat completions below a base address. Raises `usage/bad-argument` for one that is no http or https URL. */
export function completionsUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError(`the endpoint is "${baseUrl}", wanted an address such as http://localhost:8000/v1`, {
      code: 'usage/bad-argument',
      data: { seen: baseUrl },
    });
  }
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return url;
}

/** An address without credentials, query and the path of completions, for logs. */
export function shownAddress(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/chat\/completions$/, '')}`;
}

/** The headers of every request; credentials are taken out of the address. */
export function headersOf(
  options: Pick<ChatClientOptions, 'apiKey' | 'headers'>,
  url: URL,
): Record<string, string> {
  const basic =
    url.username === ''
      ? {}
      : {
          authorization: `Basic ${btoa(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)}`,
        };
  url.username = '';
  url.password = '';
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    ...basic,
    ...(options.apiKey === undefined || options.apiKey === ''
      ? {}
      : { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
  };
}
