/**
 * A store for one episode that also writes it to a file, turn by turn, before any turn counts.
 *
 * The file is a trajectory in the streamed form. A turn that cannot be written fails its step, and the episode stays
 * as it was: what an agent was shown is in the file, also after kill -9.
 */
import type { TrajectoryRecorder } from '../sim/index.js';
import type { EpisodeStore } from './episode-store.js';
import { createMemoryStore } from './memory-store.js';

/** A store whose turns go to a recorder once it is there. */
export interface RecordingStore extends EpisodeStore {
  /** Set it before the first step. */
  recorder: TrajectoryRecorder | null;
}

/** Makes the store; the recorder needs the episode's header, so it comes later. */
export function createRecordingStore(): RecordingStore {
  const memory = createMemoryStore();
  const store: RecordingStore = {
    ...memory,
    recorder: null,
    append: async (id, event) => {
      store.recorder?.append(event.entry);
      await memory.append(id, event);
    },
  };
  return store;
}
