/**
 * What is told of an episode: to an agent the task and where it stands, to the control door everything that decides
 * its future.
 */
import type { Json, JsonObject } from '../core/index.js';
import type { HostedEpisode } from './hosted-episode.js';

/** What an agent may know of its episode. */
export function agentView(hosted: HostedEpisode): JsonObject {
  const { episode, world, id } = hosted;
  const { task } = world.file;
  const score = episode.end?.score;
  return {
    id,
    world: world.name,
    domain: world.domain,
    title: world.title,
    ...(task !== undefined && { task }),
    actionSpace: episode.actionSpace(),
    turns: episode.turnCount,
    clock: episode.clock,
    done: episode.done,
    reward: score?.status === 'scored' ? score.fraction : null,
  };
}

/** Everything: also seed, hash, options, the end and the facts that were revealed. */
export function wholeView(hosted: HostedEpisode): JsonObject {
  const { episode, stored, world } = hosted;
  return {
    ...agentView(hosted),
    hash: world.hash,
    seed: episode.seed,
    options: stored.options,
    clockMode: stored.clock,
    private: stored.isPrivate,
    createdAt: stored.createdAt,
    ...(stored.parent !== undefined && { parent: { ...stored.parent } }),
    end: episode.end as unknown as Json,
    revealedFacts: episode.revealedFacts as unknown as Json,
  };
}
