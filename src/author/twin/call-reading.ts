/**
 * What can be told of one recorded call by itself: its plan, what it depends on, what its answer shows and names.
 */
import { canonicalJson, type Json, type JsonObject, parseJson, renderJson } from '../../core/index.js';
import type { Plan, ServiceModel } from '../../engines/index.js';
import type { TwinCall } from './twin-source.js';

/** True for a read of one field that further arguments cut: the first lines of a file are not the file. */
export function isPartial(plan: Plan | undefined, { args }: TwinCall): boolean {
  if (plan?.op !== 'get' || plan.only === undefined) return false;
  return Object.keys(args).some(
    (name) => !Object.hasOwn(plan.key ?? {}, name) && !Object.hasOwn(plan.filters ?? {}, name),
  );
}

/** What an answer shows, as JSON where it has a structured part; of a tool that answers one field, its text. */
export function shownJson({ text, value }: TwinCall, plan?: Plan): string {
  if (plan?.only !== undefined || plan?.file !== undefined) return text;
  return value === undefined || parseJson(text).ok ? text : renderJson(value);
}

/** The plan of a call; of a tool that chooses by an argument, the chosen one. */
export function planOf(model: ServiceModel, { tool, args }: TwinCall): Plan | undefined {
  let plan = Object.hasOwn(model.plans, tool) ? model.plans[tool] : undefined;
  while (plan?.cases !== undefined) {
    const { argument, plans } = plan.cases;
    const name = String(args[argument] ?? '');
    plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  }
  if (plan?.deletes !== undefined && args[plan.deletes] === true) return { ...plan, op: 'delete' };
  return plan;
}

/** The collections that a plan is about. */
export function collectionsOf(model: ServiceModel, plan: Plan | undefined): readonly string[] {
  if (plan === undefined || plan.op === 'unknown' || plan.op === 'clock') return [];
  if (plan.op === 'dump') return plan.collections ?? Object.keys(model.collections);
  return plan.collection === undefined ? [] : [plan.collection];
}

/** The collections that an answer depends on: its own, and those that its rows refer to. */
export function readsOf(model: ServiceModel, plan: Plan | undefined): readonly string[] {
  // A tool that was found out may look at everything.
  if (plan?.override !== undefined) return Object.keys(model.collections);
  const own = collectionsOf(model, plan);
  const referred = own.flatMap((name) =>
    Object.values(model.collections[name]?.fields ?? {}).flatMap((field) => field.refersTo ?? []),
  );
  return [...new Set([...own, ...referred])].filter((name) => Object.hasOwn(model.collections, name));
}

/** Values that the arguments gave to a row, by the row's field. */
export function argumentValues(args: JsonObject, row: JsonObject): readonly (readonly [string, Json])[] {
  const given = canonicalJson(args);
  return Object.entries(row).filter(
    ([, value]) => value !== null && value !== '' && given.includes(canonicalJson(value)),
  );
}

/** True if a row that was seen has all that the call gave to the row it made. */
export function agrees(seen: JsonObject, made: JsonObject, call: TwinCall): boolean {
  return argumentValues(call.args, made).every(
    ([name, value]) => canonicalJson(seen[name] ?? null) === canonicalJson(value),
  );
}

/** True if a text shows an id as a whole word. */
export function holds(text: string, id: Json): boolean {
  const shown = typeof id === 'string' ? id : renderJson(id);
  return (
    shown !== '' &&
    new RegExp(
      `(?<![\\p{L}\\p{N}_-])${shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`,
      'u',
    ).test(text)
  );
}

const ID_AFTER_WORD =
  /\b(?:id|ID|Id|key|number|uuid)\b["'`]?\s*(?:is|was|of)?\s*[:=#(]*\s*["'`]?([A-Za-z0-9][A-Za-z0-9_-]*\d[A-Za-z0-9_-]*|\d+)/;
const ID_LIKE =
  /(?<![\p{L}\p{N}_-])(#?\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z]+[-_][A-Za-z0-9]*\d[A-Za-z0-9]*|[0-9a-f]{12,})(?![\p{L}\p{N}_-])/gu;

/** The id that an answer in words names: after such a word, or the only thing in it that looks like one. */
export function toldId(call: TwinCall): string | undefined {
  const given = renderJson(call.args);
  const named = ID_AFTER_WORD.exec(call.text.slice(0, 2_000))?.[1];
  if (named !== undefined && !holds(given, named)) return named;
  const found = [
    ...new Set(
      [...call.text.slice(0, 2_000).matchAll(ID_LIKE)].map((match) => (match[1] ?? '').replace(/^#/, '')),
    ),
  ];
  const fresh = found.filter((one) => !holds(given, one));
  return fresh.length === 1 ? fresh[0] : undefined;
}
