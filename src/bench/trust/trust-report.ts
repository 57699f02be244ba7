/**
 * What judged cases say of their judge: does it rank, hit the right dimension, repeat itself, agree with another judge?
 *
 * AUC by domain and kind of fault are of `judgeTrust`. Repeatability and agreement pair two files of verdicts by key:
 * Spearman's rank correlation of the totals and quadratically weighted kappa of each dimension's grades, which is
 * corrected for chance. Cases without a verdict on both sides are counted apart.
 */
import { isJsonObject, type JsonObject } from '../../core/index.js';
import { benchDomain, benchKey } from '../../domains/index.js';
import {
  DIMENSIONS,
  type Dimension,
  type Grades,
  type JudgedCase,
  type JudgeTrust,
  judgeTrust,
  rankCorrelation,
  weightedKappa,
} from '../../judge/index.js';
import { readFileLines } from '../files/file-lines.js';
import { labelOf } from './trust-cases.js';

/** How two files of verdicts on the same rows agree. */
export interface Agreement {
  /** Rows with a verdict on both sides, and rows with one on one side only. */
  readonly rows: number;
  readonly alone: number;
  /** Share of rows with the same five grades, 0–1; null without a row. */
  readonly same: number | null;
  /** Mean of the second total minus the first, in grades. */
  readonly shift: number | null;
  /** Spearman's ρ of the totals, −1 to 1; null where one side does not vary. */
  readonly spearman: number | null;
  /** Weighted kappa of each dimension; null where chance alone would agree. */
  readonly kappa: Readonly<Record<Dimension, number | null>>;
}

/** Verdicts of a file by the key of their row: grades, or null where there is no verdict. */
export type VerdictsByKey = ReadonlyMap<string, { readonly grades: Grades; readonly total: number } | null>;

/** The verdicts of a judged file, with the labelled ones by domain. */
export function readTrustVerdicts(path: string): {
  readonly verdicts: VerdictsByKey;
  readonly domains: Readonly<Record<string, JudgeTrust>>;
} {
  const verdicts = new Map<string, { grades: Grades; total: number } | null>();
  const byDomain = new Map<string, { judged: JudgedCase[]; unscored: number }>();
  for (const { value } of readFileLines(path, () => undefined)) {
    const key = isJsonObject(value) ? benchKey(value) : undefined;
    if (!isJsonObject(value) || key === undefined) continue;
    const verdict = verdictOf(value);
    verdicts.set(key, verdict);
    const label = labelOf(value);
    const domain = benchDomain(value.task);
    if (label === null || domain === undefined) continue;
    const own = byDomain.get(domain) ?? { judged: [], unscored: 0 };
    byDomain.set(domain, own);
    if (verdict === null) own.unscored += 1;
    else own.judged.push({ ...label, verdict });
  }
  const domains = [...byDomain].map(([name, own]) => [name, judgeTrust(own.judged, own.unscored)] as const);
  return { verdicts, domains: Object.fromEntries(domains) };
}

function verdictOf(record: JsonObject): { readonly grades: Grades; readonly total: number } | null {
  const grades = DIMENSIONS.map((one) => record[one]);
  if (Number(record.failed) !== 0 || !grades.every((grade) => typeof grade === 'number')) return null;
  const named = Object.fromEntries(DIMENSIONS.map((one, i) => [one, grades[i]])) as Grades;
  return { grades: named, total: (grades as number[]).reduce((sum, one) => sum + one, 0) / grades.length };
}

/** How far two files of verdicts agree on the keys of the second. */
export function agreementOf(first: VerdictsByKey, second: VerdictsByKey): Agreement {
  const keys = [...second.keys()].filter((key) => first.has(key));
  const pairs = keys.flatMap((key) => {
    const [a, b] = [first.get(key), second.get(key)];
    return a === null || b === null || a === undefined || b === undefined ? [] : [{ a, b }];
  });
  const n = pairs.length;
  const same = pairs.filter(({ a, b }) => DIMENSIONS.every((one) => a.grades[one] === b.grades[one])).length;
  const kappa = DIMENSIONS.map((one) => [
    one,
    weightedKappa(
      pairs.map(({ a }) => a.grades[one]),
      pairs.map(({ b }) => b.grades[one]),
    ),
  ]);
  return {
    rows: n,
    alone: keys.length - n,
    same: n === 0 ? null : same / n,
    shift: n === 0 ? null : pairs.reduce((sum, { a, b }) => sum + b.total - a.total, 0) / n,
    spearman: rankCorrelation(
      pairs.map(({ a }) => a.total),
      pairs.map(({ b }) => b.total),
    ),
    kappa: Object.fromEntries(kappa) as Agreement['kappa'],
  };
}
