/**
 * MCP recordings: tool calls with their results, per run of a server.
 *
 * Ids of the two directions collide, so requests are told apart by who sent them; ids repeat, so an answer closes
 * the oldest open request of its exchange, else of its session. The tools are those of the last complete
 * `tools/list` (pages are joined), of a stand-alone result or of a cassette. An `input_required` result is no turn:
 * the client sends the call again. No handshake is needed. Source: Model Context Protocol up to 2026-07-28; hard
 * cases P-LOG-1 and P-LOG-2.
 */
import { isJsonObject, type Json, type JsonObject, type Trajectory } from '../../core/index.js';
import { renderToolResult, ToolResultSchema } from '../../domains/index.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { loggedTrajectory, toolAction } from './logged-trajectory.js';
import { isFrame, McpFrames, type McpMessage } from './mcp-frames.js';
import { CallPairs } from './pair-calls.js';

/** Raw frames of `umwelt record` and of other recorders of MCP. */
export const mcpJsonRpc: ImportFormat = {
  name: 'mcp-jsonrpc',
  about: 'recordings of an MCP server (umwelt record and other recorders), stdio and Streamable HTTP',
  recognises: (value) => isFrame(value) || isCassette(value) || isEventLog(value),
  open: (context) => new McpReader(context),
};

/** A recorder's line of one request's answer, without the request's arguments. */
function isCassette(value: Json): boolean {
  return isJsonObject(value) && typeof value.method === 'string' && isJsonObject(value.response);
}

/** A line about a message (`tool_call`, `tool_result` with sizes) that does not hold it. */
function isEventLog(value: Json): boolean {
  return (
    isJsonObject(value) && typeof value.kind === 'string' && 'tool' in value && isJsonObject(value.detail)
  );
}

interface Pending {
  readonly method: string;
  readonly key: string;
  readonly at: McpMessage;
  readonly params: JsonObject;
}

/** One run: a server from its start to the next. */
class McpRun {
  readonly pairs: CallPairs;
  pending: Pending[] = [];
  tools: Json[] = [];
  server: JsonObject | undefined;
  client: JsonObject | undefined;
  instructions: string | undefined;
  protocolVersion: string | undefined;
  calls = 0;

  constructor(private readonly context: ImportContext) {
    this.pairs = new CallPairs(context.tally);
  }

  done(id: string): readonly Trajectory[] {
    const { server, client, instructions, protocolVersion, tools } = this;
    const meta: JsonObject = {
      ...(server !== undefined && { server }),
      ...(instructions !== undefined && { instructions }),
      ...(protocolVersion !== undefined && { protocolVersion }),
    };
    const agent = typeof client?.name === 'string' ? client.name : undefined;
    const facts = {
      id,
      dataset: 'mcp-jsonrpc',
      file: this.context.file,
      text: instructions ?? '',
      agent,
      tools,
      meta,
    };
    if (this.pairs.isEmpty && this.pairs.part > 0) return [];
    const made = loggedTrajectory(this.pairs, facts);
    // A server that only listed its tools is worth keeping too.
    return made.length > 0 || tools.length === 0 ? made : [listOnly(facts)];
  }
}

function listOnly(facts: Parameters<typeof loggedTrajectory>[1]): Trajectory {
  const { id, dataset, file, text = '', tools = [], meta = {} } = facts;
  const system = { text, demonstrations: [], actionSpace: JSON.stringify(tools) };
  return {
    trajectory: 1,
    id,
    domain: 'mcp',
    source: { dataset, file },
    system,
    meta: { ...meta },
    turns: [],
  };
}

class McpReader implements ImportReader {
  private readonly frames: McpFrames;
  private run: McpRun;
  private name: string | null = null;
  private runs = 0;

  constructor(private readonly context: ImportContext) {
    this.frames = new McpFrames(context.tally);
    this.run = new McpRun(context);
  }

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    if (isCassette(value)) return this.cassette(value as JsonObject, place);
    if (isEventLog(value)) {
      this.context.tally.skip(`event ${String((value as JsonObject).kind)}`);
      return [];
    }
    const closed = this.frames.take(value, place).flatMap((message) => this.message(message));
    return this.run.pairs.isFull
      ? [...closed, ...this.run.done(`${this.context.file}#${this.runs + 1}`)]
      : closed;
  }

  end(): readonly Trajectory[] {
    const rest = this.frames.end().flatMap((message) => this.message(message));
    return [...rest, ...this.close()];
  }

  private close(): readonly Trajectory[] {
    const made = this.run.done(`${this.context.file}#${this.runs + 1}`);
    if (made.length > 0 || this.run.pairs.part > 0) this.runs += 1;
    this.run = new McpRun(this.context);
    return made;
  }

  private message(at: McpMessage): readonly Trajectory[] {
    const { message } = at;
    const isNew = this.name !== null && at.run !== this.name;
    // A second handshake on the same pipe is a new process; on HTTP it is one more session of the same service.
    const again =
      message.method === 'initialize' &&
      at.exchange === undefined &&
      this.run.server !== undefined &&
      at.from !== 'server';
    const closed = isNew || again ? this.close() : [];
    this.name = at.run;
    if (typeof message.method === 'string') {
      if (message.id === undefined || message.id === null)
        this.context.tally.skip(`notification ${message.method}`);
      else if (isFromServer(at, message.method)) this.context.tally.skip(`server request ${message.method}`);
      else this.request(at, message.method);
    } else this.response(at);
    return closed;
  }

  private request(at: McpMessage, method: string): void {
    const { message, place } = at;
    const params = isJsonObject(message.params) ? message.params : {};
    if (method === 'tools/call' && typeof params.name === 'string') {
      const key = `call-${++this.run.calls}`;
      this.run.pending.push({ method, key, at, params });
      const args = params.arguments ?? {};
      this.run.pairs.call({
        id: key,
        name: params.name,
        action: toolAction(params.name, args),
        place,
        ...(at.at !== undefined && { startedAt: at.at }),
      });
      return;
    }
    this.run.pending.push({ method, key: '', at, params });
  }

  private response(at: McpMessage): void {
    const pending = this.takePending(at);
    if (pending === undefined) {
      // Without a request it may be the client's answer to the server, or an answer whose request was lost.
      const { message } = at;
      if (at.from === 'client') this.context.tally.skip('answer of the client');
      else if (isJsonObject(message.result) && Array.isArray(message.result.tools))
        this.takeList(message.result, true);
      else if (isJsonObject(message.result) && Array.isArray(message.result.content)) {
        this.run.pairs.answer(answerOf(at, undefined, 'orphan'));
      } else this.context.tally.skip('answer without a request');
      return;
    }
    const { method, params, key } = pending;
    const { result } = at.message;
    if (method === 'tools/call') {
      if (isJsonObject(result) && result.resultType === 'input_required') {
        this.run.pairs.withdraw(key);
        this.context.tally.skip('input_required answer');
        return;
      }
      this.run.pairs.answer(answerOf(at, pending, key));
      return;
    }
    this.context.tally.skip(`request ${method}`);
    if (!isJsonObject(result)) return;
    if (method === 'tools/list') this.takeList(result, params.cursor === undefined);
    if (method === 'initialize' || method === 'server/discover') this.takeHandshake(result, params);
  }

  private takeHandshake(result: JsonObject, params: JsonObject): void {
    const { run } = this;
    if (isJsonObject(result.serverInfo)) run.server = result.serverInfo;
    if (typeof result.instructions === 'string') run.instructions = result.instructions;
    if (typeof result.protocolVersion === 'string') run.protocolVersion = result.protocolVersion;
    if (isJsonObject(params.clientInfo)) run.client = params.clientInfo;
  }

  private takeList(result: JsonObject, isFirstPage: boolean): void {
    if (!Array.isArray(result.tools)) return;
    this.run.tools = [...(isFirstPage ? [] : this.run.tools), ...(result.tools as readonly Json[])];
  }

  /** The oldest open request that this can answer: of its exchange, else of its session, else of its id alone. */
  private takePending(at: McpMessage): Pending | undefined {
    if (at.from === 'client') return undefined;
    const { id } = at.message;
    const same = this.run.pending.filter((one) => one.at.message.id === id);
    const found =
      same.find((one) => at.exchange !== undefined && one.at.exchange === at.exchange) ??
      same.find(
        (one) => at.session === undefined || one.at.session === undefined || one.at.session === at.session,
      );
    if (found !== undefined) this.run.pending = this.run.pending.filter((one) => one !== found);
    return found;
  }

  private cassette(value: JsonObject, place: ValuePlace): readonly Trajectory[] {
    const { method, tool, response } = value;
    const result = isJsonObject(response) && isJsonObject(response.result) ? response.result : undefined;
    if (method === 'tools/call') {
      const { tally } = this.context;
      tally.orphans += 1;
      tally.warn(place, `an answer of ${String(tool)} whose arguments were not recorded; left out`);
      this.run.pairs.gap();
    } else this.context.tally.skip(`request ${String(method)}`);
    if (method === 'initialize' && result !== undefined) this.takeHandshake(result, {});
    if (method === 'tools/list' && result !== undefined) this.takeList(result, true);
    return [];
  }
}

const SERVER_METHODS = /^(?:roots\/|sampling\/|elicitation\/)/;

/** Where the envelope does not say who asks, the method does. */
function isFromServer(at: McpMessage, method: string): boolean {
  return at.from === null ? SERVER_METHODS.test(method) : at.from === 'server';
}

function answerOf(at: McpMessage, pending: Pending | undefined, key: string) {
  const { message, place } = at;
  const common = { id: key, place, ...(at.at !== undefined && { at: at.at }) };
  const callId = pending === undefined ? {} : { callId: String(pending.at.message.id) };
  if (isJsonObject(message.error)) {
    const { code, message: words } = message.error;
    const observation = `MCP error ${String(code)}: ${String(words)}`;
    return { ...common, observation, isError: true, meta: { ...callId, error: message.error } };
  }
  const read = ToolResultSchema.safeParse(message.result);
  const result = isJsonObject(message.result) ? message.result : {};
  if (!read.success) {
    const observation = Array.isArray(result.content)
      ? JSON.stringify(result.content)
      : JSON.stringify(message.result ?? null);
    return { ...common, observation, isError: result.isError === true, meta: { ...callId, result } };
  }
  const isError = read.data.isError === true;
  const observation = renderToolResult(read.data);
  return { ...common, observation, isError, meta: { ...callId, ...(isPlain(result) ? {} : { result }) } };
}

/** One text and nothing else: the observation says it all. */
function isPlain(result: JsonObject): boolean {
  const { content } = result;
  const [block] = Array.isArray(content) ? (content as readonly Json[]) : [];
  return (
    Array.isArray(content) &&
    content.length === 1 &&
    isJsonObject(block) &&
    block.type === 'text' &&
    Object.keys(block).length === 2 &&
    Object.keys(result).every((name) => name === 'content' || name === 'isError' || name === '_meta')
  );
}
