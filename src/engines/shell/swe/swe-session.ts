/**
 * A session of a swe world: calls of a harness's tools on a machine's files and shell.
 *
 * Each call is one operation `tool.call NAME` for the Host; what it runs asks for itself. The machine is that of a terminal
 * world without anybody at its keyboard; what the harness remembers (files that were read, folder, jobs) is plain state
 * beside it, and both are in snapshots.
 */
import {
  type AbsorbReport,
  type Answer,
  type Consultant,
  EngineError,
  type EngineOutcome,
  type EngineRun,
  type EngineSession,
  type FaultedRow,
  type ForeignChange,
  type HostReply,
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  type ParsedAction,
  type Result,
  type RunContext,
  type ToolCall,
  traced,
} from '../../../core/index.js';
import { harnessTools, TOOL_PROFILES, type ToolKind, toolUseOf } from '../../../domains/index.js';
import { recordConsult } from '../session/consult-log.js';
import type { WorkResult } from '../session/machine-work.js';
import type { LoggedEvent, Moment, SessionEvent } from '../session/moment.js';
import { perform, replay } from '../session/perform.js';
import { ShellSession } from '../session/shell-session.js';
import { checksum, encodeMoment } from '../session/snapshot.js';
import { editTool, insertTool, multiEditTool, undoTool, writeTool } from './change-tools.js';
import { MachineFiles } from './machine-files.js';
import { globTool, grepTool, listTool, readTool } from './read-tools.js';
import { jobKillTool, jobOutputTool, shellTool, todoTool } from './shell-tools.js';
import type { SweSpec, SweState } from './swe-state.js';
import { type Bench, Call, NoAnswer, type Said, type Working } from './tool-call.js';

type Tool = (call: Call) => Said | Working<Said>;

const TOOLS: Readonly<Partial<Record<ToolKind, Tool>>> = {
  read: readTool,
  write: writeTool,
  edit: editTool,
  'multi-edit': multiEditTool,
  insert: insertTool,
  undo: undoTool,
  list: listTool,
  glob: globTool,
  grep: grepTool,
  shell: shellTool,
  'shell-output': jobOutputTool,
  'shell-kill': jobKillTool,
  todo: todoTool,
};

/** A call that only looks takes this long. */
const LOOK_MS = 20;

/** A session. */
export class SweSession implements EngineSession {
  private running = false;

  constructor(
    private readonly spec: SweSpec,
    private moment: Moment,
    private state: SweState,
  ) {}

  *run(action: ParsedAction, context: RunContext): EngineRun {
    if (this.running)
      throw new EngineError('a run of this session is not finished; finish it before starting another', {
        code: 'engine/bug',
      });
    this.running = true;
    const [moment, state] = [this.moment, this.state];
    try {
      const outcome = yield* this.step(action, context);
      if (outcome.answer === null) this.goBack(moment, state);
      return outcome;
    } catch (error) {
      this.goBack(moment, state);
      if (error instanceof NoAnswer) return error.outcome;
      throw error;
    } finally {
      this.running = false;
    }
  }

  private goBack(moment: Moment, state: SweState): void {
    this.moment = moment;
    this.state = state;
  }

  private *step(action: ParsedAction, context: RunContext): EngineRun {
    const profile = TOOL_PROFILES.find(({ name }) => name === this.spec.harness);
    const use = action.kind === 'tool-call' ? toolUseOf(action, profile) : null;
    const tool = use === null ? undefined : TOOLS[use.kind];
    if (action.kind !== 'tool-call' || use === null || tool === undefined)
      return refused(action, this.spec.harness);
    const missing = missingArgument(this.spec.harness, action);
    if (missing !== undefined) return refusedWith(missing);
    const op: Operation = { kind: 'tool.call', name: action.name, args: action.arguments };
    const before = yield { phase: 'before', op };
    if (before.do === 'abstain') return nothing(before);
    const delayMs = before.delayMs ?? 0;
    if (before.do === 'answer')
      return { status: 'ok', answer: before.answer, durationMs: delayMs, flags: [] };
    const bench = this.bench((context.nowMs + delayMs) * 1000, context.consult);
    const made = tool(new Call(action, use, bench, this.spec.harness));
    const said = 'text' in made ? made : yield* made;
    this.state = bench.state;
    const answer: Answer = { text: traced(said.text, 'computed'), isError: said.isError };
    const after = yield { phase: 'after', op, answer };
    if (after.do === 'abstain') return nothing(after);
    const durationMs = delayMs + (after.delayMs ?? 0) + Math.max(LOOK_MS, Math.ceil(bench.spentMs));
    return { status: 'ok', answer: after.do === 'answer' ? after.answer : answer, durationMs, flags: [] };
  }

  private bench(nowUs: number, consult: Consultant | undefined): Bench {
    const bench: Bench = {
      state: this.state,
      spentMs: 0,
      look: (read) => this.moment.look(replay, (live) => read(new MachineFiles(live))),
      work: (work) =>
        this.work({ kind: 'work', nowUs: Math.max(nowUs, this.moment.nowUs), work }, bench, consult),
    };
    return bench;
  }

  /** Does a piece of work as an event of the machine. */
  private *work(
    event: Extract<SessionEvent, { kind: 'work' }>,
    bench: Bench,
    consult: Consultant | undefined,
  ): Working<WorkResult> {
    const live = this.moment.take(replay);
    const recorded = consult === undefined ? undefined : recordConsult(consult);
    live.kernel.listenTo(recorded?.consultant ?? null);
    const replies: HostReply[] = [];
    const steps = perform(live, event);
    let step = steps.next();
    while (step.done !== true) {
      if (step.value === null) {
        yield { phase: 'breath' };
        step = steps.next();
        continue;
      }
      const reply = yield step.value;
      if (reply.do === 'abstain') throw new NoAnswer(nothing(reply));
      replies.push(reply);
      step = steps.next(reply);
    }
    live.kernel.listenTo(null);
    const [crash] = live.kernel.crashes;
    if (crash !== undefined) {
      const reason = `a program broke inside (${crash.split('\n')[0] ?? ''}); the state is as before`;
      throw new NoAnswer({
        status: 'abstained',
        answer: null,
        reason,
        durationMs: 0,
        flags: ['program-crash'],
      });
    }
    const result = live.lastWork;
    const consulted = recorded?.log();
    const logged: LoggedEvent = { event, replies, ...(consulted !== undefined && { consulted }) };
    this.moment = this.moment.next(live, logged);
    if (result === null) throw new EngineError('work on the machine left nothing', { code: 'engine/bug' });
    bench.spentMs += result.durationMs;
    return result;
  }

  absorb(action: ParsedAction, observation: string): AbsorbReport {
    const profile = TOOL_PROFILES.find(({ name }) => name === this.spec.harness);
    const use = action.kind === 'tool-call' ? toolUseOf(action, profile) : null;
    const path = use?.fields.path;
    if (use === null || typeof path !== 'string') return { absorbed: 0, conflicts: [] };
    const full = path.startsWith('/') ? path : `${this.state.folder}/${path}`;
    const text =
      use.kind === 'write' && typeof use.fields.content === 'string'
        ? use.fields.content
        : use.kind === 'read'
          ? shownText(observation)
          : undefined;
    if (text === undefined) return { absorbed: 0, conflicts: [] };
    this.alone({ kind: 'foreign', changes: [{ path: full, how: 'write', text }] });
    this.state = { ...this.state, known: { ...this.state.known, [full]: text } };
    return { absorbed: 1, conflicts: [] };
  }

  advance(context: RunContext): boolean {
    if (!this.moment.isBusy || this.moment.nowUs >= context.nowMs * 1000) return false;
    this.alone({ kind: 'time', nowUs: context.nowMs * 1000 });
    return true;
  }

  /** Lives through an event with a Host that knows nothing. */
  private alone(event: SessionEvent): void {
    const live = this.moment.take(replay);
    const logged: LoggedEvent = { event, replies: [] };
    replay(live, logged);
    this.moment = this.moment.next(live, logged);
  }

  change(changes: readonly ForeignChange[]): Result<readonly FaultedRow[], string> {
    const inner = new ShellSession(this.moment);
    const result = inner.change(changes);
    this.moment = inner.now;
    return result;
  }

  jumpClock(jumpMs: number): void {
    this.alone({ kind: 'jump', us: Math.round(jumpMs * 1000) });
  }

  caller(): JsonObject {
    return { user: this.spec.machine.user.name };
  }

  view(): Json {
    const view = new ShellSession(this.moment).view();
    const base = isJsonObject(view) ? view : {};
    return { ...base, harness: this.spec.harness, cwd: this.state.folder, todos: this.state.todos };
  }

  actionSpace(): Json {
    return harnessTools(this.spec.harness) as unknown as Json;
  }

  command(line: string): { readonly exitCode: number; readonly stdout: string } | null {
    return new ShellSession(this.moment).command(line);
  }

  snapshot(): Uint8Array {
    const state = JSON.stringify(this.state);
    const head = new TextEncoder().encode(
      `${JSON.stringify({ format: 'umwelt-swe', version: 1, harness: this.spec.harness, checksum: checksum(state) })}\n${state}\n`,
    );
    const moment = encodeMoment(this.moment);
    const bytes = new Uint8Array(head.length + moment.length);
    bytes.set(head);
    bytes.set(moment, head.length);
    return bytes;
  }

  fork(): EngineSession {
    return new SweSession(this.spec, this.moment, this.state);
  }
}

/** A file's text from lines with numbers; undefined for anything else. */
function shownText(observation: string): string | undefined {
  const lines = observation.replace(/\n\n<system-reminder>[\s\S]*$/, '').split('\n');
  const read = lines.map((line) => /^ *\d+[→\t](.*)$/.exec(line)?.[1]);
  const [first] = lines;
  if (first === undefined || !/^ *1[→\t]/.test(first) || read.some((line) => line === undefined))
    return undefined;
  return read.join('\n');
}

function missingArgument(harness: string, action: ToolCall): string | undefined {
  const definition = harnessTools(harness).find(({ name }) => name === action.name);
  const schema = definition?.inputSchema as { required?: readonly string[] } | undefined;
  const missing = (schema?.required ?? []).filter((name) => action.arguments[name] === undefined);
  if (missing.length === 0) return undefined;
  const [name] = missing;
  if (harness === 'claude-code')
    return `<tool_use_error>InputValidationError: ${action.name} failed due to the following issue${missing.length === 1 ? '' : 's'}:\n${missing.map((one) => `The required parameter \`${one}\` is missing`).join('\n')}</tool_use_error>`;
  if (harness === 'gemini-cli') return `params must have required property '${name}'`;
  return `Parameter \`${name}\` is required for command: ${String(action.arguments.command ?? action.name)}.`;
}

function refused(action: ParsedAction, harness: string): EngineOutcome {
  const name = action.kind === 'tool-call' ? action.name : action.kind;
  const text =
    harness === 'claude-code'
      ? `<tool_use_error>Error: No such tool available: ${name}</tool_use_error>`
      : `Tool "${name}" not found in registry.`;
  return refusedWith(text, `the harness ${harness} has no tool '${name}' here`);
}

function refusedWith(text: string, reason = text): EngineOutcome {
  return {
    status: 'refused',
    answer: { text: traced(text, 'computed'), isError: true },
    reason,
    durationMs: 0,
    flags: [],
  };
}

function nothing({ status, reason }: Extract<HostReply, { do: 'abstain' }>): EngineOutcome {
  return { status, answer: null, reason, durationMs: 0, flags: [] };
}
