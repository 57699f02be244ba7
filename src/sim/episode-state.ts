/**
 * Everything of an episode that changes, as one immutable value.
 *
 * The idea: a step makes a new state out of the old one and never touches it, so a fork is another name for the same
 * value, and a step that comes to nothing is forgotten by keeping the old one. The engine session in it is never run
 * itself; each step runs a fork of it.
 */
import type { FaultCounters } from '../control/index.js';
import type { AppliedFault, EngineSession, InapplicableFault, Score } from '../core/index.js';
import { beginNextTurn, type ToolList } from './begin-turn.js';
import type { EpisodeSetup } from './episode-setup.js';
import { Ledger } from './ledger.js';
import { RecordedProgress } from './recorded-answers.js';
import { TurnList } from './turn-list.js';

/** Why an episode ended: the agent said so, or a budget. */
export type EndReason = 'finished' | 'max-turns' | 'max-seconds' | 'max-tokens';

/** The end of an episode. */
export interface EpisodeEnd {
  readonly reason: EndReason;
  /** The agent's answer, where it gave one. */
  readonly answer: string | null;
  readonly score: Score;
}

/** The state of an episode between two steps. */
export interface EpisodeState {
  /** Never run: fork it. */
  readonly session: EngineSession;
  readonly ledger: Ledger;
  /** How far the world's recording was used. */
  readonly recorded: RecordedProgress;
  readonly faults: FaultCounters;
  readonly turns: TurnList;
  /** The simulated clock, milliseconds since 1970 UTC. */
  readonly nowMs: number;
  /** Simulated milliseconds that the agent let pass since the last turn; already in `nowMs`. */
  readonly waitedMs: number;
  /** Changes of the state so far; the ledger's answers hold for one revision. */
  readonly revision: number;
  /** Tokens of the world's model so far, as far as they were reported. */
  readonly tokens: number;
  readonly end: EpisodeEnd | null;
  /** The sessions of the last turns, oldest first, as many as the faults look at. Never run. */
  readonly past: readonly EngineSession[];
  /** What faults did between the last turn and the one that begins; logged with it. */
  readonly begun: BegunFaults;
  /** The tools as the agent sees them; null where they are the engine's own. */
  readonly tools: ToolList | null;
}

/** What struck, and what could not, at the beginning of a turn. */
export interface BegunFaults {
  readonly applied: readonly AppliedFault[];
  readonly skipped: readonly InapplicableFault[];
}

/** Nothing happened between two turns. */
export const NOTHING_BEGUN: BegunFaults = { applied: [], skipped: [] };

/** The state of an episode that has not begun. */
export function startState(setup: EpisodeSetup): EpisodeState {
  return beginNextTurn(setup, {
    session: setup.engine.open(setup.spec, setup.seed),
    ledger: Ledger.empty,
    recorded: RecordedProgress.start,
    faults: setup.schedule.start(),
    turns: TurnList.empty,
    nowMs: setup.spec.startMs,
    waitedMs: 0,
    revision: 0,
    tokens: 0,
    end: null,
    past: [],
    begun: NOTHING_BEGUN,
    tools: null,
  });
}

/** The simulated clock as ISO 8601 UTC. */
export function clockText(nowMs: number): string {
  return new Date(nowMs).toISOString();
}
