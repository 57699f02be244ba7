/**
 * Episodes in memory: gone when the process ends, and said so by `durable: false`.
 *
 * The turns are the objects that the live episodes hold, so they are kept once, not twice.
 */
import { ServiceError } from '../core/index.js';
import type {
  EpisodeStore,
  StoredEpisode,
  StoredEvent,
  StoredSnapshot,
  StoredSummary,
  StoredWorld,
} from './episode-store.js';

interface Kept {
  readonly episode: StoredEpisode;
  readonly events: StoredEvent[];
  snapshot?: StoredSnapshot;
}

/** Makes an empty store in memory. */
export function createMemoryStore(): EpisodeStore {
  const kept = new Map<string, Kept>();
  const worlds = new Map<string, StoredWorld>();
  const remove = (id: string): boolean => {
    const found = kept.get(id);
    if (found === undefined) return false;
    kept.delete(id);
    const { hash } = found.episode.world;
    if (![...kept.values()].some(({ episode }) => episode.world.hash === hash)) worlds.delete(hash);
    return true;
  };
  return {
    name: 'memory',
    durable: false,
    async create(episode, events) {
      if (kept.has(episode.id)) throw refused(`there is an episode ${episode.id} already`);
      kept.set(episode.id, { episode, events: [...events] });
    },
    async append(id, event) {
      const found = kept.get(id);
      if (found === undefined) throw refused(`there is no episode ${id}`);
      const next = found.events.length + 1;
      if (event.turn !== next)
        throw refused(`the next turn of ${id} is ${next}; turn ${event.turn} was to be added`);
      found.events.push(event);
    },
    find: async (id) => kept.get(id)?.episode,
    events: async (id, after = 0, limit = Number.POSITIVE_INFINITY) =>
      kept.get(id)?.events.slice(after, after + limit) ?? [],
    remove: async (id) => remove(id),
    async list({ after, limit }) {
      const all = [...kept.values()];
      const from = after === undefined ? 0 : all.findIndex(({ episode }) => episode.id === after) + 1;
      return all.slice(from, from + limit).map(summaryOf);
    },
    count: async () => kept.size,
    async keepWorld(hash, make) {
      if (!worlds.has(hash)) worlds.set(hash, make());
    },
    world: async (hash) => worlds.get(hash),
    async keepSnapshot(id, snapshot) {
      const found = kept.get(id);
      if (found === undefined) throw refused(`there is no episode ${id}`);
      found.snapshot = snapshot;
    },
    snapshot: async (id) => kept.get(id)?.snapshot,
    async prune(beforeMs) {
      const old = [...kept.values()].filter((one) => Date.parse(summaryOf(one).changedAt) < beforeMs);
      const ids = old.map(({ episode }) => episode.id);
      for (const id of ids) remove(id);
      return ids;
    },
    close: async () => kept.clear(),
  };
}

function summaryOf({ episode, events }: Kept): StoredSummary {
  const last = events.at(-1);
  return {
    id: episode.id,
    world: episode.world.name,
    turns: events.length,
    done: last?.result.done ?? false,
    changedAt: last?.recordedAt ?? episode.createdAt,
  };
}

function refused(why: string): ServiceError {
  return new ServiceError(`the episode cannot be stored: ${why}`, { code: 'service/store-failed' });
}
