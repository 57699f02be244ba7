/**
 * Sessions of Codex CLI: rollout files of all versions, and the stream of `codex exec --json`.
 *
 * A rollout tells each fact several times; calls and answers are taken from `response_item` (in old files the bare
 * items), and from the mirrors (`exec_command_end`, `item_completed`) only exit codes. Answers have one of several
 * layouts (`harness-text.ts`); their head is taken out. Kinds of calls are paired apart, since ids are not unique.
 * Compaction replaces the model's history, not the file's: older lines remain turns. Not covered: calls that a provider
 * runs itself (search, pictures) and that have no answer in the file; they are counted. Sources: recorded sessions of 0.50,
 * 0.94, 0.146 and 0.171.
 */
import { isJsonObject, type Json, type JsonObject, parseJson, type Trajectory } from '../../core/index.js';
import { CodexStream, isExecEvent } from './codex-exec.js';
import { cleanCodexOutput } from './harness-text.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';
import { domainOfCodingAgent } from './tool-domain.js';

/** Session logs of Codex CLI. */
export const codex: ImportFormat = {
  name: 'codex',
  about: 'sessions of Codex CLI (rollout files of all versions, exec --json)',
  recognises: (value) => isRollout(value) || isExecEvent(value),
  open: (context) => new RolloutReader(context),
};

const ENVELOPE =
  /^(?:session_meta|response_item|event_msg|turn_context|compacted|world_state|token_usage_record|inter_agent_communication_metadata)$/;

function isRollout(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { type, payload, id, timestamp } = value;
  if (typeof type === 'string') return ENVELOPE.test(type) && isJsonObject(payload);
  return (
    typeof id === 'string' && typeof timestamp === 'string' && ('instructions' in value || 'git' in value)
  );
}

/** The kind of answer that each kind of call gets. */
const KINDS: Readonly<Record<string, string>> = {
  function_call: 'function',
  local_shell_call: 'function',
  custom_tool_call: 'custom',
  tool_search_call: 'search',
  function_call_output: 'function',
  local_shell_call_output: 'function',
  custom_tool_call_output: 'custom',
  tool_search_output: 'search',
};

const HOSTED = /^(?:web_search_call|image_generation_call|file_search_call|code_interpreter_call)$/;

class RolloutReader implements ImportReader {
  private readonly stream: CodexStream;
  private pairs: CallPairs;
  private meta: JsonObject = {};
  private session = '';
  private sessions = 0;
  private model: string | undefined;
  private step = 0;
  private hasSteps = false;
  private readonly exitCodes = new Map<string, number>();

  constructor(private readonly context: ImportContext) {
    this.pairs = new CallPairs(context.tally);
    this.stream = new CodexStream(context);
  }

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const { tally } = this.context;
    if (!isJsonObject(value)) {
      tally.bad(place, 'a record that is no object; left out');
      return [];
    }
    if (isExecEvent(value)) return this.stream.take(value, place);
    const { type, payload, timestamp } = value;
    const at = typeof timestamp === 'string' ? timestamp : undefined;
    if (typeof type === 'string' && isJsonObject(payload) && ENVELOPE.test(type)) {
      return this.line(type, payload, { place, at });
    }
    if (typeof type !== 'string') {
      if (isRollout(value)) return this.begin(value);
      tally.skip(
        typeof value.record_type === 'string' ? `record ${value.record_type}` : 'record without a type',
      );
      return [];
    }
    this.item(value, { place, at });
    return this.part();
  }

  end(): readonly Trajectory[] {
    return [...this.finish(), ...this.stream.end()];
  }

  private line(
    type: string,
    payload: JsonObject,
    at: { readonly place: ValuePlace; readonly at: string | undefined },
  ): readonly Trajectory[] {
    const { tally } = this.context;
    if (type === 'session_meta') return this.begin(payload);
    if (type === 'response_item') {
      this.item(payload, at);
      return this.part();
    }
    tally.time(at.at);
    if (type === 'event_msg') this.event(payload);
    else tally.skip(type);
    if (type === 'turn_context' || type === 'token_usage_record') this.nextStep();
    if (type === 'turn_context' && typeof payload.model === 'string') this.model = payload.model;
    return [];
  }

  /** A head of another session ends the one before; forked files have several heads before the first call. */
  private begin(payload: JsonObject): readonly Trajectory[] {
    const { tally } = this.context;
    tally.version(payload.cli_version);
    tally.skip('session_meta');
    const id = typeof payload.id === 'string' ? payload.id : '';
    const closed = id !== this.session && !this.pairs.isEmpty ? this.finish() : [];
    if (this.session === '' || closed.length > 0) {
      if (closed.length > 0) this.pairs = new CallPairs(tally);
      this.session = id;
      this.meta = payload;
    }
    return closed;
  }

  private event(payload: JsonObject): void {
    const { tally } = this.context;
    const item = isJsonObject(payload.item) ? payload.item : payload;
    const id = payload.type === 'item_completed' ? item.id : payload.call_id;
    const code = item.exit_code;
    if (typeof id === 'string' && typeof code === 'number') this.exitCodes.set(id, code);
    if (payload.type === 'token_count') this.nextStep();
    const kind =
      payload.type === 'item_completed' ? `item_completed ${String(item.type)}` : String(payload.type);
    tally.skip(`event ${kind}`);
  }

  private nextStep(): void {
    this.step += 1;
    this.hasSteps = true;
  }

  private item(item: JsonObject, at: { readonly place: ValuePlace; readonly at: string | undefined }): void {
    const { tally } = this.context;
    const type = String(item.type);
    const kind = KINDS[type];
    if (kind === undefined) {
      if (HOSTED.test(type)) tally.skip(`hosted call ${type}`);
      else tally.skip(type === 'message' ? `message of ${String(item.role)}` : type);
      if (type === 'reasoning' || (type === 'message' && item.role === 'assistant')) this.step += 1;
      return;
    }
    const id = item.call_id ?? item.id;
    const key = typeof id === 'string' ? `${kind} ${id}` : undefined;
    if (type.endsWith('_output')) {
      const { observation, raw, exitCode, flags } = outputOf(item);
      this.pairs.answer({
        id: key ?? '(no id)',
        observation,
        isError: isJsonObject(item.output) && item.output.success === false,
        place: at.place,
        ...(raw !== undefined && { raw }),
        ...(flags.length > 0 && { flags }),
        ...(at.at !== undefined && { at: at.at }),
        meta: { ...(typeof id === 'string' && { callId: id }), ...(exitCode !== undefined && { exitCode }) },
      });
      return;
    }
    const { name, args, isBad } = callOf(item, type);
    this.pairs.call({
      id: key,
      name,
      action: toolAction(name, args),
      place: at.place,
      ...(this.hasSteps && { step: `s${this.step}` }),
      ...(at.at !== undefined && { startedAt: at.at }),
      ...(isBad && { flags: ['bad-arguments'] }),
    });
  }

  private part(): readonly Trajectory[] {
    return this.pairs.isFull ? this.finish() : [];
  }

  private finish(): readonly Trajectory[] {
    const { id, cwd, cli_version: version } = this.meta;
    if (this.pairs.isEmpty) return [];
    if (this.pairs.part === 0) this.sessions += 1;
    const made = loggedTrajectory(this.pairs, {
      id: `${this.context.file}#${typeof id === 'string' ? id : this.sessions}`,
      dataset: 'codex',
      file: this.context.file,
      agent: 'codex',
      version: typeof version === 'string' ? version : undefined,
      domain: domainOfCodingAgent(this.pairs.toolNames),
      meta: {
        ...(typeof id === 'string' && { sessionId: id }),
        ...(typeof cwd === 'string' && { cwd }),
        ...(this.model !== undefined && { model: this.model }),
      },
    });
    const withCodes = made.map((one) => ({ ...one, turns: one.turns.map((turn) => this.withCode(turn)) }));
    this.exitCodes.clear();
    return withCodes;
  }

  /** The exit code of a mirror, where the answer's text has none and the command had ended. */
  private withCode(turn: Trajectory['turns'][number]): Trajectory['turns'][number] {
    const { meta, flags = [] } = turn;
    const code = meta?.callId === undefined ? undefined : this.exitCodes.get(meta.callId);
    if (code === undefined || meta?.exitCode !== undefined || flags.includes('running')) return turn;
    return { ...turn, meta: { ...meta, exitCode: code } };
  }
}

function callOf(item: JsonObject, type: string): { name: string; args: Json; isBad: boolean } {
  if (type === 'local_shell_call') return { name: 'local_shell', args: item.action ?? {}, isBad: false };
  if (type === 'tool_search_call') return { name: 'tool_search', args: item.arguments ?? {}, isBad: false };
  const own = typeof item.name === 'string' ? item.name : '';
  const space = typeof item.namespace === 'string' ? item.namespace : '';
  const name = space === '' ? own : space.endsWith('__') ? `${space}${own}` : `${space}__${own}`;
  if (type === 'custom_tool_call') return { name, args: item.input ?? '', isBad: false };
  const given = item.arguments ?? {};
  const parsed = typeof given === 'string' ? parseJson(given === '' ? '{}' : given) : undefined;
  return { name, args: parsed?.ok === true ? parsed.value : given, isBad: parsed?.ok === false };
}

function outputOf(item: JsonObject): {
  readonly observation: string;
  readonly raw?: string;
  readonly exitCode?: number;
  readonly flags: readonly string[];
} {
  const given = item.output ?? item.tools ?? '';
  const parts = isJsonObject(given) && 'content' in given ? given.content : given;
  const listed = isJsonObject(parts) && typeof parts.text === 'string' ? [parts] : parts;
  const raw = contentText(listed);
  const hasImage =
    Array.isArray(listed) &&
    (listed as readonly Json[]).some((part) => isJsonObject(part) && part.type === 'input_image');
  const packed = typeof given === 'string' && given.startsWith('{') ? parseJson(given) : undefined;
  const box = packed?.ok === true && isJsonObject(packed.value) ? packed.value : {};
  const isPacked = typeof box.output === 'string' && isJsonObject(box.metadata);
  const clean = cleanCodexOutput(isPacked ? String(box.output) : raw);
  const packedCode = isJsonObject(box.metadata) ? box.metadata.exit_code : undefined;
  const exitCode = isPacked && typeof packedCode === 'number' ? packedCode : clean.exitCode;
  return {
    observation: clean.text,
    ...(clean.text !== raw && { raw }),
    ...(Number.isInteger(exitCode) && exitCode !== undefined && { exitCode }),
    flags: [...clean.flags, ...(hasImage ? ['image'] : [])],
  };
}
