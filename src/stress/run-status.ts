/**
 * How one recorded run counts: survived, failed, or not counted.
 *
 * The verdict says so where there is one; else the world's own verifiers and the class of the outcome. A failure that is
 * not the agent's (`blame`) is not counted against it.
 */
import type { RunRecord } from './run-record.js';

/** `survived` · `failed` the agent's doing · `excluded` nobody could tell, or it was not the agent's doing. */
export type RunStatus = 'survived' | 'failed' | 'excluded';

/** The status of a run and why, in a few words. */
export function runStatus(record: RunRecord): { readonly status: RunStatus; readonly why: string } {
  const { verdict, outcome, score, end } = record;
  if (verdict !== null) {
    const { passed, headline } = verdict;
    return { status: passed === null ? 'excluded' : passed ? 'survived' : 'failed', why: headline };
  }
  if (outcome.class === 'infrastructure') return { status: 'excluded', why: outcome.evidence };
  if (outcome.class === 'agent-failed') return { status: 'failed', why: `${end.reason}: ${end.detail}` };
  if (score.status === 'unscored') return { status: 'excluded', why: score.reason };
  if (score.fraction === 1) return { status: 'survived', why: 'solved' };
  const missing = Object.entries(score.components).flatMap(([id, part]) => (part < 1 ? [id] : []));
  return { status: 'failed', why: `not passed: ${missing.join(', ')}` };
}
