/**
 * A judge that needs no model: compares a prediction with the real observation by rules of its domain.
 *
 * It is the anchor beside a model judge: it cannot be praised or talked into a grade, gives the same verdict every
 * time, and explains every grade. It sees form, identity and change, not meaning: another wording of the same fact is a
 * difference to it. Source: content types and rule axes of AgentWorldBench (arXiv 2606.24597).
 */
import { stripObservationMarker } from '../../core/index.js';
import { domainFormat } from '../../domains/index.js';
import { DIMENSIONS, totalGrade } from '../rubric.js';
import type { Judge, JudgeCase, JudgeStamp, Verdict } from '../verdict.js';
import { compareObservations } from './compare-observations.js';
import { gradeDifferences } from './grade-differences.js';
import { knownContext } from './known-context.js';

/** Changes whenever a verdict may change. */
const RULE_VERSION = '1';

/** Makes the judge. It never fails but for a domain without a format, which is unscored with the reason. */
export function createRuleJudge(): Judge {
  const stamp: JudgeStamp = { judge: 'rule', promptVersion: RULE_VERSION, parserVersion: RULE_VERSION };
  return { stamp, judge: async (one) => judgeByRules(one, stamp) };
}

function judgeByRules({ row, prediction }: JudgeCase, stamp: JudgeStamp): Verdict {
  const found = domainFormat(row.domain);
  if (!found.ok) {
    const reason = found.error.message;
    return { status: 'unscored', cause: 'no-reply', reason, stamp, raw: null, attempts: 1 };
  }
  const format = found.value;
  const real = stripObservationMarker(row.truth);
  const last = row.history.at(-1);
  const context = knownContext(row, format);
  const differences = compareObservations({
    format,
    real,
    said: stripObservationMarker(prediction),
    before: last === undefined ? null : stripObservationMarker(last.observation),
    spansOf: (text) => format.contentTypes(text, context),
  });
  const { grades, reasons } = gradeDifferences(differences);
  return {
    status: 'scored',
    grades,
    total: totalGrade(grades),
    reasons,
    strengths: DIMENSIONS.filter((one) => grades[one] === 5).map((one) => `${one}: nothing to object to`),
    weaknesses: reasons.map(({ dimension, text }) => `${dimension}: ${text}`),
    repaired: false,
    notes: [],
    stamp,
    raw: null,
    attempts: 1,
  };
}
