/**
 * The budgets of a run, and the watch that names the one that was used up.
 *
 * Repeats (hard case P-STR-2): the same tool failing with the same error for the same target, in whatever words; one
 * success of that tool begins the count anew. Work on many targets under one lasting error is no repeat, but three times
 * the bound over all targets ends it too. Numbers and quoted words in an error do not make it another error, because an
 * agent that only rewords its arguments gets them back in the text. Tokens and cost count only what was reported.
 */
import type { StepResult } from '../core/index.js';
import type { Spending } from './agent.js';
import { AgentStopped } from './agent.js';

/** What one run may use. */
export interface RunBudget {
  readonly maxTurns: number;
  /** Failures of one tool with one error in a row, for one target; three times that over all targets. */
  readonly maxRepeats: number;
  /** Prompt and completion tokens of the agent's model together; null for no bound. */
  readonly maxTokens: number | null;
  /** US dollars, where prices are known; null for no bound. */
  readonly maxCostUsd: number | null;
  /** Time of the host. */
  readonly maxSeconds: number;
  /** Time of the simulated clock. */
  readonly maxSimulatedSeconds: number;
}

/** Used where a suite says nothing; a world's own budget bounds turns and simulated seconds too. */
export const DEFAULT_BUDGET: RunBudget = {
  maxTurns: 200,
  maxRepeats: 20,
  maxTokens: null,
  maxCostUsd: null,
  maxSeconds: 600,
  maxSimulatedSeconds: 7 * 24 * 3600,
};

const ERROR_CHARS = 200;
/** Over all targets so many times the bound are too many. */
const TARGETS_FACTOR = 3;
/** Rows of repeats that a record keeps. */
const REPEATS_KEPT = 10;

/** The longest row of one tool failing with one error. */
export interface Repeat {
  readonly tool: string;
  readonly error: string;
  readonly count: number;
}

interface Row {
  readonly tool: string;
  readonly error: string;
  now: number;
  longest: number;
  /** Target → failures in a row. */
  readonly targets: Map<string, number>;
}

/** Counts what a run used and says when a budget is used up. One for each run. */
export class BudgetWatch {
  promptTokens: number | null = null;
  completionTokens: number | null = null;
  costUsd: number | null = null;
  private readonly rows = new Map<string, Row>();

  constructor(private readonly budget: RunBudget) {}

  /**
   * Takes in one turn; the stop where it was one repeat too many. `target` is what the call was about (default: one for
   * all calls of the tool).
   */
  see(
    { tool, target = '' }: { readonly tool: string; readonly target?: string },
    result: StepResult,
    isError: boolean,
  ): AgentStopped | null {
    if (!isError) {
      for (const row of this.rows.values()) {
        if (row.tool !== tool) continue;
        row.now = 0;
        row.targets.clear();
      }
      return null;
    }
    const error = (result.observation ?? result.reason ?? result.status).slice(0, ERROR_CHARS);
    const key = JSON.stringify([tool, errorKind(error)]);
    const row = this.rows.get(key) ?? { tool, error, now: 0, longest: 0, targets: new Map() };
    row.now++;
    row.longest = Math.max(row.longest, row.now);
    const same = (row.targets.get(target) ?? 0) + 1;
    row.targets.set(target, same);
    this.rows.set(key, row);
    const { maxRepeats } = this.budget;
    if (same < maxRepeats && row.now < maxRepeats * TARGETS_FACTOR) return null;
    const what =
      row.now === same
        ? `failed ${row.now} times with the same error, arguments ignored`
        : `failed ${row.now} times with the same error, ${same} of them for the last target`;
    return new AgentStopped(
      'max-repeats',
      `did not converge: '${tool}' ${what} (budget maxRepeats ${maxRepeats}): ${error}`,
    );
  }

  /** Takes in what a model used; the stop where that is over the budget. */
  spend(usage: Spending): AgentStopped | null {
    this.promptTokens = sum(this.promptTokens, usage.promptTokens);
    this.completionTokens = sum(this.completionTokens, usage.completionTokens);
    this.costUsd = sum(this.costUsd, usage.costUsd);
    const tokens = (this.promptTokens ?? 0) + (this.completionTokens ?? 0);
    const { maxTokens, maxCostUsd } = this.budget;
    if (maxTokens !== null && tokens > maxTokens) {
      return new AgentStopped('max-tokens', `used ${tokens} tokens; the budget maxTokens is ${maxTokens}`);
    }
    if (maxCostUsd !== null && this.costUsd !== null && this.costUsd > maxCostUsd) {
      const cost = `cost ${this.costUsd.toFixed(4)} USD; the budget maxCostUsd is ${maxCostUsd}`;
      return new AgentStopped('max-cost', cost);
    }
    return null;
  }

  /** The longest rows of repeats (two or more), longest first, at most ten. */
  repeats(): Repeat[] {
    return [...this.rows.values()]
      .filter(({ longest }) => longest > 1)
      .sort((a, b) => b.longest - a.longest || (a.tool < b.tool ? -1 : 1))
      .slice(0, REPEATS_KEPT)
      .map(({ tool, error, longest }) => ({ tool, error, count: longest }));
  }
}

function sum(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}

/** An error without what usually comes from the arguments: quoted words, numbers, spaces. */
function errorKind(error: string): string {
  return error
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '"…"')
    .replace(/\d+/g, '0')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
