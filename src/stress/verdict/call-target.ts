/**
 * What a call is about, so that the same attempt in other words can be told from work on something else.
 *
 * The idea: arguments that name a row (keys, references) tell targets apart, and so do those that differ between the
 * calls of one tool in the world's own solution: nine messages to nine people are nine errands, whatever their text. In
 * all other arguments numbers and short texts with a digit count, as identifiers do, and words do not, because agents
 * reword them. Not covered: tools that the solution does not use and that tell targets apart by words alone.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject, type ToolCall } from '../../core/index.js';
import { parseToolAction } from '../../domains/index.js';
import { inferService, type ServiceModel } from '../../engines/index.js';
import type { World } from '../../worlds/index.js';

/** Longest text of an argument that may tell targets apart, in UTF-16 units. */
const TARGET_UNITS = 80;

/** Tool → the arguments that tell targets apart. */
type Telling = ReadonlyMap<string, ReadonlySet<string>>;

const TELLING = new WeakMap<World, Telling>();

/** What a call is about, as one text: equal for the same target. Pure. */
export function callTarget(world: World, name: string, args: JsonObject): string {
  const telling = TELLING.get(world) ?? tellingOf(world);
  TELLING.set(world, telling);
  const own = telling.get(name);
  const named = [...(own ?? [])].flatMap((argument) =>
    Object.hasOwn(args, argument) ? [[argument, plain(args[argument] ?? null)]] : [],
  );
  const rest = Object.fromEntries(Object.entries(args).filter(([argument]) => own?.has(argument) !== true));
  return canonicalJson([named, identifying(rest)]);
}

function tellingOf(world: World): Telling {
  const service: ServiceModel =
    world.spec === null ? { collections: {}, plans: {} } : inferService(world.spec);
  const calls = world.oracle.flatMap((action): ToolCall[] => {
    const read = parseToolAction(action);
    return read.kind === 'tool-call' ? [read] : [];
  });
  const tools = new Set([...Object.keys(service.plans), ...calls.map(({ name }) => name)]);
  return new Map(
    [...tools].map((tool) => {
      const used = calls.filter(({ name }) => name === tool).map((call) => call.arguments);
      return [tool, new Set([...namesOfRows(service, tool), ...varying(used)])];
    }),
  );
}

/** Arguments that are keys of rows or refer to rows. */
function namesOfRows(service: ServiceModel, tool: string): readonly string[] {
  const plan = service.plans[tool];
  const keys = Object.keys(plan?.key ?? plan?.override?.key ?? {});
  const fields = service.collections[plan?.collection ?? plan?.override?.collection ?? '']?.fields ?? {};
  const refers = Object.entries(plan?.writes ?? {}).flatMap(([argument, field]) =>
    fields[field]?.refersTo === undefined ? [] : [argument],
  );
  return [...keys, ...refers];
}

/** Arguments of short values that differ between calls. */
function varying(used: readonly JsonObject[]): readonly string[] {
  const names = new Set(used.flatMap((args) => Object.keys(args)));
  return [...names].filter((name) => {
    const values = used.map((args) => args[name]);
    if (values.some((value) => typeof value === 'string' && value.length > TARGET_UNITS)) return false;
    return new Set(values.map((value) => canonicalJson(value ?? null))).size > 1;
  });
}

/** A value without what rewording changes: case and spaces. */
function plain(value: Json): Json {
  return typeof value === 'string' ? value.trim().toLowerCase().replaceAll(/\s+/g, ' ') : value;
}

/** What tells one target from another where nobody says: numbers and short texts with a digit in them, sorted. */
export function identifying(args: JsonObject): string[] {
  return Object.values(args)
    .flatMap((value) => {
      if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
      return typeof value === 'string' && value.length <= 60 && /\d/.test(value) && !/\s\S+\s/.test(value)
        ? [value]
        : [];
    })
    .sort();
}

/** All plain values in an argument list, however deep, as texts. */
export function leavesOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(leavesOf);
  if (isJsonObject(value)) return Object.values(value).flatMap(leavesOf);
  return value === null || typeof value === 'boolean' ? [] : [String(value)];
}
