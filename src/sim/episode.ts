/**
 * An episode: a world being lived in, step by step.
 *
 * It is a setup that never changes and one immutable state, so a fork is a second episode that begins with the same
 * state. Steps are queued: each begins after the one before has ended, whatever the caller awaits. Nothing is kept
 * outside, so any number of episodes may live in one process. A language model's own state (a script's place) is
 * not part of an episode.
 */
import {
  type Action,
  hashJson,
  type Json,
  type JsonObject,
  type LiveEpisode,
  type StepResult,
  TRAJECTORY_VERSION,
  type TrajectoryHeader,
  type Turn,
  UsageError,
} from '../core/index.js';
import type { World } from '../worlds/index.js';
import { beginNextTurn } from './begin-turn.js';
import { createSetup, type EpisodeOptions, type EpisodeSetup } from './episode-setup.js';
import { decodeEpisode, encodeEpisode } from './episode-snapshot.js';
import { clockText, type EpisodeEnd, type EpisodeState, startState } from './episode-state.js';
import { runFinish, runStep, type Stepped } from './run-step.js';
import { renderWorldPrompt } from './world-prompt.js';

/** The longest wait: a year. */
const MAX_WAIT_MS = 366 * 24 * 3_600_000;

/**
 * Called after each turn, before its result is returned; a rejection becomes the step's, and the turn stands. It must
 * not await a step of the same episode, which would wait for this one.
 */
export type TurnListener = (turn: Turn, result: StepResult) => void | Promise<void>;

/** A world being lived in. Made by {@link openEpisode}, {@link restoreEpisode} and `fork`. */
export class Episode implements LiveEpisode {
  private readonly setup: EpisodeSetup;
  private state: EpisodeState;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly listeners = new Set<TurnListener>();

  /** Use {@link openEpisode} or {@link restoreEpisode}. */
  constructor(setup: EpisodeSetup, state: EpisodeState) {
    this.setup = setup;
    this.state = state;
  }

  /**
   * Answers one action. Calls made while another runs wait their turn. Rejects with `usage/episode-done` after the
   * end and with `engine/bug` for a failure inside, which leaves the episode as before.
   */
  step(action: Action): Promise<StepResult> {
    return this.enqueue(() => runStep(this.setup, this.state, action));
  }

  /** Ends the episode, with the agent's answer where there is one, and scores it. Rejects like `step`. */
  finish(answer?: string): Promise<StepResult> {
    const said = answer ?? null;
    const action = JSON.stringify({ answer: said });
    return this.enqueue(() => runFinish(this.setup, this.state, { action, answer: said }));
  }

  /**
   * Lets simulated time pass without an action, as an agent does that waits before it tries again. The next turn says
   * how long (`meta.waitedMs`), and a replay waits as long. Queued like a step; rejects with `usage/bad-argument` for
   * anything but 0 to a year in milliseconds, and with `usage/episode-done` after the end.
   */
  async wait(durationMs: number): Promise<void> {
    if (!(durationMs >= 0 && durationMs <= MAX_WAIT_MS)) {
      throw new UsageError(`an agent cannot wait ${durationMs} ms; wanted 0 to ${MAX_WAIT_MS}`, {
        code: 'usage/bad-argument',
      });
    }
    const wholeMs = Math.round(durationMs);
    const next = this.queue.then(() => {
      if (this.state.end !== null) throw episodeDone(this.setup.world.name, this.state.end);
      const { nowMs, waitedMs } = this.state;
      const waited = { ...this.state, nowMs: nowMs + wholeMs, waitedMs: waitedMs + wholeMs };
      this.state = beginNextTurn(this.setup, waited);
    });
    this.queue = next.catch(() => undefined);
    await next;
  }

  /** An independent episode that begins where this one is now; a step under way is not in it. O(1). */
  fork(): Episode {
    return new Episode(this.setup, this.state);
  }

  /** The whole episode as a versioned byte string; see {@link restoreEpisode}. A step under way is not in it. */
  snapshot(): Uint8Array {
    return encodeEpisode(this.setup, this.state);
  }

  /** Calls the listener after each turn of this episode (not of its forks). Returns what takes it off again. */
  onTurn(listener: TurnListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The episode ended: the agent finished or a budget was used up. */
  get done(): boolean {
    return this.state.end !== null;
  }

  /** How it ended, or null while it goes on. */
  get end(): EpisodeEnd | null {
    return this.state.end;
  }

  /** The turns so far, oldest first. */
  get turns(): readonly Turn[] {
    return this.state.turns.toArray();
  }

  /** How many turns there are; cheaper than `turns.length`. */
  get turnCount(): number {
    return this.state.turns.length;
  }

  /** The simulated clock, ISO 8601 UTC. */
  get clock(): string {
    return clockText(this.state.nowMs);
  }

  /** The world that is lived in. */
  get world(): World {
    return this.setup.world;
  }

  /** The seed of this episode. */
  get seed(): number {
    return this.setup.seed;
  }

  /** Fact id → the turn that first revealed it, ordered by id. */
  get revealedFacts(): readonly (readonly [string, number])[] {
    return this.state.ledger.revealed();
  }

  /**
   * What an agent can do now, as the domain describes it: for tools the original definitions, or what faults have made
   * of them. A changed list is another value; an unchanged one the same.
   */
  actionSpace(): Json {
    return actionSpaceOf(this.state);
  }

  /** The action space may change while the episode goes on. */
  get mayChangeTools(): boolean {
    return this.setup.schedule.changesTools;
  }

  /** The state as rules see it under the name `state`. Not for agents. */
  view(): Json {
    return this.state.session.view();
  }

  /** Everything of the trajectory but its turns. The id is the same for the same world, seed and options. */
  header(): TrajectoryHeader {
    const { world, seed, route, faults, budget, model } = this.setup;
    const start = startState(this.setup);
    const how = {
      hash: world.hash,
      seed,
      route,
      maxTurns: budget.maxTurns,
      faults: faults as unknown as Json,
    };
    const meta: JsonObject = {
      world: world.name,
      ...how,
      ...(model !== undefined && { model: model.name }),
    };
    return {
      trajectory: TRAJECTORY_VERSION,
      id: `${world.name}-${hashJson(how).slice(0, 16)}`,
      domain: world.domain,
      source: { ...(world.file.license !== undefined && { licence: world.file.license }) },
      system: renderWorldPrompt(this.setup, actionSpaceOf(start), start.session.view()),
      meta: { ...meta },
    };
  }

  private enqueue(run: () => Stepped | Promise<Stepped>): Promise<StepResult> {
    const next = this.queue.then(async () => {
      if (this.state.end !== null) throw episodeDone(this.setup.world.name, this.state.end);
      const { state, turn, result } = await run();
      this.state = state;
      for (const listener of this.listeners) {
        const heard = listener(turn, result);
        if (heard !== undefined) await heard;
      }
      return result;
    });
    // A failed step must not fail the ones behind it.
    this.queue = next.catch(() => undefined);
    return next;
  }
}

/**
 * Opens an episode of a world in its start state. The seed (default: the world's) controls generated data, faults by
 * chance and the model's seed. Raises `usage/bad-argument`, `usage/not-built`, `world/invalid`, `engine/bad-spec`.
 */
export async function openEpisode(world: World, options: EpisodeOptions = {}): Promise<Episode> {
  const setup = createSetup(world, options);
  return new Episode(setup, startState(setup));
}

/** What a snapshot does not hold. */
export interface RestoreOptions {
  /** The model to go on with; needed where the snapshot's route is `model`. */
  readonly model?: EpisodeOptions['model'];
}

/**
 * Restores an episode from its snapshot, in this process or another; its future is the same. Raises
 * `engine/bad-snapshot` for damaged bytes, another version or another world.
 */
export async function restoreEpisode(
  world: World,
  snapshot: Uint8Array,
  options: RestoreOptions = {},
): Promise<Episode> {
  const decoded = decodeEpisode(world, snapshot);
  const model = options.model === undefined ? {} : { model: options.model };
  const setup = createSetup(world, { ...decoded.options, ...model });
  return new Episode(setup, decoded.restore(setup));
}

function actionSpaceOf(state: EpisodeState): Json {
  return state.tools?.actionSpace ?? state.session.actionSpace();
}

function episodeDone(world: string, end: EpisodeEnd): UsageError {
  return new UsageError(
    `the episode of '${world}' is done (${end.reason}); open a new one, or fork an earlier state`,
    {
      code: 'usage/episode-done',
      data: { world, reason: end.reason },
    },
  );
}
