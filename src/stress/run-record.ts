/**
 * The record of one run: one agent in one world with one set of faults, once. One JSON line of `results.jsonl`.
 *
 * The idea: everything downstream (verdicts, statistics, report, comparison) reads this and nothing else, so the line
 * holds all that was seen: every turn with its faults, the answer, how and why the run ended, what changed in the
 * state. A perturbed run and its clean twin share `pair`: same world, seed and agent. All that a clock of the host
 * decides stands in `wall`; the rest is the same whenever a deterministic agent is run again. Not covered: keys and
 * tokens, which never get here.
 */
import { z } from 'zod';
import { FaultSpecSchema } from '../control/index.js';
import { DomainSchema, ScoreSchema, TurnSchema } from '../core/index.js';
import { JudgeRecordSchema } from './judge/judge-log.js';
import { RowEffectSchema } from './row-effects.js';
import { RunVerdictSchema } from './run-verdict.js';

/** The version of the line that this package writes and reads. */
export const RUN_RECORD_VERSION = 1;

/** The id of the set without faults; every pair has one run of it. */
export const CLEAN = 'clean';

/**
 * Why a run ended. `finished` the agent gave its answer or stopped by itself · `max-…` a budget was used up, by name ·
 * `agent-exit` the agent's process ended with an exit code other than 0 · `agent-crashed` it threw, was killed or
 * broke its protocol · `not-started` the agent could not be started · `provider-failed` a model endpoint gave no
 * answer · `world-failed` the world could not be opened or a step failed inside · `server-failed` our own service did.
 */
export const END_REASONS = [
  'finished',
  'max-turns',
  'max-repeats',
  'max-tokens',
  'max-cost',
  'max-seconds',
  'max-simulated-seconds',
  'agent-exit',
  'agent-crashed',
  'not-started',
  'provider-failed',
  'world-failed',
  'server-failed',
] as const;

/** One of {@link END_REASONS}. */
export type RunEndReason = (typeof END_REASONS)[number];

/**
 * Whose doing the end was. `agent-finished` the agent ended by itself · `agent-failed` it crashed or used up a budget ·
 * `infrastructure` neither the agent nor the world: such a run is shown and excluded, never counted against an agent.
 */
export const OUTCOME_CLASSES = ['agent-finished', 'agent-failed', 'infrastructure'] as const;

/** One of {@link OUTCOME_CLASSES}. */
export type OutcomeClass = (typeof OUTCOME_CLASSES)[number];

/**
 * A set of faults under a name, and what may be asked of an agent: `recovers` the task can still be done ·
 * `honest-report` it cannot, and saying so is what is wanted · `unknown` nobody tried.
 */
const RunFaultsSchema = z.looseObject({
  id: z.string(),
  specs: z.array(FaultSpecSchema),
  expects: z.enum(['recovers', 'honest-report', 'unknown']),
  /** Verifiers that the solution, played with care, passes where it cannot pass all. */
  reachable: z.array(z.string()).optional(),
});

/** The same tool failing with the same error, arguments ignored. */
const RepeatSchema = z.object({
  tool: z.string(),
  /** The error as the agent saw it, at most 200 UTF-16 units. */
  error: z.string(),
  /** How often, in a row as far as this tool is concerned. */
  count: z.int().positive(),
});

const Tokens = z.int().nonnegative().nullable();

/** What a run used. Tokens and cost are null where nobody reported them, never 0. */
const RunCountsSchema = z.looseObject({
  turns: z.int().nonnegative(),
  /** Turns whose observation is marked as an error. */
  errors: z.int().nonnegative(),
  /** Strikes of faults. */
  faults: z.int().nonnegative(),
  promptTokens: Tokens,
  completionTokens: Tokens,
  costUsd: z.number().nonnegative().nullable(),
  /** How far the simulated clock went, waiting included. */
  simulatedMs: z.number().nonnegative(),
  /** The longest row of repeats per tool and error, longest first, at most ten. */
  repeats: z.array(RepeatSchema),
});

/** Schema of {@link RunRecord}. Unknown keys are kept. */
export const RunRecordSchema = z.looseObject({
  run: z.literal(RUN_RECORD_VERSION),
  /** `WORLD/FAULTS/AGENT/TRIAL`; unique in a suite. */
  id: z.string(),
  /** `WORLD/AGENT/TRIAL`; shared with the clean twin. */
  pair: z.string(),
  /** The place in the suite's plan, from 1. */
  number: z.int().positive(),
  world: z.looseObject({
    name: z.string(),
    hash: z.string(),
    file: z.string().nullable(),
    domain: DomainSchema,
  }),
  faults: RunFaultsSchema,
  /** `spec` as the suite writes it; `kind` is what stands before the colon, or `model`. */
  agent: z.looseObject({ id: z.string(), kind: z.string(), spec: z.string() }),
  /** From 1. */
  trial: z.int().positive(),
  seed: z.int(),
  /** What the agent was told. */
  task: z.string(),
  /** Hash of the tool definitions the agent saw at the start; they stand once, in a `tools` line before. */
  tools: z.string(),
  /** Every turn; `meta` has startedAt, durationMs, waitedMs (before the call) on the simulated clock, and faults. */
  turns: z.array(TurnSchema),
  answer: z.string().nullable(),
  end: z.object({ reason: z.enum(END_REASONS), detail: z.string() }),
  score: ScoreSchema,
  /** SHA-256 of the state before and after; null where there was none. */
  state: z.object({ start: z.string().nullable(), end: z.string().nullable() }),
  /** Rows that changed, turn by turn; absent where nobody watched. */
  effects: z.array(RowEffectSchema).optional(),
  counts: RunCountsSchema,
  outcome: z.object({ class: z.enum(OUTCOME_CLASSES), evidence: z.string() }),
  /** The end of what the agent wrote to standard error, or null where it has none. */
  agentLog: z.string().nullable(),
  /** What the rules say of this run; null for a run that could not be judged. */
  verdict: RunVerdictSchema.nullable(),
  /** What a judge was asked about what the rules left open, and its raw reply; absent where none was asked. */
  judge: JudgeRecordSchema.optional(),
  versions: z.object({ umwelt: z.string() }),
  /** All that the host's clock decided. */
  wall: z.object({ startedAt: z.string(), durationMs: z.number().nonnegative() }),
});

/** One run as recorded. */
export type RunRecord = z.infer<typeof RunRecordSchema>;
