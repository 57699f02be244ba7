/**
 * The Host of one step: decides what becomes of each operation.
 *
 * Order: faults before → a recorded answer, where the recording determines it → engine → faults after. What the engine
 * cannot compute: the ledger, then what was recorded for the very same call, then the model as the route says (with
 * the pinned facts of this call as placeholders), then the engine's filler unless the world is strict, then the facts
 * alone, else nobody knows. Facts are appended once per call. A host lives for one step; what it changed is in its
 * public fields and counts only if the step does.
 */
import {
  type DeferredFault,
  type FaultCounters,
  type FaultDecision,
  type FaultPhase,
  pretendsFault,
  type ServiceRefusal,
} from '../control/index.js';
import {
  type Answer,
  type AppliedFault,
  type Consultant,
  type EngineSession,
  type Host,
  type HostReply,
  type InapplicableFault,
  isJsonObject,
  type JsonObject,
  LIMITS,
  type Operation,
  traced,
} from '../core/index.js';
import type { ErrorBody } from '../domains/index.js';
import type { ModelRecord } from '../model/index.js';
import { type TriedCall, type TriedDraft, tryDraft } from './computed-refusal.js';
import { createConsultant } from './consultant.js';
import type { EpisodeSetup } from './episode-setup.js';
import { clockText, type EpisodeState } from './episode-state.js';
import { sayFault } from './fault-in-words.js';
import type { CheckedShare } from './guard/checked-share.js';
import type { GuardCheck, GuardContext } from './guard/finding.js';
import { isSpeakable } from './guard/guard.js';
import { type Ledger, operationKey } from './ledger.js';
import { askModel, type ModelReply } from './model-answer.js';
import { type AskedOperation, guardContextOf, questionAbout } from './operation-question.js';
import { appendFacts, type PinnedFact } from './pinned-facts.js';
import { runPlainly } from './plain-run.js';
import type { RecordedMatch, RecordedProgress } from './recorded-answers.js';
import { whyUnknown } from './why-unknown.js';
import type { Question } from './world-prompt.js';

const PROCEED: { readonly do: 'proceed' } = { do: 'proceed' };
/** The revision of answers whose key tells the state. */
const MARKED = -1;
const WRITES: ReadonlySet<string> = new Set(['data.write', 'file.write', 'proc.start', 'http.request']);

/** Decides the operations of one step. Make a new one for each step. */
export class WorldHost implements Host {
  /** The schedule's counters after what happened so far. */
  counters: FaultCounters;
  /** Faults that struck, in order. */
  readonly applied: AppliedFault[] = [];
  /** Faults that fired and had nothing to work on. */
  readonly skipped: InapplicableFault[] = [];
  /** Faults on the call's write, to be carried out when the call has ended. */
  readonly deferred: DeferredFault[] = [];
  /** Arguments of the call that only the changed list of tools knows. */
  extra: JsonObject = {};
  /** What the call really answered, before any fault changed or lost it. */
  truth: Answer | null = null;
  /** What the call has written so far will be kept. */
  keepsWrite = false;
  /** Marks for the turn. */
  readonly flags = new Set<string>();
  /** What the model said, for replays. */
  readonly records: ModelRecord[] = [];
  /** The model's thinking, joined by newlines; never shown to an agent. */
  thinking: string | null = null;
  /** Tokens that the model reported. */
  tokens = 0;
  /** Something was written. */
  wrote = false;
  /** The model authored the answer to the whole call in this step (not from the ledger). */
  authoredNow = false;
  /** What the guard found in the model's words of this step, and how often it was asked. */
  readonly guarded: { readonly check: GuardCheck; readonly problem: string }[] = [];
  /** How often the model was asked in this step. */
  attempts = 0;
  /** What the guard confirmed of the model's words in this step. */
  readonly shares: CheckedShare[] = [];
  /** The engine's own state after this call, where the model's words say what the engine computed. */
  computedSession: EngineSession | null = null;
  /** The recorded answer that was given, or null. */
  recordedIndex: number | null = null;
  /** Whether the tool answered, went wrong, or did neither yet. */
  answered: 'ok' | 'error' | null = null;
  /** The call was answered with filler, and the real tool may have changed something. */
  private isInvented = false;
  /** Collections that the engine itself wrote to. */
  readonly written = new Set<string>();
  /** The token budget stopped this step. */
  outOfTokens = false;
  private readonly authored: (readonly [key: string, answer: Answer, isMarked: boolean])[] = [];
  private readonly revealed = new Set<PinnedFact>();
  private operations = 0;

  constructor(
    private readonly setup: EpisodeSetup,
    private readonly state: EpisodeState,
    /** The session that runs now; only its view is read. */
    private readonly session: EngineSession,
  ) {
    this.counters = state.faults;
  }

  /** The call of this step as the agent gave it: recorded answers are found by it. */
  call: TriedCall | undefined;
  /** The action of this step as the agent sent it. */
  action = '';
  private draft: TriedDraft | null | undefined;

  /** Faults before the operation; then, on the route `model`, the model's answer in the engine's place. */
  before(op: Operation): HostReply | Promise<HostReply> {
    if (++this.operations > LIMITS.operationsPerStep) return tooMany(op);
    const fault = this.fault(op, 'before');
    if (fault?.ended === true) {
      if (op.kind !== 'tool.item') this.keepsWrite = false;
      return this.inWords(op, fault);
    }
    if (fault !== null) return this.route(op, fault.reply);
    return this.route(op, PROCEED);
  }

  private route(op: Operation, reply: HostReply): HostReply | Promise<HostReply> {
    const delayMs = reply.do === 'proceed' ? (reply.delayMs ?? 0) : 0;
    if (op.kind !== 'tool.call') return reply;
    if (this.setup.route !== 'model') {
      const recorded = this.fromRecording(op);
      return recorded.do === 'proceed' ? reply : later(recorded, delayMs);
    }
    return this.fromModel(op).then((said) => later(this.afterReply(op, said), delayMs));
  }

  /** Faults after the operation, and the facts that this call reveals. */
  after(op: Operation, answer: Answer): HostReply {
    if (op.kind === 'tool.call') this.answered = answer.isError ? 'error' : 'ok';
    if (op.kind === 'proc.start' && answer.isError) this.refusedEffects(answer);
    if (WRITES.has(op.kind)) {
      this.wrote = true;
      this.keepsWrite = true;
      if (op.target !== undefined) this.written.add(op.target);
    }
    if (op.kind === 'tool.call') {
      this.truth = answer;
      if (answer.isError) this.keepsWrite = false;
    }
    const facts = answer.isError ? [] : this.factsOf(op).filter((fact) => !this.revealed.has(fact));
    const finish = (altered: Answer): Answer => (facts.length === 0 ? altered : appendFacts(altered, facts));
    const fault = this.fault(op, 'after', { answer, finish });
    if (fault?.ended === true) {
      // The agent does not see this call's answer, so nothing was revealed by it.
      if (op.kind === 'tool.call') this.revealed.clear();
      return fault.reply;
    }
    if (facts.length === 0 && fault === null) return PROCEED;
    for (const fact of facts) this.revealed.add(fact);
    if (fault === null) return { do: 'answer', answer: finish(answer) };
    if (fault.reply.do === 'answer') this.hideFacts(fault.reply.answer.text.text);
    return fault.reply;
  }

  /** A program claimed effects that the machine does not allow; it failed in the machine's words instead. */
  private refusedEffects({ text }: Answer): void {
    this.flags.add('guard:effects');
    this.guarded.push({ check: 'effects', problem: text.text });
  }

  /** Facts that a fault took out of the answer were not revealed by it. */
  private hideFacts(shown: string): void {
    for (const fact of this.revealed) {
      const written = JSON.stringify(fact.text).slice(1, -1);
      if (!shown.includes(fact.text) && !shown.includes(written)) this.revealed.delete(fact);
    }
  }

  /** Who decides starts of programs, reads and writes of files inside an action; undefined where no fault looks at any. */
  consultant(): Consultant | undefined {
    const { applied, skipped } = this;
    return createConsultant(this.setup.schedule, {
      applied,
      skipped,
      counters: () => this.counters,
      decide: (op, phase, seen) => this.fault(op, phase, seen),
    });
  }

  /** Answers what the engine cannot compute. */
  unknown(op: Operation, fallback: Answer | undefined): HostReply | Promise<HostReply> {
    if (++this.operations > LIMITS.operationsPerStep) return tooMany(op);
    const known = this.known(op);
    if (known !== undefined) return this.remembered(op, known);
    const recalled = this.recalled(op);
    if (recalled !== undefined) return recalled;
    const { route, model, world } = this.setup;
    if (route !== 'engine' && model !== undefined && !world.file.strict) return this.fromModel(op);
    if (fallback === undefined || world.file.strict) return this.fromFacts(op);
    const tool = this.setup.tools.get(this.call?.name ?? '');
    const hints = isJsonObject(tool) && isJsonObject(tool.annotations) ? tool.annotations : {};
    // Filler says nothing of what the real tool would have changed.
    this.isInvented = hints.readOnlyHint !== true;
    // Filler is made from the seed and the turn; remembered, it stays the same while the state does.
    this.authored.push([operationKey(op), fallback, op.stateMark !== undefined]);
    return PROCEED;
  }

  /**
   * The ledger after this step. Answers hold for the revision they were given over, so one that changed the state
   * itself (a second `create` is not the first) is not given again.
   */
  ledgerAfter(): Ledger {
    let { ledger } = this.state;
    const { revision } = this.state;
    const turn = this.state.turns.length + 1;
    for (const fact of this.revealed) ledger = ledger.reveal(fact.id, turn);
    for (const [key, answer, marked] of this.authored)
      ledger = ledger.author(key, { answer, turn, revision: marked ? MARKED : revision });
    return ledger;
  }

  /** The recorded answer to a call that the world refuses by itself, where the recording determines it. */
  recordedRefusal(): Answer | undefined {
    const found = this.recordedMatch();
    if (found === undefined) return undefined;
    this.recordedIndex = found.index;
    return found.answer;
  }

  /** How far the recording is used after this step. */
  recordedAfter(): RecordedProgress {
    const { recorded } = this.setup;
    let progress = this.state.recorded;
    if (recorded.size === 0) return progress;
    if (this.recordedIndex !== null) return recorded.after(progress, this.recordedIndex);
    // Where the engine knows less of a tool than the recording showed, what depends on it is not determined either.
    const changed = this.answered === 'ok' ? recorded.changedBy(this.call?.name ?? '') : [];
    const doubted = this.isInvented ? recorded.doubtedAfter(this.call?.name ?? '') : [];
    for (const name of new Set([...this.written, ...changed, ...doubted]))
      progress = progress.write(name, null);
    return progress;
  }

  private recordedMatch(): RecordedMatch | undefined {
    const { call } = this;
    const { recorded } = this.setup;
    if (call === undefined || recorded.size === 0) return undefined;
    return recorded.find(call.name, call.arguments, this.state.recorded);
  }

  private fromRecording(op: Operation): HostReply {
    const found = this.recordedMatch();
    if (found === undefined) return PROCEED;
    this.recordedIndex = found.index;
    this.wrote ||= found.answer.effects !== undefined;
    this.keepsWrite = this.wrote;
    const { effects, effectsOrigin } = found.answer;
    const reply = this.afterReply(op, { do: 'answer', answer: found.answer });
    if (effects === undefined || reply.do !== 'answer') return reply;
    // Also where a fault loses the answer, what the call did stands.
    return { ...reply, answer: { ...reply.answer, effects, effectsOrigin: effectsOrigin ?? 'recorded' } };
  }

  /** Nobody can compute this call: what the service said to it when it was recorded is nearer than any guess. */
  private recalled(op: Operation): HostReply | undefined {
    const { call } = this;
    const { recorded } = this.setup;
    if (op.kind !== 'tool.call' || call === undefined || recorded.size === 0) return undefined;
    const found = recorded.recall(call.name, call.arguments, this.state.recorded);
    if (found === undefined) return undefined;
    this.flags.add('recorded-again');
    return { do: 'answer', answer: found.answer };
  }

  private fault(
    op: Operation,
    phase: FaultPhase,
    seen: {
      readonly answer?: Answer;
      readonly wrote?: boolean;
      readonly finish?: (answer: Answer) => Answer;
    } = {},
  ): FaultDecision | null {
    const { schedule, spec } = this.setup;
    if (schedule.size === 0) return null;
    const { turns, nowMs, past } = this.state;
    const says = this.wordsFor(op);
    const decided = schedule.decide(
      op,
      {
        phase,
        turn: turns.length + 1,
        nowMs,
        elapsedMs: nowMs - spec.startMs,
        wrote: this.wrote,
        extra: this.extra,
        ...seen,
        ...(says !== undefined && { says }),
        ...(past.length > 0 &&
          op.kind === 'tool.call' && { past: (back: number) => this.pastAnswer(op, back) }),
      },
      this.counters,
    );
    this.counters = decided.counters;
    this.skipped.push(...decided.skipped);
    this.deferred.push(...decided.deferred);
    this.applied.push(...(decided.decision?.applied ?? []));
    return decided.decision;
  }

  /** How the service itself would refuse this operation. */
  private wordsFor(op: Operation): ((refusal: ServiceRefusal) => ErrorBody | undefined) | undefined {
    const { words } = this.setup;
    if (words === undefined || op.kind !== 'tool.call') return undefined;
    return (refusal) => {
      const session = this.session.caller();
      const args = isJsonObject(op.args) ? op.args : {};
      return words({ ...refusal, tool: op.name, args, session, clock: clockText(this.state.nowMs) });
    };
  }

  /** What the same call answers over the state of so many turns ago, or over the first one there is. */
  private pastAnswer(op: Operation, turns: number): Answer | undefined {
    const session = this.state.past.at(-turns) ?? this.state.past[0];
    if (session === undefined || !isJsonObject(op.args)) return undefined;
    const context = { nowMs: this.state.nowMs, turn: this.state.turns.length + 1 };
    const call = { kind: 'tool-call', name: op.name, arguments: op.args } as const;
    return runPlainly(session.fork(), call, context).answer ?? undefined;
  }

  /** On the route `model` the engine does nothing, so faults after and facts are decided here. */
  private afterReply(op: Operation, reply: HostReply): HostReply {
    if (reply.do !== 'answer') return reply;
    const after = this.after(op, reply.answer);
    return after.do === 'proceed' ? reply : after;
  }

  private factsOf(op: Operation): readonly PinnedFact[] {
    return this.setup.facts.filter((fact) => fact.matches(op));
  }

  /** The answer that was given to the same operation over the same state, in this step or before. */
  private known(op: Operation): Answer | undefined {
    const key = operationKey(op);
    // A mark tells the state itself, so it holds whatever was written meanwhile.
    if (op.stateMark !== undefined) {
      const here = this.authored.find(([one]) => one === key);
      return here?.[1] ?? this.state.ledger.find(key, MARKED);
    }
    return this.wrote ? undefined : this.state.ledger.find(key, this.state.revision);
  }

  /** An answer given before, kept with its origins. */
  private remembered(op: Operation, answer: Answer): HostReply {
    const shown = new Set(answer.text.origins.map((span) => span.ref));
    for (const fact of this.factsOf(op)) if (shown.has(fact.id)) this.revealed.add(fact);
    return { do: 'answer', answer };
  }

  private fromFacts(op: Operation): HostReply {
    const facts = this.factsOf(op);
    if (facts.length > 0) {
      for (const fact of facts) this.revealed.add(fact);
      return { do: 'answer', answer: appendFacts({ text: traced('', 'pinned'), isError: false }, facts) };
    }
    const reason = whyUnknown(op, this.setup.world.file.strict === true);
    return { do: 'abstain', status: 'abstained', reason };
  }

  private async fromModel(op: Operation): Promise<HostReply> {
    const { setup, state } = this;
    const { model, budget } = setup;
    const known = this.known(op);
    if (known !== undefined) return this.remembered(op, known);
    if (model === undefined || setup.world.file.strict) return this.fromFacts(op);
    if (budget.maxTokens !== null && state.tokens + this.tokens >= budget.maxTokens) {
      this.outOfTokens = true;
      const reason = `the model has used ${state.tokens + this.tokens} of ${budget.maxTokens} tokens (budget maxTokens)`;
      return { do: 'abstain', status: 'limit', reason };
    }
    const draft = this.draftOf(op);
    const reply = await askModel({
      setup,
      model,
      question: this.questionOf(op),
      guard: {
        context: this.guardContext(op),
        tool: setup.tools.get(op.name),
        allowedFacts: this.factsOf(op),
        outputFits: setup.outputCheck(op.name),
        refusal: draft?.refusal,
        draft: draft?.draft,
        frame: draft?.frame,
      },
      seed: setup.seed,
    });
    return this.take(op, reply);
  }

  private asked(op: Operation): AskedOperation {
    const { setup, state, session, action } = this;
    const draft = this.draftOf(op)?.draft?.answer.text.text;
    return { op, setup, state, session, action, draft };
  }

  private questionOf(op: Operation): Question {
    return questionAbout(this.asked(op), this.factsOf(op));
  }

  private guardContext(op: Operation): GuardContext {
    return guardContextOf(this.asked(op));
  }

  /** A model that answers every call also says the failures, as far as it does. */
  private inWords(op: Operation, { applied, reply }: FaultDecision): HostReply | Promise<HostReply> {
    const { setup, state } = this;
    const { model, route, budget } = setup;
    const kind = setup.schedule.faults[applied.at(-1)?.index ?? -1]?.kind;
    if (route !== 'model' || model === undefined || kind === undefined || reply.do !== 'answer') return reply;
    const spent = budget.maxTokens !== null && state.tokens + this.tokens >= budget.maxTokens;
    if (op.kind !== 'tool.call' || spent) return reply;
    const due = { kind, text: reply.answer.text.text };
    const question = this.questionOf(op);
    const context = this.guardContext(op);
    const isFine = (words: string): boolean => isSpeakable(words, context);
    return sayFault({ setup, model, question, due, own: reply.answer, seed: setup.seed, isFine }).then(
      (said) => {
        this.records.push(said.record);
        this.tokens += said.tokens ?? 0;
        if (said.tokens === null && budget.maxTokens !== null) this.flags.add('usage-unknown');
        if (said.thinking !== null) this.thinking = said.thinking;
        if (!said.followed) this.flags.add('fault-enforced');
        return { ...reply, answer: said.answer };
      },
    );
  }

  /** On the route `model` the engine has not tried the call yet; what it can compute of it holds. */
  private draftOf(op: Operation): TriedDraft | null {
    const { setup, session, state } = this;
    if (this.draft !== undefined) return this.draft;
    const isTried = setup.route === 'model' && op.kind === 'tool.call' && isJsonObject(op.args);
    const context = { nowMs: state.nowMs, turn: state.turns.length + 1 };
    this.draft = isTried
      ? tryDraft(session, { name: op.name, arguments: op.args as JsonObject }, context)
      : null;
    return this.draft;
  }

  private take(op: Operation, reply: ModelReply): HostReply {
    this.records.push(...reply.records);
    this.tokens += reply.tokens ?? 0;
    // A budget that cannot be held has to be seen.
    if (reply.tokens === null && this.setup.budget.maxTokens !== null) this.flags.add('usage-unknown');
    this.attempts += reply.attempts;
    if (reply.thinking !== null) {
      this.thinking = this.thinking === null ? reply.thinking : `${this.thinking}\n${reply.thinking}`;
    }
    if (!reply.result.ok) {
      const reason = `the model gave no usable answer to '${op.name}': ${reply.result.error}`;
      return { do: 'abstain', status: 'model-failed', reason };
    }
    const { answer, used, flags, findings, share, isDrafts } = reply.result.value;
    for (const flag of flags) this.flags.add(flag);
    this.guarded.push(...findings.map(({ check, problem }) => ({ check, problem })));
    this.shares.push(share);
    // Nothing is due here, or it would have been said: a failure of the service is the model's own invention.
    if (!answer.isError && pretendsFault(answer.text.text)) this.flags.add('unscheduled-fault');
    for (const fact of used) this.revealed.add(fact);
    this.authored.push([operationKey(op), answer, op.stateMark !== undefined]);
    if (op.kind === 'tool.call') {
      this.authoredNow = true;
      if (isDrafts) this.computedSession = this.draftOf(op)?.session ?? null;
      // What a call that only repeats the draft changed is a change as well.
      if (this.computedSession !== null && this.draftOf(op)?.draft?.wrote === true) {
        this.wrote = true;
        this.keepsWrite = true;
      }
    } else if (WRITES.has(op.kind)) this.wrote = true;
    return { do: 'answer', answer };
  }
}

function later(reply: HostReply, delayMs: number): HostReply {
  if (delayMs === 0 || reply.do === 'abstain') return reply;
  return { ...reply, delayMs: delayMs + (reply.delayMs ?? 0) };
}

function tooMany(op: Operation): HostReply {
  const reason = `the step passed ${LIMITS.operationsPerStep} operations at '${op.name}' (limit operationsPerStep)`;
  return { do: 'abstain', status: 'limit', reason };
}
