/**
 * One agent, one world, one set of faults: does it survive? For tests and for anybody who wants one answer, not a suite.
 *
 * Runs the clean twin and the perturbed run in this process, judges both and says what happened in words that quote turns.
 */
import type { FaultSpec } from '../control/index.js';
import { UsageError } from '../core/index.js';
import { findWorld, type World } from '../worlds/index.js';
import type { Agent } from './agent.js';
import { type AgentFunction, createFunctionAgent } from './agents/module.js';
import { type FaultSet, faultsForWorld, NO_FAULTS } from './fault-sets.js';
import { judgeRun } from './judge-run.js';
import { evidenceOf } from './report/render-junit.js';
import { DEFAULT_BUDGET, type RunBudget } from './run-budget.js';
import { type RunPlan, runOne } from './run-one.js';
import { LOCAL_PLACES } from './run-place.js';
import type { RunRecord } from './run-record.js';
import type { RunVerdict } from './run-verdict.js';
import { createReference } from './world-reference.js';

/** An agent as a test gives it: a function of the session, or an agent made by this package. */
export type TestedAgent = Agent | AgentFunction;

/** A fault as a test gives it: a kind of the catalogue with its defaults for the world, a fault, or several. */
export type TestedFault = string | FaultSpec | readonly FaultSpec[];

/** How survival is checked. */
export interface SurvivalOptions {
  /** Controls generated data and faults by chance. Default: the world's own. */
  readonly seed?: number;
  readonly budget?: Partial<RunBudget>;
}

/** What came of it. */
export interface Survival {
  /** Null where the run does not count: the failure was not the agent's. */
  readonly passed: boolean | null;
  readonly verdict: RunVerdict;
  readonly record: RunRecord;
  readonly clean: RunRecord;
  /** The bad verdicts with their quotes, or the headline. */
  readonly evidence: string;
}

/**
 * Runs an agent in a world (a name, a path, or a loaded one) with and without faults. Raises `usage/bad-argument` for a
 * world or a kind that does not exist, and for faults that cannot strike there.
 */
export async function checkSurvival(
  tested: { readonly agent: TestedAgent; readonly world: World | string; readonly fault: TestedFault },
  options: SurvivalOptions = {},
): Promise<Survival> {
  const world = typeof tested.world === 'string' ? worldNamed(tested.world) : tested.world;
  const agent = typeof tested.agent === 'function' ? createFunctionAgent(tested.agent) : tested.agent;
  const seed = options.seed ?? world.file.seed;
  const faults = await faultSetOf(tested.fault, world, seed);
  const run = async (set: FaultSet, number: number): Promise<RunRecord> => {
    const plan: RunPlan = {
      id: `${world.name}/${set.id}/${agent.id}/1`,
      pair: `${world.name}/${agent.id}/1`,
      number,
      world,
      faults: set,
      agent,
      trial: 1,
      seed,
      budget: { ...DEFAULT_BUDGET, ...options.budget },
    };
    return (await runOne(plan, { local: LOCAL_PLACES, hosted: LOCAL_PLACES, version: 'test' })).record;
  };
  const reference = await createReference(world, { seed });
  const clean = await run(NO_FAULTS, 1);
  const record = await run(faults, 2);
  const verdict = judgeRun({ record, clean, reference });
  const evidence =
    verdict.passed === true ? verdict.headline : `${verdict.headline}\n${evidenceOf(record, verdict)}`;
  return { passed: verdict.passed, verdict, record, clean, evidence };
}

function worldNamed(name: string): World {
  const found = findWorld(name);
  if (!found.ok) throw found.error;
  return found.value;
}

async function faultSetOf(fault: TestedFault, world: World, seed: number): Promise<FaultSet> {
  const specs =
    typeof fault === 'string'
      ? null
      : Array.isArray(fault)
        ? (fault as readonly FaultSpec[])
        : [fault as FaultSpec];
  const id = typeof fault === 'string' ? fault : (specs ?? []).map((one) => one.kind).join('+') || 'no-fault';
  const set = await faultsForWorld({ id, specs, expects: null }, world, seed);
  if (set.ok) return set.value;
  throw new UsageError(`the fault '${id}' cannot be used in world '${world.name}': ${set.error}`, {
    code: 'usage/bad-argument',
    data: { fault: id, world: world.name },
  });
}
