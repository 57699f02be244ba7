/**
 * Which turns of a trajectory fit a window of tokens: whole turns only, oldest out first.
 *
 * The system prompt and the first turn (it carries the task) stay, then as many of the newest turns before the target as
 * fit. A target that does not fit even then has no sample. Source: arXiv 2606.24597, SFT and RL; facts on exports.
 */

/** The published window of training samples, in tokens. */
export const WINDOW_TOKENS = 262_144;
/** The published longest prompt of an RL row, in tokens. */
export const PROMPT_TOKENS = 131_072;

/** Token counts of a trajectory's parts, markers included. */
export interface TurnTokens {
  readonly system: number;
  /** Tokens of the action and observation of a turn by its index, from 0. */
  turn(index: number): { readonly action: number; readonly observation: number };
}

/** What fits. */
export interface WindowFit {
  /** Indexes of the turns before the last one that are shown, in order. */
  readonly context: readonly number[];
  /** Turns left out between the first and the rest. */
  readonly droppedTurns: number;
  /** Tokens of everything but the last observation. */
  readonly promptTokens: number;
  readonly totalTokens: number;
}

/** Fits the turns 0 … `last` into a window; undefined where system, first and last turn alone are too long. */
export function fitWindow(tokens: TurnTokens, last: number, windowTokens: number): WindowFit | undefined {
  const sizeOf = (index: number): number => {
    const { action, observation } = tokens.turn(index);
    return action + observation;
  };
  let total = tokens.system + sizeOf(last) + (last > 0 ? sizeOf(0) : 0);
  if (total > windowTokens) return undefined;
  let oldest = last;
  while (oldest > 1 && total + sizeOf(oldest - 1) <= windowTokens) {
    oldest -= 1;
    total += sizeOf(oldest);
  }
  const context = last > 0 ? [0] : [];
  for (let index = Math.max(1, oldest); index < last; index++) context.push(index);
  return {
    context,
    droppedTurns: last - context.length,
    promptTokens: total - tokens.turn(last).observation,
    totalTokens: total,
  };
}
