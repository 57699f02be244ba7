/**
 * Learns how rows look from the rows that were seen: ids, initial values, times, the order of fields.
 *
 * Ids: counted (with prefix and width), numbers, UUIDs, hexadecimal, tokens; what the arguments hold is given. A field
 * that a made row had and no argument gave is a stamp where it is the time of the call, else an initial value where all
 * made rows agree. Only what differs from the inferred model is said.
 */
import { canonicalJson, type Json, type JsonObject, parseJson, renderJson } from '../../core/index.js';
import type { Collection, EntitySpec, ServiceModel } from '../../engines/index.js';
import type { LearnedCall, LearnedState } from './learned-state.js';

type FieldSpec = NonNullable<EntitySpec['fields']>[string];
type IdSpec = NonNullable<EntitySpec['id']>;

interface MadeRow {
  readonly row: JsonObject;
  readonly by: LearnedCall;
}

/** The corrections of the model, by collection. */
export function learnEntities(
  model: ServiceModel,
  learned: LearnedState,
): Readonly<Record<string, EntitySpec>> {
  const entities: [string, EntitySpec][] = [];
  for (const collection of Object.values(model.collections)) {
    const { name } = collection;
    const made = madeRows(learned, collection);
    const started = learned.start[name] ?? [];
    const id = idOf(collection, started, made);
    const fields = fieldsOf(collection, [...started, ...made.map(({ row }) => row)], made);
    const spec: EntitySpec = {
      ...(id !== undefined && {
        key: [...collection.key].length === 1 ? (collection.key[0] ?? 'id') : [...collection.key],
        id,
      }),
      ...(Object.keys(fields).length > 0 && { fields }),
    };
    if (Object.keys(spec).length > 0) entities.push([name, spec]);
  }
  return Object.fromEntries(entities);
}

function madeRows(learned: LearnedState, collection: Collection): readonly MadeRow[] {
  const made: MadeRow[] = [];
  for (const by of learned.sessions.flat()) {
    const op = by.plan?.op;
    if (op !== 'create' && op !== 'upsert') continue;
    const before = by.before.get(collection.name);
    for (const [key, row] of by.after.get(collection.name) ?? []) {
      if (before?.has(key) !== true) made.push({ row, by });
    }
  }
  return made;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function idOf(
  collection: Collection,
  started: readonly JsonObject[],
  made: readonly MadeRow[],
): IdSpec | undefined {
  const [field] = collection.key;
  if (field === undefined || collection.key.length > 1) return undefined;
  const minted = made.filter(
    ({ row, by }) => !renderJson(by.call.args).includes(renderJson(row[field] ?? null)),
  );
  const ids = (minted.length > 0 ? minted.map(({ row }) => row) : made.length > 0 ? [] : started).map(
    (row) => row[field] ?? null,
  );
  if (ids.length === 0) return undefined;
  const first = minted.length > 0 ? undefined : nextAfter(started.map((row) => row[field] ?? null));
  return idSpec(ids, first);
}

function nextAfter(ids: readonly Json[]): number | undefined {
  const numbers = ids
    .map((id) => Number(String(id).replace(/^\D*/, '')))
    .filter((id) => Number.isSafeInteger(id));
  return numbers.length === 0 ? undefined : Math.max(...numbers) + 1;
}

/** The style of some ids, undefined where they have none; `start` is the first number of a counted one, where it is not that of the first id. */
export function idSpec(ids: readonly Json[], start?: number): IdSpec | undefined {
  const [first] = ids;
  if (ids.every((id) => typeof id === 'number' || typeof id === 'bigint')) {
    return { style: 'number', start: start ?? Math.max(0, Math.min(...ids.map(Number))) };
  }
  if (typeof first !== 'string' || !ids.every((id) => typeof id === 'string')) return undefined;
  const texts = ids as readonly string[];
  if (texts.every((id) => UUID.test(id))) return { style: 'uuid' };
  const prefix = commonPrefix(texts);
  const rests = texts.map((id) => id.slice(prefix.length));
  if (rests.every((rest) => /^\d{1,20}$/.test(rest))) {
    const width =
      rests.every((rest) => rest.length === rests[0]?.length) && rests[0]?.startsWith('0')
        ? (rests[0]?.length ?? 0)
        : 0;
    const numbers = rests.map(Number).filter((one) => Number.isSafeInteger(one));
    return {
      style: 'counter',
      ...(prefix !== '' && { prefix }),
      start: start ?? Math.min(...numbers, Number.MAX_SAFE_INTEGER),
      width,
    };
  }
  const [rest = ''] = rests;
  const isEven = rests.every((one) => one.length === rest.length);
  if (prefix === '' && isEven && rests.every((one) => /^[0-9a-f]{8,64}$/.test(one)))
    return { style: 'hex', length: rest.length };
  const isToken = rest.length > 0 && rest.length <= 64 && rests.every((one) => /^[A-Za-z0-9_-]+$/.test(one));
  if (!isToken) return undefined;
  const letters = rests.join('').replace(/[^A-Za-z]/g, '');
  const isLower = letters.length > 0 && letters === letters.toLowerCase();
  const isUpper = letters.length > 0 && letters === letters.toUpperCase();
  return {
    style: 'token',
    // Said even where there is none: the engine would invent one.
    prefix,
    length: rest.length,
    ...(isLower && { letters: 'lower' as const }),
    ...(isUpper && { letters: 'upper' as const }),
  };
}

/** What all begin with, up to its last letter before digits: `task-` of task-17 and task-18, not `task-1`. */
function commonPrefix(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = 0;
  while (length < first.length && texts.every((text) => text[length] === first[length])) length++;
  const common = texts.length === 1 ? first : first.slice(0, length);
  return /^(?:[A-Za-z]+[-_:#])+|^[A-Z]{1,6}(?=\d)/.exec(common)?.[0] ?? '';
}

function fieldsOf(
  collection: Collection,
  rows: readonly JsonObject[],
  made: readonly MadeRow[],
): Readonly<Record<string, FieldSpec>> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const fields = names.flatMap((name): [string, FieldSpec][] => {
    if (collection.key.includes(name)) return [];
    const spec = fieldSpec(collection, name, { rows, made });
    return spec === undefined ? [] : [[name, spec]];
  });
  return Object.fromEntries(fields);
}

function fieldSpec(
  collection: Collection,
  name: string,
  of: { readonly rows: readonly JsonObject[]; readonly made: readonly MadeRow[] },
): FieldSpec | undefined {
  const known = Object.hasOwn(collection.fields, name) ? collection.fields[name] : undefined;
  const ungiven = of.made.filter(
    ({ row, by }) => Object.hasOwn(row, name) && !isGiven(by, name, row[name] ?? null),
  );
  const type =
    known === undefined
      ? {
          schema: typeSchema(of.rows.flatMap((row) => (Object.hasOwn(row, name) ? [row[name] as Json] : []))),
        }
      : {};
  if (ungiven.length === 0) {
    // The engine would start the field although the service did not: what it made no row has.
    return known === undefined ? type : undefined;
  }
  const stamp = stampOf(ungiven, name);
  if (stamp !== undefined) return { ...type, ...stamp };
  const values = ungiven.map(({ row }) => row[name] ?? null);
  const [value] = values;
  if (value === undefined || values.some((one) => canonicalJson(one) !== canonicalJson(value)))
    return known === undefined ? type : undefined;
  if (known?.initial !== undefined && canonicalJson(known.initial) === canonicalJson(value)) return undefined;
  if (ungiven.length === 1 && typeof value === 'string' && value.length > 40)
    return known === undefined ? type : undefined;
  return { ...type, initial: value as never };
}

function isGiven(by: LearnedCall, name: string, value: Json): boolean {
  const argument = Object.entries(by.plan?.writes ?? {}).find(([, field]) => field === name)?.[0] ?? name;
  const text = renderJson(by.call.args);
  if (text.includes(`${renderJson(argument)}:`)) return true;
  return typeof value === 'string' && value.length > 3 && text.includes(renderJson(value));
}

function typeSchema(values: readonly Json[]): Record<string, string | string[]> {
  const types = [
    ...new Set(
      values.map((value) =>
        value === null
          ? 'null'
          : Array.isArray(value)
            ? 'array'
            : typeof value === 'bigint'
              ? 'integer'
              : typeof value,
      ),
    ),
  ];
  const [only] = types;
  return types.length === 1 && only !== undefined
    ? { type: only }
    : types.length === 0
      ? {}
      : { type: types };
}

/** A time within this of the call is the time of the call. */
const NEAR_MS = 60_000;

function stampOf(made: readonly MadeRow[], name: string): Pick<FieldSpec, 'stamp' | 'stampAs'> | undefined {
  const forms = made.map(({ row, by }) => {
    const form = timeForm(row[name] ?? null);
    if (form === undefined) return undefined;
    const { atMs } = by.call;
    return atMs === null || Math.abs(form.atMs - atMs) <= NEAR_MS ? form.as : undefined;
  });
  const [as] = forms;
  if (as === undefined || forms.some((form) => form !== as)) return undefined;
  const isUpdate = /updat|modif|chang|last/i.test(name);
  return { stamp: isUpdate ? 'updated' : 'created', ...(as !== 'iso' && { stampAs: as }) };
}

/** A time and how it is written. */
function timeForm(
  value: Json,
): { readonly as: NonNullable<FieldSpec['stampAs']>; readonly atMs: number } | undefined {
  if (typeof value === 'number') {
    if (value > 1e12 && value < 1e14) return { as: 'epoch-ms', atMs: value };
    return value > 1e9 && value < 1e11 ? { as: 'epoch-s', atMs: value * 1000 } : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return { as: 'iso', atMs: Date.parse(value) };
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) return { as: 'iso-s', atMs: Date.parse(value) };
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value))
    return { as: 'sql', atMs: Date.parse(`${value.replace(' ', 'T')}Z`) };
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00$/.test(value))
    return { as: 'iso-offset', atMs: Date.parse(value) };
  return undefined;
}

/** JSON of a text, or undefined. */
export function jsonOf(text: string): Json | undefined {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : undefined;
}
