/**
 * What a schedule remembers of an episode: per fault a count and a memory, as one plain JSON value that snapshots
 * hold and forks share. Every function here gives a new value.
 */
import { canonicalJson, type Json, type Operation } from '../core/index.js';

/** The counters of one fault. */
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
  /** Operations under way that it will look at after they happened: [operation, match, fires]. */
  readonly pending: readonly (readonly [string, number, boolean])[];
  /** The tool that `until.called` names has answered. */
  readonly healed?: boolean;
  /** What the kind itself remembers. */
  readonly memory?: Json;
  /** The last turn at whose beginning it was decided that it strikes; for faults between turns. For faults on items: the turn of the last batch. */
  readonly turn?: number;
};

/** The counters of all faults and the turn they are at: a plain JSON value, part of snapshots and forks. */
export type FaultCounters = { readonly turn: number; readonly faults: readonly FaultCount[] };

/** A fault that has looked at nothing yet. */
export const ZERO_COUNT: FaultCount = {
  matches: 0,
  applied: 0,
  failures: [],
  firing: false,
  struck: false,
  pending: [],
};

/** The name of an operation while it is under way. */
export function pendingKey(op: Operation): string {
  return canonicalJson([op.kind, op.name, op.target ?? null, op.args, op.index ?? null]);
}

/** Remembers that the fault looks at this operation once it has happened. */
export function addPending(count: FaultCount, op: Operation): FaultCount {
  return { ...count, pending: [...count.pending, [pendingKey(op), count.matches, count.firing]] };
}

/** How often the fault struck a tool. */
export function failuresOf(count: FaultCount, name: string): number {
  return count.failures.find(([tool]) => tool === name)?.[1] ?? 0;
}

/** Counts a strike. */
export function addStrike(count: FaultCount, name: string): FaultCount {
  const failures = failuresOf(count, name) + 1;
  const others = count.failures.filter(([tool]) => tool !== name);
  return { ...count, applied: count.applied + 1, struck: true, failures: [...others, [name, failures]] };
}
