/**
 * Seed worlds as expansion needs them: loaded, with what varies, and with what their own oracle shows.
 */
import { UsageError } from '../../core/index.js';
import type { World } from '../../worlds/index.js';
import { runOracle } from '../run-script.js';
import { prepareSeed, type SeedWorld } from './make-child.js';
import { triedExpand } from './tried-expand.js';

/** A seed world and the facts that its oracle reveals. */
export interface ReadySeed {
  readonly seedWorld: SeedWorld;
  readonly facts: readonly string[];
}

/**
 * Makes a world ready to be expanded. Raises `usage/bad-argument` for a world whose own oracle does not solve it, and
 * `usage/not-built` for a domain without an engine.
 */
export async function readySeed(world: World): Promise<ReadySeed> {
  if (world.spec === null) {
    const message = `world '${world.name}' is of domain '${world.domain}'; only worlds of tools can be expanded`;
    throw new UsageError(message, { code: 'usage/not-built', data: { domain: world.domain } });
  }
  const run = await runOracle(world);
  if (run.reward !== 1) {
    const message = `world '${world.name}' has no oracle that solves it (reward ${String(run.reward)}); see umwelt world check`;
    throw new UsageError(message, {
      code: 'usage/bad-argument',
      data: { world: world.name, reward: run.reward },
    });
  }
  const { expand } = world.file;
  const facts = run.episode.revealedFacts.map(([id]) => id);
  const varies = expand ?? (await triedExpand(world, facts));
  return { seedWorld: prepareSeed(world, varies, expand !== undefined), facts };
}
