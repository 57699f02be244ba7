/**
 * The words in which a service tells of a failure: its own, where the world says whose they are, else plain ones.
 *
 * The idea: a kind says the cause and what is known of it; who carries the fault out knows the world's style and gives
 * the text (`FaultStrike.says`). What an agent must be told survives any style: the waiting time stands behind a body
 * that has no place for it, and a style that cannot say an author's own words is not used. Not covered: the styles
 * themselves (room `domains`), and failures that are no answer of the service (time-outs, resets, pages of proxies).
 */
import type { FaultNote } from '../core/index.js';
import type { ErrorBody, ErrorCause } from '../domains/index.js';
import { type FaultAction, type FaultStrike, faultAnswer } from './fault-kind.js';

/** Why a service refuses, and what is known of it. */
export interface ServiceRefusal {
  readonly cause: ErrorCause;
  /** One sentence. */
  readonly message: string;
  /** The permission, scope or argument that it is about. */
  readonly field?: string;
  readonly retryAfterSeconds?: number;
}

/** What a kind wants to be said. */
export interface ServiceFailure extends ServiceRefusal {
  /** The reference of the answer's spans. */
  readonly kind: string;
  /** The text without a style. */
  readonly plain: string;
  /** HTTP status of the plain text; null where it has none. */
  readonly status: number | null;
  /** The waiting time as the caller reads it, for example `30` or a date; absent where the service does not tell it. */
  readonly wait?: string;
  /** The message must be read word for word. Default false. */
  readonly wordForWord?: boolean;
}

/** The cause that a status stands for; undefined for one that no style has a form for. */
export function causeOf(status: number): ErrorCause | undefined {
  return STATUS_CAUSES.get(status) ?? (status >= 500 ? 'server-error' : undefined);
}

const STATUS_CAUSES: ReadonlyMap<number, ErrorCause> = new Map([
  [400, 'validation'],
  [401, 'unauthenticated'],
  [403, 'permission'],
  [404, 'not-found'],
  [409, 'conflict'],
  [422, 'validation'],
  [429, 'rate-limit'],
  [503, 'unavailable'],
]);

/** The answer that ends an operation with a failure of the service, with its status and waiting time in the note. */
export function serviceFailure(failure: ServiceFailure, strike: FaultStrike): FaultAction {
  const { kind, plain, wait, retryAfterSeconds } = failure;
  const said = saidFor(failure, strike);
  // A body that reads otherwise for another waiting time tells it by itself.
  const told = said !== undefined && retryAfterSeconds !== undefined && tellsWait(failure, said, strike);
  const line = wait === undefined || told ? '' : `\nRetry-After: ${wait}`;
  const status = said === undefined ? failure.status : said.status;
  const note: FaultNote = {
    ...(status !== null && { status }),
    ...(retryAfterSeconds !== undefined &&
      (told || wait !== undefined) && { retryAfterMs: Math.round(retryAfterSeconds * 1000) }),
  };
  return { do: 'answer', answer: faultAnswer(kind, `${said?.text ?? plain}${line}`), note };
}

function saidFor(failure: ServiceFailure, { says }: FaultStrike): ErrorBody | undefined {
  const said = says?.(failure);
  if (said === undefined || failure.wordForWord !== true) return said;
  const written = JSON.stringify(failure.message).slice(1, -1);
  return said.text.includes(failure.message) || said.text.includes(written) ? said : undefined;
}

function tellsWait(failure: ServiceFailure, said: ErrorBody, { says }: FaultStrike): boolean {
  const other = (failure.retryAfterSeconds ?? 0) + 1;
  return says?.({ ...failure, retryAfterSeconds: other })?.text !== said.text;
}
