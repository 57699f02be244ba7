/**
 * The states that transition tools lead to: which field they set, to which of its values, and how rows begin.
 *
 * Closing sets `status: closed` unless the rows say it otherwise: a flag field (`closed: true`), or an enum whose
 * word for it is another (`done`). New rows begin with the state before (`open`).
 */
import type { Json, JsonObject } from '../../../core/index.js';
import type { Field } from '../service.js';
import type { Intent } from './infer-intent-types.js';
import { own } from './infer-schema.js';
import { splitWords } from './words.js';
import type { Verb } from './words-verbs.js';

/** What a transition writes, and the word for "already". */
export interface StateChange {
  readonly sets: JsonObject;
  readonly already: string;
}

/** Words that mean nearly the same state. */
const ALIKE: readonly (readonly string[])[] = [
  ['closed', 'done', 'resolved', 'completed', 'complete', 'finished'],
  [
    'open',
    'opened',
    'reopened',
    'new',
    'todo',
    'to do',
    'active',
    'pending',
    'created',
    'backlog',
    'draft',
    'not started',
  ],
  [
    'pending',
    'todo',
    'to do',
    'open',
    'new',
    'requested',
    'submitted',
    'awaiting approval',
    'needs action',
    'unpaid',
    'not started',
    'incomplete',
    'draft',
    'created',
  ],
  ['in progress', 'started', 'doing', 'running', 'active', 'ongoing'],
  ['active', 'open', 'enabled', 'running', 'confirmed', 'live', 'in progress', 'pending', 'new'],
  ['cancelled', 'canceled'],
  ['rejected', 'declined', 'denied'],
  ['approved', 'accepted'],
  ['archived', 'inactive'],
  ['completed', 'complete', 'done', 'finished', 'closed', 'resolved'],
  ['resolved', 'closed', 'done', 'fixed'],
  ['merged', 'closed'],
  ['stopped', 'inactive', 'off'],
  ['running', 'on', 'active', 'started'],
  ['finalized', 'open', 'final'],
  ['suspended', 'inactive', 'disabled'],
  ['disabled', 'inactive', 'off'],
  ['enabled', 'active', 'on'],
  ['paused', 'on hold', 'stopped'],
  ['draft', 'unpublished', 'open', 'new'],
  ['dismissed', 'done', 'read', 'closed'],
];

/** Transitions that are flags where nothing says otherwise; the others are values of a status. */
const FLAGS = new Set([
  'archive',
  'unarchive',
  'pin',
  'unpin',
  'star',
  'unstar',
  'lock',
  'unlock',
  'mute',
  'unmute',
  'read',
  'unread',
  'favorite',
  'unfavorite',
  'flag',
  'unflag',
  'hide',
  'unhide',
  'subscribe',
  'like',
  'unlike',
  'follow',
  'unfollow',
  'unsubscribe',
  'enable',
  'disable',
  'check',
  'uncheck',
  'freeze',
  'unfreeze',
  'important',
  'spam',
  'starred',
  'restore',
]);

/** The change of state of one intent, over the fields its collection has so far. */
export function stateChange(verb: Verb, fields: ReadonlyMap<string, Field>): StateChange | undefined {
  if (verb.participle === undefined) return undefined;
  const already = verb.participle.replaceAll('_', ' ');
  const status = statusField(fields);
  const flag = flagField(verb, fields);
  if (flag !== undefined) return { sets: { [flag.name]: flag.value }, already };
  if (status !== undefined) {
    const fit = valueIn(status, verb.participle);
    if (fit !== undefined) return { sets: { [status.name]: fit }, already };
  }
  const [own] = Object.entries(verb.flag ?? {});
  if (own !== undefined && FLAGS.has(verb.word)) return { sets: { [own[0]]: own[1] }, already };
  return { sets: { [status?.name ?? 'status']: verb.participle }, already };
}

/** The field that holds a state: status, state, or one that ends so. */
function statusField(fields: ReadonlyMap<string, Field>): Field | undefined {
  for (const name of ['status', 'state', 'stage', 'lifecycle']) {
    const exact = fields.get(name);
    if (exact !== undefined) return exact;
  }
  return [...fields.values()].find((field) =>
    ['status', 'state'].includes(splitWords(field.name).at(-1) ?? ''),
  );
}

/** A yes-or-no field of the rows that says the same as the transition: completed, is_done, archived. */
function flagField(
  verb: Verb,
  fields: ReadonlyMap<string, Field>,
): { name: string; value: Json } | undefined {
  const value = Object.values(verb.flag ?? {})[0] ?? true;
  const words = new Set([
    ...Object.keys(verb.flag ?? {}),
    ...(value === true ? [verb.participle ?? ''] : []),
  ]);
  if (words.has('completed') || words.has('done'))
    for (const word of ['done', 'completed', 'complete', 'finished']) words.add(word);
  for (const field of fields.values()) {
    if (own(field.schema, 'type') !== 'boolean') continue;
    const name = splitWords(field.name)
      .filter((word) => word !== 'is')
      .join('_');
    if (words.has(name)) return { name: field.name, value };
  }
  return undefined;
}

/** The value of an enum that means a state; the word itself where there is no enum; undefined if none fits. */
function valueIn(field: Field, state: string): Json | undefined {
  const choices = own(field.schema, 'enum');
  if (!Array.isArray(choices)) return state;
  const plain = (value: Json): string => splitWords(String(value)).join(' ');
  const wanted = splitWords(state).join(' ');
  const exact = choices.find((choice: Json) => plain(choice) === wanted);
  if (exact !== undefined) return exact as Json;
  for (const group of ALIKE) {
    if (group[0] !== wanted) continue;
    for (const word of group) {
      const alike = choices.find((choice: Json) => plain(choice) === word);
      if (alike !== undefined) return alike as Json;
    }
  }
  return undefined;
}

/** Adds the fields that transitions set, with how new rows begin. */
export function addStates(fields: Map<string, Field>, intents: readonly Intent[]): void {
  const known = new Map(fields);
  for (const intent of intents) {
    const verb = intent.transition ?? intent.facts.state;
    const change = verb === undefined ? undefined : stateChange(verb, known);
    if (change === undefined || verb === undefined) continue;
    for (const [name, value] of Object.entries(change.sets)) {
      const old = fields.get(name);
      const initial = old?.initial ?? startOf(verb, value, old);
      const schema =
        old === undefined || Object.keys(old.schema).length === 0 ? schemaFor(value) : old.schema;
      fields.set(name, {
        ...(old ?? { name, required: false }),
        name,
        schema: withValue(schema, value, initial),
        ...(initial === undefined ? {} : { initial }),
      });
    }
  }
  const status = statusField(fields);
  if (status !== undefined && status.initial === undefined && !status.required) begin(fields, status);
}

/** A status nobody sets at the start begins with the word of its enum that means a beginning. */
function begin(fields: Map<string, Field>, status: Field): void {
  const choices = own(status.schema, 'enum');
  if (!Array.isArray(choices)) return;
  const first = ['open', 'pending', 'active', 'draft']
    .map((word) => valueIn(status, word))
    .find((value) => value !== undefined);
  if (first !== undefined) fields.set(status.name, { ...status, initial: first });
}

function startOf(verb: Verb, value: Json, field: Field | undefined): Json | undefined {
  if (typeof value === 'boolean') return !value;
  if (verb.before === undefined) return undefined;
  return field === undefined ? verb.before : valueIn(field, verb.before);
}

function schemaFor(value: Json): JsonObject {
  return typeof value === 'boolean' ? { type: 'boolean' } : { type: 'string', enum: [] };
}

/** A status made up here knows the values that transitions use, so that seeded rows have one of them. */
function withValue(schema: JsonObject, ...values: readonly (Json | undefined)[]): JsonObject {
  const choices = own(schema, 'enum');
  if (!Array.isArray(choices)) return schema;
  const more = values.filter((value): value is Json => value !== undefined && !choices.includes(value));
  return more.length === 0 ? schema : { ...schema, enum: [...choices, ...new Set(more)] };
}
