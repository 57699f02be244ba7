/**
 * Brings an episode back from its store: the last snapshot, then the turns after it played again.
 *
 * Turns that a model answered are played with the texts that were recorded, so the model is asked nothing twice. Each
 * turn must come out as it was recorded; where it does not (another version of this package, a world that was changed
 * by hand) the episode is not brought back under false colours. Source: architecture, "the engine port", snapshots.
 */
import type { FaultSpec } from '../control/index.js';
import { type Json, type JsonObject, type LanguageModel, ServiceError } from '../core/index.js';
import {
  type Episode,
  type EpisodeOptions,
  openEpisode,
  recordedOptions,
  repeatWait,
  restoreEpisode,
} from '../sim/index.js';
import { loadWorld, type World } from '../worlds/index.js';
import type { EpisodeStore, StoredEpisode, StoredEvent } from './episode-store.js';

/** What waking needs of its service. */
export interface WakeContext {
  readonly store: EpisodeStore;
  /** The world of this name and hash where it is loaded already. */
  readonly knownWorld: (name: string, hash: string) => World | undefined;
  /** What a model's name stands for here. */
  readonly modelNamed: (name: string) => LanguageModel | undefined;
}

/** An episode as it was after its last stored turn. */
export interface WokenEpisode {
  readonly episode: Episode;
  readonly events: readonly StoredEvent[];
}

/** Brings an episode back. Rejects with `service/store-failed` where that cannot be, saying why. */
export async function wakeEpisode(stored: StoredEpisode, context: WakeContext): Promise<WokenEpisode> {
  const { store } = context;
  const world = await storedWorld(stored, context);
  const model = modelOf(stored, context);
  const events = await store.events(stored.id);
  const snapshot = await store.snapshot(stored.id);
  const start = snapshot?.turns ?? 0;
  const later = events.slice(start);
  const said = recordedOptions({ meta: {}, turns: later.map(({ entry }) => entry) });
  const player = said.model ?? model;
  const options = { ...storedOptions(stored), ...(player !== undefined && { model: player }) };
  const episode =
    snapshot === undefined
      ? await openEpisode(world, options)
      : await restoreEpisode(world, snapshot.bytes, options);
  for (const event of later) await replay(episode, event, stored.id);
  if (said.model === undefined) return { episode, events };
  const own = model === undefined ? {} : { model };
  return { episode: await restoreEpisode(world, episode.snapshot(), own), events };
}

async function replay(episode: Episode, { turn, entry, isFinish }: StoredEvent, id: string): Promise<void> {
  await repeatWait(episode, entry);
  const result =
    isFinish === true ? await episode.finish(answerOf(entry.action)) : await episode.step(entry.action);
  if (result.status === entry.status && result.observation === entry.observation) return;
  throw notWoken(
    id,
    `turn ${turn} comes out otherwise than it was recorded; it was made by another version of this package or of its world`,
  );
}

/** What stands in the action that `finish` records. */
function answerOf(action: string): string | undefined {
  const { answer } = JSON.parse(action) as { readonly answer: string | null };
  return answer ?? undefined;
}

/** The world of an episode: the known one of that hash, else the one that the store keeps. Rejects as waking does. */
export async function storedWorld(
  stored: StoredEpisode,
  { store, knownWorld }: Pick<WakeContext, 'store' | 'knownWorld'>,
): Promise<World> {
  const { name, hash } = stored.world;
  const known = knownWorld(name, hash);
  if (known !== undefined) return known;
  const kept = await store.world(hash);
  if (kept === undefined) throw notWoken(stored.id, `the store has no world ${name} with the hash ${hash}`);
  const loaded = loadWorld(kept.text, { uploaded: true });
  if (!loaded.ok) throw notWoken(stored.id, `its world does not load any more: ${loaded.error.message}`);
  if (loaded.value.hash !== hash) throw notWoken(stored.id, `its world in the store was changed`);
  return loaded.value;
}

function modelOf(stored: StoredEpisode, { modelNamed }: WakeContext): LanguageModel | undefined {
  const { model: name } = stored.options as JsonObject;
  if (typeof name !== 'string') return undefined;
  const model = modelNamed(name);
  if (model !== undefined) return model;
  throw notWoken(stored.id, `it needs the model ${name}, and this service was started with another`);
}

/** How it was opened, but for its model. */
export function storedOptions({ seed, options }: StoredEpisode): EpisodeOptions {
  const { route, maxTurns, faults } = options as {
    readonly route?: EpisodeOptions['route'];
    readonly maxTurns?: number;
    readonly faults?: Json;
  };
  return {
    seed,
    ...(route !== undefined && { route }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(faults !== undefined && { faults: faults as unknown as readonly FaultSpec[] }),
  };
}

function notWoken(id: string, why: string): ServiceError {
  return new ServiceError(`the episode ${id} cannot be brought back: ${why}`, {
    code: 'service/store-failed',
    data: { id },
  });
}
