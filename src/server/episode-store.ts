/**
 * The port to where a service keeps its episodes: what was opened, and every turn, as a log.
 *
 * The idea: a step is answered only after `append` has resolved, so what a store promises (memory: as long as this
 * process lives; a database: also after kill -9) is what every caller is promised. A repeated step is answered from
 * the log, by its request id. Beside the log a store may keep worlds (so that an episode outlives the catalogue it was
 * opened from) and snapshots (so that an idle episode need not be played again from its start). Every store passes the
 * suite in `episode-store.contract.ts`; a networked database is another implementation of this port.
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
  /** The turn is the end that was asked for by `finish`, not an action of the domain. Default false. */
  readonly isFinish?: boolean;
}

/** A world as an episode needs it again. */
export interface StoredWorld {
  readonly hash: string;
  readonly name: string;
  /** Its whole file, nothing left out, as canonical JSON; loading it gives the same hash. */
  readonly text: string;
}

/** An episode as bytes, see `Episode.snapshot`. */
export interface StoredSnapshot {
  /** How many turns are in it. */
  readonly turns: number;
  readonly bytes: Uint8Array;
}

/** What a list of stored episodes tells of one. */
export interface StoredSummary {
  readonly id: string;
  readonly world: string;
  readonly turns: number;
  readonly done: boolean;
  /** Wall clock of the last turn, or of the opening; ISO 8601 UTC. */
  readonly changedAt: string;
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
  /** Its turns after the given number (default 0), oldest first, at most `limit` (default all); none for an unknown id. */
  events(id: string, after?: number, limit?: number): Promise<readonly StoredEvent[]>;
  /** Forgets an episode; false where there was none. Worlds that no episode needs any more go with it. */
  remove(id: string): Promise<boolean>;
  /** Up to `limit` episodes in order of their opening, those opened after the given one. */
  list(how: { readonly after?: string; readonly limit: number }): Promise<readonly StoredSummary[]>;
  /** How many episodes there are. */
  count(): Promise<number>;
  /** Keeps a world; one of that hash that is there already stays, and `make` is not asked. */
  keepWorld(hash: string, make: () => StoredWorld): Promise<void>;
  /** The world of this hash, or undefined. */
  world(hash: string): Promise<StoredWorld | undefined>;
  /** Keeps where an episode is now, in place of an earlier snapshot. Rejects for an unknown id. */
  keepSnapshot(id: string, snapshot: StoredSnapshot): Promise<void>;
  /** The last snapshot of an episode, or undefined. */
  snapshot(id: string): Promise<StoredSnapshot | undefined>;
  /** Forgets the episodes that were last changed before this time; tells which. */
  prune(beforeMs: number): Promise<readonly string[]>;
  /** Lets go of everything that keeps a process alive. */
  close(): Promise<void>;
}
