/**
 * Which fields name a row of a collection.
 *
 * Every tool that reads, changes or deletes one row votes for the field its key argument speaks of; given rows and
 * answer schemas decide how that field is really written (`ticket_id` or `id`). Edges without an id get a natural
 * key of all the values that a delete must repeat (from, to, relationType).
 */
import type { JsonObject } from '../../../core/index.js';
import type { Intent } from './infer-intent-types.js';
import { keyFieldOf, keyStrength, keyWordsOf } from './infer-keys.js';
import type { Property } from './infer-schema.js';
import { splitWords } from './words.js';

/** A key with the argument that showed it. */
export interface KeyChoice {
  readonly fields: readonly string[];
  /** Arguments that hold the key, best first. */
  readonly evidence: readonly Property[];
}

const ORDER = [
  'id',
  'uuid',
  'guid',
  'number',
  'iid',
  'key',
  'slug',
  'sku',
  'path',
  'name',
  'code',
  'email',
  'username',
];

/** Chooses the key of a collection. `shown` are field names seen in rows or answers. */
export function chooseKey(input: {
  readonly noun: readonly string[];
  readonly intents: readonly Intent[];
  readonly rows: readonly JsonObject[];
  readonly shown: ReadonlySet<string>;
  /** Arguments of other collections' tools that name a row of this one. */
  readonly elsewhere: readonly Property[];
}): KeyChoice {
  const votes = new Map<string, { weight: number; evidence: Property[] }>();
  for (const intent of input.intents) {
    for (const argument of keyArgumentsOf(intent)) vote(votes, input.noun, argument);
  }
  const natural = votes.size === 0 ? naturalKey(input.intents, input.noun) : undefined;
  if (natural !== undefined) return { fields: natural, evidence: [] };
  if (votes.size === 0) for (const argument of input.elsewhere) vote(votes, input.noun, argument);
  const ranked = [...votes].sort(([a, x], [b, y]) => y.weight - x.weight || rank(a) - rank(b));
  const [best] = ranked;
  if (best !== undefined) {
    const field =
      best[0] === ''
        ? (ranked[1]?.[0] ?? givenBare(best[1].evidence, input.intents) ?? fromShown(input) ?? 'id')
        : best[0];
    const more = input.elsewhere.filter((argument) => keyFieldOf(argument) === field);
    const evidence = [
      ...best[1].evidence,
      ...more,
      ...(best[0] === '' ? (ranked[1]?.[1].evidence ?? []) : []),
    ];
    return { fields: [asWritten(field, evidence, input)], evidence };
  }
  return { fields: [fromRows(input) ?? fromShown(input) ?? 'id'], evidence: [] };
}

/** create_branch(branch) and delete_branch(branch): the caller gives the key under the bare noun. */
function givenBare(evidence: readonly Property[], intents: readonly Intent[]): string | undefined {
  const made = intents.filter((intent) => intent.op === 'create' && intent.batch === undefined);
  const given = evidence.find((argument) =>
    made.some((intent) => intent.facts.args.some((one) => one.required && one.name === argument.name)),
  );
  return given?.name;
}

function rank(field: string): number {
  const at = ORDER.indexOf(field);
  return at === -1 ? ORDER.length : at;
}

/** The arguments of an intent that hold a key of its own noun. */
function keyArgumentsOf(intent: Intent): Property[] {
  if (intent.op === 'create' || intent.op === 'list' || intent.op === 'search' || intent.op === 'count')
    return [];
  if (intent.batch?.items === 'keys') return [intent.batch.argument];
  if (intent.batch !== undefined && intent.keyArgument === undefined) {
    const noun = intent.noun ?? [];
    const keys = intent.batch.properties.filter((property) => keyStrength(property, noun) >= 2);
    return keys.slice(0, 1);
  }
  return intent.keyArgument === undefined ? [] : [intent.keyArgument];
}

function vote(
  votes: Map<string, { weight: number; evidence: Property[] }>,
  noun: readonly string[],
  argument: Property,
): void {
  const { stem, word, strong } = keyWordsOf(argument);
  const strength = keyStrength(argument, noun);
  const field =
    word === '' && (strength === 2 || stem.join(' ') === noun.join(' '))
      ? ''
      : strength === 0
        ? argument.name
        : keyFieldOf(argument);
  const entry = votes.get(field) ?? { weight: 0, evidence: [] };
  entry.weight += strength === 0 ? 0.5 : strong ? 2 : field === '' ? 1.5 : 1;
  entry.evidence.push(argument);
  votes.set(field, entry);
}

/** How rows or answers write the field: `id`, `ticket_id`, `ticketId`; the argument's own name is tried too. */
function asWritten(
  field: string,
  evidence: readonly Property[],
  input: { noun: readonly string[]; rows: readonly JsonObject[]; shown: ReadonlySet<string> },
): string {
  if (input.shown.size === 0 || input.shown.has(field)) return field;
  for (const argument of evidence) if (input.shown.has(argument.name)) return argument.name;
  const wanted = [...input.noun.slice(-1), field].join(' ');
  const whole = [...input.noun, field].join(' ');
  for (const name of input.shown) {
    const words = splitWords(name).join(' ');
    if (words === field || words === wanted || words === whole) return name;
  }
  return input.rows.length > 0 ? (fromRows(input) ?? field) : field;
}

/** Values that a delete of several rows must repeat, when none of them is an id. */
function naturalKey(intents: readonly Intent[], noun: readonly string[]): readonly string[] | undefined {
  const removal = intents.find((intent) => intent.op === 'delete' && intent.batch?.items === 'objects');
  const single = intents.find(
    (intent) =>
      intent.op === 'delete' &&
      intent.batch === undefined &&
      intent.keyArgument === undefined &&
      intent.all !== true,
  );
  const properties = removal?.batch?.properties ?? single?.facts.args;
  const required =
    properties?.filter((property) => property.required && keyStrength(property, noun) < 2) ?? [];
  return required.length === 0 ? undefined : required.map((property) => property.name);
}

/** A field that all given rows have with different values. */
function fromRows(input: { noun: readonly string[]; rows: readonly JsonObject[] }): string | undefined {
  const [first] = input.rows;
  if (first === undefined) return undefined;
  const noun = input.noun.at(-1) ?? '';
  const names = Object.keys(first).filter((name) => isUnique(name, input.rows));
  const score = (name: string): number => {
    const words = splitWords(name);
    const last = words.at(-1) ?? '';
    const at = rank(last);
    if (at === ORDER.length) return 100;
    if (words.length === 1) return at;
    return words.at(-2) === noun ? at + 0.5 : 50 + at;
  };
  return names.filter((name) => score(name) < 50).sort((a, b) => score(a) - score(b))[0] ?? names[0];
}

function isUnique(name: string, rows: readonly JsonObject[]): boolean {
  const seen = new Set<unknown>();
  for (const row of rows) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if ((typeof value !== 'string' && typeof value !== 'number') || seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}

/** A field of answers that looks like the noun's id. */
function fromShown(input: { noun: readonly string[]; shown: ReadonlySet<string> }): string | undefined {
  const names = [...input.shown];
  const noun = input.noun.at(-1) ?? '';
  return (
    ORDER.slice(0, 8).find((name) => input.shown.has(name)) ??
    names.find((name) => splitWords(name).join(' ') === `${noun} id`) ??
    (input.shown.has('name') ? 'name' : undefined)
  );
}
