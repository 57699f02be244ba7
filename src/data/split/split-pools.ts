/**
 * The split stage: every trajectory gets one pool (by default cpt, sft or rl), disjoint by data source or by time.
 *
 * The idea: what is split is not rows but the thing that rows share. By `source` all trajectories of one data source
 * (its dataset and file) go to one pool; by `trajectory` each goes by itself, but forks of one beginning stay together;
 * by `time` the oldest go to the first pool. A pool is drawn from a hash of (seed, key) on a line that the weights
 * divide, so that it does not depend on order or on shards. Source: arXiv 2606.24597 (the pools of the three training
 * stages are disjoint; the benchmark is split from training data at the level of data sources).
 */
import { DataError, hashText, type JsonObject, randomStream, type Trajectory } from '../../core/index.js';
import { systemText } from '../samples/system-text.js';
import { type Stage, Tally } from '../stages/stage.js';

/** What trajectories share that stay together. */
export const SPLIT_KEYS = ['source', 'dataset', 'trajectory', 'time'] as const;

/** One of {@link SPLIT_KEYS}. */
export type SplitKey = (typeof SPLIT_KEYS)[number];

/** A pool with its weight; for `time` the first moment that is no longer in it. */
export interface Pool {
  readonly name: string;
  /** Relative size, positive; ignored by `time`. */
  readonly weight: number;
  /** By `time`: trajectories that began before this moment belong here (ISO 8601); absent for the last pool. */
  readonly before?: string;
}

/** The published proportions of trajectories: most for continued pre-training. */
export const DEFAULT_POOLS: readonly Pool[] = [
  { name: 'cpt', weight: 90 },
  { name: 'sft', weight: 1 },
  { name: 'rl', weight: 9 },
];

/** How to split. */
export interface SplitOptions {
  readonly pools?: readonly Pool[];
  /** Default `source`. */
  readonly by?: SplitKey;
  /** Default 0. */
  readonly seed?: number | string;
}

/** The key of `meta` that holds the pool's name. */
const POOL_KEY = 'pool';

/** A pool name for trajectories without a start time, by `time`. */
const UNDATED = 'undated';

/** Opens the stage. It writes `meta.pool`; writing one file a pool is the caller's. */
export function createSplitStage(options: SplitOptions = {}): Stage<Trajectory> {
  const { pools = DEFAULT_POOLS, by = 'source', seed = 0 } = options;
  const counts = new Map<string, Tally>();
  const sources = new Map<string, Set<string>>();
  return {
    name: 'split',
    parameters: { by, seed, pools: pools.map((pool) => ({ ...pool })) },
    take: (trajectory) => {
      const key = splitKey(trajectory, by);
      const pool = by === 'time' ? poolByTime(trajectory, pools) : poolByKey(key, pools, seed);
      const tally = counts.get(pool) ?? new Tally();
      counts.set(pool, tally);
      tally.add('trajectories');
      tally.add('turns', trajectory.turns.length);
      const seen = sources.get(pool) ?? new Set();
      sources.set(pool, seen.size < 1_000_000 ? seen.add(hashText(key).slice(0, 16)) : seen);
      return [{ ...trajectory, meta: { ...trajectory.meta, [POOL_KEY]: pool } }];
    },
    end: () => [],
    report: (): JsonObject =>
      Object.fromEntries(
        [...new Set([...pools.map(({ name }) => name), ...counts.keys()])].map((name) => [
          name,
          { ...counts.get(name)?.toJson(), keys: sources.get(name)?.size ?? 0 },
        ]),
      ),
  };
}

/** What a trajectory shares with those that must stay with it. */
function splitKey(trajectory: Trajectory, by: SplitKey): string {
  const { source, id, turns, system } = trajectory;
  const dataset = source.dataset ?? '';
  if (by === 'dataset') return JSON.stringify([dataset]);
  if (by === 'trajectory') {
    const [first] = turns;
    // Forks and retries of one beginning would leak from pool to pool.
    return JSON.stringify([systemText(system), first?.action ?? id, first?.observation ?? '']);
  }
  return JSON.stringify([dataset, source.file ?? id]);
}

function poolByKey(key: string, pools: readonly Pool[], seed: number | string): string {
  const whole = pools.reduce((sum, { weight }) => sum + weight, 0);
  let at = randomStream(seed, 'split', key).next() * whole;
  for (const { name, weight } of pools) {
    at -= weight;
    if (at < 0) return name;
  }
  return pools.at(-1)?.name ?? UNDATED;
}

/** When a trajectory began, as milliseconds since 1970 UTC, where it says so. */
function startOf(trajectory: Trajectory): number | undefined {
  const text = trajectory.turns.find(({ meta }) => meta?.startedAt !== undefined)?.meta?.startedAt;
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

function poolByTime(trajectory: Trajectory, pools: readonly Pool[]): string {
  const at = startOf(trajectory);
  if (at === undefined) return UNDATED;
  const pool = pools.find(({ before }) => before === undefined || at < Date.parse(before));
  return pool?.name ?? UNDATED;
}

/** Reads `cpt=90,sft=1,rl=9`, or by time `cpt<2026-01-01,rl`. Raises `data/invalid` for anything else. */
export function parsePools(text: string, by: SplitKey): readonly Pool[] {
  const bad = (what: string): DataError =>
    new DataError(
      `${what}; wanted for example ${by === 'time' ? 'cpt<2026-01-01,rl' : 'cpt=90,sft=1,rl=9'}`,
      {
        code: 'data/invalid',
        data: { seen: text },
      },
    );
  const pools = text.split(',').map((part, index, all): Pool => {
    const [name = '', value] = part.split(by === 'time' ? '<' : '=').map((one) => one.trim());
    if (!/^[a-z][a-z0-9-]*$/.test(name)) throw bad(`a pool is named ${JSON.stringify(name)}`);
    if (by === 'time') {
      const isLast = index === all.length - 1;
      if (value === undefined && isLast) return { name, weight: 1 };
      if (value === undefined || Number.isNaN(Date.parse(value))) throw bad(`the pool ${name} has no date`);
      return { name, weight: 1, before: new Date(value).toISOString() };
    }
    const weight = Number(value);
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY))
      throw bad(`the pool ${name} has no positive weight`);
    return { name, weight };
  });
  if (new Set(pools.map(({ name }) => name)).size < pools.length) throw bad('a pool is named twice');
  return pools;
}
