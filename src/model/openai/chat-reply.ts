/**
 * The answer of a chat completion, put together from a whole body or from the chunks of a stream.
 *
 * Servers differ: the reasoning has three names, content is a text or parts, tool calls come whole or in pieces with
 * or without an index, usage comes in any chunk or never. One builder takes both forms, so that a streamed answer and
 * a whole one give the same. Source: OpenAI chat completions; hard cases P-OUT-3, P-API-1, P-API-2.
 */
import {
  createMessageReader,
  type FinishReason,
  isJsonObject,
  type JsonObject,
  type MessageReader,
  type SampleToken,
  type Usage,
} from '../../core/index.js';

/** A call of a tool that a model asks for; the arguments are the text as it came. */
export interface ToolCallRequest {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One choice of an answer. */
export interface ChatChoice {
  /** The answer's text; empty where it has none. */
  readonly text: string;
  readonly reasoning: string | null;
  readonly finishReason: FinishReason;
  /** The word the server used, or null where it never said. */
  readonly finish: string | null;
  readonly toolCalls: readonly ToolCallRequest[];
  readonly tokens?: readonly SampleToken[];
}

/** A whole answer. */
export interface ChatReply {
  /** The model's name as the server gives it. */
  readonly model: string;
  /** In the order of their index; at least one. */
  readonly choices: readonly ChatChoice[];
  readonly usage: Usage;
  /** What was odd and did no harm, for one log line. */
  readonly warnings: readonly string[];
}

/** What the chunks so far amount to. */
export interface ReplyBuilder {
  /** Takes a chunk or a whole body; members of unexpected kinds count as absent. */
  add(chunk: JsonObject): void;
  /** True once every choice has said why it ended. */
  readonly finished: boolean;
  /** Choices begun so far. */
  readonly size: number;
  /** The text of all choices so far; evidence for failures. */
  partialText(): string;
  /** The answer. `asked` is the model's name as it was asked for. */
  build(asked: string, warnings: readonly string[]): ChatReply;
}

interface Draft {
  readonly message: MessageReader;
  /** Pieces have come, so a whole message behind them says the same again. */
  streamed: boolean;
  finish: string | null;
  readonly calls: { id: string; name: string; arguments: string; index: number | null }[];
  readonly ids: number[];
  readonly logprobs: (number | null)[];
}

/** Makes a builder for one answer. */
export function createReplyBuilder(): ReplyBuilder {
  const drafts = new Map<number, Draft>();
  let usage: Usage = { promptTokens: null, completionTokens: null };
  let model: string | null = null;
  return {
    add(chunk) {
      if (typeof chunk.model === 'string' && chunk.model !== '') model ??= chunk.model;
      usage = readUsage(chunk.usage) ?? usage;
      if (!Array.isArray(chunk.choices)) return;
      for (const [at, choice] of (chunk.choices as readonly unknown[]).entries()) {
        if (!isJsonObject(choice)) continue;
        const index = typeof choice.index === 'number' ? choice.index : at;
        const draft = drafts.get(index) ?? newDraft();
        drafts.set(index, draft);
        addChoice(draft, choice);
      }
    },
    get finished() {
      return drafts.size > 0 && [...drafts.values()].every((draft) => draft.finish !== null);
    },
    get size() {
      return drafts.size;
    },
    partialText: () => [...drafts.values()].map((draft) => draft.message.end().content ?? '').join('\n'),
    build(asked, warnings) {
      const ordered = [...drafts].sort(([a], [b]) => a - b).map(([, draft]) => draft);
      const unknown = new Set(ordered.flatMap((draft) => draft.message.end().unknownFields));
      const odd = [...unknown].map(
        (name) => `the unknown field '${name}' looks like reasoning and was left out`,
      );
      return {
        model: model ?? asked,
        choices: ordered.map(toChoice),
        usage,
        warnings: [...warnings, ...odd],
      };
    },
  };
}

function newDraft(): Draft {
  return { message: createMessageReader(), streamed: false, finish: null, calls: [], ids: [], logprobs: [] };
}

function addChoice(draft: Draft, choice: JsonObject): void {
  const isPiece = saysSomething(choice.delta);
  const whole = isPiece || !isJsonObject(choice.message) ? null : choice.message;
  const message = whole === null ? choice.delta : draft.streamed ? restOf(draft, whole) : whole;
  if (isPiece) draft.streamed = true;
  draft.message.push(message);
  // The older completions shape, which some servers keep inside chat chunks.
  if (typeof choice.text === 'string') draft.message.push({ content: choice.text });
  if (isJsonObject(message)) addToolCalls(draft, message);
  if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '')
    draft.finish = choice.finish_reason;
  addTokens(draft, choice);
}

/** A delta that adds more than the role of who speaks. */
function saysSomething(delta: unknown): boolean {
  if (!isJsonObject(delta)) return false;
  return Object.entries(delta).some(([name, value]) => name !== 'role' && value !== null && value !== '');
}

/** What a whole message says beyond the pieces in front of it. Where it does not begin with them, they stand. */
function restOf(draft: Draft, whole: JsonObject): JsonObject {
  const { content, reasoning } = draft.message.end();
  const said = content ?? '';
  const text = typeof whole.content === 'string' && whole.content.startsWith(said) ? whole.content : said;
  const { tool_calls: calls, ...others } = whole;
  return {
    ...(reasoning === null ? others : {}),
    ...(draft.calls.length > 0 || calls === undefined ? {} : { tool_calls: calls }),
    content: text.slice(said.length),
  };
}

function addToolCalls(draft: Draft, message: JsonObject): void {
  const listed = Array.isArray(message.tool_calls) ? (message.tool_calls as readonly unknown[]) : [];
  const legacy = isJsonObject(message.function_call) ? [{ index: 0, function: message.function_call }] : [];
  for (const piece of [...listed, ...legacy]) if (isJsonObject(piece)) addToolCall(draft, piece);
}

/** A piece belongs to the call of its index, else of its id, else to the last one; with a new id it begins one. */
function addToolCall(draft: Draft, piece: JsonObject): void {
  const { calls } = draft;
  const index = typeof piece.index === 'number' ? piece.index : null;
  const id = typeof piece.id === 'string' && piece.id !== '' ? piece.id : null;
  const called = isJsonObject(piece.function) ? piece.function : piece;
  const name = typeof called.name === 'string' ? called.name : '';
  const byIndex = index === null ? undefined : calls.find((call) => call.index === index);
  const byId = id === null ? undefined : calls.find((call) => call.id === id);
  const last = index === null && id === null && name === '' ? calls.at(-1) : undefined;
  let call = byIndex ?? byId ?? last;
  // Some servers repeat index 0 for each of several calls: another id is another call.
  if (call !== undefined && id !== null && call.id !== '' && call.id !== id) call = undefined;
  if (call === undefined) {
    call = { id: id ?? '', name: '', arguments: '', index };
    calls.push(call);
  }
  if (id !== null) call.id = id;
  if (call.name === '') call.name = name;
  const given = called.arguments;
  if (typeof given === 'string') call.arguments += given;
  else if (isJsonObject(given)) call.arguments = JSON.stringify(given);
}

function addTokens(draft: Draft, choice: JsonObject): void {
  const ids = Array.isArray(choice.token_ids) ? (choice.token_ids as readonly unknown[]) : [];
  for (const id of ids) if (typeof id === 'number') draft.ids.push(id);
  const content = isJsonObject(choice.logprobs) ? choice.logprobs.content : undefined;
  if (!Array.isArray(content)) return;
  for (const entry of content as readonly unknown[]) {
    if (!isJsonObject(entry)) continue;
    draft.logprobs.push(typeof entry.logprob === 'number' ? entry.logprob : null);
    const named = typeof entry.token === 'string' ? /^token_id:(\d+)$/.exec(entry.token)?.[1] : undefined;
    if (ids.length === 0 && named !== undefined) draft.ids.push(Number(named));
  }
}

function toChoice(draft: Draft): ChatChoice {
  const { content, reasoning } = draft.message.end();
  const { finish, ids, logprobs } = draft;
  const paired = logprobs.length === ids.length;
  const tokens = ids.map((id, at): SampleToken => ({ id, logprob: paired ? (logprobs[at] ?? null) : null }));
  return {
    text: content ?? '',
    reasoning,
    finishReason: finish === 'stop' || finish === 'length' ? finish : 'other',
    finish,
    toolCalls: draft.calls.map(({ id, name, arguments: text }, at) => ({
      id: id === '' ? `call_${at}` : id,
      name,
      arguments: text === '' ? '{}' : text,
    })),
    ...(tokens.length === 0 ? {} : { tokens }),
  };
}

function readUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  const count = (name: string): number | null => {
    const found = value[name];
    return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : null;
  };
  const usage = { promptTokens: count('prompt_tokens'), completionTokens: count('completion_tokens') };
  return usage.promptTokens === null && usage.completionTokens === null ? undefined : usage;
}
