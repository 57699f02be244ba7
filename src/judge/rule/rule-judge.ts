/**
 * A judge that needs no model: compares a prediction with the real observation by rules of its domain.
 *
 * It is the anchor beside a model judge: it cannot be praised or talked into a grade, gives the same verdict every
 * time, and explains every grade. It sees form, identity and change, not meaning: another wording of the same fact is a
 * difference to it. Source: content types and rule axes of AgentWorldBench (arXiv 2606.24597).
 */
import { type Domain, ok, stripObservationMarker } from '../../core/index.js';
import { type BenchRow, type DomainFormat, domainFormat } from '../../domains/index.js';
import { DIMENSIONS, totalGrade } from '../rubric.js';
import type { Judge, JudgeCase, JudgeStamp, Verdict } from '../verdict.js';
import { compareObservations, type Differences } from './compare-observations.js';
import { gradeDifferences } from './grade-differences.js';
import { knownContext } from './known-context.js';

/** Changes whenever a verdict may change. */
const RULE_VERSION = '2';

/** Makes the judge. It never fails but for a domain without a format, which is unscored with the reason. */
export function createRuleJudge(): Judge {
  const stamp: JudgeStamp = { judge: 'rule', promptVersion: RULE_VERSION, parserVersion: RULE_VERSION };
  const formats = new Map<Domain, ReturnType<typeof domainFormat>>();
  const formatOf = (domain: Domain): ReturnType<typeof domainFormat> => {
    const known = formats.get(domain);
    if (known !== undefined) return known;
    const found = domainFormat(domain);
    const made = found.ok ? ok(remembering(found.value)) : found;
    formats.set(domain, made);
    return made;
  };
  return { stamp, judge: async (one) => judgeByRules(one, { stamp, found: formatOf(one.row.domain) }) };
}

/** Texts whose outline and compared form are kept: the real, the predicted and the latest observations. */
const KEPT_TEXTS = 24;
/** Longer texts are read again each time. */
const KEPT_CHARS = 20_000;

/** A format that remembers what it made of the latest texts, since a judge looks at one several times. */
function remembering(format: DomainFormat): DomainFormat {
  return {
    ...format,
    outline: keptByText((text) => format.outline(text)),
    normaliseObservation: keptByText((text) => format.normaliseObservation(text)),
  };
}

function keptByText<T>(make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    if (text.length > KEPT_CHARS) return made;
    if (kept.size >= KEPT_TEXTS) kept.delete(kept.keys().next().value ?? '');
    kept.set(text, made);
    return made;
  };
}

function judgeByRules(
  { row, prediction }: JudgeCase,
  { stamp, found }: { readonly stamp: JudgeStamp; readonly found: ReturnType<typeof domainFormat> },
): Verdict {
  if (!found.ok) {
    const reason = found.error.message;
    return { status: 'unscored', cause: 'no-reply', reason, stamp, raw: null, attempts: 1 };
  }
  const format = found.value;
  const real = stripObservationMarker(row.truth);
  const said = stripObservationMarker(prediction);
  const isEqual = format.normaliseObservation(real) === format.normaliseObservation(said);
  const { grades, reasons } = gradeDifferences(isEqual ? null : differencesOf(row, format, { real, said }));
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

function differencesOf(
  row: BenchRow,
  format: DomainFormat,
  { real, said }: { readonly real: string; readonly said: string },
): Differences {
  const last = row.history.at(-1);
  const context = knownContext(row, format);
  return compareObservations({
    format,
    real,
    said,
    before: last === undefined ? null : stripObservationMarker(last.observation),
    spansOf: (text) => format.contentTypes(text, context),
  });
}
