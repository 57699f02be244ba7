/**
 * How much each token may do: steps, episodes and tokens of the world's model in a window of time.
 *
 * Who asks is known where the request comes in; what is asked is known where it is carried out. In between the caller
 * travels with the asynchronous work, so every wire is counted at one place; without quotas nothing of it runs. The
 * control token is not counted. Windows begin with the first use; callers that did nothing for a window are forgotten.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { ServiceError } from '../core/index.js';
import type { Caller } from './access.js';

/** What can be bounded. */
export const QUOTA_KINDS = ['steps', 'episodes', 'tokens'] as const;

/** One bound. A step over the OpenAI-compatible wire is a step. */
export interface Quota {
  readonly what: (typeof QUOTA_KINDS)[number];
  /** At most so many in a window, 1 or more. */
  readonly most: number;
  readonly windowMs: number;
}

interface Used {
  count: number;
  readonly startMs: number;
}

/** Callers that are remembered; the oldest is forgotten. */
const MAX_CALLERS = 10_000;

/** Counts. */
export class Quotas {
  private readonly used = new Map<string, Used>();
  private readonly caller = new AsyncLocalStorage<string | null>();

  constructor(
    private readonly quotas: readonly Quota[],
    private readonly nowMs: () => number,
  ) {}

  /** Carries something out for a caller. */
  run<Result>(caller: Caller, work: () => Result): Result {
    return this.quotas.length === 0 ? work() : this.caller.run(nameOf(caller), work);
  }

  /** Counts one of a kind for who asks. Raises `service/quota` where there is none left, or no model tokens. */
  take(what: 'steps' | 'episodes'): void {
    const name = this.quotas.length === 0 ? null : (this.caller.getStore() ?? null);
    if (name === null) return;
    for (const quota of this.quotas)
      if (quota.what === what || quota.what === 'tokens') this.check(name, quota);
    for (const quota of this.quotas) if (quota.what === what) this.usedOf(name, quota).count += 1;
  }

  /** Counts tokens that a model used; they are known only afterwards, so the last answer may go over. */
  spend(tokens: number): void {
    const name = this.quotas.length === 0 || tokens === 0 ? null : (this.caller.getStore() ?? null);
    if (name === null) return;
    for (const quota of this.quotas) if (quota.what === 'tokens') this.usedOf(name, quota).count += tokens;
  }

  private check(name: string, quota: Quota): void {
    const { count, startMs } = this.usedOf(name, quota);
    if (count < quota.most) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((startMs + quota.windowMs - this.nowMs()) / 1000));
    const unit = quota.what === 'tokens' ? 'model tokens' : quota.what;
    throw new ServiceError(
      `the quota of ${quota.most} ${unit} in ${quota.windowMs / 1000} seconds is used up; try again in ${retryAfterSeconds} seconds`,
      { code: 'service/quota', data: { ...quota, retryAfterSeconds } },
    );
  }

  private usedOf(name: string, { what, windowMs }: Quota): Used {
    const key = `${what} ${windowMs} ${name}`;
    const known = this.used.get(key);
    const nowMs = this.nowMs();
    if (known !== undefined && nowMs < known.startMs + windowMs) return known;
    this.used.delete(key);
    if (this.used.size >= MAX_CALLERS) this.used.delete(this.used.keys().next().value ?? '');
    const fresh = { count: 0, startMs: nowMs };
    this.used.set(key, fresh);
    return fresh;
  }
}

/** A name that holds no token; null for who is not counted. */
function nameOf(caller: Caller): string | null {
  if (caller.kind === 'control') return null;
  if (caller.kind === 'anonymous') return 'anonymous';
  return createHash('sha256').update(caller.token).digest('hex').slice(0, 16);
}
