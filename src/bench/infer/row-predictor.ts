/**
 * Predictors of rows: any world model asked for one row, with its failures told apart.
 *
 * A row's history becomes turns, the very texts that a judge will see. A world model that abstains is not asked
 * anything else. What a grounded world or an engine answers to a text that is no action counts as a prediction: the
 * real environment answered too.
 */
import { type PredictRequest, stripObservationMarker, type Turn, type WorldModel } from '../../core/index.js';
import { type BenchRow, benchHistory } from '../../domains/index.js';
import type { RowOutcome } from './prediction-record.js';
import { type CallNotes, withNotes } from './watched-model.js';

/** Something that predicts rows. */
export interface RowPredictor {
  /** For reports. */
  readonly name: string;
  /** Never rejects but for aborts. */
  predict(row: BenchRow, signal?: AbortSignal): Promise<RowOutcome>;
}

/** Gives the world model of a row, or says why there is none. */
export type WorldModelOf = (row: BenchRow) => Promise<WorldModel | { readonly abstains: string }>;

/** How rows are asked. */
export interface RowPredictorOptions {
  /** Take the marker off earlier observations, for world models that read them; a language model gets exact texts. */
  readonly plain?: boolean;
}

/** Makes a predictor of world models. */
export function createRowPredictor(
  name: string,
  worldModelOf: WorldModelOf,
  { plain = false }: RowPredictorOptions = {},
): RowPredictor {
  return {
    name,
    predict: async (row, signal) => {
      const { value, notes } = await withNotes(() => predicted(row, worldModelOf, { plain, signal }));
      const known = notes.unreported === 0;
      return {
        ...withReply(value, notes),
        ...(notes.calls > 0 && {
          promptTokens: known ? notes.promptTokens : null,
          completionTokens: known ? notes.completionTokens : null,
        }),
      };
    },
  };
}

type Bare = Pick<RowOutcome, 'status' | 'observation' | 'reason'>;

async function predicted(
  row: BenchRow,
  worldModelOf: WorldModelOf,
  how: { readonly plain: boolean; readonly signal: AbortSignal | undefined },
): Promise<Bare> {
  try {
    const world = await worldModelOf(row);
    if ('abstains' in world) return { status: 'abstained', observation: null, reason: world.abstains };
    const { status, observation, reason } = await world.predict(requestOf(row, how));
    const about = reason === undefined ? {} : { reason };
    if (observation !== null) return { status: 'predicted', observation };
    if (status === 'abstained') return { status, observation, ...about };
    return { status: status === 'limit' ? 'infrastructure' : 'model-failed', observation, ...about };
  } catch (error) {
    if (how.signal?.aborted === true) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { status: 'infrastructure', observation: null, reason };
  }
}

function requestOf(
  row: BenchRow,
  { plain, signal }: { readonly plain: boolean; readonly signal: AbortSignal | undefined },
): PredictRequest {
  const exact = benchHistory(row);
  const history: readonly Turn[] = plain
    ? exact.map((turn) => ({ ...turn, observation: stripObservationMarker(turn.observation ?? '') }))
    : exact;
  const system = { text: row.system, demonstrations: [] };
  return { system, history, action: row.action, ...(signal !== undefined && { signal }) };
}

/** The words of the one reply, where the prediction is what stands in them; an endpoint's failure is named as one. */
function withReply(bare: Bare, notes: CallNotes): RowOutcome {
  const isEndpoint = bare.status === 'model-failed' && notes.failure !== null;
  const status = isEndpoint ? 'infrastructure' : bare.status;
  const reason = isEndpoint ? (notes.failure ?? '') : bare.reason;
  const reply = notes.calls === 1 ? notes.lastText : null;
  return {
    ...bare,
    status,
    reply,
    ...(reason !== undefined && { reason }),
    ...(reply !== null && notes.lastReasoning !== null && { reasoning: notes.lastReasoning }),
  };
}
