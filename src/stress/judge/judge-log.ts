/**
 * What a run's record keeps of a judge: what it was asked, its raw reply, what of it counted and what it used.
 */
import { z } from 'zod';
import { VERDICT_IDS } from '../run-verdict.js';

const Tokens = z.int().nonnegative().nullable();

/** What a judge was asked in one run and what it said, as the record has it. */
export const JudgeRecordSchema = z.object({
  spec: z.string(),
  /** What its reply had to carry. Replaced by `{mark}`, the reply can be said again by `replay:FILE`. */
  mark: z.string(),
  /** The verdicts that the rules left open. */
  asked: z.array(z.enum(VERDICT_IDS)),
  /** What it decided. */
  decided: z.array(z.enum(VERDICT_IDS)),
  /** Its reply as it came; null where there was none. */
  reply: z.string().nullable(),
  /** Thinking that the provider sent apart. */
  reasoning: z.string().nullable(),
  /** Why nothing of the reply counted, or null. */
  failure: z.string().nullable(),
  promptTokens: Tokens,
  completionTokens: Tokens,
  costUsd: z.number().nonnegative().nullable(),
});

/** What a judge was asked in one run and what it said. */
export type JudgeLog = z.infer<typeof JudgeRecordSchema>;
