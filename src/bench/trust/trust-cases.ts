/**
 * A labelled set as a file of predictions: each row with faults whose effect is known, so that any judge can judge it.
 *
 * The idea: a labelled case is a prediction like any other, so `runJudging` does the judging (many at a time, resumable,
 * one stamp a file), and the label waits in the line. A case's id is the row's with the kind of fault behind it, which
 * tells a judge nothing, since ids are not shown to judges.
 */
import { writeFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, randomStream, renderJson } from '../../core/index.js';
import type { BenchRow } from '../../domains/index.js';
import { CORRUPTIONS, type Corruption, type LabelledCase, labelledCases } from '../../judge/index.js';
import type { DataSet } from '../files/data-set.js';
import { predictionRecord } from '../infer/prediction-record.js';

/** How many rows of each domain are taken, and what is done to them. */
export interface TrustCaseOptions {
  /** Decides rows and places. Default 0. */
  readonly seed?: number;
  /** Rows of each domain; default all. */
  readonly rows?: number;
  readonly corruptions?: readonly Corruption[];
}

/** The label of a case. */
export type CaseLabel = Pick<LabelledCase, 'kind' | 'isHarmful' | 'dimension'>;

/** Grows labelled cases from the rows of a data set: a sample of each domain, every kind of fault that a row allows. */
export function trustCases(data: DataSet, options: TrustCaseOptions = {}): readonly LabelledCase[] {
  const { seed = 0, rows = Number.POSITIVE_INFINITY, corruptions = CORRUPTIONS } = options;
  const order = (key: string): number => randomStream(seed, 'trust', key).next();
  const byDomain = new Map<string, { readonly at: number; readonly row: () => BenchRow }[]>();
  for (const indexed of data.rows) {
    const own = byDomain.get(indexed.domain) ?? [];
    own.push({ at: order(indexed.key), row: () => data.read(indexed) });
    byDomain.set(indexed.domain, own);
  }
  return [...byDomain.values()].flatMap((own) => {
    const taken = own.sort((a, b) => a.at - b.at).slice(0, rows);
    return labelledCases(
      taken.map(({ row }) => row()),
      seed,
      corruptions,
    );
  });
}

/** Writes cases as predictions. */
export function writeTrustCases(path: string, cases: readonly LabelledCase[]): void {
  const lines = cases.map(({ row, prediction, kind, isHarmful, dimension }) => {
    const raw: JsonObject = { ...row.raw, id: `${row.id}~${kind}`, label: { kind, isHarmful, dimension } };
    const outcome = { status: 'predicted', observation: prediction, reply: null } as const;
    return `${renderJson(predictionRecord({ ...row, raw }, outcome, 'labelled'))}\n`;
  });
  writeFileSync(path, lines.join(''));
}

/** The label of a line; null where it has none. */
export function labelOf(record: JsonObject): CaseLabel | null {
  const { label } = record;
  if (!isJsonObject(label) || typeof label.kind !== 'string') return null;
  return label as unknown as CaseLabel;
}
