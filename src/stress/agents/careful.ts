/**
 * The built-in policy `careful`: the world's own solution with recovery, and an honest report where that is all that
 * can be done. It needs no key and works in every world that has an oracle. What it does is `sim`'s recovering oracle.
 */
import { driveRecoveringOracle, driveTerminalOracle, isTerminalWorld } from '../../sim/index.js';
import type { Agent } from '../agent.js';
import { needsOracle } from './needs-oracle.js';

/** Makes the policy. */
export function createCarefulAgent(id = 'careful'): Agent {
  return {
    id,
    kind: 'careful',
    spec: 'careful',
    live: false,
    async run(session, { world }) {
      needsOracle('careful', world);
      if (isTerminalWorld(world)) {
        const { answer } = await driveTerminalOracle(world, session, session.seed);
        return { answer };
      }
      const { answer } = await driveRecoveringOracle(world, { ...session, verifies: true });
      return { answer };
    },
  };
}
