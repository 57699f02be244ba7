/**
 * How many predictions equal the real observation, by domain: a measure that needs no judge.
 *
 * Equal means the same text without the marker and without white space at both ends.
 */
import { stripObservationMarker } from '../../core/index.js';
import type { DataSet } from '../files/data-set.js';
import { readOutcome } from '../infer/prediction-record.js';

/** Counts of one domain. */
export interface ExactShare {
  readonly domain: string;
  readonly rows: number;
  /** Rows with a prediction. */
  readonly predicted: number;
  readonly equal: number;
}

/** The counts, domain by domain in the order of the rows. */
export function exactShares(predictions: DataSet): readonly ExactShare[] {
  const byDomain = new Map<string, { domain: string; rows: number; predicted: number; equal: number }>();
  for (const indexed of predictions.rows) {
    const counts = byDomain.get(indexed.domain) ?? {
      domain: indexed.domain,
      rows: 0,
      predicted: 0,
      equal: 0,
    };
    byDomain.set(indexed.domain, counts);
    counts.rows += 1;
    const row = predictions.read(indexed);
    const { observation } = readOutcome(row.raw);
    if (observation === null) continue;
    counts.predicted += 1;
    const plain = (text: string): string => stripObservationMarker(text).trim();
    if (plain(observation) === plain(row.truth)) counts.equal += 1;
  }
  return [...byDomain.values()];
}
