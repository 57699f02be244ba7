/**
 * Finds conversations in whatever wraps them: rows of evaluations, request logs, recorded HTTP exchanges.
 *
 * A conversation is a list of messages with roles, with the tools that stand beside it. Logs of requests repeat the
 * history in each request; a conversation that another one goes on with is that other one's beginning and is not told
 * twice (`ConversationMerger`). The answer of a request (JSON or server-sent events) is its last message.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';
import type { ValuePlace } from './import-format.js';

/** Messages in order, with what was said about them. */
export interface Conversation {
  readonly messages: readonly JsonObject[];
  readonly tools: readonly Json[];
  /** A system prompt that stands beside the messages. */
  readonly system: Json | undefined;
  readonly place: ValuePlace;
  /** Found by a name of its row, for ids. */
  readonly name: string | undefined;
}

const LISTS = [
  'messages',
  'conversation',
  'conversations',
  'traj',
  'trajectory',
  'history',
  'dialog',
  'dialogue',
];
const TOOLS = ['tools', 'functions', 'oai_tools', 'tool_definitions', 'tool_defs'];
const NAMES = ['task_id', 'id', 'uuid', 'instance_id', 'conversation_id', 'session_id', 'name'];
const WRAPPERS = [
  'request',
  'req',
  'body',
  'input',
  'inputs',
  'params',
  'payload',
  'data',
  'output',
  'simulation_run',
];

/** True for a list of messages with roles. */
function isMessages(value: Json | undefined): value is readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((one: Json) => isJsonObject(one) && typeof one.role === 'string');
}

/** The conversations in a value. An answer that follows its request is appended to it. */
export function findConversations(value: Json, place: ValuePlace, depth = 0): readonly Conversation[] {
  if (depth > 6) return [];
  if (isMessages(value)) return [{ messages: value, tools: [], system: undefined, place, name: undefined }];
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item) => findConversations(item, place, depth + 1));
  }
  if (typeof value === 'string') {
    const parsed = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    return parsed?.ok === true && typeof parsed.value === 'object'
      ? findConversations(parsed.value, place, depth + 1)
      : [];
  }
  if (!isJsonObject(value)) return [];
  const own = ownMessages(value);
  if (own !== undefined) {
    const { request: _request, ...beside } = value;
    return [{ messages: own, ...besides(value, beside), place }];
  }
  return wrapped(value, place, depth);
}

function ownMessages(value: JsonObject): readonly JsonObject[] | undefined {
  const answer = answerMessages(value.response ?? value.completion ?? value.output ?? value.res);
  const prompt = value.prompt;
  if (isMessages(prompt)) {
    const rest = isMessages(value.completion) ? value.completion : answer;
    return [...prompt, ...rest];
  }
  const name = LISTS.find((list) => isMessages(value[list]));
  const list = name === undefined ? undefined : (value[name] as readonly JsonObject[]);
  return list === undefined ? undefined : [...list, ...answer];
}

/** An exchange has the conversation in its request and the last message in its response; lists of exchanges nest. */
function wrapped(value: JsonObject, place: ValuePlace, depth: number): readonly Conversation[] {
  const request = value.request ?? value.req ?? value.body;
  const inner = request === undefined ? [] : findConversations(request, place, depth + 1);
  if (inner.length > 0) {
    const answer = answerMessages(value.response ?? value.res ?? value.output);
    const outer = besides(value, {});
    return inner.map((one) => ({
      ...one,
      messages: [...one.messages, ...answer],
      tools: one.tools.length > 0 ? one.tools : outer.tools,
      name: one.name ?? outer.name,
    }));
  }
  const lists = Object.entries(value).filter(
    ([name, part]) =>
      WRAPPERS.includes(name) || (Array.isArray(part) && part.some((item: Json) => isJsonObject(item))),
  );
  return lists.flatMap(([, part]) => findConversations(part, place, depth + 1));
}

function besides(value: JsonObject, beside: JsonObject): Pick<Conversation, 'tools' | 'system' | 'name'> {
  const name = NAMES.map((one) => value[one]).find(
    (one) => typeof one === 'string' || typeof one === 'number',
  );
  return {
    tools: findTools({ ...beside, ...value }),
    system: value.system ?? value.system_prompt,
    name: name === undefined ? undefined : String(name),
  };
}

function findTools(value: JsonObject): readonly Json[] {
  const holders = [value, value.info, value.metadata, value.extra, value.state].filter(isJsonObject);
  for (const holder of holders) {
    for (const name of TOOLS) {
      const part = holder[name];
      const list = typeof part === 'string' ? parseJson(part) : undefined;
      const tools = list?.ok === true ? list.value : part;
      if (Array.isArray(tools) && tools.some((tool: Json) => isJsonObject(tool)))
        return tools as readonly Json[];
    }
  }
  return [];
}

/** The message that a response holds: a completion's choice, an assistant message, or one made of events. */
function answerMessages(response: Json | undefined): readonly JsonObject[] {
  if (response === undefined || response === null) return [];
  if (typeof response === 'string') {
    const parsed = parseJson(response);
    if (parsed.ok && typeof parsed.value === 'object') return answerMessages(parsed.value);
    return /^\s*(?:event|data):/.test(response) ? streamedMessage(response) : [];
  }
  if (!isJsonObject(response)) return [];
  if (Array.isArray(response.choices)) {
    const [choice] = response.choices as readonly Json[];
    return isJsonObject(choice) && isJsonObject(choice.message) ? [choice.message] : [];
  }
  if (response.role === 'assistant') return [response];
  return isJsonObject(response.body) ? answerMessages(response.body) : [];
}

/** An assistant message put together from the events of a stream, in either provider's form. */
function streamedMessage(text: string): readonly JsonObject[] {
  const blocks = new Map<number, Record<string, Json>>();
  const calls = new Map<number, { id: Json; type: Json; function: { name: string; arguments: string } }>();
  let content = '';
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith('data:')) continue;
    const parsed = parseJson(line.slice(5));
    if (!parsed.ok || !isJsonObject(parsed.value)) continue;
    takeBlockEvent(blocks, parsed.value);
    content += takeChunk(calls, parsed.value);
  }
  if (blocks.size > 0) {
    return [{ role: 'assistant', content: [...blocks.values()].map((block) => finishBlock(block)) }];
  }
  if (calls.size === 0 && content === '') return [];
  return [{ role: 'assistant', content, ...(calls.size > 0 && { tool_calls: [...calls.values()] }) }];
}

function takeBlockEvent(blocks: Map<number, Record<string, Json>>, event: JsonObject): void {
  const index = Number(event.index ?? 0);
  if (event.type === 'content_block_start' && isJsonObject(event.content_block)) {
    blocks.set(index, { ...event.content_block });
  }
  const block = blocks.get(index);
  if (event.type !== 'content_block_delta' || block === undefined || !isJsonObject(event.delta)) return;
  const { type, text, partial_json: json } = event.delta;
  if (type === 'text_delta') block.text = `${String(block.text ?? '')}${String(text)}`;
  if (type === 'input_json_delta') block.partial_json = `${String(block.partial_json ?? '')}${String(json)}`;
}

function finishBlock({ partial_json: json, ...block }: Record<string, Json>): JsonObject {
  if (typeof json !== 'string' || json === '') return block;
  const parsed = parseJson(json);
  return { ...block, input: parsed.ok ? parsed.value : json };
}

function takeChunk(
  calls: Map<number, { id: Json; type: Json; function: { name: string; arguments: string } }>,
  event: JsonObject,
): string {
  const [choice] = Array.isArray(event.choices) ? (event.choices as readonly Json[]) : [];
  const delta = isJsonObject(choice) ? choice.delta : undefined;
  if (!isJsonObject(delta)) return '';
  for (const part of Array.isArray(delta.tool_calls) ? (delta.tool_calls as readonly Json[]) : []) {
    if (!isJsonObject(part)) continue;
    const index = Number(part.index ?? 0);
    const known = calls.get(index) ?? { id: null, type: 'function', function: { name: '', arguments: '' } };
    const { name = '', arguments: args = '' } = isJsonObject(part.function) ? part.function : {};
    calls.set(index, {
      id: part.id ?? known.id,
      type: 'function',
      function: {
        name: known.function.name + String(name),
        arguments: known.function.arguments + String(args),
      },
    });
  }
  return typeof delta.content === 'string' ? delta.content : '';
}

/** Conversations kept open because a later request may go on with them, and what they may hold, in characters. */
const OPEN = 50;
const OPEN_CHARS = 16 * 1024 * 1024;

/** Gives each conversation once, at its longest. */
export class ConversationMerger {
  private open: {
    readonly keys: readonly string[];
    readonly weight: number;
    readonly conversation: Conversation;
  }[] = [];
  private held = 0;

  /** Takes one; gives those that can no longer be gone on with. */
  take(conversation: Conversation): readonly Conversation[] {
    const keys = conversation.messages.map(messageKey);
    const at = this.open.findIndex((one) => isPrefix(one.keys, keys));
    const later = at < 0 && this.open.some((one) => isPrefix(keys, one.keys));
    if (later) return [];
    const before = this.open[at]?.conversation;
    const tools = conversation.tools.length > 0 ? conversation.tools : (before?.tools ?? []);
    if (at >= 0) this.close(at);
    const weight = keys.reduce((sum, key) => sum + key.length, 0);
    this.open.push({ keys, weight, conversation: { ...conversation, tools } });
    this.held += weight;
    const closed: Conversation[] = [];
    while (this.open.length > OPEN || (this.held > OPEN_CHARS && this.open.length > 1))
      closed.push(...this.close(0));
    return closed;
  }

  private close(at: number): readonly Conversation[] {
    const closed = this.open.splice(at, 1);
    for (const { weight } of closed) this.held -= weight;
    return closed.map(({ conversation }) => conversation);
  }

  /** The rest. */
  end(): readonly Conversation[] {
    const rest = this.open.map((one) => one.conversation);
    this.open = [];
    return rest;
  }
}

/** A proper beginning: equal ones are two conversations. */
function isPrefix(short: readonly string[], long: readonly string[]): boolean {
  return short.length < long.length && short.every((key, index) => key === long[index]);
}

/** What a message says, without what providers add to it when they send it back. */
function messageKey(message: JsonObject): string {
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  const blocks = Array.isArray(content)
    ? (content as readonly Json[]).map((block): Json => (isJsonObject(block) ? blockKey(block) : block))
    : content;
  const said = blocks === null || blocks === undefined || blocks === '' ? null : blocks;
  const called = Array.isArray(calls)
    ? (calls as readonly Json[]).map((call) => (isJsonObject(call) ? (call.id ?? null) : call))
    : null;
  return canonicalJson({ role: role ?? null, said, called, id: id ?? null });
}

function blockKey(block: JsonObject): Json {
  const { type = null, id = null, tool_use_id: of = null, text = null, name = null } = block;
  return [type, id, of, text, name];
}
