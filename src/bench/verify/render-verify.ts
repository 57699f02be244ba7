/**
 * A run over cases as lines for people: a table of axes and domains, then each wrong case with what broke.
 */
import { VERIFY_AXES } from './verify-case.js';
import type { VerifiedCase, VerifyReport, VerifyShare } from './verify-run.js';

const TITLES = {
  controllability: 'controllability',
  errors: 'error handling',
  consistency: 'long-context consistency',
};
const SHOWN_CHARS = 200;

function shownShare({ share, interval }: VerifyShare): string {
  if (share === null || interval === null) return '—';
  const percent = (value: number): string => (value * 100).toFixed(0);
  return `${percent(share)} % (${percent(interval[0])}–${percent(interval[1])})`;
}

/** The report as lines. */
export function renderVerify(report: VerifyReport): readonly string[] {
  const row = (name: string, one: VerifyShare): readonly string[] => [
    name,
    shownShare(one),
    ...[one.right, one.wrong, one.abstained, one.unscored].map(String),
  ];
  const table = [
    ['', 'right (95 %)', 'right', 'wrong', 'abstained', 'unscored'],
    ...VERIFY_AXES.map((axis) => row(TITLES[axis], report.axes[axis])),
    ...Object.entries(report.domains).map(([domain, one]) => row(domain, one)),
    row('all', report.overall),
  ];
  const widths = (table[0] ?? []).map((_, i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)));
  const lines = table.map((cells) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const told = report.cases.filter(({ verdict }) => verdict === 'wrong' || verdict === 'unscored');
  return [...lines, ...told.flatMap(caseLines)];
}

function caseLines(one: VerifiedCase): readonly string[] {
  const head = `${one.verdict}: ${one.key} (${one.axis}), ${one.title}`;
  const why = one.broken.map(({ id, expr, why }) => `  ${id}: ${expr}: ${why}`);
  const said =
    one.observation === null ? [] : [`  said: ${JSON.stringify(one.observation.slice(-SHOWN_CHARS))}`];
  return ['', head, ...(one.reason === null ? [] : [`  ${one.reason}`]), ...why, ...said];
}
