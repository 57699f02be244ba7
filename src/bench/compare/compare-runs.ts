/**
 * Two judged runs on the same rows: which is better, is it a tie, and on which turns do they differ.
 *
 * Rows are paired by key; a failure of the model is the floor on its side; rows that either side cannot count are left
 * out and told. The difference is the mean of the domains' mean differences, with a 95 % interval by drawing whole
 * trajectories, each with both sides at once. It is a tie when the interval holds 0. Groups of turns are tested each by
 * its own interval; with twenty groups one differs by chance, which the report says. Two judges are refused.
 */
import { DataError } from '../../core/index.js';
import { clusteredMeans, type MeanWithInterval, type Stratum } from '../score/clustered-bootstrap.js';
import type { JudgedRow } from '../score/judged-record.js';
import { BREAKDOWNS, type Breakdown } from '../score/kinds-of-turn.js';

/** A difference of points, second minus first. */
export interface Difference {
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  readonly rows: number;
  readonly trajectories: number;
}

/** A group of turns and its difference. */
export interface GroupDifference extends Difference {
  readonly breakdown: Breakdown | 'domain';
  readonly group: string;
  /** The interval does not hold 0. */
  readonly isClear: boolean;
}

/** A row on which the runs differ. */
export interface ChangedRow {
  readonly key: string;
  readonly first: number;
  readonly second: number;
}

/** Two runs side by side. */
export interface RunComparison {
  /** Mean of the domains' differences. */
  readonly overall: Difference;
  /** `tie` where the interval holds 0; `unknown` where there is no interval. */
  readonly verdict: 'first' | 'second' | 'tie' | 'unknown';
  /** Rows on which the second has more points, as many, fewer. */
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  readonly groups: readonly GroupDifference[];
  /** Largest losses, then largest gains of the second. */
  readonly changed: readonly ChangedRow[];
  /** Rows of one run alone, and rows that one of the two cannot count. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly notCounted: number;
}

const SHOWN_CHANGES = 10;
const LEAST_GROUP = 5;
const REPLICATES = 1_000;

interface Pair {
  readonly row: JudgedRow;
  readonly first: number;
  readonly second: number;
}

/** Compares two runs. Raises `data/invalid` where their judges differ or no row is shared. */
export function compareBenchRuns(
  first: readonly JudgedRow[],
  second: readonly JudgedRow[],
  options: { readonly seed?: number } = {},
): RunComparison {
  sameJudge(first, second);
  const byKey = new Map(second.map((row) => [row.key, row]));
  const shared = first.flatMap((row) => {
    const other = byKey.get(row.key);
    return other === undefined ? [] : [{ row, other }];
  });
  if (shared.length === 0) {
    throw new DataError(
      `the runs share no row: ${first.length} and ${second.length} rows, none of the same task, id and turn_idx; compare runs on the same data`,
      { code: 'data/invalid' },
    );
  }
  const pairs = shared.flatMap(({ row, other }): Pair[] => {
    const points = [pointsOf(row), pointsOf(other)];
    const [a, b] = points;
    return a === undefined || b === undefined || a === null || b === null
      ? []
      : [{ row, first: a, second: b }];
  });
  const seed = options.seed ?? 0;
  const overall = differenceOf(
    byGroup(pairs, ({ row }) => row.domain).map(([, own]) => own),
    seed,
  );
  const sorted = [...pairs].sort((a, b) => a.second - a.first - (b.second - b.first));
  const worst = sorted.filter((pair) => pair.second < pair.first).slice(0, SHOWN_CHANGES);
  const best = sorted
    .filter((pair) => pair.second > pair.first)
    .reverse()
    .slice(0, SHOWN_CHANGES);
  return {
    overall,
    verdict: verdictOf(overall),
    wins: pairs.filter((pair) => pair.second > pair.first).length,
    ties: pairs.filter((pair) => pair.second === pair.first).length,
    losses: pairs.filter((pair) => pair.second < pair.first).length,
    groups: groupsOf(pairs, seed),
    changed: [...worst, ...best].map(({ row, first: a, second: b }) => ({
      key: row.key,
      first: a,
      second: b,
    })),
    onlyFirst: first.length - shared.length,
    onlySecond: second.length - shared.length,
    notCounted: shared.length - pairs.length,
  };
}

/** Points that count; null for rows that no mean holds. */
function pointsOf({ status, points }: JudgedRow): number | null {
  if (status === 'model-failed') return 0;
  return status === 'scored' ? (points?.[0] ?? null) : null;
}

function sameJudge(first: readonly JudgedRow[], second: readonly JudgedRow[]): void {
  const stampsOf = (rows: readonly JudgedRow[]): readonly (string | null)[] => [
    ...new Set(rows.filter(({ points }) => points !== null).map(({ stamp }) => stamp)),
  ];
  const all = [...new Set([...stampsOf(first), ...stampsOf(second)])];
  if (all.length <= 1) return;
  const shown = all.map((stamp) => stamp ?? 'a judge that left no stamp').join(' and ');
  throw new DataError(`the runs have different judges: ${shown}; judge both with one`, {
    code: 'data/invalid',
  });
}

function byGroup(
  pairs: readonly Pair[],
  nameOf: (pair: Pair) => string | undefined,
): readonly (readonly [string, Pair[]])[] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const name = nameOf(pair);
    if (name === undefined) continue;
    const own = groups.get(name);
    if (own === undefined) groups.set(name, [pair]);
    else own.push(pair);
  }
  return [...groups];
}

function differenceOf(strata: readonly (readonly Pair[])[], seed: number): Difference {
  if (strata.length === 0) return { difference: null, interval: null, rows: 0, trajectories: 0 };
  const options = { seed, replicates: REPLICATES, scale: [-100, 100] as const };
  const [mean] = clusteredMeans(strata.map(stratumOf), options) as readonly [MeanWithInterval];
  return { difference: mean.mean, interval: mean.interval, rows: mean.rows, trajectories: mean.clusters };
}

function stratumOf(pairs: readonly Pair[]): Stratum {
  const ids = new Map<string, number>();
  const clusters = pairs.map(({ row }) => {
    const id = ids.get(row.trajectory) ?? ids.size;
    ids.set(row.trajectory, id);
    return id;
  });
  // A failure of one side that was not drawn takes its points away; half of that holds the coverage (perf/interval-coverage.mjs).
  const halfOf = (side: 'first' | 'second'): number =>
    pairs.reduce((sum, pair) => sum + pair[side], 0) / Math.max(1, pairs.length) / 2;
  return {
    clusters,
    count: ids.size,
    values: [pairs.map((pair) => pair.second - pair.first)],
    unseen: [-halfOf('first'), halfOf('second')],
  };
}

function verdictOf({ difference, interval }: Difference): RunComparison['verdict'] {
  if (difference === null || interval === null) return 'unknown';
  if (interval[0] > 0) return 'second';
  return interval[1] < 0 ? 'first' : 'tie';
}

function groupsOf(pairs: readonly Pair[], seed: number): readonly GroupDifference[] {
  const of = (breakdown: GroupDifference['breakdown'], nameOf: (pair: Pair) => string | undefined) =>
    byGroup(pairs, nameOf)
      .filter(([, own]) => own.length >= LEAST_GROUP)
      .map(([group, own]): GroupDifference => {
        const difference = differenceOf([own], seed);
        const verdict = verdictOf(difference);
        return { breakdown, group, ...difference, isClear: verdict === 'first' || verdict === 'second' };
      });
  return [
    ...of('domain', ({ row }) => row.domain),
    ...BREAKDOWNS.flatMap((name) => of(name, ({ row }) => row.kinds?.[name])),
  ];
}
