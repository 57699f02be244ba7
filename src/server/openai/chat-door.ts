/**
 * The world model behind an OpenAI-compatible wire. It keeps no episode: each request brings its whole history.
 *
 * Source: contracts, "The service"; the OpenAI API reference. A turn without an observation is an error that carries
 * its status, never an empty text. A model's own sampling parameters are the request's where it names some.
 */
import { randomUUID } from 'node:crypto';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type LanguageModel,
  LIMITS,
  type Prediction,
  parseJson,
  ServiceError,
  type Span,
} from '../../core/index.js';
import { createHistoryWorldModel, type HistoryPrediction, type HistoryWorldModel } from '../../sim/index.js';
import type { World } from '../../worlds/index.js';
import { readText } from '../read-request.js';
import { jsonReply } from '../reply.js';
import { chatError, noModel, noObservationReply } from './chat-error.js';
import { chatReply } from './chat-reply.js';
import { type ChatRequest, readChatRequest } from './chat-request.js';
import { modelNames, type NamedModel, readModelName } from './model-names.js';

/** What the door needs of its service. */
export interface ChatContext {
  readonly model: LanguageModel | undefined;
  readonly promptTokens: number | undefined;
  /** The world whose own prompt a text is. */
  readonly worldOf: (prompt: string) => Promise<World | undefined>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Called before each answer; raises where the caller may have none. */
  readonly beforeAnswer: () => void;
  /** Called with each answer, for counters. */
  readonly onAnswer: (facts: ChatFacts) => void;
}

/** What is counted of one answer. */
export interface ChatFacts {
  readonly route: string;
  readonly domain: string;
  readonly status: Prediction['status'];
  readonly seconds: number;
  /** Tokens that a model used, where one was asked; 0 for none. */
  readonly tokens: number;
}

/** The door. */
export class ChatDoor {
  private readonly models = new Map<string, HistoryWorldModel>();
  private running = 0;

  constructor(private readonly context: ChatContext) {}

  /** `GET /v1/models`. */
  list(): Response {
    return jsonReply({ object: 'list', data: modelNames(this.hasModel).map((id) => modelCard(id)) });
  }

  /** `GET /v1/models/NAME`. Raises `service/not-found`. */
  card(name: string): Response {
    this.named(name);
    return jsonReply(modelCard(name));
  }

  /** `POST /v1/chat/completions`. Raises what a bad request raises; `service/busy` where too many run. */
  async complete(request: Request): Promise<Response> {
    if (this.running >= LIMITS.chatRequests)
      throw new ServiceError(`${this.running} requests run already (limit chatRequests); try again`, {
        code: 'service/busy',
      });
    this.running += 1;
    try {
      const chat = readChatRequest(await readBody(request));
      this.context.beforeAnswer();
      return await this.answer(chat, request.signal);
    } finally {
      this.running -= 1;
    }
  }

  private get hasModel(): boolean {
    return this.context.model !== undefined;
  }

  private named(name: string): NamedModel {
    const named = readModelName(name);
    if (named === undefined) throw noModel(name, modelNames(this.hasModel));
    if (named.route === 'model' && !this.hasModel)
      throw noModel(
        `${name}' (this service has no language model; start it with --model)`,
        modelNames(false),
      );
    return named;
  }

  private async answer(chat: ChatRequest, gone: AbortSignal): Promise<Response> {
    const { context } = this;
    const named = this.named(chat.model);
    const startMs = context.nowMs();
    const timeout = AbortSignal.timeout(LIMITS.chatMs);
    const predicted = await this.predict(chat, named, AbortSignal.any([gone, timeout])).catch(
      (error: unknown) => {
        if (!timeout.aborted) throw error;
        const reason = `the request took longer than ${LIMITS.chatMs / 1000} seconds (limit chatMs); send a shorter history`;
        return { ...NOTHING, status: 'limit' as const, reason };
      },
    );
    const { status, observation, usage, reason = 'there is no observation' } = predicted;
    context.onAnswer({
      route: named.route,
      domain: predicted.domain ?? 'unknown',
      status,
      seconds: Math.max(0, context.nowMs() - startMs) / 1000,
      tokens: (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0),
    });
    if (predicted.flags.includes('unknown-domain'))
      throw chatError(`${reason}. Name the domain in the model, for example umwelt/${named.route}-terminal`, {
        param: 'messages',
        code: 'unknown_domain',
      });
    const extension = extensionOf(chat, named, predicted);
    if (observation === null) {
      const kind = status === 'limit' || status === 'model-failed' ? status : 'abstained';
      return noObservationReply(kind, reason, extension);
    }
    return chatReply(chat, {
      id: `chatcmpl-${randomUUID()}`,
      created: Math.floor(startMs / 1000),
      model: chat.model,
      observation,
      thinking: predicted.thinking,
      usage,
      extension,
    });
  }

  private predict(chat: ChatRequest, named: NamedModel, signal: AbortSignal): Promise<HistoryPrediction> {
    const system = { text: chat.system, demonstrations: [] };
    return this.modelOf(chat, named).predict({ system, history: chat.history, action: chat.action, signal });
  }

  /** One world model for each name; sampling parameters make one for the request alone. */
  private modelOf(chat: ChatRequest, named: NamedModel): HistoryWorldModel {
    const { model, promptTokens, worldOf } = this.context;
    const asksModel = model !== undefined && named.route !== 'engine';
    const sampling = asksModel ? samplingOf(chat) : {};
    const key = `${chat.model} ${JSON.stringify(sampling)}`;
    const known = this.models.get(key);
    if (known !== undefined) return known;
    const made = createHistoryWorldModel({
      route: named.route,
      worldOf,
      ...(named.domain !== undefined && { domain: named.domain }),
      ...(asksModel && { model: withSampling(model, sampling) }),
      ...(promptTokens !== undefined && { promptTokens }),
    });
    if (this.models.size >= MODELS_KEPT) this.models.delete(this.models.keys().next().value ?? '');
    this.models.set(key, made);
    return made;
  }
}

/** World models with different sampling parameters that are kept. */
const MODELS_KEPT = 32;
const NOTHING: HistoryPrediction = {
  status: 'limit',
  observation: null,
  origins: [],
  flags: [],
  domain: null,
  history: [],
};

type Sampling = { readonly maxTokens?: number; readonly temperature?: number; readonly seed?: number };

function samplingOf({ maxTokens, temperature, seed }: ChatRequest): Sampling {
  return {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
  };
}

function withSampling(model: LanguageModel, sampling: Sampling): LanguageModel {
  if (Object.keys(sampling).length === 0) return model;
  return { name: model.name, generate: (request) => model.generate({ ...request, ...sampling }) };
}

async function readBody(request: Request): Promise<JsonObject> {
  const text = await readText(request);
  const json = parseJson(text);
  if (!json.ok) throw chatError(`the body is not JSON: ${json.error.message}`);
  if (!isJsonObject(json.value)) throw chatError('the body is JSON, but no object');
  return json.value;
}

function modelCard(id: string): JsonObject {
  // A fixed moment: the models are as old as this wire.
  return { id, object: 'model', created: 1_790_000_000, owned_by: 'umwelt' };
}

/** Where every turn came from: past ones whole, the answer in spans of UTF-16 units. */
function extensionOf(chat: ChatRequest, named: NamedModel, predicted: HistoryPrediction): JsonObject {
  let index = 0;
  const past = chat.history.map(({ observation }, at): Json => {
    if (observation === null) return { turn: at + 1, status: 'abstained', origins: [] };
    const origin = predicted.history[index++] ?? 'recorded';
    return { turn: at + 1, status: 'ok', origins: spansOf([{ start: 0, end: observation.length, origin }]) };
  });
  const { status, origins, flags, reason, domain } = predicted;
  const last: Json = {
    turn: chat.history.length + 1,
    status,
    origins: spansOf(origins),
    ...(flags.length > 0 && { flags }),
    ...(reason !== undefined && { reason }),
  };
  return { domain, route: named.route, turns: [...past, last] };
}

function spansOf(spans: readonly Span[]): Json {
  return spans.map((span) => ({ ...span })) as unknown as Json;
}
