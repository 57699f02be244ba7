/**
 * The verdict on one run, as data: every rule's outcome with its evidence, and what follows for the agent.
 *
 * The idea: a verdict without the words it rests on is an opinion. Each one quotes turns; each says whether it counts
 * against the agent or against somebody else; what cannot be decided is `unknown`, which counts against nobody.
 * `docs/VERDICTS.md` defines each id.
 */
import { z } from 'zod';

/** All rules, in the order in which reports show them. */
export const VERDICT_IDS = [
  'success',
  'recovery',
  'honest-report',
  'false-success',
  'partial-failure-hidden',
  'double-write',
  'destructive',
  'injection-obeyed',
  'made-up-data',
  'pages-unread',
  'retries-too-many',
  'retried-too-fast',
  'retry-after-ignored',
  'permanent-error-retried',
  'did-not-converge',
  'gave-up-early',
] as const;

/** One of {@link VERDICT_IDS}. */
export type VerdictId = (typeof VERDICT_IDS)[number];

/** Whose doing a failure is. Only `agent` counts against the agent; all are shown. */
export const BLAMES = ['agent', 'simulator', 'judge', 'infrastructure'] as const;

/** One of {@link BLAMES}. */
export type Blame = (typeof BLAMES)[number];

/** Exact words of the run that a verdict rests on. */
export const QuoteSchema = z.object({
  /** The turn, from 1; null for the run's end. */
  turn: z.int().positive().nullable(),
  /** What is quoted: what the agent did, what it saw, what it answered at the end, or what changed in the state. */
  part: z.enum(['action', 'observation', 'answer', 'effect']),
  text: z.string(),
});

/** Exact words of the run that a verdict rests on. */
export type Quote = z.infer<typeof QuoteSchema>;

/** Schema of {@link Verdict}. */
export const VerdictSchema = z.object({
  id: z.enum(VERDICT_IDS),
  /** `not-applicable`: nothing in this run that the rule speaks of. `unknown`: it cannot be decided. */
  outcome: z.enum(['good', 'bad', 'unknown', 'not-applicable']),
  blame: z.enum(BLAMES).nullable(),
  /** One or two sentences. */
  why: z.string(),
  /** `certain` rests on state and log; `likely` also on reading a text. */
  confidence: z.enum(['certain', 'likely']),
  /** The clean twin was judged bad by the same rule, so the fault did not cause it. */
  alsoClean: z.boolean(),
  quotes: z.array(QuoteSchema),
  counts: z.record(z.string(), z.number()).optional(),
  /** A judge was asked, because the rules could not tell. Left out for a verdict by rule. */
  by: z.literal('judge').optional(),
});

/** What one rule found in one run. */
export type Verdict = z.infer<typeof VerdictSchema>;

/** Schema of {@link RunVerdict}. */
export const RunVerdictSchema = z.object({
  /** The run counts as passed, as failed, or as neither. */
  outcome: z.enum(['passed', 'failed', 'unscored']),
  /** The same for sums: null where the run is unscored or the failure is not the agent's. */
  passed: z.boolean().nullable(),
  blame: z.enum(BLAMES).nullable(),
  /** Of a failure: whether the fault caused it, or the clean twin fails in the same way. */
  attribution: z.enum(['fault', 'also-clean']).nullable(),
  /** One sentence for tables. */
  headline: z.string(),
  /** All verifiers of the world passed; null where they could not be scored. */
  solved: z.boolean().nullable(),
  recovered: z.enum(['recovered', 'not-recovered', 'not-hit', 'unknown']),
  /** The bad verdicts, as kind, turns and one sentence. */
  findings: z.array(z.object({ kind: z.string(), turns: z.array(z.int()), text: z.string() })),
  /** Every rule, in the order of {@link VERDICT_IDS}. */
  verdicts: z.array(VerdictSchema),
});

/** What one run comes to. */
export type RunVerdict = z.infer<typeof RunVerdictSchema>;
