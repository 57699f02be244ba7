/**
 * Episodes in memory: gone when the process ends, and said so by `durable: false`.
 *
 * The turns are the objects that the live episodes hold, so they are kept once, not twice.
 */
import { ServiceError } from '../core/index.js';
import type { EpisodeStore, StoredEpisode, StoredEvent } from './episode-store.js';

interface Kept {
  readonly episode: StoredEpisode;
  readonly events: StoredEvent[];
}

/** Makes an empty store in memory. */
export function createMemoryStore(): EpisodeStore {
  const kept = new Map<string, Kept>();
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
    events: async (id, after = 0) => kept.get(id)?.events.slice(after) ?? [],
    remove: async (id) => kept.delete(id),
    close: async () => kept.clear(),
  };
}

function refused(why: string): ServiceError {
  return new ServiceError(`the episode cannot be stored: ${why}`, { code: 'service/store-failed' });
}
