/**
 * One JSON request to somebody else's server: bounded in time and size, stopped with the run, failures as values.
 *
 * For the agents that are behind HTTP. Not covered: streaming, redirects to other hosts (refused).
 */
import { isJsonObject, type Json, type JsonObject, parseJson, renderJson } from '../../core/index.js';

/** What came back. */
export type WireAnswer =
  | { readonly kind: 'json'; readonly value: JsonObject }
  /** The server answered, but not with what was asked for. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  /** There was no answer. `broke`: somebody took the connection and broke it off. */
  | { readonly kind: 'unreachable'; readonly message: string; readonly broke: boolean };

/** The most of an answer that is read, bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
const SHOWN_CHARS = 500;

/** Posts JSON. Rejects only where `signal` is aborted, with its reason. */
export async function postJson(
  url: string,
  body: Json,
  how: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<WireAnswer> {
  const signal = AbortSignal.any([how.signal, AbortSignal.timeout(how.timeoutMs)]);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...how.headers },
      body: renderJson(body),
      redirect: 'error',
      signal,
    });
    const text = await textOf(response);
    if (text === null) return refused(response, `the answer is longer than ${MAX_BYTES} bytes`);
    const read = parseJson(text);
    const value = read.ok && isJsonObject(read.value) ? read.value : null;
    if (!response.ok) return refused(response, text.slice(0, SHOWN_CHARS));
    if (value === null)
      return refused(response, `the answer is no JSON object: ${text.slice(0, SHOWN_CHARS)}`);
    return { kind: 'json', value };
  } catch (error) {
    if (how.signal.aborted) throw how.signal.reason;
    const timedOut = signal.aborted;
    const message = timedOut ? `no answer in ${how.timeoutMs} ms` : messageOf(error);
    return { kind: 'unreachable', message, broke: !timedOut && brokeOff(error) };
  }
}

/** The body as text, or null where it is too long. */
async function textOf(response: Response): Promise<string | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function refused(response: Response, message: string): WireAnswer {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    kind: 'refused',
    status: response.status,
    message,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
  };
}

/** The connection was there: names of the system and of fetch for one that was closed from the other side. */
function brokeOff(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as { readonly code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
