/**
 * The mask stage: statistics, category, keep ratio and a seeded decision on every turn that may be a target.
 *
 * The idea: whole turns are masked, so a category's keep ratio is the probability with which a turn of it enters the
 * loss. The draw depends on (seed, trajectory id, number of the turn) alone: the order of files, shards and machines
 * does not matter. Masked turns stay as context. Source: arXiv 2606.24597, turn-level loss masking.
 */
import { type JsonObject, randomStream, type Trajectory, type Turn } from '../../core/index.js';
import { TOKENISATION } from '../../text/index.js';
import { type Stage, Tally } from '../stages/stage.js';
import {
  MASK_CATEGORIES,
  type MaskCategory,
  mayBeTarget,
  type TurnMask,
  withTraining,
} from '../stages/turn-training.js';
import { KEEP_RATIOS, maskCategory, turnStatistics } from './mask-category.js';

/** How to mask. */
export interface MaskOptions {
  /** Decides the draws. Default 0. */
  readonly seed?: number | string;
  /** Keep ratios that differ from {@link KEEP_RATIOS}, fractions 0–1. */
  readonly keepRatios?: Partial<Record<MaskCategory, number>>;
}

/** The mask of one turn. `place` is (trajectory id, number of the turn from 1). */
export function maskTurn(
  turn: { readonly action: string; readonly observation: string },
  place: { readonly trajectory: string; readonly turn: number },
  options: MaskOptions = {},
): TurnMask {
  const statistics = turnStatistics(turn.action, turn.observation);
  const { category } = maskCategory(statistics);
  const keepRatio = options.keepRatios?.[category] ?? KEEP_RATIOS[category];
  const { overlap, novelty, jaccard, lengthRatio } = statistics;
  return {
    category,
    keepRatio,
    kept: isKept(keepRatio, options.seed ?? 0, place),
    overlap: rounded(overlap),
    novelty: rounded(novelty),
    jaccard: rounded(jaccard),
    lengthRatio: rounded(lengthRatio),
  };
}

function isKept(
  keepRatio: number,
  seed: number | string,
  place: { readonly trajectory: string; readonly turn: number },
): boolean {
  if (keepRatio >= 1) return true;
  if (keepRatio <= 0) return false;
  return randomStream(seed, 'mask', place.trajectory, String(place.turn)).chance(keepRatio);
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}

/** Opens the stage. */
export function createMaskStage(options: MaskOptions = {}): Stage<Trajectory> {
  const { seed = 0, keepRatios = {} } = options;
  const seen = { trajectories: 0, turns: 0 };
  const turns = new Tally();
  const kept = new Tally();
  const characters = new Tally();
  const others = new Tally();
  const mask = (turn: Turn, trajectory: string, number: number): Turn => {
    const { action, observation } = turn;
    seen.turns += 1;
    if (observation === null || !mayBeTarget(turn)) {
      others.add(observation === null ? 'without observation' : 'dropped before');
      return turn;
    }
    const made = maskTurn({ action, observation }, { trajectory, turn: number }, options);
    turns.add(made.category);
    characters.add(made.category, observation.length);
    if (made.kept) kept.add(made.category);
    if (action === '' && observation === '') others.add('neither action nor observation');
    return withTraining(turn, { mask: made });
  };
  return {
    name: 'mask',
    parameters: { seed, tokenisation: TOKENISATION, keepRatios: { ...KEEP_RATIOS, ...keepRatios } },
    take: (trajectory) => {
      seen.trajectories += 1;
      return [{ ...trajectory, turns: trajectory.turns.map((turn, i) => mask(turn, trajectory.id, i + 1)) }];
    },
    end: () => [],
    report: () => ({ ...seen, categories: categoryRows(turns, kept, characters), others: others.toJson() }),
  };
}

function categoryRows(turns: Tally, kept: Tally, characters: Tally): JsonObject {
  const rows = MASK_CATEGORIES.filter((category) => turns.get(category) > 0).map((category) => [
    category,
    { turns: turns.get(category), kept: kept.get(category), characters: characters.get(category) },
  ]);
  return Object.fromEntries(rows);
}
