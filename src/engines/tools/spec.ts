/**
 * What a tool world is made of: the specification the tools engine opens, and the parts of a world file that
 * correct its inference.
 *
 * Expressions are in the rules language (room `rules`); names they see: `args` (the call's arguments), `row` (the
 * row meant), `rows` (the rows that match), `state` (`state.data.<collection>` is a list of rows), `clock`
 * (ISO 8601 text), `result` (what the main effect gave). Templates are texts with `{expression}` parts.
 */
import { z } from 'zod';
import type { JsonObject } from '../../core/index.js';
import { ToolDefinitionSchema } from '../../domains/index.js';

const Expression = z.string().min(1);
const JsonValue = z.json();

/** A field as a world file describes it. */
export const FieldSpecSchema = z.strictObject({
  schema: z.record(z.string(), JsonValue).optional(),
  description: z.string().optional(),
  refersTo: z.string().optional(),
  required: z.boolean().optional(),
  initial: JsonValue.optional(),
  unique: z.boolean().optional(),
  computed: Expression.optional(),
  stamp: z.enum(['created', 'updated']).optional(),
});

/** How ids look, as a world file says it. */
export const IdSpecSchema = z.strictObject({
  style: z.enum(['counter', 'number', 'uuid', 'hex', 'token', 'given']),
  prefix: z.string().optional(),
  start: z.int().nonnegative().optional(),
  /** Digits of a counter, zero-padded; 0 for no padding. */
  width: z.int().min(0).max(20).optional(),
  /** Characters of a hex or token id. */
  length: z.int().min(1).max(64).optional(),
});

/** A collection as a world file describes it; what is left out is inferred. */
export const EntitySpecSchema = z.strictObject({
  singular: z.string().optional(),
  key: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  id: IdSpecSchema.optional(),
  scope: z.array(z.string()).optional(),
  label: z.string().optional(),
  fields: z.record(z.string(), FieldSpecSchema).optional(),
  /** Rows to generate when `state.data` has none. */
  generate: z.int().nonnegative().max(100_000).optional(),
});

/** A condition of a tool; when it does not hold the tool answers `error` and nothing changes. */
export const RequirementSpecSchema = z.strictObject({
  expr: Expression,
  error: z.string().min(1),
});

/** A further effect of a tool on any collection. */
export const EffectSpecSchema = z.strictObject({
  op: z.enum(['create', 'update', 'delete']),
  collection: z.string(),
  /** For update and delete: which rows, as a rule over `row` and the names above. */
  match: Expression.optional(),
  /** The effect happens only if this holds. */
  when: Expression.optional(),
  set: z.record(z.string(), Expression).optional(),
});

/** How a tool acts, where inference is wrong or not enough. */
export const OverrideSpecSchema = z.strictObject({
  op: z.enum(['create', 'get', 'list', 'search', 'update', 'upsert', 'delete', 'compute']),
  collection: z.string().optional(),
  /** Argument → key field, for tools that mean one row. */
  key: z.record(z.string(), z.string()).optional(),
  /** Which row (get, update, delete) or rows (list, search), as a rule over `row` and `args`. */
  match: Expression.optional(),
  /** Checked in order before anything is written. */
  require: z.array(RequirementSpecSchema).optional(),
  /** Answered when no row is found; a template. */
  notFound: z.string().optional(),
  /** Field → rule for its new value. Fields left out of a create come from arguments of the same name. */
  set: z.record(z.string(), Expression).optional(),
  also: z.array(EffectSpecSchema).optional(),
  /** The rule for the structured answer. Default: the row, or the list with its paging. */
  returns: Expression.optional(),
  /** The template for the text answer. Default: the structured answer as JSON. */
  text: z.string().optional(),
  /** The list argument of a batch tool; `args.item` is then the item. */
  batch: z.string().optional(),
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
/** A further effect of a tool. */
export type EffectSpec = z.infer<typeof EffectSpecSchema>;
/** A condition of a tool with its error. */
export type RequirementSpec = z.infer<typeof RequirementSpecSchema>;
