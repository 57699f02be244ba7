/**
 * Which earlier turns a model is shown: the first, then as many of the last as a budget of tokens allows, in order.
 *
 * The first turn shows the form of answers and often the start of the world; the last ones show what the agent is about.
 * What lies between is told by a summary of the state that code makes, not by a model. Turns without an observation are
 * left out. Lengths are estimates (10–20 %). Not covered: choosing turns by meaning.
 */
import type { Turn } from '../core/index.js';
import { estimateTokens, MESSAGE_TOKENS } from '../text/index.js';

/** One turn as it is shown. */
export interface ShownTurn {
  /** From 1. */
  readonly number: number;
  readonly action: string;
  readonly observation: string;
}

/** The turns that fit. */
export interface HistoryWindow {
  readonly shown: readonly ShownTurn[];
  /** Turns with an observation that are not shown. */
  readonly omitted: number;
}

/** Longest part of one turn's text that is shown, as a share of the budget. */
const SHARE_OF_ONE = 0.5;
/** UTF-16 units of a token, at the most, when a long text is cut. */
const UNITS_PER_TOKEN = 3;

/** What turns cost; a turn never changes, and each is asked about again with every turn after it. */
const COSTS = new WeakMap<Turn, number>();

/** Chooses the turns for a budget of tokens (0 or more). */
export function chooseTurns(turns: Iterable<Turn>, budgetTokens: number): HistoryWindow {
  const all = [...turns];
  const most = Math.floor(budgetTokens * SHARE_OF_ONE);
  const firstAt = all.findIndex(isAnswered);
  const opening = shownAt(all, firstAt, most);
  if (opening === undefined) return { shown: [], omitted: 0 };
  const kept: ShownTurn[] = [];
  let left = budgetTokens;
  for (let at = all.length - 1; at > firstAt; at--) {
    const turn = shownAt(all, at, most);
    if (turn === undefined) continue;
    // The newest turn counts more than the first; after it the first has its place.
    const reserved = kept.length === 0 ? 0 : opening.tokens;
    if (turn.tokens + reserved > left) break;
    kept.push(turn.shown);
    left -= turn.tokens;
  }
  const hasFirst = opening.tokens <= left;
  const shown = [...(hasFirst ? [opening.shown] : []), ...kept.reverse()];
  return { shown, omitted: all.reduce((sum, turn) => sum + (isAnswered(turn) ? 1 : 0), -shown.length) };
}

function isAnswered({ observation }: Turn): boolean {
  return observation !== null;
}

/** A turn as it is shown, with what that costs; undefined where there is no observation. */
function shownAt(
  turns: readonly Turn[],
  at: number,
  mostTokens: number,
): { readonly shown: ShownTurn; readonly tokens: number } | undefined {
  const turn = turns[at];
  if (turn === undefined || turn.observation === null) return undefined;
  const { action, observation } = turn;
  const whole = { number: at + 1, action, observation };
  let tokens = COSTS.get(turn);
  if (tokens === undefined) {
    tokens = tokensOf(whole);
    COSTS.set(turn, tokens);
  }
  if (tokens <= mostTokens) return { shown: whole, tokens };
  const shown = cutTo(whole, mostTokens);
  return { shown, tokens: shown === whole ? tokens : tokensOf(shown) };
}

function tokensOf({ action, observation }: ShownTurn): number {
  return estimateTokens(action) + estimateTokens(observation) + 2 * MESSAGE_TOKENS;
}

/** The turn with its observation cut in the middle where that makes it shorter. */
function cutTo(turn: ShownTurn, tokens: number): ShownTurn {
  const { observation } = turn;
  const units = Math.max(200, Math.floor((tokens * UNITS_PER_TOKEN) / 2));
  if (observation.length <= 2 * units) return turn;
  const omitted = observation.length - 2 * units;
  const cut = `${observation.slice(0, units)}\n(${omitted} characters left out)\n${observation.slice(-units)}`;
  return { ...turn, observation: cut };
}
