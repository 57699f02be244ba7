/**
 * Rows on which two runs differ, side by side: what was asked, what really followed, what both predicted.
 */
import { stripObservationMarker } from '../../core/index.js';
import { openDataSet } from '../files/data-set.js';
import { readOutcome } from '../infer/prediction-record.js';
import type { ChangedRow } from './compare-runs.js';

/** A row with both predictions; texts are cut. */
export interface ChangedExample extends ChangedRow {
  readonly action: string;
  readonly real: string;
  /** Null where there is no prediction. */
  readonly firstSaid: string | null;
  readonly secondSaid: string | null;
}

const SHOWN_CHARS = 600;

/** Reads the rows from the judged files of both runs. */
export function changedExamples(
  changed: readonly ChangedRow[],
  files: { readonly first: string; readonly second: string },
): readonly ChangedExample[] {
  if (changed.length === 0) return [];
  const keys = new Set(changed.map(({ key }) => key));
  const open = (path: string) => {
    const data = openDataSet([path], { repeated: 'first' });
    return new Map(data.rows.filter(({ key }) => keys.has(key)).map((row) => [row.key, data.read(row)]));
  };
  const [a, b] = [open(files.first), open(files.second)];
  const cut = (text: string): string => stripObservationMarker(text).slice(0, SHOWN_CHARS);
  return changed.flatMap((one): ChangedExample[] => {
    const [row, other] = [a.get(one.key), b.get(one.key)];
    if (row === undefined || other === undefined) return [];
    const [said, otherSaid] = [readOutcome(row.raw).observation, readOutcome(other.raw).observation];
    return [
      {
        ...one,
        action: row.action.slice(0, SHOWN_CHARS),
        real: cut(row.truth),
        firstSaid: said === null ? null : cut(said),
        secondSaid: otherSaid === null ? null : cut(otherSaid),
      },
    ];
  });
}
