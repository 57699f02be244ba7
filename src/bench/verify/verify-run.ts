/**
 * A world model's predictions held against the checks of their cases: right, wrong, abstained or unscored, by axis.
 *
 * What a model answered without an observation is wrong, since the real environment answered. An abstention is told
 * apart: it is no lie. What an endpoint failed, or a check could not decide within its budget, is unscored. A share is
 * right of right and wrong; its 95 % interval is Wilson's (1927): with p of n, z = 1.96, centre (p + z²/2n)/(1 + z²/n),
 * half width z·√(p(1−p)/n + z²/4n²)/(1 + z²/n).
 */
import type { DataSet } from '../files/data-set.js';
import { readOutcome } from '../infer/prediction-record.js';
import {
  type BrokenCheck,
  checkAnswer,
  readVerifyCase,
  VERIFY_AXES,
  type VerifyAxis,
  type VerifyCase,
} from './verify-case.js';

/** What became of one case. */
export interface VerifiedCase {
  readonly key: string;
  readonly domain: string;
  readonly axis: VerifyAxis;
  readonly title: string;
  readonly verdict: 'right' | 'wrong' | 'abstained' | 'unscored';
  readonly broken: readonly BrokenCheck[];
  /** Why there is no answer, or why it could not be decided; null else. */
  readonly reason: string | null;
  /** The answer; null where there was none. */
  readonly observation: string | null;
}

/** How many cases went how, and the share of right ones. */
export interface VerifyShare {
  readonly cases: number;
  readonly right: number;
  readonly wrong: number;
  readonly abstained: number;
  readonly unscored: number;
  /** Of right and wrong, 0–1; null without any. */
  readonly share: number | null;
  /** 95 %, 0–1. */
  readonly interval: readonly [number, number] | null;
}

/** A run over cases. */
export interface VerifyReport {
  readonly overall: VerifyShare;
  readonly axes: Readonly<Record<VerifyAxis, VerifyShare>>;
  readonly domains: Readonly<Record<string, VerifyShare>>;
  readonly cases: readonly VerifiedCase[];
}

/** The cases of a data set, and rows that are none with the reason. */
export function readVerifyCases(data: DataSet): {
  readonly cases: readonly VerifyCase[];
  readonly invalid: readonly { readonly key: string; readonly reason: string }[];
} {
  const cases: VerifyCase[] = [];
  const invalid: { key: string; reason: string }[] = [];
  for (const indexed of data.rows) {
    const read = readVerifyCase(data.read(indexed));
    if (read.ok) cases.push(read.value);
    else invalid.push({ key: indexed.key, reason: read.error });
  }
  return { cases, invalid };
}

/** Checks the predictions of cases; a case without a prediction is unscored. */
export function verifyPredictions(cases: readonly VerifyCase[], predictions: DataSet): VerifyReport {
  const byKey = new Map(predictions.rows.map((row) => [row.key, row]));
  const verified = cases.map((one) => {
    const indexed = byKey.get(one.row.key);
    return heldAgainst(one, indexed === undefined ? null : readOutcome(predictions.read(indexed).raw));
  });
  const domains = [...new Set(verified.map(({ domain }) => domain))];
  const shares = <T extends string>(names: readonly T[], nameOf: (one: VerifiedCase) => string) =>
    Object.fromEntries(
      names.map((name) => [name, shareOf(verified.filter((one) => nameOf(one) === name))]),
    ) as Record<T, VerifyShare>;
  return {
    overall: shareOf(verified),
    axes: shares(VERIFY_AXES, ({ axis }) => axis),
    domains: shares(domains, ({ domain }) => domain),
    cases: verified,
  };
}

function heldAgainst(one: VerifyCase, outcome: ReturnType<typeof readOutcome> | null): VerifiedCase {
  const { row, axis, title } = one;
  const about = {
    key: row.key,
    domain: row.domain,
    axis,
    title,
    broken: [],
    reason: null,
    observation: null,
  };
  if (outcome === null) return { ...about, verdict: 'unscored', reason: 'there is no prediction of it' };
  const { status, observation, reason = status } = outcome;
  if (observation === null) {
    const verdict = status === 'abstained' ? 'abstained' : status === 'model-failed' ? 'wrong' : 'unscored';
    return { ...about, verdict, reason };
  }
  const { broken, undecided } = checkAnswer(one, observation);
  if (undecided !== null) return { ...about, observation, verdict: 'unscored', reason: undecided };
  return { ...about, observation, broken, verdict: broken.length === 0 ? 'right' : 'wrong' };
}

function shareOf(cases: readonly VerifiedCase[]): VerifyShare {
  const count = (verdict: VerifiedCase['verdict']): number =>
    cases.filter((one) => one.verdict === verdict).length;
  const [right, wrong] = [count('right'), count('wrong')];
  const n = right + wrong;
  return {
    cases: cases.length,
    right,
    wrong,
    abstained: count('abstained'),
    unscored: count('unscored'),
    share: n === 0 ? null : right / n,
    interval: n === 0 ? null : wilson(right / n, n),
  };
}

const Z = 1.959964;

function wilson(p: number, n: number): readonly [number, number] {
  const scale = 1 + Z ** 2 / n;
  const centre = (p + Z ** 2 / (2 * n)) / scale;
  const half = (Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2))) / scale;
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
