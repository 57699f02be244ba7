/**
 * Learns the conditions under which a tool refuses what the engine would do: a task that is not done cannot be
 * approved, a relation needs both its ends, a title may be there once, a list may not be empty.
 *
 * Examples are the calls of one tool, of a batch its items: those that went well, and those refused with one wording.
 * A condition is a yes or no or a word of the row, the like of the parts of a whole, a row that an argument names, a
 * value that no row has yet, or an argument that is not empty; it is kept only if it holds in every call that went
 * well and in none that was refused. Where several do, the one that the refusal's words speak of is taken. Not
 * covered: conditions on two fields at once, counts, times.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { OverrideSpec, Plan, RequirementSpec, ServiceModel } from '../../engines/index.js';
import { asObject, ruleValue, type Scope } from './examples.js';
import { expressionOf, learnParts } from './learn-text.js';
import type { LearnedCall } from './learned-state.js';
import type { NestedNames } from './nested-names.js';
import { looksFailed } from './soft-failures.js';

interface Seen {
  readonly learned: LearnedCall;
  readonly scope: Scope;
}

/** The overrides with the conditions that the recording shows. */
export function withRefusals(
  overrides: Readonly<Record<string, OverrideSpec>>,
  calls: readonly LearnedCall[],
  names: NestedNames,
): Readonly<Record<string, OverrideSpec>> {
  return Object.fromEntries(
    Object.entries(overrides).map(([tool, override]) => {
      const own = calls
        .filter(({ call }) => call.tool === tool)
        .flatMap((one) => seenBy(one, override, names));
      const learned = requirements(own, (seen) => nestedCandidates(seen, names));
      if (learned.length === 0) return [tool, override];
      return [tool, { ...override, require: [...(override.require ?? []), ...learned] }];
    }),
  );
}

/** A call with the row it means, as it was before; nothing where there is no such row. */
function seenBy(learned: LearnedCall, override: OverrideSpec, names: NestedNames): readonly Seen[] {
  const { before, call } = learned;
  const rowsOf = (name: string): JsonObject[] => [...(before.get(name)?.values() ?? [])];
  const data = { [names.wholes]: rowsOf(names.wholes), [names.parts]: rowsOf(names.parts) };
  const scope = { args: call.args, state: { data } };
  const { collection, match } = override;
  if (collection === undefined || match === undefined) return [];
  const row = rowsOf(collection).find((one) => ruleValue(match, { ...scope, row: one }) === true);
  return row === undefined ? [] : [{ learned, scope: { ...scope, row } }];
}

/** The conditions of tools that are inferred, by tool. */
export function learnRequires(
  model: ServiceModel,
  calls: readonly LearnedCall[],
): Readonly<Record<string, RequirementSpec[]>> {
  const tools = new Set(calls.flatMap(({ call, plan }) => (isInferred(plan) ? [call.tool] : [])));
  return Object.fromEntries(
    [...tools].flatMap((tool): [string, RequirementSpec[]][] => {
      const own = calls.filter(({ call }) => call.tool === tool).flatMap((one) => itemsSeen(model, one));
      const learned = requirements(own, (seen, words) => plainCandidates(model, seen, words));
      return learned.length === 0 ? [] : [[tool, [...learned]]];
    }),
  );
}

function isInferred(plan: Plan | undefined): plan is Plan {
  return (
    plan !== undefined && plan.override === undefined && plan.file === undefined && plan.op !== 'unknown'
  );
}

/** What a call asks, or each item of a batch; of a batch that was refused only what surely was, a single item. */
function itemsSeen(model: ServiceModel, learned: LearnedCall): readonly Seen[] {
  const { call, plan, trial, before } = learned;
  if (!isInferred(plan) || trial.outcome.status === 'refused') return [];
  const isRefused = looksFailed(call);
  // What the engine refuses too needs no further condition.
  if (trial.failure !== null && (isRefused || trial.failure.kind === 'refused')) return [];
  const data = Object.fromEntries(
    Object.keys(model.collections).map((name) => [name, [...(before.get(name)?.values() ?? [])]]),
  );
  const { batch } = plan;
  const list = batch === undefined ? undefined : call.args[batch.argument];
  const rest = Object.fromEntries(Object.entries(call.args).filter(([name]) => name !== batch?.argument));
  const items =
    batch === undefined
      ? [call.args]
      : (Array.isArray(list) ? (list as readonly Json[]) : []).map((item) =>
          isJsonObject(item) ? { ...rest, ...item } : { ...rest, [batch.argument]: item },
        );
  if (isRefused && items.length !== 1) return [];
  return items.map((args): Seen => {
    const row = rowNamed(model, plan, { args, data });
    return { learned, scope: { args, state: { data }, ...(row !== undefined && { row }) } };
  });
}

/** The row that the arguments name by its key. */
function rowNamed(
  model: ServiceModel,
  plan: Plan,
  {
    args,
    data,
  }: { readonly args: JsonObject; readonly data: Readonly<Record<string, readonly JsonObject[]>> },
): JsonObject | undefined {
  const collection = model.collections[plan.collection ?? ''];
  const named = Object.entries({ ...plan.filters, ...plan.key }).filter(([name]) =>
    Object.hasOwn(args, name),
  );
  if (collection === undefined || plan.op === 'create' || Object.keys(plan.key ?? {}).length === 0)
    return undefined;
  return data[collection.name]?.find((row) =>
    named.every(([name, field]) => canonicalJson(row[field] ?? null) === canonicalJson(args[name] ?? null)),
  );
}

type Candidates = (seen: readonly Seen[], words: string) => readonly string[];

function requirements(own: readonly Seen[], candidates: Candidates): readonly RequirementSpec[] {
  const good = own.filter(({ learned }) => !looksFailed(learned.call));
  const refused = new Map<string, Seen[]>();
  for (const one of own) {
    if (!looksFailed(one.learned.call)) continue;
    const words = wordsOf([one]);
    const like = [...refused.values()].find((seen) => wordsOf([...seen, one]) !== undefined);
    if (like !== undefined) like.push(one);
    else refused.set(words ?? JSON.stringify(one.learned.call.text), [one]);
  }
  const groups = [...refused.values()];
  const found = groups.flatMap((bad) => {
    const others = groups.flatMap((seen) => (seen === bad ? [] : seen));
    const words = wordsOf(bad) ?? JSON.stringify(bad[0]?.learned.call.text ?? '');
    const told = bad[0]?.learned.call.text ?? '';
    const expr =
      conditionOf([...good, ...others], bad, candidates([...good, ...bad], told)) ??
      (others.length > 0 ? conditionOf(good, bad, candidates([...good, ...bad], told)) : undefined);
    if (expr === undefined) return [];
    // Words that name no argument may speak of any that names nothing: both ends of a relation.
    const like = /\bargs\b/.test(words) ? [] : sameFor(expr, [...good, ...bad]);
    const also = like.filter((one) => one !== expr && conditionOf(good, bad, [one]) !== undefined);
    return [expr, ...also].map((one) => ({ words, bad, expr: one }));
  });
  // A condition whose refusals another one would refuse too comes first.
  const isFirst = (one: (typeof found)[number], other: (typeof found)[number]) =>
    one.bad.some(({ scope }) => ruleValue(other.expr, scope) === false);
  return found
    .filter(({ expr }) => good.some(({ scope }) => ruleValue(expr, scope) === true))
    .sort((a, b) => Number(isFirst(b, a)) - Number(isFirst(a, b)))
    .map(({ words, expr }): RequirementSpec => ({ expr, error: `{${words}}` }));
}

/** A condition on an argument, for every other argument. */
function sameFor(expr: string, seen: readonly Seen[]): readonly string[] {
  const read = /^get\(args, "(\w+)", null\)/.exec(expr);
  if (read === null || !/\.exists\(k, /.test(expr)) return [];
  const names = new Set(seen.flatMap(({ scope }) => Object.keys(asObject(scope.args))));
  return [...names].map((name) => expr.split(read[0]).join(`get(args, ${JSON.stringify(name)}, null)`));
}

/** The rule for the text of some refusals, where one gives all of them. */
function wordsOf(seen: readonly Seen[]): string | undefined {
  const parts = learnParts(
    seen.map(({ scope, learned }) => ({ scope: { args: scope.args ?? null }, wanted: learned.call.text })),
  );
  return parts === null ? undefined : expressionOf(parts);
}

function conditionOf(
  good: readonly Seen[],
  bad: readonly Seen[],
  candidates: readonly string[],
): string | undefined {
  if (good.length === 0) return undefined;
  const fits = (expr: string) =>
    good.every(({ scope }) => ruleValue(expr, scope) !== false) &&
    bad.every(({ scope }) => ruleValue(expr, scope) === false);
  return candidates.find(fits);
}

/** At most so many conditions are tried. */
const TRIED = 400;

/** Conditions on fields of the row, then on the parts of a whole. */
function nestedCandidates(seen: readonly Seen[], names: NestedNames): readonly string[] {
  const own = new Set<string>();
  const ofParts = new Set<string>();
  for (const { scope } of seen) {
    for (const [name, value] of Object.entries(scope.row as JsonObject))
      for (const test of tests('row', name, value)) own.add(test);
    const data = (scope.state as JsonObject).data as JsonObject;
    for (const part of (data[names.parts] ?? []) as readonly JsonObject[])
      for (const [name, value] of Object.entries(part))
        for (const test of tests('k', name, value)) {
          const mine = `state.data[${JSON.stringify(names.parts)}].filter(k, k[${JSON.stringify(names.ref)}] == row[${JSON.stringify(names.wholeKey)}])`;
          ofParts.add(`${mine}.all(k, ${test})`);
        }
  }
  return flagsFirst([...own, ...ofParts]).slice(0, TRIED);
}

/** A yes or no is a state; a word may be one; an id or a text of the agent's never is. */
function flagsFirst(sources: readonly string[]): readonly string[] {
  const isFlag = (test: string) => (/(?:true|false)(?:\)|$)/.test(test) ? 0 : 1);
  return [...sources].sort((a, b) => isFlag(a) - isFlag(b));
}

function tests(of: string, name: string, value: Json): readonly string[] {
  const read = `get(${of}, ${JSON.stringify(name)}, null)`;
  if (typeof value === 'boolean') return [`${read} == true`, `${read} == false`, `${read} != true`];
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z_-]{1,29}$/.test(value)) return [];
  const wanted = canonicalJson(value);
  return [`${read} == ${wanted}`, `${read} != ${wanted}`];
}

const MISSING = /not (?:be )?found|no such|does(?: not|n't) exist|foreign key|unknown|invalid|must exist/i;
const TAKEN = /already|exists|duplicate|unique|taken/i;
const EMPTY = /empty|at least|required|must (?:have|be|contain)|missing|no .* (?:given|provided)/i;

/** Conditions on the row, on what the arguments name, on what is there already and on what is empty. */
function plainCandidates(model: ServiceModel, seen: readonly Seen[], words: string): readonly string[] {
  const states = new Set<string>();
  const empty = new Set<string>();
  const named = new Set<string>();
  const taken = new Set<string>();
  for (const { scope } of seen) {
    for (const [name, value] of Object.entries(asObject(scope.row)))
      for (const test of tests('row', name, value)) states.add(test);
    const args = asObject(scope.args);
    for (const [name, value] of Object.entries(args)) {
      const read = `get(args, ${JSON.stringify(name)}, null)`;
      if (Array.isArray(value) || typeof value === 'string')
        empty.add(`${read} == null || size(${read}) > 0`);
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      for (const place of placesFor(model, args, name)) {
        named.add(`${read} == null || ${place(read)}`);
        taken.add(`${read} == null || !${place(read)}`);
      }
    }
  }
  const kinds = [
    { of: [...named], isTold: MISSING.test(words) },
    { of: [...taken], isTold: TAKEN.test(words) && !MISSING.test(words) },
    { of: [...empty], isTold: EMPTY.test(words) },
    { of: flagsFirst([...states]), isTold: false },
  ];
  // A reference or a taken value that no words speak of would be chance.
  const likely = kinds.filter(({ isTold }) => isTold).flatMap(({ of }) => of);
  return [...new Set([...likely, ...flagsFirst([...states]), ...empty])].slice(0, TRIED);
}

/** Where a row may be that an argument names: by key, in the row's scope where the arguments give it, else by any text. */
function placesFor(
  model: ServiceModel,
  args: JsonObject,
  argument: string,
): readonly ((read: string) => string)[] {
  return Object.values(model.collections).flatMap((collection) => {
    const fields = [
      ...new Set([
        ...collection.key,
        ...Object.keys(collection.fields).filter((name) => IDENTITY.test(name)),
      ]),
    ];
    const scoped = collection.scope.filter((name) => Object.hasOwn(args, name) && name !== argument);
    const within = scoped.map(
      (name) => ` && get(k, ${JSON.stringify(name)}, null) == get(args, ${JSON.stringify(name)}, null)`,
    );
    return fields
      .slice(0, MOST_FIELDS)
      .map(
        (field) => (read: string) =>
          `state.data[${JSON.stringify(collection.name)}].exists(k, get(k, ${JSON.stringify(field)}, null) == ${read}${within.join('')})`,
      );
  });
}

const MOST_FIELDS = 4;
const IDENTITY = /^(?:id|name|title|slug|key|code|email|label|path)$|(?:_id|Id|_name|Name)$/;
