/**
 * What a filter rule is: it looks at one trajectory and says which turns, or the whole, should not be learnt from.
 *
 * Verdicts on turns are of two kinds. `drop`: the turn is never a target and stays as context. `strip`: the turn leaves
 * the trajectory, because it is no step of the environment (a pause, garbage that was answered with "try again"). Source:
 * arXiv 2606.24597, data processing.
 */
import type { Domain, Trajectory, Turn } from '../../core/index.js';

/** What a rule says of one turn. */
export interface TurnVerdict {
  /** Index of the turn, from 0. */
  readonly index: number;
  readonly do: 'drop' | 'strip';
  /** What was seen. */
  readonly detail?: string;
}

/** What a rule says of a trajectory: drop all of it, with what was seen, or verdicts on its turns. */
export type RuleVerdict = { readonly dropAll: string } | readonly TurnVerdict[];

/** One rule. */
export interface FilterRule {
  /** Its name in reports and flags, for example `no-change`. */
  readonly name: string;
  /** One line for the help and the documentation. */
  readonly about: string;
  /** The domains it looks at; all where absent. */
  readonly domains?: readonly Domain[];
  check(trajectory: Trajectory): RuleVerdict;
}

/** The domains whose observations are screens given as text. */
export const SCREEN_DOMAINS: readonly Domain[] = ['android', 'web', 'os'];

/** The domains whose actions are calls of named tools. */
export const TOOL_DOMAINS: readonly Domain[] = ['mcp', 'swe', 'search'];

/** Verdicts on all turns for which `see` gives what was seen. */
export function verdictsOn(
  trajectory: Trajectory,
  how: TurnVerdict['do'],
  see: (turn: Turn, index: number) => string | undefined,
): readonly TurnVerdict[] {
  return trajectory.turns.flatMap((turn, index) => {
    const detail = see(turn, index);
    return detail === undefined ? [] : [{ index, do: how, detail }];
  });
}
