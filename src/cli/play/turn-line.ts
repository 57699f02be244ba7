/**
 * One turn of `umwelt play --json` as one JSON line.
 *
 * Exactly the keys of the contract; the turn that is done has one more, `score`, with the reward's components or the
 * reason why there is no reward.
 */
import type { StepResult } from '../../core/index.js';

/** The line of a step, without its line feed. */
export function turnJson(step: StepResult): string {
  const { turn, action, status, observation, origins, faults, flags, clock, done, reward } = step;
  const line = { turn, action, status, observation, origins, faults, flags, clock, done, reward };
  return JSON.stringify(step.score === undefined ? line : { ...line, score: step.score });
}
