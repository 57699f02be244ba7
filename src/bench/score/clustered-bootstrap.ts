/**
 * Means of rows that come in clusters, with intervals: a studentised bootstrap over whole clusters.
 *
 * Rows of one trajectory share its history, so trajectories are drawn, not rows. With cluster sums s_g and sizes n_g, the
 * mean is `m = Σs/Σn` and its linearised standard error `se² = G/(G−1) · Σ(s_g − m·n_g)² / N²` (G clusters, N rows). A
 * replicate draws G clusters with replacement and gives `t* = (m* − m)/se*`; the 95 % interval is
 * `[m − t*(97.5 %)·se, m − t*(2.5 %)·se]`, within the scale. Several strata (domains) count alike: `m = mean of m_d`,
 * `se² = Σ se_d² / D²`, each drawn within itself. Of clusters of unequal size fewer count: `G' = N²/Σn_g²`; se is taken
 * `1 + 1/G'` times, since the spread of few is found too small.
 *
 * No drawing shows a rare failure that is not in the sample. What such rows would do is in `unseen-rows.ts` and is added
 * in squares to each side. A tail that is thinner for it leaves its share of the 5 % to the other. The studentised form
 * holds its coverage with fifty clusters of skewed values, where plain percentiles fall short; all of it is measured in
 * `perf/interval-coverage.mjs`. Source: Davison and Hinkley, "Bootstrap Methods and their Application" (1997), sections
 * 2.4 and 5.2. Not covered: one cluster, which says nothing.
 */
import { type RandomStream, randomStream } from '../../core/index.js';
import { type StratumPart, spreadUnit, unseenWidths } from './unseen-rows.js';

/** Rows of one stratum: values by measure, and which cluster each row belongs to. */
export interface Stratum {
  /** Cluster of each row, from 0. */
  readonly clusters: ArrayLike<number>;
  /** Number of clusters. */
  readonly count: number;
  /** One list of values per measure, as long as `clusters`. */
  readonly values: readonly ArrayLike<number>[];
  /** The values that rows of a kind which was not drawn may have, at worst; default the ends of the scale. */
  readonly unseen?: readonly [number, number];
}

/** A mean with what it rests on. */
export interface MeanWithInterval {
  readonly mean: number;
  /** 95 %; null with fewer than two clusters in a stratum. */
  readonly interval: readonly [number, number] | null;
  readonly rows: number;
  readonly clusters: number;
}

/** How to draw. */
export interface BootstrapOptions {
  /** Default 0; the same seed gives the same intervals. */
  readonly seed?: number;
  /** Replicates; default by the number of clusters, 400 to 2,000. */
  readonly replicates?: number;
  /** The scale, to which intervals are cut; default 0 to 100. */
  readonly scale?: readonly [number, number];
}

const DRAWS = 3_000_000;
/**
 * A replicate's squared error is at least this part of that of all clusters. Chosen by simulation: with 50 and 100
 * clusters of rare failures (one in 10, in 7) intervals hold 95 to 98 of 100; without a bound they are the whole scale.
 */
const LEAST_SPREAD = 0.1;

/**
 * Clusters that are drawn of one stratum; of more, several count as one. Sums of independent clusters are independent
 * too, and with thousands of them the interval stays the same.
 */
const MOST_CLUSTERS = 4_000;
/** A spread of this part of the sum of squares is rounding. */
const ALIKE = 1e-12;

/** Sums of a stratum, cluster by cluster: rows, rows², then per measure the sum, its square, and sum times rows. */
interface Sums {
  readonly table: Float64Array;
  readonly width: number;
  readonly count: number;
}

const OWN = 2;
const PER_MEASURE = 3;

function sumsOf(stratum: Stratum): Sums {
  const { clusters, values } = stratum;
  const count = Math.min(stratum.count, MOST_CLUSTERS);
  const width = OWN + PER_MEASURE * values.length;
  const table = new Float64Array(count * width);
  for (let row = 0; row < clusters.length; row++) {
    const at = ((clusters[row] ?? 0) % count) * width;
    table[at] = (table[at] ?? 0) + 1;
    for (let m = 0; m < values.length; m++) {
      const place = at + OWN + PER_MEASURE * m;
      table[place] = (table[place] ?? 0) + (values[m]?.[row] ?? 0);
    }
  }
  for (let at = 0; at < table.length; at += width) {
    const rows = table[at] ?? 0;
    table[at + 1] = rows * rows;
    for (let place = at + OWN; place < at + width; place += PER_MEASURE) {
      const sum = table[place] ?? 0;
      table[place + 1] = sum * sum;
      table[place + 2] = sum * rows;
    }
  }
  return { table, width, count };
}

/** Adds up drawn clusters into `total`; without a stream, each cluster once. */
function draw({ table, width, count }: Sums, total: Float64Array, stream: RandomStream | null): void {
  total.fill(0);
  for (let i = 0; i < count; i++) {
    const at = (stream === null ? i : Math.floor(stream.next() * count)) * width;
    for (let j = 0; j < width; j++) total[j] = (total[j] as number) + (table[at + j] as number);
  }
}

/** Mean and squared standard error of one measure out of totals of G clusters. */
function momentsOf(total: Float64Array, measure: number, count: number): readonly [number, number] {
  const rows = total[0] as number;
  const rowsSquared = total[1] as number;
  const place = OWN + PER_MEASURE * measure;
  const mean = (total[place] as number) / rows;
  const spread =
    (total[place + 1] as number) - 2 * mean * (total[place + 2] as number) + mean * mean * rowsSquared;
  // Sums of squares that cancel leave a remainder, which is no spread.
  const isAlike = spread <= ALIKE * (total[place + 1] as number);
  const square = count < 2 || isAlike ? 0 : ((count / (count - 1)) * spread) / (rows * rows);
  return [mean, square];
}

/**
 * The mean of each measure over strata that count alike, with its interval. Strata need at least one row and the same
 * number of measures.
 */
export function clusteredMeans(
  strata: readonly Stratum[],
  options: BootstrapOptions = {},
): readonly MeanWithInterval[] {
  const measures = strata[0]?.values.length ?? 0;
  const all = strata.map(sumsOf);
  const clusters = strata.reduce((sum, { count }) => sum + count, 0);
  const drawnClusters = all.reduce((sum, { count }) => sum + count, 0);
  const rows = strata.reduce((sum, stratum) => sum + stratum.clusters.length, 0);
  const [low, high] = options.scale ?? [0, 100];
  const totals = all.map(({ width }) => new Float64Array(width));
  const observed = momentsOver(all, totals, { measures, stream: null });
  const canTell = all.length > 0 && all.every(({ count }) => count >= 2);
  const replicates =
    options.replicates ?? Math.min(2_000, Math.max(400, Math.ceil(DRAWS / (drawnClusters + 1))));
  const stream = randomStream(options.seed ?? 0, 'bootstrap');
  const drawn = Array.from({ length: measures }, () => new Float64Array(canTell ? replicates : 0));
  for (let r = 0; canTell && r < replicates; r++) {
    const moments = momentsOver(all, totals, { measures, stream });
    for (let m = 0; m < measures; m++) {
      const [mean, own] = moments[m] as readonly [number, number];
      const [whole, spread] = observed[m] as readonly [number, number];
      // A replicate that left out every odd cluster has no spread of its own, and would be as far off as can be.
      const square = Math.max(own, spread * LEAST_SPREAD);
      (drawn[m] as Float64Array)[r] = square === 0 ? 0 : (mean - whole) / Math.sqrt(square);
    }
  }
  return observed.map(([mean], m) => {
    const parts = strata.map((stratum, i) => partOf(stratum, all[i] as Sums, m));
    const se = Math.sqrt(parts.reduce((sum, part) => sum + part.square, 0)) / strata.length;
    const [down, up] = unseenWidths(parts, [low, high]);
    const t = (drawn[m] as Float64Array).sort();
    const quantiles = tailsOf(t, se, [down, up]);
    const interval: readonly [number, number] | null = !canTell
      ? null
      : [
          Math.max(low, mean - Math.hypot(quantiles[0] * se, down)),
          Math.min(high, mean + Math.hypot(quantiles[1] * se, up)),
        ];
    return { mean, interval, rows, clusters };
  });
}

const TAIL = 0.025;

/**
 * How many standard errors each side takes, below and above. With the unseen added a side of z errors misses
 * `Φ(−1.96·√(z²+w²)/z)` instead of 2.5 %; the rest of its share goes to the other side.
 */
function tailsOf(
  t: Float64Array,
  se: number,
  [down, up]: readonly [number, number],
): readonly [number, number] {
  if (se === 0 || t.length === 0) return [0, 0];
  const spare = (z: number, width: number): number =>
    z <= 0 ? 0 : TAIL - normalTail((Z * Math.hypot(z * se, width)) / (z * se));
  const below = quantile(t, 1 - TAIL);
  const above = -quantile(t, TAIL);
  return [
    Math.max(0, quantile(t, 1 - TAIL - spare(above, up))),
    Math.max(0, -quantile(t, TAIL + spare(below, down))),
  ];
}

const Z = 1.959964;

/** The share of a normal distribution above z ≥ 0, to 1e-5 (Abramowitz and Stegun, 26.2.16). */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.33267 * z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return density * t * (0.4361836 + t * (-0.1201676 + t * 0.937298));
}

/** One stratum's part in the interval of a measure. */
function partOf(stratum: Stratum, sums: Sums, measure: number): StratumPart {
  const total = new Float64Array(sums.width);
  draw(sums, total, null);
  const [mean, square] = momentsOf(total, measure, sums.count);
  const rows = total[0] as number;
  const counted = rows ** 2 / (total[1] as number);
  const values = stratum.values[measure] ?? [];
  let ofRows = 0;
  for (let row = 0; row < values.length; row++) ofRows += ((values[row] ?? 0) - mean) ** 2;
  return {
    mean,
    square: square * (1 + 1 / counted) ** 2,
    clusters: stratum.count,
    units: rows / spreadUnit({ rows, ofRows, ofMean: square, largest: rows / counted }),
    ...(stratum.unseen !== undefined && { unseen: stratum.unseen }),
  };
}

function momentsOver(
  all: readonly Sums[],
  totals: readonly Float64Array[],
  how: { readonly measures: number; readonly stream: RandomStream | null },
): readonly (readonly [number, number])[] {
  const sums = Array.from({ length: how.measures }, () => [0, 0] as [number, number]);
  all.forEach((one, i) => {
    const total = totals[i] as Float64Array;
    draw(one, total, how.stream);
    sums.forEach((sum, m) => {
      const [mean, square] = momentsOf(total, m, one.count);
      sum[0] += mean;
      sum[1] += square;
    });
  });
  const strata = all.length;
  return sums.map(([mean, square]) => [mean / strata, square / (strata * strata)] as const);
}

/** A quantile of sorted values, by linear interpolation. */
function quantile(sorted: Float64Array, fraction: number): number {
  const at = fraction * (sorted.length - 1);
  const low = Math.floor(at);
  const below = sorted[low] ?? 0;
  const above = sorted[Math.min(sorted.length - 1, low + 1)] ?? below;
  return at === low || below === above ? below : below + (above - below) * (at - low);
}
