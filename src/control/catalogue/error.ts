/**
 * The `error` fault: the service answers with an error.
 *
 * Before: nothing was written. After: the write stands and the service still says that it failed. `retryAfterSeconds`
 * is told to the agent; waiting it out on the simulated clock is the agent's business.
 */
import { z } from 'zod';
import { DOMAINS, OPERATION_KINDS } from '../../core/index.js';
import { defineOperationFault } from '../fault-kind.js';
import { causeOf, serviceFailure } from '../service-words.js';
import { GET } from './example-calls.js';

const UNAVAILABLE = 'service temporarily unavailable';

/** The kind `error`. */
export const errorFault = defineOperationFault({
  name: 'error',
  family: 'errors',
  description:
    'The service answers with an error, as a status and a message. Before: nothing happened. After: it happened although the answer says it failed.',
  remedy: 'Look whether it happened, wait as told, try again; say so where it stays.',
  parameters: z.strictObject({
    message: z
      .string()
      .min(1)
      .default(UNAVAILABLE)
      .describe(
        'What the service says, word for word; with `status` after `Error STATUS: `, or in the body of the API that the world answers like, where that has a place for it.',
      ),
    status: z.int().min(400).max(599).optional().describe('A status code in the manner of HTTP.'),
    retryAfterSeconds: z
      .number()
      .nonnegative()
      .max(86_400)
      .optional()
      .describe('Seconds after which the service asks to be tried again.'),
  }),
  phases: ['before', 'after'],
  operations: ['tool.call', ...OPERATION_KINDS.filter((kind) => kind !== 'tool.call')],
  domains: DOMAINS,
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_get', with: { status: 500, message: 'database locked' } }, calls: GET },
  strike: ({ message, status, retryAfterSeconds }, strike) => {
    const wait =
      retryAfterSeconds === undefined ? {} : { wait: String(retryAfterSeconds), retryAfterSeconds };
    const cause = status === undefined ? undefined : causeOf(status);
    // Without a status the author's words are the whole text (hard case P-MCP-4); a style has no form for every one.
    const { says: _says, ...plainly } = strike;
    return serviceFailure(
      {
        kind: 'error',
        cause: cause ?? 'server-error',
        message,
        wordForWord: message !== UNAVAILABLE,
        plain: status === undefined ? message : `Error ${status}: ${message}`,
        status: status ?? null,
        ...wait,
      },
      cause === undefined ? plainly : strike,
    );
  },
  tookEffect: ({ seen, note }, { message }) =>
    seen.isError && (note.status !== undefined || seen.text.includes(message)),
});
