/**
 * What the stages decided about a turn as a training target, written on the turn itself under the key `training`.
 *
 * A turn without the key may be a target. A dropped turn is never one and stays as context. The mask stage adds its
 * category, ratio and decision; all three are kept, so that an export can use the decision or the ratio.
 */
import { isJsonObject, type Json, type JsonObject, type Turn } from '../../core/index.js';

/** Categories of turns by how much their observation teaches (arXiv 2606.24597, loss masking). */
export const MASK_CATEGORIES = [
  'echo',
  'boilerplate',
  'transform',
  'retrieval',
  'expansion',
  'action',
  'other',
] as const;

/** One of {@link MASK_CATEGORIES}. */
export type MaskCategory = (typeof MASK_CATEGORIES)[number];

/** The mask's view of a turn. Shares are fractions 0–1 with four decimals, null where there is nothing to share. */
export interface TurnMask {
  readonly category: MaskCategory;
  /** The probability with which a turn of this category enters the loss. */
  readonly keepRatio: number;
  /** The seeded decision for this turn. */
  readonly kept: boolean;
  readonly overlap: number | null;
  readonly novelty: number | null;
  readonly jaccard: number | null;
  /** Characters of the observation per character of the action; null for an empty action. */
  readonly lengthRatio: number | null;
}

/** The value of a turn's key `training`. */
export interface TurnTraining {
  /** The rule that dropped it as a target. */
  readonly dropped?: string;
  readonly mask?: TurnMask;
}

/** What stands on a turn; an empty object where nothing does, or where it is not this package's. */
export function trainingOf(turn: Turn): TurnTraining {
  const mark = (turn as { readonly training?: Json }).training;
  return isJsonObject(mark) ? (mark as TurnTraining) : {};
}

/** The turn with more marks; the turn given is unchanged. */
export function withTraining(turn: Turn, marks: TurnTraining): Turn {
  const training = { ...trainingOf(turn), ...marks } as unknown as JsonObject;
  return { ...turn, training } as Turn;
}

/** True if a turn may be a target at all: it has an observation and no rule dropped it. */
export function mayBeTarget(turn: Turn): boolean {
  return turn.observation !== null && trainingOf(turn).dropped === undefined;
}

/** True if a turn enters the loss: it may be a target and the mask, where there is one, kept it. */
export function isTarget(turn: Turn): boolean {
  return mayBeTarget(turn) && trainingOf(turn).mask?.kept !== false;
}
