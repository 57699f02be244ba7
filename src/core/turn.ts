/**
 * A turn: one action and the observation that answered it.
 *
 * `status` says how the step went. For `abstained`, `limit` and `model-failed` the observation is null and the
 * state is as before the action. One turn per call; parallel calls share `meta.group`.
 */
import { z } from 'zod';
import { ActionSchema } from './action.js';
import { SpanSchema } from './origin.js';

/**
 * `ok` answered (a tool's own error answer included) · `malformed` the text is no action · `refused` the world's
 * schema says it cannot exist · `abstained` nobody could know the answer · `limit` a budget or limit was reached ·
 * `model-failed` the model gave no usable answer.
 */
export const STEP_STATUSES = ['ok', 'malformed', 'refused', 'abstained', 'limit', 'model-failed'] as const;

/** One of {@link STEP_STATUSES}. */
export type StepStatus = (typeof STEP_STATUSES)[number];

/** True for the statuses whose observation is null and whose state is unchanged. */
export function isNullStatus(status: StepStatus): boolean {
  return status === 'abstained' || status === 'limit' || status === 'model-failed';
}

/** An observation: the exact text the agent sees, or null where there is none. */
export const ObservationSchema = z.string().nullable();

/** An observation: the exact text the agent sees, or null where there is none. */
export type Observation = z.infer<typeof ObservationSchema>;

/** Facts about a turn beside its texts. Unknown keys are kept. */
export const TurnMetaSchema = z.looseObject({
  /** When the action arrived, ISO 8601; on the simulated clock in simulated trajectories. */
  startedAt: z.string().optional(),
  durationMs: z.number().nonnegative().optional(),
  /** How long the agent waited before this action, on the same clock; `startedAt` has it already. */
  waitedMs: z.number().nonnegative().optional(),
  exitCode: z.int().optional(),
  /** The environment marked its answer as an error. */
  isError: z.boolean().optional(),
  callId: z.string().optional(),
  /** Parallel calls of one agent step share a group. */
  group: z.string().optional(),
});

/** Facts about a turn beside its texts. */
export type TurnMeta = z.infer<typeof TurnMetaSchema>;

/** Schema of {@link Turn}. */
export const TurnSchema = z.looseObject({
  action: ActionSchema,
  observation: ObservationSchema,
  status: z.enum(STEP_STATUSES).default('ok'),
  flags: z.array(z.string()).optional(),
  origins: z.array(SpanSchema).optional(),
  meta: TurnMetaSchema.optional(),
});

/** One action and the observation that answered it. Unknown keys are kept. */
export type Turn = z.infer<typeof TurnSchema>;
