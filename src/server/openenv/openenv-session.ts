/**
 * One OpenEnv session: an environment of its own, spoken to in messages, one reply each.
 *
 * The first message that needs an episode opens it; a reset lets it go and opens another, so it touches nothing but
 * this session. Replies never leave a failure out: what cannot be answered is an `error` message with its code.
 * Source: OpenEnv `core/env_server/types.py` and `http_server.py`, WebSocket `/ws`.
 */
import { z } from 'zod';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  type StepResult,
  UmweltError,
} from '../../core/index.js';
import type { World } from '../../worlds/index.js';
import type { HostedEpisode } from '../hosted-episode.js';
import { listTools } from '../mcp/mcp-server.js';
import { askedBy, OpenEnvActionSchema, stepObservation, toolsObservation } from './openenv-action.js';
import { answerRpc } from './openenv-rpc.js';

/** What a session needs from its service. */
export interface OpenEnvContext {
  readonly world: World;
  readonly open: (seed: number | undefined) => Promise<HostedEpisode>;
  readonly remove: (id: string) => Promise<unknown>;
}

/** What a reset may say. Further keys are let be. */
const ResetSchema = z.looseObject({
  seed: z.int().nonnegative().nullish(),
  episode_id: z.string().max(255).nullish(),
});

/** An observation with what the trainer needs beside it. */
export type Observed = { observation: JsonObject; reward: number | null; done: boolean };

/** A failure of the session protocol. */
export class OpenEnvFailure extends Error {
  readonly code: string;
  readonly more: JsonObject;

  constructor(code: string, message: string, more: JsonObject = {}) {
    super(message);
    this.code = code;
    this.more = more;
  }
}

/** One session. Messages must be handled one after another. */
export class OpenEnvSession {
  readonly #context: OpenEnvContext;
  #hosted: HostedEpisode | null = null;
  #name: string | null = null;

  constructor(context: OpenEnvContext) {
    this.#context = context;
  }

  /** The reply to one message as text, or null when the client said `close`. Never rejects. */
  async handle(text: string): Promise<string | null> {
    try {
      const message = readMessage(text);
      return message.type === 'close' ? null : renderJson(await this.#answer(message));
    } catch (error) {
      return renderJson({ type: 'error', data: describe(error) });
    }
  }

  /** Opens a new episode in the place of this session's. Rejects with `OpenEnvFailure` and as opening does. */
  async reset(data: Json): Promise<Observed> {
    const { seed, episode_id: name } = check(ResetSchema, data, 'reset');
    await this.close();
    this.#hosted = await this.#context.open(seed ?? undefined);
    this.#name = name ?? null;
    const { task = '' } = this.#context.world.file;
    return { observation: { text: task, is_error: false }, reward: null, done: false };
  }

  /** Carries out one action. Rejects with `OpenEnvFailure`, also for a step without an observation. */
  async step(data: Json): Promise<Observed> {
    const asked = askedBy(check(OpenEnvActionSchema, data, 'step'));
    const hosted = await this.#episode();
    if (asked.kind === 'list-tools') {
      return { observation: toolsObservation(listTools(hosted)), reward: null, done: hosted.episode.done };
    }
    const result =
      asked.kind === 'finish' ? await hosted.finish(asked.answer) : await hosted.step(asked.action);
    mustHaveObservation(result);
    const observation = stepObservation(result, asked.kind === 'step' ? asked.tool : null);
    return { observation, reward: result.reward, done: result.done };
  }

  /** Where the session stands. */
  state(): JsonObject {
    const episode = this.#hosted?.episode;
    return {
      episode_id: this.#name ?? this.#hosted?.id ?? null,
      step_count: episode?.turnCount ?? 0,
      world: this.#context.world.name,
      done: episode?.done ?? false,
    };
  }

  /** Answers a JSON-RPC request for the tools. Never rejects. */
  async rpc(request: Json): Promise<JsonObject> {
    return answerRpc(request, await this.#episode());
  }

  /** Lets the episode go. */
  async close(): Promise<void> {
    const hosted = this.#hosted;
    this.#hosted = null;
    if (hosted !== null) await this.#context.remove(hosted.id);
  }

  async #answer({ type, data }: Message): Promise<Json> {
    if (type === 'reset') return { type: 'observation', data: await this.reset(data ?? {}) };
    if (type === 'step') return { type: 'observation', data: await this.step(data ?? {}) };
    if (type === 'state') return { type: 'state', data: this.state() };
    if (type === 'mcp') return { type: 'mcp', data: await this.rpc(data ?? null) };
    throw new OpenEnvFailure(
      'UNKNOWN_TYPE',
      `the type is ${JSON.stringify(type)}; known are reset, step, state, mcp, close`,
    );
  }

  async #episode(): Promise<HostedEpisode> {
    this.#hosted ??= await this.#context.open(undefined);
    return this.#hosted;
  }
}

interface Message {
  readonly type: string;
  readonly data: Json | undefined;
}

function readMessage(text: string): Message {
  const json = parseJson(text);
  if (!json.ok) throw new OpenEnvFailure('INVALID_JSON', `the message is not JSON: ${json.error.message}`);
  const { value } = json;
  if (!isJsonObject(value) || typeof value.type !== 'string') {
    throw new OpenEnvFailure('UNKNOWN_TYPE', 'the message has no type');
  }
  return { type: value.type.slice(0, 100), data: value.data };
}

/** Checks data against a schema; what does not fit is a `VALIDATION_ERROR` with places. */
export function check<Schema extends z.ZodType>(schema: Schema, data: Json, what: string): z.infer<Schema> {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ code, path, message }) => ({
    type: code,
    loc: path.map(String),
    msg: message,
  }));
  throw new OpenEnvFailure('VALIDATION_ERROR', `the data of ${what} does not fit`, { errors });
}

/** Ignorance is an error on this wire too, never an empty observation. */
function mustHaveObservation({ observation, status, reason }: StepResult): void {
  if (observation !== null) return;
  throw new OpenEnvFailure('EXECUTION_ERROR', reason ?? 'there is no observation', { status });
}

/** The data of an `error` message. */
export function describe(error: unknown): JsonObject {
  if (error instanceof OpenEnvFailure) return { message: error.message, code: error.code, ...error.more };
  if (!UmweltError.isInstance(error)) return { message: 'the world failed inside', code: 'EXECUTION_ERROR' };
  const code = error.code === 'service/capacity' ? 'CAPACITY_REACHED' : 'EXECUTION_ERROR';
  return { message: error.message, code, error: error.code };
}
