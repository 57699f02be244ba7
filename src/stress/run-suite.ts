/**
 * Runs a plan: every run once, clean twins before what is compared with them, so many at a time.
 *
 * Runs are taken in the order of the plan. A perturbed run waits for its clean twin, which stands earlier and so has
 * always been taken; nothing can wait in a circle. What is in the journal is not run again. Memory holds the runs under
 * way and a few words for each finished one. Not covered: how a suite becomes a plan (`suite-plan.ts`).
 */
import type { ResultsFile } from './results-file.js';
import { type FinishedRun, type RunPlan, type RunSetting, runOne } from './run-one.js';
import { CLEAN, type RunRecord } from './run-record.js';

/** Judges a run; the clean twin is there for perturbed runs. What it gives becomes part of the record. */
export type JudgeRecord = (run: {
  readonly plan: RunPlan;
  readonly record: RunRecord;
  readonly clean: RunRecord | null;
}) => Promise<Pick<RunRecord, 'verdict' | 'judge'>>;

/** How a plan is run. */
export interface RunSuiteOptions extends RunSetting {
  /** Runs at a time, 1 or more. */
  readonly jobs: number;
  readonly judge: JudgeRecord | null;
  /** Called after each run, in the order in which they end; `done` counts those from the journal too. */
  readonly onRun?: (record: RunRecord, done: number) => void;
}

/** Runs what the journal does not have yet and completes it. Rejects for bugs and for a disk that is full. */
export async function runSuite(
  plans: readonly RunPlan[],
  journal: ResultsFile,
  options: RunSuiteOptions,
): Promise<void> {
  const cleanDone = new Map<string, Promise<void>>();
  const recent = new Map<string, RunRecord>();
  const left = runsByPair(plans);
  let next = 0;
  const runNext = async (plan: RunPlan): Promise<void> => {
    if (journal.has(plan.id)) return;
    const isClean = plan.faults.id === CLEAN;
    if (!isClean) await cleanDone.get(plan.pair);
    const finished = await runOne(plan, options);
    const clean = isClean ? null : (recent.get(plan.pair) ?? journal.read(cleanId(plan)));
    const record = await judged(plan, finished, { clean, judge: options.judge });
    journal.write(record, finished.tools);
    if (isClean) keepRecent(recent, record);
    options.onRun?.(record, journal.count);
  };
  const worker = async (): Promise<void> => {
    for (let plan = plans[next++]; plan !== undefined; plan = plans[next++]) {
      // Agents in this process may never wait for anything; signals and timers must get their turn all the same.
      await new Promise((resolve) => setImmediate(resolve));
      const run = runNext(plan);
      if (plan.faults.id === CLEAN) cleanDone.set(plan.pair, run);
      await run;
      const open = (left.get(plan.pair) ?? 1) - 1;
      if (open > 0) left.set(plan.pair, open);
      // What is kept until others come is moved to the old part of the heap and makes it grow.
      else for (const kept of [left, cleanDone, recent]) kept.delete(plan.pair);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.jobs) }, worker));
  journal.finish(plans.map(({ id }) => id));
}

/** How many runs each pair has. */
function runsByPair(plans: readonly RunPlan[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { pair } of plans) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return counts;
}

/** Clean runs that are kept at hand for the runs that are compared with them, at most. */
const RECENT_RUNS = 16;

function keepRecent(recent: Map<string, RunRecord>, record: RunRecord): void {
  recent.set(record.pair, record);
  const [oldest] = recent.keys();
  if (recent.size > RECENT_RUNS && oldest !== undefined) recent.delete(oldest);
}

/** The id of a run's clean twin. */
function cleanId({ world, agent, trial }: Pick<RunPlan, 'world' | 'agent' | 'trial'>): string {
  return runId({ world: world.name, faults: CLEAN, agent: agent.id, trial });
}

/** The id of a run. */
export function runId(parts: { world: string; faults: string; agent: string; trial: number }): string {
  return `${parts.world}/${parts.faults}/${parts.agent}/${parts.trial}`;
}

async function judged(
  plan: RunPlan,
  { record }: FinishedRun,
  how: { readonly clean: RunRecord | null; readonly judge: JudgeRecord | null },
): Promise<RunRecord> {
  if (how.judge === null) return record;
  return { ...record, ...(await how.judge({ plan, record, clean: how.clean })) };
}
