/**
 * Stored episodes as trajectories: what a store holds, in the format that every reader of this package takes.
 */
import { type TrajectoryHeader, trajectoryEndLine, trajectoryHeaderLine, turnLine } from '../core/index.js';
import { openEpisode } from '../sim/index.js';
import type { EpisodeStore, StoredEvent } from './episode-store.js';
import { storedOptions, storedWorld } from './wake-episode.js';

/** A header and turns as text in the streamed form, with an end line where the last turn ended the episode. */
export function trajectoryText(header: TrajectoryHeader, events: readonly StoredEvent[]): string {
  const lines = [trajectoryHeaderLine(header), ...events.map(({ turn, entry }) => turnLine(turn, entry))];
  const { result } = events.at(-1) ?? {};
  if (result?.done === true) {
    const { reward, score } = result;
    const turns = events.length;
    lines.push(
      trajectoryEndLine({ end: { turns, done: true, reward, ...(score !== undefined && { score }) } }),
    );
  }
  return lines.join('');
}

/** One stored episode, or why it cannot be written. */
export type StoredTrajectory =
  | { readonly id: string; readonly text: string }
  | { readonly id: string; readonly problem: string };

/** Episodes that are read from the store at a time. */
const PAGE = 200;

/** All episodes of a store in the order of their opening; one that cannot be read does not hold up the others. */
export async function* storedTrajectories(store: EpisodeStore): AsyncGenerator<StoredTrajectory> {
  let after: string | undefined;
  while (true) {
    const page = await store.list({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const { id } of page) yield await trajectoryOf(store, id);
    after = page.at(-1)?.id;
    if (after === undefined) return;
  }
}

async function trajectoryOf(store: EpisodeStore, id: string): Promise<StoredTrajectory> {
  try {
    const stored = await store.find(id);
    if (stored === undefined) return { id, problem: 'it was removed meanwhile' };
    const world = await storedWorld(stored, { store, knownWorld: () => undefined });
    const { route: _route, ...options } = storedOptions(stored);
    const header = (await openEpisode(world, options)).header();
    const told = stored.options as { readonly route?: string; readonly model?: string };
    const meta = { ...header.meta, ...told, episode: id };
    return {
      id,
      text: trajectoryText({ ...header, id: `${header.id}-${id}`, meta }, await store.events(id)),
    };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}
