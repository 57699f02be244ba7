/**
 * The results of a batch: which item failed, and what names it.
 *
 * The idea: the request gives the items and their order, the answer gives one result each (with `status`, `error`,
 * `ok`, `success`). Only an answer whose list of results has the request's length counts as one; anything else is not
 * guessed at. Not covered: results in another order than the request without a key.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';
import type { Plan } from '../../engines/index.js';
import { chosenPlan } from '../world-reference.js';

/** One item of a batch as it was answered. */
export interface BatchItem {
  /** From 0. */
  readonly index: number;
  readonly failed: boolean;
  /** Short texts that name it: its key values, or a value of the item itself. */
  readonly names: readonly string[];
  /** What the answer says of it, as JSON text. */
  readonly text: string;
}

/** The items of a batch call. Empty where the call is none, or its answer cannot be read as one. */
export function batchItems(
  observation: string | null,
  args: JsonObject,
  plan: Plan | undefined,
): BatchItem[] {
  const argument = batchArgument(args, plan);
  if (observation === null || argument === undefined) return [];
  const given = args[argument];
  const parsed = parseJson(observation);
  if (!parsed.ok || !Array.isArray(given)) return [];
  const results = resultsOf(parsed.value, given.length);
  if (results === null) return [];
  return results.map((result, index) => ({
    index,
    failed: isFailed(result),
    names: namesOf(given[index] ?? null, result),
    text: JSON.stringify(result, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  }));
}

/** The list argument of a batch tool, by its plan or override; undefined where the tool is none. */
export function batchArgument(args: JsonObject, plan: Plan | undefined): string | undefined {
  const chosen = chosenPlan(plan, args);
  return chosen?.override?.batch ?? chosen?.batch?.argument;
}

function resultsOf(value: Json, count: number): readonly Json[] | null {
  if (Array.isArray(value)) return value.length === count && value.every(looksSettled) ? value : null;
  if (!isJsonObject(value)) return null;
  for (const member of Object.values(value)) {
    if (Array.isArray(member) && member.length === count && member.every(looksSettled))
      return member as Json[];
  }
  return null;
}

const STATE_WORDS = ['status', 'error', 'ok', 'success', 'succeeded', 'failed', 'state', 'result', 'code'];

function looksSettled(item: Json): boolean {
  return isJsonObject(item) && STATE_WORDS.some((word) => Object.hasOwn(item, word));
}

const GOOD =
  /^(ok|okay|success|succeeded|done|created|updated|deleted|completed|accepted|added|removed|2\d\d)$/i;

function isFailed(item: Json): boolean {
  if (!isJsonObject(item)) return false;
  if (item.error !== undefined && item.error !== null && item.error !== false && item.error !== '')
    return true;
  for (const flag of ['ok', 'success', 'succeeded']) {
    if (typeof item[flag] === 'boolean') return item[flag] === false;
  }
  if (item.failed === true) return true;
  const status = item.status ?? item.code;
  if (typeof status === 'number') return status >= 400;
  // A row's own `status` (for example `open`) is no failure; only words that say so are.
  return (
    typeof status === 'string' &&
    !GOOD.test(status) &&
    /fail|error|refused|not.?found|locked|denied|invalid|conflict|reject|skipped|timeout|^[45]\d\d$/i.test(
      status,
    )
  );
}

function namesOf(item: Json, result: Json): string[] {
  const names: string[] = [];
  const add = (value: Json | undefined): void => {
    if ((typeof value === 'string' && value.length <= 80) || typeof value === 'number')
      names.push(String(value));
  };
  if (isJsonObject(item)) for (const value of Object.values(item)) add(value);
  else add(item);
  if (isJsonObject(result)) {
    for (const [name, value] of Object.entries(result)) {
      if (!['status', 'error', 'ok', 'success', 'message', 'code', 'result'].includes(name)) add(value);
    }
  }
  return [...new Set(names)];
}
