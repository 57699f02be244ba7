/**
 * A sample: what a trainer sees of a trajectory, as messages with marks of what is learnt.
 *
 * The world model's outputs (observations) are the assistant's messages; actions are the user's. `loss` is true for the
 * messages that are learnt; `keepRatio` stands beside it for trainers that take weights. A sample is one JSON line.
 * Source: arXiv 2606.24597, wire form of a trajectory.
 */
import { z } from 'zod';
import { DomainSchema } from '../../core/index.js';

/** The version of sample lines that this package writes. */
export const SAMPLE_VERSION = 1;

/** One message of a sample. */
export const SampleMessageSchema = z.looseObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
  /** Whether the message is learnt; only assistant messages have it. */
  loss: z.boolean().optional(),
  /** The mask's keep ratio of its turn, fraction 0–1. */
  keepRatio: z.number().min(0).max(1).optional(),
  category: z.string().optional(),
  /** The turn of its trajectory, from 1. */
  turn: z.int().positive().optional(),
});

/** One message of a sample. */
export type SampleMessage = z.infer<typeof SampleMessageSchema>;

/** How many tokens a sample has, and how that is known. */
export const SampleTokensSchema = z.looseObject({
  /** Tokens of everything before the last learnt message (whole samples: before the first). */
  prompt: z.int().nonnegative(),
  /** Tokens of all messages. */
  total: z.int().nonnegative(),
  /** The tokenizer's name, or `estimate`. */
  by: z.string(),
  /** False for an estimate. */
  exact: z.boolean(),
});

/** Schema of {@link Sample}. */
export const SampleSchema = z.looseObject({
  sample: z.literal(SAMPLE_VERSION),
  id: z.string(),
  trajectory: z.string(),
  domain: DomainSchema,
  source: z.looseObject({}),
  /** `turn` learns one turn, `whole` every kept turn of a trajectory. */
  kind: z.enum(['turn', 'whole']),
  /** The learnt turn, from 1, for kind `turn`. */
  turn: z.int().positive().optional(),
  totalTurns: z.int().positive(),
  messages: z.array(SampleMessageSchema).min(2),
  /** Oldest turns left out to fit the window. */
  droppedTurns: z.int().nonnegative(),
  tokens: SampleTokensSchema,
  meta: z.looseObject({}).optional(),
});

/** A training sample. Unknown keys are kept. */
export type Sample = z.infer<typeof SampleSchema>;
