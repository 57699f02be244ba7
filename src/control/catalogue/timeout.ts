/**
 * The `timeout` fault: the caller waits and gets no answer.
 *
 * Before: nothing was written. After: the write stands and only the answer is lost. The text is the same in both
 * phases, because a real caller cannot tell them apart either.
 */
import { z } from 'zod';
import { DOMAINS, OPERATION_KINDS } from '../../core/index.js';
import { defineOperationFault, faultAnswer } from '../fault-kind.js';
import { CREATE } from './example-calls.js';

/** The kind `timeout`. */
export const timeoutFault = defineOperationFault({
  name: 'timeout',
  family: 'errors',
  description:
    'The call times out. Before: nothing happened. After: it happened and the answer was lost. The agent sees the same text.',
  remedy: 'Read back before writing again, or use an idempotency key.',
  parameters: z.strictObject({
    seconds: z.number().positive().max(86_400).default(60).describe('Simulated seconds the caller waited.'),
  }),
  phases: ['before', 'after'],
  operations: ['tool.call', ...OPERATION_KINDS.filter((kind) => kind !== 'tool.call')],
  domains: DOMAINS,
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_create', phase: 'after', with: { seconds: 30 } }, calls: CREATE },
  says: ['timed out', 'timeout', 'time-out', 'deadline exceeded'],
  strike: ({ seconds }, { op }) => {
    const time = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
    const answer = faultAnswer('timeout', `Error: call of '${op.name}' timed out after ${time}`);
    return { do: 'answer', answer, delayMs: Math.round(seconds * 1000) };
  },
  tookEffect: ({ seen, clean }, { seconds }) =>
    seen.isError && seen.durationMs >= clean.durationMs && seen.durationMs >= Math.round(seconds * 1000),
});
