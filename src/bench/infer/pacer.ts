/**
 * Keeps calls of one endpoint below its limits: so many requests and so many tokens a minute, evenly spread.
 *
 * The idea: each call takes a slot on two timelines, one in which requests are `60 s / requests` apart, one in which
 * tokens are; it starts at the later of its two slots. Nothing is asked in bursts, so a limit over any window holds.
 */

/** The limits; absent ones do not bind. */
export interface PaceLimits {
  readonly requestsPerMinute?: number;
  /** Prompt and answer together, as far as they are known before. */
  readonly tokensPerMinute?: number;
}

/** Time for a pacer. */
export interface PaceClock {
  /** Milliseconds on any steady clock. */
  now(): number;
  /** Waits; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Says when a call may start. */
export interface Pacer {
  /** Resolves when a call of about so many tokens may start. Rejects with the signal's reason on an abort. */
  take(tokens: number, signal?: AbortSignal): Promise<void>;
}

const MINUTE_MS = 60_000;

/** The clock of this machine. */
const SYSTEM_PACE_CLOCK: PaceClock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** Makes a pacer. Without limits it never waits. */
export function createPacer(limits: PaceLimits, clock: PaceClock = SYSTEM_PACE_CLOCK): Pacer {
  const { requestsPerMinute, tokensPerMinute } = limits;
  let nextRequest = Number.NEGATIVE_INFINITY;
  let nextTokens = Number.NEGATIVE_INFINITY;
  return {
    async take(tokens, signal) {
      if (requestsPerMinute === undefined && tokensPerMinute === undefined) return;
      const now = clock.now();
      const start = Math.max(now, nextRequest, nextTokens);
      if (requestsPerMinute !== undefined) nextRequest = start + MINUTE_MS / requestsPerMinute;
      if (tokensPerMinute !== undefined) nextTokens = start + (tokens * MINUTE_MS) / tokensPerMinute;
      if (start > now) await clock.sleep(start - now, signal);
    },
  };
}
