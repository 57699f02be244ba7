/**
 * A language model that is watched: paced, its words and tokens noted under the row that they were asked for.
 *
 * The idea: whatever world model stands on top (alone, grounded), every call of the language model below passes here, so
 * the limits of an endpoint hold for calls, not for rows, and a failure of the endpoint is told from one of the model.
 * Notes travel with the asynchronous context of a row.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LanguageModel } from '../../core/index.js';
import { estimateTokens } from '../../text/index.js';
import type { Pacer } from './pacer.js';

/** What one row asked of the language model. */
export interface CallNotes {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  /** Calls whose usage nobody reported. */
  unreported: number;
  /** The words of the last reply. */
  lastText: string | null;
  lastReasoning: string | null;
  /** Why the last call gave nothing; null after a reply. */
  failure: string | null;
}

const notes = new AsyncLocalStorage<CallNotes>();

/** Runs work with fresh notes and gives both. */
export async function withNotes<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly notes: CallNotes }> {
  const own: CallNotes = {
    calls: 0,
    promptTokens: 0,
    completionTokens: 0,
    unreported: 0,
    lastText: null,
    lastReasoning: null,
    failure: null,
  };
  return { value: await notes.run(own, work), notes: own };
}

/** Wraps a model. It answers what the model answers. */
export function watchModel(model: LanguageModel, pacer: Pacer): LanguageModel {
  return {
    name: model.name,
    async generate(request) {
      const asked = request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
      await pacer.take(asked, request.signal);
      const answered = await model.generate(request);
      const own = notes.getStore();
      if (own === undefined) return answered;
      own.calls += 1;
      own.failure = answered.ok ? null : answered.error.message;
      if (!answered.ok) return answered;
      const { usage, samples } = answered.value;
      if (usage.promptTokens === null || usage.completionTokens === null) own.unreported += 1;
      own.promptTokens += usage.promptTokens ?? 0;
      own.completionTokens += usage.completionTokens ?? 0;
      own.lastText = samples[0]?.text ?? null;
      own.lastReasoning = samples[0]?.reasoning ?? null;
      return answered;
    },
  };
}
