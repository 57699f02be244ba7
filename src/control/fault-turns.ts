/**
 * What breaks between two turns: the world changes by itself, the clock jumps, the list of tools changes.
 *
 * A fault of this sort is asked once at the beginning of each turn, with the turn's number as its match, so `calls:
 * [3]` and `turns: "3"` are the third turn, and again where the clock went on before the turn's action (`when.clock`).
 * A change of the list of tools lasts; the fault is not asked again. Pure. Source: architecture, room control.
 */
import type { AppliedFault, ForeignChange, InapplicableFault, Json } from '../core/index.js';
import { addStrike, type FaultCount, type FaultCounters, ZERO_COUNT } from './fault-counters.js';
import type { TurnFaultKind, TurnStrike } from './fault-kind.js';
import type { FaultSchedule } from './fault-schedule.js';
import type { ScheduledFault } from './scheduled-fault.js';
import { changeTools, type ListedTool, type ToolChange, type ToolEntry } from './tool-changes.js';

/** A turn that begins. */
export interface TurnMoment {
  /** The turn, from 1. */
  readonly turn: number;
  /** Simulated milliseconds since the episode began. */
  readonly elapsedMs: number;
  readonly view: () => Json;
  /** The tools as the engine has them. */
  readonly tools: readonly ToolEntry[];
}

/** What a beginning turn brings. Carry out `changes` in order; those refused are told to `refuse`. */
export interface BegunTurn {
  readonly events: readonly TurnEvent[];
  readonly skipped: readonly InapplicableFault[];
  readonly counters: FaultCounters;
}

/** One fault that strikes between turns. */
export interface TurnEvent {
  readonly applied: AppliedFault;
  /** For changes of the world. */
  readonly changes: readonly ForeignChange[];
  /** For jumps of the clock; may be negative. */
  readonly jumpMs: number;
}

/** Asks all faults that strike between turns. Call it only where `schedule.hasTurnFaults`. */
export function beginTurn(schedule: FaultSchedule, at: TurnMoment, counters: FaultCounters): BegunTurn {
  const counts = [...counters.faults];
  const events: TurnEvent[] = [];
  const skipped: InapplicableFault[] = [];
  schedule.faults.forEach((fault, index) => {
    const count = counts[index] ?? ZERO_COUNT;
    if (fault.kind.strikes === 'operation') {
      if (at.turn === 1 && count.memory === undefined)
        counts[index] = withFirstTools(schedule, index, { at, count });
      return;
    }
    if (fault.kind.strikes !== 'turn' || !isDue(schedule, index, { at, count })) return;
    const strike = strikeOf(schedule, index, { at, counts });
    const action = fault.kind.strike(fault.parameters as never, strike);
    const where = {
      kind: fault.kind.name,
      index,
      phase: 'before' as const,
      operation: `turn ${at.turn}`,
    };
    if (action.do === 'skip') {
      if (count.turn !== at.turn) skipped.push({ ...where, why: action.why });
      counts[index] = { ...count, matches: at.turn, turn: at.turn };
      return;
    }
    const applied = { ...where, visible: false, ...action.note, permanent: fault.permanent };
    const memory = action.do === 'tools' ? { memory: { changes: action.changes } as unknown as Json } : {};
    counts[index] = { ...addStrike(count, 'turn'), matches: at.turn, turn: at.turn, ...memory };
    events.push({
      applied,
      changes: action.do === 'world' ? action.changes : [],
      jumpMs: action.do === 'clock' ? action.jumpMs : 0,
    });
  });
  return { events, skipped, counters: { ...counters, faults: counts } };
}

/** Takes back the count of an event that the world refused. */
export function refuseEvent(counters: FaultCounters, index: number): FaultCounters {
  const faults = counters.faults.map((count, at) =>
    at === index ? { ...count, applied: Math.max(0, count.applied - 1) } : count,
  );
  return { ...counters, faults };
}

/** The tools as an agent sees them, or null where no fault has changed the list. */
export function listedTools(
  schedule: FaultSchedule,
  counters: FaultCounters,
  tools: readonly ToolEntry[],
): readonly ListedTool[] | null {
  const changes = changesOf(schedule, counters);
  return changes.length === 0 ? null : changeTools(tools, changes);
}

function changesOf(schedule: FaultSchedule, counters: FaultCounters): readonly ToolChange[] {
  return schedule.faults.flatMap(({ kind }, index) => {
    const changes =
      kind.strikes === 'turn' ? kind.changesTools === true : kind.strikes === 'operation' && kind.tools;
    const memory = counters.faults[index]?.memory as { readonly changes?: readonly ToolChange[] } | undefined;
    return changes ? (memory?.changes ?? []) : [];
  });
}

type At = { readonly at: TurnMoment; readonly count: FaultCount };

function isDue(schedule: FaultSchedule, index: number, { at, count }: At): boolean {
  const fault = schedule.faults[index] as ScheduledFault;
  const lasting = (fault.kind as TurnFaultKind<never>).changesTools === true && count.memory !== undefined;
  if (lasting || count.applied >= fault.max) return false;
  // Asked again in the same turn because the clock went on: it strikes once a turn.
  if (count.turn === at.turn) return false;
  return fault.fires({
    match: at.turn,
    turn: at.turn,
    failures: count.applied,
    elapsedMs: at.elapsedMs,
    healed: count.healed === true,
    chance: (fraction) => schedule.stream(index, at.turn).chance(fraction),
  });
}

function strikeOf(
  schedule: FaultSchedule,
  index: number,
  now: { readonly at: TurnMoment; readonly counts: readonly FaultCount[] },
): TurnStrike {
  const { turn, view, tools } = now.at;
  const fault = schedule.faults[index] as ScheduledFault;
  const listed = listedTools(schedule, { turn, faults: now.counts }, tools);
  const operation = fault.kind.operations[0];
  return {
    turn,
    view,
    tools: listed === null ? tools : listed.map(({ entry }) => entry),
    matches: (name) => fault.matches({ kind: operation, name, args: {} }),
    random: () => schedule.stream(index, turn, 'item', '0'),
  };
}

/** The changes of the list that belong to a fault from the beginning on. */
function withFirstTools(schedule: FaultSchedule, index: number, { at, count }: At): FaultCount {
  const fault = schedule.faults[index] as ScheduledFault;
  if (fault.kind.strikes !== 'operation' || fault.kind.tools === undefined) return count;
  const counts = schedule.faults.map((_, other) => (other === index ? count : ZERO_COUNT));
  const changes = fault.kind.tools(fault.parameters as never, strikeOf(schedule, index, { at, counts }));
  return changes.length === 0 ? count : { ...count, memory: { changes } as unknown as Json };
}
