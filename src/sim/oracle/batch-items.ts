/**
 * Which items of a batch failed, as the answer tells: a list of results as long as the batch, in its order.
 *
 * Source: hard case P-STR-3. Not covered: answers that name only the failed items.
 */
import { isJsonObject, type Json } from '../../core/index.js';

const FINE: ReadonlySet<string> = new Set([
  'ok',
  'success',
  'succeeded',
  'created',
  'updated',
  'deleted',
  'done',
]);

/** The items that failed with the reason of the first; empty where all went well or the answer has no results. */
export function failedItems(
  items: readonly Json[],
  answer: Json | undefined,
): { items: Json[]; why: string } {
  const results = resultsOf(answer, items.length);
  const failed = items.filter((_item, index) => hasFailed(results[index]));
  const first = results.find(hasFailed);
  return { items: failed, why: first === undefined ? '' : JSON.stringify(first).slice(0, 300) };
}

function resultsOf(answer: Json | undefined, count: number): readonly Json[] {
  if (Array.isArray(answer)) return answer.length === count ? answer : [];
  if (!isJsonObject(answer)) return [];
  return (
    Object.values(answer).find(
      (part): part is readonly Json[] => Array.isArray(part) && part.length === count,
    ) ?? []
  );
}

function hasFailed(result: Json | undefined): boolean {
  if (!isJsonObject(result)) return false;
  if (result.error !== undefined && result.error !== null) return true;
  if (result.ok === false || result.success === false) return true;
  const { status } = result;
  if (typeof status === 'number') return status >= 400;
  const keys = Object.keys(result);
  const isResult = keys.some((key) => key === 'error' || key === 'message' || key === 'item');
  return typeof status === 'string' && isResult && !FINE.has(status.toLowerCase());
}
