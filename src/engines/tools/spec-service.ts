/**
 * The rules of a service as data: who calls, what they may do, how often, what else happens, what time does.
 *
 * The idea: each rule names what it is about (a tool glob, a collection) and is checked for every tool that it is
 * about, inferred or written as an override. Expressions see the names of `spec.ts`, and `session` (who calls) and, in
 * side effects, `old` (the row before). A service without a kind of rule pays nothing for it.
 * Not covered: conditions on single tools (`require` of overrides, `rules` of a world file).
 */
import { z } from 'zod';
import type { JsonObject } from '../../core/index.js';
import { isJsonObject } from '../../core/index.js';

const Expression = z.string().min(1);
const Template = z.string().min(1);
const ToolGlob = z.string().min(1).describe('Tool name or glob.');
const Names = z.array(z.string().min(1)).min(1);

/** A set of field values that may be held by one row, or a few. */
const uniqueShape = {
  ignoreCase: z.boolean().default(false).describe('Texts that differ only in case are the same.'),
  among: Expression.optional().describe('A rule over `row`: only rows for which it holds count.'),
  error: Template.optional().describe('What a tool answers instead; a template.'),
};

/** Fields that no two rows share. */
export const UniqueSpecSchema = z.strictObject({
  fields: Names.describe('Together they are different in every row; list the parent too to count within it.'),
  ...uniqueShape,
});

/** How many rows may share the same values. */
export const LimitSpecSchema = z.strictObject({
  by: z.array(z.string().min(1)).default([]).describe('Rows with the same values here are counted together.'),
  max: z.int().nonnegative().describe('How many rows there may be.'),
  ...uniqueShape,
});

/** Optimistic locking: a field that changes with every write. */
export const VersionSpecSchema = z.strictObject({
  field: z.string().min(1).describe('The field that holds the version; it cannot be written.'),
  style: z
    .enum(['number', 'etag', 'time'])
    .default('number')
    .describe('A count from 1, a quoted token, or the time of the last write.'),
  argument: z
    .string()
    .min(1)
    .optional()
    .describe('The argument that says which version the caller saw. Default: one named as the field.'),
  required: z.boolean().default(false).describe('Whether an update or delete must say it.'),
  error: Template.optional().describe('What a tool answers when another version is there; a template.'),
});

/** What time does to a row, on the simulated clock. */
export const TransitionSpecSchema = z.strictObject({
  id: z.string().min(1).optional().describe('Name of the transition in messages.'),
  at: Expression.describe('A rule over `row`: when it happens (ISO 8601 or milliseconds), null for never.'),
  when: Expression.optional().describe('A rule over `row`: it happens only while this holds.'),
  set: z.record(z.string(), Expression).optional().describe('Field → rule for its new value.'),
  delete: z.boolean().default(false).describe('The row is taken away.'),
});

/** Who calls: how a tool, or an argument of a tool, sets it. */
export const LoginSpecSchema = z.strictObject({
  on: ToolGlob,
  as: z
    .string()
    .min(1)
    .optional()
    .describe('Argument with the key of the caller in `collection`; holds for that call only.'),
  collection: z.string().min(1).optional().describe('The collection of callers.'),
  match: Expression.optional().describe('Which row of `collection` the caller is, a rule over row and args.'),
  set: z
    .record(z.string(), Expression)
    .optional()
    .describe('Member of `session` → rule for its value. Default with a collection: the whole row.'),
  clear: z.boolean().default(false).describe('The session is emptied first; alone, this logs out.'),
  error: Template.optional().describe('What the tool answers when there is no such caller; a template.'),
});

/** Which tools may be called, by whom, on which rows. */
export const PermissionSpecSchema = z.strictObject({
  on: z.string().min(1).describe('Tool name or glob that this entry is about.'),
  allow: z
    .boolean()
    .default(false)
    .describe(
      'false: where the entry holds the tools may not be called. true: a tool that such entries name may only be called where one of them holds.',
    ),
  roles: Names.optional().describe(
    'The entry holds only for callers with one of these in `session.role` or `session.roles`.',
  ),
  when: Expression.optional().describe(
    'A rule over args, session, state and clock; the entry counts only when it holds.',
  ),
  collection: z
    .string()
    .min(1)
    .optional()
    .describe('The collection that `rows` is about. Default: the one the tool is about.'),
  rows: Expression.optional().describe(
    'A rule over row, args and session: the rows that the entry is about. Lists leave out rows that may not be seen.',
  ),
  hidden: z
    .boolean()
    .default(false)
    .describe('A row that may not be seen is not found, instead of forbidden.'),
  error: Template.optional().describe(
    'What the tool answers when it is not allowed. Default: "permission denied".',
  ),
});

/** How often tools may be called. */
export const QuotaSpecSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the quota in messages; quotas of one name share their count.'),
  on: ToolGlob,
  max: z.int().nonnegative().describe('How many there may be in one window.'),
  perSeconds: z
    .number()
    .positive()
    .max(366 * 86_400)
    .describe('Length of the window in simulated seconds.'),
  window: z
    .enum(['fixed', 'first', 'sliding'])
    .default('fixed')
    .describe(
      'Fixed: starts at multiples of its length (a day at midnight UTC). First: starts with the first call. Sliding: the last seconds.',
    ),
  by: Expression.optional().describe('A rule over args and session: each value has a count of its own.'),
  count: z
    .enum(['calls', 'successes', 'rows'])
    .default('calls')
    .describe('What counts: all calls, those that succeed, or the rows that they create.'),
  error: Template.optional().describe(
    'What the tool answers beyond it; a template that also sees `retryAfter` (seconds).',
  ),
});

/** An effect of a tool or of a change on any collection. */
export const EffectSpecSchema = z.strictObject({
  op: z.enum(['create', 'update', 'delete']).describe('What happens to the collection.'),
  collection: z.string().describe('The collection it happens to.'),
  key: Expression.optional().describe('For update and delete: a rule for the key of the one row meant.'),
  match: Expression.optional().describe(
    'For update and delete: which rows, as a rule over `row` and the names above.',
  ),
  when: Expression.optional().describe('The effect happens only if this holds.'),
  each: Expression.optional().describe(
    'For create: a rule for a list; one row is made for each of its items, which rules see as `args.item`.',
  ),
  set: z.record(z.string(), Expression).optional().describe('Field → rule for its new value.'),
});

/** What happens when rows of a collection change, whichever tool did it. */
export const TriggerSpecSchema = z.strictObject({
  id: z.string().min(1).optional().describe('Name of the side effect in messages.'),
  collection: z.string().describe('The collection that is watched.'),
  after: z
    .array(z.enum(['create', 'update', 'delete']))
    .min(1)
    .describe('The changes that count.'),
  when: Expression.optional().describe('A rule over result (the row), old (before), args and session.'),
  do: z.array(EffectSpecSchema).min(1).describe('What happens then, in order.'),
});

/** Idempotency keys of tools. */
export const IdempotencySpecSchema = z.strictObject({
  on: ToolGlob,
  argument: z.string().min(1).describe('The argument that holds the key.'),
  keepSeconds: z
    .number()
    .positive()
    .optional()
    .describe('Simulated seconds that a key is remembered. Default: for ever.'),
  required: z.boolean().default(false).describe('Whether a call without a key is refused.'),
  by: Expression.optional().describe('A rule over session and args: keys of different values do not meet.'),
  error: Template.optional().describe('What a key with other arguments answers; a template.'),
});

/** Whether what was done is undone when something fails later. */
export const TransactionSpecSchema = z.strictObject({
  on: ToolGlob,
  atomic: z
    .boolean()
    .describe('true: all or nothing, batches too. false: what was done before the failure stays.'),
});

const Session = z.custom<JsonObject>(isJsonObject, 'must be an object').meta({ type: 'object' });

/** All rules of a service that are no conditions of single tools and no part of a collection. */
export const ServiceSpecSchema = z.strictObject({
  session: Session.optional().describe('Who calls at the start; rules see it as `session`.'),
  logins: z.array(LoginSpecSchema).default([]),
  permissions: z.array(PermissionSpecSchema).default([]),
  quotas: z.array(QuotaSpecSchema).default([]),
  effects: z.array(TriggerSpecSchema).default([]),
  idempotency: z.array(IdempotencySpecSchema).default([]),
  transactions: z.array(TransactionSpecSchema).default([]),
});

/** A field that changes with every write. */
export type VersionSpec = z.infer<typeof VersionSpecSchema>;
/** What time does to a row. */
export type TransitionSpec = z.infer<typeof TransitionSpecSchema>;
/** How the caller becomes known. */
export type LoginSpec = z.infer<typeof LoginSpecSchema>;
/** Who may do what. */
export type PermissionSpec = z.infer<typeof PermissionSpecSchema>;
/** How often. */
export type QuotaSpec = z.infer<typeof QuotaSpecSchema>;
/** An effect on a collection. */
export type EffectSpec = z.infer<typeof EffectSpecSchema>;
/** What happens when rows change. */
export type TriggerSpec = z.infer<typeof TriggerSpecSchema>;
/** Idempotency keys of tools. */
export type IdempotencySpec = z.infer<typeof IdempotencySpecSchema>;
