/**
 * Errors of the OpenAI-compatible wire: `{"error": {"message", "type", "param", "code"}}` with the status that clients
 * of that wire expect.
 */
import { ServiceError, type StepStatus, UmweltError } from '../../core/index.js';
import { errorStatus, jsonReply, retryAfter } from '../reply.js';

/** An error of a request, with the parameter that it is about. */
export function chatError(
  message: string,
  { param, code = 'service/bad-request' }: { readonly param?: string; readonly code?: string } = {},
): ServiceError {
  return new ServiceError(message, {
    code: 'service/bad-request',
    data: { param: param ?? null, wire: code },
  });
}

/** No such model. */
export function noModel(name: string, known: readonly string[]): ServiceError {
  return new ServiceError(
    `there is no model ${JSON.stringify(name.slice(0, 100))}; known are ${known.join(', ')}`,
    {
      code: 'service/not-found',
      data: { param: 'model', wire: 'model_not_found' },
    },
  );
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** The answer that an error becomes. */
export function chatErrorReply(error: unknown): Response {
  const status = errorStatus(error);
  const isOurs = UmweltError.isInstance(error);
  const data = isOurs ? (error.data as { param?: unknown; wire?: unknown } | undefined) : undefined;
  const code = typeof data?.wire === 'string' ? data.wire : isOurs ? error.code : 'engine/bug';
  const type = TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  const param = typeof data?.param === 'string' ? data.param : null;
  const message = isOurs ? error.message : 'the service failed inside';
  const body = { error: { message, type, param, code: status === 401 ? 'invalid_api_key' : code } };
  const retry: Record<string, string> =
    status === 429 || status === 503 ? { 'retry-after': retryAfter(error) } : {};
  return jsonReply(body, status, { ...(status === 401 && { 'www-authenticate': 'Bearer' }), ...retry });
}

/** The answer of a turn without an observation: 422 abstained, 429 limit, 502 model-failed. */
export function noObservationReply(
  status: Extract<StepStatus, 'abstained' | 'limit' | 'model-failed'>,
  reason: string,
  extension: object,
): Response {
  const http = { abstained: 422, limit: 429, 'model-failed': 502 }[status];
  const error = {
    message: reason,
    type: status === 'model-failed' ? 'server_error' : 'no_observation',
    param: null,
    code: status,
  };
  return jsonReply({ error, umwelt: extension as never }, http);
}
