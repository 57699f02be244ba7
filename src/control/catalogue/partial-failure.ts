/**
 * The `partial-failure` fault: some items of a batch fail, the others happen.
 *
 * It strikes single items before they are written, so that the state and the per-item results agree. There is no
 * `after`: an item that was written and reported as failed is the fault `error` with phase `after` on `tool.item`.
 */
import { z } from 'zod';
import { defineFaultKind, faultAnswer } from '../fault-kind.js';

/** The kind `partial-failure`. */
export const partialFailureFault = defineFaultKind({
  name: 'partial-failure',
  description:
    'Some items of a batch fail and are not written; the others happen. `when` counts batches, not items.',
  parameters: z
    .strictObject({
      /** Probability that an item fails, fraction 0–1, decided by the seed. */
      fraction: z.number().gt(0).max(1).optional(),
      /** Positions of the items that fail, from 0. */
      items: z.array(z.int().nonnegative()).min(1).optional(),
      /** What each failed item answers. */
      message: z.string().min(1).default('item could not be processed'),
    })
    .refine((value) => value.fraction === undefined || value.items === undefined, {
      message: 'give either fraction or items, not both',
    }),
  phases: ['before'],
  operations: ['tool.item'],
  strike: ({ fraction, items, message }, { op, chance }) => {
    const hit = items === undefined ? chance(fraction ?? 0.5) : items.includes(op.index ?? 0);
    return hit ? { do: 'answer', answer: faultAnswer('partial-failure', message) } : null;
  },
});
