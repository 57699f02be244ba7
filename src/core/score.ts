/**
 * A score: scored with a number, or unscored with a reason. Never a failure turned into a number.
 *
 * A rubric `grade` is 1–5; a reported score is `points` 0–100: `points = (grade − 1) / 4 × 100` (arXiv 2606.24597,
 * benchmark section). A reward is a fraction 0–1.
 */
import { z } from 'zod';

/** Of the observations that a model had a part in, how much was computed, pinned, recorded or confirmed, 0–1. */
const CheckedFraction = z.number().min(0).max(1).optional();

/** Schema of {@link Score}. */
export const ScoreSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('scored'),
    /** 0–1. */
    fraction: z.number().min(0).max(1),
    /** Named parts with their own fractions, for example one per verifier. */
    components: z.record(z.string(), z.number().min(0).max(1)).default({}),
    checkedFraction: CheckedFraction,
  }),
  z.object({
    status: z.literal('unscored'),
    /** Why there is no number. */
    reason: z.string(),
    /** The text that could not be read, where there is one. */
    raw: z.string().optional(),
    checkedFraction: CheckedFraction,
  }),
]);

/** A fraction with its components, or the reason why there is none. */
export type Score = z.infer<typeof ScoreSchema>;

/** Turns a rubric grade (1–5) into points (0–100). */
export function pointsOfGrade(grade: number): number {
  return ((grade - 1) / 4) * 100;
}
