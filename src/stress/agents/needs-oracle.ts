/**
 * The one condition of the built-in policies: a world that says how its task is solved.
 */
import type { World } from '../../worlds/index.js';
import { AgentFailure } from '../agent.js';

/** Raises `not-started` for a world without an oracle. */
export function needsOracle(policy: string, world: World): void {
  if (world.oracle.length > 0) return;
  throw new AgentFailure(
    'not-started',
    `the policy '${policy}' plays a world's own solution, and world '${world.name}' has no \`oracle\`; write one, or name another agent`,
  );
}
