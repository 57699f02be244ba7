/**
 * Intervals and tests for shares of runs: Wilson, Newcombe for pairs, McNemar.
 *
 * Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209–212.
 * R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data",
 * Statistics in Medicine 17 (1998), 2635–2650, method 10. McNemar's test is the exact one: a binomial test with one half
 * on the pairs that differ. All intervals are for 95 %. Pure.
 */

/** The two-sided 95 % point of the normal distribution. */
const Z = 1.959963984540054;

/** A share with its interval; fractions 0–1. */
export interface Share {
  /** Runs that count. */
  readonly n: number;
  /** Of these, those that passed. */
  readonly passed: number;
  /** `passed / n`, or null where nothing counts. */
  readonly fraction: number | null;
  /** The 95 % interval; null where nothing counts. */
  readonly interval: readonly [number, number] | null;
  /** Runs that could not be scored; they are in no number above. */
  readonly unscored: number;
}

/**
 * Wilson's interval: `(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n)`. `passed` of `n`, both whole, `n` at least 1.
 */
export function wilsonInterval(passed: number, n: number): readonly [number, number] {
  const p = passed / n;
  const z2 = Z * Z;
  const centre = p + z2 / (2 * n);
  const half = Z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  const scale = 1 + z2 / n;
  return [Math.max(0, (centre - half) / scale), Math.min(1, (centre + half) / scale)];
}

/** The share of runs that passed. `null` is a run that could not be scored. */
export function shareOf(outcomes: readonly (boolean | null)[]): Share {
  const scored = outcomes.filter((outcome) => outcome !== null);
  const passed = scored.filter((outcome) => outcome).length;
  const n = scored.length;
  return {
    n,
    passed,
    fraction: n === 0 ? null : passed / n,
    interval: n === 0 ? null : wilsonInterval(passed, n),
    unscored: outcomes.length - n,
  };
}

/** The difference of two shares measured on the same pairs; first minus second. */
export interface PairedDifference {
  /** Pairs of which both runs count. */
  readonly n: number;
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  /** Pairs of which only the first passed, and only the second. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** McNemar, exact, two-sided; null without a pair. */
  readonly pValue: number | null;
  /** Pairs of which a run could not be scored. */
  readonly unscored: number;
}

/**
 * The paired difference with Newcombe's method 10. With a both passed, b only the first, c only the second, d none:
 * `D = (b − c)/n`, `L = D − √(dl1² − 2φ·dl1·du2 + du2²)`, `U = D + √(du1² − 2φ·du1·dl2 + dl2²)`, where dl and du are the
 * distances of each share to its Wilson limits and φ is the correlation of the pairs with continuity correction.
 */
export function pairedDifference(
  pairs: readonly (readonly [boolean | null, boolean | null])[],
): PairedDifference {
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, none: 0, unscored: 0 };
  for (const [first, second] of pairs) {
    if (first === null || second === null) counts.unscored++;
    else if (first && second) counts.both++;
    else if (first) counts.onlyFirst++;
    else if (second) counts.onlySecond++;
    else counts.none++;
  }
  const { both, onlyFirst, onlySecond, none, unscored } = counts;
  const n = both + onlyFirst + onlySecond + none;
  if (n === 0) return { n, difference: null, interval: null, onlyFirst, onlySecond, pValue: null, unscored };
  const difference = (onlyFirst - onlySecond) / n;
  const interval = newcombeInterval({ both, onlyFirst, onlySecond, none });
  return { n, difference, interval, onlyFirst, onlySecond, pValue: mcNemar(onlyFirst, onlySecond), unscored };
}

function newcombeInterval(of: {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly none: number;
}): readonly [number, number] {
  const { both: a, onlyFirst: b, onlySecond: c, none: d } = of;
  const n = a + b + c + d;
  const [first, second] = [a + b, a + c];
  const [p1, p2] = [first / n, second / n];
  const [l1, u1] = wilsonInterval(first, n);
  const [l2, u2] = wilsonInterval(second, n);
  const phi = correlation(of);
  const lower = Math.sqrt(Math.max(0, (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2));
  const upper = Math.sqrt(Math.max(0, (u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2));
  return [Math.max(-1, p1 - p2 - lower), Math.min(1, p1 - p2 + upper)];
}

function correlation(of: {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly none: number;
}): number {
  const { both: a, onlyFirst: b, onlySecond: c, none: d } = of;
  const n = a + b + c + d;
  const scale = Math.sqrt((a + b) * (c + d) * (a + c) * (b + d));
  if (scale === 0) return 0;
  const product = a * d - b * c;
  return (product > 0 ? Math.max(product - n / 2, 0) : product) / scale;
}

/** McNemar's exact test: twice the smaller tail of a binomial with one half over the `b + c` pairs that differ, at most 1. */
export function mcNemar(b: number, c: number): number {
  const n = b + c;
  if (n === 0) return 1;
  const least = Math.min(b, c);
  let term = 0.5 ** n;
  // Beyond some thousand pairs the first term vanishes; the logarithm keeps it.
  if (term === 0) return normalTail(b, c);
  let tail = 0;
  for (let k = 0; k <= least; k++) {
    tail += term;
    term *= (n - k) / (k + 1);
  }
  return Math.min(1, 2 * tail);
}

/** The normal approximation with continuity correction, for more pairs than doubles can hold. */
function normalTail(b: number, c: number): number {
  const z = (Math.abs(b - c) - 1) / Math.sqrt(b + c);
  // Abramowitz and Stegun 26.2.17, error below 7.5e−8.
  const t = 1 / (1 + 0.2316419 * z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return Math.min(1, 2 * density * series);
}

/** pass^k over groups of trials, with what it is a mean of. */
export interface PassPower {
  readonly k: number;
  /** Groups with at least k trials that count. */
  readonly n: number;
  readonly fraction: number | null;
  /** Groups with fewer. */
  readonly leftOut: number;
}

/**
 * pass^k: the chance that all of k trials pass, as the mean over groups of `C(c, k) / C(n, k)` with c of n passed (the
 * unbiased estimate of the τ-bench paper, arXiv 2406.12045). Groups with fewer than k trials that count are left out.
 */
export function passPower(groups: readonly (readonly (boolean | null)[])[], k: number): PassPower {
  const parts = groups.flatMap((group) => {
    const { n, passed } = shareOf(group);
    return n < k ? [] : [choose(passed, k) / choose(n, k)];
  });
  const sum = parts.reduce((total, part) => total + part, 0);
  return {
    k,
    n: parts.length,
    fraction: parts.length === 0 ? null : sum / parts.length,
    leftOut: groups.length - parts.length,
  };
}

function choose(n: number, k: number): number {
  if (k > n) return 0;
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}
