/**
 * Sessions of Claude Code: JSON lines that form a tree, one line per block of a reply.
 *
 * Calls are `tool_use` blocks, answers `tool_result` blocks, joined by id; lines of one `message.id` are one reply.
 * Sidechains are trajectories of their own, and so are abandoned branches (`meta.branch`). Reminders, exit lines and
 * agent ids are taken out of answers. Refusals of the user, interrupts and cancelled siblings are no words of the
 * environment and have the flag `harness-text`. What is in a saved file is read where that is there, else `external`.
 * Messages of sub-agents inside `progress` lines are trajectories of their own too. Source: `session-tree.ts`, recorded
 * sessions of versions 1.0 to 2.1.
 */
import { isJsonObject, type Json, type JsonObject, type Trajectory } from '../../core/index.js';
import { takeExitLine, withoutReminders } from './harness-text.js';
import type { ImportContext, ImportFormat, ImportReader, ImportTally, ValuePlace } from './import-format.js';
import { contentText, toolAction } from './logged-trajectory.js';
import type { LoggedAnswer, LoggedCall } from './pair-calls.js';
import { type SessionLine, SessionThreads } from './session-threads.js';
import type { SessionNode } from './session-tree.js';

/** Session logs of Claude Code. */
export const claudeCode: ImportFormat = {
  name: 'claude-code',
  about: 'sessions of Claude Code (JSON lines, sub-agents, web exports)',
  recognises: isClaudeLine,
  open: (context) => new SessionReader(context),
};

const SPEAKING = /^(?:user|assistant|system|progress|attachment)$/;
const BESIDE =
  /^(?:file-history-snapshot|queue-operation|pr-link|ai-title|custom-title|last-prompt|worktree-state)$/;

function isClaudeLine(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  if (Array.isArray(value.loglines)) return (value.loglines as readonly Json[]).some(isClaudeLine);
  const { type, message } = value;
  if (typeof type !== 'string' || 'systemPayload' in value || 'toolCallResult' in value) return false;
  if (isJsonObject(message) && Array.isArray(message.parts)) return false;
  if (type === 'summary') return 'leafUuid' in value;
  if (BESIDE.test(type)) return 'sessionId' in value || 'messageId' in value || 'snapshot' in value;
  return (
    SPEAKING.test(type) && typeof value.uuid === 'string' && ('sessionId' in value || 'parentUuid' in value)
  );
}

class SessionReader implements ImportReader {
  private readonly threads: SessionThreads;
  private unnamed = 0;
  private readonly lastOfAgent = new Map<string, string>();

  constructor(private readonly context: ImportContext) {
    this.threads = new SessionThreads(context, 'claude-code');
  }

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const { tally } = this.context;
    if (!isJsonObject(value)) {
      tally.bad(place, 'a record that is no object; left out');
      return [];
    }
    if (Array.isArray(value.loglines)) {
      return (value.loglines as readonly Json[]).flatMap((line, i) =>
        this.take(line, { ...place, item: i + 1 }),
      );
    }
    const { type, uuid, message } = value;
    const told = sideMessage(value);
    if (told !== undefined) return this.sideLine(told, value, place);
    if (typeof type !== 'string') {
      tally.skip('record without a type');
      return [];
    }
    tally.version(value.version);
    tally.time(typeof value.timestamp === 'string' ? value.timestamp : undefined);
    const isNamed = typeof uuid === 'string';
    const node = isNamed || isJsonObject(message) ? this.node(value, place) : undefined;
    if (node === undefined || node.calls.length + node.answers.length === 0) tally.skip(kindOf(value, type));
    return node === undefined ? [] : this.threads.take(lineOf(value, node));
  }

  end(): readonly Trajectory[] {
    return this.threads.end();
  }

  /** A message of a sub-agent that is told in the session's own file; each follows the one before it. */
  private sideLine(
    message: JsonObject,
    { sessionId = null, version = null, data, ...line }: JsonObject,
    place: ValuePlace,
  ): readonly Trajectory[] {
    const { parentToolUseID: caller } = line;
    const agent =
      isJsonObject(data) && typeof data.agentId === 'string' ? data.agentId : `of-${String(caller)}`;
    const uuid = typeof message.uuid === 'string' ? message.uuid : `side ${place.line} ${++this.unnamed}`;
    const before = this.lastOfAgent.get(agent);
    const parentUuid = before === undefined || before === uuid ? null : before;
    this.lastOfAgent.set(agent, uuid);
    const { timestamp = line.timestamp ?? null } = message;
    const { role } = isJsonObject(message.message) ? message.message : {};
    const type = message.type ?? role ?? 'user';
    const told = {
      ...message,
      type,
      uuid,
      parentUuid,
      sessionId,
      version,
      timestamp,
      agentId: agent,
      isSidechain: true,
    };
    return this.take(told, place);
  }

  private node(line: JsonObject, place: ValuePlace): SessionNode {
    const message = isJsonObject(line.message) ? line.message : {};
    const uuid = typeof line.uuid === 'string' ? line.uuid : `line ${place.line} ${++this.unnamed}`;
    const reply = typeof message.id === 'string' ? message.id : uuid;
    const blocks = blocksOf(message.content);
    const at = typeof line.timestamp === 'string' ? line.timestamp : undefined;
    const calls =
      line.type === 'assistant' ? blocks.flatMap((block) => callOf(block, { place, reply, at })) : [];
    const answers =
      line.type === 'user'
        ? blocks.flatMap((block) => answerOf(block, line, { place, tally: this.context.tally }))
        : [];
    const usage = isJsonObject(message.usage) ? message.usage.output_tokens : undefined;
    return {
      uuid,
      parent: typeof line.parentUuid === 'string' ? line.parentUuid : null,
      by:
        answers.length > 0
          ? 'tool'
          : line.type === 'assistant'
            ? 'agent'
            : line.type === 'user'
              ? 'user'
              : 'none',
      ...(line.type === 'assistant' && { reply }),
      ...(typeof usage === 'number' && { outputTokens: usage }),
      calls,
      answers,
      place,
    };
  }
}

/** The message of a sub-agent in a line of progress. */
function sideMessage({ type, data }: JsonObject): JsonObject | undefined {
  if (type !== 'progress' || !isJsonObject(data) || data.type !== 'agent_progress') return undefined;
  const { message } = data;
  return isJsonObject(message) && isJsonObject(message.message) ? message : undefined;
}

function lineOf(line: JsonObject, node: SessionNode): SessionLine {
  const { sessionId, agentId, version, message } = line;
  const isSide = line.isSidechain === true;
  const session = typeof sessionId === 'string' ? sessionId : 'session';
  const side = typeof agentId === 'string' ? `agent-${agentId}` : `sidechain-${node.uuid}`;
  const model = isJsonObject(message) ? message.model : undefined;
  return {
    node,
    thread: isSide ? side : session,
    isSide,
    version: typeof version === 'string' ? version : undefined,
    model: typeof model === 'string' ? model : undefined,
    facts: sessionFacts(line),
  };
}

function sessionFacts(line: JsonObject): JsonObject {
  const { sessionId, agentId, cwd, gitBranch } = line;
  const facts = { sessionId, agentId, cwd, gitBranch };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) => (typeof fact === 'string' ? [[name, fact]] : [])),
  );
}

/** What a line without calls and answers is, for the report. */
function kindOf(line: JsonObject, type: string): string {
  if (type === 'system') return `system ${String(line.subtype ?? '')}`.trim();
  if (type === 'progress')
    return `progress ${isJsonObject(line.data) ? String(line.data.type ?? '') : ''}`.trim();
  if (type !== 'user' && type !== 'assistant') return type.slice(0, 60);
  if (!isJsonObject(line.message)) return `${type} without a message`;
  if (line.isCompactSummary === true) return 'summary of a compaction';
  if (line.isMeta === true) return 'user text of the program';
  const { content } = line.message;
  const kinds = new Set(blocksOf(content).map((block) => String(block.type)));
  if (type === 'assistant')
    return kinds.has('thinking') || kinds.has('redacted_thinking') ? 'reasoning' : 'agent text';
  return contentText(content).startsWith('[Request interrupted') ? 'interrupt' : 'user prompt';
}

function blocksOf(content: Json | undefined): readonly JsonObject[] {
  return Array.isArray(content) ? (content as readonly Json[]).filter(isJsonObject) : [];
}

function callOf(
  block: JsonObject,
  at: { readonly place: ValuePlace; readonly reply: string; readonly at: string | undefined },
): readonly LoggedCall[] {
  if (block.type !== 'tool_use') return [];
  const name = typeof block.name === 'string' ? block.name : '';
  return [
    {
      id: typeof block.id === 'string' ? block.id : undefined,
      name,
      action: toolAction(name, block.input ?? {}),
      place: at.place,
      step: at.reply,
      ...(at.at !== undefined && { startedAt: at.at }),
    },
  ];
}

const REFUSED = /^(?:The user doesn't want to (?:proceed|take this action)|\[Request interrupted by user)/;
const CANCELLED = /<tool_use_error>(?:Sibling tool call errored|Cancelled: parallel tool call)/;
const SAVED = /^<persisted-output>/m;
const AGENT_ID = /\n?^agentId: \S+ \(for resuming to continue this agent's work if needed\)\s*$/m;

function answerOf(
  block: JsonObject,
  line: JsonObject,
  { place, tally }: { readonly place: ValuePlace; readonly tally: ImportTally },
): readonly LoggedAnswer[] {
  if (block.type !== 'tool_result') return [];
  const raw = contentText(block.content);
  const isError = block.is_error === true;
  const beside = line.toolUseResult;
  const printed = isJsonObject(beside)
    ? `${String(beside.stdout ?? '')}\n${String(beside.stderr ?? '')}`
    : '';
  const told = withoutReminders(raw, printed).replace(AGENT_ID, '');
  const { text: shown, exitCode } = isError ? takeExitLine(told) : { text: told, exitCode: undefined };
  const isElsewhere = SAVED.test(shown) && /saved to: /i.test(shown);
  const saved = isElsewhere ? tally.savedOutput(shown) : undefined;
  const text = saved ?? shown;
  const isRefused = isError && REFUSED.test(text);
  const isSaved = isElsewhere && saved === undefined;
  const hasImage = blocksOf(block.content).some(({ type }) => type === 'image');
  const flags = [
    ...(isSaved ? ['external', 'truncated'] : []),
    ...(hasImage ? ['image'] : []),
    ...(isRefused || CANCELLED.test(text) ? ['harness-text'] : []),
  ];
  return [
    {
      // An answer that names no call has none: the program always names it, and position says nothing.
      id: typeof block.tool_use_id === 'string' ? block.tool_use_id : '(no id)',
      observation: text,
      isError,
      place,
      ...(text !== raw && { raw }),
      ...(flags.length > 0 && { flags }),
      ...(typeof line.timestamp === 'string' && { at: line.timestamp }),
      ...(exitCode !== undefined && { meta: { exitCode } }),
    },
  ];
}
