/**
 * One step of an episode: from an action's text to the next state and what the agent sees.
 *
 * parse → refuse → run the engine through the Host → append one turn with its spans. The old state is left as it
 * is; a step without an observation keeps the old session, ledger, fault counters and clock, and adds only its turn
 * and the tokens it used. Source: architecture, "one step, told as a sentence".
 */
import {
  type Action,
  type Answer,
  type AppliedFault,
  EngineError,
  type EngineOutcome,
  type EngineSession,
  isNullStatus,
  type JsonObject,
  LIMITS,
  type ParsedAction,
  type StepResult,
  type ToolCall,
  type Turn,
  traced,
  UsageError,
} from '../core/index.js';
import { beginNextTurn, upToTime } from './begin-turn.js';
import { driveRun } from './drive-run.js';
import type { EpisodeSetup } from './episode-setup.js';
import { clockText, type EndReason, type EpisodeState, NOTHING_BEGUN } from './episode-state.js';
import { findTool } from './find-tool.js';
import { type CheckedShare, fractionOf, shareOf } from './guard/checked-share.js';
import { scoreEpisode } from './score-episode.js';
import { type EndedCall, settleFault } from './settle-faults.js';
import { WorldHost } from './world-host.js';

/** What a step made: the next state, its turn as recorded, and what the caller gets. */
export interface Stepped {
  readonly state: EpisodeState;
  readonly turn: Turn;
  readonly result: StepResult;
}

/** Runs one step. Rejects with `engine/bug` when the engine or a model adapter raises; the state is then as before. */
export async function runStep(setup: EpisodeSetup, state: EpisodeState, action: Action): Promise<Stepped> {
  if (typeof action !== 'string') {
    throw new UsageError(`an action is a text; this one is of type ${typeof action}. Send its JSON as text`, {
      code: 'usage/bad-argument',
    });
  }
  const tooLong = overLimit(action, LIMITS.actionBytes);
  if (tooLong !== null) {
    const reason = `the action has ${tooLong} bytes; the limit is ${LIMITS.actionBytes} (limit actionBytes)`;
    const outcome = { ...nothing('limit', reason), flags: ['action-cut'] };
    return close(setup, state, { action: action.slice(0, 1_000), outcome });
  }
  const parsed = setup.format.parseAction(action);
  if (parsed.kind === 'finish') return runFinish(setup, state, { action, answer: parsed.answer });
  const ending = parsed.kind === 'tool-call' ? setup.format.ending?.(parsed) : undefined;
  if (ending) return runFinish(setup, state, { action, answer: ending.answer });
  if (confirmsEnd(setup, state, parsed)) return runFinish(setup, state, { action, answer: null });
  if (parsed.kind === 'malformed') return close(setup, state, { action, outcome: malformed(parsed.reason) });
  return close(setup, state, { action, ...(await runEngine(setup, state, { sent: parsed, action })) });
}

/** True where the domain ends an episode by saying so twice, and this is the second time. */
function confirmsEnd({ format }: EpisodeSetup, state: EpisodeState, action: ParsedAction): boolean {
  const before = format.confirmsEnd === undefined ? undefined : state.turns.last(1)[0]?.action;
  return before !== undefined && format.confirmsEnd?.(action, format.parseAction(before)) === true;
}

/** Ends the episode with the agent's answer: one more turn, without an observation's words, and the score. */
export function runFinish(
  setup: EpisodeSetup,
  state: EpisodeState,
  finish: { readonly action: Action; readonly answer: string | null },
): Stepped {
  const answer: Answer = { text: traced('', 'computed'), isError: false };
  const outcome: EngineOutcome = { status: 'ok', answer, durationMs: 0, flags: [] };
  return close(setup, state, { action: finish.action, outcome, finish });
}

interface Ran {
  readonly action: Action;
  readonly outcome: EngineOutcome;
  readonly callId?: string | undefined;
  readonly session?: EngineSession;
  readonly host?: WorldHost;
  /** Faults of a call that never reached the engine. */
  readonly applied?: readonly AppliedFault[];
  readonly absorbed?: number;
  readonly finish?: { readonly answer: string | null };
}

async function runEngine(
  setup: EpisodeSetup,
  state: EpisodeState,
  { sent, action }: { readonly sent: ToolCall; readonly action: Action },
): Promise<Omit<Ran, 'action'>> {
  const found = findTool(setup, state, sent);
  if (found.refusal !== undefined) return { callId: sent.callId, ...found.refusal };
  const { parsed } = found;
  const session = state.session.fork();
  const host = new WorldHost(setup, state, session);
  host.call = parsed;
  host.action = action;
  host.extra = found.extra;
  const consult = host.consultant();
  const context = {
    nowMs: state.nowMs,
    turn: state.turns.length + 1,
    ...(consult !== undefined && { consult }),
  };
  try {
    const driven = await driveRun(session.run(parsed, context), host);
    const outcome = withinLimit(driven.status === 'refused' ? recordedRefusal(driven, host) : driven);
    let absorbed = 0;
    // A fault may have changed or lost the answer; what happened is what the model said.
    const said = host.truth ?? outcome.answer;
    // What a model authored enters the state, as far as the engine can read it. Where the engine wrote by itself,
    // taking in the words as well would carry the call out twice.
    const { computedSession } = host;
    if (
      computedSession === null &&
      host.authoredNow &&
      !host.wrote &&
      outcome.answer !== null &&
      said?.isError === false
    ) {
      const report = session.absorb(parsed, said.text.text, { ...context, origin: 'predicted' });
      absorbed = report.absorbed;
      if (report.conflicts.length > 0) host.flags.add('inconsistent');
    }
    const after = outcome.answer === null ? session : (computedSession?.fork() ?? session);
    const ended = { before: state.session, after, action: parsed, context };
    return { outcome, session: settleWrites(setup, host, ended), host, absorbed, callId: sent.callId };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError(`the step '${sent.name}' failed inside: ${reason}. The state is as before`, {
      code: 'engine/bug',
      cause,
    });
  }
}

/** A call that the world refuses by itself is refused in the words that were recorded, where there are some. */
function recordedRefusal(outcome: EngineOutcome, host: WorldHost): EngineOutcome {
  const answer = host.recordedRefusal();
  if (answer === undefined) return outcome;
  const { effects: _effects, effectsOrigin: _origin, ...said } = answer;
  return { ...outcome, status: said.isError ? 'refused' : 'ok', answer: said };
}

/** Faults on the call's write, one after another. */
function settleWrites(setup: EpisodeSetup, host: WorldHost, ended: EndedCall): EngineSession {
  let session = ended.after;
  for (const deferred of host.deferred) {
    const settled = settleFault(deferred, { ...ended, after: session });
    session = settled.session;
    if (settled.skipped !== undefined) host.skipped.push(settled.skipped);
    if (settled.applied === undefined || ended.action.kind !== 'tool-call') continue;
    host.applied.push(settled.applied);
    host.counters = setup.schedule.settle(host.counters, deferred, ended.action);
  }
  return session;
}

function withinLimit(outcome: EngineOutcome): EngineOutcome {
  const over = outcome.answer === null ? null : overLimit(outcome.answer.text.text, LIMITS.observationBytes);
  if (over === null) return outcome;
  const reason = `the observation has ${over} bytes; the limit is ${LIMITS.observationBytes} (limit observationBytes)`;
  return nothing('limit', reason);
}

function overLimit(text: string, limitBytes: number): number | null {
  // A UTF-16 unit is at most three UTF-8 bytes, so most texts need no counting.
  if (text.length * 3 <= limitBytes) return null;
  const bytes = new TextEncoder().encode(text).length;
  return bytes > limitBytes ? bytes : null;
}

function nothing(status: 'limit', reason: string): EngineOutcome {
  return { status, answer: null, reason, durationMs: 0, flags: [] };
}

function malformed(reason: string): EngineOutcome {
  const answer: Answer = { text: traced(`Error: ${reason}`, 'computed'), isError: true };
  return { status: 'malformed', answer, reason, durationMs: 0, flags: [] };
}

/** Makes the next state, the turn and the result out of what ran. */
function close(setup: EpisodeSetup, state: EpisodeState, ran: Ran): Stepped {
  const { outcome, host } = ran;
  const turn = turnOf(state, ran);
  const kept = isNullStatus(outcome.status) ? {} : changes(state, ran);
  const next: EpisodeState = {
    ...state,
    ...kept,
    turns: state.turns.append(turn),
    begun: NOTHING_BEGUN,
    past: pastAfter(setup, state),
    waitedMs: 0,
    tokens: state.tokens + (host?.tokens ?? 0),
  };
  const reason = endReason(setup, next, ran);
  const answer = ran.finish?.answer ?? null;
  const ended =
    reason === null ? beginNextTurn(setup, next) : endOf(setup, upToTime(next), { reason, answer });
  return { state: ended, turn, result: resultOf(ended, turn, ran) };
}

/** The ended episode, scored on the state at the time of its end. */
function endOf(
  setup: EpisodeSetup,
  state: EpisodeState,
  { reason, answer }: { readonly reason: EndReason; readonly answer: string | null },
): EpisodeState {
  return { ...state, end: { reason, answer, score: scoreEpisode(setup, state, answer) } };
}

/** The states before the last turns, this one included, as many as the faults look at. */
function pastAfter(setup: EpisodeSetup, state: EpisodeState): readonly EngineSession[] {
  const { pastTurns } = setup.schedule;
  return pastTurns === 0 ? state.past : [...state.past, state.session].slice(-pastTurns);
}

function changes(state: EpisodeState, ran: Ran): Partial<EpisodeState> {
  const { outcome, session, host, absorbed = 0 } = ran;
  const nowMs = state.nowMs + outcome.durationMs;
  if (session === undefined || host === undefined) return { nowMs };
  const changed = host.wrote || absorbed > 0;
  return {
    session,
    nowMs,
    ledger: host.ledgerAfter(),
    recorded: host.recordedAfter(),
    faults: host.counters,
    revision: state.revision + (changed ? 1 : 0),
  };
}

function endReason(setup: EpisodeSetup, next: EpisodeState, ran: Ran): EndReason | null {
  const { budget, spec } = setup;
  if (ran.finish !== undefined) return 'finished';
  if (ran.host?.outOfTokens === true) return 'max-tokens';
  if (next.turns.length >= budget.maxTurns) return 'max-turns';
  return next.nowMs - spec.startMs >= budget.maxSeconds * 1000 ? 'max-seconds' : null;
}

function turnOf(state: EpisodeState, ran: Ran): Turn {
  const { action, outcome, host, callId } = ran;
  const { status, answer } = outcome;
  const flags = flagsOf(ran);
  const faults = faultsOf(state, ran);
  const skipped = [...state.begun.skipped, ...(host?.skipped ?? [])];
  return {
    action,
    observation: answer?.text.text ?? null,
    status,
    ...(flags.length > 0 && { flags }),
    ...(answer !== null && { origins: answer.text.origins.map((span) => ({ ...span })) }),
    meta: {
      startedAt: clockText(state.nowMs),
      ...(state.waitedMs > 0 && { waitedMs: state.waitedMs }),
      durationMs: isNullStatus(status) ? 0 : outcome.durationMs,
      ...(answer?.isError === true && { isError: true }),
      ...(callId !== undefined && { callId }),
      ...(outcome.reason !== undefined && { reason: outcome.reason }),
      ...(faults.length > 0 && { faults: faults.map((fault) => ({ ...fault })) }),
      ...(skipped.length > 0 && { faultsNotApplicable: skipped.map((fault) => ({ ...fault })) }),
      ...(host !== undefined && host.records.length > 0 && { model: [...host.records] }),
      ...(host !== undefined && host.attempts > 0 && { guard: guardReport(host, answer) }),
    },
  };
}

/** What was checked of an answer that a model had a part in; `checked` is a fraction of the observation, or null. */
function guardReport(host: WorldHost, answer: Answer | null): JsonObject {
  const checked = answer === null ? null : checkedOf(answer, host.shares);
  const findings = host.guarded.map(({ check, problem }) => ({ check, problem }));
  return {
    attempts: host.attempts,
    checked,
    ...(findings.length > 0 && { findings }),
  };
}

/** The share of the whole observation: what no model said, and what was confirmed of a model's words. */
function checkedOf(answer: Answer, shares: readonly CheckedShare[]): number | null {
  const own = shareOf(answer.text, () => 0);
  const predicted = own.units - own.checkedUnits;
  const said = shares.reduce((sum, { units }) => sum + units, 0);
  const confirmed = shares.reduce((sum, { checkedUnits }) => sum + checkedUnits, 0);
  const share = said === 0 ? 0 : Math.min(1, confirmed / said);
  return fractionOf({ checkedUnits: own.checkedUnits + predicted * share, units: own.units });
}

/** What struck between the turns and in the call; without an observation the call's own faults are forgotten. */
function faultsOf(state: EpisodeState, { outcome, host, applied = [] }: Ran): readonly AppliedFault[] {
  const own = isNullStatus(outcome.status) ? [] : [...applied, ...(host?.applied ?? [])];
  const wrote = host?.keepsWrite === true;
  return [...state.begun.applied, ...own.map((fault) => ({ ...fault, wrote: fault.wrote ?? wrote }))];
}

function flagsOf({ outcome, host }: Ran): string[] {
  return [...new Set([...outcome.flags, ...(host?.flags ?? [])])];
}

function resultOf(state: EpisodeState, turn: Turn, ran: Ran): StepResult {
  const { outcome, host } = ran;
  const { end } = state;
  // What the model said in full stays in the recording; an agent must not see it.
  const { model: _model, ...meta } = turn.meta ?? {};
  const faults = (turn.meta?.faults ?? []) as readonly AppliedFault[];
  const value = outcome.answer?.value;
  const content = outcome.answer?.content;
  return {
    turn: state.turns.length,
    action: turn.action,
    status: outcome.status,
    observation: turn.observation,
    origins: turn.origins ?? [],
    flags: turn.flags ?? [],
    faults,
    clock: clockText(state.nowMs),
    done: end !== null,
    reward: end?.score.status === 'scored' ? end.score.fraction : null,
    meta,
    ...(value !== undefined && { value }),
    ...(content !== undefined && { content }),
    ...(host !== undefined && host.thinking !== null && { thinking: host.thinking }),
    ...(outcome.reason !== undefined && { reason: outcome.reason }),
    ...(end !== null && { score: end.score }),
  };
}
