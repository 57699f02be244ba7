/**
 * Lets a character live in a world, in process, and hands back what judging needs.
 */
import type { FaultSpec } from '../../control/index.js';
import { UsageError } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { type Episode, openEpisode } from '../../sim/index.js';
import { type JudgedRun, type VerdictId, watchEffects } from '../../stress/index.js';
import type { World } from '../../worlds/index.js';
import type { Character, CharacterSession } from './character.js';

/** A played run, and what the character says it did wrong. */
export interface PlayedRun {
  readonly run: JudgedRun;
  readonly deeds: readonly VerdictId[];
}

/** Plays one run. The seed (default: the world's) controls generated data and faults by chance. */
export async function playCharacter(
  character: Character,
  world: World,
  options: { readonly faults?: readonly FaultSpec[]; readonly seed?: number; readonly expects?: string } = {},
): Promise<PlayedRun> {
  const { faults = [], seed = world.file.seed } = options;
  const episode = await openEpisode(world, { faults, seed, route: 'engine' });
  const log = watchEffects(episode);
  const deeds = new Set<VerdictId>();
  try {
    const answer = await character.run(sessionOf(episode), deeds);
    if (!episode.done) await episode.finish(answer ?? undefined);
  } catch (cause) {
    // The budget ended the episode under the character's feet.
    if (!(cause instanceof UsageError) || !episode.done) throw cause;
  }
  const reason = episode.end?.reason ?? 'finished';
  const score = episode.end?.score ?? { status: 'unscored' as const, reason: 'no end' };
  const id = faults.length === 0 ? 'clean' : faults.map((fault) => fault.kind).join('+');
  const run: JudgedRun = {
    turns: episode.turns,
    answer: episode.end?.answer ?? null,
    end: { reason },
    score,
    effects: log.effects,
    faults: { id, expects: options.expects },
  };
  return { run, deeds: [...deeds] };
}

function sessionOf(episode: Episode): CharacterSession {
  return {
    world: episode.world,
    tools: () => episode.actionSpace() as unknown as readonly ToolDefinition[],
    nowMs: () => Date.parse(episode.clock),
    call: async (name, args) => {
      const result = await episode.step(JSON.stringify({ name, arguments: args }));
      const text = result.observation ?? `no answer (${result.status})`;
      return {
        text,
        isError: result.observation === null || result.meta?.isError === true,
        ...(result.value !== undefined && { value: result.value }),
      };
    },
    wait: (ms) => episode.wait(ms),
  };
}
