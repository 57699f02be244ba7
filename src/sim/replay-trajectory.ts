/**
 * Replays a recorded trajectory in its world and compares what comes, byte for byte.
 *
 * The actions are run again with the seed, route and faults that the header names. Where a model answered, its
 * recorded texts are given again, so the replay needs no model and differs only where the world or the code does.
 */
import type { FaultSpec } from '../control/index.js';
import { isJsonObject, type Trajectory, type Turn } from '../core/index.js';
import { createReplayModel, type ModelRecord, ModelRecordSchema } from '../model/index.js';
import type { World } from '../worlds/index.js';
import { type Episode, openEpisode } from './episode.js';
import { type EpisodeOptions, ROUTES } from './episode-setup.js';

/** The first place where a replay differs from the recording. */
export interface ReplayDifference {
  /** The turn, from 1. */
  readonly turn: number;
  readonly action: string;
  /** What differs: the status, or the observation. */
  readonly what: 'status' | 'observation' | 'ended';
  readonly recorded: string | null;
  readonly replayed: string | null;
  /** The first differing UTF-16 unit of two observations. */
  readonly at?: number;
}

/** What a replay found. */
export interface ReplayReport {
  readonly trajectory: string;
  /** Turns in the recording. */
  readonly turns: number;
  /** Turns that were equal, up to the first difference. */
  readonly equal: number;
  readonly difference: ReplayDifference | null;
  /** The world's hash differs from the recorded one: differences may be the world's. */
  readonly otherWorld: boolean;
}

/**
 * Replays a trajectory. `options` take the place of what the header says. Stops at the first difference. Raises what
 * `openEpisode` raises.
 */
export async function replayTrajectory(
  world: World,
  trajectory: Trajectory,
  options: EpisodeOptions = {},
): Promise<ReplayReport> {
  const episode = await openEpisode(world, { ...recordedOptions(trajectory), ...options });
  let difference: ReplayDifference | null = null;
  let equal = 0;
  for (const [index, turn] of trajectory.turns.entries()) {
    if (episode.done) {
      const { action, observation } = turn;
      difference = { turn: index + 1, action, what: 'ended', recorded: observation, replayed: null };
      break;
    }
    await repeatWait(episode, turn);
    const result = await episode.step(turn.action);
    difference = compare(index + 1, turn, result);
    if (difference !== null) break;
    equal++;
  }
  return {
    trajectory: trajectory.id,
    turns: trajectory.turns.length,
    equal,
    difference,
    otherWorld: trajectory.meta.hash !== undefined && trajectory.meta.hash !== world.hash,
  };
}

/** Waits as long as was waited before a recorded turn. */
export async function repeatWait(episode: Episode, turn: Turn): Promise<void> {
  const waitedMs = turn.meta?.waitedMs;
  if (typeof waitedMs === 'number' && waitedMs > 0) await episode.wait(waitedMs);
}

function compare(
  turn: number,
  recorded: Turn,
  replayed: Pick<Turn, 'status' | 'observation'>,
): ReplayDifference | null {
  const { action } = recorded;
  if (recorded.status !== replayed.status) {
    return { turn, action, what: 'status', recorded: recorded.status, replayed: replayed.status };
  }
  if (recorded.observation === replayed.observation) return null;
  const at = firstDifference(recorded.observation ?? '', replayed.observation ?? '');
  const texts = { recorded: recorded.observation, replayed: replayed.observation };
  return { turn, action, what: 'observation', ...texts, at };
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/**
 * The options to play a recording again: seed, route, budget and faults of its header, and its model's texts. What it
 * does not name is the world's own.
 */
export function recordedOptions(trajectory: Pick<Trajectory, 'meta' | 'turns'>): EpisodeOptions {
  const { seed, route, maxTurns, faults } = trajectory.meta;
  const records = trajectory.turns.flatMap(recordsOf);
  const known = ROUTES.find((name) => name === route);
  const needsModel = records.length > 0 || known === 'model';
  return {
    ...(typeof seed === 'number' && { seed }),
    ...(known !== undefined && { route: known }),
    ...(typeof maxTurns === 'number' && { maxTurns }),
    ...(Array.isArray(faults) && { faults: faults as FaultSpec[] }),
    ...(needsModel && { model: createReplayModel(records) }),
  };
}

function recordsOf(turn: Turn): ModelRecord[] {
  const said = turn.meta?.model;
  if (!Array.isArray(said)) return [];
  return said.filter(isJsonObject).flatMap((record) => {
    const read = ModelRecordSchema.safeParse(record);
    return read.success ? [read.data] : [];
  });
}
