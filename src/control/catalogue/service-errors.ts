/**
 * Faults of a service that is busy, broken or far away: 429, 5xx with the pages of proxies, resets, slow answers.
 *
 * The words are plain, or those of the API that the world answers like; 502 and 504 come from a proxy, which has no
 * such style. Sources: RFC 6585 (429), RFC 9110 (5xx, Retry-After as seconds or as an HTTP date).
 */
import { z } from 'zod';
import { DOMAINS, isJsonObject, renderJson } from '../../core/index.js';
import { defineOperationFault, faultAnswer } from '../fault-kind.js';
import { serviceFailure } from '../service-words.js';
import { CREATE, GET } from './example-calls.js';

const PLACE = { operations: ['tool.call', 'http.request'], domains: DOMAINS } as const;

const TOO_MANY = 'Too Many Requests';

/** The kind `rate-limit`. */
export const rateLimitFault = defineOperationFault({
  name: 'rate-limit',
  family: 'errors',
  description:
    'Too many requests: 429, with Retry-After as seconds, as an HTTP date, or without one. With `holds`, calls before that time are refused too, whatever `when` says.',
  remedy: 'Wait as long as asked (or back off, where nothing is asked), then try again.',
  parameters: z.strictObject({
    retryAfterSeconds: z
      .number()
      .nonnegative()
      .max(86_400)
      .default(30)
      .describe('Simulated seconds until the service wants to be called again.'),
    retryAfter: z
      .enum(['seconds', 'http-date', 'none'])
      .default('seconds')
      .describe('How the waiting time is told.'),
    holds: z.boolean().default(false).describe('Calls before the waiting time is over are refused as well.'),
    message: z.string().min(1).default(TOO_MANY).describe('The words after the status.'),
  }),
  phases: ['before'],
  ...PLACE,
  permanently: 'honest-report',
  example: {
    fault: { on: 'ticket_get', max: 1, with: { retryAfterSeconds: 2, holds: true } },
    calls: GET,
  },
  holds: ({ holds }, memory, elapsedMs) =>
    holds && isJsonObject(memory) && typeof memory.untilMs === 'number' && elapsedMs < memory.untilMs,
  says: ['429', 'too many requests', 'rate limit'],
  strike: ({ retryAfterSeconds, retryAfter, message, holds }, strike) => {
    const { elapsedMs, nowMs, memory } = strike;
    const open = holds && isJsonObject(memory) && typeof memory.untilMs === 'number' ? memory.untilMs : 0;
    const untilMs = elapsedMs < open ? open : elapsedMs + retryAfterSeconds * 1000;
    const waitMs = untilMs - elapsedMs;
    const told = {
      seconds: String(Math.ceil(waitMs / 1000)),
      'http-date': new Date(Math.ceil((nowMs + waitMs) / 1000) * 1000).toUTCString(),
      none: undefined,
    }[retryAfter];
    const said = serviceFailure(
      {
        kind: 'rate-limit',
        cause: 'rate-limit',
        message,
        wordForWord: message !== TOO_MANY,
        plain: `Error 429: ${message}`,
        status: 429,
        retryAfterSeconds: waitMs / 1000,
        ...(told !== undefined && { wait: told }),
      },
      strike,
    );
    return { ...said, memory: { untilMs } };
  },
  tookEffect: ({ seen, clean, note }, { retryAfter }) =>
    seen.isError &&
    note.status !== undefined &&
    seen.text !== clean.text &&
    (retryAfter === 'none' || note.retryAfterMs !== undefined),
});

const REASONS = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const;

/** The kind `server-error`. */
export const serverErrorFault = defineOperationFault({
  name: 'server-error',
  family: 'errors',
  description:
    'The service, or a proxy before it, fails with 500, 502, 503 or 504, as plain text, as JSON, or as the HTML page of a proxy.',
  remedy: 'Look whether it happened, back off, try again; say so where it stays.',
  parameters: z.strictObject({
    status: z
      .union([z.literal(500), z.literal(502), z.literal(503), z.literal(504)])
      .default(503)
      .describe('The status code.'),
    body: z
      .enum(['text', 'json', 'html'])
      .optional()
      .describe(
        'What the body looks like. Default: for 500 and 503 as the API answers that the world names, else `text`.',
      ),
    retryAfterSeconds: z
      .number()
      .nonnegative()
      .max(86_400)
      .optional()
      .describe('Simulated seconds until the service wants to be called again.'),
  }),
  phases: ['before', 'after'],
  ...PLACE,
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_get', with: { status: 502, body: 'html' } }, calls: GET },
  says: [
    'internal server error',
    'bad gateway',
    'service unavailable',
    'gateway timeout',
    'gateway time-out',
  ],
  strike: ({ status, body, retryAfterSeconds }, strike) => {
    const reason = REASONS[status];
    const text = {
      text: `Error ${status}: ${reason}`,
      json: renderJson({ error: { status, message: reason } }),
      html: `<html>\n<head><title>${status} ${reason}</title></head>\n<body>\n<h1>${status} ${reason}</h1>\n<hr>edge proxy\n</body>\n</html>`,
    }[body ?? 'text'];
    const { says: _says, ...plainly } = strike;
    const isOwn = body === undefined && (status === 500 || status === 503);
    return serviceFailure(
      {
        kind: 'server-error',
        cause: status === 503 ? 'unavailable' : 'server-error',
        message: reason,
        plain: text,
        status,
        ...(retryAfterSeconds !== undefined && { wait: String(retryAfterSeconds), retryAfterSeconds }),
      },
      isOwn ? strike : plainly,
    );
  },
  tookEffect: ({ seen, clean, note }, { body }) =>
    seen.isError &&
    note.status !== undefined &&
    seen.text !== clean.text &&
    seen.text.startsWith('<html>') === (body === 'html'),
});

/** The kind `connection-reset`. */
export const connectionResetFault = defineOperationFault({
  name: 'connection-reset',
  family: 'errors',
  description:
    'The connection is closed by the other side. Before: nothing happened. After: it happened and the answer was lost.',
  remedy: 'Read back before writing again.',
  parameters: z.strictObject({
    seconds: z
      .number()
      .nonnegative()
      .max(86_400)
      .default(0)
      .describe('Simulated seconds until the connection breaks.'),
  }),
  phases: ['before', 'after'],
  ...PLACE,
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_create', phase: 'after' }, calls: CREATE },
  says: ['connection reset', 'econnreset', 'connection closed', 'connection was closed', 'reset by peer'],
  strike: ({ seconds }, { op }) => ({
    do: 'answer',
    answer: faultAnswer(
      'connection-reset',
      `Error: connection reset by peer during '${op.name}' (ECONNRESET)`,
    ),
    delayMs: Math.round(seconds * 1000),
  }),
  tookEffect: ({ seen }) => seen.isError && seen.text.includes('ECONNRESET'),
});

/** The kind `slow`. */
export const slowFault = defineOperationFault({
  name: 'slow',
  family: 'errors',
  description: 'The answer is right and comes late: the call takes so much more simulated time.',
  remedy: 'Wait; do not send the call again.',
  parameters: z.strictObject({
    seconds: z
      .number()
      .positive()
      .max(86_400)
      .default(20)
      .describe('Simulated seconds that the call takes longer.'),
  }),
  phases: ['before'],
  operations: ['tool.call', 'http.request', 'proc.start'],
  domains: DOMAINS,
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', with: { seconds: 20 } }, calls: GET },
  works: 'delays',
  strike: ({ seconds }) => ({ do: 'delay', delayMs: Math.round(seconds * 1000) }),
  tookEffect: ({ seen, clean }, { seconds }) =>
    seen.text === clean.text && seen.durationMs >= clean.durationMs + Math.round(seconds * 1000),
});

/** The kind `stutter`. */
export const stutterFault = defineOperationFault({
  name: 'stutter',
  family: 'errors',
  description:
    'The answer is right and comes in pieces with pauses between them. A wire that has no pieces shows the time only.',
  remedy: 'Wait for the end.',
  parameters: z.strictObject({
    chunks: z.int().min(2).max(1000).default(5).describe('How many pieces.'),
    pauseSeconds: z
      .number()
      .positive()
      .max(3600)
      .default(2)
      .describe('Simulated seconds between two pieces.'),
  }),
  phases: ['before'],
  ...PLACE,
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', with: { chunks: 3, pauseSeconds: 1 } }, calls: GET },
  works: 'delays',
  strike: ({ chunks, pauseSeconds }) => ({
    do: 'delay',
    delayMs: Math.round((chunks - 1) * pauseSeconds * 1000),
    note: { detail: `${chunks} pieces, ${pauseSeconds} seconds between them` },
  }),
  tookEffect: ({ seen, clean }, { chunks, pauseSeconds }) =>
    seen.text === clean.text &&
    seen.durationMs >= clean.durationMs + Math.round((chunks - 1) * pauseSeconds * 1000),
});
