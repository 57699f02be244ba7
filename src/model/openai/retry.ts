/**
 * When to try a failed call again: exponential back-off with jitter, and what the server asks for.
 *
 * `Retry-After` is seconds or a date (RFC 9110, section 10.2.3); a date in the past, zero, a negative number and
 * garbage are no reason to come back at once, so they get the normal back-off. A wait beyond the cap is not waited: the caller
 * learns at once. Waits are spread, so that callers that were refused together do not come back together (hard case
 * P-API-3).
 */
import type { CallFailure } from './call-failure.js';

/** How often and how long. */
export interface RetryPolicy {
  /** Attempts in all, the first included. Default 4. */
  readonly attempts: number;
  /** The first back-off in milliseconds; each next one is twice as long. Default 500. */
  readonly baseMs: number;
  /** The longest back-off of our own in milliseconds. Default 20,000. */
  readonly maxMs: number;
  /** The longest wait that a server may ask for, in milliseconds. Default 60,000. */
  readonly retryAfterCapMs: number;
}

/** The defaults. */
export const RETRY_POLICY: RetryPolicy = {
  attempts: 4,
  baseMs: 500,
  maxMs: 20_000,
  retryAfterCapMs: 60_000,
};

/** What to do after a failure. */
export type RetryDecision =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'give-up' }
  | { readonly do: 'quota'; readonly askedMs: number };

/** The milliseconds that a `Retry-After` value asks for; undefined for the past, for zero and for what cannot be read. */
function retryAfterMs(value: string, nowMs: number): number | undefined {
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) > 0 ? Number(text) * 1000 : undefined;
  // A date has letters; a bare negative number would be read as a year.
  const at = /[a-z]/i.test(text) && /\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) || at <= nowMs ? undefined : at - nowMs;
}

/** Decides after the failure of an attempt (from 1). `random` gives fractions 0–1. */
export function decideRetry(
  failure: CallFailure,
  attempt: number,
  by: { readonly policy: RetryPolicy; readonly nowMs: number; readonly random: () => number },
): RetryDecision {
  const { policy, nowMs, random } = by;
  if (!failure.retryable) return { do: 'give-up' };
  const asked = failure.retryAfter === undefined ? undefined : retryAfterMs(failure.retryAfter, nowMs);
  if (asked !== undefined && asked > policy.retryAfterCapMs) return { do: 'quota', askedMs: asked };
  if (attempt >= policy.attempts) return { do: 'give-up' };
  const backOff = Math.min(policy.maxMs, policy.baseMs * 2 ** (attempt - 1));
  // Never before the time that was asked for; spread behind it.
  if (asked !== undefined)
    return { do: 'wait', ms: Math.ceil(asked + random() * Math.max(backOff, asked / 4)) };
  return { do: 'wait', ms: Math.ceil(backOff / 2 + random() * (backOff / 2)) };
}
