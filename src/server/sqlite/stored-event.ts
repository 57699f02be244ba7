/**
 * One turn as it lies in a database: the turn itself, and of the answer only what the turn does not say.
 *
 * An answer repeats most of its turn (observation, origins, status, flags, faults, meta without what a model said in
 * full), so it is built again when it is read. `decode(encode(event))` equals the event.
 */
import {
  type AppliedFault,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  ServiceError,
  type StepResult,
  type Turn,
} from '../../core/index.js';
import type { StoredEvent } from '../episode-store.js';

/** What of an answer does not stand in its turn. */
const OWN = ['clock', 'done', 'reward', 'value', 'content', 'score'] as const;

/** Writes the text of an event; its number, request id and time stand in columns of their own. */
export function encodeEvent({ entry, result, isFinish }: StoredEvent): string {
  const answer: Record<string, unknown> = {};
  for (const key of OWN) if (result[key] !== undefined) answer[key] = result[key];
  return renderJson({ entry, answer, ...(isFinish === true && { isFinish }) } as unknown as Json);
}

/** The columns beside the text. */
export interface EventColumns {
  readonly turn: number;
  readonly request_id: string | null;
  readonly recorded_at: string;
  readonly body: string;
}

/** Reads an event. Raises `service/store-failed` for a text that this version did not write. */
export function decodeEvent({ turn, request_id, recorded_at, body }: EventColumns): StoredEvent {
  const read = parseJson(body);
  if (!read.ok) {
    throw new ServiceError(`turn ${turn} in the store cannot be read: ${read.error.message}`, {
      code: 'service/store-failed',
    });
  }
  const { entry, answer, isFinish } = read.value as JsonObject as unknown as Written;
  return {
    turn,
    requestId: request_id,
    recordedAt: recorded_at,
    entry,
    result: resultOf(turn, entry, answer),
    ...(isFinish === true && { isFinish }),
  };
}

interface Written {
  readonly entry: Turn;
  readonly answer: Pick<StepResult, (typeof OWN)[number]>;
  readonly isFinish?: boolean;
}

function resultOf(turn: number, entry: Turn, answer: Written['answer']): StepResult {
  const { model: _model, ...meta } = entry.meta ?? {};
  const reason = meta.reason as string | undefined;
  return {
    turn,
    action: entry.action,
    status: entry.status,
    observation: entry.observation,
    origins: (entry.origins ?? []) as StepResult['origins'],
    flags: entry.flags ?? [],
    faults: (meta.faults ?? []) as unknown as readonly AppliedFault[],
    meta,
    ...(reason !== undefined && { reason }),
    ...answer,
  };
}
