/**
 * What can go wrong in one call of an endpoint, as a value with everything a caller needs to decide and to explain.
 *
 * A failure is never an empty answer: what had arrived before it is kept as evidence and goes nowhere else (hard case
 * P-API-2). Whether trying again can help is decided here, once.
 */
import { ProviderError } from '../../core/index.js';

/** How a call failed. */
export const FAILURE_KINDS = [
  /** The server answered with an error status. */
  'http',
  /** Status 200, and an error in the body. */
  'error-in-body',
  /** An error event in the stream. */
  'stream-error',
  /** The stream or body ended before the answer was complete. */
  'truncated',
  /** The body is not what an endpoint answers (HTML, broken JSON). */
  'bad-body',
  /** A well-formed answer without any choice. */
  'no-choice',
  /** The answer is larger than the limit. */
  'too-large',
  /** No connection, or one that broke before the answer began. */
  'network',
  'headers-timeout',
  'idle-timeout',
  'total-timeout',
  /** The server asked to wait longer than the cap. */
  'quota',
  /** The caller's own budget of tokens or cost is used up. */
  'budget',
] as const;

/** One of {@link FAILURE_KINDS}. */
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A failed call. */
export interface CallFailure {
  readonly kind: FailureKind;
  /** One sentence: what was seen, what was wanted. */
  readonly message: string;
  /** Trying again may help. */
  readonly retryable: boolean;
  readonly status?: number;
  /** The `Retry-After` header as it came. */
  readonly retryAfter?: string;
  /** Text of the answer that had arrived; evidence only. */
  readonly partialText?: string;
}

/** What is told of the attempts when a call is given up. */
export interface Attempts {
  readonly attempts: number;
  /** Milliseconds spent waiting between attempts. */
  readonly waitedMs: number;
}

const BAD_REPLY: readonly FailureKind[] = ['bad-body', 'no-choice', 'truncated', 'too-large'];

/** The failure as an error value; `data.kind`, `data.retryable`, `data.attempts` and `data.partialText` hold evidence. */
export function toProviderError(failure: CallFailure, endpoint: string, tried: Attempts): ProviderError {
  const { message, ...evidence } = failure;
  const times = tried.attempts === 1 ? '' : ` (${tried.attempts} attempts, ${tried.waitedMs} ms of waiting)`;
  return new ProviderError(`${endpoint}: ${message}${times}`, {
    code: BAD_REPLY.includes(failure.kind) ? 'provider/bad-reply' : 'provider/failed',
    data: { ...evidence, ...tried },
  });
}

/** 520 to 524 are a gateway's that did not reach the server; 529 is "overloaded". */
const RETRYABLE_STATUS: ReadonlySet<number> = new Set([
  408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529,
]);

/** Whether an answer of this status may be another one next time. */
export function isRetryableStatus(status: number): boolean {
  return RETRYABLE_STATUS.has(status);
}

/** The message in an error body of any of the usual shapes; the text itself where it has none. */
export function errorText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  const { error, message, detail } = value as Record<string, unknown>;
  for (const part of [message, detail, error]) {
    if (typeof part === 'string' && part !== '') return part;
  }
  return error === undefined || error === null ? JSON.stringify(value) : errorText(error);
}

/** The status that an error inside a body names, or undefined. */
function statusIn(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { error, code, status, type } = value as Record<string, unknown>;
  if (typeof error === 'object' && error !== null) return statusIn(error);
  for (const part of [code, status]) {
    const number = typeof part === 'string' ? Number(part) : part;
    if (typeof number === 'number' && number >= 400 && number <= 599) return number;
  }
  return /rate.?limit/i.test(`${String(type)} ${String(code)}`) ? 429 : undefined;
}

/** A failure told inside an answer of status 200. Without a status of its own it is taken for the server's. */
export function failureInside(kind: 'error-in-body' | 'stream-error', value: unknown): CallFailure {
  const status = statusIn(value);
  const said = errorText(value).slice(0, 1_000);
  return {
    kind,
    message: `the server answered 200 and then an error${status === undefined ? '' : ` ${status}`}: ${said}`,
    retryable: status === undefined || isRetryableStatus(status),
    ...(status === undefined ? {} : { status }),
  };
}
