/**
 * A session of a terminal world: keystrokes in, the visible screen out.
 *
 * An action is one operation `tool.call terminal` for the Host, so faults and facts meet it as they meet any call;
 * inside, programs that nobody can compute ask for themselves. A step without an observation leaves the moment as it was.
 */
import {
  type AbsorbContext,
  type AbsorbReport,
  type Answer,
  type Consultant,
  EngineError,
  type EngineOutcome,
  type EngineRun,
  type EngineSession,
  type FaultedRow,
  type ForeignChange,
  type HostCall,
  type HostReply,
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  ok,
  type ParsedAction,
  type Result,
  type RunContext,
  type Span,
  type ToolCall,
  type TracedText,
  traced,
} from '../../../core/index.js';
import { keyBatches, keystrokesToInput, TERMINAL_TOOL } from '../../../domains/index.js';
import type { Program } from '../kernel/index.js';
import { runProgram } from '../machine/index.js';
import { readShown } from './absorb-screen.js';
import { recordConsult } from './consult-log.js';
import { readForeignChanges } from './foreign-change.js';
import { machineView } from './machine-view.js';
import type { LoggedEvent, Moment, SessionEvent, TypedBatch } from './moment.js';
import { perform, replay } from './perform.js';
import { encodeMoment } from './snapshot.js';
import { TERMINAL_DEFINITION } from './terminal-tool.js';

/** What the first `[]` answers. */
const CONFIRM = 'You say that the task is done. Send [] once more to confirm and end, or go on working.';

/** Virtual time that a verifier's command may take. */
const COMMAND_MS = 60_000;

type Abstained = Extract<HostReply, { do: 'abstain' }>;

/** A session. */
export class ShellSession implements EngineSession {
  private running = false;
  private viewed: { readonly moment: Moment; readonly view: Json } | null = null;

  constructor(private moment: Moment) {}

  /** Where the session stands. */
  get now(): Moment {
    return this.moment;
  }

  *run(action: ParsedAction, context: RunContext): EngineRun {
    if (this.running) {
      throw new EngineError('a run of this session is not finished; finish it before starting another', {
        code: 'engine/bug',
      });
    }
    this.running = true;
    try {
      return yield* this.step(action, context);
    } finally {
      this.running = false;
    }
  }

  private *step(action: ParsedAction, context: RunContext): EngineRun {
    if (action.kind !== 'tool-call' || action.name !== TERMINAL_TOOL) return refused(action);
    const op: Operation = { kind: 'tool.call', name: TERMINAL_TOOL, args: action.arguments };
    const before = yield { phase: 'before', op };
    if (before.do === 'abstain') return nothing(before);
    const delayMs = before.delayMs ?? 0;
    if (before.do === 'answer') return said(before.answer, delayMs);
    const batches = typedBatches(action);
    const flags: string[] = [];
    const start = this.moment;
    if (batches.length > 0) {
      const event: SessionEvent = { kind: 'keys', nowUs: (context.nowMs + delayMs) * 1000, batches };
      const ended = yield* this.live(event, context.consult);
      if (ended !== null) return ended;
      if (!this.moment.hasShell) flags.push('shell-ended');
    }
    const text = batches.length === 0 ? traced(CONFIRM, 'computed') : tracedScreen(this.moment);
    const answer: Answer = { text, isError: false };
    const after = yield { phase: 'after', op, answer };
    if (after.do === 'abstain') {
      this.moment = start;
      return nothing(after);
    }
    const durationMs = delayMs + (after.delayMs ?? 0) + batches.reduce((sum, { us }) => sum + us, 0) / 1000;
    return { status: 'ok', answer: after.do === 'answer' ? after.answer : answer, durationMs, flags };
  }

  /** Lives through an event; an outcome where nobody could answer, and then nothing happened. */
  private *live(
    event: SessionEvent,
    consult: Consultant | undefined,
  ): Generator<HostCall, EngineOutcome | null, HostReply> {
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
      if (reply.do === 'abstain') return nothing(reply);
      replies.push(reply);
      step = steps.next(reply);
    }
    live.kernel.listenTo(null);
    const [crash] = live.kernel.crashes;
    if (crash !== undefined) {
      const reason = `a program broke inside (${crash.split('\n')[0] ?? ''}); the state is as before`;
      return { status: 'abstained', answer: null, reason, durationMs: 0, flags: ['program-crash'] };
    }
    const consulted = recorded?.log();
    this.moment = this.moment.next(live, { event, replies, ...(consulted !== undefined && { consulted }) });
    return null;
  }

  absorb(action: ParsedAction, observation: string, context: AbsorbContext): AbsorbReport {
    if (action.kind !== 'tool-call') return { absorbed: 0, conflicts: [] };
    const isGuess = context.origin === 'predicted';
    const read = readShown(action, observation, this.moment.origin.spec);
    const shown = isGuess ? { ...read, isGuess } : read;
    const event: SessionEvent = {
      kind: 'absorb',
      nowUs: context.nowMs * 1000,
      batches: typedBatches(action),
      shown,
    };
    this.alone(event);
    const absorbed =
      1 + Object.keys(shown.files).length + shown.folders.length + (shown.cwd === undefined ? 0 : 1);
    return { absorbed, conflicts: isGuess ? this.conflictsWith(shown.files) : [] };
  }

  /** Files that a guess showed with another text than they have. */
  private conflictsWith(files: Readonly<Record<string, string>>): readonly string[] {
    const view = this.view();
    const known = isJsonObject(view) && isJsonObject(view.files) ? view.files : {};
    return Object.entries(files).flatMap(([path, text]) => {
      const has = known[path];
      return typeof has === 'string' && has.trimEnd() !== text.trimEnd()
        ? [`the text of ${path} is another there; the machine keeps its own`]
        : [];
    });
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
    const read = this.moment.look(replay, (live) => readForeignChanges(changes, live));
    if (!read.ok) return read;
    this.alone({ kind: 'foreign', changes: read.value });
    return ok(changes.map(({ change, row }) => ({ collection: 'files', key: String(row.path), change })));
  }

  jumpClock(jumpMs: number): void {
    this.alone({ kind: 'jump', us: Math.round(jumpMs * 1000) });
  }

  caller(): JsonObject {
    return { user: this.moment.origin.spec.user.name };
  }

  view(): Json {
    if (this.viewed?.moment === this.moment) return this.viewed.view;
    const view = this.moment.look(replay, machineView);
    this.viewed = { moment: this.moment, view };
    return view;
  }

  actionSpace(): Json {
    return [TERMINAL_DEFINITION] as unknown as Json;
  }

  command(line: string): { readonly exitCode: number; readonly stdout: string } | null {
    const machine = this.moment.copy(replay).machine;
    const program: Program = function* (proc) {
      return yield* proc.exec('/bin/bash', ['bash', '-c', line]);
    };
    const { exitCode, stdout, isCut } = runProgram(machine, {
      program,
      argv: ['bash'],
      limits: { maxMs: COMMAND_MS },
    });
    return isCut ? null : { exitCode, stdout };
  }

  snapshot(): Uint8Array {
    return encodeMoment(this.moment);
  }

  fork(): EngineSession {
    return new ShellSession(this.moment);
  }
}

function typedBatches(action: ToolCall): TypedBatch[] {
  return keyBatches(action).map((one) => ({
    input: keystrokesToInput(one.keystrokes),
    us: Math.round(one.duration * 1e6),
  }));
}

function refused(action: ParsedAction): EngineOutcome {
  const name = action.kind === 'tool-call' ? action.name : action.kind;
  const reason = `a terminal knows keystrokes only, not '${name}'`;
  return {
    status: 'refused',
    answer: { text: traced(reason, 'computed'), isError: true },
    reason,
    durationMs: 0,
    flags: [],
  };
}

function nothing({ status, reason }: Abstained): EngineOutcome {
  return { status, answer: null, reason, durationMs: 0, flags: [] };
}

function said(answer: Answer, delayMs: number): EngineOutcome {
  return { status: 'ok', answer, durationMs: delayMs, flags: [] };
}

/** The visible screen; rows that a model or a fault said are marked. */
function tracedScreen(moment: Moment): TracedText {
  const { screenText, marked } = moment;
  if (marked.size === 0 || screenText === '') return traced(screenText, 'computed');
  const origins: Span[] = [];
  let at = 0;
  for (const row of screenText.split('\n')) {
    const end = Math.min(screenText.length, at + row.length + 1);
    const origin = marked.get(row) ?? ('computed' as const);
    const last = origins.at(-1);
    if (last?.origin === origin) origins[origins.length - 1] = { ...last, end };
    else if (end > at) origins.push({ start: at, end, origin });
    at = end;
  }
  return { text: screenText, origins };
}
