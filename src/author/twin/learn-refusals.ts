/**
 * Learns the conditions under which a tool refuses a row that is there: a task that is not done cannot be approved.
 *
 * Examples are the calls of one tool that found their row: those that went well, and those refused with one wording. A
 * condition is a yes or no, a value or the like of the parts of a whole; it is kept only if it holds in every call
 * that went well and in none that was refused. Not covered: conditions on two fields at once, counts, times.
 */
import { canonicalJson, type Json, type JsonObject } from '../../core/index.js';
import type { OverrideSpec, RequirementSpec } from '../../engines/index.js';
import { ruleValue, type Scope } from './examples.js';
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
      const learned = requirements(own, names);
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

function requirements(own: readonly Seen[], names: NestedNames): readonly RequirementSpec[] {
  const good = own.filter(({ learned }) => !looksFailed(learned.call));
  const refused = new Map<string, Seen[]>();
  for (const one of own) {
    const { call } = one.learned;
    if (!looksFailed(call)) continue;
    const words = learnParts([{ scope: { args: call.args }, wanted: call.text }]);
    const key = words === null ? JSON.stringify(call.text) : expressionOf(words);
    refused.set(key, [...(refused.get(key) ?? []), one]);
  }
  const found = [...refused].flatMap(([words, bad]) => {
    const others = [...refused].flatMap(([key, seen]) => (key === words ? [] : seen));
    const expr =
      conditionOf([...good, ...others], bad, names) ??
      (others.length > 0 ? conditionOf(good, bad, names) : undefined);
    return expr === undefined ? [] : [{ words, bad, expr }];
  });
  // A condition whose refusals another one would refuse too comes first.
  const isFirst = (one: (typeof found)[number], other: (typeof found)[number]) =>
    one.bad.some(({ scope }) => ruleValue(other.expr, scope) === false);
  return found
    .sort((a, b) => Number(isFirst(b, a)) - Number(isFirst(a, b)))
    .map(({ words, expr }): RequirementSpec => ({ expr, error: `{${words}}` }));
}

function conditionOf(good: readonly Seen[], bad: readonly Seen[], names: NestedNames): string | undefined {
  if (good.length === 0) return undefined;
  const fits = (expr: string) =>
    good.every(({ scope }) => ruleValue(expr, scope) === true) &&
    bad.every(({ scope }) => ruleValue(expr, scope) === false);
  return candidates([...good, ...bad], names).find(fits);
}

/** Conditions on fields of the row, then on the parts of a whole. */
function candidates(seen: readonly Seen[], names: NestedNames): readonly string[] {
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
  // A yes or no is a state; a word may be one; an id or a text of the agent's never is.
  const isFlag = (test: string) => (/(?:true|false)(?:\)|$)/.test(test) ? 0 : 1);
  return [...own, ...ofParts].sort((a, b) => isFlag(a) - isFlag(b)).slice(0, 400);
}

function tests(of: string, name: string, value: Json): readonly string[] {
  const read = `get(${of}, ${JSON.stringify(name)}, null)`;
  if (typeof value === 'boolean') return [`${read} == true`, `${read} == false`, `${read} != true`];
  if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z_-]{1,29}$/.test(value)) return [];
  const wanted = canonicalJson(value);
  return [`${read} == ${wanted}`, `${read} != ${wanted}`];
}
