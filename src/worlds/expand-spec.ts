/**
 * The key `expand` of a world file: what in the world may be otherwise in its children.
 *
 * A seed world is an ordinary, concrete world. A parameter says with `is` which value of the file it stands for, so
 * that one drawn value takes its place in task, state, success, oracle and wrong scripts alike. Rows, drops, changes,
 * permissions, shifts of time and new ids vary the environment; wordings, difficulty and goals vary the task. A
 * child is a plain world without this key.
 * Source: the world-file contract. Not covered: how children are made and checked (room `author`).
 */
import { z } from 'zod';
import { VerifierSchema } from '../rules/index.js';
import { ScriptActionSchema } from './wrong-scripts.js';

const RuleText = z.string().min(1);
const Name = z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be a lower-case word, such as order_id');
const Range = z.tuple([z.number(), z.number()]);
const JsonValue = z.custom<unknown>(() => true).meta({});
const Fields = z.record(z.string(), JsonValue);

/** The scripts that person names are drawn from. */
export const NAME_SCRIPTS = [
  'latin',
  'cyrillic',
  'greek',
  'han',
  'kana',
  'hangul',
  'arabic',
  'devanagari',
] as const;

/** Schema of what draws a value. */
export const MakerSchema = z.union([
  z
    .enum(['person', 'company', 'product', 'place', 'word'])
    .describe(
      'person gives {name, first, last, login, email}; company {name, short, domain}; others a text.',
    ),
  z.strictObject({ person: z.strictObject({ scripts: z.array(z.enum(NAME_SCRIPTS)).min(1) }) }),
  z.strictObject({ choice: z.array(JsonValue).min(1).describe('One of these values.') }),
  z.strictObject({ integer: Range.describe('A whole number, both ends included.') }),
  z.strictObject({
    cents: Range.describe('An amount in the smallest unit, both ends included.'),
    step: z.int().positive().default(1).describe('Amounts are multiples of this.'),
  }),
  z.strictObject({
    date: z.strictObject({
      days: Range.describe("Days from the date of the world's clock, both ends included."),
      workday: z.boolean().default(false).describe('Never a Saturday or Sunday.'),
      time: z
        .tuple([z.string().regex(/^\d\d:\d\d$/), z.string().regex(/^\d\d:\d\d$/)])
        .optional()
        .describe('Also a time of day in UTC between these, on a quarter of an hour.'),
    }),
  }),
  z.strictObject({ id: z.string().min(1).describe('A pattern: # is a digit, ? a capital letter.') }),
  z.strictObject({ variant: RuleText.describe('A rule; gives its text with one slip: a near duplicate.') }),
  z.strictObject({ sample: z.array(JsonValue).min(1), count: z.union([z.int().min(0), RuleText]) }),
  z.strictObject({ template: z.string().describe('A text with {expression} parts.') }),
  z.strictObject({
    money: RuleText.describe('A rule for an amount in cents; gives a text such as 3958.40.'),
    commas: z.boolean().default(false).describe('Thousands are set apart: 3,958.40.'),
  }),
  z.strictObject({ long_date: RuleText.describe('A rule for an ISO date; gives 14 January 2026.') }),
]);

const Places = z
  .array(z.string().min(1))
  .min(1)
  .describe('Only in these places, such as success.answer or state.data.orders. Default: everywhere.');

/** Schema of one parameter. */
export const ParamSchema = z.strictObject({
  make: MakerSchema.optional().describe('What draws the value.'),
  value: RuleText.optional().describe('Or a rule over earlier parameters, goals, difficulty and state.'),
  is: JsonValue.optional().describe('The value (or, of an object, some of its members) in this file.'),
  in: Places.optional(),
  not: RuleText.optional().describe('A rule; the value is drawn again while it holds.'),
});

const Count = z.union([z.int().min(0).max(100_000), RuleText]);

/** Schema of added rows. */
export const AddRowsSchema = z.strictObject({
  into: z.string().min(1).describe('The collection.'),
  count: Count.default(1).describe('How many: a number, or a rule.'),
  like: RuleText.optional().describe('A rule over row: a row that fits is copied, drawn anew for each.'),
  make: z.record(Name, MakerSchema).default({}).describe('Values drawn for each row, as names in `row`.'),
  row: Fields.default({}).describe('Fields; texts are templates, "{x}" alone keeps the type of x.'),
  place: z.enum(['end', 'start', 'mixed']).default('mixed').describe('Where among the other rows.'),
});

/** Schema of rows or fields that are missing. */
export const DropRowsSchema = z.strictObject({
  from: z.string().min(1).describe('The collection.'),
  where: RuleText.describe('A rule over row: which rows may be hit.'),
  count: Count.optional().describe('How many rows are hit. Default: 1, or by `share`.'),
  share: z
    .union([z.number().min(0).max(1), RuleText])
    .optional()
    .describe('Instead of `count`: the share of the fitting rows, 0 to 1; a number or a rule.'),
  unused: z
    .boolean()
    .default(false)
    .describe('Only rows that neither task, verifiers, scripts nor another row that is left mention by id.'),
  fields: z.array(z.string().min(1)).min(1).optional().describe('Only these fields go, the row stays.'),
});

/** Schema of changed rows. */
export const ChangeRowsSchema = z.strictObject({
  in: z.string().min(1).describe('The collection.'),
  where: RuleText.describe('A rule over row: which rows are changed.'),
  set: Fields.describe('Fields; templates as in added rows, which see the old row as row.'),
});

/** Schema of one entry of `state.permissions` in a child. */
const PermissionEntry = z.looseObject({ on: z.string().min(1) });

/** Schema of an optional part of the task. */
export const GoalSchema = z.strictObject({
  id: Name,
  params: z.record(Name, ParamSchema).default({}),
  rows: z.array(AddRowsSchema).default([]),
  changes: z.array(ChangeRowsSchema).default([]),
  task: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).describe('Template, or several.'),
  success: z.array(VerifierSchema).min(1).describe('Rules that may use the parameters as names.'),
  oracle: z
    .array(ScriptActionSchema)
    .min(1)
    .describe('Steps before the answer; texts are templates over parameters, state, result and steps.'),
  wrong: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        why: z.string().optional(),
        actions: z.array(ScriptActionSchema).min(1),
      }),
    )
    .default([])
    .describe("Steps that take the place of this goal's own in the whole solution."),
  excludes: z.array(Name).default([]).describe('Goals that do not go with this one.'),
});

/** Schema of one level of difficulty. */
const DifficultySchema = z.strictObject({
  params: z.record(Name, ParamSchema).default({}).describe('Take the place of parameters of the same name.'),
  goals: z
    .tuple([z.int().min(0), z.int().min(0)])
    .default([0, 0])
    .describe('Fewest and most goals.'),
  wordings: z.array(z.string()).optional().describe('Only wordings of these levels.'),
  hints: z.array(z.string().min(1)).default([]).describe('Templates put below the task.'),
});

/** Schema of the key `expand`. */
export const ExpandSchema = z.strictObject({
  params: z.record(Name, ParamSchema).default({}).describe('Name → what varies.'),
  rows: z.array(AddRowsSchema).default([]).describe('Distractors, near duplicates and decoys.'),
  drops: z.array(DropRowsSchema).default([]).describe('Missing rows and fields.'),
  changes: z.array(ChangeRowsSchema).default([]).describe('Rows that are otherwise.'),
  renumber: z.array(z.string().min(1)).default([]).describe('Collections whose ids are drawn anew.'),
  shift: z
    .strictObject({
      days: z.array(z.int().min(-36_500).max(36_500)).min(1),
      years: z
        .boolean()
        .default(false)
        .describe("Whether years that stand alone, as in `Invoices 2026`, move with the clock's year."),
      keep: z
        .array(z.string().min(1))
        .default([])
        .describe('Collections whose dates stay: facts of the real calendar, such as offsets of time zones.'),
    })
    .optional()
    .describe('Days by which every date of the world may move.'),
  permissions: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        add: z.array(PermissionEntry).default([]),
        task: z.string().optional(),
      }),
    )
    .default([])
    .describe('Alternatives, one per child: entries for state.permissions, and what the task says of it.'),
  wordings: z
    .array(z.strictObject({ level: z.string().min(1).default('full'), text: z.string().min(1) }))
    .default([])
    .describe("Templates for the task; the file's own task is one more, of level `full`."),
  difficulty: z.record(Name, DifficultySchema).default({}).describe('Levels by name.'),
  goals: z.array(GoalSchema).default([]).describe('Optional parts of the task that can be combined.'),
});

/** The key `expand` with defaults filled in. */
export type ExpandSpec = z.infer<typeof ExpandSchema>;
/** What draws a value. */
export type MakerSpec = z.infer<typeof MakerSchema>;
/** One parameter. */
export type ParamSpec = z.infer<typeof ParamSchema>;
/** Added rows. */
export type AddRowsSpec = z.infer<typeof AddRowsSchema>;
/** Missing rows or fields. */
export type DropRowsSpec = z.infer<typeof DropRowsSchema>;
/** Changed rows. */
export type ChangeRowsSpec = z.infer<typeof ChangeRowsSchema>;
/** An optional part of the task. */
export type GoalSpec = z.infer<typeof GoalSchema>;
