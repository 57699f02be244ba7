/**
 * Fields that no tool mentions but rows usually have: a name, time stamps; and which field is the label.
 *
 * Added only where nothing better is known; answers and given rows show what a row really has.
 */
import type { JsonObject } from '../../../core/index.js';
import type { Field } from '../service.js';
import { writtenBy } from './entities-fields.js';
import type { Intent } from './infer-intent-types.js';
import { splitWords } from './words.js';

const LABELS = [
  'title',
  'name',
  'subject',
  'summary',
  'label',
  'full_name',
  'fullName',
  'display_name',
  'displayName',
  'text',
  'message',
  'description',
  'content',
  'email',
];

/** The field a person would call a row by: a title or name first, then texts, then a telling key; else undefined. */
export function labelOf(fields: ReadonlyMap<string, Field>, key: readonly string[]): string | undefined {
  const exact = LABELS.find((name) => fields.has(name));
  if (exact !== undefined) return exact;
  const ending = [...fields.keys()].find((name) =>
    ['title', 'name', 'subject'].includes(splitWords(name).at(-1) ?? ''),
  );
  return ending ?? (key.length === 1 && ['name', 'path', 'slug'].includes(key[0] ?? '') ? key[0] : undefined);
}

/** What rows usually hold when no tool says: by the last word of the noun. */
const USUAL: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  balance: [
    ['amount', 'number'],
    ['currency', 'string'],
  ],
  message: [['text', 'string']],
  comment: [['body', 'string']],
  reply: [['text', 'string']],
  directory: [['path', 'string']],
  note: [
    ['title', 'string'],
    ['body', 'string'],
  ],
  history: [['summary', 'string']],
  user: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  me: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  customer: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  contact: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  employee: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  member: [
    ['name', 'string'],
    ['email', 'string'],
  ],
  transaction: [
    ['amount', 'number'],
    ['currency', 'string'],
    ['description', 'string'],
  ],
  payment: [
    ['amount', 'number'],
    ['currency', 'string'],
  ],
  price: [
    ['amount', 'number'],
    ['currency', 'string'],
  ],
  invoice: [
    ['amount', 'number'],
    ['currency', 'string'],
  ],
  commit: [
    ['sha', 'string'],
    ['message', 'string'],
  ],
  issue: [
    ['title', 'string'],
    ['body', 'string'],
  ],
  email: [
    ['from', 'string'],
    ['subject', 'string'],
    ['body', 'string'],
  ],
};

/** Rows that no tool makes and that have no label, or of which nothing but ids is known, get the fields that such things usually have; a name, if nothing better. */
export function addUsual(
  fields: Map<string, Field>,
  of: {
    readonly noun: readonly string[];
    readonly key: readonly string[];
    readonly scope: readonly string[];
    readonly rows: readonly JsonObject[];
    readonly shown: ReadonlySet<string>;
    /** Some tool makes rows, so their fields are known. */
    readonly made: boolean;
  },
): void {
  if (of.rows.length > 0 || of.shown.size > 0) return;
  const told = [...fields.values()].some((field) => !isBookkeeping(field, of));
  if (told && (of.made || LABELS.some((name) => fields.has(name) && name !== 'title'))) return;
  const last = of.noun.at(-1) ?? '';
  const usual = Object.hasOwn(USUAL, last) ? USUAL[last] : undefined;
  for (const [name, type] of usual ?? [['name', 'string']]) {
    const like = name === 'name' && fields.has('title') && usual === undefined;
    if (!fields.has(name) && !like) fields.set(name, { name, schema: { type }, required: false });
  }
}

function isBookkeeping(
  field: Field,
  of: { readonly key: readonly string[]; readonly scope: readonly string[] },
): boolean {
  if (of.key.includes(field.name)) return ['id', 'uuid', 'number', 'key', 'iid', 'slug'].includes(field.name);
  if (of.scope.includes(field.name) || field.refersTo !== undefined || field.stamp !== undefined) return true;
  const type = field.schema.type;
  return (
    type === 'boolean' ||
    Array.isArray(field.schema.enum) ||
    /(?:_id|Id|ID|_number|Number|_slug)$/.test(field.name)
  );
}

/** Rows with minted ids are stamped, unless answers or given rows show that they are not. */
export function addStamps(
  fields: Map<string, Field>,
  of: {
    readonly intents: readonly Intent[];
    readonly rows: readonly JsonObject[];
    readonly camel: boolean;
    readonly shown: ReadonlySet<string>;
  },
): void {
  for (const field of fields.values()) {
    const stamp = stampOf(field.name);
    const written = of.intents.some((intent) =>
      writtenBy(intent).some((property) => property.name === field.name),
    );
    if (stamp !== undefined && !written && field.schema.type !== 'boolean')
      fields.set(field.name, { ...field, stamp });
  }
  const natural = of.intents.some((intent) => intent.files === true);
  if (of.shown.size > 0 || natural || of.intents.length === 0) return;
  const has = (stamp: 'created' | 'updated') => [...fields.values()].some((field) => field.stamp === stamp);
  const add = (name: string, stamp: 'created' | 'updated'): void => {
    if (!has(stamp) && !fields.has(name))
      fields.set(name, { name, schema: { type: 'string', format: 'date-time' }, required: false, stamp });
  };
  if (of.intents.some((intent) => intent.op === 'create' || intent.op === 'get' || intent.op === 'list')) {
    add(of.camel ? 'createdAt' : 'created_at', 'created');
  }
  const changes = of.intents.some((intent) => ['update', 'upsert', 'append', 'remove'].includes(intent.op));
  if (changes) add(of.camel ? 'updatedAt' : 'updated_at', 'updated');
}

function stampOf(name: string): 'created' | 'updated' | undefined {
  const words = splitWords(name).join(' ');
  if (
    /^(?:created|created at|created on|date created|creation date|creation time|created time|inserted at|created date)$/.test(
      words,
    )
  )
    return 'created';
  if (
    /^(?:updated|updated at|updated on|last updated|modified|modified at|last modified|date modified|last edited time|updated time|last modified at)$/.test(
      words,
    )
  )
    return 'updated';
  return undefined;
}
