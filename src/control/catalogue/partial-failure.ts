/**
 * The `partial-failure` fault: some items of a batch fail, the others happen.
 *
 * It strikes single items before they are written, so that the state and the per-item results agree. There is no
 * `after`: an item that was written and reported as failed is the fault `error` with phase `after` on `tool.item`.
 */
import { z } from 'zod';
import { canonicalJson } from '../../core/index.js';
import { defineOperationFault, faultAnswer } from '../fault-kind.js';
import { BATCH } from './example-calls.js';

/** The kind `partial-failure`. */
export const partialFailureFault = defineOperationFault({
  name: 'partial-failure',
  family: 'consistency',
  description:
    'Some items of a batch fail and are not written; the others happen. `when` counts batches, not items.',
  remedy: 'Read the result of every item; try the failed ones again, or name them in the report.',
  parameters: z
    .strictObject({
      fraction: z
        .number()
        .gt(0)
        .max(1)
        .optional()
        .describe('Probability that an item fails, fraction 0–1, decided by the seed. Default 0.5.'),
      items: z
        .array(z.int().nonnegative())
        .min(1)
        .optional()
        .describe('Positions of the items that fail, from 0.'),
      message: z
        .string()
        .min(1)
        .default('item could not be processed')
        .describe('What each failed item answers.'),
    })
    .refine((value) => value.fraction === undefined || value.items === undefined, {
      message: 'give either fraction or items, not both',
    }),
  phases: ['before'],
  operations: ['tool.item'],
  domains: ['mcp'],
  permanently: 'honest-report',
  example: { fault: { on: 'tag_add_many', with: { items: [1] } }, calls: BATCH },
  strike: ({ fraction, items, message }, { op, chance }) => {
    const hit = items === undefined ? chance(fraction ?? 0.5) : items.includes(op.index ?? 0);
    return hit ? { do: 'answer', answer: faultAnswer('partial-failure', message) } : null;
  },
  tookEffect: ({ seen, view, cleanView }, { message }) =>
    seen.text.includes(message) && canonicalJson(view) !== canonicalJson(cleanView),
});
