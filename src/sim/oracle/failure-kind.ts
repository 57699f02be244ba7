/**
 * What kind of failure an error text tells of, as a careful caller would read it.
 *
 * `rate-limit` nothing happened, wait and try again · `lost` whether it happened is not known (a time-out, a broken
 * connection, a server error) · `permanent` trying the same again cannot help. Read from words and status codes,
 * because an agent has nothing else. Not covered: languages other than English.
 */

/** What a failure means for the next step. */
export interface FailureKind {
  readonly kind: 'rate-limit' | 'lost' | 'permanent';
  /** How long the service asks to wait, milliseconds; null where it does not say. */
  readonly retryAfterMs: number | null;
}

const RATE_LIMIT =
  /rate[-_ ]?limit|too ?many ?requests|throttl|slow down|retry later|requests?_?[- ]?limit|calls per (?:second|minute|hour)|request rate/i;
const LOST =
  /time[d]?.?\s?-?out|deadline|unavailable|temporar|try again|connection|reset by peer|econn|hang ?up|no response|internal[-_ ]?(?:server[-_ ]?)?error|gateway|overload|maintenance|not available|notavailable|general ?exception|(?:unknown|unexpected) (?:error|exception)|unknown_exception|api_error/i;
/** A status code where one is meant: at the start, or behind a word that announces it. */
const STATUS = /(?:^|(?:error|status|http|code)\W{1,4})([45]\d\d)\b/i;

/** Reads an error text. `nowMs` is the caller's clock, for dates in Retry-After. */
export function failureKind(text: string, nowMs: number): FailureKind {
  const retryAfterMs = retryAfterOf(text, nowMs);
  const status = Number(STATUS.exec(text)?.[1] ?? 0);
  if (status === 429 || RATE_LIMIT.test(text)) return { kind: 'rate-limit', retryAfterMs };
  if (retryAfterMs !== null || status === 408 || status >= 500 || LOST.test(text))
    return { kind: 'lost', retryAfterMs };
  return { kind: 'permanent', retryAfterMs };
}

const SIGNED_OUT =
  /(?:^|\D)401(?:\D|$)|unauthori[sz]ed\b|unauthenticated|not_?authed|invalid_auth|authentication|bad credentials|invalid api key|unrecognizedclient|(?:token|session)[^"]{0,60}(?:expired|invalid)|"message":"authenticate"/i;

/** True for an error text that says that the caller is not signed in, or not any more. */
export function isSignedOut(text: string): boolean {
  return SIGNED_OUT.test(text.slice(0, 400));
}

/** The longest wait that is believed: an hour. */
const MAX_RETRY_AFTER_MS = 3_600_000;

function retryAfterOf(text: string, nowMs: number): number | null {
  const inMs = /retry[-_ ]?after[-_ ]?ms["']?\s*[:=]?\s*["']?(\d{1,9})/i.exec(text)?.[1];
  if (inMs !== undefined) return Math.min(Number(inMs), MAX_RETRY_AFTER_MS);
  const seconds =
    /(?:retry|try again)[-_ ]?(?:after|in)(?:[-_ ]?seconds)?["']?\s*[:=]?\s*["']?(\d{1,6}(?:\.\d{1,3})?)(?!\d*[-/:])/i.exec(
      text,
    )?.[1];
  if (seconds !== undefined) return Math.min(Number(seconds) * 1000, MAX_RETRY_AFTER_MS);
  const date =
    /retry-after["']?\s*[:=]?\s*["']?([A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT)/i.exec(
      text,
    )?.[1];
  const at = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - nowMs), MAX_RETRY_AFTER_MS);
}
