/**
 * Items of OpenAI's Responses interface, found in whatever wraps them and told as messages.
 *
 * A conversation is the input of a request and the output of its response. Items become messages with the item inside, so
 * that requests that repeat their history are put together as in chat logs (`ConversationMerger`). A request that names
 * a previous response goes on with that one's conversation, if it is in the file. Reasoning is left out before anything
 * else sees it.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';
import type { Conversation } from './chat-messages.js';
import type { ValuePlace } from './import-format.js';
import { contentText } from './logged-trajectory.js';

/** A conversation, with what is needed to chain it. */
export interface ResponsesConversation extends Conversation {
  /** The response that this one goes on from. */
  readonly previous: string | undefined;
  readonly response: string | undefined;
  readonly model: string | undefined;
}

const ITEM =
  /^(?:message|reasoning|item_reference|compaction|mcp_list_tools|mcp_approval_(?:request|response)|[a-z_]+_call(?:_output)?|tool_search_output)$/;
const TELLING = /^(?:[a-z_]+_call(?:_output)?|mcp_list_tools|tool_search_output)$/;

/** True for an item that only this interface has. */
export function isTellingItem(value: Json): boolean {
  return isJsonObject(value) && typeof value.type === 'string' && TELLING.test(value.type);
}

function isItems(value: Json | undefined): value is readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every(
    (one: Json) =>
      isJsonObject(one) &&
      (typeof one.type === 'string' ? ITEM.test(one.type) : typeof one.role === 'string'),
  );
}

/** The conversations in a value. */
export function findResponses(value: Json, place: ValuePlace, depth = 0): readonly ResponsesConversation[] {
  if (depth > 6) return [];
  if (typeof value === 'string') {
    const parsed = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    return parsed?.ok === true ? findResponses(parsed.value, place, depth + 1) : [];
  }
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if (isItems(list)) return list.some(isTellingItem) ? [conversationOf({ input: list }, {}, place)] : [];
    return list.flatMap((item) => findResponses(item, place, depth + 1));
  }
  if (!isJsonObject(value)) return [];
  const request = bodyOf(value.responses_create_params ?? value.request ?? value.req ?? value.body);
  const response = responseOf(value.response ?? value.res);
  if (request !== undefined && (isRequest(request) || response !== undefined)) {
    return [named(conversationOf(request, response ?? {}, place), value)];
  }
  if (response !== undefined) return [named(conversationOf({}, response, place), value)];
  const own = responseOf(value);
  if (own !== undefined) return [conversationOf({}, own, place)];
  if (isRequest(value)) return [named(conversationOf(value, {}, place), value)];
  return Object.values(value).flatMap((part) =>
    Array.isArray(part) || isJsonObject(part) ? findResponses(part, place, depth + 1) : [],
  );
}

function isRequest(value: JsonObject): boolean {
  return isItems(value.input) && (value.input as readonly Json[]).some(isTellingItem);
}

function bodyOf(value: Json | undefined): JsonObject | undefined {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  const body = parsed?.ok === true ? parsed.value : value;
  if (!isJsonObject(body)) return undefined;
  return isJsonObject(body.body) && !('input' in body) ? body.body : body;
}

/** A response: an object that says so, also inside a body, as a text, or at the end of a stream of events. */
function responseOf(value: Json | undefined): JsonObject | undefined {
  if (typeof value === 'string') {
    const parsed = /^\s*\{/.test(value) ? parseJson(value) : undefined;
    return parsed?.ok === true ? responseOf(parsed.value) : streamedResponse(value);
  }
  if (!isJsonObject(value)) return undefined;
  if (value.object === 'response' && Array.isArray(value.output)) return value;
  return 'body' in value ? responseOf(value.body) : undefined;
}

function streamedResponse(text: string): JsonObject | undefined {
  let last: JsonObject | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith('data:') || !line.includes('"response"')) continue;
    const parsed = parseJson(line.slice(5));
    const event = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
    if (
      /^response\.(?:completed|incomplete|failed)$/.test(String(event.type)) &&
      isJsonObject(event.response)
    ) {
      last = event.response;
    }
  }
  return last;
}

function conversationOf(request: JsonObject, response: JsonObject, place: ValuePlace): ResponsesConversation {
  const input =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input;
  const items = [...objects(input), ...objects(response.output)];
  const previous = request.previous_response_id ?? response.previous_response_id;
  const model = response.model ?? request.model;
  const tools = objects(request.tools ?? response.tools);
  return {
    messages: items.flatMap((item) => messageOf(item)),
    tools,
    system: request.instructions ?? response.instructions,
    place,
    name: undefined,
    previous: typeof previous === 'string' ? previous : undefined,
    response: typeof response.id === 'string' ? response.id : undefined,
    model: typeof model === 'string' ? model : undefined,
  };
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

function named(conversation: ResponsesConversation, row: JsonObject): ResponsesConversation {
  const name = ['task_id', 'id', 'uuid', 'conversation_id', 'session_id', 'name']
    .map((key) => row[key])
    .find((one) => typeof one === 'string' || typeof one === 'number');
  return name === undefined ? conversation : { ...conversation, name: String(name) };
}

/** An item as a message that can be compared; the item itself is kept for reading. */
export function messageOf(item: JsonObject): readonly JsonObject[] {
  const { type, role } = item;
  if (type === 'reasoning') return [{ role: 'reasoning', content: '' }];
  if (typeof role === 'string') return [{ role, content: contentText(item.content) }];
  const id = item.call_id ?? item.id ?? null;
  if (String(type).endsWith('_output')) return [{ role: 'tool', tool_call_id: id, content: null, item }];
  if (String(type).endsWith('_call')) {
    return [{ role: 'assistant', content: null, tool_calls: [{ id }], item }];
  }
  return [{ role: String(type), content: null, item }];
}
