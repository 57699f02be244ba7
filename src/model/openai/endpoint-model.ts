/**
 * A language model behind an OpenAI-compatible endpoint, as the port `LanguageModel`.
 *
 * n samples are asked for at once; a server that ignores `n` is asked again for those that are missing. Tokens and cost
 * are summed in a meter that several models may share; when its cap is reached no further question is sent. Token ids and
 * log-probabilities come where the server gives them (vLLM `return_token_ids`, OpenAI `logprobs`).
 */
import {
  fail,
  type GenerateRequest,
  type Generation,
  type JsonObject,
  type LanguageModel,
  ok,
  type ProviderError,
  type Result,
  type Sample,
  type Usage,
} from '../../core/index.js';
import { toProviderError } from './call-failure.js';
import {
  type AnsweredCall,
  type ChatClient,
  type ChatClientOptions,
  createChatClient,
} from './chat-client.js';
import type { SpendMeter } from './spend-meter.js';

/** Which model behind which endpoint, and how it is asked. */
export interface EndpointModelOptions extends ChatClientOptions {
  /** The model's name at the endpoint. */
  readonly model: string;
  /** Sent where a request sets none; null for servers that refuse any. */
  readonly temperature?: number | null;
  /** Longest answer in tokens where a request sets none. */
  readonly maxTokens?: number;
  /** What the server calls this limit. Default `max_tokens`. */
  readonly maxTokensName?: 'max_tokens' | 'max_completion_tokens';
  /**
   * The server's template opens the thinking itself, so a text begins inside it: without a closing tag there is no answer yet.
   * Default false.
   */
  readonly startsInThinking?: boolean;
  /** Further members of every request body, for example `{chat_template_kwargs: {enable_thinking: true}}`. */
  readonly body?: JsonObject;
  /** Counts tokens and cost, and stops at its cap. */
  readonly meter?: SpendMeter;
  /** Told of oddities that did no harm, once each. */
  readonly onWarning?: (warning: string) => void;
}

/** Makes the model. Raises `usage/bad-argument` for an address that is none. */
export function createEndpointModel(options: EndpointModelOptions): LanguageModel {
  const client = createChatClient(options);
  const told = new Set<string>();
  const name = `${options.model}@${client.endpoint}`;
  return {
    name,
    async generate(request) {
      const wanted = request.n ?? 1;
      const replies: AnsweredCall[] = [];
      for (let missing = wanted; missing > 0; missing = wanted - choicesIn(replies)) {
        const asked = await askOnce(client, options, { request, missing });
        if (!asked.ok) return asked;
        replies.push(asked.value);
        for (const warning of asked.value.warnings) {
          if (told.has(warning)) continue;
          told.add(warning);
          options.onWarning?.(`${name}: ${warning}`);
        }
      }
      return ok(generationOf(replies, wanted, options.startsInThinking === true));
    },
  };
}

async function askOnce(
  client: ChatClient,
  options: EndpointModelOptions,
  of: { readonly request: GenerateRequest; readonly missing: number },
): Promise<Result<AnsweredCall, ProviderError>> {
  const { meter } = options;
  const over = meter?.overspent();
  if (over !== undefined) {
    const failure = { kind: 'budget', message: over, retryable: false } as const;
    return fail(toProviderError(failure, client.endpoint, { attempts: 0, waitedMs: 0 }));
  }
  const reply = await client.ask(bodyOf(options, of.request, of.missing), { signal: of.request.signal });
  if (reply.ok) meter?.add(reply.value.usage);
  return reply;
}

function bodyOf(
  options: EndpointModelOptions,
  request: GenerateRequest,
  count: number,
): JsonObject & { readonly model: string } {
  const temperature = options.temperature === null ? undefined : (request.temperature ?? options.temperature);
  const maxTokens = request.maxTokens ?? options.maxTokens;
  return {
    ...options.body,
    model: options.model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    ...(count > 1 && { n: count }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { [options.maxTokensName ?? 'max_tokens']: maxTokens }),
    ...(request.seed !== undefined && { seed: request.seed }),
    ...(request.stop !== undefined && { stop: [...request.stop] }),
    ...(request.logprobs === true && { logprobs: true, return_token_ids: true }),
  };
}

function choicesIn(replies: readonly AnsweredCall[]): number {
  return replies.reduce((sum, reply) => sum + reply.choices.length, 0);
}

function generationOf(replies: readonly AnsweredCall[], wanted: number, inThinking: boolean): Generation {
  const samples = replies
    .flatMap((reply) => reply.choices)
    .slice(0, wanted)
    .map(
      ({ text, reasoning, finishReason, tokens }): Sample => ({
        text: inThinking && reasoning === null ? withOpening(text) : text,
        reasoning,
        finishReason,
        ...(tokens === undefined ? {} : { tokens }),
      }),
    );
  return { samples, usage: sumOf(replies.map((reply) => reply.usage)), model: replies[0]?.model ?? '' };
}

/** The opening tag that the template had written. */
function withOpening(text: string): string {
  return /^\s*<think>/.test(text) ? text : `<think>${text}`;
}

/** The sum; null where one part is not known. */
function sumOf(parts: readonly Usage[]): Usage {
  const sum = (pick: (usage: Usage) => number | null): number | null =>
    parts.map(pick).reduce((total, part) => (total === null || part === null ? null : total + part), 0);
  return {
    promptTokens: sum((usage) => usage.promptTokens),
    completionTokens: sum((usage) => usage.completionTokens),
  };
}
