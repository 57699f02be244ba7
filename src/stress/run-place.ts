/**
 * Where a run takes place: an episode in this process, or one that our service also serves over MCP.
 *
 * Both are the same to the runner: step, wait, finish, listen. The second is for agents that are processes of their
 * own; it costs a socket, so the first is what everybody else gets.
 */
import type { StepResult, Turn } from '../core/index.js';
import { type Episode, type EpisodeOptions, openEpisode } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import type { Exposed } from './agent.js';

/** An episode being lived in, wherever it is. */
export interface RunPlace {
  /** The episode as it is now; for looking, not for stepping. */
  readonly episode: Episode;
  step(action: string): Promise<StepResult>;
  wait(durationMs: number): Promise<void>;
  finish(answer: string | null): Promise<StepResult>;
  /** Calls the listener after each turn, whoever made it. Returns what takes it off again. */
  onTurn(listener: (turn: Turn, result: StepResult) => void): () => void;
  /** How a process reaches it; raises where nobody serves it. */
  exposed(): Exposed;
  close(): Promise<void>;
}

/** Opens places for runs; a suite has one for each way. */
export interface PlaceOpener {
  open(world: World, options: EpisodeOptions): Promise<RunPlace>;
  close(): Promise<void>;
}

/** Episodes in this process, reached by nobody else. */
export const LOCAL_PLACES: PlaceOpener = {
  open: async (world, options) => {
    const episode = await openEpisode(world, options);
    return {
      episode,
      step: (action) => episode.step(action),
      wait: (durationMs) => episode.wait(durationMs),
      finish: (answer) => episode.finish(answer ?? undefined),
      onTurn: (listener) => episode.onTurn(listener),
      exposed: () => {
        throw new TypeError('a local episode is not served; this kind of agent needs a hosted one');
      },
      close: async () => undefined,
    };
  },
  close: async () => undefined,
};
