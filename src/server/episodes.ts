/**
 * All episodes of a service: opened, found, forked, let go.
 *
 * Ids are 128 random bits, so nobody finds an episode by guessing. Not covered: bringing idle episodes back from a
 * durable store.
 */
import { randomBytes } from 'node:crypto';
import { type Json, LIMITS, ServiceError } from '../core/index.js';
import { type Episode, type EpisodeOptions, openEpisode } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import type { EpisodeStore, StoredEpisode } from './episode-store.js';
import { type HostContext, HostedEpisode } from './hosted-episode.js';
import type { Metrics } from './metrics.js';

/** How an episode is opened in a service: as in room `sim`, and what the service adds. */
export interface HostedOptions extends EpisodeOptions {
  /** Its routes need its own token, or the control token, wherever the caller is. Default false. */
  readonly private?: boolean;
  /**
   * `live`: the simulated clock also goes on by the wall time between an answer and the next action, as an agent
   * outside this process lives it. Turns record it (`meta.waitedMs`), and a replay waits as long. Default `action`.
   */
  readonly clock?: 'live' | 'action';
  /**
   * When the service is full, the episode may be let go once it is done, or once nobody has stepped it for
   * `LIMITS.sessionIdleMs`: agents open episodes and vanish. Default false.
   */
  readonly transient?: boolean;
}

/** What a collection of episodes needs. */
export interface EpisodesOptions {
  readonly store: EpisodeStore;
  readonly nowMs: () => number;
  readonly metrics: Metrics;
  /** Called with each episode that is let go. */
  readonly onRemoved?: (id: string) => void;
  /** Episodes at once. Default `LIMITS.episodesPerService`. */
  readonly maxEpisodes?: number;
}

/** The live episodes of a service. */
export class Episodes {
  readonly #context: HostContext;
  readonly #onRemoved: (id: string) => void;
  readonly #maxEpisodes: number;
  readonly #live = new Map<string, HostedEpisode>();
  /** Episodes that are being opened: they count for the capacity. */
  #opening = 0;
  #closed = false;
  /** Episodes opened since the start, forks among them. */
  opened = 0;

  constructor({ store, nowMs, metrics, ...more }: EpisodesOptions) {
    this.#context = { store, nowMs, metrics };
    this.#onRemoved = more.onRemoved ?? (() => undefined);
    this.#maxEpisodes = more.maxEpisodes ?? LIMITS.episodesPerService;
  }

  /** How many there are. */
  get size(): number {
    return this.#live.size;
  }

  /** The live episodes, oldest first. */
  values(): IterableIterator<HostedEpisode> {
    return this.#live.values();
  }

  /** Opens an episode. Rejects with `service/capacity`, and as `openEpisode` does. */
  open(world: World, options: HostedOptions = {}): Promise<HostedEpisode> {
    return this.#add(async () => {
      const { private: isPrivate = false, clock = 'action', transient = false, ...inner } = options;
      const episode = await openEpisode(world, inner);
      return { episode, isPrivate, transient, clock, options: describe(options), events: [] };
    });
  }

  /** A new episode that begins where another is now, with its turns. Rejects with `service/capacity`. */
  fork(hosted: HostedEpisode): Promise<HostedEpisode> {
    return this.#add(async () => {
      const episode = hosted.episode.fork();
      const events = (await this.#context.store.events(hosted.id)).slice(0, episode.turnCount);
      const parent = { id: hosted.id, turns: episode.turnCount };
      const { isPrivate, clock, options } = hosted.stored;
      return {
        episode,
        isPrivate,
        transient: false,
        clock,
        options,
        events: events.map(withoutRequest),
        parent,
      };
    });
  }

  /** The live episode of this id, or undefined. */
  find(id: string): HostedEpisode | undefined {
    return this.#live.get(id);
  }

  /** The live episode of this id. Raises `service/not-found`. */
  get(id: string): HostedEpisode {
    const found = this.#live.get(id);
    if (found !== undefined) return found;
    throw new ServiceError(`there is no episode ${JSON.stringify(id.slice(0, 100))}`, {
      code: 'service/not-found',
    });
  }

  /** Lets an episode go, from memory and store; a step under way is waited for. False where there was none. */
  async remove(id: string): Promise<boolean> {
    const found = this.#live.get(id);
    if (found === undefined) return false;
    this.#live.delete(id);
    await found.close();
    this.#onRemoved(id);
    return this.#context.store.remove(id);
  }

  /** Takes no new episodes, waits for the steps that run, and closes the store. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#live.values()].map((hosted) => hosted.close()));
    this.#live.clear();
    await this.#context.store.close();
  }

  /** Lets the oldest episode go that nobody will miss; false where there is none. */
  async #makeRoom(): Promise<boolean> {
    const sinceMs = this.#context.nowMs() - LIMITS.sessionIdleMs;
    for (const hosted of this.#live.values()) {
      if (!hosted.transient || !(hosted.episode.done || hosted.seenMs < sinceMs)) continue;
      return this.remove(hosted.id);
    }
    return false;
  }

  async #add(make: () => Promise<Made>): Promise<HostedEpisode> {
    if (this.#closed) throw new ServiceError('the service is shutting down', { code: 'service/closed' });
    if (this.#live.size + this.#opening >= this.#maxEpisodes && !(await this.#makeRoom())) {
      throw full(this.#maxEpisodes);
    }
    this.#opening++;
    try {
      const { episode, events, transient, ...facts } = await make();
      const { world, seed } = episode;
      const stored: StoredEpisode = {
        id: randomBytes(16).toString('hex'),
        world: { name: world.name, hash: world.hash },
        seed,
        createdAt: new Date(this.#context.nowMs()).toISOString(),
        ...facts,
      };
      await this.#context.store.create(stored, events);
      const hosted = new HostedEpisode(stored, episode, { ...this.#context, transient, events });
      this.#live.set(stored.id, hosted);
      this.opened++;
      return hosted;
    } finally {
      this.#opening--;
    }
  }
}

interface Made extends Pick<StoredEpisode, 'isPrivate' | 'clock' | 'options' | 'parent'> {
  readonly episode: Episode;
  readonly transient: boolean;
  readonly events: Parameters<EpisodeStore['create']>[1];
}

/** A fork's turns were not sent to it: an id that acted before may act in the fork. */
function withoutRequest<Event extends { readonly requestId: string | null }>(event: Event): Event {
  return { ...event, requestId: null };
}

function describe(options: HostedOptions): Json {
  const { route, maxTurns, faults, model } = options;
  return {
    ...(route !== undefined && { route }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(faults !== undefined && { faults: faults as unknown as Json }),
    ...(model !== undefined && { model: model.name }),
  };
}

function full(maxEpisodes: number): ServiceError {
  return new ServiceError(
    `the service holds ${maxEpisodes} episodes, its limit; delete some or raise the limit`,
    {
      code: 'service/capacity',
      data: { maxEpisodes },
    },
  );
}
