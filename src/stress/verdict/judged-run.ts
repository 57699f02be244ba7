/**
 * The part of a run that judging reads, and everything the rules share about one run.
 *
 * Structural on purpose: the runner's record has these fields and more.
 */
import type { JsonObject, Score, ToolCall, Turn } from '../../core/index.js';
import { isNullStatus } from '../../core/index.js';
import type { Plan } from '../../engines/index.js';
import type { RowEffect } from '../row-effects.js';
import { readAction, type WorldReference } from '../world-reference.js';
import { type BatchItem, batchItems } from './batch-items.js';
import { type CallFailure, failureOf } from './call-failure.js';
import { callTarget } from './call-target.js';
import { listGoesOn } from './list-goes-on.js';
import { faultsOf, type LoggedFault } from './logged-fault.js';

/** What judging reads of a run. */
export interface JudgedRun {
  readonly turns: readonly Turn[];
  readonly answer: string | null;
  /** `finished`, a budget such as `max-turns`, or what went wrong. */
  readonly end: { readonly reason: string; readonly detail?: string | undefined };
  /** What the set of faults lets expect; left out for unknown. */
  readonly faults?:
    | {
        readonly id: string;
        readonly expects?: string | undefined;
        readonly reachable?: readonly string[] | undefined;
      }
    | undefined;
  readonly score: Score;
  readonly effects?: readonly RowEffect[] | undefined;
}

/** One tool call of a run, read. */
export interface CallView {
  /** From 1. */
  readonly turn: number;
  readonly action: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly plan: Plan | undefined;
  /** What it is about: equal for tries at the same thing, in the same words or others. */
  readonly target: string;
  readonly observation: string | null;
  readonly status: Turn['status'];
  readonly flags: readonly string[];
  /** Null where the call went well, as far as its answer says. */
  readonly failure: CallFailure | null;
  /** It went well, and its answer says that there is more. */
  readonly goesOn: boolean;
  /** The results of a batch, in order; empty for other calls. */
  readonly items: readonly BatchItem[];
  /** Simulated milliseconds: when it was made and when it was answered. */
  readonly startMs: number;
  readonly endMs: number;
  /** Calls made side by side share it. */
  readonly group: string | undefined;
  readonly faults: readonly LoggedFault[];
  readonly effects: readonly RowEffect[];
}

/** One run, read. */
export interface RunView {
  /** All turns as they were, calls or not. */
  readonly turns: readonly Turn[];
  readonly calls: readonly CallView[];
  readonly answer: string | null;
  readonly end: JudgedRun['end'];
  readonly score: Score;
  /** All verifiers passed; null where unscored. */
  readonly solved: boolean | null;
  readonly effects: readonly RowEffect[];
  /** Turn → faults whose effects show in it: its own, and what struck between it and the next. Calls or not. */
  readonly faultsByTurn: ReadonlyMap<number, readonly LoggedFault[]>;
  /** Verifiers that can pass under the faults although not all of them can; empty where nobody knows. */
  readonly reachable: readonly string[];
  /** The effects of turns are known. Without them, rules by effect say `unknown`. */
  readonly hasEffects: boolean;
  /** The turn of the first applied fault, or null. */
  readonly firstFault: number | null;
  /** The number of the turn that answered, or of the last one. */
  readonly lastTurn: number;
}

interface Read {
  readonly run: JudgedRun;
  readonly reference: WorldReference;
  readonly view: RunView;
}

/** By list of turns: a clean run is judged by itself and then stands beside each run that is compared with it. */
const READ = new WeakMap<readonly Turn[], Read>();

/** Reads a run. Pure; a malformed action is no call. */
export function readRun(run: JudgedRun, reference: WorldReference): RunView {
  const known = READ.get(run.turns);
  if (known !== undefined && known.reference === reference && isSameRun(known.run, run)) return known.view;
  const view = viewOf(run, reference);
  READ.set(run.turns, { run, reference, view });
  return view;
}

/** Both have the same turns; all else that is read of them is the same too. */
function isSameRun(one: JudgedRun, other: JudgedRun): boolean {
  return (
    one.effects === other.effects &&
    one.answer === other.answer &&
    one.end === other.end &&
    one.score === other.score
  );
}

function viewOf(run: JudgedRun, reference: WorldReference): RunView {
  const byTurn = effectsByTurn(run.effects ?? []);
  let nowMs = 0;
  const calls = run.turns.flatMap((turn, index): CallView[] => {
    const startMs = timeOf(turn) ?? nowMs;
    nowMs = startMs + (turn.meta?.durationMs ?? 0);
    const parsed = callOf(turn.action, reference);
    if (parsed === null) return [];
    const effects = byTurn.get(index + 1) ?? [];
    return [callView({ turn, number: index + 1, parsed, startMs, effects }, reference)];
  });
  return {
    turns: run.turns,
    calls,
    answer: run.answer,
    end: run.end,
    score: run.score,
    solved: run.score.status === 'scored' ? run.score.fraction === 1 : null,
    effects: run.effects ?? [],
    faultsByTurn: faultsShown(run.turns),
    reachable: run.faults?.reachable ?? [],
    hasEffects: run.effects !== undefined,
    firstFault: calls.find((call) => call.faults.length > 0)?.turn ?? null,
    lastTurn: run.turns.length,
  };
}

/** Actions that are remembered; clean twins and trials send the same ones again. */
const CALLS_KEPT = 1_024;
/** UTF-16 units of the longest action that is remembered. */
const CALL_UNITS = 2_000;
const CALLS = new Map<string, ToolCall | null>();

/** The call that an action is, or null. */
function callOf(action: string, { world }: WorldReference): ToolCall | null {
  const key = `${world.domain} ${action}`;
  const known = CALLS.get(key);
  if (known !== undefined) return known;
  const parsed = readAction(world, action);
  const made = parsed.kind === 'tool-call' ? parsed : null;
  if (action.length > CALL_UNITS) return made;
  if (CALLS.size >= CALLS_KEPT) CALLS.clear();
  CALLS.set(key, made);
  return made;
}

function callView(
  of: {
    readonly turn: Turn;
    readonly number: number;
    readonly parsed: ToolCall;
    readonly startMs: number;
    readonly effects: readonly RowEffect[];
  },
  reference: WorldReference,
): CallView {
  const { turn, parsed } = of;
  const plan = reference.plans[parsed.name];
  const faults = faultsOf(turn);
  const isError = turn.meta?.isError === true;
  const failure = failureOf({ observation: turn.observation, status: turn.status, isError, faults });
  let target: string | undefined;
  return {
    turn: of.number,
    action: turn.action,
    name: parsed.name,
    args: parsed.arguments,
    plan,
    // Asked of failing calls only.
    get target() {
      target ??= callTarget(reference.world, parsed.name, parsed.arguments);
      return target;
    },
    observation: turn.observation,
    status: turn.status,
    flags: turn.flags ?? [],
    failure,
    goesOn: failure === null && turn.observation !== null && listGoesOn(turn.observation),
    items: isError || isNullStatus(turn.status) ? [] : batchItems(turn.observation, parsed.arguments, plan),
    startMs: of.startMs,
    endMs: of.startMs + (turn.meta?.durationMs ?? 0),
    group: turn.meta?.group,
    faults,
    effects: of.effects,
  };
}

/** The state that a turn leaves is read when the next one has begun, so what strikes in between shows in the former. */
function faultsShown(turns: readonly Turn[]): Map<number, readonly LoggedFault[]> {
  const own = turns.map(faultsOf);
  return new Map(
    own.map((faults, index) => {
      const between = (own[index + 1] ?? []).filter((fault) => fault.operation.startsWith('turn '));
      return [index + 1, [...faults, ...between]];
    }),
  );
}

function effectsByTurn(effects: readonly RowEffect[]): Map<number, RowEffect[]> {
  const byTurn = new Map<number, RowEffect[]>();
  for (const effect of effects) {
    const list = byTurn.get(effect.turn);
    if (list === undefined) byTurn.set(effect.turn, [effect]);
    else list.push(effect);
  }
  return byTurn;
}

function timeOf(turn: Turn): number | null {
  const ms = Date.parse(turn.meta?.startedAt ?? '');
  return Number.isFinite(ms) ? ms : null;
}
