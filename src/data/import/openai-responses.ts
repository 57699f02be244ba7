/**
 * OpenAI's Responses: rows, request logs, recorded exchanges, and bare items a line.
 *
 * Calls and outputs are joined by `call_id` (an item's `id` is another thing). Calls that a provider runs itself and whose
 * result stands in the item (`mcp_call`, `code_interpreter_call`, `file_search_call` with results) are pairs; the ones
 * without are counted. Reasoning never enters. A request whose previous response is not in the file begins with a gap.
 * Not covered: pictures of `computer_call_output` as pictures.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  type Trajectory,
} from '../../core/index.js';
import { ConversationMerger } from './chat-messages.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs, type LoggedAnswer } from './pair-calls.js';
import { findResponses, isTellingItem, messageOf, type ResponsesConversation } from './responses-items.js';
import { domainOfTools } from './tool-domain.js';

/** Responses with their items. */
export const openAiResponses: ImportFormat = {
  name: 'openai-responses',
  about: 'OpenAI Responses: rows, request logs, recorded exchanges, bare items',
  recognises: (value) => isTellingItem(value) || findResponses(value, { line: 1 }).length > 0,
  open: (context) => new ResponsesReader(context),
};

/** Conversations that a later request may name. */
const CHAINED = 1_000;

class ResponsesReader implements ImportReader {
  private readonly merger = new ConversationMerger();
  private readonly byResponse = new Map<string, ResponsesConversation>();
  private readonly loose: CallPairs;
  private made = 0;

  constructor(private readonly context: ImportContext) {
    this.loose = new CallPairs(context.tally);
  }

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const isItem =
      isJsonObject(value) && typeof value.type === 'string' && !('input' in value && 'model' in value);
    if (isItem && (isTellingItem(value) || 'role' in value || value.type === 'reasoning')) {
      for (const message of messageOf(value)) this.message(message, this.loose, place);
      return this.loose.isFull ? this.looseItems() : [];
    }
    const found = findResponses(value, place);
    if (found.length === 0) this.context.tally.skip('value without items');
    return found
      .flatMap((one) => this.merger.take(this.chained(one)))
      .flatMap((one) => this.read(one as ResponsesConversation));
  }

  end(): readonly Trajectory[] {
    const rest = this.merger.end().flatMap((one) => this.read(one as ResponsesConversation));
    return [...rest, ...this.looseItems()];
  }

  private looseItems(): readonly Trajectory[] {
    const { file } = this.context;
    const domain = domainOfTools(this.loose.toolNames);
    return loggedTrajectory(this.loose, { id: `${file}#items`, dataset: 'openai-responses', file, domain });
  }

  /** Puts the conversation of the previous response in front. */
  private chained(one: ResponsesConversation): ResponsesConversation {
    const before = one.previous === undefined ? undefined : this.byResponse.get(one.previous);
    const tools = one.tools.length > 0 ? one.tools : (before?.tools ?? []);
    const whole: ResponsesConversation =
      before === undefined
        ? one
        : { ...one, messages: [...before.messages, ...one.messages], tools, previous: before.previous };
    if (one.response !== undefined) {
      this.byResponse.set(one.response, whole);
      const [oldest] = this.byResponse.keys();
      if (this.byResponse.size > CHAINED && oldest !== undefined) this.byResponse.delete(oldest);
    }
    return whole;
  }

  private read(one: ResponsesConversation): readonly Trajectory[] {
    const { tally, file } = this.context;
    const pairs = new CallPairs(tally);
    if (one.previous !== undefined) {
      tally.warn(
        one.place,
        'goes on from a response that the file does not have; what came before is missing',
      );
      pairs.gap();
    }
    const prompts = [contentText(one.system)];
    for (const message of one.messages) {
      if (message.role === 'system' || message.role === 'developer') prompts.push(String(message.content));
      this.message(message, pairs, one.place);
    }
    if (one.messages.every(({ item }) => item === undefined)) return [];
    return loggedTrajectory(pairs, {
      id: `${file}#${one.name ?? ++this.made}`,
      dataset: 'openai-responses',
      file,
      text: prompts.filter((prompt) => prompt !== '').join('\n'),
      tools: one.tools,
      domain: domainOfTools(pairs.toolNames),
      ...(one.model !== undefined && { meta: { model: one.model } }),
    });
  }

  private message(message: JsonObject, pairs: CallPairs, place: ValuePlace): void {
    const { tally } = this.context;
    const { item, role } = message;
    if (!isJsonObject(item)) {
      tally.skip(role === 'reasoning' ? 'reasoning' : `message of ${String(role)}`);
      return;
    }
    const type = String(item.type);
    const id = item.call_id ?? item.id;
    const key = typeof id === 'string' ? id : undefined;
    if (type.endsWith('_output')) {
      pairs.answer({ id: key ?? '(no id)', place, ...outputOf(item) });
      return;
    }
    const call = callOf(item, type);
    if (call === undefined) {
      tally.skip(/_call$/.test(type) ? `hosted call ${type}` : type);
      return;
    }
    const { name, args, own, isBad } = call;
    pairs.call({
      id: key,
      name,
      action: toolAction(name, args),
      place,
      ...(isBad && { flags: ['bad-arguments'] }),
    });
    if (own !== undefined) pairs.answer({ id: key, place, ...own });
  }
}

interface ReadCall {
  readonly name: string;
  readonly args: Json;
  readonly isBad: boolean;
  /** The answer, where it stands in the call. */
  readonly own?: Pick<LoggedAnswer, 'observation' | 'isError' | 'flags'>;
}

/** A call with its name and arguments; undefined for one that has no answer in the log. */
function callOf(item: JsonObject, type: string): ReadCall | undefined {
  const given = item.arguments ?? item.input ?? item.action ?? item.actions ?? item.operation ?? {};
  const parsed =
    typeof given === 'string' && type !== 'custom_tool_call'
      ? parseJson(given === '' ? '{}' : given)
      : undefined;
  const args = parsed?.ok === true ? parsed.value : given;
  const isBad = parsed?.ok === false;
  const name = typeof item.name === 'string' ? item.name : type.replace(/_call$/, '');
  const plain = { name, args, isBad };
  switch (type) {
    case 'mcp_call': {
      const server = typeof item.server_label === 'string' ? `mcp__${item.server_label}__` : '';
      const isError = item.error !== undefined && item.error !== null;
      const text = contentText(isError ? item.error : item.output);
      return { ...plain, name: `${server}${name}`, own: { observation: text, isError } };
    }
    case 'code_interpreter_call': {
      const args = { code: item.code ?? '' };
      if (!Array.isArray(item.outputs)) return undefined;
      const texts = (item.outputs as readonly Json[]).map((one) =>
        isJsonObject(one) && typeof one.logs === 'string' ? one.logs : contentText([one]),
      );
      return {
        name: 'code_interpreter',
        args,
        isBad: false,
        own: { observation: texts.join('\n'), isError: false },
      };
    }
    case 'file_search_call':
      if (!Array.isArray(item.results)) return undefined;
      return {
        ...plain,
        args: { queries: item.queries ?? [] },
        own: { observation: renderJson(item.results), isError: false },
      };
    case 'web_search_call':
    case 'image_generation_call':
      return undefined;
    default:
      return /_call$/.test(type) ? plain : undefined;
  }
}

function outputOf(item: JsonObject): Pick<LoggedAnswer, 'observation' | 'isError' | 'flags' | 'meta'> {
  const given = item.output ?? item.tools ?? '';
  const isError = item.status === 'failed' || item.success === false;
  if (isJsonObject(given) && /^computer_screenshot$|^input_image$/.test(String(given.type))) {
    return { observation: '[image]', isError, flags: ['image'] };
  }
  const parts = Array.isArray(given) ? (given as readonly Json[]) : [];
  const shell = parts.filter((part) => isJsonObject(part) && ('stdout' in part || 'stderr' in part));
  if (shell.length > 0 && shell.length === parts.length) {
    const texts = shell.map((part) =>
      isJsonObject(part) ? `${String(part.stdout ?? '')}${String(part.stderr ?? '')}` : '',
    );
    const last = shell.at(-1);
    const outcome = isJsonObject(last) && isJsonObject(last.outcome) ? last.outcome.exit_code : undefined;
    return {
      observation: texts.join('\n'),
      isError,
      ...(typeof outcome === 'number' && { meta: { exitCode: outcome } }),
    };
  }
  const hasImage = parts.some((part) => isJsonObject(part) && part.type === 'input_image');
  return { observation: contentText(given), isError, ...(hasImage && { flags: ['image'] }) };
}
