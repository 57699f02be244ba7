/**
 * The filter stage: rules in order, every drop counted by reason and told to whoever asks.
 *
 * The idea: rules that judge the whole look first, at the trajectory as it came; then turns are stripped, which moves the
 * gaps; then turns are dropped as targets; what is left with fewer than two turns is dropped as a whole. Running it
 * again changes nothing.
 */
import type { JsonObject, Trajectory, Turn } from '../../core/index.js';
import { type Drop, type DropListener, type Stage, Tally } from '../stages/stage.js';
import { trainingOf, withTraining } from '../stages/turn-training.js';
import { brokenEnvironment } from './broken-screens.js';
import { undeclaredTools } from './declared-tools.js';
import type { FilterRule, TurnVerdict } from './filter-rule.js';
import {
  emptyAction,
  incompleteObservation,
  missingHistory,
  noChange,
  retryCycle,
  simulatedText,
} from './turn-rules.js';

/** All rules but `too-few-turns`, in the order in which they are asked. */
const FILTER_RULES: readonly FilterRule[] = [
  undeclaredTools,
  brokenEnvironment,
  emptyAction,
  retryCycle,
  incompleteObservation,
  missingHistory,
  noChange,
  simulatedText,
];

/** The rule about the number of turns; it comes last. */
const TOO_FEW_TURNS = 'too-few-turns';

/** Fewest turns of a trajectory that is kept. */
export const FEWEST_TURNS = 2;

/** How to filter. */
export interface FilterOptions {
  /** Names of rules to leave out. */
  readonly without?: readonly string[];
  /** Told of every drop. */
  readonly onDrop?: DropListener;
}

/** The names of all rules with a line about each, for flags and help. */
export function filterRules(): readonly { readonly name: string; readonly about: string }[] {
  const few = { name: TOO_FEW_TURNS, about: `trajectories with fewer than ${FEWEST_TURNS} turns` };
  return [...FILTER_RULES.map(({ name, about }) => ({ name, about })), few];
}

/** Opens the stage. Names in `without` that are no rules are the caller's to refuse. */
export function createFilterStage(options: FilterOptions = {}): Stage<Trajectory> {
  const { without = [] } = options;
  const rules = FILTER_RULES.filter(({ name }) => !without.includes(name));
  const counts = { trajectories: 0, turns: 0, keptTrajectories: 0, keptTurns: 0, targets: 0 };
  const dropped = { trajectory: new Tally(), turn: new Tally() };
  const tell = (drop: Drop): void => {
    dropped[drop.what === 'trajectory' ? 'trajectory' : 'turn'].add(drop.rule);
    options.onDrop?.(drop);
  };
  const take = (trajectory: Trajectory): readonly Trajectory[] => {
    counts.trajectories += 1;
    counts.turns += trajectory.turns.length;
    const kept = applyRules(trajectory, rules, tell);
    if (kept === undefined) return [];
    if (kept.turns.length < FEWEST_TURNS && !without.includes(TOO_FEW_TURNS)) {
      const detail = `${kept.turns.length} of ${trajectory.turns.length} turns left`;
      tell({ what: 'trajectory', trajectory: trajectory.id, rule: TOO_FEW_TURNS, detail });
      return [];
    }
    counts.keptTrajectories += 1;
    counts.keptTurns += kept.turns.length;
    counts.targets += kept.turns.filter((turn) => trainingOf(turn).dropped === undefined).length;
    return [kept];
  };
  return {
    name: 'filter',
    parameters: { rules: filterRules().flatMap(({ name }) => (without.includes(name) ? [] : [name])) },
    take,
    end: () => [],
    report: (): JsonObject => ({
      ...counts,
      droppedTrajectories: dropped.trajectory.toJson(),
      droppedTurns: dropped.turn.toJson(),
    }),
  };
}

function applyRules(
  trajectory: Trajectory,
  rules: readonly FilterRule[],
  tell: DropListener,
): Trajectory | undefined {
  const strip = new Set<number>();
  const drop = new Map<number, string>();
  for (const rule of rules) {
    if (rule.domains !== undefined && !rule.domains.includes(trajectory.domain)) continue;
    const verdict = rule.check(trajectory);
    if ('dropAll' in verdict) {
      tell({ what: 'trajectory', trajectory: trajectory.id, rule: rule.name, detail: verdict.dropAll });
      return undefined;
    }
    for (const turn of verdict) {
      if (isFirstWord(turn, { trajectory, strip, drop })) {
        tell({
          what: 'turn',
          trajectory: trajectory.id,
          turn: turn.index + 1,
          rule: rule.name,
          ...detailOf(turn),
        });
        if (turn.do === 'strip') strip.add(turn.index);
        else drop.set(turn.index, rule.name);
      }
    }
  }
  return strip.size + drop.size === 0 ? trajectory : without(trajectory, strip, drop);
}

function detailOf({ detail }: TurnVerdict): { readonly detail?: string } {
  return detail === undefined ? {} : { detail };
}

/** The first rule that speaks of a turn is the one that is counted; a turn that an earlier run dropped is not new. */
function isFirstWord(
  { index, do: how }: TurnVerdict,
  seen: {
    readonly trajectory: Trajectory;
    readonly strip: ReadonlySet<number>;
    readonly drop: ReadonlyMap<number, string>;
  },
): boolean {
  if (seen.strip.has(index)) return false;
  if (how === 'strip') return !seen.drop.has(index);
  const turn = seen.trajectory.turns[index];
  return !seen.drop.has(index) && turn !== undefined && trainingOf(turn).dropped === undefined;
}

function without(
  trajectory: Trajectory,
  strip: ReadonlySet<number>,
  drop: ReadonlyMap<number, string>,
): Trajectory {
  const turns: Turn[] = [];
  const gaps = new Set<number>();
  const oldGaps = new Set(trajectory.gaps ?? []);
  for (const [index, turn] of trajectory.turns.entries()) {
    if (oldGaps.has(index)) gaps.add(turns.length);
    if (strip.has(index)) continue;
    const rule = drop.get(index);
    turns.push(rule === undefined ? turn : withTraining(turn, { dropped: rule }));
  }
  if (oldGaps.has(trajectory.turns.length)) gaps.add(turns.length);
  return { ...trajectory, ...(gaps.size > 0 && { gaps: [...gaps] }), turns };
}
