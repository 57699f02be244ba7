/**
 * A suite as a plan: every run in order, and what is not run because it could not mean anything.
 *
 * Worlds × agents × trials give the pairs; each pair has its clean run first and then one run for each set of faults
 * that can strike the world. All runs of a pair have one seed. The plan's fingerprint covers everything that decides
 * the results, so that a journal is only continued by the plan that began it.
 */
import { hashJson, type Json } from '../core/index.js';
import type { World } from '../worlds/index.js';
import type { Agent } from './agent.js';
import { type FaultSet, faultsForWorld, NO_FAULTS } from './fault-sets.js';
import { budgetFor, type Suite } from './load-suite.js';
import type { ResultsHeader } from './results-file.js';
import { RESULTS_VERSION } from './results-file.js';
import type { RunPlan } from './run-one.js';
import { runId } from './run-suite.js';

/** A set of faults that cannot strike a world. */
export interface NotApplicable {
  readonly world: string;
  readonly faults: string;
  readonly why: string;
}

/** All runs of a suite. */
export interface SuitePlan {
  readonly runs: readonly RunPlan[];
  readonly notApplicable: readonly NotApplicable[];
  readonly header: ResultsHeader;
}

/**
 * Plans a suite. `version` is the package's, part of the fingerprint. Plays each world's own solution to find out which
 * faults can strike and what may be asked under them.
 */
export async function planSuite(suite: Suite, version: string): Promise<SuitePlan> {
  const notApplicable: NotApplicable[] = [];
  const runs: RunPlan[] = [];
  for (const world of suite.worlds) {
    const sets = await setsFor(suite, world, notApplicable);
    for (const agent of suite.agents) {
      for (let trial = 1; trial <= suite.trials; trial++) {
        for (const faults of sets)
          runs.push(planRun(suite, { world, agent, trial, faults, number: runs.length + 1 }));
      }
    }
  }
  return { runs, notApplicable, header: headerOf(suite, { runs, notApplicable, version }) };
}

async function setsFor(suite: Suite, world: World, notApplicable: NotApplicable[]): Promise<FaultSet[]> {
  const sets: FaultSet[] = [NO_FAULTS];
  for (const named of suite.faults) {
    const set = await faultsForWorld(named, world, suite.seed ?? world.file.seed);
    if (set.ok) sets.push(set.value);
    else notApplicable.push({ world: world.name, faults: named.id, why: set.error });
  }
  return sets;
}

function planRun(
  suite: Suite,
  run: { world: World; agent: Agent; trial: number; faults: FaultSet; number: number },
): RunPlan {
  const { world, agent, trial, faults, number } = run;
  const id = runId({ world: world.name, faults: faults.id, agent: agent.id, trial });
  const pair = `${world.name}/${agent.id}/${trial}`;
  const seed = (suite.seed ?? world.file.seed) + trial - 1;
  return { id, pair, number, world, faults, agent, trial, seed, budget: budgetFor(suite.budget, world) };
}

function headerOf(
  suite: Suite,
  plan: { runs: readonly RunPlan[]; notApplicable: readonly NotApplicable[]; version: string },
): ResultsHeader {
  const { name, trials, seed, budget } = suite;
  const { runs, notApplicable, version } = plan;
  const decides = {
    version,
    format: RESULTS_VERSION,
    budget,
    worlds: suite.worlds.map(({ hash }) => hash),
    agents: suite.agents.map(({ id, spec, fingerprint }) => [id, spec, fingerprint ?? '']),
    runs: runs.map((run) => [run.id, run.seed, run.faults.specs]),
    ...(suite.judge !== null && { judge: [suite.judge.spec, suite.judge.fingerprint] }),
  };
  return {
    stress: RESULTS_VERSION,
    fingerprint: hashJson(decides as unknown as Json),
    suite: {
      name,
      trials,
      seed,
      worlds: suite.worlds.map((world) => world.name),
      faults: suite.faults.map(({ id }) => id),
      agents: suite.agents.map(({ id }) => id),
    },
    runs: runs.length,
    notApplicable: notApplicable.map((one) => ({ ...one })),
    versions: { umwelt: version },
  };
}
