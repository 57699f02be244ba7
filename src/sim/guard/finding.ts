/**
 * What the guard finds in a model's words, and what it may know when it looks.
 *
 * Only what can be decided is looked at: a finding says that the words contradict something known or are no observation
 * at all, never that they are improbable. Not covered: taste, style, likelihood.
 */

import type { Domain, Json, Operation } from '../../core/index.js';
import type { DomainFormat } from '../../domains/index.js';
import type { PinnedFact } from '../pinned-facts.js';
import type { KnownText } from './known-text.js';

/** The checks, by the names that stand in `flags` as `guard:NAME`. */
export const GUARD_CHECKS = [
  /** Words of a hidden target, a hidden answer or a secret fact, also encoded, split or with other case. */
  'leak',
  /** The model refuses to answer. */
  'refusal',
  /** The model talks to somebody instead of being the environment. */
  'assistant',
  /** Words of the simulation itself: its instruction, "simulator", "ground truth". */
  'vocabulary',
  /** The model goes on with the agent's next action. */
  'answers-for-agent',
  /** The same piece again and again. */
  'loop',
  /** The words end in the middle of a tag or an escape. */
  'mid-tag',
  /** A tree, a page or a list of results that is not well-formed. */
  'form',
  /** Known rows, files or counts are contradicted. */
  'contradiction',
  /** Effects of a program that are of another form, or cannot be. */
  'effects',
] as const;

/** One of {@link GUARD_CHECKS}. */
export type GuardCheck = (typeof GUARD_CHECKS)[number];

/** Something wrong with a model's words. */
export interface GuardFinding {
  readonly check: GuardCheck;
  /** One sentence, also for the model that is asked again. Never holds what was leaked. */
  readonly problem: string;
  /**
   * What becomes of it when asking again did not help: `fail` the words are never shown · `cut` they are shown up to
   * `cutAt` · `flag` they are shown and the turn is flagged.
   */
  readonly finally: 'fail' | 'cut' | 'flag';
  /** UTF-16 offset from which the words are no observation, for `cut`. */
  readonly cutAt?: number;
}

/** What a world's author hides from agents. */
export interface HiddenWords {
  readonly target: string;
  readonly answer: string;
}

/** What the guard may know about the question. */
export interface GuardContext {
  readonly domain: Domain;
  readonly format: DomainFormat;
  readonly op: Operation;
  /** The state as rules see it. */
  readonly view: Json;
  readonly hidden: HiddenWords | undefined;
  readonly facts: readonly PinnedFact[];
  /** The author's instruction to the model; quoting it is a slip of the tongue. */
  readonly instruction: string | undefined;
  /** Texts that the agent knows or the engine computed: repeating them is no finding. */
  readonly known: KnownText;
}
