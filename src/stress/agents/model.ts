/**
 * `MODEL@BASE_URL`: a language model with tools behind an OpenAI-compatible endpoint, in the plainest loop there is.
 *
 * The model is told the task and the tools; its tool calls are made one after another, their answers given back; a
 * message without calls is its answer. Nothing is added that would help it (no plan, no memory, no retry of its calls),
 * so that what is measured is the model. The endpoint itself is tried again by room `model`; when it stays silent the
 * run is infrastructure, not the agent's. Not covered: images, parallel execution.
 */
import {
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  parseJson,
  type Result,
  readTagged,
  renderJson,
} from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import {
  type ChatClient,
  createChatClient,
  parseEndpointSpec,
  type ToolCallRequest,
} from '../../model/index.js';
import { type Agent, AgentFailure, type AgentSession, type CallResult, type Spending } from '../agent.js';
import type { AgentParts } from '../agent-spec.js';
import type { SuiteAgent } from '../suite-file.js';

const SYSTEM =
  'You carry out a task with the tools you are given. Use a tool whenever you need to look something up or change something. ' +
  'When you are done, or cannot go on, answer without a tool call: give the final answer that the task asks for, or say plainly what you could not do.';

/** No kind of block is looked for in an answer. */
const NO_BLOCK = '';

/** Makes the agent; fails where no model or no URL is named, or where the URL holds a password. */
export function createModelAgent({ id, rest, spec, options, context }: AgentParts): Result<Agent, string> {
  const named = parseEndpointSpec(rest);
  if (named === undefined) {
    return fail(`'${rest}' is not of the form MODEL@BASE_URL, for example qwen3@http://localhost:8000/v1`);
  }
  if (new URL(named.baseUrl).username !== '') {
    return fail('the URL holds a user or a password; give the key by an environment variable');
  }
  const keyName = options.keyEnv ?? 'OPENAI_API_KEY';
  const apiKey = context.environment[keyName];
  if (options.keyEnv !== undefined && apiKey === undefined) {
    return fail(`the environment variable ${keyName} is not set; set it, or leave keyEnv out`);
  }
  const client = createChatClient({ baseUrl: named.baseUrl, apiKey });
  return ok({
    id,
    kind: 'model',
    spec,
    fingerprint: JSON.stringify([options.temperature ?? null, options.maxOutputTokens ?? null]),
    live: true,
    secrets: apiKey === undefined ? [] : [apiKey],
    run: (session) => converse(session, { client, model: named.model, options }),
  });
}

interface Voice {
  readonly client: ChatClient;
  readonly model: string;
  readonly options: SuiteAgent;
}

async function converse(session: AgentSession, voice: Voice): Promise<{ answer: string | null }> {
  const messages: Json[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: session.task },
  ];
  for (;;) {
    const { text, toolCalls } = await ask(session, voice, messages);
    if (toolCalls.length === 0) return { answer: answerOf(text) };
    messages.push({
      role: 'assistant',
      content: text === '' ? null : text,
      tool_calls: toolCalls.map(callOf),
    });
    for (const call of toolCalls) {
      const result = await perform(session, call);
      messages.push({ role: 'tool', tool_call_id: call.id, content: result.text });
    }
  }
}

/** What a last message says to the user; servers without a parser for it leave the model's thinking in the text. */
function answerOf(text: string): string | null {
  const said = readTagged(text, NO_BLOCK).rest.trim();
  return said === '' ? null : said;
}

/** One answer of the model. Rejects with `provider-failed` when the endpoint gives none. */
async function ask(session: AgentSession, voice: Voice, messages: readonly Json[]) {
  const { client, model, options } = voice;
  const reply = await client.ask(
    {
      model,
      messages,
      tools: session.tools().map(functionOf),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...(options.maxOutputTokens !== undefined && { max_tokens: options.maxOutputTokens }),
      seed: session.seed,
    },
    { signal: session.signal },
  );
  if (!reply.ok)
    throw new AgentFailure('provider-failed', `the model gave no answer: ${reply.error.message}`);
  session.spend(spendingOf(reply.value.usage, options.price));
  const [choice] = reply.value.choices;
  if (choice === undefined)
    throw new AgentFailure('provider-failed', 'the model endpoint answered without a choice');
  return choice;
}

/** Makes one call of the model. Arguments that are no JSON object go to the world as they are, which refuses them. */
function perform(session: AgentSession, call: ToolCallRequest): Promise<CallResult> {
  const read = parseJson(call.arguments);
  if (read.ok && isJsonObject(read.value)) return session.call(call.name, read.value);
  return session.act(
    renderJson({ type: 'function', function: { name: call.name, arguments: call.arguments } }),
  );
}

function callOf({ id, name, arguments: text }: ToolCallRequest): JsonObject {
  return { id, type: 'function', function: { name, arguments: text } };
}

function functionOf({ name, description, inputSchema }: ToolDefinition): JsonObject {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters: inputSchema },
  };
}

function spendingOf(
  usage: { readonly promptTokens: number | null; readonly completionTokens: number | null },
  price: SuiteAgent['price'],
): Spending {
  const { promptTokens, completionTokens } = usage;
  const isKnown = promptTokens !== null || completionTokens !== null;
  if (price === undefined || !isKnown) return { promptTokens, completionTokens, costUsd: null };
  const microUsd =
    (promptTokens ?? 0) * price.promptPerMillion + (completionTokens ?? 0) * price.completionPerMillion;
  return { promptTokens, completionTokens, costUsd: microUsd / 1e6 };
}
