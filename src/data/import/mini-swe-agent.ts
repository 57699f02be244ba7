/**
 * Trajectories of mini-swe-agent: a bare list of messages (v0), `mini-swe-agent-1`, and `mini-swe-agent-1.1` with tool
 * calls.
 *
 * v0 and v1: the action is the one fenced block of a reply, the observation the user message that follows it. A reply
 * without exactly one block stays a turn that is no action, answered by the harness, as the agent tried again. 1.1: tool
 * calls with their tool messages. Taken off beside the raw form: return code, output elements and the warning about
 * long outputs; what the shell printed is whole where `raw_output` is there, else head and tail (flag `truncated`).
 * The answer to the submission is flagged `submission` (its first line is not there); in 1.1 it has none and stays
 * unanswered. Messages of role `exit` end the run. Thoughts are left out. Source: formats.md, section 5.
 */
import { isJsonObject, type Json, type JsonObject, parseJson, type Trajectory } from '../../core/index.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { contentText, loggedTrajectory, toolAction } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';
import { printedText, shellAction } from './printed-text.js';

/** Trajectory files of mini-swe-agent. */
export const miniSweAgent: ImportFormat = {
  name: 'mini-swe-agent',
  about: 'trajectories of mini-swe-agent: v0 lists, 1 and 1.1',
  recognises: (value) => isTold(value) || (Array.isArray(value) && isUntold(value)),
  open: (context) => new MiniReader(context),
};

function isTold(value: Json): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value.messages)) return false;
  const { trajectory_format: format, info } = value;
  return (
    (typeof format === 'string' && format.startsWith('mini-swe-agent')) ||
    (isJsonObject(info) && typeof info.mini_version === 'string')
  );
}

/** A list of messages that says nothing of itself: told by the answers of the shell. */
function isUntold(list: readonly Json[]): boolean {
  return list.some(
    (one) =>
      isJsonObject(one) &&
      one.role === 'user' &&
      /^\s*<returncode>-?\d+<\/returncode>/.test(contentText(one.content).slice(0, 100)),
  );
}

const BLOCK = /^```(?:bash|sh|mswea_bash_command)[ \t]*\n([\s\S]*?)\n?^```[ \t]*$/gm;
const SUBMIT = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT/;

class MiniReader implements ImportReader {
  private made = 0;

  constructor(private readonly context: ImportContext) {}

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    const { tally, file } = this.context;
    const holder = isJsonObject(value) ? value : {};
    const messages = Array.isArray(value) ? (value as readonly Json[]) : holder.messages;
    if (!Array.isArray(messages)) {
      tally.skip('value without messages');
      return [];
    }
    const info = isJsonObject(holder.info) ? holder.info : {};
    tally.version(info.mini_version);
    const pairs = new CallPairs(tally);
    const run = new MiniRun(pairs, this.context, place);
    for (const message of messages as readonly Json[]) run.message(message);
    run.end();
    this.made += 1;
    const name = typeof holder.instance_id === 'string' ? holder.instance_id : `${this.made}`;
    const format = holder.trajectory_format;
    const model = modelOf(info);
    if (pairs.isEmpty) tally.skip('trajectory without actions');
    return loggedTrajectory(pairs, {
      id: `${file}#${name}`,
      dataset: 'mini-swe-agent',
      file,
      domain: 'swe',
      agent: model,
      version: typeof info.mini_version === 'string' ? info.mini_version : undefined,
      text: run.prompts.join('\n'),
      meta: {
        format: typeof format === 'string' ? format : 'mini-swe-agent-0',
        ...(run.task !== undefined && { task: run.task }),
        ...((run.exit ?? info.exit_status) !== undefined && { exit: run.exit ?? info.exit_status ?? null }),
      },
    });
  }

  end(): readonly Trajectory[] {
    return [];
  }
}

function modelOf(info: JsonObject): string | undefined {
  const config = isJsonObject(info.config) ? info.config : {};
  const model = isJsonObject(config.model) ? config.model : {};
  return typeof model.model_name === 'string' ? model.model_name : undefined;
}

/** One trajectory's messages. */
class MiniRun {
  readonly prompts: string[] = [];
  task: string | undefined;
  exit: Json | undefined;
  /** What waits for the next user message: a command, or a reply that was none. */
  private waiting: { readonly id: string; readonly command: string } | undefined;
  private number = 0;

  constructor(
    private readonly pairs: CallPairs,
    private readonly context: ImportContext,
    private readonly place: ValuePlace,
  ) {}

  message(message: Json): void {
    const { tally } = this.context;
    if (!isJsonObject(message)) {
      tally.bad(this.place, 'a message that is no object; left out');
      return;
    }
    const { role } = message;
    if (role === 'system') {
      this.prompts.push(contentText(message.content));
      tally.skip('message of system');
    } else if (role === 'assistant') this.reply(message);
    else if (role === 'tool') this.toolMessage(message);
    else if (role === 'user') this.userMessage(message);
    else {
      if (role === 'exit')
        this.exit = isJsonObject(message.extra) ? (message.extra.exit_status ?? null) : null;
      tally.skip(`message of ${String(role)}`);
    }
  }

  end(): void {
    this.waiting = undefined;
  }

  private reply(message: JsonObject): void {
    this.number += 1;
    this.waiting = undefined;
    const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as readonly Json[]) : [];
    if (calls.length > 0) {
      for (const call of calls) if (isJsonObject(call)) this.toolCall(call);
      return;
    }
    const actions = isJsonObject(message.extra) ? message.extra.actions : undefined;
    const text = contentText(message.content);
    const blocks = [...text.matchAll(BLOCK)].map(([, block = '']) => block);
    const told = Array.isArray(actions) && actions.length === 1 ? actions[0] : undefined;
    const command =
      isJsonObject(told) && typeof told.command === 'string'
        ? told.command
        : blocks.length === 1
          ? blocks[0]
          : undefined;
    const id = `a${this.number}`;
    this.waiting = { id, command: command ?? '' };
    this.pairs.call({
      id,
      name: 'bash',
      // Not a call: blocks as they stand, without the thoughts around them.
      action: command === undefined ? blocks.join('\n') : shellAction(command),
      place: this.place,
      ...(command === undefined && { flags: ['malformed'] }),
    });
  }

  private toolCall(call: JsonObject): void {
    const inner = isJsonObject(call.function) ? call.function : call;
    const name = typeof inner.name === 'string' ? inner.name : '';
    const given = inner.arguments ?? {};
    const parsed = typeof given === 'string' ? parseJson(given) : undefined;
    this.pairs.call({
      id: typeof call.id === 'string' ? call.id : undefined,
      name,
      action: toolAction(name, parsed?.ok === true ? parsed.value : given),
      place: this.place,
      step: `a${this.number}`,
      ...(parsed?.ok === false && { flags: ['bad-arguments'] }),
    });
  }

  private toolMessage(message: JsonObject): void {
    const id = message.tool_call_id;
    this.answer(typeof id === 'string' ? id : undefined, message, []);
  }

  private userMessage(message: JsonObject): void {
    const { waiting } = this;
    if (waiting === undefined) {
      if (this.number === 0) this.task = contentText(message.content);
      this.context.tally.skip('message of user');
      return;
    }
    this.waiting = undefined;
    const isSubmission =
      SUBMIT.test(waiting.command) && !/^\s*<(?:returncode|exception)>/.test(contentText(message.content));
    this.answer(waiting.id, message, isSubmission ? ['submission', 'truncated'] : []);
  }

  private answer(id: string | undefined, message: JsonObject, flags: readonly string[]): void {
    const raw = contentText(message.content);
    const extra = isJsonObject(message.extra) ? message.extra : {};
    const read = readOutput(raw);
    const whole = typeof extra.raw_output === 'string' ? extra.raw_output : undefined;
    const observation = printedText(whole ?? read.text);
    const code = typeof extra.returncode === 'number' ? extra.returncode : read.code;
    const isCut = whole === undefined && read.isCut;
    const at = isoTime(extra.timestamp);
    this.pairs.answer({
      id,
      observation,
      isError: (code !== undefined && code !== 0) || read.isTimeout,
      place: this.place,
      raw,
      flags: [...flags, ...(isCut ? ['truncated'] : []), ...(read.isTimeout ? ['timeout'] : [])],
      ...(at !== undefined && { at }),
      meta: {
        ...(code !== undefined && Number.isInteger(code) && { exitCode: code }),
        ...(typeof extra.exception_info === 'string' &&
          extra.exception_info !== '' && { exception: extra.exception_info }),
      },
    });
  }
}

/** Seconds since 1970 as a time; undefined for what is none. */
function isoTime(seconds: Json | undefined): string | undefined {
  const date = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

interface Output {
  readonly text: string;
  readonly code?: number;
  readonly isCut: boolean;
  readonly isTimeout: boolean;
}

/** What stands between an element's tags, without the line feed after the first; the last end counts. */
function element(raw: string, name: string): string | undefined {
  const start = raw.indexOf(`<${name}>`);
  const end = raw.lastIndexOf(`</${name}>`);
  if (start < 0 || end < start) return undefined;
  return raw.slice(start + name.length + 2, end).replace(/^\r?\n/, '');
}

/** What the shell printed, out of the form in which the harness shows it. */
function readOutput(raw: string): Output {
  const found = /^\s*(?:<exception>[\s\S]{0,20000}?<\/exception>\s*)?<returncode>(-?\d+)<\/returncode>/.exec(
    raw,
  );
  const code = found === null ? undefined : Number(found[1]);
  const isTimeout = /^The last command <command>[\s\S]*timed out and has been killed/.test(raw);
  const known = { ...(code !== undefined && { code }), isTimeout };
  if (code === undefined && !isTimeout) return { text: raw, isCut: false, ...known };
  const [head, tail] = [element(raw, 'output_head'), element(raw, 'output_tail')];
  if (head !== undefined && tail !== undefined) {
    const elided = element(raw, 'elided_chars')?.trim() ?? 'characters elided';
    return { text: `${head}\n[${elided}]\n${tail}`, isCut: true, ...known };
  }
  const text = element(raw, 'output') ?? raw.slice(found?.[0].length ?? 0).replace(/^\s*\n/, '');
  return { text, isCut: false, ...known };
}
