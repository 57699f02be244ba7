/**
 * Judged runs as one HTML page that works offline: a table of runs, each run's charts, and each run against the first.
 *
 * Runs stand in the order of their points. Differences are second minus first with their paired intervals; where one
 * holds 0 it is a tie. Every text of models and rows is escaped; nothing is loaded and there is no script.
 */
import { barChart, differenceChart, escapeHtml, htmlPage, htmlTable } from '../../text/index.js';
import type { ChangedExample } from '../compare/changed-examples.js';
import type { Difference, RunComparison } from '../compare/compare-runs.js';
import { shownInterval, shownPoints } from '../score/render-score.js';
import { barOf, publishedSections, scoreSections } from '../score/score-page.js';
import type { ScoreReport } from '../score/score-run.js';

/** A run with its name. */
export interface NamedRun {
  readonly name: string;
  readonly report: ScoreReport;
}

/** A run compared with the first one. */
export interface NamedComparison {
  readonly first: string;
  readonly second: string;
  readonly comparison: RunComparison;
  readonly examples: readonly ChangedExample[];
}

const VERDICTS = {
  tie: 'a tie: the interval holds 0',
  unknown: 'not to be told: too few trajectories',
  first: 'the first is better',
  second: 'the second is better',
};

/** The page. */
export function reportPage(
  runs: readonly NamedRun[],
  comparisons: readonly NamedComparison[],
  title: string,
): string {
  const sorted = [...runs].sort((a, b) => (b.report.overall.points ?? -1) - (a.report.overall.points ?? -1));
  const several = sorted.length > 1 ? overview(sorted) : [];
  const each = sorted.flatMap(({ name, report }) => [
    `<h2>${escapeHtml(name)}</h2>`,
    ...scoreSections(report),
  ]);
  return htmlPage(
    title,
    [...several, ...comparisons.flatMap(comparisonSections), ...each, ...publishedSections()].join('\n'),
  );
}

function overview(runs: readonly NamedRun[]): readonly string[] {
  const domains = [...new Set(runs.flatMap(({ report }) => report.domains.map(({ domain }) => domain)))];
  return [
    barChart(
      'Overall (domain mean)',
      runs.flatMap(({ name, report }) => barOf(name, report.overall)),
      100,
    ),
    htmlTable([
      ['run', 'overall', '95 %', ...domains, 'row mean', 'coverage', 'excluded'],
      ...runs.map(({ name, report }) => [
        `${name}${report.isIncomplete ? ' (incomplete)' : ''}`,
        shownPoints(report.overall.points),
        shownInterval(report.overall.interval),
        ...domains.map((domain) =>
          shownPoints(report.domains.find((one) => one.domain === domain)?.points ?? null),
        ),
        shownPoints(report.rowMean),
        report.overall.coverage === null ? '—' : `${(report.overall.coverage * 100).toFixed(1)} %`,
        String(report.excluded.length),
      ]),
    ]),
  ];
}

function shown({ difference, interval, rows }: Difference): string {
  if (difference === null) return 'no rows';
  const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
  const around = interval === null ? 'no interval' : `${signed(interval[0])} to ${signed(interval[1])}`;
  return `${signed(difference)} (95 % ${around}), ${rows} rows`;
}

function comparisonSections({ first, second, comparison, examples }: NamedComparison): readonly string[] {
  const { overall, verdict, wins, ties, losses, groups, notCounted, onlyFirst, onlySecond } = comparison;
  const left = notCounted + onlyFirst + onlySecond;
  const bars = groups.flatMap((one) =>
    one.difference === null
      ? []
      : [
          {
            name: one.breakdown === 'domain' ? `domain ${one.group}` : one.group,
            value: one.difference,
            interval: one.interval,
            label: shown(one),
          },
        ],
  );
  return [
    `<h2>${escapeHtml(second)} minus ${escapeHtml(first)}</h2>`,
    `<p><strong>${escapeHtml(shown(overall))}</strong>: ${VERDICTS[verdict]}. The second wins ${wins} rows, ties ${ties}, loses ${losses}.</p>`,
    ...(left === 0 ? [] : [`<p>${left} rows could not be compared.</p>`]),
    differenceChart('Difference by kind of turn', bars),
    `<p class="soft">${groups.length} groups; about ${Math.ceil(groups.length / 20)} would differ by chance.</p>`,
    ...examples.flatMap(exampleSections),
  ];
}

function exampleSections(one: ChangedExample): readonly string[] {
  const texts = [
    ['action', one.action],
    ['real', one.real],
    ['first', one.firstSaid],
    ['second', one.secondSaid],
  ] as const;
  return [
    `<h3>${escapeHtml(one.key)}: ${one.first.toFixed(0)} → ${one.second.toFixed(0)} points</h3>`,
    ...texts.map(
      ([name, text]) => `<p class="soft">${name}</p><pre>${escapeHtml(text ?? '(no prediction)')}</pre>`,
    ),
  ];
}
