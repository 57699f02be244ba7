/**
 * Plays a fixed list of actions in a world, to its end, and says what became of it.
 */
import type { Score, StepResult } from '../core/index.js';
import { type Episode, openEpisode } from '../sim/index.js';
import type { World } from '../worlds/index.js';

/** What a played script gave. */
export interface ScriptRun {
  /** Every step in order; the last one ended the episode. */
  readonly steps: readonly StepResult[];
  /** The share of verifiers passed, 0–1; null where it could not be scored. */
  readonly reward: number | null;
  readonly score: Score;
  /** Actions of the script that were never played because the episode had ended. */
  readonly unplayed: number;
  /** The episode at its end. */
  readonly episode: Episode;
}

/**
 * Plays actions in a fresh episode and finishes it, without an answer, if the actions did not. The seed (default:
 * the world's) controls generated data and faults by chance. Raises what opening an episode raises.
 */
export async function runScript(
  world: World,
  actions: readonly string[],
  options: { readonly seed?: number } = {},
): Promise<ScriptRun> {
  const episode = await openEpisode(world, options);
  const steps: StepResult[] = [];
  for (const action of actions) {
    if (episode.done) break;
    steps.push(await episode.step(action));
  }
  return endedRun(episode, steps, actions.length);
}

/** The run of a script of that many actions whose steps were played in an episode, which is finished if it is not done. */
export async function endedRun(
  episode: Episode,
  played: readonly StepResult[],
  actions: number,
): Promise<ScriptRun> {
  const unplayed = actions - played.length;
  const steps = episode.done ? played : [...played, await episode.finish()];
  const score = steps.at(-1)?.score ?? { status: 'unscored', reason: 'the episode ended without a score' };
  return { steps, unplayed, score, reward: score.status === 'scored' ? score.fraction : null, episode };
}

/** Plays the world's own solution. Like {@link runScript}. */
export function runOracle(world: World, options: { readonly seed?: number } = {}): Promise<ScriptRun> {
  return runScript(world, world.oracle, options);
}

/** The names of the verifiers that did not pass, or the reason why nothing was scored. */
export function failedVerifiers(score: Score): string {
  if (score.status === 'unscored') return score.reason;
  const failed = Object.entries(score.components).flatMap(([id, fraction]) => (fraction < 1 ? [id] : []));
  return failed.length === 0 ? 'none' : failed.join(', ');
}
