/**
 * A fault as a world file or a suite writes it: what breaks, where, when, on which side of the write.
 *
 * The idea: faults are data, decided outside any model. This file only says which shapes exist; which `with` a kind
 * takes, which phases it allows and what it hits is in the catalogue, and `compileSchedule` checks the combination.
 * Source: contracts, section "a world file".
 */
import { z } from 'zod';
import { OperationKindSchema } from '../core/index.js';

/** What an argument must be: a glob or a linear-time pattern over its text, or any JSON value it must equal. */
export const ArgumentMatchSchema = z.union([
  z.strictObject({ glob: z.string().min(1) }),
  z.strictObject({ pattern: z.string().min(1) }),
  z.json(),
]);

/** What an argument must be. */
export type ArgumentMatch = z.infer<typeof ArgumentMatchSchema>;

/**
 * Which operations a fault looks at: a glob over the tool's name, an operation kind, or both with arguments.
 * Every part given must hold.
 */
export const FaultTargetSchema = z.union([
  z.string().min(1),
  z.strictObject({
    tool: z.string().min(1).optional().describe("Glob over the tool's name."),
    kind: OperationKindSchema.optional().describe('Which kind of operation.'),
    url: z.string().min(1).optional().describe('Glob over the URL of an `http.request`.'),
    command: z.string().min(1).optional().describe('Glob over the program of a `proc.start`.'),
    args: z
      .record(z.string(), ArgumentMatchSchema)
      .optional()
      .describe('Argument name → the value it must equal, or {glob} or {pattern} over its text.'),
  }),
]);

/** Which operations a fault looks at. */
export type FaultTarget = z.infer<typeof FaultTargetSchema>;

const TURNS_WANTED = 'must be turns such as "3", "3-5", "3-", "-5" or "2,4"';

/**
 * When a fault fires, counted over the operations it looks at, from 1. Every part given must hold; absent means
 * always. For faults on batch items the batch is what is counted.
 */
export const FaultWhenSchema = z.strictObject({
  calls: z.array(z.int().positive()).min(1).optional().describe('Exactly these matches, from 1.'),
  first: z.int().positive().optional().describe('The first so many matches.'),
  every: z.int().positive().optional().describe('Every so-manieth match: 3 means the 3rd, 6th, 9th.'),
  rate: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Each match with this probability, fraction 0–1; decided by the seed.'),
  turns: z
    .union(
      [z.int().positive(), z.string().regex(/^(\d+|\d+-\d*|-\d+)(,(\d+|\d+-\d*|-\d+))*$/, TURNS_WANTED)],
      TURNS_WANTED,
    )
    .optional()
    .describe(
      'Turns from 1: `3` (also as a number), `3-5`, `3-` (from 3 on), `-5` (up to 5), or several with commas.',
    ),
  clock: z
    .strictObject({
      from: z.number().nonnegative().optional(),
      to: z.number().positive().optional(),
    })
    .optional()
    .describe('Simulated seconds since the episode began: from (included) and to (not included).'),
  until: z
    .strictObject({
      retries: z.int().positive().optional(),
      called: z.string().min(1).optional(),
    })
    .refine((until) => (until.retries === undefined) !== (until.called === undefined), {
      message: 'give either retries or called',
    })
    .optional()
    .describe(
      'What ends it: `retries: 2` fails the same tool twice, then works; `called: "login*"` works once a tool of that name has answered without an error after the first strike.',
    ),
});

/** When a fault fires. */
export type FaultWhen = z.infer<typeof FaultWhenSchema>;

/** Schema of {@link FaultSpec}; strict. */
export const FaultSpecSchema = z.strictObject({
  kind: z.string().min(1).describe('A kind of the catalogue, for example `timeout`.'),
  on: FaultTargetSchema.optional().describe(
    'Which operations it looks at: a tool name or glob, an operation kind, or both with arguments. Default: every operation of the kind that the fault hits by itself.',
  ),
  when: FaultWhenSchema.optional().describe('Which of the matching operations it breaks. Default: all.'),
  phase: z
    .enum(['before', 'after'])
    .optional()
    .describe("Before the operation happens, or after it did. Default: the kind's own."),
  with: z.record(z.string(), z.json()).optional().describe("The kind's parameters."),
  max: z.int().positive().optional().describe('At most so many times in an episode.'),
});

/** One fault as it is written down. */
export type FaultSpec = z.infer<typeof FaultSpecSchema>;
