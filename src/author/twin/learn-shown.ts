/**
 * Learns which rows a list leaves out unless it is asked for them: done tasks, archived notes.
 *
 * Examples are the rows that the engine would list beside those that the recorded answer shows. A rule is a yes or no
 * or a word of one field that holds for every row shown and for none left out; an argument under which rows are shown
 * that the rule would leave out (`all: true`) lifts it. Not covered: lists that are cut after so many rows.
 */
import { canonicalJson, type Json, type JsonObject } from '../../core/index.js';
import type { ServiceModel } from '../../engines/index.js';
import { holds } from './call-reading.js';
import { ruleValue } from './examples.js';
import type { LearnedCall } from './learned-state.js';
import { looksFailed } from './soft-failures.js';

interface Listed {
  readonly args: JsonObject;
  readonly shown: readonly JsonObject[];
  readonly left: readonly JsonObject[];
}

/** The rule over `row` and `args` for the rows that a tool shows; undefined where it shows all. */
export function shownRule(model: ServiceModel, own: readonly LearnedCall[]): string | undefined {
  const lists = own.flatMap((one) => listedBy(model, one));
  if (!lists.some(({ left }) => left.length > 0)) return undefined;
  const bare = lists.filter(({ left }) => left.length > 0);
  for (const test of testsOn(bare.flatMap(({ left }) => left))) {
    const passes = (row: JsonObject): boolean => ruleValue(test, { row }) === true;
    const isRight = bare.every(({ shown, left }) => shown.every(passes) && !left.some(passes));
    if (!isRight) continue;
    const lifting = lists.filter(({ shown }) => !shown.every(passes));
    const names = [...new Set(lifting.flatMap(({ args }) => Object.keys(args)))].filter((name) =>
      bare.every(({ args }) => !Object.hasOwn(args, name)),
    );
    if (!lifting.every(({ args }) => names.some((name) => Object.hasOwn(args, name)))) continue;
    return [
      test,
      ...names.map((name) => `!(get(args, ${JSON.stringify(name)}, null) in [null, false])`),
    ].join(' || ');
  }
  return undefined;
}

/** The rows that a call shows and those that it leaves out, of those that the engine would list. */
function listedBy(model: ServiceModel, { call, plan, trial }: LearnedCall): readonly Listed[] {
  if ((plan?.op !== 'list' && plan?.op !== 'search') || plan.file !== undefined || looksFailed(call))
    return [];
  const [field, ...more] = model.collections[plan.collection ?? '']?.key ?? [];
  const rows = trial.scope?.rows as readonly JsonObject[] | undefined;
  if (field === undefined || more.length > 0 || rows === undefined) return [];
  const isShown = (row: JsonObject): boolean => holds(call.text, row[field] ?? null);
  return [{ args: call.args, shown: rows.filter(isShown), left: rows.filter((row) => !isShown(row)) }];
}

/** Rules that do not hold for rows like these, on fields that say yes or no, or hold a word. */
function testsOn(rows: readonly JsonObject[]): readonly string[] {
  const found = rows.flatMap((row) =>
    Object.entries(row).flatMap(([name, value]: [string, Json]): [number, string][] => {
      const isWord = typeof value === 'string' && /^[A-Za-z][A-Za-z_-]{1,19}$/.test(value);
      if (typeof value !== 'boolean' && !isWord) return [];
      return [[isWord ? 1 : 0, `get(row, ${JSON.stringify(name)}, null) != ${canonicalJson(value)}`]];
    }),
  );
  return [...new Set(found.sort(([a], [b]) => a - b).map(([, test]) => test))];
}
