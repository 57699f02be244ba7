/**
 * What the models without a provider answer: samples made of a known text, and the words of a request.
 */
import { type GenerateRequest, type Generation, hashText } from '../core/index.js';

/** A known answer: the text and the reasoning a provider would have sent apart. */
export interface KnownText {
  readonly text: string;
  readonly reasoning?: string | undefined;
}

/** As many equal samples as were asked for; nothing is counted, so usage is null. */
export function generationOf(known: KnownText, request: GenerateRequest, model: string): Generation {
  const sample = { text: known.text, reasoning: known.reasoning ?? null, finishReason: 'stop' } as const;
  return {
    samples: Array.from({ length: request.n ?? 1 }, () => sample),
    usage: { promptTokens: null, completionTokens: null },
    model,
  };
}

/** The last user message, or the empty text when there is none. */
export function lastUserMessage(request: GenerateRequest): string {
  return request.messages.findLast((message) => message.role === 'user')?.content ?? '';
}

/** The key of a request: its own, or the SHA-256 of its messages when it has none. Equal questions, equal keys. */
export function requestKey(request: GenerateRequest): string {
  if (request.key !== undefined) return request.key;
  return hashText(JSON.stringify(request.messages.map(({ role, content }) => [role, content])));
}
