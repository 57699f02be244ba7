/**
 * One turn of `umwelt play --json` as one JSON line.
 *
 * The keys of the contract, always. A turn that a model had a part in has `checked`, the share of its observation that was
 * checked (0–1, null where there is no observation). A turn without an observation has one more, `reason`, so that a program need not
 * read standard error; the turn that is done has `score`, with the reward's components or why there is no reward.
 */
import type { StepResult } from '../../core/index.js';

/** The line of a step, without its line feed. */
export function turnJson(step: StepResult): string {
  const { turn, action, status, observation, origins, faults, flags, clock, done, reward } = step;
  const { reason, score, meta } = step;
  const guard = meta?.guard as { readonly checked?: number | null } | undefined;
  return JSON.stringify({
    turn,
    action,
    status,
    observation,
    origins,
    faults,
    flags,
    clock,
    done,
    reward,
    ...(guard !== undefined && { checked: guard.checked ?? null }),
    ...(observation === null && reason !== undefined && { reason }),
    ...(score !== undefined && { score }),
  });
}
