/**
 * `MODEL@BASE_URL`: a language model with tools behind an OpenAI-compatible endpoint, in the plainest loop there is.
 *
 * The model is told the task and the tools; its tool calls are made one after another, their answers given back; a
 * message without calls is its answer. Nothing is added that would help it (no plan, no memory, no retry of its calls),
 * so that what is measured is the model. The endpoint itself is tried again for 429, 5xx and broken connections; when it
 * stays silent the run is infrastructure, not the agent's. Source: OpenAI chat completions with `tools`. Not covered:
 * streaming, images, parallel execution.
 */
import {
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  parseJson,
  type Result,
  renderJson,
} from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { type Agent, AgentFailure, type AgentSession, type CallResult } from '../agent.js';
import type { AgentParts } from '../agent-spec.js';
import type { SuiteAgent } from '../suite-file.js';
import { postJson } from './wire.js';

const SYSTEM =
  'You carry out a task with the tools you are given. Use a tool whenever you need to look something up or change something. ' +
  'When you are done, or cannot go on, answer without a tool call: give the final answer that the task asks for, or say plainly what you could not do.';
const TIMEOUT_MS = 300_000;
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;

/** Makes the agent; fails where no model or no URL is named, or where the URL holds a password. */
export function createModelAgent({ id, rest, spec, options, context }: AgentParts): Result<Agent, string> {
  const [, model, url] = /^(.+)@(https?:\/\/.+)$/s.exec(rest) ?? [];
  if (model === undefined || url === undefined || !URL.canParse(url)) {
    return fail(`'${rest}' is not of the form MODEL@BASE_URL, for example qwen3@http://localhost:8000/v1`);
  }
  if (new URL(url).username !== '')
    return fail('the URL holds a user or a password; give the key by an environment variable');
  const keyName = options.keyEnv ?? 'OPENAI_API_KEY';
  const key = context.environment[keyName];
  if (options.keyEnv !== undefined && key === undefined) {
    return fail(`the environment variable ${keyName} is not set; set it, or leave keyEnv out`);
  }
  const endpoint = new Endpoint({ model, url: `${url.replace(/\/+$/, '')}/chat/completions`, key, options });
  return ok({
    id,
    kind: 'model',
    spec,
    fingerprint: JSON.stringify([options.temperature ?? null, options.maxOutputTokens ?? null]),
    live: true,
    run: (session) => converse(session, endpoint),
  });
}

async function converse(session: AgentSession, endpoint: Endpoint): Promise<{ answer: string | null }> {
  const messages: Json[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: session.task },
  ];
  for (;;) {
    const message = await endpoint.ask(messages, session);
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : [];
    if (calls.length === 0) return { answer: typeof message.content === 'string' ? message.content : null };
    messages.push({ role: 'assistant', content: message.content ?? null, tool_calls: calls });
    for (const call of calls) {
      const { text } = await perform(session, call);
      messages.push({ role: 'tool', tool_call_id: call.id ?? '', content: text });
    }
  }
}

/** Makes one call of the model. Arguments that are no JSON object go to the world as they are, which refuses them. */
function perform(session: AgentSession, call: JsonObject): Promise<CallResult> {
  const { name = '', arguments: text = '{}' } = isJsonObject(call.function) ? call.function : {};
  const read = parseJson(typeof text === 'string' && text.trim() !== '' ? text : '{}');
  if (typeof name === 'string' && read.ok && isJsonObject(read.value)) return session.call(name, read.value);
  return session.act(renderJson({ type: 'function', function: { name, arguments: text } }));
}

class Endpoint {
  constructor(
    private readonly to: {
      readonly model: string;
      readonly url: string;
      readonly key: string | undefined;
      readonly options: SuiteAgent;
    },
  ) {}

  /** One answer of the model. Rejects with `provider-failed` when there is none after all attempts. */
  async ask(messages: readonly Json[], session: AgentSession): Promise<JsonObject> {
    const { model, url, key, options } = this.to;
    const body: JsonObject = {
      model,
      messages,
      tools: session.tools().map(functionOf),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...(options.maxOutputTokens !== undefined && { max_tokens: options.maxOutputTokens }),
      seed: session.seed,
    };
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    let problem = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const reply = await postJson(url, body, { headers, timeoutMs: TIMEOUT_MS, signal: session.signal });
      const message = reply.kind === 'json' ? messageOf(reply.value) : null;
      if (reply.kind === 'json' && message !== null) {
        session.spend(this.usageOf(reply.value));
        return message;
      }
      problem = this.problemOf(reply);
      const final =
        reply.kind === 'refused' && reply.status !== 429 && reply.status >= 400 && reply.status < 500;
      if (final) break;
      const asked = reply.kind === 'refused' ? reply.retryAfterMs : null;
      if (attempt < ATTEMPTS) await pause(asked ?? FIRST_PAUSE_MS * 2 ** (attempt - 1), session.signal);
    }
    throw new AgentFailure('provider-failed', `the model endpoint gave no answer: ${problem}`);
  }

  private problemOf(reply: Awaited<ReturnType<typeof postJson>>): string {
    const text =
      reply.kind === 'json'
        ? `no message in ${renderJson(reply.value).slice(0, 300)}`
        : reply.kind === 'refused'
          ? `HTTP ${reply.status}: ${reply.message}`
          : reply.message;
    const { key } = this.to;
    // Some endpoints repeat the key in their complaint about it.
    return key === undefined || key === '' ? text : text.replaceAll(key, '[key]');
  }

  private usageOf(reply: JsonObject) {
    const usage = isJsonObject(reply.usage) ? reply.usage : {};
    const promptTokens = typeof usage.prompt_tokens === 'number' ? usage.prompt_tokens : null;
    const completionTokens = typeof usage.completion_tokens === 'number' ? usage.completion_tokens : null;
    const { price } = this.to.options;
    const costUsd =
      price === undefined || (promptTokens === null && completionTokens === null)
        ? null
        : ((promptTokens ?? 0) * price.promptPerMillion +
            (completionTokens ?? 0) * price.completionPerMillion) /
          1e6;
    return { promptTokens, completionTokens, costUsd };
  }
}

function messageOf(reply: JsonObject): JsonObject | null {
  const [choice] = Array.isArray(reply.choices) ? reply.choices : [];
  return isJsonObject(choice) && isJsonObject(choice.message) ? choice.message : null;
}

function functionOf({ name, description, inputSchema }: ToolDefinition): JsonObject {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters: inputSchema },
  };
}

/** Waits, but not longer than a minute; rejects with the reason when the run is stopped meanwhile. */
function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(durationMs, MAX_PAUSE_MS),
    );
    signal.addEventListener('abort', stop, { once: true });
  });
}
