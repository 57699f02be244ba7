/**
 * OpenAI chat messages with tool calls, in rows, request logs and recorded exchanges.
 *
 * Calls: `tool_calls` (also as JSON strings, also with name and arguments at the top) and the older `function_call`.
 * Answers: role `tool` with `tool_call_id`, or without one (then to the oldest open call), and role `function`.
 * Arguments that are no JSON stay as they are, flagged. Errors are plain text in this format, so no answer is marked
 * as an error unless the log says so.
 */
import { isJsonObject, type Json, type JsonObject, parseJson, type Trajectory } from '../../core/index.js';
import { type Conversation, ConversationMerger, findConversations } from './chat-messages.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';
import { domainOfTools } from './tool-domain.js';

/** Chat completions: messages with roles, tool calls and tool messages. */
export const openAiChat: ImportFormat = {
  name: 'openai-chat',
  about: 'OpenAI chat messages with tool calls: rows, request logs, recorded exchanges',
  recognises: (value) => findConversations(value, { line: 1 }).some(hasAnswerer),
  open: (context) => new ChatReader(context),
};

/** Someone in it may call tools, or answer for one; other lists of things with roles are no chats. */
function hasAnswerer({ messages }: Conversation): boolean {
  return messages.some(({ role }) => role === 'assistant' || role === 'tool' || role === 'function');
}

class ChatReader implements ImportReader {
  private readonly merger = new ConversationMerger();
  private made = 0;

  constructor(private readonly context: ImportContext) {}

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const found = findConversations(value, place);
    if (found.length === 0) this.context.tally.skip('value without messages');
    return found.flatMap((one) => this.merger.take(one)).flatMap((one) => this.read(one));
  }

  end(): readonly Trajectory[] {
    return this.merger.end().flatMap((one) => this.read(one));
  }

  private read(conversation: Conversation): readonly Trajectory[] {
    const { tally, file } = this.context;
    const { place, messages, tools, name } = conversation;
    const pairs = new CallPairs(tally);
    const prompts: string[] = [];
    for (const [index, message] of messages.entries()) {
      const { role } = message;
      if (role === 'system' || role === 'developer') prompts.push(contentText(message.content));
      takeCalls(pairs, message, { step: `m${index}`, place });
      if (role === 'tool' || role === 'function') takeAnswer(pairs, message, place);
      else if (callsOf(message).length === 0) tally.skip(`message of ${String(role)}`);
    }
    const id = `${file}#${name ?? ++this.made}`;
    return loggedTrajectory(pairs, {
      id,
      dataset: 'openai-chat',
      file,
      text: prompts.join('\n'),
      tools,
      domain: domainOfTools(pairs.toolNames),
    });
  }
}

function callsOf(message: JsonObject): readonly JsonObject[] {
  const { tool_calls: calls, function_call: old } = message;
  const list = Array.isArray(calls)
    ? (calls as readonly Json[])
    : isJsonObject(old)
      ? [{ function: old }]
      : [];
  return list.flatMap((call): readonly JsonObject[] => {
    const parsed = typeof call === 'string' ? parseJson(call) : undefined;
    const value = parsed?.ok === true ? parsed.value : call;
    return isJsonObject(value) ? [value] : [];
  });
}

function takeCalls(
  pairs: CallPairs,
  message: JsonObject,
  at: { readonly step: string; readonly place: ValuePlace },
): void {
  for (const call of callsOf(message)) {
    const inner = isJsonObject(call.function)
      ? call.function
      : isJsonObject(call.custom)
        ? call.custom
        : call;
    const name = typeof inner.name === 'string' ? inner.name : '';
    const given = inner.arguments ?? inner.input ?? {};
    const parsed = typeof given === 'string' ? parseJson(given === '' ? '{}' : given) : undefined;
    const isBad = parsed?.ok === false && call.type !== 'custom';
    const args = parsed?.ok === true ? parsed.value : given;
    pairs.call({
      id: typeof call.id === 'string' ? call.id : undefined,
      name,
      action: toolAction(name, args),
      ...at,
      ...(isBad && { flags: ['bad-arguments'] }),
    });
  }
}

function takeAnswer(pairs: CallPairs, message: JsonObject, place: ValuePlace): void {
  const id = message.tool_call_id ?? message.id;
  pairs.answer({
    id: typeof id === 'string' ? id : undefined,
    observation: contentText(message.content),
    isError: message.is_error === true || message.error === true,
    place,
  });
}
