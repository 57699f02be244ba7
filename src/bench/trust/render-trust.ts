/**
 * What was found of a judge, as lines for people.
 */
import { DIMENSIONS, type JudgeTrust, type TuringResult } from '../../judge/index.js';
import type { Agreement } from './trust-report.js';

/** All that was measured of a judge; null for what was not. */
export interface TrustReport {
  readonly judge: string;
  /** By domain. */
  readonly domains: Readonly<Record<string, JudgeTrust>>;
  /** The same cases judged again by the same judge. */
  readonly again: Agreement | null;
  /** The same cases judged by another. */
  readonly against: (Agreement & { readonly judge: string }) | null;
  readonly turing: TuringResult | null;
  readonly cost: {
    readonly calls: number;
    readonly promptTokens: number;
    readonly completionTokens: number;
    /** In the currency of the price; null without one. */
    readonly money: number | null;
    readonly seconds: number;
  };
}

const shown = (value: number | null, digits = 3): string => (value === null ? '—' : value.toFixed(digits));
const percent = (value: number | null): string => (value === null ? '—' : `${(value * 100).toFixed(1)} %`);

/** The report as lines. */
export function renderTrust(report: TrustReport): readonly string[] {
  const { judge, domains, again, against, turing, cost } = report;
  const lines = [`Judge: ${judge}`];
  for (const [domain, { n, unscored, auc, kinds }] of Object.entries(domains)) {
    lines.push('', `${domain}: AUC ${shown(auc)} over ${n} labelled cases, ${unscored} without a verdict`);
    for (const one of kinds) {
      const ranked = one.isHarmful
        ? `AUC ${shown(one.auc)}, hits its dimension ${percent(one.hit)}`
        : 'harmless';
      lines.push(`  ${one.kind}: mean total ${one.meanTotal.toFixed(2)} of ${one.n}, ${ranked}`);
    }
  }
  lines.push('');
  if (again !== null) lines.push(`Judged again: ${agreed(again)}`);
  if (against !== null) lines.push(`Against ${against.judge}: ${agreed(against)}`);
  lines.push(
    turing === null
      ? 'Turing test: none; it needs a judge that is a language model'
      : `Turing test: finds the real one in ${percent(turing.foundReal)} of the choices (chance is 50 %), the same answer in both orders in ${percent(turing.steady)} of ${turing.pairs} pairs, ${turing.unanswered} without an answer; position bias ${shown(turing.positionBias, 2)}`,
  );
  const tokens =
    cost.calls === 0
      ? ''
      : `, ${cost.calls} calls, ${cost.promptTokens} prompt and ${cost.completionTokens} completion tokens`;
  lines.push(
    `Cost: ${cost.seconds.toFixed(1)} s${tokens}${cost.money === null ? '' : `, ${cost.money.toFixed(2)} at the given price`}`,
  );
  return lines;
}

function agreed({ rows, alone, same, shift, spearman, kappa }: Agreement): string {
  const each = DIMENSIONS.map((one) => `${one} ${shown(kappa[one], 2)}`).join(', ');
  return `same five grades on ${percent(same)} of ${rows} cases (${alone} with a verdict on one side only), totals shift by ${shown(shift, 2)}, Spearman ${shown(spearman)}, weighted kappa ${each}`;
}
