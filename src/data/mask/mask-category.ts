/**
 * The category of a turn: how much of its observation is new, repeated or a mere echo of the action.
 *
 * From the sets of words of action and observation (lower case, each once, every script): overlap OL = |Wa ∩ Wo| / |Wa|,
 * novelty Nov = |Wo \ Wa| / |Wo|, length ratio R = |observation| / |action| in characters. Signatures overlap, so rules
 * are tried in this order and the first that holds wins:
 *
 * 1. echo: OL ≥ 0.7, Nov < 0.3
 * 2. boilerplate: OL ≥ 0.5, Nov < 0.5
 * 3. transform: Nov < 0.5, R < 1
 * 4. retrieval: Nov ≥ 0.6, R > 1
 * 5. expansion: OL ≥ 0.5, Nov ≥ 0.5, R > 1.5
 * 6. action: Nov ≥ 0.5, and R ≤ 1 or the observation is short (at most 80 characters)
 * 7. other
 *
 * A condition on a share of nothing does not hold; lengths compare by multiplication, so an empty action is shorter than
 * any observation. Source: arXiv 2606.24597, turn-level loss masking; hard cases P-DAT-1 and P-DAT-2. Tools' names play
 * no part.
 */
import { characterCount, countWords } from '../../text/index.js';
import type { MaskCategory } from '../stages/turn-training.js';

/** An observation of at most this many characters is short. */
export const SHORT_CHARACTERS = 80;

/** The published keep ratios, fractions 0–1. */
export const KEEP_RATIOS: Readonly<Record<MaskCategory, number>> = {
  echo: 0.05,
  boilerplate: 0.1,
  transform: 0.5,
  retrieval: 1,
  expansion: 1,
  action: 1,
  other: 1,
};

/** The four statistics of a turn, exact; null where there is nothing to take a share of. */
export interface TurnStatistics {
  readonly overlap: number | null;
  readonly novelty: number | null;
  readonly jaccard: number | null;
  readonly lengthRatio: number | null;
  /** Characters (code points) of the action. */
  readonly actionCharacters: number;
  /** Characters (code points) of the observation. */
  readonly observationCharacters: number;
}

/** Computes the four statistics of an action and its observation. */
export function turnStatistics(action: string, observation: string): TurnStatistics {
  const { first, second, shared } = countWords(action, observation);
  const all = first + second - shared;
  const actionCharacters = characterCount(action);
  const observationCharacters = characterCount(observation);
  return {
    overlap: first === 0 ? null : shared / first,
    novelty: second === 0 ? null : (second - shared) / second,
    jaccard: all === 0 ? null : shared / all,
    lengthRatio: actionCharacters === 0 ? null : observationCharacters / actionCharacters,
    actionCharacters,
    observationCharacters,
  };
}

interface Sizes {
  /** |Wa ∩ Wo| / |Wa|, or -1 where undefined. */
  readonly overlap: number;
  readonly novelty: number;
  readonly action: number;
  readonly observation: number;
}

/** The rules in order: a category, its signature in words, and whether it holds. */
const RULES: readonly {
  readonly category: MaskCategory;
  readonly signature: string;
  readonly holds: (sizes: Sizes) => boolean;
}[] = [
  {
    category: 'echo',
    signature: 'overlap at least 0.7 and novelty below 0.3',
    holds: ({ overlap, novelty }) => overlap >= 0.7 && novelty < 0.3,
  },
  {
    category: 'boilerplate',
    signature: 'overlap at least 0.5 and novelty below 0.5',
    holds: ({ overlap, novelty }) => overlap >= 0.5 && novelty < 0.5,
  },
  {
    category: 'transform',
    signature: 'novelty below 0.5 and shorter than the action',
    holds: ({ novelty, action, observation }) => novelty < 0.5 && observation < action,
  },
  {
    category: 'retrieval',
    signature: 'novelty at least 0.6 and longer than the action',
    holds: ({ novelty, action, observation }) => novelty >= 0.6 && observation > action,
  },
  {
    category: 'expansion',
    signature: 'overlap and novelty at least 0.5 and over 1.5 times as long as the action',
    holds: ({ overlap, novelty, action, observation }) =>
      overlap >= 0.5 && novelty >= 0.5 && observation > action * 1.5,
  },
  {
    category: 'action',
    signature: `novelty at least 0.5 and no longer than the action, or at most ${SHORT_CHARACTERS} characters`,
    holds: ({ novelty, action, observation }) =>
      novelty >= 0.5 && (observation <= action || observation <= SHORT_CHARACTERS),
  },
];

/** The category of a turn by its statistics, with the signature that held. */
export function maskCategory(statistics: TurnStatistics): {
  readonly category: MaskCategory;
  readonly signature: string;
} {
  const { overlap, novelty, actionCharacters, observationCharacters } = statistics;
  // Without words in the observation nothing is new and nothing is repeated; without words in the action nothing is.
  if (novelty === null) return { category: 'other', signature: 'no words in the observation' };
  const sizes: Sizes = {
    overlap: overlap ?? -1,
    novelty,
    action: actionCharacters,
    observation: observationCharacters,
  };
  const rule = RULES.find(({ holds }) => holds(sizes));
  return rule ?? { category: 'other', signature: 'no signature holds' };
}
