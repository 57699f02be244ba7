/**
 * The recorded calls of a world: what a real service answered, kept to be answered again word for word.
 *
 * They stand in the world file under `recorded`, or in a JSONL file beside it, in the order in which they happened.
 * When one is given and when the engine computes instead is the business of room `sim`.
 */
import { z } from 'zod';

const EffectsSchema = z.strictObject({
  writes: z
    .array(z.strictObject({ collection: z.string(), row: z.record(z.string(), z.json()) }))
    .optional()
    .describe('Rows that were made, or fields of rows that changed.'),
  deletes: z
    .array(z.strictObject({ collection: z.string(), key: z.json() }))
    .optional()
    .describe('Rows that went, by key.'),
});

/** Schema of {@link RecordedCall}. */
export const RecordedCallSchema = z.strictObject({
  session: z
    .string()
    .optional()
    .describe('Calls of one session follow one another; each session begins in the start state.'),
  tool: z.string().min(1).describe('The tool that was called.'),
  arguments: z
    .record(z.string(), z.json())
    .default({})
    .describe('Its arguments; their order does not count.'),
  text: z.string().describe('What was answered, as an agent sees it.'),
  value: z.json().optional().describe('The structured part of the answer.'),
  content: z
    .array(z.looseObject({ type: z.string() }))
    .optional()
    .describe('The content blocks, where the answer was more than one text.'),
  isError: z.boolean().optional().describe('The service marked the answer as an error.'),
  reads: z
    .array(z.string())
    .optional()
    .describe('Collections that the answer depends on. Default: none, it depends on nothing.'),
  effects: EffectsSchema.optional().describe('What the call changed.'),
});

/** One call that was recorded, with its answer and what it did. */
export type RecordedCall = z.infer<typeof RecordedCallSchema>;
