/**
 * Anthropic messages with tool blocks, and event streams of managed agents.
 *
 * Calls: `tool_use`, `server_tool_use`, `mcp_tool_use` and events `agent.*tool_use`. Answers: every block or event that
 * names a call by `tool_use_id` (or `mcp_tool_use_id`) and is a result, in the next message or the same. A result's
 * text is its texts; what has none (code execution, search) is its JSON, without encrypted parts. Parallel calls are
 * those of one message.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  type Trajectory,
} from '../../core/index.js';
import { type Conversation, ConversationMerger, findConversations } from './chat-messages.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';
import { domainOfTools } from './tool-domain.js';

/** Messages with content blocks. */
export const anthropicMessages: ImportFormat = {
  name: 'anthropic-messages',
  about: 'Anthropic messages with tool blocks: request logs, recorded exchanges, managed-agent events',
  recognises: (value) =>
    eventOf(value) !== undefined || findConversations(value, { line: 1 }).some(isAnthropic),
  open: (context) => new BlockReader(context),
};

const CALL = /(?:^|[._])(?:tool_use|server_tool_use|mcp_tool_use)$/;
const RESULT = /tool_result$/;

function isAnthropic({ messages, tools }: Conversation): boolean {
  if (tools.some((tool) => isJsonObject(tool) && 'input_schema' in tool)) return true;
  return messages.some(
    ({ content }) =>
      Array.isArray(content) &&
      content.some(
        (block: Json) =>
          isJsonObject(block) && (CALL.test(String(block.type)) || RESULT.test(String(block.type))),
      ),
  );
}

/** An event of a managed agent, alone or as `[call, event]`. */
function eventOf(value: Json): JsonObject | undefined {
  const event = Array.isArray(value) && typeof value[0] === 'string' ? (value[1] as Json) : value;
  if (!isJsonObject(event)) return undefined;
  const isEvent = typeof event.type === 'string' && /^(?:agent|session|user|span)(?:$|\.)/.test(event.type);
  const isCall = Array.isArray(value) && String(value[0]).startsWith('client.');
  return isEvent || isCall ? event : undefined;
}

class BlockReader implements ImportReader {
  private readonly merger = new ConversationMerger();
  private readonly events: CallPairs;
  private made = 0;

  constructor(private readonly context: ImportContext) {
    this.events = new CallPairs(context.tally);
  }

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const event = eventOf(value);
    if (event !== undefined || (Array.isArray(value) && typeof value[0] === 'string')) {
      this.event(event ?? {}, place);
      return this.events.isFull ? this.eventTurns() : [];
    }
    const found = findConversations(value, place);
    if (found.length === 0) this.context.tally.skip('value without messages');
    return found.flatMap((one) => this.merger.take(one)).flatMap((one) => this.read(one));
  }

  end(): readonly Trajectory[] {
    const rest = this.merger.end().flatMap((one) => this.read(one));
    return [...rest, ...this.eventTurns()];
  }

  private eventTurns(): readonly Trajectory[] {
    const { file } = this.context;
    return loggedTrajectory(this.events, { id: `${file}#events`, dataset: 'anthropic-messages', file });
  }

  private event(event: JsonObject, place: ValuePlace): void {
    const at = typeof event.processed_at === 'string' ? event.processed_at : undefined;
    if (!takeBlock(this.events, event, { place, ...(at !== undefined && { at }) })) {
      this.context.tally.skip(`event ${String(event.type ?? 'without a type')}`);
    }
  }

  private read(conversation: Conversation): readonly Trajectory[] {
    const { tally, file } = this.context;
    const { place, messages, tools, name } = conversation;
    const pairs = new CallPairs(tally);
    for (const [index, message] of messages.entries()) {
      const blocks = Array.isArray(message.content) ? (message.content as readonly Json[]) : [];
      const taken = blocks.filter(
        (block) => isJsonObject(block) && takeBlock(pairs, block, { place, step: `m${index}` }),
      );
      if (taken.length === 0) tally.skip(`message of ${String(message.role)}`);
    }
    const id = `${file}#${name ?? ++this.made}`;
    return loggedTrajectory(pairs, {
      id,
      dataset: 'anthropic-messages',
      file,
      text: contentText(conversation.system),
      tools,
      domain: domainOfTools(pairs.toolNames),
    });
  }
}

/** Takes a call or a result; false for every other block. */
function takeBlock(
  pairs: CallPairs,
  block: JsonObject,
  at: { readonly place: ValuePlace; readonly step?: string; readonly at?: string },
): boolean {
  const type = String(block.type);
  if (RESULT.test(type)) {
    const of = block.tool_use_id ?? block.mcp_tool_use_id ?? block.id;
    pairs.answer({
      id: typeof of === 'string' ? of : undefined,
      observation: resultText(block.content),
      isError: block.is_error === true || isErrorContent(block.content),
      place: at.place,
      ...(at.at !== undefined && { at: at.at }),
    });
    return true;
  }
  if (!CALL.test(type)) return false;
  const name = typeof block.name === 'string' ? block.name : '';
  const given = block.input ?? {};
  const parsed = typeof given === 'string' ? parseJson(given) : undefined;
  pairs.call({
    id: typeof block.id === 'string' ? block.id : undefined,
    name,
    action: toolAction(name, parsed?.ok === true ? parsed.value : given),
    place: at.place,
    ...(at.step !== undefined && { step: at.step }),
    ...(at.at !== undefined && { startedAt: at.at }),
  });
  return true;
}

function isErrorContent(content: Json | undefined): boolean {
  return isJsonObject(content) && typeof content.type === 'string' && content.type.endsWith('_error');
}

function resultText(content: Json | undefined): string {
  const isTexts =
    typeof content === 'string' ||
    (Array.isArray(content) &&
      content.every((block: Json) => isJsonObject(block) && ['text', 'image'].includes(String(block.type))));
  if (content === undefined || isTexts) return contentText(content);
  return renderJson(withoutSecrets(content));
}

/** Encrypted parts are for the provider; no agent sees them. */
function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutSecrets(item));
  if (!isJsonObject(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !name.startsWith('encrypted_'));
  return Object.fromEntries(shown.map(([name, part]) => [name, withoutSecrets(part)]));
}
