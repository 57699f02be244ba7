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

/** Chooses the turns for a budget of tokens (0 or more). */
export function chooseTurns(turns: Iterable<Turn>, budgetTokens: number): HistoryWindow {
  const all: ShownTurn[] = [];
  let number = 0;
  for (const { action, observation } of turns) {
    number += 1;
    if (observation !== null) all.push({ number, action, observation });
  }
  const most = Math.floor(budgetTokens * SHARE_OF_ONE);
  const first = all[0];
  if (first === undefined) return { shown: [], omitted: 0 };
  const kept: ShownTurn[] = [];
  let left = budgetTokens;
  const opening = cutTo(first, most);
  const openingTokens = tokensOf(opening);
  for (let at = all.length - 1; at > 0; at--) {
    const turn = cutTo(all[at] as ShownTurn, most);
    const cost = tokensOf(turn);
    // The newest turn counts more than the first; after it the first has its place.
    const reserved = kept.length === 0 ? 0 : openingTokens;
    if (cost + reserved > left) break;
    kept.push(turn);
    left -= cost;
  }
  const hasFirst = openingTokens <= left;
  const shown = [...(hasFirst ? [opening] : []), ...kept.reverse()];
  return { shown, omitted: all.length - shown.length };
}

function tokensOf({ action, observation }: ShownTurn): number {
  return estimateTokens(action) + estimateTokens(observation) + 2 * MESSAGE_TOKENS;
}

/** The turn with its observation cut in the middle where it is longer than the budget allows. */
function cutTo(turn: ShownTurn, tokens: number): ShownTurn {
  const { observation } = turn;
  if (tokensOf(turn) <= tokens) return turn;
  const units = Math.max(200, Math.floor((tokens * UNITS_PER_TOKEN) / 2));
  if (observation.length <= 2 * units) return turn;
  const omitted = observation.length - 2 * units;
  const cut = `${observation.slice(0, units)}\n(${omitted} characters left out)\n${observation.slice(-units)}`;
  return { ...turn, observation: cut };
}
