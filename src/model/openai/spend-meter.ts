/**
 * Counts what model calls use: tokens as the servers report them, and cost from the prices given, with a cap.
 *
 * A server that reports nothing is counted as a call of unknown size; the cap then cannot be promised, which the meter
 * says instead of counting zero.
 */
import type { Usage } from '../../core/index.js';

/** What may be used, and what it costs. */
export interface SpendLimits {
  /** Tokens in all. Default: no cap. */
  readonly maxTokens?: number;
  /** Cost in all, in the unit of the prices. Default: no cap. */
  readonly maxCost?: number;
  /** Price of a million tokens. */
  readonly pricePerMillion?: { readonly prompt: number; readonly completion: number };
}

/** What was used so far. */
export interface Spent {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Calls whose usage the server did not report. */
  readonly unreported: number;
  /** Null where no prices were given. */
  readonly cost: number | null;
}

/** Counts usage; may be shared by several models. */
export interface SpendMeter {
  add(usage: Usage): void;
  readonly spent: Spent;
  /** Why no further call may be made, or undefined. */
  overspent(): string | undefined;
}

/** Makes a meter. */
export function createSpendMeter(limits: SpendLimits = {}): SpendMeter {
  const { maxTokens, maxCost, pricePerMillion: price } = limits;
  let spent: Spent = {
    calls: 0,
    promptTokens: 0,
    completionTokens: 0,
    unreported: 0,
    cost: price === undefined ? null : 0,
  };
  return {
    get spent() {
      return spent;
    },
    add(usage) {
      const promptTokens = spent.promptTokens + (usage.promptTokens ?? 0);
      const completionTokens = spent.completionTokens + (usage.completionTokens ?? 0);
      const isKnown = usage.promptTokens !== null && usage.completionTokens !== null;
      spent = {
        calls: spent.calls + 1,
        promptTokens,
        completionTokens,
        unreported: spent.unreported + (isKnown ? 0 : 1),
        cost:
          price === undefined
            ? null
            : (promptTokens * price.prompt + completionTokens * price.completion) / 1_000_000,
      };
    },
    overspent() {
      const tokens = spent.promptTokens + spent.completionTokens;
      if (maxTokens !== undefined && tokens >= maxTokens)
        return `the budget of ${maxTokens} tokens is used up (${tokens} used, budget maxTokens)`;
      if (maxCost !== undefined && spent.cost !== null && spent.cost >= maxCost)
        return `the budget of ${maxCost} is used up (${spent.cost} spent, budget maxCost)`;
      return undefined;
    },
  };
}
