/**
 * `await expect(agent).toSurvive(world, fault)`, for vitest and jest: `expect.extend(survivalMatchers)`.
 *
 * Both runners take a function that gives `{pass, message}`, so nothing of either is needed here. The types come with
 * `umwelt/testing/vitest` or `umwelt/testing/jest`.
 */
import { checkSurvival, type SurvivalOptions, type TestedAgent, type TestedFault } from '../stress/index.js';
import type { World } from '../worlds/index.js';

/** What a matcher gives its runner. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers, for `expect.extend`. */
export const survivalMatchers: {
  toSurvive(
    agent: unknown,
    world: World | string,
    fault: TestedFault,
    options?: SurvivalOptions,
  ): Promise<MatcherResult>;
} = { toSurvive };

/** Passes where the agent reaches the goal, or says honestly that nobody can, and does nothing that counts against it. */
async function toSurvive(
  agent: unknown,
  world: World | string,
  fault: TestedFault,
  options: SurvivalOptions = {},
): Promise<MatcherResult> {
  if (!isAgent(agent)) {
    throw new TypeError(
      `expect(agent).toSurvive: agent is of type ${typeof agent}; it must be a function or an agent`,
    );
  }
  const { passed, evidence, verdict } = await checkSurvival({ agent, world, fault }, options);
  const name = typeof world === 'string' ? world : world.name;
  const named = typeof fault === 'string' ? fault : JSON.stringify(fault);
  const count =
    passed === null ? ` (this run does not count against the agent: ${verdict.blame ?? 'not scored'})` : '';
  return {
    pass: passed === true,
    message: () =>
      passed === true
        ? `expected the agent not to survive ${named} in '${name}', and it did: ${evidence}`
        : `expected the agent to survive ${named} in '${name}'${count}\n\n${evidence}`,
  };
}

function isAgent(value: unknown): value is TestedAgent {
  if (typeof value === 'function') return true;
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}
