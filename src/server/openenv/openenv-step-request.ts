/**
 * The body of a plain OpenEnv `step`.
 */
import { z } from 'zod';

/** `action` is checked by the session; the other two are accepted and mean nothing to an episode of one step. */
export const StepRequestSchema = z.looseObject({
  action: z.record(z.string(), z.unknown()),
  timeout_s: z.number().positive().nullish(),
  request_id: z.string().max(255).nullish(),
});
