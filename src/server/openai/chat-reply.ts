/**
 * A completion, whole or in chunks. The extension field `umwelt` tells domain, route and the origins of every turn.
 *
 * Chunks come after the observation is known: a status of an error is never behind a 200. Source: the OpenAI API
 * reference, "The chat completion object" and "chunk object". Thinking is `reasoning_content`, as common servers name it.
 */
import { type Json, type JsonObject, renderJson, type Usage } from '../../core/index.js';
import { estimateTokens } from '../../text/index.js';
import { jsonReply } from '../reply.js';
import type { ChatRequest } from './chat-request.js';

/** What is answered. */
export interface ChatAnswer {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly observation: string;
  readonly thinking?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly extension: JsonObject;
}

/** UTF-16 units of one chunk. */
const CHUNK_UNITS = 400;

/** The reply to a request. */
export function chatReply(request: ChatRequest, answer: ChatAnswer): Response {
  const { text, isCut } = fitted(answer.observation, request.maxTokens);
  const finish = isCut ? 'length' : 'stop';
  const usage = usageOf(request, answer, text);
  return request.stream
    ? chunks(request, answer, { text, finish, usage })
    : whole(answer, { text, finish, usage });
}

interface Said {
  readonly text: string;
  readonly finish: string;
  readonly usage: JsonObject;
}

function whole(answer: ChatAnswer, { text, finish, usage }: Said): Response {
  const { id, created, model, thinking, extension } = answer;
  const message = {
    role: 'assistant',
    content: text,
    refusal: null,
    ...(thinking !== undefined && { reasoning_content: thinking }),
  };
  return jsonReply({
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage,
    umwelt: extension,
  });
}

function chunks(request: ChatRequest, answer: ChatAnswer, { text, finish, usage }: Said): Response {
  const { id, created, model, thinking, extension } = answer;
  const head = { id, object: 'chat.completion.chunk', created, model };
  const none: JsonObject = request.includeUsage ? { usage: null } : {};
  const chunk = (delta: JsonObject, more: JsonObject = {}, end: string | null = null): Json => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: end }],
    ...none,
    ...more,
  });
  const events: Json[] = [chunk({ role: 'assistant', content: '' })];
  for (const piece of pieces(thinking ?? '')) events.push(chunk({ reasoning_content: piece }));
  for (const piece of pieces(text)) events.push(chunk({ content: piece }));
  events.push(chunk({}, { umwelt: extension }, finish));
  if (request.includeUsage) events.push({ ...head, choices: [], usage });
  const body = `${events.map((event) => `data: ${renderJson(event)}\n\n`).join('')}data: [DONE]\n\n`;
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(body, { headers });
}

/** Pieces of a text; characters of two units stay whole. */
function pieces(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${CHUNK_UNITS}}`, 'gu')) ?? [];
}

/** The text as far as it fits; where it is cut, the finish reason says so. */
function fitted(
  text: string,
  maxTokens: number | undefined,
): { readonly text: string; readonly isCut: boolean } {
  // A token is at most a few units, so most texts need no counting.
  if (maxTokens === undefined || text.length <= maxTokens) return { text, isCut: false };
  if (estimateTokens(text) <= maxTokens) return { text, isCut: false };
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return { text: text.slice(0, low).replace(/[\ud800-\udbff]$/, ''), isCut: true };
}

/** Tokens as the model reports them, else as an estimate. */
function usageOf(
  { system, history, action }: ChatRequest,
  { usage, thinking = '' }: ChatAnswer,
  text: string,
): JsonObject {
  const past = history.reduce(
    (sum, turn) => sum + estimateTokens(turn.action) + estimateTokens(turn.observation ?? ''),
    0,
  );
  const prompt = usage?.promptTokens ?? estimateTokens(system) + past + estimateTokens(action);
  const completion = usage?.completionTokens ?? estimateTokens(text) + estimateTokens(thinking);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
