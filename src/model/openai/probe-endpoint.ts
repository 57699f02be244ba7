/**
 * Looks an endpoint over before it is relied on: what it answers, under which names, and what to change.
 *
 * Asked are the list of models, a whole and a streamed answer, several samples, log-probabilities, and a limit of one token.
 * Each finding says what was seen; `wrong` is what keeps worlds from working, `note` what costs something. Nothing is
 * guessed: what a server does not show is said to be unknown. The answers of a model are its own, so a kept answer tag is
 * found only where the model writes one. Source: hard cases P-OUT-1 to 3, P-API-1 to 4.
 */
import {
  isJsonObject,
  type JsonObject,
  OBSERVATION_TAG,
  REASONING_FIELDS,
  type Result,
  readPrediction,
} from '../../core/index.js';
import type { CallFailure } from './call-failure.js';
import { completionsUrl, headersOf, shownAddress } from './chat-client.js';
import { EXCHANGE_LIMITS, type ExchangeLimits } from './exchange.js';
import { getJson, readModelList } from './list-models.js';
import { askOnce, messagesIn, type ProbedCall, type ProbeTarget } from './probe-calls.js';

/** What is probed. */
export interface ProbeOptions {
  readonly model: string;
  readonly baseUrl: string;
  /** Sent as a bearer token; never shown. */
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: Partial<ExchangeLimits>;
  /** Further members of every request body. */
  readonly body?: JsonObject;
  readonly signal?: AbortSignal;
}

/** One thing that was looked at. */
export interface ProbeFinding {
  readonly check: string;
  readonly status: 'ok' | 'wrong' | 'note';
  readonly found: string;
  /** What to change, where something should be. */
  readonly fix?: string;
}

/** What was found, and what a client should be told for this endpoint. */
export interface ProbeReport {
  /** The address without credentials. */
  readonly endpoint: string;
  readonly findings: readonly ProbeFinding[];
  /** Options of {@link EndpointModelOptions} that suit it; empty where the defaults do. */
  readonly options: {
    readonly stream?: boolean;
    readonly maxTokensName?: 'max_tokens' | 'max_completion_tokens';
    readonly temperature?: null;
    readonly startsInThinking?: boolean;
  };
  /** Tokens of prompt and answer together, where the server says so. */
  readonly contextTokens: number | null;
}

const QUESTION = `Copy this block exactly and write nothing else:\n<${OBSERVATION_TAG}>\nbox:/w$ echo 42\n42\nbox:/w$\n</${OBSERVATION_TAG}>`;
const LEAST_CONTEXT = 32_768;
const LIST_MS = 15_000;

/** Probes. Raises `usage/bad-argument` for an address that is none; rejects with the signal's reason on an abort. */
export async function probeEndpoint(options: ProbeOptions): Promise<ProbeReport> {
  const url = completionsUrl(options.baseUrl);
  const headers = headersOf(options, url);
  const limits = { ...EXCHANGE_LIMITS, ...options.limits };
  const target: ProbeTarget = { url, headers, limits, model: options.model, signal: options.signal };
  const probe = new Probe(target, options.body ?? {});
  await probe.listModels();
  if (await probe.wholeAnswer()) {
    await probe.streamedAnswer();
    await probe.samples();
    await probe.logprobs();
    await probe.limit();
  }
  return {
    endpoint: shownAddress(url),
    findings: probe.findings,
    options: probe.options,
    contextTokens: probe.contextTokens,
  };
}

class Probe {
  readonly findings: ProbeFinding[] = [];
  readonly options: { -readonly [K in keyof ProbeReport['options']]: ProbeReport['options'][K] } = {};
  contextTokens: number | null = null;
  private readonly messages = [{ role: 'user', content: QUESTION }];
  private body: JsonObject;

  constructor(
    private readonly target: ProbeTarget,
    more: JsonObject,
  ) {
    this.body = { ...more, messages: this.messages, temperature: 0.6 };
  }

  private tell(check: string, status: ProbeFinding['status'], found: string, fix?: string): void {
    this.findings.push({ check, status, found, ...(fix !== undefined && { fix }) });
  }

  private ask(more: JsonObject): Promise<Result<ProbedCall, CallFailure>> {
    return askOnce(this.target, { ...this.body, ...more });
  }

  /** The list of models: is this one there, and how long may a question be? */
  async listModels(): Promise<void> {
    const { url, headers, model } = this.target;
    const at = (path: string): URL => new URL(url.pathname.replace(/\/chat\/completions$/, path), url);
    const got = await getJson(at('/models'), headers, LIST_MS);
    if (got.status === 0) {
      this.tell('models', 'note', `no list of models: ${got.problem ?? 'no answer'}`);
      return;
    }
    const models = readModelList(got.json);
    const own = models.find(({ id }) => id === model);
    if (models.length === 0)
      this.tell('models', 'note', `the list of models answers ${got.status} and names none`);
    else if (own !== undefined) this.tell('models', 'ok', `${model} is one of ${models.length}`);
    else {
      const names = models
        .slice(0, 8)
        .map(({ id }) => id)
        .join(', ');
      this.tell('models', 'note', `${model} is not in the list: ${names}`, 'check the name before the @');
    }
    this.contextTokens = own?.contextTokens ?? null;
    if (this.contextTokens === null) this.contextTokens = await this.contextOfServer();
    this.tellContext();
  }

  /** llama.cpp tells the length it was started with beside its API. */
  private async contextOfServer(): Promise<number | null> {
    const { url, headers } = this.target;
    const { json } = await getJson(new URL('/props', url), headers, LIST_MS);
    const props = isJsonObject(json ?? null) ? (json as JsonObject) : {};
    const settings = isJsonObject(props.default_generation_settings ?? null)
      ? (props.default_generation_settings as JsonObject)
      : {};
    const said = [settings.n_ctx, props.n_ctx].find((value) => typeof value === 'number' && value > 0);
    return typeof said === 'number' ? said : null;
  }

  private tellContext(): void {
    const { contextTokens: tokens } = this;
    if (tokens === null) {
      this.tell(
        'context',
        'note',
        'the server does not say how long a question may be',
        `set promptTokens to what it was started with, less room for the answer; worlds want ${LEAST_CONTEXT} or more`,
      );
    } else if (tokens < LEAST_CONTEXT) {
      this.tell(
        'context',
        'note',
        `${tokens} tokens`,
        `start the server with ${LEAST_CONTEXT} or more (vLLM --max-model-len, SGLang --context-length, llama.cpp -c, Ollama num_ctx), or set promptTokens below ${tokens}`,
      );
    } else this.tell('context', 'ok', `${tokens} tokens`);
  }

  /** One answer that is not streamed; false where nothing further can be found out. */
  async wholeAnswer(): Promise<boolean> {
    let call = await this.ask({ stream: false });
    if (call.ok && refusesTemperature(call.value)) {
      const { temperature: _none, ...rest } = this.body;
      this.body = rest;
      this.options.temperature = null;
      this.tell('temperature', 'note', 'the server refuses a temperature', 'set temperature to null');
      call = await this.ask({ stream: false });
    }
    if (!call.ok) return this.stopped('answer', call.error);
    if (!call.value.read.ok) return this.stopped('answer', call.value.read.error);
    const { read, totalMs, raw } = call.value;
    this.tell(
      'answer',
      'ok',
      `an answer after ${totalMs} ms, finish reason ${read.value.choices[0]?.finish ?? 'none'}`,
    );
    for (const warning of read.value.warnings) this.tell('answer', 'note', warning);
    this.tellUsage(read.value.usage.completionTokens, 'usage');
    this.tellFinish(read.value.choices[0]?.finish ?? null);
    this.tellReasoning(raw, read.value.choices[0]?.text ?? '');
    this.tellTag(read.value.choices[0]);
    return true;
  }

  private stopped(check: string, failure: CallFailure): false {
    this.tell(check, 'wrong', failure.message, fixOf(failure));
    return false;
  }

  private tellUsage(tokens: number | null, check: string): void {
    if (tokens !== null) this.tell(check, 'ok', 'tokens are reported');
    else
      this.tell(
        check,
        'note',
        'tokens are not reported',
        'caps of tokens and cost cannot be held with this server',
      );
  }

  private tellFinish(finish: string | null): void {
    if (finish === 'stop' || finish === 'length') this.tell('finish', 'ok', `finish reason '${finish}'`);
    else
      this.tell(
        'finish',
        'note',
        finish === null ? 'no finish reason' : `finish reason '${finish}', not 'stop'`,
        'a cut answer cannot be told from a whole one with such a server',
      );
  }

  /** Where the thinking stands. */
  private tellReasoning(raw: string, text: string): void {
    const names = new Set(
      messagesIn(raw).flatMap((message) => Object.keys(message).filter((name) => isFilled(message[name]))),
    );
    const fields = REASONING_FIELDS.filter((name) => names.has(name));
    const unknown = [...names].filter(
      (name) =>
        /reason|think/i.test(name) &&
        !(REASONING_FIELDS as readonly string[]).includes(name) &&
        name !== 'finish_reason',
    );
    if (fields.length > 0)
      this.tell('reasoning', 'ok', `thinking stands in the field '${fields.join("' and '")}'`);
    else if (/<think>/.test(text))
      this.tell(
        'reasoning',
        'note',
        'thinking stands in the answer between <think> and </think>',
        'it is taken out; a reasoning parser of the server (--reasoning-parser) would send it apart',
      );
    else if (/<\/think>/.test(text)) {
      this.options.startsInThinking = true;
      this.tell(
        'reasoning',
        'note',
        'thinking stands in the answer without its opening tag',
        'set startsInThinking, or start the server with a reasoning parser (vLLM and SGLang --reasoning-parser, llama.cpp --reasoning-format deepseek)',
      );
    } else
      this.tell(
        'reasoning',
        'note',
        'no thinking was seen',
        'for the published model thinking must be on (chat_template_kwargs: {"enable_thinking": true})',
      );
    if (unknown.length > 0)
      this.tell(
        'reasoning',
        'note',
        `the unknown field '${unknown.join("', '")}' looks like reasoning and is left out`,
      );
  }

  /** Whether the answer's tag arrives. */
  private tellTag(
    choice:
      | {
          readonly text: string;
          readonly reasoning: string | null;
          readonly finishReason: 'stop' | 'length' | 'other';
        }
      | undefined,
  ): void {
    const { text = '', reasoning = null, finishReason = 'other' } = choice ?? {};
    const read = readPrediction(text, { finishReason, reasoning });
    if (read.ok && read.value.tagged) this.tell('tag', 'ok', `<${OBSERVATION_TAG}> arrives whole`);
    else if (!read.ok) {
      const fix =
        reasoning?.includes(`<${OBSERVATION_TAG}>`) === true
          ? 'the reasoning parser took the answer with it: take the parser off, or another one'
          : 'give the model room (maxTokens) and look at its chat template';
      this.tell('tag', 'wrong', `no answer could be read: ${read.error.message}`, fix);
    } else if (text.includes(`${OBSERVATION_TAG}>`))
      this.tell(
        'tag',
        'note',
        `<${OBSERVATION_TAG}> arrives in part`,
        'check stop sequences and special tokens of the server',
      );
    else
      this.tell(
        'tag',
        'note',
        `no <${OBSERVATION_TAG}> in the answer`,
        'the model did not copy it, or the server takes tags out; the whole answer is then the observation',
      );
  }

  /** The same, streamed. */
  async streamedAnswer(): Promise<void> {
    const call = await this.ask({ stream: true, stream_options: { include_usage: true } });
    const failure = call.ok ? (call.value.read.ok ? undefined : call.value.read.error) : call.error;
    if (failure !== undefined) {
      this.options.stream = false;
      this.tell('streaming', 'note', `a streamed answer fails: ${failure.message}`, 'set stream to false');
      return;
    }
    if (!call.ok || !call.value.read.ok) return;
    const { contentType, pieces, firstMs, totalMs, raw, read } = call.value;
    if (!/event-stream/i.test(contentType) && !/^\s*(?:data|event|id|:)/.test(raw)) {
      this.options.stream = false;
      this.tell(
        'streaming',
        'note',
        'the server answers in one document although a stream was asked',
        'set stream to false',
      );
      return;
    }
    this.tell(
      'streaming',
      'ok',
      `${pieces} pieces, the first after ${firstMs} ms, the last after ${totalMs} ms`,
    );
    for (const warning of read.value.warnings) this.tell('streaming', 'note', warning);
    this.tellUsage(read.value.usage.completionTokens, 'stream-usage');
  }

  /** Several samples at once. */
  async samples(): Promise<void> {
    const call = await this.ask({ stream: false, n: 2, max_tokens: 16 });
    const count = call.ok && call.value.read.ok ? call.value.read.value.choices.length : 0;
    if (count >= 2) this.tell('samples', 'ok', 'n samples come at once');
    else
      this.tell(
        'samples',
        'note',
        count === 1 ? 'n is ignored' : 'n is refused',
        'samples are asked for one by one',
      );
  }

  /** Log-probabilities and token ids. */
  async logprobs(): Promise<void> {
    const call = await this.ask({ stream: false, max_tokens: 8, logprobs: true, return_token_ids: true });
    const raw = call.ok && call.value.read.ok ? call.value.raw : '';
    const has = {
      ids: /"token_ids"\s*:\s*\[/.test(raw) || /"token_id:\d+"/.test(raw),
      logprobs: /"logprob"\s*:\s*-?\d/.test(raw),
    };
    if (has.ids && has.logprobs) this.tell('logprobs', 'ok', 'token ids and log-probabilities are given');
    else if (has.logprobs)
      this.tell(
        'logprobs',
        'note',
        'log-probabilities without token ids',
        'training on samples wants ids (vLLM return_token_ids)',
      );
    else this.tell('logprobs', 'note', 'no log-probabilities', 'only needed for training on samples');
  }

  /** The name of the limit, and whether it holds. */
  async limit(): Promise<void> {
    for (const name of ['max_tokens', 'max_completion_tokens'] as const) {
      const call = await this.ask({ stream: false, [name]: 1 });
      if (!call.ok || !call.value.read.ok) continue;
      const { finish } = call.value.read.value.choices[0] ?? { finish: null };
      if (name !== 'max_tokens') this.options.maxTokensName = name;
      if (finish === 'length') this.tell('limit', 'ok', `${name} is kept, and a cut answer says 'length'`);
      else
        this.tell(
          'limit',
          'note',
          `${name} is taken, and an answer of one token ends with '${finish ?? 'nothing'}', not 'length'`,
          'a cut answer may look like a whole one',
        );
      return;
    }
    this.tell('limit', 'note', 'neither max_tokens nor max_completion_tokens is taken', 'set no maxTokens');
  }
}

function refusesTemperature({ status, raw }: ProbedCall): boolean {
  return status === 400 && /temperature/i.test(raw);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : value !== null && value !== undefined;
}

function fixOf({ kind, status }: CallFailure): string {
  if (status === 401 || status === 403) return 'set OPENAI_API_KEY to a key of this server';
  if (status === 404) return 'check the address (it ends in /v1 on most servers) and the name of the model';
  if (status === 429 || kind === 'quota')
    return 'the server is busy or the quota is used up; try again later';
  if (status !== undefined && status >= 300 && status < 400) return 'use the address that it points to';
  if (kind === 'network') return 'start the server, and check address and port';
  if (kind === 'headers-timeout' || kind === 'idle-timeout' || kind === 'total-timeout')
    return 'the server is too slow or hangs; look at its log';
  return 'what answers there is no OpenAI-compatible endpoint, or it is broken; look at its log';
}
