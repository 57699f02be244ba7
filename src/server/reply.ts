/**
 * Answers of the environment API: JSON bodies, and errors as `{"error":{"code","message"}}` with their HTTP status.
 *
 * Only errors of this package tell what they are; anything else is `engine/bug` without its words, which may hold
 * what no caller should see. An agent is shown what an agent would see; origins, faults and flags are for those who
 * hold the control token.
 */
import {
  type ErrorCode,
  type Json,
  type JsonObject,
  renderJson,
  type StepResult,
  type StepStatus,
  UmweltError,
} from '../core/index.js';

/** HTTP status of error codes; by the part before the slash where the code itself is not here. */
const STATUS: Readonly<Record<string, number>> = {
  'service/bad-request': 400,
  'service/unauthorised': 401,
  'service/forbidden': 403,
  'service/not-found': 404,
  'service/conflict': 409,
  'service/too-large': 413,
  'service/busy': 429,
  'service/quota': 429,
  'service/capacity': 503,
  'service/closed': 503,
  'service/store-failed': 503,
  'usage/episode-done': 409,
  'usage/unknown-name': 404,
  'world/not-found': 404,
  usage: 400,
  world: 400,
} satisfies Partial<Record<ErrorCode | 'usage' | 'world', number>>;

/** HTTP status of a step without an observation. */
const NULL_STATUS: Readonly<Partial<Record<StepStatus, number>>> = {
  abstained: 422,
  limit: 429,
  'model-failed': 502,
};

/** A JSON answer; big integers as digits. */
export function jsonReply(
  body: Json,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(`${renderJson(body)}\n`, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
}

/** The HTTP status of an error. */
export function errorStatus(error: unknown): number {
  if (!UmweltError.isInstance(error)) return 500;
  return STATUS[error.code] ?? STATUS[error.code.split('/')[0] ?? ''] ?? 500;
}

/** The answer that an error becomes. */
export function errorReply(error: unknown): Response {
  const status = errorStatus(error);
  const headers = {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...((status === 429 || status === 503) && { 'retry-after': retryAfter(error) }),
  };
  return jsonReply({ error: describeError(error) }, status, headers);
}

/** Whole seconds after which the same request may do better. */
export function retryAfter(error: unknown): string {
  const seconds = UmweltError.isInstance(error) ? error.data.retryAfterSeconds : undefined;
  return typeof seconds === 'number' ? String(seconds) : '1';
}

function describeError(error: unknown): JsonObject {
  if (!UmweltError.isInstance(error)) return { code: 'engine/bug', message: 'the service failed inside' };
  return { code: error.code, message: error.message };
}

/** The answer of a step: 200, or the status of a step without an observation. */
export function stepReply(result: StepResult, isControl: boolean): Response {
  const body = isControl ? wholeStep(result) : agentStep(result);
  const status = NULL_STATUS[result.status];
  if (status === undefined) return jsonReply(body);
  const message = result.reason ?? 'there is no observation';
  return jsonReply({ ...body, error: { code: result.status, message } }, status);
}

/** What an agent sees of a step. */
export function agentStep(result: StepResult): JsonObject {
  const { turn, action, status, observation, clock, done, reward, reason, value } = result;
  return {
    turn,
    action,
    status,
    observation,
    isError: result.meta?.isError === true,
    ...(value !== undefined && { value }),
    clock,
    done,
    reward,
    ...(observation === null && reason !== undefined && { reason }),
  };
}

/** Everything of a step: also origins, faults, flags and the reward's components. */
export function wholeStep(result: StepResult): JsonObject {
  const { origins, faults, flags, score, reason } = result;
  return {
    ...agentStep(result),
    origins: origins as unknown as Json,
    faults: faults as unknown as Json,
    flags,
    ...(reason !== undefined && { reason }),
    ...(score !== undefined && { score: score as unknown as Json }),
  };
}
