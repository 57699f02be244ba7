/**
 * What a run will cost, before its first call, and how long it still takes, during it.
 *
 * Prompt tokens are estimated from the texts; answers are taken to be as long as the real observations, without
 * thinking, which nobody knows before. Time is known only where limits of the endpoint say it; the meter tells it as
 * soon as rows end.
 */
import type { IndexedRow } from '../files/data-set.js';
import type { PaceLimits } from './pacer.js';

/** Price of a million tokens, in one unit. */
export interface TokenPrice {
  readonly prompt: number;
  readonly completion: number;
}

/** An estimate of a run. */
export interface RunEstimate {
  readonly rows: number;
  readonly promptTokens: number;
  /** Of the observations alone; thinking comes on top. */
  readonly completionTokens: number;
  /** Null without a price. */
  readonly cost: number | null;
  /** The least seconds that the limits allow; null without limits. */
  readonly leastSeconds: number | null;
}

/** Estimates a run over rows. */
export function estimateRun(
  rows: readonly IndexedRow[],
  how: { readonly price?: TokenPrice; readonly limits?: PaceLimits } = {},
): RunEstimate {
  const promptTokens = rows.reduce((sum, row) => sum + row.promptTokens, 0);
  const completionTokens = rows.reduce((sum, row) => sum + row.truthTokens, 0);
  const { price, limits = {} } = how;
  const minutes = [
    limits.requestsPerMinute === undefined ? 0 : rows.length / limits.requestsPerMinute,
    limits.tokensPerMinute === undefined ? 0 : promptTokens / limits.tokensPerMinute,
  ];
  const isLimited = limits.requestsPerMinute !== undefined || limits.tokensPerMinute !== undefined;
  return {
    rows: rows.length,
    promptTokens,
    completionTokens,
    cost: price === undefined ? null : costOf({ promptTokens, completionTokens }, price),
    leastSeconds: isLimited ? Math.ceil(Math.max(...minutes) * 60) : null,
  };
}

/** What tokens cost, in the unit of the price. */
export function costOf(
  used: { readonly promptTokens: number; readonly completionTokens: number },
  price: TokenPrice,
): number {
  return (used.promptTokens * price.prompt + used.completionTokens * price.completion) / 1_000_000;
}
