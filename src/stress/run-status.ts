/**
 * How one recorded run counts: survived, failed, or not counted.
 *
 * The verdict says so where there is one; else the world's own verifiers and the class of the outcome. A failure that is
 * not the agent's (`blame`) is not counted against it.
 */
import type { RunRecord } from './run-record.js';

/**
 * `survived` · `failed` the agent's doing · `undecided` the run was lived, and nobody can tell what it came to ·
 * `excluded` the infrastructure or the world kept it from being lived. The last two are counted neither way.
 */
export type RunStatus = 'survived' | 'failed' | 'undecided' | 'excluded';

/** The status of a run and why, in a few words. */
export function runStatus(record: RunRecord): { readonly status: RunStatus; readonly why: string } {
  const { verdict, outcome, score, end } = record;
  if (verdict !== null) {
    const { passed, headline } = verdict;
    if (passed !== null) return { status: passed ? 'survived' : 'failed', why: headline };
    return { status: outcome.class === 'infrastructure' ? 'excluded' : 'undecided', why: headline };
  }
  if (outcome.class === 'infrastructure') return { status: 'excluded', why: outcome.evidence };
  if (outcome.class === 'agent-failed') return { status: 'failed', why: `${end.reason}: ${end.detail}` };
  if (score.status === 'unscored') return { status: 'undecided', why: score.reason };
  if (score.fraction === 1) return { status: 'survived', why: 'solved' };
  const missing = Object.entries(score.components).flatMap(([id, part]) => (part < 1 ? [id] : []));
  return { status: 'failed', why: `not passed: ${missing.join(', ')}` };
}
