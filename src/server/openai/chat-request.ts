/**
 * A chat completion request: what of it counts here, checked.
 *
 * system = the world's prompt, user = actions, assistant = past observations, the last message is the action to answer.
 * Two user messages in a row are a turn that had no observation. Parameters that decide nothing here are let pass, so
 * that clients work unmodified. Source: the OpenAI API reference, chat completions. Not covered: several choices,
 * tools of the wire, contents that are no text.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  readPrediction,
  type Turn,
} from '../../core/index.js';
import { chatError } from './chat-error.js';

/** A request that can be answered. */
export interface ChatRequest {
  readonly model: string;
  /** The system messages, joined; empty where there are none. */
  readonly system: string;
  readonly history: readonly Turn[];
  readonly action: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
}

/** Reads a body. Raises a `ChatError` that names the parameter. */
export function readChatRequest(body: JsonObject): ChatRequest {
  const { model, messages, stream, n, stream_options: streamOptions } = body;
  if (typeof model !== 'string' || model === '')
    throw chatError('model must be the name of a model', { param: 'model' });
  if (!Array.isArray(messages) || messages.length === 0)
    throw chatError('messages must be a list with at least one message', { param: 'messages' });
  if (messages.length > LIMITS.chatMessages)
    throw chatError(
      `messages has ${messages.length} entries; the limit is ${LIMITS.chatMessages} (limit chatMessages)`,
      {
        param: 'messages',
        code: 'context_length_exceeded',
      },
    );
  if (n !== undefined && n !== null && n !== 1)
    throw chatError('n must be 1: one observation follows an action', { param: 'n' });
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    throw chatError('stream must be true or false', { param: 'stream' });
  const maxTokens = numberOf(body, 'max_completion_tokens', 1) ?? numberOf(body, 'max_tokens', 1);
  const temperature = numberOf(body, 'temperature', 0);
  const seed = numberOf(body, 'seed', Number.MIN_SAFE_INTEGER);
  return {
    model,
    ...readMessages(messages as readonly Json[]),
    stream: stream === true,
    includeUsage: isJsonObject(streamOptions) && streamOptions.include_usage === true,
    ...(maxTokens !== undefined && { maxTokens: Math.floor(maxTokens) }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed: Math.floor(seed) }),
  };
}

function numberOf(body: JsonObject, key: string, least: number): number | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return value;
  throw chatError(`${key} must be a number of at least ${least}`, { param: key });
}

function readMessages(messages: readonly Json[]): Pick<ChatRequest, 'system' | 'history' | 'action'> {
  const system: string[] = [];
  const history: Turn[] = [];
  let waiting: string | null = null;
  for (const [index, message] of messages.entries()) {
    const { role, text } = readMessage(message, index);
    if (role === 'system' || role === 'developer') system.push(text);
    else if (role === 'user') {
      if (waiting !== null) history.push({ action: waiting, observation: null, status: 'abstained' });
      waiting = text;
    } else if (role === 'assistant') {
      if (waiting === null)
        throw chatError(
          `messages[${index}] is an observation without an action before it: user and assistant take turns`,
          { param: `messages[${index}]` },
        );
      history.push({ action: waiting, observation: observationOf(text), status: 'ok' });
      waiting = null;
    } else
      throw chatError(
        `messages[${index}].role is ${JSON.stringify(role).slice(0, 40)}; known are system, developer, user and assistant`,
        { param: `messages[${index}].role` },
      );
  }
  if (waiting === null)
    throw chatError('the last message must be a user message: the action whose observation is asked', {
      param: 'messages',
    });
  return { system: system.join('\n\n'), history, action: waiting };
}

function readMessage(message: Json, index: number): { readonly role: Json; readonly text: string } {
  const param = `messages[${index}].content`;
  if (!isJsonObject(message))
    throw chatError(`messages[${index}] must be an object with role and content`, {
      param: `messages[${index}]`,
    });
  const { role = null, content } = message;
  if (typeof content === 'string') return { role, text: content };
  if (Array.isArray(content)) {
    const texts = content.map((part: Json) => {
      if (isJsonObject(part) && part.type === 'text' && typeof part.text === 'string') return part.text;
      throw chatError(`${param} holds a part that is no text; observations and actions are texts`, { param });
    });
    return { role, text: texts.join('') };
  }
  throw chatError(`${param} must be a text or a list of text parts`, { param });
}

/** A past observation without thinking and tags, where a model wrote some around it. */
function observationOf(text: string): string {
  if (!/^\s*<(?:think|predicted_observation)\b/.test(text)) return text;
  const read = readPrediction(text, {});
  return read.ok ? read.value.observation : text;
}
