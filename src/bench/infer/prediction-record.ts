/**
 * A line of `predictions.jsonl`: the row's own fields, `gen` for the reference script, and what it cannot hold.
 *
 * `gen` is the reply as it came, or the observation in its tag where no language model wrote it; where there is no
 * prediction it is `""`, which the reference script counts as failed. `umwelt` says why, and holds the observation where
 * reading `gen` would give another. Lines of the reference script have no `umwelt`; their `gen` is read as it is, and an
 * empty one is the model's failure, since nothing else is recorded. Source: hard cases P-OUT-2 and P-EVAL-3.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  OBSERVATION_TAG,
  readPrediction,
} from '../../core/index.js';
import type { BenchRow } from '../../domains/index.js';

/**
 * What became of a row: `predicted` · `abstained` it said that it cannot know · `model-failed` it answered and gave no
 * observation · `infrastructure` nothing came back (an endpoint that is down, a budget, a bug); tried again on resume.
 */
export const PREDICTION_STATUSES = ['predicted', 'abstained', 'model-failed', 'infrastructure'] as const;

/** One of {@link PREDICTION_STATUSES}. */
export type PredictionStatus = (typeof PREDICTION_STATUSES)[number];

/** What became of one row. */
export interface RowOutcome {
  readonly status: PredictionStatus;
  /** The observation; null unless predicted. */
  readonly observation: string | null;
  /** The reply of a language model, word for word, where there was one. */
  readonly reply: string | null;
  readonly reasoning?: string | null;
  /** Why there is no prediction. */
  readonly reason?: string;
  /** Tokens as reported; null where a call was not. */
  readonly promptTokens?: number | null;
  readonly completionTokens?: number | null;
}

/** The record of a row. */
export function predictionRecord(row: BenchRow, outcome: RowOutcome, run: string): JsonObject {
  const { status, observation, reply, reason, reasoning } = outcome;
  const gen = status !== 'predicted' || observation === null ? '' : genOf(observation, reply);
  const read = gen === '' ? null : readPrediction(gen);
  const isKept = read?.ok === true && read.value.observation === observation;
  return {
    ...row.raw,
    gen,
    umwelt: {
      run,
      status,
      ...(status === 'predicted' && !isKept && { observation }),
      ...(reason !== undefined && { reason }),
      ...(gen === '' && reply !== null && { reply }),
      ...(typeof reasoning === 'string' && { reasoning }),
      ...(outcome.promptTokens !== undefined && { promptTokens: outcome.promptTokens }),
      ...(outcome.completionTokens !== undefined && { completionTokens: outcome.completionTokens }),
    },
  };
}

function genOf(observation: string, reply: string | null): string {
  if (reply !== null && reply !== '') return reply;
  return `<${OBSERVATION_TAG}>\n${observation}\n</${OBSERVATION_TAG}>`;
}

/** What a record says became of its row; records of the reference script included. */
export function readOutcome(record: JsonObject): RowOutcome {
  const { gen, umwelt } = record;
  if (isJsonObject(umwelt) && isStatus(umwelt.status)) {
    const { status, reason, observation } = umwelt;
    const about = { ...(typeof reason === 'string' && { reason }) };
    if (status !== 'predicted') return { status, observation: null, reply: null, ...about };
    if (typeof observation === 'string') return { status, observation, reply: null };
  }
  return readGen(typeof gen === 'string' ? gen : '');
}

function readGen(gen: string): RowOutcome {
  const nothing = (reason: string): RowOutcome => ({
    status: 'model-failed',
    observation: null,
    reply: gen,
    reason,
  });
  if (gen === '') return nothing('the predictions hold no generation, and do not say why');
  const read = readPrediction(gen);
  if (!read.ok) return nothing(read.error.message);
  return { status: 'predicted', observation: read.value.observation, reply: gen };
}

function isStatus(value: Json | undefined): value is PredictionStatus {
  return typeof value === 'string' && (PREDICTION_STATUSES as readonly string[]).includes(value);
}
