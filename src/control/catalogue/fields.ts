/**
 * Faults of shape: a field has another name, is missing, null, of another type, one level deeper, or of a new kind.
 *
 * `field` is a field's name wherever it stands in the answer. Without it the seed chooses one that the answer has.
 */
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, type RandomStream } from '../../core/index.js';
import { alterValue, answerValue, withMembers } from '../alter-json.js';
import {
  defineOperationFault,
  type FaultAction,
  type FaultEvidence,
  type FaultStrike,
} from '../fault-kind.js';
import { GET, LIST } from './example-calls.js';

/** What the kinds on fields and values have in common. */
export const FIELD_PLACE = {
  phases: ['after'],
  operations: ['tool.call', 'http.request'],
  domains: ['mcp', 'search', 'web'],
  works: 'alters',
} as const;

const PLACE = { ...FIELD_PLACE, family: 'fields' } as const;

/** The parameter `field`. */
export const FIELD = z
  .string()
  .min(1)
  .optional()
  .describe('Name of the field, wherever it stands. Default: one that the seed chooses.');

/** True if an answer was changed and is still an answer. */
export const changedAnswer = ({ seen, clean }: FaultEvidence): boolean =>
  !seen.isError && seen.text !== clean.text;

/** The names of all members with a value that fits, in the order in which they come first. */
export function fieldNames(value: Json, fits: (value: Json, name: string) => boolean): readonly string[] {
  const names = new Set<string>();
  const look = (part: Json): void => {
    if (Array.isArray(part)) for (const item of part as readonly Json[]) look(item);
    if (!isJsonObject(part)) return;
    for (const [name, member] of Object.entries(part)) {
      if (fits(member, name)) names.add(name);
      look(member);
    }
  };
  look(value);
  return [...names];
}

/** Changes every member of a name; parts without one stay the same objects. */
export function editField(
  value: Json,
  field: string,
  edit: (value: Json) => readonly [string, Json][],
): Json {
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => editField(item, field, edit));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  let any = false;
  const changed = withMembers(value, (name, member) => {
    if (name === field) {
      any = true;
      return edit(member);
    }
    const inner = editField(member, field, edit);
    any ||= inner !== member;
    return [[name, inner]];
  });
  return any ? changed : value;
}

/** How one kind changes a field. */
export interface FieldEdit {
  readonly kind: string;
  readonly field: string | undefined;
  readonly fits: (value: Json, name: string) => boolean;
  /** The names from which the seed chooses where no field is named. Default: all that fit. */
  readonly likely?: (name: string) => boolean;
  readonly edit: (value: Json, name: string, random: RandomStream) => readonly [string, Json][];
  /** What is missing where nothing fits, for people. */
  readonly wanted: string;
}

/** Strikes one field of an answer, or says why not. */
export function strikeField(strike: FaultStrike, how: FieldEdit): FaultAction {
  const { answer } = strike;
  const value = answer === undefined || answer.isError ? undefined : answerValue(answer);
  if (answer === undefined || value === undefined) return { do: 'skip', why: 'the answer has no fields' };
  const { field, likely } = how;
  const names = fieldNames(value, how.fits).filter((name) =>
    field === undefined ? (likely?.(name) ?? true) : name === field,
  );
  const random = strike.random();
  const name = names.length === 0 ? undefined : random.pick(names);
  if (name === undefined) {
    const what = how.field === undefined ? how.wanted : `'${how.field}' with ${how.wanted}`;
    return { do: 'skip', why: `the answer has no ${what}` };
  }
  const edit = (member: Json): readonly [string, Json][] =>
    how.fits(member, name) ? how.edit(member, name, random) : [[name, member]];
  const altered = alterValue(answer, how.kind, (whole) => editField(whole, name, edit));
  if (altered === undefined) return { do: 'skip', why: `'${name}' stays as it is` };
  return { do: 'alter', answer: altered, note: { fields: [name] } };
}

const anyField = (): boolean => true;
const plain = (value: Json): boolean => typeof value !== 'object' || value === null;

/** The kind `field-renamed`. */
export const fieldRenamedFault = defineOperationFault({
  ...PLACE,
  name: 'field-renamed',
  description: 'A field of the answer has another name; its value is the same.',
  remedy: 'Find the value under its new name.',
  parameters: z.strictObject({
    field: FIELD,
    to: z
      .string()
      .min(1)
      .optional()
      .describe('The new name. Default: the old one in the other style, or with `_value`.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', with: { field: 'status', to: 'state' } }, calls: GET },
  strike: ({ field, to }, strike) =>
    strikeField(strike, {
      kind: 'field-renamed',
      field,
      fits: anyField,
      wanted: 'field',
      edit: (value, name) => [[to ?? otherName(name), value]],
    }),
  tookEffect: changedAnswer,
});

function otherName(name: string): string {
  const camel = name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
  if (camel !== name) return camel;
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return snake === name ? `${name}_value` : snake;
}

/** The kind `field-missing`. */
export const fieldMissingFault = defineOperationFault({
  ...PLACE,
  name: 'field-missing',
  description: 'A field is not there any more.',
  remedy: 'Ask elsewhere, or say that it is not known; do not make the value up.',
  parameters: z.strictObject({ field: FIELD }),
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_get', with: { field: 'cost_cents' } }, calls: GET },
  strike: ({ field }, strike) =>
    strikeField(strike, { kind: 'field-missing', field, fits: anyField, wanted: 'field', edit: () => [] }),
  tookEffect: changedAnswer,
});

/** The kind `field-nulled`. */
export const fieldNulledFault = defineOperationFault({
  ...PLACE,
  name: 'field-nulled',
  description: 'A field is there and null.',
  remedy: 'Treat it as not known; ask elsewhere or say so.',
  parameters: z.strictObject({ field: FIELD }),
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_get', with: { field: 'due' } }, calls: GET },
  strike: ({ field }, strike) =>
    strikeField(strike, {
      kind: 'field-nulled',
      field,
      fits: (value) => value !== null,
      wanted: 'field with a value',
      edit: (_value, name) => [[name, null]],
    }),
  tookEffect: changedAnswer,
});

/** The kind `field-retyped`. */
export const fieldRetypedFault = defineOperationFault({
  ...PLACE,
  name: 'field-retyped',
  description:
    'A field has a value of another type that says the same: a number as text, text in a list, true as 1.',
  remedy: 'Read the value as what it means.',
  parameters: z.strictObject({
    field: FIELD,
    to: z
      .enum(['text', 'list', 'object', 'number'])
      .default('text')
      .describe('The new type; `number` is for true, false and texts of digits.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', with: { field: 'status', to: 'list' } }, calls: GET },
  strike: ({ field, to }, strike) =>
    strikeField(strike, {
      kind: 'field-retyped',
      field,
      fits: (value) => plain(value) && value !== null && retyped(value, to) !== undefined,
      wanted: `value that can be a ${to}`,
      edit: (value, name) => [[name, retyped(value, to) ?? value]],
    }),
  tookEffect: changedAnswer,
});

function retyped(value: Json, to: 'text' | 'list' | 'object' | 'number'): Json | undefined {
  if (to === 'list') return [value];
  if (to === 'object') return { value };
  if (to === 'text') return typeof value === 'string' ? undefined : String(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** The kind `field-nested`. */
export const fieldNestedFault = defineOperationFault({
  ...PLACE,
  name: 'field-nested',
  description: 'A field has moved one level deeper, into an object.',
  remedy: 'Find it inside.',
  parameters: z.strictObject({
    field: FIELD,
    under: z.string().min(1).default('attributes').describe('Name of the object that holds it now.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', with: { field: 'title' } }, calls: GET },
  strike: ({ field, under }, strike) =>
    strikeField(strike, {
      kind: 'field-nested',
      field,
      fits: anyField,
      wanted: 'field',
      edit: (value, name) => [[under, { [name]: value } satisfies JsonObject]],
    }),
  tookEffect: changedAnswer,
});

/** Names of fields that hold one of a few words; a person's name or a title grows no new kind. */
const isEnumName = (name: string): boolean =>
  /(^|[_-])(status|state|stage|phase|type|kind|level|role|category|class|priority|severity|visibility|mode|method|reason|condition|unit|tier|plan|label|availability|currency)$/i.test(
    name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'),
  );

/** The kind `enum-grown`. */
export const enumGrownFault = defineOperationFault({
  ...PLACE,
  name: 'enum-grown',
  description:
    'A field that was one of a few known words has a new one. Without `field` one whose name says so: a status, a type, a level, …',
  remedy: 'Do not force it into the known ones; look it up or say so.',
  parameters: z.strictObject({
    field: FIELD,
    value: z.string().min(1).default('pending_review').describe('The new word.'),
  }),
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_list', with: { field: 'status' }, max: 1 }, calls: LIST },
  strike: ({ field, value }, strike) =>
    strikeField(strike, {
      kind: 'enum-grown',
      field,
      fits: (member) => typeof member === 'string' && /^[A-Za-z][A-Za-z_-]{1,30}$/.test(member),
      likely: isEnumName,
      wanted: field === undefined ? 'field of a few known words, such as a status' : 'single word',
      edit: (_member, name) => [[name, value]],
    }),
  tookEffect: (evidence, { value }) => changedAnswer(evidence) && evidence.seen.text.includes(value),
});
