/**
 * Judges recorded runs for the runner: prepares each world once and hands the clean twin on where it can be compared.
 *
 * Preparing plays the world's own solution. Seeds whose start states are equal share one preparation, since what a
 * solution does is then told apart by generated names only, on which no rule rests.
 */
import type { World } from '../worlds/index.js';
import { judgeRun } from './judge-run.js';
import type { JudgeRecord } from './run-suite.js';
import { createReference, type WorldReference } from './world-reference.js';

/** Preparations that are kept; the oldest go first. */
const KEPT = 16;

/** Makes a judge by rules. A run that never took place is judged by how it ended. */
export function createJudge(): JudgeRecord {
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
