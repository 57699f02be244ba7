/**
 * The port to a language model: messages in, n samples out, failures as values.
 *
 * Token ids and log-probabilities are there only where the provider gives them. Usage that a provider does not
 * report is null, never 0.
 */
import type { ProviderError } from './errors.js';
import type { Result } from './result.js';

/** One chat message. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a model is asked. */
export interface GenerateRequest {
  readonly messages: readonly Message[];
  /** Samples wanted, 1 or more; default 1. */
  readonly n?: number;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Best effort: providers do not promise equal bytes for equal seeds. */
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** Ask for token ids and log-probabilities where the provider has them. */
  readonly logprobs?: boolean;
  readonly signal?: AbortSignal;
  /** A stable name of what is asked, used by recordings to find the answer; not sent to providers. */
  readonly key?: string;
}

/** One token of a sample. */
export interface SampleToken {
  readonly id: number;
  /** Natural logarithm of the token's probability, at most 0. */
  readonly logprob: number | null;
}

/** Why a sample ended: `stop` by itself, `length` cut by a limit, `other` anything else a provider names. */
export type FinishReason = 'stop' | 'length' | 'other';

/** One sample. */
export interface Sample {
  /** The answer's text, as it came. It may still hold thinking and tags. */
  readonly text: string;
  /** Reasoning that the provider sent apart from the text, or null. */
  readonly reasoning: string | null;
  readonly finishReason: FinishReason;
  readonly tokens?: readonly SampleToken[];
}

/** Tokens used by a request, as reported; null where not reported. */
export interface Usage {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/** What a model answered. */
export interface Generation {
  /** As many samples as asked. */
  readonly samples: readonly Sample[];
  readonly usage: Usage;
  /** The model's name as the provider reports it. */
  readonly model: string;
}

/** A language model behind any provider. */
export interface LanguageModel {
  /** A name for logs and reports; never holds a key. */
  readonly name: string;
  /** Asks the model. Resolves to a `ProviderError` as a value; rejects only for bugs and aborts. */
  generate(request: GenerateRequest): Promise<Result<Generation, ProviderError>>;
}
