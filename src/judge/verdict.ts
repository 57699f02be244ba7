/**
 * What a judge says of one prediction, and the port of everything that can judge.
 *
 * A verdict is scored with all five grades, or unscored with the reason and the raw text: a judge that fails never
 * becomes a number (hard case P-EVAL-3). A stamp says who judged and by what; verdicts with different stamps are not
 * comparable and are never mixed in one score. A judge sees the row and the prediction, never how it was made.
 */
import type { Usage } from '../core/index.js';
import type { BenchRow } from '../domains/index.js';
import type { Dimension, Grades } from './rubric.js';

/** Who judged, and by which versions of what. Equal stamps mean comparable verdicts. */
export interface JudgeStamp {
  /** `rule`, or the model's name; never holds a key. */
  readonly judge: string;
  /** Version of the rules or of the prompt; changes when verdicts may change. */
  readonly promptVersion: string;
  /** Version of the reader of replies; a rule judge has its own. */
  readonly parserVersion: string;
}

/** What is judged: a prediction of a row's observation. */
export interface JudgeCase {
  readonly row: BenchRow;
  /** The predicted observation, without thinking and tags; `''` is a valid one. */
  readonly prediction: string;
}

/** Why a grade is what it is: one sentence, and the dimension it is about. */
export interface JudgeReason {
  readonly dimension: Dimension;
  readonly text: string;
}

/** Words of a judge about a prediction, in the published form. */
export interface JudgeRemarks {
  readonly strengths: readonly string[];
  readonly weaknesses: readonly string[];
}

/** A verdict with all five grades. */
export interface ScoredVerdict extends JudgeRemarks {
  readonly status: 'scored';
  readonly grades: Grades;
  /** The mean of the five, 1–5. */
  readonly total: number;
  /** Why; a rule judge explains every grade below the highest. */
  readonly reasons: readonly JudgeReason[];
  /** The reply was not valid JSON and was repaired. */
  readonly repaired: boolean;
  /** What was read in a way worth knowing, for example a rounded grade. */
  readonly notes: readonly string[];
  readonly stamp: JudgeStamp;
  /** The reply word for word; null for a judge that writes none. */
  readonly raw: string | null;
  readonly attempts: number;
  readonly usage?: Usage;
}

/** Why there is no verdict: the judge's reply could not be used, or there was none. */
export type JudgeFailureCause = 'unusable-reply' | 'no-reply';

/** No verdict. */
export interface UnscoredVerdict {
  readonly status: 'unscored';
  readonly cause: JudgeFailureCause;
  /** In one sentence, for people. */
  readonly reason: string;
  readonly stamp: JudgeStamp;
  /** The last reply word for word; null where there was none. */
  readonly raw: string | null;
  readonly attempts: number;
  readonly usage?: Usage;
}

/** What a judge says of one prediction. */
export type Verdict = ScoredVerdict | UnscoredVerdict;

/** Anything that grades predictions. */
export interface Judge {
  readonly stamp: JudgeStamp;
  /** Judges one prediction. Failures are verdicts; rejects only for bugs and aborts. */
  judge(one: JudgeCase, options?: { readonly signal?: AbortSignal }): Promise<Verdict>;
}
