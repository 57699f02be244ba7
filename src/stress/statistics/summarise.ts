/**
 * A suite in numbers: pass@1, pass^k and what faults cost, for every agent, fault and world; each with n and interval.
 *
 * The idea: a perturbed run says nothing without its clean twin, so what a fault costs is a difference over pairs. Runs that
 * do not count against the agent (the world's, a judge's or the infrastructure's doing) are counted and left out.
 */
import { CLEAN } from '../run-record.js';
import {
  type PairedDifference,
  type PassPower,
  pairedDifference,
  passPower,
  type Share,
  shareOf,
} from './intervals.js';

/** What summing up reads of a run. */
export interface RunOutcome {
  readonly id: string;
  readonly pair: string;
  readonly agent: string;
  readonly world: string;
  readonly fault: string;
  readonly trial: number;
  /** Null where the run does not count. */
  readonly passed: boolean | null;
}

/** One group of runs in numbers. */
export interface GroupNumbers {
  readonly name: string;
  readonly share: Share;
  /** Clean minus perturbed over pairs; null for groups of clean runs. */
  readonly cost: PairedDifference | null;
}

/** One agent in numbers. */
export interface AgentNumbers {
  readonly agent: string;
  readonly clean: Share;
  readonly perturbed: Share;
  readonly cost: PairedDifference;
  /** pass^k over world and fault, for k from 2 to the number of trials, at most 8. */
  readonly powers: readonly PassPower[];
  readonly byFault: readonly GroupNumbers[];
  readonly byWorld: readonly GroupNumbers[];
}

/** Sums up runs by agent. Agents in the order of their first run, faults by what they cost. */
export function summarise(runs: readonly RunOutcome[]): readonly AgentNumbers[] {
  return [...groupBy(runs, (run) => run.agent)].map(([agent, own]) => {
    const clean = own.filter((run) => run.fault === CLEAN);
    const perturbed = own.filter((run) => run.fault !== CLEAN);
    const twins = new Map(clean.map((run) => [run.pair, run.passed]));
    const numbers = (name: string, group: readonly RunOutcome[]): GroupNumbers => ({
      name,
      share: shareOf(group.map((run) => run.passed)),
      cost: costOf(group, twins),
    });
    const byFault = [...groupBy(perturbed, (run) => run.fault)].map(([name, group]) => numbers(name, group));
    const byWorld = [...groupBy(perturbed, (run) => run.world)].map(([name, group]) => numbers(name, group));
    return {
      agent,
      clean: shareOf(clean.map((run) => run.passed)),
      perturbed: shareOf(perturbed.map((run) => run.passed)),
      cost: costOf(perturbed, twins),
      powers: powersOf(perturbed),
      byFault: [...byFault].sort(byCost),
      byWorld: [...byWorld].sort(byCost),
    };
  });
}

function costOf(group: readonly RunOutcome[], twins: ReadonlyMap<string, boolean | null>): PairedDifference {
  return pairedDifference(
    group.map((run): [boolean | null, boolean | null] => [twins.get(run.pair) ?? null, run.passed]),
  );
}

function powersOf(runs: readonly RunOutcome[]): readonly PassPower[] {
  const groups = [...groupBy(runs, (run) => `${run.world}\u0000${run.fault}`).values()];
  const most = Math.min(8, Math.max(1, ...groups.map((group) => group.length)));
  const outcomes = groups.map((group) => group.map((run) => run.passed));
  return Array.from({ length: most - 1 }, (_, index) => passPower(outcomes, index + 2));
}

function byCost(a: GroupNumbers, b: GroupNumbers): number {
  return (b.cost?.difference ?? -2) - (a.cost?.difference ?? -2) || (a.name < b.name ? -1 : 1);
}

function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const list = groups.get(name);
    if (list === undefined) groups.set(name, [item]);
    else list.push(item);
  }
  return groups;
}
