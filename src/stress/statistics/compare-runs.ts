/**
 * Two suites side by side: which runs got better, which got worse, and whether that can be chance.
 *
 * Runs are matched by their id (world, faults, agent, trial). McNemar's exact test over the matched runs says how likely
 * so lopsided a change is if nothing changed; with few runs it rarely says anything, and then that is what it says.
 */
import { type PairedDifference, pairedDifference } from './intervals.js';
import type { RunOutcome } from './summarise.js';

/** A run whose outcome changed. */
export interface ChangedRun {
  readonly id: string;
  readonly before: boolean;
  readonly now: boolean;
}

/** What changed for one agent. */
export interface AgentChange {
  readonly agent: string;
  /** Now minus before, over matched runs. */
  readonly change: PairedDifference;
  readonly better: number;
  readonly worse: number;
}

/** What changed between two suites. */
export interface Comparison {
  readonly matched: number;
  /** Runs that only one of the two has. */
  readonly onlyBefore: number;
  readonly onlyNow: number;
  readonly agents: readonly AgentChange[];
  /** Runs that got worse, then those that got better. */
  readonly changed: readonly ChangedRun[];
}

/** Compares two suites run by run. */
export function compareRuns(before: readonly RunOutcome[], now: readonly RunOutcome[]): Comparison {
  const earlier = new Map(before.map((run) => [run.id, run]));
  const matched = now.flatMap((run) => {
    const old = earlier.get(run.id);
    return old === undefined ? [] : [{ run, old }];
  });
  const agents = [...new Set(matched.map(({ run }) => run.agent))].map((agent): AgentChange => {
    const own = matched.filter(({ run }) => run.agent === agent);
    const change = pairedDifference(
      own.map(({ run, old }): [boolean | null, boolean | null] => [run.passed, old.passed]),
    );
    return { agent, change, better: change.onlyFirst, worse: change.onlySecond };
  });
  const changed = matched.flatMap(({ run, old }): ChangedRun[] =>
    run.passed === null || old.passed === null || run.passed === old.passed
      ? []
      : [{ id: run.id, before: old.passed, now: run.passed }],
  );
  return {
    matched: matched.length,
    onlyBefore: before.length - matched.length,
    onlyNow: now.length - matched.length,
    agents,
    changed: [...changed.filter((run) => !run.now), ...changed.filter((run) => run.now)],
  };
}

/** A comparison in a few lines, for a terminal. */
export function renderComparison(comparison: Comparison): string {
  const lines = comparison.agents.map(({ agent, change, better, worse }) => {
    const chance =
      change.pValue === null
        ? ''
        : `, chance of so lopsided a change by itself ${change.pValue.toPrecision(2)}`;
    return `${agent}: ${worse} worse, ${better} better of ${change.n} runs${chance}`;
  });
  const changed = comparison.changed.map((run) => `  ${run.now ? 'better' : 'WORSE '} ${run.id}`);
  const alone = comparison.onlyBefore + comparison.onlyNow;
  const rest =
    alone === 0 ? [] : [`${comparison.onlyBefore} runs only before, ${comparison.onlyNow} only now`];
  return [
    `Compared with the earlier run: ${comparison.matched} runs matched`,
    ...lines,
    ...changed,
    ...rest,
  ].join('\n');
}
