/**
 * The `error` fault: the service answers with an error.
 *
 * Before: nothing was written. After: the write stands and the service still says that it failed. `retryAfterSeconds`
 * is told to the agent; waiting it out on the simulated clock is the agent's business.
 */
import { z } from 'zod';
import { DOMAINS, OPERATION_KINDS } from '../../core/index.js';
import { defineOperationFault, faultAnswer } from '../fault-kind.js';
import { GET } from './example-calls.js';

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
      .default('service temporarily unavailable')
      .describe('What the service says, word for word; with `status` after `Error STATUS: `.'),
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
  strike: ({ message, status, retryAfterSeconds }) => {
    // Without a status the author's words are the whole text (hard case P-MCP-4).
    const first = status === undefined ? message : `Error ${status}: ${message}`;
    const text = retryAfterSeconds === undefined ? first : `${first}\nRetry-After: ${retryAfterSeconds}`;
    const wait = retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1000 };
    return { do: 'answer', answer: faultAnswer('error', text), note: wait };
  },
  tookEffect: ({ seen }, { message }) => seen.isError && seen.text.includes(message),
});
