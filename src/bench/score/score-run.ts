/**
 * Scores of a judged run: per domain and dimension, over all, with intervals, bounds, coverage and breakdowns.
 *
 * The headline is the mean of the domain scores, with the model's own failures at the floor. What judge or endpoint
 * failed is left out, listed and bounded: the score if all of it were at the floor, and if it were perfect. Abstentions
 * stand apart as coverage, and coverage times points. Beside it: the mean over rows, and the number that the reference
 * script prints (mean over rows, all failures left out). Judges of several stamps are refused. Sources: hard cases
 * P-EVAL-2 and P-EVAL-3; AgentWorldBench (arXiv 2606.24597).
 */
import { DataError, DOMAINS, pointsOfGrade } from '../../core/index.js';
import { DIMENSIONS, type Dimension, type JudgeStamp } from '../../judge/index.js';
import { clusteredMeans, type MeanWithInterval, type Stratum } from './clustered-bootstrap.js';
import { type JudgedRow, type JudgedStatus, parseStamp } from './judged-record.js';
import { BREAKDOWNS, type Breakdown, GROUP_ORDER } from './kinds-of-turn.js';

/** How many rows have which status. */
export type StatusCounts = Readonly<Record<JudgedStatus, number>>;

/** Points of a set of rows. */
export interface Points {
  /** 0–100; null without a row that counts. */
  readonly points: number | null;
  /** 95 %; null with fewer than two trajectories in a domain. */
  readonly interval: readonly [number, number] | null;
  /** Rows and trajectories that count: scored, and failed by the model. */
  readonly rows: number;
  readonly trajectories: number;
}

/** The score of one domain. */
export interface DomainScore extends Points {
  readonly domain: string;
  readonly dimensions: Readonly<Record<Dimension, Points>>;
  readonly counts: StatusCounts;
  /** Points if all that was left out were at the floor, and if it were perfect. */
  readonly bounds: readonly [number, number] | null;
  /** Rows that were not abstained from, of those that the model had to answer; 0–1. */
  readonly coverage: number | null;
  /** Coverage × points. */
  readonly coveredPoints: number | null;
  /** Predictions equal to the real observation, of those that can be compared. */
  readonly exact: { readonly equal: number; readonly of: number };
}

/** A group of a breakdown. */
export interface GroupScore extends Points {
  readonly group: string;
}

/** A row that is in no mean. */
export interface ExcludedRow {
  readonly key: string;
  readonly status: JudgedStatus;
  readonly reason: string;
}

/** All scores of a run. */
export interface ScoreReport {
  /** The headline: mean of the domains that have a score. */
  readonly overall: Points & {
    readonly domains: number;
    readonly ofDomains: number;
    readonly bounds: readonly [number, number] | null;
    readonly coverage: number | null;
    readonly coveredPoints: number | null;
  };
  readonly dimensions: Readonly<Record<Dimension, Points>>;
  readonly rowMean: number | null;
  readonly referenceCompatible: { readonly points: number | null; readonly rows: number };
  readonly domains: readonly DomainScore[];
  readonly breakdowns: Readonly<Record<Breakdown, readonly GroupScore[]>>;
  readonly counts: StatusCounts;
  readonly excluded: readonly ExcludedRow[];
  /** Share of rows that are excluded, and whether that is more than allowed. */
  readonly excludedFraction: number;
  readonly isIncomplete: boolean;
  /** Null for verdicts of the reference script. */
  readonly judge: JudgeStamp | null;
  /** What is odd about the verdicts, one sentence each. */
  readonly warnings: readonly string[];
}

/** How to score. */
export interface ScoreOptions {
  /** Share of rows that may be excluded in a complete run; default 0.02. */
  readonly excludedLimit?: number;
  /** Seed of the draws; default 0. */
  readonly seed?: number;
}

const EXCLUDED_LIMIT = 0.02;
const GROUPS = 40;
const BREAKDOWN_REPLICATES = 500;

/** Scores rows. Raises `data/invalid` where several judges, or several versions of one, are mixed. */
export function scoreRun(rows: readonly JudgedRow[], options: ScoreOptions = {}): ScoreReport {
  const judge = oneJudge(rows);
  const seed = options.seed ?? 0;
  const names = [...new Set(rows.map(({ domain }) => domain))];
  const order = (name: string): number => (DOMAINS as readonly string[]).indexOf(name);
  names.sort((a, b) => order(a) - order(b));
  const byDomain = names.map((name) => rows.filter(({ domain }) => domain === name));
  const strata = byDomain.map(stratumOf);
  const domains = names.map((name, i) => domainScore(name, byDomain[i] ?? [], { stratum: strata[i], seed }));
  const scored = strata.filter((one) => one.count > 0);
  const means = scored.length === 0 ? [] : clusteredMeans(scored, { seed });
  const counted = rows.filter(counts);
  const excluded = rows.filter(({ status }) => status === 'judge-failed' || status === 'infrastructure');
  const excludedFraction = rows.length === 0 ? 0 : excluded.length / rows.length;
  const withScore = domains.filter(({ points }) => points !== null);
  const reference = rows.flatMap(({ referenceTotal }) => (referenceTotal === null ? [] : [referenceTotal]));
  return {
    overall: {
      ...pointsOf(means[0]),
      domains: withScore.length,
      ofDomains: domains.length,
      bounds: withScore.length === 0 ? null : boundsOver(domains),
      coverage: meanOf(domains.map(({ coverage }) => coverage)),
      coveredPoints: meanOf(domains.map(({ coveredPoints }) => coveredPoints)),
    },
    dimensions: dimensionsOf(means),
    rowMean: meanOf(counted.map((row) => row.points?.[0] ?? 0)),
    referenceCompatible: {
      points: reference.length === 0 ? null : pointsOfGrade(meanOf(reference) ?? 1),
      rows: reference.length,
    },
    domains,
    breakdowns: Object.fromEntries(
      BREAKDOWNS.map((name) => [name, breakdownOf(counted, name, seed)]),
    ) as unknown as ScoreReport['breakdowns'],
    counts: countsOf(rows),
    excluded: excluded.map(({ key, status, reason }) => ({
      key,
      status,
      reason: reason ?? 'no reason is given',
    })),
    excludedFraction,
    isIncomplete: excludedFraction > (options.excludedLimit ?? EXCLUDED_LIMIT),
    judge,
    warnings: oddities(rows),
  };
}

function oneJudge(rows: readonly JudgedRow[]): JudgeStamp | null {
  const stamps = [...new Set(rows.filter(({ points }) => points !== null).map(({ stamp }) => stamp))];
  if (stamps.length <= 1) return stamps[0] === undefined || stamps[0] === null ? null : parseStamp(stamps[0]);
  const shown = stamps.map((stamp) => stamp ?? 'a judge that left no stamp');
  throw new DataError(
    `verdicts of ${stamps.length} judges or versions are mixed: ${shown.join(' and ')}; judge all rows with one`,
    { code: 'data/invalid', data: { stamps: shown } },
  );
}

/** True for rows that are in a mean. */
function counts({ status }: JudgedRow): boolean {
  return status === 'scored' || status === 'model-failed';
}

function stratumOf(rows: readonly JudgedRow[]): Stratum {
  const counted = rows.filter(counts);
  const ids = new Map<string, number>();
  const clusters = new Int32Array(counted.length);
  const values = Array.from({ length: 1 + DIMENSIONS.length }, () => new Float64Array(counted.length));
  counted.forEach((row, i) => {
    const id = ids.get(row.trajectory) ?? ids.size;
    ids.set(row.trajectory, id);
    clusters[i] = id;
    // A failure of the model is the floor in every dimension: 0 points.
    row.points?.forEach((points, m) => {
      (values[m] as Float64Array)[i] = points;
    });
  });
  return { clusters, count: ids.size, values };
}

function domainScore(
  domain: string,
  rows: readonly JudgedRow[],
  of: { readonly stratum: Stratum | undefined; readonly seed: number },
): DomainScore {
  const { stratum, seed } = of;
  const means = stratum === undefined || stratum.count === 0 ? [] : clusteredMeans([stratum], { seed });
  const own = countsOf(rows);
  const total = means[0];
  const excluded = own['judge-failed'] + own.infrastructure;
  const sum = total === undefined ? 0 : total.mean * total.rows;
  const all = (total?.rows ?? 0) + excluded;
  const asked = own.scored + own['model-failed'] + own['judge-failed'] + own.abstained;
  const coverage = asked === 0 ? null : 1 - own.abstained / asked;
  const compared = rows.filter(({ exact }) => exact !== null);
  return {
    domain,
    ...pointsOf(total),
    dimensions: dimensionsOf(means),
    counts: own,
    bounds: all === 0 ? null : [sum / all, (sum + excluded * 100) / all],
    coverage,
    coveredPoints:
      coverage === 0 ? 0 : coverage === null || total === undefined ? null : coverage * total.mean,
    exact: { equal: compared.filter(({ exact }) => exact === true).length, of: compared.length },
  };
}

function pointsOf(mean: MeanWithInterval | undefined): Points {
  if (mean === undefined) return { points: null, interval: null, rows: 0, trajectories: 0 };
  return { points: mean.mean, interval: mean.interval, rows: mean.rows, trajectories: mean.clusters };
}

function dimensionsOf(means: readonly MeanWithInterval[]): Readonly<Record<Dimension, Points>> {
  return Object.fromEntries(
    DIMENSIONS.map((dimension, i) => [dimension, pointsOf(means[i + 1])]),
  ) as unknown as Readonly<Record<Dimension, Points>>;
}

function countsOf(rows: readonly JudgedRow[]): StatusCounts {
  const all = { scored: 0, 'model-failed': 0, abstained: 0, 'judge-failed': 0, infrastructure: 0 };
  for (const { status } of rows) all[status] += 1;
  return all;
}

/** The mean of what is known; null where nothing is. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function boundsOver(domains: readonly DomainScore[]): readonly [number, number] {
  const known = domains.flatMap(({ bounds }) => (bounds === null ? [] : [bounds]));
  return [meanOf(known.map(([low]) => low)) ?? 0, meanOf(known.map(([, high]) => high)) ?? 100];
}

function breakdownOf(rows: readonly JudgedRow[], name: Breakdown, seed: number): readonly GroupScore[] {
  const groups = new Map<string, JudgedRow[]>();
  for (const row of rows) {
    const group = row.kinds?.[name];
    if (group === undefined) continue;
    const own = groups.get(group);
    if (own === undefined) groups.set(group, [row]);
    else own.push(row);
  }
  const largest = [...groups].sort((a, b) => b[1].length - a[1].length);
  const kept = largest.slice(0, GROUPS);
  const rest = largest.slice(GROUPS).flatMap(([, own]) => own);
  if (rest.length > 0) kept.push(['all others', rest]);
  const place = (group: string): number => GROUP_ORDER.indexOf(group);
  if (kept.every(([group]) => place(group) >= 0)) kept.sort((a, b) => place(a[0]) - place(b[0]));
  return kept.map(([group, own]) => {
    const [total] = clusteredMeans([totalsOnly(stratumOf(own))], { seed, replicates: BREAKDOWN_REPLICATES });
    return { group, ...pointsOf(total) };
  });
}

function totalsOnly(stratum: Stratum): Stratum {
  return { ...stratum, values: stratum.values.slice(0, 1) };
}

/** Least number of rows of which equal grades are odd. */
const MANY = 10;

/** Signs of a judge that does not look: they are told, not repaired. */
function oddities(rows: readonly JudgedRow[]): readonly string[] {
  const scored = rows.filter(({ points }) => points !== null);
  const found: string[] = [];
  const [first] = scored;
  const isFlat =
    scored.length >= MANY &&
    scored.every(({ points }) => points?.every((value, i) => value === first?.points?.[i]));
  const equal = scored.filter(({ exact }) => exact === true);
  if (isFlat && equal.length < scored.length) found.push(`all ${scored.length} verdicts are the same grades`);
  const low = equal.filter(({ points }) => (points?.[2] ?? 100) < 75);
  if (low.length > 0) {
    found.push(
      `${low.length} of ${equal.length} predictions that equal the real observation were graded below 4 in factuality, for example ${low[0]?.key}`,
    );
  }
  return found;
}
