/**
 * A language model that gives recorded answers again: by key, first in first out.
 *
 * Keys are independent of each other, so questions may come in another order than they were recorded; the same
 * question asked three times gives its three answers in order, and a fourth fails (the hard case of a replay that is
 * not a replay). It never falls back to anything.
 */
import { fail, type LanguageModel, nearestName, ok, ProviderError } from '../core/index.js';
import { generationOf, requestKey } from './generation.js';
import type { ModelRecord } from './script-lines.js';

/** Makes a replay model. Its answers are used up; make a new one to start again. */
export function createReplayModel(
  records: readonly ModelRecord[],
  options: { readonly name?: string } = {},
): LanguageModel {
  const name = options.name ?? 'replay';
  const queues = new Map<string, ModelRecord[]>();
  for (const record of records) {
    const queue = queues.get(record.key);
    if (queue === undefined) queues.set(record.key, [record]);
    else queue.push(record);
  }
  const used = new Map<string, number>();
  return {
    name,
    generate: async (request) => {
      const key = requestKey(request);
      const at = used.get(key) ?? 0;
      const record = queues.get(key)?.[at];
      if (record === undefined) return fail(noRecording(key, queues));
      used.set(key, at + 1);
      if ('error' in record) return fail(new ProviderError(record.error, { code: 'provider/failed' }));
      return ok(generationOf(record, request, name));
    },
  };
}

function noRecording(key: string, queues: ReadonlyMap<string, readonly ModelRecord[]>): ProviderError {
  const recorded = queues.get(key)?.length ?? 0;
  if (recorded > 0) {
    return new ProviderError(`no recording left for ${key}: all ${recorded} recorded answers were used`, {
      code: 'provider/no-recording',
      data: { key, recorded },
    });
  }
  const nearest = nearestName(key, queues.keys());
  const hint = nearest === undefined ? '' : `; the nearest recorded key is ${nearest}`;
  return new ProviderError(`no recording for ${key}${hint}`, {
    code: 'provider/no-recording',
    data: { key, ...(nearest === undefined ? {} : { nearest }) },
  });
}
