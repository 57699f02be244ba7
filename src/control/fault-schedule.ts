/**
 * The fault schedule of one episode: decides for each operation what breaks now.
 *
 * The idea: a decision is a function of the faults, the seed and counters that are a plain JSON value, so a fork
 * shares them and a snapshot stores them. Matches are counted before an operation, for faults of both phases, so a
 * fault that fires does not shift the counts of the others. Chance comes from a stream named by seed, the fault's
 * position and the number of the match: a fault added at the end changes no decision of the others, and no data.
 * Not covered: what a fault answers (catalogue).
 */
import {
  type AppliedFault,
  canonicalJson,
  type HostReply,
  type Operation,
  randomStream,
} from '../core/index.js';
import type { FaultKind, FaultPhase } from './fault-kind.js';
import type { FaultMoment } from './fault-when.js';

/** Counters of one fault. */
export type FaultCount = {
  /** Operations (or batches) it looked at. */
  readonly matches: number;
  /** Times it struck. */
  readonly applied: number;
  /** Tool name → times it struck that tool, as pairs. */
  readonly failures: readonly (readonly [string, number])[];
  /** The last match fires; for the later items of a batch. */
  readonly firing: boolean;
  /** The last match has struck already; a batch counts once. */
  readonly struck: boolean;
  /** Operations under way that it will strike after they happened: [operation, match]. */
  readonly pending: readonly (readonly [string, number])[];
};

/** The counters of all faults and the turn they are at: a plain JSON value, part of snapshots and forks. */
export type FaultCounters = { readonly turn: number; readonly faults: readonly FaultCount[] };

/** A fault that strikes: what to log and what to reply. */
export interface FaultDecision {
  readonly applied: AppliedFault;
  readonly reply: HostReply;
}

/** One compiled fault. */
export interface ScheduledFault {
  readonly kind: FaultKind;
  readonly phase: FaultPhase;
  readonly parameters: unknown;
  readonly max: number;
  readonly perBatch: boolean;
  readonly matches: (op: Operation) => boolean;
  readonly fires: (moment: FaultMoment) => boolean;
}

const ZERO: FaultCount = {
  matches: 0,
  applied: 0,
  failures: [],
  firing: false,
  struck: false,
  pending: [],
};

/** Decides what breaks. Pure: the counters go in and come out. */
export class FaultSchedule {
  private readonly faults: readonly ScheduledFault[];
  private readonly seed: number | string;

  /** Made by `compileSchedule`. */
  constructor(faults: readonly ScheduledFault[], seed: number | string) {
    this.faults = faults;
    this.seed = seed;
  }

  /** How many faults there are; with 0 nothing is ever decided. */
  get size(): number {
    return this.faults.length;
  }

  /** The counters of an episode that has not begun. */
  start(): FaultCounters {
    return { turn: 0, faults: this.faults.map(() => ZERO) };
  }

  /**
   * Decides one operation in one phase of one turn (from 1). The first fault of the list that fires wins. Returns
   * the strike or null, and the counters to use next.
   */
  decide(
    op: Operation,
    at: { readonly phase: FaultPhase; readonly turn: number },
    counters: FaultCounters,
  ): { readonly decision: FaultDecision | null; readonly counters: FaultCounters } {
    const counts = counters.faults.map((count) =>
      counters.turn === at.turn || count.pending.length === 0 ? count : { ...count, pending: [] },
    );
    const decision = at.phase === 'before' ? this.before(op, at.turn, counts) : this.after(op, counts);
    return { decision, counters: { turn: at.turn, faults: counts } };
  }

  private before(op: Operation, turn: number, counts: FaultCount[]): FaultDecision | null {
    let decision: FaultDecision | null = null;
    const waiting: [number, FaultCount][] = [];
    this.faults.forEach((fault, index) => {
      if (!fault.matches(op)) return;
      const count = this.count(index, { op, turn, count: counts[index] ?? ZERO });
      counts[index] = count;
      if (!count.firing) return;
      if (fault.phase === 'after') waiting.push([index, addPending(count, op)]);
      else if (decision === null) decision = this.strike(index, { op, counts, match: count.matches });
    });
    // An operation that does not happen has no `after`.
    if (decision === null) for (const [index, count] of waiting) counts[index] = count;
    return decision;
  }

  private after(op: Operation, counts: FaultCount[]): FaultDecision | null {
    const key = keyOf(op);
    let decision: FaultDecision | null = null;
    this.faults.forEach((fault, index) => {
      const count = counts[index] ?? ZERO;
      const found = fault.phase === 'after' ? count.pending.find(([name]) => name === key) : undefined;
      if (found === undefined) return;
      counts[index] = { ...count, pending: count.pending.filter((entry) => entry !== found) };
      if (decision === null) decision = this.strike(index, { op, counts, match: found[1] });
    });
    return decision;
  }

  /** Counts a match and decides whether it fires; later items of a batch keep what was decided for the batch. */
  private count(
    index: number,
    now: { readonly op: Operation; readonly turn: number; readonly count: FaultCount },
  ): FaultCount {
    const fault = this.faults[index];
    const { op, turn, count } = now;
    if (fault === undefined) return count;
    if (fault.perBatch && (op.index ?? 0) > 0 && count.matches > 0) return count;
    const match = count.matches + 1;
    const firing =
      count.applied < fault.max &&
      fault.fires({
        match,
        turn,
        failures: failuresOf(count, op.name),
        chance: (fraction) => this.stream(index, match).chance(fraction),
      });
    return { ...count, matches: match, firing, struck: false };
  }

  private strike(
    index: number,
    now: { readonly op: Operation; readonly counts: FaultCount[]; readonly match: number },
  ): FaultDecision | null {
    const fault = this.faults[index];
    const count = now.counts[index];
    if (fault === undefined || count === undefined) return null;
    const { op, match } = now;
    const chance = (fraction: number): boolean =>
      this.stream(index, match, 'item', String(op.index ?? 0)).chance(fraction);
    // The parameters were accepted by this kind's own schema in `compileSchedule`.
    const reply = fault.kind.strike(fault.parameters as never, { op, phase: fault.phase, chance });
    if (reply === null) return null;
    if (!(fault.perBatch && count.struck)) now.counts[index] = addStrike(count, op.name);
    const operation = `${op.kind} ${op.name}`;
    return { applied: { kind: fault.kind.name, index, phase: fault.phase, operation }, reply };
  }

  private stream(index: number, match: number, ...keys: string[]) {
    return randomStream(this.seed, 'faults', String(index), String(match), ...keys);
  }
}

function keyOf(op: Operation): string {
  return canonicalJson([op.kind, op.name, op.target ?? null, op.args, op.index ?? null]);
}

function addPending(count: FaultCount, op: Operation): FaultCount {
  return { ...count, pending: [...count.pending, [keyOf(op), count.matches]] };
}

function failuresOf(count: FaultCount, name: string): number {
  return count.failures.find(([tool]) => tool === name)?.[1] ?? 0;
}

function addStrike(count: FaultCount, name: string): FaultCount {
  const failures = failuresOf(count, name) + 1;
  const others = count.failures.filter(([tool]) => tool !== name);
  return {
    ...count,
    applied: count.applied + 1,
    struck: true,
    failures: [...others, [name, failures]],
  };
}
