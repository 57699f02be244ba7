/**
 * The clean stage: denoise, secrets, segment, align, score, in this order, each with its own report.
 *
 * The order matters: colours in the middle of a key would hide it, so screens are made first; parts of one session share
 * their placeholders, so secrets go before the cut; scores judge what comes out. Cleaning twice changes nothing. Source:
 * arXiv 2606.24597, data (fetch → denoise → segment → align → score).
 */
import { hashText, type Trajectory } from '../../core/index.js';
import { chainStages, type DropListener, type Stage } from '../stages/stage.js';
import { createAlignStage } from './align-trajectory.js';
import { createDenoiseStage } from './denoise-trajectory.js';
import { createRedactStage } from './redact-trajectory.js';
import { createScoreStage } from './score-trajectory.js';
import { createSegmentStage } from './segment-trajectory.js';

/** The steps in the order in which they stand. */
export const CLEAN_STEPS = ['denoise', 'secrets', 'segment', 'align', 'score'] as const;

/** One of {@link CLEAN_STEPS}. */
export type CleanStep = (typeof CLEAN_STEPS)[number];

/** How to clean. */
export interface CleanOptions {
  /** Which steps. Default all. */
  readonly steps?: readonly CleanStep[];
  /** Keep raw observations under `raw` where they differ. */
  readonly keepRaw?: boolean;
  /** Makes placeholders the same in the whole set; as secret as the data. */
  readonly seed?: string;
  /** Kinds of secrets and personal data that stay. */
  readonly keep?: readonly string[];
  /** Domains whose e-mail addresses stay. */
  readonly allowedDomains?: readonly string[];
  /** Trajectories of a lower score are dropped, 0 to 1. */
  readonly minQuality?: number;
  /** Told of turns that were joined to others and of trajectories that were dropped. */
  readonly onDrop?: DropListener;
}

/** Opens the stage. */
export function createCleanStage(options: CleanOptions = {}): Stage<Trajectory> {
  const { steps = CLEAN_STEPS, seed } = options;
  const openers: Readonly<Record<CleanStep, () => Stage<Trajectory>>> = {
    denoise: () => createDenoiseStage(options),
    secrets: () => createRedactStage(options),
    segment: () => createSegmentStage(),
    align: () => createAlignStage(options),
    score: () => createScoreStage(options),
  };
  const chain = chainStages<Trajectory, Trajectory>(
    CLEAN_STEPS.filter((step) => steps.includes(step)).map(
      (step) => openers[step]() as Stage<never, unknown>,
    ),
  );
  // The seed would let whoever reads the manifest test guesses of what was replaced.
  const seedHash = seed === undefined ? null : hashText(`umwelt clean seed ${seed}`).slice(0, 16);
  return { ...chain, name: 'clean', parameters: { ...chain.parameters, seedHash } };
}
