/**
 * The suite file: which agents meet which faults in which worlds, how often, and how much each run may use.
 *
 * One schema for reading and for `suite.schema.json`. Source: contracts, "suite file". Not covered here: whether the
 * named worlds, faults and agents exist (`load-suite.ts`).
 */
import { z } from 'zod';
import { FaultSpecSchema } from '../control/index.js';

/** The version of the format. */
export const SUITE_VERSION = 1;

const Name = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .describe('Lower-case words joined by hyphens.');

/** A set of faults as a suite writes it. */
const SuiteFaultsSchema = z.union([
  z.string().min(1).describe('A kind of the catalogue, with defaults that fit each world.'),
  z.strictObject({
    name: Name,
    faults: z.array(FaultSpecSchema).min(1).describe('As in a world file.'),
    expects: z
      .enum(['recovers', 'honest-report'])
      .optional()
      .describe('What may be asked of an agent. Default: found out by the recovering oracle.'),
  }),
]);

const PriceSchema = z.strictObject({
  promptPerMillion: z.number().nonnegative().describe('US dollars for a million prompt tokens.'),
  completionPerMillion: z.number().nonnegative().describe('US dollars for a million completion tokens.'),
});

/** An agent as a suite writes it: a SPEC, or a SPEC with options. */
export const SuiteAgentSchema = z.union([
  z
    .string()
    .min(1)
    .describe(
      'A SPEC: careless, careful, scripted:FILE, module:FILE#NAME, http:URL, cmd:COMMAND, MODEL@BASE_URL.',
    ),
  z.strictObject({
    id: Name.optional().describe('Its name in tables. Default: made of the SPEC.'),
    agent: z.string().min(1).describe('Its SPEC.'),
    env: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable'))
      .optional()
      .describe('Variables that a command is given besides PATH, HOME and the like.'),
    keyEnv: z
      .string()
      .min(1)
      .optional()
      .describe('The variable that holds the key of a model endpoint. Default: OPENAI_API_KEY.'),
    temperature: z.number().min(0).max(2).optional().describe('Of a model. Default: the endpoint decides.'),
    maxOutputTokens: z.int().positive().optional().describe('Of one answer of a model.'),
    price: PriceSchema.optional().describe(
      'What a model costs; without it no cost is known and `maxCostUsd` cannot stop a run.',
    ),
  }),
]);

/** A judge as a suite writes it. */
const SuiteJudgeSchema = z.strictObject({
  judge: z.string().min(1).describe('Its SPEC: scripted:FILE, replay:FILE or MODEL@BASE_URL.'),
  keyEnv: z
    .string()
    .min(1)
    .optional()
    .describe('The variable that holds the key of its endpoint. Default: UMWELT_JUDGE_API_KEY.'),
  maxOutputTokens: z.int().positive().optional().describe('Of one reply. Default 8192.'),
  price: PriceSchema.optional().describe('What it costs; `maxCostUsd` needs it.'),
  maxTokens: z
    .int()
    .positive()
    .optional()
    .describe('Tokens of the judge in the whole suite. Default: no bound.'),
  maxCostUsd: z
    .number()
    .positive()
    .optional()
    .describe('Cost of the judge in the whole suite. Default: no bound.'),
});

/** What one run may use. */
const SuiteBudgetSchema = z.strictObject({
  maxTurns: z.int().positive().optional().describe("Default: the world's own, else 200."),
  maxRepeats: z
    .int()
    .min(2)
    .optional()
    .describe(
      'The same tool failing with the same error in a row for one target, reworded or not; three times that over all targets. Default 20.',
    ),
  maxTokens: z.int().positive().optional().describe("Tokens of the agent's model. Default: no bound."),
  maxCostUsd: z.number().positive().optional().describe('Default: no bound.'),
  maxSeconds: z.number().positive().max(86_400).optional().describe('Time of this machine. Default 600.'),
  maxSimulatedSeconds: z.number().positive().optional().describe('Simulated time. Default: a week.'),
});

/** Schema of {@link SuiteFile}; strict. */
export const SuiteFileSchema = z.strictObject({
  suite: z.literal(SUITE_VERSION),
  name: Name.optional().describe("Default: the file's name."),
  worlds: z
    .array(z.string().min(1))
    .min(1)
    .describe('Names of the catalogue, or paths relative to this file.'),
  faults: z
    .union([z.literal('all'), z.array(SuiteFaultsSchema)])
    .default('all')
    .describe('Sets of faults; `all` is every kind of the catalogue. Every agent also runs without faults.'),
  agents: z.array(SuiteAgentSchema).min(1).default(['careless', 'careful']),
  trials: z
    .int()
    .positive()
    .max(1_000)
    .default(1)
    .describe('Runs of each agent with each set; each has a seed of its own.'),
  seed: z
    .int()
    .optional()
    .describe("Seed of the first trial; the next ones count up. Default: each world's own."),
  judge: z
    .union([z.string().min(1), SuiteJudgeSchema])
    .optional()
    .describe(
      'A model that is asked for what the rules leave open: a SPEC, or a SPEC with options. Default: none.',
    ),
  budget: SuiteBudgetSchema.default({}),
  limits: z
    .strictObject({ jobs: z.int().positive().max(256).optional().describe('Runs at a time. Default 4.') })
    .default({}),
});

/** A suite as read, with defaults. */
export type SuiteFile = z.infer<typeof SuiteFileSchema>;

/** An agent with its options. */
export type SuiteAgent = Exclude<z.infer<typeof SuiteAgentSchema>, string>;

/** A judge with its options. */
export type SuiteJudge = z.infer<typeof SuiteJudgeSchema>;
