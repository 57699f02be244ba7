/**
 * Learns in which situations a recording shows a tool, so that a twin says where it only supposes.
 *
 * A situation is what the states of the row meant are: yes or no, a word of a field named so, a value there or not; of a
 * part also those of its whole. A tool that was only seen on open tasks may do anything on a closed one. Calls that were refused
 * count as well: their refusal was learned. Not covered: situations that two fields make together.
 */
import { canonicalJson, type Json, type JsonObject } from '../../core/index.js';
import { ruleValue } from './examples.js';
import type { LearnedCall } from './learned-state.js';
import type { NestedNames } from './nested-names.js';

/** Values of one field that a rule lists at most; more are no states. */
const STATES = 8;

/** The rule over `row` (and `state`) that holds in every situation seen; undefined where there is none to tell. */
export function sureRule(own: readonly LearnedCall[], names: NestedNames | undefined): string | undefined {
  const rows = own.flatMap((one) => meant(one, names));
  if (rows.length === 0) return undefined;
  const tests = statesOf(rows.map(({ row }) => row)).map(({ name, values }) => within('row', name, values));
  tests.push(...changesOnly(own, names));
  const wholes = rows.flatMap(({ whole }) => (whole === undefined ? [] : [whole]));
  if (names !== undefined && wholes.length > 0) {
    const same = `k[${JSON.stringify(names.wholeKey)}] == get(row, ${JSON.stringify(names.ref)}, get(row, ${JSON.stringify(names.wholeKey)}, null))`;
    for (const { name, values } of statesOf(wholes))
      tests.push(
        `state.data[${JSON.stringify(names.wholes)}].filter(k, ${same}).all(k, ${within('k', name, values)})`,
      );
  }
  return tests.length === 0 ? undefined : tests.join(' && ');
}

function within(of: string, name: string, values: readonly Json[]): string {
  return `get(${of}, ${JSON.stringify(name)}, null) in [${values.map((value) => canonicalJson(value)).join(', ')}]`;
}

/** A value that was always another than the row had: what the tool does with the same nobody saw. */
function changesOnly(own: readonly LearnedCall[], names: NestedNames | undefined): readonly string[] {
  const plan = own.find((one) => one.plan?.op === 'update')?.plan;
  return Object.entries(plan?.writes ?? {}).flatMap(([argument, field]) => {
    const read = `get(args, ${JSON.stringify(argument)}, null)`;
    const test = `${read} == null || ${read} != get(row, ${JSON.stringify(field)}, null)`;
    const isSeen = own.some(({ call }) => Object.hasOwn(call.args, argument));
    const isAlways = own.every((one) =>
      meant(one, names).every(({ row }) => ruleValue(test, { args: one.call.args, row }) === true),
    );
    return isSeen && isAlways ? [`(${test})`] : [];
  });
}

interface Meant {
  readonly row: JsonObject;
  readonly whole?: JsonObject;
}

/** The row that a call means, as it was before; none where the call makes rows or means many. */
function meant({ call, plan, before }: LearnedCall, names: NestedNames | undefined): readonly Meant[] {
  const name = plan?.override?.collection ?? plan?.collection;
  if (plan === undefined || name === undefined || plan.file !== undefined) return [];
  // What a row is is read in every state.
  if (plan.op === 'get' && plan.override === undefined) return [];
  const rows = [...(before.get(name)?.values() ?? [])];
  const match = plan.override?.match;
  const key = Object.entries({ ...plan.filters, ...plan.key });
  const data = Object.fromEntries(
    [...before].map(([one, list]): [string, Json] => [one, [...list.values()]]),
  );
  const row =
    match !== undefined
      ? rows.find((one) => ruleValue(match, { args: call.args, row: one, state: { data } }) === true)
      : Object.keys(plan.key ?? {}).length === 0 || plan.op === 'create'
        ? undefined
        : rows.find((one) =>
            key.every(
              ([argument, field]) =>
                !Object.hasOwn(call.args, argument) ||
                canonicalJson(one[field] ?? null) === canonicalJson(call.args[argument] ?? null),
            ),
          );
  if (row === undefined) return [];
  if (names === undefined) return [{ row }];
  const id = row[names.ref] ?? row[names.wholeKey];
  const whole = [...(before.get(names.wholes)?.values() ?? [])].find((one) => one[names.wholeKey] === id);
  return [{ row, ...(whole !== undefined && { whole }) }];
}

const STATE =
  /^(?:status|state|phase|stage|archived|deleted|completed|done|closed|locked|blocked|active)$|(?:_status|Status|_state|State)$/;

/** Fields that hold states, with the values that were seen. */
function statesOf(rows: readonly JsonObject[]): readonly { name: string; values: readonly Json[] }[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.flatMap((name) => {
    const all = rows.map((row) => row[name] ?? null);
    const isState = all.every(
      (value) =>
        value === null || typeof value === 'boolean' || (typeof value === 'string' && STATE.test(name)),
    );
    if (!isState || all.every((value) => value === null)) return [];
    const values = new Map(all.map((value) => [canonicalJson(value), value]));
    return values.size > STATES ? [] : [{ name, values: [...values.values()] }];
  });
}
