/**
 * The `timeout` fault: the caller waits and gets no answer.
 *
 * Before: nothing was written. After: the write stands and only the answer is lost. The text is the same in both
 * phases, because a real caller cannot tell them apart either.
 */
import { z } from 'zod';
import { OPERATION_KINDS } from '../../core/index.js';
import { defineFaultKind, faultAnswer } from '../fault-kind.js';

/** The kind `timeout`. */
export const timeoutFault = defineFaultKind({
  name: 'timeout',
  description:
    'The call times out. Before: nothing happened. After: it happened and the answer was lost. The agent sees the same text.',
  parameters: z.strictObject({
    /** Simulated seconds the caller waited. */
    seconds: z.number().positive().max(86_400).default(60),
  }),
  phases: ['before', 'after'],
  operations: ['tool.call', ...OPERATION_KINDS.filter((kind) => kind !== 'tool.call')],
  strike: ({ seconds }, { op }) => {
    const time = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
    const answer = faultAnswer('timeout', `Error: call of '${op.name}' timed out after ${time}`);
    return { do: 'answer', answer, delayMs: Math.round(seconds * 1000) };
  },
});
