/**
 * Small trajectories for the tests of this room.
 */
import { type Domain, TRAJECTORY_VERSION, type Trajectory, type Turn } from '../core/index.js';

/** A turn that went well. */
export function turnOf(action: string, observation: string | null, more: Partial<Turn> = {}): Turn {
  return { action, observation, status: 'ok', ...more };
}

/** A trajectory with the given turns. */
export function trajectoryOf(
  id: string,
  turns: readonly Turn[],
  more: Partial<Trajectory> & { readonly domain?: Domain } = {},
): Trajectory {
  return {
    trajectory: TRAJECTORY_VERSION,
    id,
    domain: 'mcp',
    source: {},
    system: { text: 'You are a service.', demonstrations: [] },
    meta: {},
    turns: [...turns],
    ...more,
  };
}

/** A call of a tool as an action's text. */
export function callOf(name: string, args: object = {}): string {
  return JSON.stringify({ name, arguments: args });
}
