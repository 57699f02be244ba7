/**
 * The port to where a service keeps its episodes: what was opened, and every turn, as a log.
 *
 * The idea: a step is answered only after `append` has resolved, so what a store promises (memory: as long as this
 * process lives; a database: also after kill -9) is what every caller is promised. A repeated step is answered from
 * the log, by its request id. Not covered: snapshots of idle episodes, which a database store adds.
 */
import type { Json, StepResult, Turn } from '../core/index.js';

/** How an episode was opened. */
export interface StoredEpisode {
  readonly id: string;
  /** The world's name and content hash. */
  readonly world: { readonly name: string; readonly hash: string };
  readonly seed: number;
  /** Everything else that was asked for, as JSON: route, maxTurns, faults, the model's name. */
  readonly options: Json;
  /** `live`: the simulated clock also goes on by the wall time between an answer and the next action. */
  readonly clock: 'live' | 'action';
  /** Its routes need its own token. */
  readonly isPrivate: boolean;
  /** Wall clock, ISO 8601 UTC. */
  readonly createdAt: string;
  /** The episode and the number of its turns that this one was forked from. */
  readonly parent?: { readonly id: string; readonly turns: number };
}

/** One turn of an episode, or its end. */
export interface StoredEvent {
  /** The number of the turn, from 1; unique in its episode. */
  readonly turn: number;
  /** The id under which the caller sent it; null where the caller has none (an MCP client). */
  readonly requestId: string | null;
  /** Wall clock, ISO 8601 UTC. */
  readonly recordedAt: string;
  /** As a trajectory holds it. */
  readonly entry: Turn;
  /** What the caller was answered, without the model's thinking. */
  readonly result: StepResult;
}

/** Where episodes are kept. Every method rejects with a `ServiceError` of code `service/store-failed` on failure. */
export interface EpisodeStore {
  /** What it is, for people: `memory`, or a path. */
  readonly name: string;
  /** What it holds survives the end of this process. */
  readonly durable: boolean;
  /** Keeps a new episode; resolves when it is as safe as this store can make it. Rejects for an id that is there. */
  create(episode: StoredEpisode, events: readonly StoredEvent[]): Promise<void>;
  /** Adds the next turn; resolves when it is safe. Rejects where its number is not the next. */
  append(id: string, event: StoredEvent): Promise<void>;
  /** How an episode was opened, or undefined. */
  find(id: string): Promise<StoredEpisode | undefined>;
  /** Its turns after the given number, oldest first; none for an unknown id. */
  events(id: string, after?: number): Promise<readonly StoredEvent[]>;
  /** Forgets an episode; false where there was none. */
  remove(id: string): Promise<boolean>;
  /** Lets go of everything that keeps a process alive. */
  close(): Promise<void>;
}
