/**
 * Finds rows nested in rows in a recording: a call that makes a thing together with a list of its parts.
 *
 * The idea: the argument is a list of objects, and the answer shows as many objects with the same values and a new id
 * each, beside one more new id. The first is the part, the second the whole. What else an answer shows in an object
 * with the id of a part is a field of the part. Not covered: parts of parts, parts without ids.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { jsonOf } from './learn-entities.js';
import { looksFailed } from './soft-failures.js';
import type { TwinCall, TwinSource } from './twin-source.js';

/** How a thing and its parts are told apart and made. Names of arguments are the tools' own. */
export interface NestedService {
  /** The tool that makes both, and its list argument. */
  readonly maker: string;
  readonly list: string;
  /** Field of the whole, and of its parts, that holds the id. */
  readonly wholeKey: string;
  readonly partKey: string;
  /** Arguments that name a whole and a part. */
  readonly wholeArgument: string;
  readonly partArgument: string;
  /** Ids in the order of making, by the call that made them. */
  readonly made: ReadonlyMap<TwinCall, MadeIds>;
  /** Fields of parts and wholes that answers show beside the arguments, with the value at first sight. */
  readonly partFields: ReadonlyMap<string, Json>;
  readonly wholeFields: ReadonlyMap<string, Json>;
}

/** The ids that one call gave. */
export interface MadeIds {
  readonly whole: Json;
  readonly parts: readonly Json[];
}

/** The nested rows of a recording; undefined where there are none. */
export function findNested(source: TwinSource): NestedService | undefined {
  const calls = source.sessions.flat();
  const makings = calls.flatMap((call) => makingOf(call) ?? []);
  const first = makings.find(({ whole }) => whole !== undefined);
  if (first?.whole === undefined) return undefined;
  const { list, partKey, whole } = first;
  const like = makings.filter((one) => one.list === list && one.partKey === partKey);
  const wholeIds = new Set(like.flatMap((one) => (one.whole === undefined ? [] : [one.whole.id])));
  const partIds = new Set(like.flatMap(({ parts }) => parts));
  const wholeArgument = argumentFor(calls, wholeIds);
  const partArgument = argumentFor(calls, partIds);
  if (wholeArgument === undefined || partArgument === undefined || wholeArgument === partArgument)
    return undefined;
  const made = new Map(
    like.map(({ call, parts, whole: own }): [TwinCall, MadeIds] => [
      call,
      { whole: own?.id ?? call.args[wholeArgument] ?? null, parts },
    ]),
  );
  const given = Object.keys(((first.call.args[list] as readonly Json[])[0] ?? {}) as JsonObject);
  const told = Object.keys(first.call.args);
  return {
    maker: first.call.tool,
    list,
    wholeKey: whole.name,
    partKey,
    wholeArgument,
    partArgument,
    made,
    partFields: fieldsBeside(calls, { key: partKey, ids: partIds, known: [...given, wholeArgument] }),
    wholeFields: booleansBeside(calls, { key: whole.name, ids: wholeIds, known: told }),
  };
}

interface Making {
  readonly call: TwinCall;
  readonly list: string;
  readonly partKey: string;
  readonly parts: readonly Json[];
  readonly whole: { readonly name: string; readonly id: Json } | undefined;
}

function makingOf(call: TwinCall): Making | undefined {
  const answer = call.value ?? jsonOf(call.text);
  if (looksFailed(call) || !isJsonObject(answer)) return undefined;
  for (const [list, items] of Object.entries(call.args)) {
    if (!Array.isArray(items) || items.length === 0 || !items.every(isJsonObject)) continue;
    const given = canonicalJson(call.args);
    const isFresh = (value: Json | undefined): value is Json =>
      (typeof value === 'string' || typeof value === 'number') && !given.includes(canonicalJson(value));
    for (const shown of Object.values(answer)) {
      if (!Array.isArray(shown) || shown.length !== items.length) continue;
      const rows = (shown as readonly Json[]).filter(isJsonObject);
      const isLike = rows.length === items.length && rows.every((row, index) => shares(row, items[index]));
      if (!isLike) continue;
      const partKey = Object.keys(rows[0] ?? {}).find(
        (name) =>
          rows.every((row) => isFresh(row[name])) &&
          new Set(rows.map((row) => row[name])).size === rows.length,
      );
      if (partKey === undefined) continue;
      const parts = rows.map((row) => row[partKey] ?? null);
      const whole = Object.entries(answer).find(
        ([name, value]) => /id$/i.test(name) && isFresh(value) && !parts.includes(value),
      );
      return {
        call,
        list,
        partKey,
        parts,
        whole: whole === undefined ? undefined : { name: whole[0], id: whole[1] ?? null },
      };
    }
  }
  return undefined;
}

function shares(row: JsonObject, item: Json | undefined): boolean {
  return (
    isJsonObject(item) &&
    Object.entries(item).some(
      ([name, value]) =>
        Object.hasOwn(row, name) && canonicalJson(row[name] ?? null) === canonicalJson(value),
    )
  );
}

/** The argument that most often holds one of some ids. */
function argumentFor(calls: readonly TwinCall[], ids: ReadonlySet<Json>): string | undefined {
  const counts = new Map<string, number>();
  for (const { args } of calls) {
    for (const [name, value] of Object.entries(args))
      if (typeof value !== 'object' && ids.has(value)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

interface Sought {
  readonly key: string;
  readonly ids: ReadonlySet<Json>;
  readonly known: readonly string[];
}

/** Plain fields of the objects that show one of the ids, with their values at first sight. */
function fieldsBeside(calls: readonly TwinCall[], of: Sought): ReadonlyMap<string, Json> {
  const fields = new Map<string, Json>();
  for (const call of calls) {
    if (looksFailed(call)) continue;
    for (const object of objectsIn(call.value ?? jsonOf(call.text) ?? null)) {
      if (!of.ids.has(object[of.key] ?? null)) continue;
      for (const [name, value] of Object.entries(object)) {
        const isKnown = name === of.key || of.known.includes(name) || fields.has(name);
        // What the very call gave is no value to start with.
        const start = typeof value === 'string' && Object.hasOwn(call.args, name) ? '' : value;
        if (!isKnown && typeof value !== 'object') fields.set(name, start);
      }
    }
  }
  return fields;
}

/** Of a whole only yes and no are kept: its words and counts may belong to the answer. */
function booleansBeside(calls: readonly TwinCall[], of: Sought): ReadonlyMap<string, Json> {
  return new Map([...fieldsBeside(calls, of)].filter(([, value]) => typeof value === 'boolean'));
}

function objectsIn(value: Json): readonly JsonObject[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(objectsIn);
  if (!isJsonObject(value)) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
