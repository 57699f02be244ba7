/**
 * One turn of `umwelt play --json` as one JSON line.
 *
 * The keys of the contract, always. A turn without an observation has one more, `reason`, so that a program need not
 * read standard error; the turn that is done has `score`, with the reward's components or why there is no reward.
 */
import type { StepResult } from '../../core/index.js';

/** The line of a step, without its line feed. */
export function turnJson(step: StepResult): string {
  const { turn, action, status, observation, origins, faults, flags, clock, done, reward } = step;
  const { reason, score } = step;
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
    ...(observation === null && reason !== undefined && { reason }),
    ...(score !== undefined && { score }),
  });
}
