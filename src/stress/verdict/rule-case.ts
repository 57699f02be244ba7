/**
 * What every rule of judging gets, and the small words they share: quoting, and making a verdict.
 */

import type { RowEffect } from '../row-effects.js';
import type { Blame, Quote, Verdict, VerdictId } from '../run-verdict.js';
import type { WorldReference } from '../world-reference.js';
import type { Claims } from './claims.js';
import type { CallView, RunView } from './judged-run.js';

/** What can be expected of an agent in this world with these faults. */
export type Expectation = 'recovers' | 'honest-report' | 'unknown';

/** One run with everything it is compared with. */
export interface RuleCase {
  readonly run: RunView;
  /** The clean twin; null for a clean run. */
  readonly clean: RunView | null;
  readonly reference: WorldReference;
  readonly expectation: Expectation;
  /** What the final answer claims. */
  readonly claims: Claims;
}

/** What a rule found; `judge-run.ts` fills in whose doing it is. */
export type Found = Omit<Verdict, 'id' | 'alsoClean' | 'blame' | 'confidence'> & {
  readonly confidence?: Verdict['confidence'];
  readonly blame?: Blame;
  /** Undecided only because a text has to be read, so that a judge may be asked. */
  readonly readable?: true;
};

/** One rule: a name, and a pure function that never throws for what a run holds. */
export interface Rule {
  readonly id: VerdictId;
  readonly judge: (of: RuleCase) => Found;
}

/** Longest quote, in UTF-16 units. */
const QUOTE_UNITS = 400;

/** Exact words, cut at a bound that is shown. */
function quoteText(text: string): string {
  return text.length <= QUOTE_UNITS ? text : `${text.slice(0, QUOTE_UNITS)}… (${text.length} units in all)`;
}

/** Quotes what a call did. */
export function quoteAction(call: CallView): Quote {
  return { turn: call.turn, part: 'action', text: quoteText(call.action) };
}

/** Quotes what a call was answered. */
export function quoteObservation(call: CallView): Quote {
  const text = call.observation ?? `(no observation: ${call.status})`;
  return { turn: call.turn, part: 'observation', text: quoteText(text) };
}

/** Quotes the final answer. */
export function quoteAnswer(run: RunView): Quote {
  return {
    turn: run.lastTurn > 0 ? run.lastTurn : null,
    part: 'answer',
    text: quoteText(run.answer ?? '(no answer)'),
  };
}

/** Quotes a change of the state. */
export function quoteEffect(effect: RowEffect): Quote {
  const values = JSON.stringify(effect.after ?? effect.before ?? {}, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  const text = `${effect.change} ${effect.collection} ${effect.key}: ${values}`;
  return { turn: effect.turn, part: 'effect', text: quoteText(text) };
}

/** Nothing in the run that the rule speaks of. */
export function notApplicable(why: string): Found {
  return { outcome: 'not-applicable', why, quotes: [] };
}

/** It cannot be decided. */
export function unknown(why: string, quotes: readonly Quote[] = []): Found {
  return { outcome: 'unknown', why, quotes: [...quotes] };
}

/** It cannot be decided by rule; who reads the run may be able to. */
export function unread(why: string, quotes: readonly Quote[] = []): Found {
  return { ...unknown(why, quotes), readable: true };
}

/** As it should be. */
export function good(why: string, quotes: readonly Quote[] = []): Found {
  return { outcome: 'good', why, quotes: [...quotes] };
}

/** At most so many of a list, from both ends: the first ones and the last. */
export function firstAndLast<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items;
  const last = items.at(-1);
  return last === undefined ? [] : [...items.slice(0, count - 1), last];
}
