/**
 * The tree of a regular expression, shared by the POSIX and the Perl readers, and the error both raise.
 */
import type { CharSet } from './char-set.js';

/** Places without width. `textStart` and `textEnd` never mean lines; `lineStart` and `lineEnd` may. */
export type Assertion =
  | 'lineStart'
  | 'lineEnd'
  | 'textStart'
  | 'textEnd'
  | 'lastLineEnd'
  | 'wordBoundary'
  | 'notWordBoundary'
  | 'wordStart'
  | 'wordEnd'
  | 'noWordBefore'
  | 'noWordAfter'
  | 'searchStart';

/** A node. Groups are numbered from 1; a `group` without a number only holds its node together. */
export type RegexNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'set'; readonly set: CharSet; readonly literal?: number }
  | { readonly kind: 'concat'; readonly nodes: readonly RegexNode[] }
  | { readonly kind: 'alternatives'; readonly nodes: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly node: RegexNode;
      readonly min: number;
      /** Infinity for no upper bound. */
      readonly max: number;
      readonly mode: 'greedy' | 'lazy' | 'possessive';
    }
  | { readonly kind: 'group'; readonly node: RegexNode; readonly index: number }
  | { readonly kind: 'backreference'; readonly index: number; readonly ignoreCase: boolean }
  | { readonly kind: 'assert'; readonly what: Assertion; readonly multiline: boolean }
  | {
      readonly kind: 'look';
      readonly node: RegexNode;
      readonly behind: boolean;
      readonly negated: boolean;
    }
  | { readonly kind: 'atomic'; readonly node: RegexNode }
  | { readonly kind: 'keep' };

/** A tree with what its compiler needs to know. */
export interface RegexTree {
  readonly node: RegexNode;
  /** The number of capturing groups. */
  readonly groups: number;
  /** The expression needs backtracking: back-references or Perl's constructs. */
  readonly needsBacktracking: boolean;
  /** Among matches at the leftmost place the longest counts (POSIX), not the first found (Perl). */
  readonly longest: boolean;
  /** Numbers of named groups, where there are some. */
  readonly names?: ReadonlyMap<string, number>;
  /** Things to tell the user, for example `warning: * at start of expression`. */
  readonly warnings: readonly string[];
}

/** A pattern that is no regular expression; the message is the C library's. */
export class RegexSyntaxError extends Error {}

/** A match that would take more steps or memory than is allowed. */
export class RegexBudgetError extends Error {}

/** The most instructions one expression may compile to. */
export const MAX_INSTRUCTIONS = 60_000;
