/**
 * Any language model of the AI SDK (providers of `ai` 5 and 6) as the port `LanguageModel`.
 *
 * The model is asked through its provider's own `doGenerate`, below `generateText`: that costs a fifth of the time and needs
 * nothing of the package `ai` here. The interface is declared as far as it is used, so that version 2 and 3 of it fit. It is
 * the second choice: the adapter of OpenAI-compatible endpoints is leaner and heals more of what servers do wrong. Retries
 * are whole calls with jitter. Not covered: streaming, tools, log-probabilities.
 */
import {
  type FinishReason,
  fail,
  type GenerateRequest,
  type LanguageModel,
  ok,
  ProviderError,
  type Result,
  type Sample,
  type Usage,
} from '../core/index.js';
import { isRetryableStatus } from './openai/call-failure.js';
import type { ClientClock } from './openai/chat-client.js';
import { decideRetry, RETRY_POLICY, type RetryPolicy } from './openai/retry.js';
import type { SpendMeter } from './openai/spend-meter.js';

/** What is used of an AI SDK model. */
export interface AiSdkLanguageModel {
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
}

/** How it is asked. */
export interface AiSdkModelOptions {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly meter?: SpendMeter;
  readonly retry?: Partial<RetryPolicy>;
  readonly clock?: ClientClock;
  /** Passed to the provider as `providerOptions`. */
  readonly providerOptions?: Readonly<Record<string, unknown>>;
}

const CLOCK: Pick<ClientClock, 'now' | 'random' | 'sleep'> = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

/** Makes the model. Failures of the provider are values; rejects with the signal's reason on an abort. */
export function createAiSdkModel(model: AiSdkLanguageModel, options: AiSdkModelOptions = {}): LanguageModel {
  const name = `${model.modelId}@ai-sdk:${model.provider}`;
  return {
    name,
    async generate(request) {
      const samples: Sample[] = [];
      const usages: Usage[] = [];
      for (let count = request.n ?? 1; count > 0; count--) {
        const over = options.meter?.overspent();
        if (over !== undefined) return fail(failed(name, over, { kind: 'budget', retryable: false }));
        const said = await askOnce(model, request, { ...options, name });
        if (!said.ok) return said;
        options.meter?.add(said.value.usage);
        samples.push(said.value.sample);
        usages.push(said.value.usage);
      }
      return ok({ samples, usage: sumOf(usages), model: model.modelId });
    },
  };
}

async function askOnce(
  model: AiSdkLanguageModel,
  request: GenerateRequest,
  how: AiSdkModelOptions & { readonly name: string },
): Promise<Result<{ readonly sample: Sample; readonly usage: Usage }, ProviderError>> {
  const policy = { ...RETRY_POLICY, ...how.retry };
  const clock = how.clock ?? CLOCK;
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await model.doGenerate(callOptions(request, how) as never);
      return readResult(result, how.name);
    } catch (cause) {
      if (request.signal?.aborted === true) throw request.signal.reason;
      const failure = failureOf(cause);
      const decision = decideRetry(failure, attempt, { policy, nowMs: clock.now(), random: clock.random });
      if (decision.do !== 'wait') {
        const data = {
          kind: decision.do === 'quota' ? 'quota' : failure.kind,
          retryable: false,
          attempts: attempt,
        };
        return fail(failed(how.name, failure.message, data, cause));
      }
      await clock.sleep(decision.ms, request.signal);
    }
  }
}

function callOptions(request: GenerateRequest, how: AiSdkModelOptions): Record<string, unknown> {
  const temperature = request.temperature ?? how.temperature;
  const maxOutputTokens = request.maxTokens ?? how.maxTokens;
  return {
    prompt: request.messages.map(({ role, content }) =>
      role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
    ),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(request.stop !== undefined && { stopSequences: [...request.stop] }),
    ...(request.seed !== undefined && { seed: request.seed }),
    ...(request.signal !== undefined && { abortSignal: request.signal }),
    ...(how.providerOptions !== undefined && { providerOptions: how.providerOptions }),
  };
}

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
}

/** Reads what the provider gave; an answer of another shape is a bad reply, never an empty one. */
function readResult(
  result: unknown,
  name: string,
): Result<{ readonly sample: Sample; readonly usage: Usage }, ProviderError> {
  const { content, finishReason, usage } = (result ?? {}) as Record<string, unknown>;
  const finish = finishOf(finishReason);
  if (!Array.isArray(content) || finish === 'error') {
    const what =
      finish === 'error' ? 'the provider ended the answer with an error' : 'the answer has no content';
    return fail(failed(name, what, { kind: 'bad-body', retryable: true }));
  }
  const textOf = (type: string): string =>
    (content as readonly Part[])
      .filter((part) => part.type === type && typeof part.text === 'string')
      .map((part) => String(part.text))
      .join('');
  const reasoning = textOf('reasoning');
  const sample = {
    text: textOf('text'),
    reasoning: reasoning === '' ? null : reasoning,
    finishReason: finish,
  };
  return ok({ sample, usage: usageOf(usage) });
}

function finishOf(reason: unknown): FinishReason | 'error' {
  const word =
    typeof reason === 'object' && reason !== null ? (reason as { unified?: unknown }).unified : reason;
  return word === 'stop' || word === 'length' || word === 'error' ? word : 'other';
}

function usageOf(usage: unknown): Usage {
  const { inputTokens, outputTokens } = (usage ?? {}) as Record<string, unknown>;
  return { promptTokens: countOf(inputTokens), completionTokens: countOf(outputTokens) };
}

function countOf(tokens: unknown): number | null {
  const count =
    typeof tokens === 'object' && tokens !== null ? (tokens as { total?: unknown }).total : tokens;
  return typeof count === 'number' && Number.isFinite(count) ? count : null;
}

/** An error of the SDK; its status says whether another attempt may help. */
function failureOf(cause: unknown): Parameters<typeof decideRetry>[0] {
  const { statusCode, isRetryable, responseHeaders, message } = (cause ?? {}) as Record<string, unknown>;
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  const after =
    typeof responseHeaders === 'object' && responseHeaders !== null
      ? (responseHeaders as Record<string, unknown>)['retry-after']
      : undefined;
  return {
    kind: status === undefined ? 'network' : 'http',
    message: typeof message === 'string' && message !== '' ? message : String(cause),
    retryable: isRetryable === true || (status !== undefined && isRetryableStatus(status)),
    ...(status !== undefined && { status }),
    ...(typeof after === 'string' && { retryAfter: after }),
  };
}

function failed(
  name: string,
  message: string,
  data: Record<string, unknown>,
  cause?: unknown,
): ProviderError {
  const code = data.kind === 'bad-body' ? 'provider/bad-reply' : 'provider/failed';
  return new ProviderError(`${name}: ${message}`, { code, data, ...(cause !== undefined && { cause }) });
}

function sumOf(parts: readonly Usage[]): Usage {
  const sum = (pick: (usage: Usage) => number | null): number | null =>
    parts
      .map(pick)
      .reduce((total, part) => (total === null || part === null ? null : total + part), 0 as number | null);
  return {
    promptTokens: sum((one) => one.promptTokens),
    completionTokens: sum((one) => one.completionTokens),
  };
}
