/**
 * A trajectory: a system prompt and the turns lived in it. `trajectory = system_prompt + [turn_1 … turn_T]`.
 *
 * Two forms on disk (JSONL): whole, one trajectory a line with its `turns`; and streamed, a header line, one line a
 * turn and an optional end line, valid after a crash at any byte. Unknown keys are kept. Reading and writing lines
 * is in `trajectory-lines.ts`.
 */
import { z } from 'zod';
import { DomainSchema } from './domain.js';
import { SystemPromptSchema } from './system-prompt.js';
import { TurnSchema } from './turn.js';

/** The version this package writes and reads. */
export const TRAJECTORY_VERSION = 1;

/** Where a trajectory came from. Unknown keys are kept. */
export const TrajectorySourceSchema = z.looseObject({
  dataset: z.string().optional(),
  file: z.string().optional(),
  licence: z.string().optional(),
  agent: z.string().optional(),
});

/** Everything of a trajectory but its turns: the first line of the streamed form. */
export const TrajectoryHeaderSchema = z.looseObject({
  trajectory: z.literal(TRAJECTORY_VERSION),
  id: z.string(),
  domain: DomainSchema,
  source: TrajectorySourceSchema.default({}),
  system: SystemPromptSchema,
  /** Indexes of turns (from 0) before which something is missing. */
  gaps: z.array(z.int().nonnegative()).optional(),
  meta: z.looseObject({}).default({}),
});

/** Everything of a trajectory but its turns. */
export type TrajectoryHeader = z.infer<typeof TrajectoryHeaderSchema>;

/** The whole form: one trajectory as one value. */
export const TrajectorySchema = TrajectoryHeaderSchema.extend({ turns: z.array(TurnSchema) });

/** One trajectory with its turns. */
export type Trajectory = z.infer<typeof TrajectorySchema>;

/** The optional last line of the streamed form. */
export const TrajectoryEndSchema = z.looseObject({
  end: z.looseObject({
    turns: z.int().nonnegative(),
    done: z.boolean(),
    reward: z.number().nullable(),
  }),
});

/** The optional last line of the streamed form. */
export type TrajectoryEnd = z.infer<typeof TrajectoryEndSchema>;
