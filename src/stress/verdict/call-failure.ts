/**
 * What kind of failure a call met: one that passes by itself, one that stays, or one that nobody can tell.
 *
 * The idea: where a fault was told its kind decides, then an HTTP-like status (RFC 9110: 408, 425, 429 and 5xx but 501 and 505 pass; other 4xx stay),
 * then the words services use. An error that no fault made is the engine's own and stays until the state changes,
 * because engines are deterministic. Retry-After is read as seconds or as seconds in words.
 * Not covered: Retry-After as an HTTP date.
 */
import type { StepStatus } from '../../core/index.js';
import { isNullStatus } from '../../core/index.js';
import type { LoggedFault } from './logged-fault.js';

/** What kind of failure a call met. */
export interface CallFailure {
  /** `passing`: trying again can help · `staying`: the same call will fail again · `unclear`. */
  readonly kind: 'passing' | 'staying' | 'unclear';
  /** The error without its changing parts (numbers, quoted values): equal for the same error. */
  readonly signature: string;
  /** Seconds after which the service asks to be tried again, where it says so. */
  readonly retryAfterSeconds: number | null;
  /** No observation at all: abstained, limit, model-failed. */
  readonly noAnswer: boolean;
  /** Access was refused in a way that a new token or permission may change. */
  readonly access: boolean;
}

/** The failure of an answered call, or null where the answer is no error. Pure. */
export function failureOf(turn: {
  readonly observation: string | null;
  readonly status: StepStatus;
  readonly isError: boolean;
  readonly faults: readonly LoggedFault[];
}): CallFailure | null {
  const { observation, status, isError, faults } = turn;
  if (isNullStatus(status) || observation === null) {
    return {
      kind: 'unclear',
      signature: `no answer (${status})`,
      retryAfterSeconds: null,
      noAnswer: true,
      access: false,
    };
  }
  if (!isError) return null;
  const text = observation.slice(0, 2_000);
  const kind = status === 'refused' || status === 'malformed' ? 'staying' : kindOf(text, faults);
  return {
    kind,
    signature: signatureOf(text),
    retryAfterSeconds: retryAfter(text),
    noAnswer: false,
    access:
      faults.some(({ kind, status }) => status === 401 || ACCESS_FAULTS.has(kind)) ||
      statusCode(text) === 401 ||
      /\b(expired|unauthori[sz]ed|forbidden|permission|scope)\b/i.test(text),
  };
}

const ACCESS_FAULTS: ReadonlySet<string> = new Set(['token-expired', 'permission-denied', 'wrong-scope']);
const PASSING_CODES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 507, 529]);
const PASSING =
  /\b(timed? ?out|timeout|temporar\w*|try again|retry|rate.?limit\w*|too many requests|throttl\w*|unavailable|overloaded|busy|connection (was )?(reset|closed|refused|lost)|econnreset|internal server error|bad gateway|service error|quota exceeded for now)\b/i;
const STAYING =
  /\b(not found|no such|does not exist|doesn't exist|unknown|invalid|must|required|missing|not allowed|denied|forbidden|permission|unauthori[sz]ed|scope|too long|too large|already|conflict|unsupported|read-only|locked|cannot|may not|renamed|removed|deprecated)\b/i;

/** What the log says of the fault that was told: bodies of APIs name no status, or one that means something else. */
const TOLD_FAULTS: ReadonlyMap<string, CallFailure['kind']> = new Map([
  ['timeout', 'passing'],
  ['rate-limit', 'passing'],
  ['server-error', 'passing'],
  ['connection-reset', 'passing'],
  ['token-expired', 'staying'],
  ['permission-denied', 'staying'],
  ['wrong-scope', 'staying'],
  ['cursor-expired', 'staying'],
]);
const LIMITED = /rate[-_ ]?limit|too many requests|throttl/i;

function kindOf(text: string, faults: readonly LoggedFault[]): CallFailure['kind'] {
  const told = faults.findLast(({ visible }) => visible === true);
  const logged = told === undefined ? undefined : TOLD_FAULTS.get(told.kind);
  if (logged !== undefined) return logged;
  if (told === undefined && LIMITED.test(text)) return 'passing';
  const code = told?.status ?? statusCode(text);
  if (code !== null) return PASSING_CODES.has(code) ? 'passing' : code === 409 ? 'unclear' : 'staying';
  if (PASSING.test(text)) return 'passing';
  if (STAYING.test(text)) return 'staying';
  return faults.length > 0 ? 'unclear' : 'staying';
}

/** The status code that an error names, as `Error 429:`, `HTTP 503`, `status 404`, `"code": 429`; else null. */
function statusCode(text: string): number | null {
  const found =
    /\b(?:error|http(?:\/\d(?:\.\d)?)?|status(?: ?code)?|code)["']?[ :=(]{1,3}([45]\d\d)\b/i.exec(
      text,
    )?.[1] ?? /^\s*([45]\d\d)\b/.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

const RETRY_AFTER =
  /\b(?:retry[-_ ]?after(?:[-_ ]?seconds)?|try again in|retry in|wait(?: for)?)["']?\s*[:=]?\s*(\d{1,6}(?:\.\d{1,3})?)\s*(ms|milliseconds|s|sec|seconds?|m|min|minutes?)?\b/i;

function retryAfter(text: string): number | null {
  const found = RETRY_AFTER.exec(text);
  if (found === null) return null;
  const amount = Number(found[1]);
  const unit = (found[2] ?? 's').toLowerCase();
  if (unit.startsWith('mi') && !unit.startsWith('mil')) return amount * 60;
  if (unit === 'm') return amount * 60;
  return unit.startsWith('m') ? amount / 1000 : amount;
}

function signatureOf(text: string): string {
  return text
    .slice(0, 400)
    .toLowerCase()
    .replace(/"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`/g, '…')
    .replace(/\d[\d.,:]*/g, '0')
    .replace(/\s+/g, ' ')
    .trim();
}
