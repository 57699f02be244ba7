/**
 * When does a fault fire? Compiles `when` into a test over counts; the only chance in it is the seed's.
 */
import type { FaultWhen } from './fault-spec.js';

/** What is counted when a fault has to be decided. */
export interface FaultMoment {
  /** The number of this match, from 1. */
  readonly match: number;
  /** The turn, from 1. */
  readonly turn: number;
  /** How often this fault already broke this tool. */
  readonly failures: number;
  /** Simulated milliseconds since the episode began. */
  readonly elapsedMs: number;
  /** The tool that `until.called` names has answered well since the first strike. */
  readonly healed: boolean;
  /** A seeded yes or no for this match. */
  readonly chance: (fraction: number) => boolean;
}

/** Compiles `when`; absent parts hold always. Pure. */
export function compileWhen(when: FaultWhen | undefined): (moment: FaultMoment) => boolean {
  if (when === undefined) return () => true;
  const inTurns = compileTurns(when.turns);
  const { from = 0, to = Number.POSITIVE_INFINITY } = when.clock ?? {};
  return ({ match, turn, failures, elapsedMs, healed, chance }) =>
    (when.calls === undefined || when.calls.includes(match)) &&
    (when.first === undefined || match <= when.first) &&
    (when.every === undefined || match % when.every === 0) &&
    (when.until?.retries === undefined || failures < when.until.retries) &&
    !healed &&
    inTurns(turn) &&
    (when.clock === undefined || (elapsedMs >= from * 1000 && elapsedMs < to * 1000)) &&
    (when.rate === undefined || chance(when.rate));
}

/** The parts of `turns` that name no turn, for example `5-3` and `0`. */
export function emptyTurnRanges(turns: string | number): readonly string[] {
  return String(turns)
    .split(',')
    .filter((part) => {
      const [first, last] = rangeOf(part);
      return first < 1 || last < first;
    });
}

/** Reads `3`, `3-5`, `3-`, `-5` and lists of them. The schema has checked the form. */
function compileTurns(turns: string | number | undefined): (turn: number) => boolean {
  if (turns === undefined) return () => true;
  const ranges = String(turns).split(',').map(rangeOf);
  return (turn) => ranges.some(([first, last]) => turn >= first && turn <= last);
}

function rangeOf(part: string): readonly [number, number] {
  const [from = '', to] = part.split('-');
  const first = from === '' ? 1 : Number(from);
  if (to === undefined) return [first, first];
  return [first, to === '' ? Number.POSITIVE_INFINITY : Number(to)];
}

/**
 * True if nothing in `when` and `max` ends the fault or lets a retry through, so that an agent cannot outlive it.
 * Arguments that `on` asks for are not looked at.
 */
export function isPermanent(when: FaultWhen | undefined, max: number | undefined): boolean {
  if (max !== undefined) return false;
  if (when === undefined) return true;
  const { calls, first, every = 1, rate = 1, turns, clock, until } = when;
  if (calls !== undefined || first !== undefined || every > 1 || rate < 1 || until !== undefined)
    return false;
  if (clock?.to !== undefined) return false;
  return turns === undefined || /(^|,)\d+-$/.test(String(turns));
}
