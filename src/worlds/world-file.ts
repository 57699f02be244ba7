/**
 * The world file: every key an author can write, as one schema.
 *
 * Two forms: as written (content may stand in another file, `from:`) and resolved (all content inline). The
 * published `world.schema.json` comes from the written form, the loader checks the resolved one. Objects are
 * strict; keys that start with `x-` are the user's own and are taken away before the check. The `state` of domains
 * without an engine is accepted as it is.
 * Source: the world-file contract. Not covered here: what the words mean to each other (see `semantic-checks.ts`).
 */
import { z } from 'zod';
import { FaultSpecSchema } from '../control/index.js';
import { DomainSchema } from '../core/index.js';
import { ToolDefinitionSchema } from '../domains/index.js';
import {
  AnswersSpecSchema,
  EntitySpecSchema,
  FilesSpecSchema,
  IdempotencySpecSchema,
  LoginSpecSchema,
  OverrideSpecSchema,
  QuotaSpecSchema,
  RequirementSpecSchema,
  ShapeSpecSchema,
  TransactionSpecSchema,
  TriggerSpecSchema,
} from '../engines/index.js';
import { VerifierSchema } from '../rules/index.js';
import { ExpandSchema } from './expand-spec.js';
import { FromListSchema, FromMapSchema } from './mcp-state.js';
import { RecordedCallSchema } from './recorded-calls.js';
import { ScriptActionSchema, WRONG_SCHEMAS, type WrongForm } from './wrong-scripts.js';

/** The version of the world-file format that this package reads. */
export const WORLD_VERSION = 1;

/** Schema of a rule: a condition on tools, whoever implements them. */
const WorldRuleSchema = z.strictObject({
  id: z.string().min(1).optional().describe('Name of the rule in messages.'),
  on: z.string().min(1).describe('Tool name or glob.'),
  require: z.string().min(1).describe('A rule over args, row, state and clock that must hold.'),
  error: z.string().min(1).describe('What the tool answers when it does not hold; a template.'),
  cause: RequirementSpecSchema.shape.cause,
});

/** Schema of a fact that the author pinned. */
export const FactSchema = z.strictObject({
  id: z.string().min(1),
  text: z.string().min(1).describe('Revealed word for word.'),
  reveal: z
    .strictObject({
      on: z.string().min(1).describe('Tool name or glob whose answer may show the fact.'),
      match: z
        .string()
        .min(1)
        .optional()
        .describe('Pattern (linear-time) that the JSON of the arguments must contain.'),
    })
    .describe('When the fact may be shown.'),
  secret: z.boolean().default(false).describe('A leak anywhere else is an error.'),
});

/** Schema of a worked example, shown to a language model only. */
const DemonstrationSchema = z.union([
  z.string(),
  z.strictObject({ action: ScriptActionSchema, observation: z.string() }),
]);

const Name = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens');

const Tools = z.array(ToolDefinitionSchema);
const Resources = z.array(z.looseObject({ uri: z.string() }));
const Prompts = z.array(z.looseObject({ name: z.string() }));
const Entities = z.record(z.string(), EntitySpecSchema);
const Overrides = z.record(z.string(), OverrideSpecSchema);
const Rules = z.array(WorldRuleSchema);
const Facts = z.array(FactSchema);
const Faults = z.array(FaultSpecSchema);
const Success = z.array(VerifierSchema);
const Shapes = z.record(z.string(), ShapeSpecSchema);
const Recorded = z.array(RecordedCallSchema);

/** Builds the world-file schema with all content inline; `wrong` has one of its forms. */
function worldFileSchema<Wrong extends z.ZodType>(wrong: Wrong) {
  return z.strictObject({
    world: z.literal(WORLD_VERSION).describe('Version of the format.'),
    name: Name.describe('Short name, as in the catalogue.'),
    domain: DomainSchema.describe('What kind of world it is; `mcp` is a server of tools.'),
    title: z.string().min(1).optional().describe('Its name in sentences and lists.'),
    description: z.string().optional().describe('What one finds in it, for people who choose a world.'),
    license: z.string().optional().describe('SPDX name of the licence of this file.'),
    seed: z.int().default(0).describe('Seed of an episode that sets none.'),
    representation: z.string().optional().describe('Form of the observations, where a domain has several.'),
    state: z.looseObject({}).default({}).describe('What is there at the start.'),
    tools: Tools.optional().describe('MCP tool definitions.'),
    resources: Resources.default([]).describe(
      'MCP resources that the server lists; with `text` or `blob` (base64) they can be read.',
    ),
    prompts: Prompts.default([]).describe(
      'MCP prompts that the server lists; with `messages` (texts are templates over args) they can be got.',
    ),
    serverInstructions: z.string().optional().describe('What the MCP server says of itself to its clients.'),
    entities: Entities.default({}).describe('Collection name → how its rows look, where inference is wrong.'),
    overrides: Overrides.default({}).describe('Tool name → what it does, where inference is wrong.'),
    rules: Rules.default([]).describe('Conditions on tools that must hold before they act.'),
    answers: AnswersSpecSchema.optional().describe('How refusals read: styles, error bodies, templates.'),
    logins: z
      .array(LoginSpecSchema)
      .default([])
      .describe('How the caller becomes known: by an argument, or by tools that log in and out.'),
    quotas: z.array(QuotaSpecSchema).default([]).describe('How often tools may be called.'),
    effects: z
      .array(TriggerSpecSchema)
      .default([])
      .describe('What else happens when rows change, whichever tool did it.'),
    idempotency: z
      .array(IdempotencySpecSchema)
      .default([])
      .describe('Which argument of which tools is an idempotency key.'),
    transactions: z
      .array(TransactionSpecSchema)
      .default([])
      .describe('Whether what was done is undone when something fails later.'),
    facts: Facts.default([]).describe('Texts that matching answers reveal word for word.'),
    demonstrations: z
      .array(DemonstrationSchema)
      .default([])
      .describe('Worked examples, for a language model only.'),
    instruction: z.string().optional().describe('For a language model only: how to simulate.'),
    systemPrompt: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The language model is sent this system prompt, word for word, and answers every action; nothing is computed.',
      ),
    hidden: z
      .strictObject({ target: z.string(), answer: z.string() })
      .optional()
      .describe('Never shown to an agent.'),
    strict: z.boolean().default(false).describe('No generated or predicted text.'),
    faults: Faults.default([]).describe('What breaks, where and when.'),
    shapes: Shapes.default({}).describe('Tool name → the shapes of its answers.'),
    files: FilesSpecSchema.optional().describe('Which tool does what to files, and in whose words.'),
    recorded: Recorded.default([]).describe(
      'Calls of the real service with their answers, given again word for word.',
    ),
    task: z.string().optional().describe('What the agent is told.'),
    success: Success.default([]).describe('Conditions on the end; the reward is the share that holds.'),
    oracle: z.array(ScriptActionSchema).default([]).describe('Actions that solve the task.'),
    wrong: wrong.describe('Scripts that must not solve the task.'),
    expand: ExpandSchema.optional().describe('What may be otherwise in the children of this world.'),
    budget: z
      .strictObject({
        maxTurns: z.int().positive().optional().describe('Turns of the agent.'),
        maxSeconds: z.number().positive().optional().describe('Seconds of the simulated clock.'),
        maxTokens: z.int().positive().optional().describe("Tokens of the world's language model."),
      })
      .default({})
      .describe('When an episode ends at the latest.'),
  });
}

/** The resolved world file: all content inline, `wrong` as scripts. */
export const WorldFileSchema = worldFileSchema(WRONG_SCHEMAS.scripts.default([]));

/** A list inline, or with files; described as the inline one is. */
function listOrFiles<List extends z.ZodType>(list: List, name: keyof typeof WorldFileSchema.shape) {
  return z
    .union([list, FromListSchema])
    .optional()
    .describe(WorldFileSchema.shape[name].description ?? '');
}

/** A map of names inline, or from files with corrections. */
function mapOrFiles<Names extends z.ZodType>(names: Names, name: keyof typeof WorldFileSchema.shape) {
  return z
    .union([FromMapSchema, names])
    .optional()
    .describe(WorldFileSchema.shape[name].description ?? '');
}

/** The key `expand` as written: its lists may stand in files. */
const WrittenExpandSchema = ExpandSchema.extend({
  rows: z.union([ExpandSchema.shape.rows, FromListSchema]),
  drops: z.union([ExpandSchema.shape.drops, FromListSchema]),
  changes: z.union([ExpandSchema.shape.changes, FromListSchema]),
  goals: z.union([ExpandSchema.shape.goals, FromListSchema]),
});

/** The world file as written: lists and maps may stand in files (`from:`), `wrong` may have any of its forms. */
export const WrittenWorldFileSchema = worldFileSchema(
  z.union([WRONG_SCHEMAS.scripts, WRONG_SCHEMAS.lists, WRONG_SCHEMAS.actions]).default([]),
).extend({
  tools: listOrFiles(Tools, 'tools'),
  resources: listOrFiles(Resources, 'resources'),
  prompts: listOrFiles(Prompts, 'prompts'),
  entities: mapOrFiles(Entities, 'entities'),
  overrides: mapOrFiles(Overrides, 'overrides'),
  shapes: mapOrFiles(Shapes, 'shapes'),
  expand: mapOrFiles(WrittenExpandSchema, 'expand'),
  rules: listOrFiles(Rules, 'rules'),
  facts: listOrFiles(Facts, 'facts'),
  faults: listOrFiles(Faults, 'faults'),
  recorded: listOrFiles(Recorded, 'recorded'),
  success: listOrFiles(Success, 'success'),
});

/** The resolved schema for a file whose `wrong` has this form. */
export function resolvedSchema(form: WrongForm) {
  return form === 'scripts' ? WorldFileSchema : worldFileSchema(WRONG_SCHEMAS[form]);
}

/** A resolved world file. */
export type WorldFile = z.infer<typeof WorldFileSchema>;
/** A fact that the author pinned. */
export type Fact = z.infer<typeof FactSchema>;
/** A condition on tools. */
export type WorldRule = z.infer<typeof WorldRuleSchema>;
