/**
 * The judge of a suite: prepares each world once for each seed, then judges run after run by rule.
 */
import type { World } from '../worlds/index.js';
import { judgeRun } from './judge-run.js';
import type { JudgeRecord } from './run-suite.js';
import { createReference, type WorldReference } from './world-reference.js';

/** Makes the judge that `runSuite` calls after each run. Keeps one reference for each world and seed. */
export function createSuiteJudge(): JudgeRecord {
  const references = new Map<World, Map<number, Promise<WorldReference>>>();
  return async ({ plan, record, clean }) => {
    const { world, seed } = plan;
    const seeds = references.get(world) ?? new Map<number, Promise<WorldReference>>();
    references.set(world, seeds);
    const reference = seeds.get(seed) ?? createReference(world, { seed });
    seeds.set(seed, reference);
    return { ...judgeRun({ record, clean, reference: await reference }) };
  };
}
