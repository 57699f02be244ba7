/**
 * The `error` fault: the service answers with an error.
 *
 * Before: nothing was written. After: the write stands and the service still says that it failed. `retryAfterSeconds`
 * is told to the agent; waiting it out on the simulated clock is the agent's business.
 */
import { z } from 'zod';
import { OPERATION_KINDS } from '../../core/index.js';
import { defineFaultKind, faultAnswer } from '../fault-kind.js';

/** The kind `error`. */
export const errorFault = defineFaultKind({
  name: 'error',
  description:
    'The service answers with an error, as a status and a message. Before: nothing happened. After: it happened although the answer says it failed.',
  parameters: z.strictObject({
    /** What the service says, word for word; with `status` after `Error STATUS: `. */
    message: z.string().min(1).default('service temporarily unavailable'),
    /** A status code in the manner of HTTP. */
    status: z.int().min(400).max(599).optional(),
    /** Seconds after which the service asks to be tried again. */
    retryAfterSeconds: z.number().nonnegative().max(86_400).optional(),
  }),
  phases: ['before', 'after'],
  operations: ['tool.call', ...OPERATION_KINDS.filter((kind) => kind !== 'tool.call')],
  strike: ({ message, status, retryAfterSeconds }) => {
    // Without a status the author's words are the whole text (hard case P-MCP-4).
    const first = status === undefined ? message : `Error ${status}: ${message}`;
    const text = retryAfterSeconds === undefined ? first : `${first}\nRetry-After: ${retryAfterSeconds}`;
    return { do: 'answer', answer: faultAnswer('error', text) };
  },
});
