/**
 * The fault schedule of one episode: decides for each operation, and between turns, what breaks now.
 *
 * The idea: a decision is a function of the faults, the seed and counters that are a plain JSON value, so a fork
 * shares them and a snapshot stores them. Matches are counted before an operation, for faults of both phases, so a
 * fault that fires does not shift the counts of the others. Chance comes from a stream named by seed, the fault's
 * position and the number of the match: a fault added at the end changes no decision of the others, and no data.
 *
 * Several faults on one operation: before it, delays add up and the first fault of the list that ends the operation
 * wins. After it, the first fault that loses the answer wins; otherwise faults on values change the answer one after
 * another, in the order of the list, and faults on the text come last. Faults on the call's write (lost update,
 * second delivery) go with all of them. Not covered: what a fault answers (catalogue), and who carries it out (sim).
 */
import {
  type Answer,
  type AppliedFault,
  type FaultNote,
  type HostReply,
  type InapplicableFault,
  type JsonObject,
  type Operation,
  type OperationKind,
  type RandomStream,
  randomStream,
} from '../core/index.js';
import {
  addPending,
  addStrike,
  type FaultCount,
  type FaultCounters,
  failuresOf,
  pendingKey,
  ZERO_COUNT,
} from './fault-counters.js';
import type {
  FaultAction,
  FaultPhase,
  FaultStrike,
  OperationFaultKind,
  SessionEffect,
} from './fault-kind.js';
import type { ScheduledFault } from './scheduled-fault.js';

/** Where an operation stands, and what a kind may want to know of it. */
export interface OperationMoment {
  readonly phase: FaultPhase;
  /** The turn, from 1. */
  readonly turn: number;
  /** Simulated milliseconds since the episode began. Default 0. */
  readonly elapsedMs?: number;
  /** The simulated clock, milliseconds since 1970 UTC. Default 0. */
  readonly nowMs?: number;
  /** After: what the operation answered. */
  readonly answer?: Answer;
  /** After: the call wrote something. Absent where nobody knows. */
  readonly wrote?: boolean;
  /** Arguments that only the changed list of tools knows. */
  readonly extra?: JsonObject;
  /** After: the answer of the same call over the state of so many turns ago. */
  readonly past?: FaultStrike['past'];
  /** What the service itself says when it refuses. */
  readonly says?: FaultStrike['says'];
  /** After: what is added to the answer between faults on values and faults on the text. */
  readonly finish?: (answer: Answer) => Answer;
}

/** What faults do to one operation. */
export interface FaultDecision {
  /** What struck, in the order in which it took effect. */
  readonly applied: readonly AppliedFault[];
  readonly reply: HostReply;
  /** The reply's answer is in the place of the operation's own, which was lost or never made. */
  readonly ended: boolean;
}

/** A fault on the call's write, to be carried out when the call has ended; then `settle` it. */
export interface DeferredFault {
  readonly index: number;
  readonly effect: SessionEffect;
  readonly applied: AppliedFault;
}

/** Everything that one look at an operation gives. */
export interface Decided {
  /** Null where nothing happens to the operation. */
  readonly decision: FaultDecision | null;
  readonly deferred: readonly DeferredFault[];
  /** Faults that fired and had nothing to work on. */
  readonly skipped: readonly InapplicableFault[];
  readonly counters: FaultCounters;
}

/** One look at one operation, while it is worked out. */
interface Look {
  readonly op: Operation;
  readonly at: OperationMoment;
  readonly counts: FaultCount[];
  readonly applied: AppliedFault[];
  readonly deferred: DeferredFault[];
  readonly skipped: InapplicableFault[];
  delayMs: number;
}

/** A fault that looks at an operation after it happened. */
interface Waiting {
  readonly index: number;
  readonly match: number;
  readonly fires: boolean;
  readonly works: 'ends' | 'delays' | 'alters' | 'defers';
}

type OperationFault = ScheduledFault & { readonly kind: OperationFaultKind<never> };

/** Decides what breaks. Pure: the counters go in and come out. */
export class FaultSchedule {
  /** The faults in the order of the list. */
  readonly faults: readonly ScheduledFault[];
  /** How many turns of earlier states the faults look at. */
  readonly pastTurns: number;
  /** Some fault strikes between turns or changes the list of tools from the beginning on. */
  readonly hasTurnFaults: boolean;
  /** Some fault can change the list of tools. */
  readonly changesTools: boolean;
  private readonly seed: number | string;

  /** Made by `compileSchedule`. */
  constructor(faults: readonly ScheduledFault[], seed: number | string) {
    this.faults = faults;
    this.seed = seed;
    this.pastTurns = Math.max(
      0,
      ...faults.map(({ kind, parameters }) =>
        kind.strikes === 'operation' ? (kind.pastTurns?.(parameters as never) ?? 0) : 0,
      ),
    );
    this.changesTools = faults.some(
      ({ kind }) =>
        (kind.strikes === 'turn' && kind.changesTools === true) ||
        (kind.strikes === 'operation' && kind.tools !== undefined),
    );
    this.hasTurnFaults = this.changesTools || faults.some(({ kind }) => kind.strikes === 'turn');
  }

  /** How many faults there are; with 0 nothing is ever decided. */
  get size(): number {
    return this.faults.length;
  }

  /** The counters of an episode that has not begun. */
  start(): FaultCounters {
    return { turn: 0, faults: this.faults.map(() => ZERO_COUNT) };
  }

  /** Decides one operation in one phase of one turn. Returns what happens to it, and the counters to use next. */
  decide(op: Operation, at: OperationMoment, counters: FaultCounters): Decided {
    const counts = counters.faults.map((count) =>
      counters.turn === at.turn || count.pending.length === 0 ? count : { ...count, pending: [] },
    );
    const look: Look = { op, at, counts, applied: [], deferred: [], skipped: [], delayMs: 0 };
    const reply = at.phase === 'before' ? this.before(look) : this.after(look);
    const { applied, deferred, skipped } = look;
    const decision = reply === null ? null : { applied, ...reply };
    return { decision, deferred, skipped, counters: { turn: at.turn, faults: counts } };
  }

  /** Counts a deferred fault that took effect, or forgets the pending strike of one that did not. */
  settle(counters: FaultCounters, deferred: DeferredFault, op: { readonly name: string }): FaultCounters {
    const faults = counters.faults.map((count, index) =>
      index === deferred.index ? addStrike(count, op.name) : count,
    );
    return { ...counters, faults };
  }

  /** The kinds of operations that some fault looks at, in the order of the list. */
  listens(): readonly OperationKind[] {
    return [...new Set(this.faults.map(({ operation }) => operation))];
  }

  /** Some fault looks at this operation; where none does, deciding it changes nothing. */
  looksAt(op: Operation): boolean {
    return this.faults.some(({ kind, matches }) => kind.strikes === 'operation' && matches(op));
  }

  /** A fault will strike this operation once it has happened. */
  awaits(op: Operation, counters: FaultCounters): boolean {
    const key = pendingKey(op);
    return counters.faults.some(({ pending }) => pending.some(([name, , fires]) => fires && name === key));
  }

  /** The stream of one strike of one fault. */
  stream(index: number, match: number, ...keys: string[]): RandomStream {
    return randomStream(this.seed, 'faults', String(index), String(match), ...keys);
  }

  private before(look: Look): Omit<FaultDecision, 'applied'> | null {
    let ended: Extract<FaultAction, { do: 'answer' }> | null = null;
    const waiting: [number, FaultCount][] = [];
    const firing: number[] = [];
    this.each((fault, index) => {
      if (!fault.matches(look.op)) return;
      const count = this.count(index, look);
      look.counts[index] = count;
      if (fault.phase === 'before') {
        if (count.firing) firing.push(index);
      } else if (count.firing || fault.kind.remember !== undefined) {
        waiting.push([index, addPending(count, look.op)]);
      }
    });
    const delays = (index: number): boolean => (this.faults[index] as OperationFault).kind.works === 'delays';
    // What only takes time goes with any end of the operation, wherever it stands in the list.
    for (const index of [...firing.filter(delays), ...firing.filter((index) => !delays(index))]) {
      if (ended !== null) break;
      const match = look.counts[index]?.matches ?? 0;
      const action = this.strike(index, { look, match });
      if (action?.do === 'delay') look.delayMs += action.delayMs;
      if (action?.do === 'answer') ended = action;
    }
    // An operation that does not happen has no `after`.
    if (ended === null) for (const [index, count] of waiting) look.counts[index] = count;
    return replyOf(ended, look.delayMs);
  }

  private after(look: Look): Omit<FaultDecision, 'applied'> | null {
    const waiting = this.takePending(look);
    const firing = waiting.filter(({ fires }) => fires);
    let ended: Extract<FaultAction, { do: 'answer' }> | null = null;
    for (const { index, match, works } of firing) {
      if (works === 'alters' || (works === 'ends' && ended !== null)) continue;
      const action = this.strike(index, { look, match });
      if (action?.do === 'answer') ended = action;
    }
    const reply = ended === null ? this.alter(look, firing) : replyOf(ended, 0);
    for (const { index } of waiting) this.remember(index, look);
    this.heal(look);
    return reply;
  }

  /** The faults that look at this operation after it happened, in the order of the list. */
  private takePending(look: Look): readonly Waiting[] {
    const key = pendingKey(look.op);
    const taken: Waiting[] = [];
    this.each((fault, index) => {
      const count = look.counts[index] ?? ZERO_COUNT;
      const found = count.pending.find(([name]) => name === key);
      if (found === undefined) return;
      look.counts[index] = { ...count, pending: count.pending.filter((entry) => entry !== found) };
      taken.push({ index, match: found[1], fires: found[2], works: fault.kind.works ?? 'ends' });
    });
    return taken;
  }

  private alter(look: Look, firing: readonly Waiting[]): Omit<FaultDecision, 'applied'> | null {
    const before = look.at.answer;
    if (before === undefined) return null;
    let answer = before;
    const run = (stage: 'value' | 'text'): void => {
      for (const { index, match, works } of firing) {
        const { kind } = this.faults[index] as OperationFault;
        if (works !== 'alters' || (kind.stage ?? 'value') !== stage) continue;
        const action = this.strike(index, { look, match, answer });
        if (action?.do === 'alter') ({ answer } = action);
      }
    };
    run('value');
    answer = look.at.finish?.(answer) ?? answer;
    run('text');
    return answer === before ? null : { reply: { do: 'answer', answer }, ended: false };
  }

  /** Counts a match and decides whether it fires; later items of a batch keep what was decided for the batch. */
  private count(index: number, look: Look): FaultCount {
    const fault = this.faults[index] as OperationFault;
    const count = look.counts[index] ?? ZERO_COUNT;
    const { op, at } = look;
    const { elapsedMs = 0 } = at;
    // Not by the first item: that one need not be among those which the fault looks at.
    if (fault.perBatch && count.turn === at.turn && (op.index ?? 0) > 0) return count;
    const match = count.matches + 1;
    const held =
      count.memory !== undefined &&
      fault.kind.holds?.(fault.parameters as never, count.memory, elapsedMs) === true;
    const firing =
      held ||
      (count.applied < fault.max &&
        fault.fires({
          match,
          turn: at.turn,
          failures: failuresOf(count, op.name),
          elapsedMs,
          healed: count.healed === true,
          chance: (fraction) => this.stream(index, match).chance(fraction),
        }));
    const batch = fault.perBatch ? { turn: at.turn } : {};
    return { ...count, matches: match, firing, struck: false, ...batch };
  }

  private strike(
    index: number,
    now: { readonly look: Look; readonly match: number; readonly answer?: Answer },
  ): FaultAction | null {
    const fault = this.faults[index] as OperationFault;
    const { look, match } = now;
    const { op, at } = look;
    const answer = now.answer ?? at.answer;
    const seen: FaultStrike = {
      ...this.seen(index, { look, match }),
      ...(answer !== undefined && { answer }),
    };
    // The parameters were accepted by this kind's own schema in `compileSchedule`.
    const action = fault.kind.strike(fault.parameters as never, seen);
    if (action === null) return null;
    const where = { kind: fault.kind.name, index, phase: fault.phase, operation: `${op.kind} ${op.name}` };
    if (action.do === 'skip') {
      look.skipped.push({ ...where, why: action.why });
      return action;
    }
    const applied = { ...where, ...noteOf(action, at), permanent: fault.permanent };
    const count = look.counts[index] ?? ZERO_COUNT;
    const kept = action.memory === undefined ? count : { ...count, memory: action.memory };
    if (action.do === 'session') {
      look.counts[index] = kept;
      look.deferred.push({ index, effect: action.effect, applied });
      return action;
    }
    look.counts[index] = fault.perBatch && count.struck ? kept : addStrike(kept, op.name);
    look.applied.push(applied);
    return action;
  }

  private seen(index: number, now: { readonly look: Look; readonly match: number }): FaultStrike {
    const { op, at, counts } = now.look;
    const stream = (): RandomStream => this.stream(index, now.match, 'item', String(op.index ?? 0));
    return {
      op,
      phase: at.phase,
      turn: at.turn,
      elapsedMs: at.elapsedMs ?? 0,
      nowMs: at.nowMs ?? 0,
      chance: (fraction) => stream().chance(fraction),
      random: stream,
      wrote: at.wrote === true,
      memory: counts[index]?.memory,
      extra: at.extra ?? {},
      ...(at.answer !== undefined && { answer: at.answer }),
      ...(at.past !== undefined && { past: at.past }),
      ...(at.says !== undefined && { says: at.says }),
    };
  }

  private remember(index: number, look: Look): void {
    const { kind, parameters } = this.faults[index] as OperationFault;
    const count = look.counts[index] ?? ZERO_COUNT;
    const memory = kind.remember?.(parameters as never, this.seen(index, { look, match: count.matches }));
    if (memory !== undefined) look.counts[index] = { ...count, memory };
  }

  /** Ends the faults whose `until.called` names a tool that has now answered well. */
  private heal({ op, at, counts }: Look): void {
    if (op.kind !== 'tool.call' || at.answer === undefined || at.answer.isError) return;
    for (const [index, fault] of this.faults.entries()) {
      const count = counts[index];
      if (fault.healedBy === undefined || count === undefined || count.applied === 0) continue;
      if (count.healed !== true && fault.healedBy(op.name)) counts[index] = { ...count, healed: true };
    }
  }

  private each(look: (fault: OperationFault, index: number) => void): void {
    for (const [index, fault] of this.faults.entries()) {
      if (fault.kind.strikes === 'operation') look(fault as OperationFault, index);
    }
  }
}

function replyOf(
  ended: Extract<FaultAction, { do: 'answer' }> | null,
  delayMs: number,
): Omit<FaultDecision, 'applied'> | null {
  if (ended === null) return delayMs > 0 ? { reply: { do: 'proceed', delayMs }, ended: false } : null;
  const total = delayMs + (ended.delayMs ?? 0);
  const reply: HostReply = { do: 'answer', answer: ended.answer, ...(total > 0 && { delayMs: total }) };
  return { reply, ended: true };
}

/** What is logged of a strike: a fault that ends an operation is seen, and before it nothing is written. */
function noteOf(action: FaultAction, at: OperationMoment): FaultNote {
  const ends = action.do === 'answer';
  const known = at.phase === 'before' ? false : at.wrote;
  const wrote = ends && known !== undefined ? { wrote: known } : {};
  return { visible: ends, ...wrote, ...action.note };
}
