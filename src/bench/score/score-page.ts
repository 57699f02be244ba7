/**
 * A score report as one HTML page that works offline, and its parts for pages about several runs.
 */

import { DIMENSIONS } from '../../judge/index.js';
import { barChart, type ChartBar, escapeHtml, htmlPage, htmlTable } from '../../text/index.js';
import { BREAKDOWN_TITLES } from './judged-record.js';
import { BREAKDOWNS } from './kinds-of-turn.js';
import { PUBLISHED_NOTE, PUBLISHED_SCORES } from './published-scores.js';
import { domainTable, headlines, shownInterval, shownPoints } from './render-score.js';
import type { Points, ScoreReport } from './score-run.js';

const SHOWN_EXCLUDED = 200;

/** The bar of some points; none where there are no points. */
export function barOf(name: string, score: Points): readonly ChartBar[] {
  if (score.points === null) return [];
  const label = `${shownPoints(score.points)} (${shownInterval(score.interval)}), ${score.rows} rows`;
  return [{ name, value: score.points, interval: score.interval, label }];
}

/** Headline, charts, table and breakdowns of one run, as markup. */
export function scoreSections(report: ScoreReport): readonly string[] {
  const [first = '', ...others] = headlines(report);
  const excluded = report.excluded.slice(0, SHOWN_EXCLUDED);
  return [
    `<p><strong>${escapeHtml(first)}</strong></p>`,
    ...others.map((text) => `<p>${escapeHtml(text)}</p>`),
    barChart(
      'Points by domain',
      report.domains.flatMap((one) => barOf(one.domain, one)),
      100,
    ),
    barChart(
      'Points by dimension (domain mean)',
      DIMENSIONS.flatMap((one) => barOf(one, report.dimensions[one])),
      100,
    ),
    htmlTable(domainTable(report)),
    ...BREAKDOWNS.map((name) =>
      barChart(
        BREAKDOWN_TITLES[name],
        report.breakdowns[name].flatMap((one) => barOf(one.group, one)),
        100,
      ),
    ),
    ...(excluded.length === 0
      ? []
      : [
          `<h3>Excluded rows</h3>`,
          htmlTable([
            ['row', 'cause', 'reason'],
            ...excluded.map((one) => [one.key, one.status, one.reason]),
          ]),
        ]),
  ];
}

/** The published table, marked as what it is, and how the numbers are made. */
export function publishedSections(): readonly string[] {
  return [
    `<h2>Published scores</h2><p class="soft">${escapeHtml(PUBLISHED_NOTE)}</p>`,
    htmlTable([
      ['model', 'mcp', 'search', 'terminal', 'swe', 'android', 'web', 'os', 'overall'],
      ...PUBLISHED_SCORES.map(({ model, domains, overall }) => [
        model,
        ...(domains ?? Array.from({ length: 7 }, () => null)).map(shownPoints),
        shownPoints(overall),
      ]),
    ]),
    `<p class="soft">Whiskers are 95 % intervals: a studentised bootstrap over trajectories. Points are (grade − 1) / 4 × 100; a row that the model failed counts 0.</p>`,
  ];
}

/** The page. */
export function scorePage(report: ScoreReport, title: string): string {
  return htmlPage(title, [...scoreSections(report), ...publishedSections()].join('\n'));
}
