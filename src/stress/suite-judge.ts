/**
 * The judge of a suite: prepares each world once, then judges run after run by rule, and asks a model, where one was
 * named, for what the rules leave open.
 *
 * Preparing plays the world's own solution. Seeds whose start states are equal share one preparation, since what the
 * solution does is then told apart by generated names only, on which no rule rests. A bounded number is kept, so that
 * memory does not grow with the number of trials.
 */
import type { JsonObject } from '../core/index.js';
import type { World } from '../worlds/index.js';
import { askJudge, type VerdictJudge } from './judge/ask-judge.js';
import { concludeRun, judgeByRules } from './judge-run.js';
import type { RunRecord } from './run-record.js';
import type { JudgeRecord } from './run-suite.js';
import type { Verdict } from './run-verdict.js';
import { withoutSecrets } from './without-secrets.js';
import { createReference, type WorldReference } from './world-reference.js';

/** Preparations that are kept; the oldest go first. */
const KEPT = 16;

/** Makes the judge that `runSuite` calls after each run. */
export function createSuiteJudge(model: VerdictJudge | null = null): JudgeRecord {
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
    const ruled = judgeByRules({ record, clean: twin, reference });
    const asked = model === null ? null : await askJudge(ruled, model, `judge/${record.id}`);
    if (asked === null || model === null) return { verdict: concludeRun(ruled.of, ruled.verdicts) };
    const verdicts = asked.verdicts.map((verdict) => asAlsoClean(verdict, twin));
    const judged = { verdict: concludeRun(ruled.of, verdicts), judge: asked.log };
    return withoutSecrets(judged as unknown as JsonObject, model.secrets) as unknown as typeof judged;
  };
}

/** What the judge found bad in the clean run too is not put down to the fault. */
function asAlsoClean(verdict: Verdict, clean: RunRecord | null): Verdict {
  if (verdict.by !== 'judge' || verdict.outcome !== 'bad') return verdict;
  const same = clean?.verdict?.verdicts.find((one) => one.id === verdict.id);
  return { ...verdict, alsoClean: same?.outcome === 'bad' };
}
