/**
 * What a tool world is made of: the specification the tools engine opens, and the parts of a world file that
 * correct its inference.
 *
 * Expressions are in the rules language (room `rules`); names they see: `args` (the call's arguments), `row` (the
 * row meant), `rows` (the rows that match), `state` (`state.data.<collection>` is a list of rows), `clock`
 * (ISO 8601 text), `result` (what the main effect gave), `session` (who calls). Templates are texts with `{expression}` parts.
 */
import { z } from 'zod';
import type { JsonObject } from '../../core/index.js';
import { ToolDefinitionSchema } from '../../domains/index.js';
import { FilesSpecSchema } from './files/spec-files.js';
import { AnswersSpecSchema } from './spec-answers.js';
import {
  EffectSpecSchema,
  LimitSpecSchema,
  ServiceSpecSchema,
  TransitionSpecSchema,
  UniqueSpecSchema,
  VersionSpecSchema,
} from './spec-service.js';

const Expression = z.string().min(1);
const JsonValue = z.json();

/** The kinds of refusals that a condition may name. */
const FAILURE_CAUSES = [
  'refused',
  'not-found',
  'conflict',
  'permission',
  'unauthenticated',
  'rate-limit',
  'unavailable',
] as const;

/** A field as a world file describes it. */
export const FieldSpecSchema = z.strictObject({
  schema: z.record(z.string(), JsonValue).optional().describe('JSON Schema of its values.'),
  description: z.string().optional().describe('What it holds, in words.'),
  refersTo: z
    .string()
    .optional()
    .describe('The collection whose key it holds; a write with no such row is refused.'),
  required: z.boolean().optional().describe('Whether every row has it.'),
  initial: JsonValue.optional().describe('Its value in a new row that gives none.'),
  unique: z.boolean().optional().describe('Whether two rows may not share a value.'),
  computed: Expression.optional().describe('A rule over row and state that always gives its value.'),
  onDelete: z
    .enum(['cascade', 'restrict', 'empty'])
    .optional()
    .describe('What becomes of a row whose `refersTo` row is deleted: deleted too, in the way, or emptied.'),
  stamp: z
    .enum(['created', 'updated'])
    .optional()
    .describe('Set from the simulated clock when a row is created, or on every update too.'),
  stampAs: z
    .enum(['iso', 'iso-s', 'iso-offset', 'sql', 'date', 'epoch-ms', 'epoch-s'])
    .optional()
    .describe(
      'How a stamp is written: ISO 8601 with milliseconds (default), with seconds, with +00:00; `2026-01-05 09:00:00`; the day; milliseconds or seconds since 1970.',
    ),
});

/** How ids look, as a world file says it. */
export const IdSpecSchema = z.strictObject({
  style: z.enum(['counter', 'number', 'uuid', 'hex', 'token', 'given']).describe('How a new id is made.'),
  prefix: z.string().optional().describe('What stands before each id.'),
  start: z.int().nonnegative().optional().describe('The first number of a counted id.'),
  width: z.int().min(0).max(20).optional().describe('Digits of a counter, zero-padded; 0 for no padding.'),
  length: z.int().min(1).max(64).optional().describe('Characters of a hex or token id.'),
  letters: z
    .enum(['lower', 'upper'])
    .optional()
    .describe('Which letters a token has beside digits. Default: of both cases.'),
});

/** A collection as a world file describes it; what is left out is inferred. */
export const EntitySpecSchema = z.strictObject({
  singular: z.string().optional().describe('The word for one row in messages.'),
  key: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe('The field, or fields, that tell one row from the others.'),
  id: IdSpecSchema.optional().describe('How new ids look.'),
  scope: z
    .array(z.string())
    .optional()
    .describe(
      'Fields that scope a row, for example owner and repo: ids count within them, lists filter by them.',
    ),
  label: z.string().optional().describe('The field that people call a row by.'),
  examples: z
    .array(z.record(z.string(), JsonValue))
    .optional()
    .describe('Rows as the real service has them: inference looks at them, the state does not hold them.'),
  fields: z.record(z.string(), FieldSpecSchema).optional().describe('Field name → what is known of it.'),
  generate: z
    .int()
    .nonnegative()
    .max(100_000)
    .optional()
    .describe('Rows to generate when `state.data` has none.'),
  unique: z.array(UniqueSpecSchema).optional().describe('Fields that no two rows share, alone or together.'),
  limits: z.array(LimitSpecSchema).optional().describe('How many rows there may be.'),
  version: VersionSpecSchema.optional().describe(
    'A field that changes with every write, for optimistic locking.',
  ),
  transitions: z
    .array(TransitionSpecSchema)
    .optional()
    .describe('What time does to rows, on the simulated clock.'),
});

/** A condition of a tool; when it does not hold the tool answers `error` and nothing changes. */
export const RequirementSpecSchema = z.strictObject({
  expr: Expression.describe('A rule that must hold.'),
  error: z.string().min(1).describe('What the tool answers when it does not hold; a template.'),
  cause: z
    .enum(FAILURE_CAUSES)
    .optional()
    .describe('What kind of refusal it is, for the form of the error. Default: refused.'),
});

/** How a tool acts, where inference is wrong or not enough. */
export const OverrideSpecSchema = z.strictObject({
  op: z
    .enum(['create', 'get', 'list', 'search', 'update', 'upsert', 'delete', 'compute'])
    .describe('What the tool does.'),
  collection: z.string().optional().describe('The collection it does it to.'),
  key: z
    .record(z.string(), z.string())
    .optional()
    .describe('Argument → key field, for tools that mean one row.'),
  match: Expression.optional().describe(
    'Which row (get, update, delete) or rows (list, search), as a rule over `row` and `args`.',
  ),
  sort: z
    .string()
    .min(1)
    .optional()
    .describe('For list and search: the field that orders the rows, with `-` before it the largest first.'),
  operators: z
    .record(z.string(), Expression)
    .optional()
    .describe(
      'For search: word before a colon in the query → the rule over `row` and `args.value` (what follows it).',
    ),
  require: z.array(RequirementSpecSchema).optional().describe('Checked in order before anything is written.'),
  notFound: z.string().optional().describe('Answered when no row is found; a template.'),
  set: z
    .record(z.string(), Expression)
    .optional()
    .describe(
      'Field → rule for its new value. Fields left out of a create come from arguments of the same name.',
    ),
  also: z.array(EffectSpecSchema).optional().describe('Further effects, after the main one.'),
  returns: Expression.optional().describe(
    'The rule for the structured answer. Default: the row, or the list with its paging.',
  ),
  text: z
    .string()
    .optional()
    .describe('The template for the text answer. Default: the structured answer as JSON.'),
  content: Expression.optional().describe(
    'The rule for the MCP content blocks of the answer (text, image, audio, resource_link, resource), instead of one text.',
  ),
  batch: z.string().optional().describe('The list argument of a batch tool; `args.item` is then the item.'),
});

/** One form of a tool's answer. */
const AnswerShapeSchema = z.strictObject({
  when: Expression.optional().describe('The form holds only if this rule does.'),
  returns: Expression.optional().describe('The rule for the structured part.'),
  text: z.string().optional().describe('The template for the text.'),
  json: z
    .strictObject({
      of: Expression.optional().describe('The rule for the value that the text shows. Default: `returns`.'),
      indent: z.int().min(0).max(8).default(2).describe('Spaces a level; 0 for one line.'),
      spaced: z.boolean().optional().describe('On one line: a space after commas and colons.'),
    })
    .optional()
    .describe('The text is JSON, laid out like this.'),
  generated: z
    .boolean()
    .optional()
    .describe('Parts of it are made up, so all that is not of a row has the origin `generated`.'),
});

/** How a tool answers and what it lets pass, as learned from a recording or written by an author. */
export const ShapeSpecSchema = z.strictObject({
  guessed: z
    .boolean()
    .optional()
    .describe(
      'Nothing confirms how the tool is computed, or the recording contradicts it: what would count as computed has the origin `generated`, and a strict world abstains.',
    ),
  sure: Expression.optional().describe(
    'A rule over args, row (before the call) and state that holds in every situation in which the recording shows the tool; where it does not hold what would count as computed has the origin `generated`.',
  ),
  shows: Expression.optional().describe(
    'A rule over `row` and `args`: of a list, the rows that are shown; all others are left out.',
  ),
  overwrites: z
    .boolean()
    .optional()
    .describe('Of a tool that makes rows: a row that is there already gets the new values.'),
  soft: z.boolean().optional().describe('Its failures are told in answers that are not marked as errors.'),
  ignores: z
    .array(z.enum(['not-found', 'exists']))
    .optional()
    .describe(
      'Failures that the tool passes over in silence: a row that is not there, one that is there already.',
    ),
  atomic: z
    .boolean()
    .optional()
    .describe(
      'Of a batch: one item that fails makes the whole call fail with its error, and nothing is written.',
    ),
  errors: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Kind of failure (not-found, exists, already, …) → template for its text; it sees args and result.message.',
    ),
  guesses: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Kinds of failure whose words are those of a like tool: their texts have the origin `generated`.',
    ),
  others: z
    .literal('generated')
    .optional()
    .describe(
      'An answer that no form fits, or a failure without words of its own, has a form that is made up, and says so in its origin.',
    ),
  answers: z
    .array(AnswerShapeSchema)
    .optional()
    .describe(
      'The forms of its answer; the first that holds is used. Rules see args, row, rows, result, clock, state.',
    ),
});

/** Everything the tools engine needs to open a world. */
export const ToolWorldSpecSchema = z.strictObject({
  /** Identifies the world in snapshots; the world's content hash. */
  id: z.string(),
  server: z.strictObject({ name: z.string(), version: z.string() }).optional(),
  tools: z.array(ToolDefinitionSchema),
  data: z.record(z.string(), z.array(z.custom<JsonObject>())).default({}),
  entities: z.record(z.string(), EntitySpecSchema).default({}),
  overrides: z.record(z.string(), OverrideSpecSchema).default({}),
  /**
   * Tool → further conditions, checked before the tool acts, whether its plan is inferred or an override. They see
   * `row` where the call means an existing row; of a batch each item is checked by itself.
   */
  requires: z.record(z.string(), z.array(RequirementSpecSchema)).optional(),
  /** Tool → the shapes of its answers. */
  shapes: z.record(z.string(), ShapeSpecSchema).optional(),
  /** The dialect of a service on files. */
  files: FilesSpecSchema.optional(),
  /** Who calls, permissions, quotas, side effects, idempotency keys, transactions. */
  service: ServiceSpecSchema.optional(),
  /** How refusals read. */
  answers: AnswersSpecSchema.optional(),
  /** No generated text: what cannot be computed is abstained from. */
  strict: z.boolean().default(false),
  /** The simulated clock at the start, milliseconds since 1970 UTC. */
  startMs: z.number(),
});

/** Everything the tools engine needs to open a world. */
export type ToolWorldSpec = z.infer<typeof ToolWorldSpecSchema>;
/** How a tool acts, where inference is wrong or not enough. */
export type OverrideSpec = z.infer<typeof OverrideSpecSchema>;
/** A collection as a world file describes it. */
export type EntitySpec = z.infer<typeof EntitySpecSchema>;
/** A condition of a tool with its error. */
export type RequirementSpec = z.infer<typeof RequirementSpecSchema>;
/** How a tool answers. */
export type ShapeSpec = z.infer<typeof ShapeSpecSchema>;
