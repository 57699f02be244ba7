/**
 * All episodes of a service: opened, found, forked, let go.
 *
 * Ids are 128 random bits, so nobody finds an episode by guessing. With a durable store memory holds only the episodes
 * that are lived in: the others sleep in the store and come back with the next request that names them, also in
 * another process.
 */
import { randomBytes } from 'node:crypto';
import { type Json, LIMITS, ServiceError } from '../core/index.js';
import { type Episode, type EpisodeOptions, openEpisode } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import type { EpisodeStore, StoredEpisode, StoredEvent } from './episode-store.js';
import { type HostContext, HostedEpisode } from './hosted-episode.js';
import type { Metrics } from './metrics.js';
import type { Quotas } from './quotas.js';
import { noEpisode } from './service-rooms.js';
import { type WakeContext, wakeEpisode } from './wake-episode.js';

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
  /** Never leaves memory: somebody in this process holds it. Default false. */
  readonly keepAwake?: boolean;
}

/** What a collection of episodes needs. */
export interface EpisodesOptions {
  readonly store: EpisodeStore;
  readonly nowMs: () => number;
  readonly metrics: Metrics;
  readonly quotas: Quotas;
  /** Called with each episode that is let go. */
  readonly onRemoved?: (id: string) => void;
  /** Episodes at once. Default `LIMITS.episodesPerService`; with a durable store `LIMITS.storedEpisodes`. */
  readonly maxEpisodes?: number;
  /** With a durable store: episodes in memory at once. Default `LIMITS.awakeEpisodes`. */
  readonly maxAwake?: number;
  /** Nobody is connected to this episode; what is kept for it beside the episode is let go. Default: always so. */
  readonly rest?: (id: string) => boolean;
  /** What brings an episode back needs. */
  readonly knownWorld?: WakeContext['knownWorld'];
  /** The same. */
  readonly modelNamed?: WakeContext['modelNamed'];
}

/** The episodes of a service. */
export class Episodes {
  readonly #context: HostContext;
  readonly #wakeContext: WakeContext;
  readonly #onRemoved: (id: string) => void;
  readonly #rest: (id: string) => boolean;
  readonly #maxEpisodes: number;
  readonly #maxAwake: number;
  readonly #live = new Map<string, HostedEpisode>();
  readonly #waking = new Map<string, Promise<HostedEpisode | undefined>>();
  /** Episodes that are in the store and not in memory. */
  #asleep = 0;
  /** Episodes that are being opened: they count for the capacity. */
  #opening = 0;
  #closed = false;
  readonly #ready: Promise<void>;
  /** Episodes opened since the start, forks among them. */
  opened = 0;
  /** Episodes that came back from the store since the start. */
  woken = 0;

  constructor({ store, nowMs, metrics, quotas, ...more }: EpisodesOptions) {
    this.#context = { store, nowMs, metrics, quotas };
    this.#wakeContext = {
      store,
      knownWorld: more.knownWorld ?? (() => undefined),
      modelNamed: more.modelNamed ?? (() => undefined),
    };
    this.#onRemoved = more.onRemoved ?? (() => undefined);
    this.#rest = more.rest ?? (() => true);
    this.#maxEpisodes =
      more.maxEpisodes ?? (store.durable ? LIMITS.storedEpisodes : LIMITS.episodesPerService);
    this.#maxAwake = store.durable ? (more.maxAwake ?? LIMITS.awakeEpisodes) : Number.POSITIVE_INFINITY;
    this.#ready = this.#countStored();
    // A store that cannot be read says so with the first request.
    this.#ready.catch(() => undefined);
  }

  /** How many there are, awake and asleep. */
  get size(): number {
    return this.#live.size + this.#asleep;
  }

  /** How many are in memory. */
  get awake(): number {
    return this.#live.size;
  }

  /** Opens an episode. Rejects with `service/capacity`, and as `openEpisode` does. */
  open(world: World, options: HostedOptions = {}): Promise<HostedEpisode> {
    return this.#add(async () => {
      const {
        private: isPrivate = false,
        clock = 'action',
        transient = false,
        keepAwake = false,
        ...inner
      } = options;
      const episode = await openEpisode(world, inner);
      return {
        episode,
        isPrivate,
        transient,
        keepAwake,
        clock,
        options: describe(options),
        events: [],
      };
    });
  }

  /** A new episode that begins where another is now, with its turns. Rejects with `service/capacity`. */
  fork(hosted: HostedEpisode): Promise<HostedEpisode> {
    return this.#add(async () => {
      const episode = hosted.episode.fork();
      const events = await this.#context.store.events(hosted.id, 0, episode.turnCount);
      const parent = { id: hosted.id, turns: episode.turnCount };
      const { isPrivate, clock, options } = hosted.stored;
      return {
        episode,
        isPrivate,
        transient: false,
        keepAwake: false,
        clock,
        options,
        events: events.map(withoutRequest),
        parent,
      };
    });
  }

  /** How the episode of this id was opened, or undefined; it is not woken. */
  async find(id: string): Promise<StoredEpisode | undefined> {
    return this.#live.get(id)?.stored ?? (await this.#context.store.find(id));
  }

  /**
   * The episode of this id, brought back where it sleeps. Rejects with `service/not-found`, and with
   * `service/store-failed` for one that cannot be brought back.
   */
  async get(id: string): Promise<HostedEpisode> {
    const found = this.#live.get(id) ?? (await this.#wake(id));
    if (found !== undefined) return found;
    throw noEpisode(id);
  }

  /** Lets an episode go, from memory and store; a step under way is waited for. False where there was none. */
  async remove(id: string): Promise<boolean> {
    await this.#waking.get(id)?.catch(() => undefined);
    const found = this.#live.get(id);
    this.#live.delete(id);
    await found?.close();
    this.#onRemoved(id);
    const removed = await this.#context.store.remove(id);
    if (removed && found === undefined) this.#asleep--;
    return removed;
  }

  /** Lets those leave memory that nobody stepped for `idleMs` milliseconds; nothing without a durable store. */
  sweep(idleMs: number = LIMITS.episodeIdleMs): void {
    if (!this.#context.store.durable) return;
    const sinceMs = this.#context.nowMs() - idleMs;
    for (const hosted of this.#live.values()) if (hosted.seenMs < sinceMs) this.#sleep(hosted);
  }

  /** Forgets the episodes that nobody changed since then; returns how many. */
  async prune(beforeMs: number): Promise<number> {
    const ids = await this.#context.store.prune(beforeMs);
    for (const id of ids) {
      const found = this.#live.get(id);
      this.#live.delete(id);
      if (found === undefined) this.#asleep--;
      await found?.close();
      this.#onRemoved(id);
    }
    return ids.length;
  }

  /** Takes no new episodes, waits for the steps that run, puts all to sleep, and closes the store. */
  async close(): Promise<void> {
    this.#closed = true;
    const { store } = this.#context;
    await Promise.all([...this.#live.values()].map((hosted) => hosted.close()));
    if (store.durable) {
      await Promise.all([...this.#live.values()].map((hosted) => keepSnapshot(store, hosted)));
    }
    this.#live.clear();
    await store.close();
  }

  async #countStored(): Promise<void> {
    if (this.#context.store.durable) this.#asleep += await this.#context.store.count();
  }

  #wake(id: string): Promise<HostedEpisode | undefined> {
    const known = this.#waking.get(id);
    if (known !== undefined) return known;
    const waking = this.#bringBack(id).finally(() => this.#waking.delete(id));
    this.#waking.set(id, waking);
    return waking;
  }

  async #bringBack(id: string): Promise<HostedEpisode | undefined> {
    if (!this.#context.store.durable) return undefined;
    if (this.#closed) throw closing();
    const stored = await this.#context.store.find(id);
    if (stored === undefined) return undefined;
    const { episode, events } = await wakeEpisode(stored, this.#wakeContext);
    this.#keepFew();
    const start = { ...this.#context, transient: false, events };
    const hosted = new HostedEpisode(stored, episode, start);
    this.#live.set(id, hosted);
    this.#asleep--;
    this.woken++;
    return hosted;
  }

  /** Puts the longest idle tenth to sleep where there are as many as there may be. */
  #keepFew(): void {
    if (this.#live.size < this.#maxAwake) return;
    const idle = [...this.#live.values()].sort((a, b) => a.seenMs - b.seenMs);
    const wanted = Math.floor(this.#maxAwake * 0.9);
    for (const hosted of idle) {
      if (this.#live.size <= wanted) return;
      this.#sleep(hosted);
    }
  }

  #sleep(hosted: HostedEpisode): void {
    if (!this.#rest(hosted.id) || !hosted.canSleep) return;
    const { store } = this.#context;
    // A snapshot that cannot be written costs time at waking, nothing else: every turn is in the log.
    keepSnapshot(store, hosted).catch(() => undefined);
    hosted.sleep(() => this.get(hosted.id));
    this.#live.delete(hosted.id);
    this.#asleep++;
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
    await this.#ready;
    if (this.#closed) throw closing();
    this.#context.quotas.take('episodes');
    if (this.size + this.#opening >= this.#maxEpisodes && !(await this.#makeRoom())) {
      throw full(this.#maxEpisodes);
    }
    this.#opening++;
    try {
      const { episode, events, transient, keepAwake, ...facts } = await make();
      const { world, seed } = episode;
      const stored: StoredEpisode = {
        id: randomBytes(16).toString('hex'),
        world: { name: world.name, hash: world.hash },
        seed,
        createdAt: new Date(this.#context.nowMs()).toISOString(),
        ...facts,
      };
      await this.#keep(world, stored, events);
      this.#keepFew();
      const hosted = new HostedEpisode(stored, episode, { ...this.#context, transient, keepAwake, events });
      this.#live.set(stored.id, hosted);
      this.opened++;
      return hosted;
    } finally {
      this.#opening--;
    }
  }

  /** Both in one go, so that no removal comes between that would take the world away. */
  async #keep(world: World, stored: StoredEpisode, events: readonly StoredEvent[]): Promise<void> {
    const { store } = this.#context;
    const { hash, name } = world;
    await Promise.all([
      ...(store.durable ? [store.keepWorld(hash, () => ({ hash, name, text: world.text() }))] : []),
      store.create(stored, events),
    ]);
  }
}

function keepSnapshot(store: EpisodeStore, { id, episode }: HostedEpisode): Promise<void> {
  return store.keepSnapshot(id, { turns: episode.turnCount, bytes: episode.snapshot() });
}

interface Made extends Pick<StoredEpisode, 'isPrivate' | 'clock' | 'options' | 'parent'> {
  readonly episode: Episode;
  readonly transient: boolean;
  readonly keepAwake: boolean;
  readonly events: readonly StoredEvent[];
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

function closing(): ServiceError {
  return new ServiceError('the service is shutting down', { code: 'service/closed' });
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
