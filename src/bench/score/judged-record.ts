/**
 * A line of `judged.jsonl`: the prediction's line, the fields of the reference script, and what those cannot hold.
 *
 * `format … quality`, `total_score`, `failed`, `strengths`, `weaknesses`, `extracted_output`, `judge_raw_output` and
 * `error_message` are as the reference script writes them, so that it can add up our files and we its. `umwelt_judge`
 * has the status, the stamp of the judge, reasons, notes and the kinds of turn. In a file of the reference script a
 * dimension of 0 is a grade that was not given: the row counts as failed by its judge, not as a number (P-OUT-5).
 */
import {
  canonicalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  pointsOfGrade,
  stripObservationMarker,
} from '../../core/index.js';
import { type BenchRow, benchDomain, benchKey, readBenchRow } from '../../domains/index.js';
import { DIMENSIONS, type Dimension, type JudgeStamp, type Verdict } from '../../judge/index.js';
import { type PredictionStatus, readOutcome } from '../infer/prediction-record.js';
import { type BREAKDOWNS, type KindsOfTurn, kindsOfTurn } from './kinds-of-turn.js';

/**
 * What counts for a score: `scored` · `model-failed` the model gave no observation: the floor · `abstained` it said that
 * it cannot know: apart · `judge-failed`, `infrastructure` not the model's doing: left out and told.
 */
export type JudgedStatus = 'scored' | 'model-failed' | 'abstained' | 'judge-failed' | 'infrastructure';

/** What a score needs of one row. */
export interface JudgedRow {
  readonly key: string;
  readonly trajectory: string;
  readonly domain: string;
  readonly status: JudgedStatus;
  /** Points 0–100: the total, then the dimensions in order; null unless scored. */
  readonly points: readonly number[] | null;
  /** Why it is not scored. */
  readonly reason: string | null;
  readonly kinds: KindsOfTurn | null;
  /** The prediction is the real observation, white space at the ends aside; null where nobody can tell. */
  readonly exact: boolean | null;
  /** Canonical JSON of the judge's stamp; null where the file has none. */
  readonly stamp: string | null;
  /** What the reference script would add up: its total grade, or null where it leaves the row out. */
  readonly referenceTotal: number | null;
  /** The key tells the row apart from all others, so a second line of it is a repetition. */
  readonly isKeyed: boolean;
}

/** The record of a judged row. `prediction` is the line of the prediction. */
export function judgedRecord(
  prediction: JsonObject,
  row: BenchRow,
  verdict: Verdict | null,
  run: string,
): JsonObject {
  const outcome = readOutcome(prediction);
  const kinds = kindsOfTurn(row) as unknown as JsonObject;
  const shown: JsonObject =
    outcome.observation === null ? {} : { extracted_output: stripObservationMarker(outcome.observation) };
  if (verdict === null) {
    const words =
      outcome.status === 'model-failed' ? 'No model generation' : `no prediction: ${outcome.status}`;
    return {
      ...prediction,
      failed: 1,
      error_message: words,
      umwelt_judge: {
        run,
        status: outcome.status,
        kinds,
        ...(outcome.reason !== undefined && { reason: outcome.reason }),
      },
    };
  }
  const { stamp, attempts, usage } = verdict;
  const about: JsonObject = {
    run,
    ...(stamp as unknown as JsonObject),
    attempts,
    ...(usage !== undefined && { usage: usage as unknown as JsonObject }),
    kinds,
  };
  if (verdict.status === 'unscored') {
    const { reason, raw, cause } = verdict;
    return {
      ...prediction,
      ...shown,
      total_score: 0,
      failed: 1,
      error_message: 'Judge scoring failed',
      ...(raw !== null && { judge_raw_output: raw }),
      umwelt_judge: { ...about, status: 'judge-failed', cause, reason },
    };
  }
  const { grades, total, strengths, weaknesses, reasons, repaired, notes, raw } = verdict;
  return {
    ...prediction,
    ...shown,
    total_score: total,
    ...grades,
    failed: 0,
    strengths: [...strengths],
    weaknesses: [...weaknesses],
    judge_raw_output: raw ?? '',
    umwelt_judge: {
      ...about,
      status: 'scored',
      reasons: reasons as unknown as Json,
      ...(repaired && { repaired }),
      ...(notes.length > 0 && { notes: [...notes] }),
    },
  };
}

/** A line without any of these was never judged: a row, or a prediction. */
const VERDICT_FIELDS: readonly string[] = ['failed', 'total_score', 'umwelt_judge', ...DIMENSIONS];

/** Reads a judged line of ours or of the reference script; undefined for what is none. `line` names it if it has no id. */
export function readJudged(record: JsonObject, line: number): JudgedRow | undefined {
  const domain = benchDomain(record.task);
  if (domain === undefined || !VERDICT_FIELDS.some((name) => record[name] !== undefined)) return undefined;
  const key = benchKey(record);
  const isKeyed = key !== undefined && typeof record.turn_idx === 'number';
  const own = isJsonObject(record.umwelt_judge) ? record.umwelt_judge : null;
  const failed = record.failed === undefined || Number(record.failed) !== 0;
  const total = typeof record.total_score === 'number' ? record.total_score : 0;
  const counted = failed ? causeOf(record, own) : gradesOf(record);
  const row = own === null || !isJsonObject(own.kinds) ? readBenchRow(record) : null;
  return {
    key: key ?? `line ${line}`,
    trajectory: key === undefined ? `line ${line}` : key.slice(0, key.lastIndexOf('#')),
    domain,
    ...counted,
    kinds: row === null ? (own?.kinds as unknown as KindsOfTurn) : row.ok ? kindsOfTurn(row.value) : null,
    exact: exactOf(record),
    stamp: counted.status === 'scored' || counted.status === 'judge-failed' ? stampOf(own) : null,
    referenceTotal: failed || total === 0 ? null : total,
    isKeyed,
  };
}

type Counted = Pick<JudgedRow, 'status' | 'points' | 'reason'>;

function gradesOf(record: JsonObject): Counted {
  const wrong: string[] = [];
  const grades = DIMENSIONS.map((dimension: Dimension) => {
    const grade = record[dimension];
    const isGood = typeof grade === 'number' && grade >= 1 && grade <= 5;
    if (!isGood) wrong.push(`${dimension} is ${String(grade ?? 'missing')}`);
    return isGood ? grade : 0;
  });
  if (wrong.length > 0) {
    return {
      status: 'judge-failed',
      points: null,
      reason: `grades off the scale of 1 to 5: ${wrong.join(', ')}`,
    };
  }
  const mean = grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
  return { status: 'scored', points: [mean, ...grades].map(pointsOfGrade), reason: null };
}

const STATUSES: readonly string[] = ['model-failed', 'abstained', 'infrastructure', 'judge-failed'];

function causeOf(record: JsonObject, own: JsonObject | null): Counted {
  const said = typeof record.error_message === 'string' ? record.error_message : 'no reason is given';
  if (own !== null && typeof own.status === 'string' && STATUSES.includes(own.status)) {
    const reason = typeof own.reason === 'string' ? own.reason : said;
    return { status: own.status as PredictionStatus as JudgedStatus, points: null, reason };
  }
  const outcome = readOutcome(record);
  if (outcome.status === 'predicted') return { status: 'judge-failed', points: null, reason: said };
  const status = outcome.status;
  return { status, points: null, reason: outcome.reason ?? said };
}

function stampOf(own: JsonObject | null): string | null {
  if (own === null || typeof own.judge !== 'string') return null;
  const { judge, promptVersion = null, parserVersion = null } = own;
  return canonicalJson({ judge, promptVersion, parserVersion });
}

/** The stamp behind its canonical text. */
export function parseStamp(stamp: string): JudgeStamp {
  return JSON.parse(stamp) as JudgeStamp;
}

function exactOf(record: JsonObject): boolean | null {
  const { response, turn_idx: turn, extracted_output: output } = record;
  const truth =
    typeof response === 'string'
      ? response
      : Array.isArray(response)
        ? response[Number(turn ?? 1) - 1]
        : undefined;
  if (typeof truth !== 'string' || typeof output !== 'string') return null;
  return stripObservationMarker(truth).trim() === stripObservationMarker(output).trim();
}

/** Names of the kinds of turn, for reports. */
export const BREAKDOWN_TITLES: Readonly<Record<(typeof BREAKDOWNS)[number], string>> = {
  turn: 'By turn',
  history: 'By length of history',
  action: 'By action',
  content: 'By content of the real observation',
};
