/**
 * What a service answers, as values: checked where a program relies on it, kept whole where not.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  ServiceError,
  type StepStatus,
} from '../core/index.js';

/** One turn as the service tells it. Origins, faults, flags and score only with the control token. */
export interface StepReply {
  readonly turn: number;
  readonly action: string;
  readonly status: StepStatus;
  /** Null exactly for `abstained`, `limit` and `model-failed`. */
  readonly observation: string | null;
  readonly isError: boolean;
  readonly value?: Json;
  /** The simulated clock, ISO 8601 UTC. */
  readonly clock: string;
  readonly done: boolean;
  readonly reward: number | null;
  readonly reason?: string;
  readonly origins?: Json;
  readonly faults?: Json;
  readonly flags?: Json;
  readonly score?: Json;
}

/** Reads a body that must be a JSON object. Raises `service/bad-request` for another (a proxy's page, say). */
export function readReply(text: string): JsonObject {
  const json = parseJson(text);
  if (json.ok && isJsonObject(json.value)) return json.value;
  throw notOurs(text);
}

/** Takes a body for a step. Raises `service/bad-request` where it is none. */
export function stepReplyOf(body: JsonObject): StepReply {
  const { turn, action, status, observation } = body;
  const fits =
    typeof turn === 'number' &&
    typeof action === 'string' &&
    typeof status === 'string' &&
    (observation === null || typeof observation === 'string');
  if (!fits) throw notOurs(JSON.stringify(Object.keys(body)));
  return body as unknown as StepReply;
}

function notOurs(seen: string): ServiceError {
  return new ServiceError(`the answer is not one of a service of this kind: ${seen.slice(0, 200)}`, {
    code: 'service/bad-request',
  });
}
