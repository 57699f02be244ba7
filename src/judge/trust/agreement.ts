/**
 * How far judges agree: in rank, and beyond chance.
 *
 * Formulas: Spearman's ρ is Pearson's r of the ranks (ties get their mean rank). Weighted kappa (Cohen 1968) is
 * κ = 1 − Σ w·observed / Σ w·expected with w = (a − b)², over the grades of both judges; 1 is perfect, 0 is chance.
 * Position bias is the share of first choices among those that changed when the order was swapped, minus ½.
 */

/** Spearman's rank correlation of paired values, −1 to 1; null for fewer than two pairs or values that do not vary. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number | null {
  if (a.length !== b.length) throw new RangeError(`paired values: ${a.length} and ${b.length}`);
  return correlation(ranks(a), ranks(b));
}

function ranks(values: readonly number[]): readonly number[] {
  const order = values.map((_, at) => at).sort((x, y) => (values[x] ?? 0) - (values[y] ?? 0));
  const found = new Array<number>(values.length);
  for (let at = 0; at < order.length; ) {
    let end = at;
    while (end < order.length && values[order[end] ?? 0] === values[order[at] ?? 0]) end++;
    for (let tied = at; tied < end; tied++) found[order[tied] ?? 0] = (at + end + 1) / 2;
    at = end;
  }
  return found;
}

function correlation(a: readonly number[], b: readonly number[]): number | null {
  const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [at, value] of a.entries()) {
    const [x, y] = [value - ma, (b[at] ?? 0) - mb];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? null : ab / Math.sqrt(aa * bb);
}

/** Quadratically weighted kappa of paired grades, at most 1; null where chance alone would agree fully. */
export function weightedKappa(a: readonly number[], b: readonly number[]): number | null {
  if (a.length !== b.length) throw new RangeError(`paired grades: ${a.length} and ${b.length}`);
  let observed = 0;
  for (const [at, grade] of a.entries()) observed += (grade - (b[at] ?? 0)) ** 2;
  const counts = (list: readonly number[]): ReadonlyMap<number, number> => {
    const found = new Map<number, number>();
    for (const grade of list) found.set(grade, (found.get(grade) ?? 0) + 1);
    return found;
  };
  const [ofA, ofB] = [counts(a), counts(b)];
  let expected = 0;
  for (const [x, n] of ofA) for (const [y, m] of ofB) expected += ((x - y) ** 2 * n * m) / a.length;
  return expected === 0 ? null : 1 - observed / expected;
}

/** What one pair was answered in both orders: the place, 1 or 2, that was chosen; null where there was no choice. */
export interface SwappedChoice {
  /** With the real one in the first place. */
  readonly realFirst: 1 | 2 | null;
  /** With the real one in the second place. */
  readonly realSecond: 1 | 2 | null;
}

/** What a double-blind comparison with swapped orders found. */
export interface TuringResult {
  readonly pairs: number;
  /** Pairs without a choice in one of the orders. */
  readonly unanswered: number;
  /** Share of choices that found the real one, 0–1; ½ is chance. Null without an answered pair. */
  readonly foundReal: number | null;
  /** Share of pairs that got the same answer in both orders, 0–1. */
  readonly steady: number | null;
  /** Share of first places among unsteady pairs, minus ½: −½ to ½; 0 without any. */
  readonly positionBias: number;
}

/** Counts a Turing test whose every pair was shown in both orders. */
export function turingResult(choices: readonly SwappedChoice[]): TuringResult {
  const answered = choices.filter(({ realFirst, realSecond }) => realFirst !== null && realSecond !== null);
  const right = answered.reduce(
    (sum, one) => sum + (one.realFirst === 1 ? 1 : 0) + (one.realSecond === 2 ? 1 : 0),
    0,
  );
  const unsteady = answered.filter(({ realFirst, realSecond }) => realFirst === realSecond);
  const n = answered.length;
  const firsts = unsteady.filter(({ realFirst }) => realFirst === 1).length;
  return {
    pairs: choices.length,
    unanswered: choices.length - n,
    foundReal: n === 0 ? null : right / (2 * n),
    steady: n === 0 ? null : (n - unsteady.length) / n,
    positionBias: unsteady.length === 0 ? 0 : firsts / unsteady.length - 0.5,
  };
}
