/**
 * How far a mean may be off because of rows of a kind that was not drawn: the rare failure that no sample holds.
 *
 * With none of such rows among n units their share may still be `c/(n + c)`, and at worst they lie at an end of the
 * scale: the mean is off by that share of its distance to the end. For strata whose clusters differ `c` is 2.3, chosen by
 * simulation (`perf/interval-coverage.mjs`; Wilson's 3.84 is too wide where there are no failures). For strata that are all alike
 * nothing else tells, and the share is the exact one, `1 − 0.025^(1/G)`.
 *
 * Units lie between rows and clusters. If the rows of a cluster hang together as much as can be, a unit is a cluster; by
 * the design effect of what was drawn it may be a row. Rare failures need not hang together as the rest does, so the
 * geometric mean of both is taken. Widths of independent strata add in squares (Zou and Donner, "Construction of
 * confidence limits about effect measures", Statistics in Medicine 27, 2008). Not covered: whole trajectories that fail,
 * one in 20, among rows near an end of the scale: 91 to 92 of 100 with fifty trajectories.
 */

/** What one stratum says of its mean. */
export interface StratumPart {
  readonly mean: number;
  /** Squared standard error. */
  readonly square: number;
  readonly clusters: number;
  /** Its rows, counted in units that hang together. */
  readonly units: number;
  /** The values that unseen rows may have; default the ends of the scale. */
  readonly unseen?: readonly [number, number];
}

const UNSEEN = 2.3;

/** Widths below and above the mean of strata that count alike. */
export function unseenWidths(
  parts: readonly StratumPart[],
  scale: readonly [number, number],
): readonly [number, number] {
  let [down, up] = [0, 0];
  for (const { mean, square, clusters, units, unseen } of parts) {
    const isAlike = square === 0;
    const share = isAlike ? 1 - 0.025 ** (1 / clusters) : UNSEEN / (units + UNSEEN);
    const [low, high] = isAlike ? scale : (unseen ?? scale);
    down += (share * Math.max(0, mean - low)) ** 2;
    up += (share * Math.max(0, high - mean)) ** 2;
  }
  return [Math.sqrt(down) / parts.length, Math.sqrt(up) / parts.length];
}

/**
 * Rows that hang together: the geometric mean of the cluster that a row finds itself in and of the design effect (the
 * squared error of the mean over the one that independent rows would have), which is held between 1 and the former.
 */
export function spreadUnit(of: {
  readonly rows: number;
  /** Squared distances of the rows from the mean, added up. */
  readonly ofRows: number;
  /** Squared standard error of the mean. */
  readonly ofMean: number;
  /** Rows of the cluster that a row finds itself in, on average. */
  readonly largest: number;
}): number {
  const { rows, ofRows, ofMean, largest } = of;
  const independent = rows < 2 ? 0 : ofRows / (rows - 1) / rows;
  const effect = independent === 0 ? largest : ofMean / independent;
  return Math.sqrt(largest * Math.min(largest, Math.max(1, effect)));
}
