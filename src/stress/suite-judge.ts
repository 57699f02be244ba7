/**
 * The judge of a suite: prepares each world once, then judges run after run by rule.
 *
 * Preparing plays the world's own solution. Seeds whose start states are equal share one preparation, since what the
 * solution does is then told apart by generated names only, on which no rule rests. A bounded number is kept, so that
 * memory does not grow with the number of trials.
 */
import type { World } from '../worlds/index.js';
import { judgeRun } from './judge-run.js';
import type { JudgeRecord } from './run-suite.js';
import { createReference, type WorldReference } from './world-reference.js';

/** Preparations that are kept; the oldest go first. */
const KEPT = 16;

/** Makes the judge that `runSuite` calls after each run. */
export function createSuiteJudge(): JudgeRecord {
  const references = new Map<string, Promise<WorldReference>>();
  const referenceFor = (world: World, seed: number, start: string | null): Promise<WorldReference> => {
    const key = JSON.stringify([world.hash, start ?? seed]);
    const found = references.get(key) ?? createReference(world, { seed });
    references.set(key, found);
    const [oldest] = references.keys();
    if (references.size > KEPT && oldest !== undefined) references.delete(oldest);
    return found;
  };
  return async ({ plan, record, clean }) => {
    const reference = await referenceFor(plan.world, plan.seed, record.state.start);
    const twin = clean?.outcome.class === 'infrastructure' ? null : clean;
    return judgeRun({ record, clean: twin, reference });
  };
}
