/**
 * A score report as text for people, as JSON, and as a table of rows for spreadsheets.
 *
 * Every mean stands with its interval, what it counts and what it leaves out; what is missing is a dash, never a number.
 */
import { type Json, type JsonObject, renderJson } from '../../core/index.js';
import { DIMENSIONS } from '../../judge/index.js';
import type { JudgedRow } from './judged-record.js';
import { BREAKDOWN_TITLES } from './judged-record.js';
import { BREAKDOWNS } from './kinds-of-turn.js';
import { PUBLISHED_NOTE, PUBLISHED_SCORES } from './published-scores.js';
import type { Points, ScoreReport } from './score-run.js';

/** Points as text, two digits; a dash for none. */
export function shownPoints(points: number | null): string {
  return points === null ? '—' : points.toFixed(2);
}

/** An interval as text; a dash for none. */
export function shownInterval(interval: Points['interval']): string {
  return interval === null ? '—' : `${interval[0].toFixed(1)}–${interval[1].toFixed(1)}`;
}

/** A fraction as a percentage. */
function shownShare(fraction: number | null): string {
  return fraction === null ? '—' : `${(fraction * 100).toFixed(1)} %`;
}

/** The table of domains: a head and one row each. */
export function domainTable(report: ScoreReport): readonly (readonly string[])[] {
  const head = [
    'domain',
    'points',
    '95 %',
    ...DIMENSIONS,
    'rows',
    'model failed',
    'abstained',
    'excluded',
    'covered',
  ];
  const body = report.domains.map((one) => [
    one.domain,
    shownPoints(one.points),
    shownInterval(one.interval),
    ...DIMENSIONS.map((dimension) => shownPoints(one.dimensions[dimension].points)),
    String(one.rows),
    String(one.counts['model-failed']),
    String(one.counts.abstained),
    String(one.counts['judge-failed'] + one.counts.infrastructure),
    shownShare(one.coverage),
  ]);
  return [head, ...body];
}

/** Sentences about the whole: headline, coverage, other means, what is left out. */
export function headlines(report: ScoreReport): readonly string[] {
  const { overall, referenceCompatible, counts, judge } = report;
  const covers =
    overall.domains === overall.ofDomains
      ? `${overall.domains} domains`
      : `${overall.domains} of ${overall.ofDomains} domains`;
  const excluded = counts['judge-failed'] + counts.infrastructure;
  return [
    `Overall (domain mean): ${shownPoints(overall.points)}, 95 % ${shownInterval(overall.interval)}, over ${covers}, ${overall.rows} rows of ${overall.trajectories} trajectories`,
    ...(counts.abstained === 0
      ? []
      : [
          `Coverage ${shownShare(overall.coverage)} (${counts.abstained} rows abstained); coverage × points: ${shownPoints(overall.coveredPoints)}`,
        ]),
    `Row mean: ${shownPoints(report.rowMean)}; reference-compatible (row mean, all failures left out): ${shownPoints(referenceCompatible.points)} over ${referenceCompatible.rows} rows`,
    ...(excluded === 0
      ? []
      : [
          `Excluded: ${counts['judge-failed']} failed by the judge, ${counts.infrastructure} whose calls failed (${shownShare(report.excludedFraction)} of all); with all of them at the floor ${shownPoints(overall.bounds?.[0] ?? null)}, with all perfect ${shownPoints(overall.bounds?.[1] ?? null)}`,
        ]),
    ...unseenLine(report),
    ...(report.isIncomplete ? ['INCOMPLETE: more rows are excluded than a complete run may leave out'] : []),
    judge === null
      ? 'Judge: not told by the file (verdicts of the reference script)'
      : `Judge: ${judge.judge}, prompt ${judge.promptVersion}, parser ${judge.parserVersion}`,
    ...report.warnings.map((warning) => `Odd: ${warning}`),
  ];
}

/** What no interval can cover: a kind of trajectory so rare that none of it was drawn. */
function unseenLine({ domains }: ScoreReport): readonly string[] {
  const counts = domains.filter(({ rows }) => rows > 0).map(({ trajectories }) => trajectories);
  const least = Math.min(...counts);
  const percent = (1 - 0.05 ** (1 / least)) * 100;
  if (counts.length === 0 || least < 2 || percent < 0.1) return [];
  return [
    `A kind of failure in fewer than ${percent.toFixed(percent < 10 ? 1 : 0)} % of the trajectories may be missing altogether (${least} in the smallest domain); intervals allow for a part of that`,
  ];
}

/** Columns in line, the first to the left, the others to the right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

const SHOWN_EXCLUDED = 20;

/** The report as lines. */
export function renderScore(report: ScoreReport): readonly string[] {
  const groups = BREAKDOWNS.flatMap((name) => {
    const own = report.breakdowns[name];
    if (own.length < 2) return [];
    const rows = own.map((one) => [
      one.group,
      shownPoints(one.points),
      shownInterval(one.interval),
      String(one.rows),
    ]);
    return ['', BREAKDOWN_TITLES[name], ...aligned(rows).map((line) => `  ${line}`)];
  });
  const { excluded } = report;
  const left = excluded
    .slice(0, SHOWN_EXCLUDED)
    .map(({ key, status, reason }) => `  ${key}: ${status}, ${reason}`);
  const more = excluded.length - SHOWN_EXCLUDED;
  return [
    ...headlines(report),
    '',
    ...aligned(domainTable(report)),
    ...groups,
    ...(excluded.length > 0 ? ['', 'Excluded rows', ...left] : []),
    ...(more > 0 ? [`  and ${more} more (--json lists all)`] : []),
  ];
}

/** The published table as lines, marked as what it is. */
export function renderPublished(): readonly string[] {
  const rows = [
    ['model', 'mcp', 'search', 'terminal', 'swe', 'android', 'web', 'os', 'overall'],
    ...PUBLISHED_SCORES.map(({ model, domains, overall }) => [
      model,
      ...(domains ?? Array.from({ length: 7 }, () => null)).map(shownPoints),
      shownPoints(overall),
    ]),
  ];
  return [PUBLISHED_NOTE, ...aligned(rows)];
}

/** The report as JSON. */
export function scoreJson(report: ScoreReport): JsonObject {
  return report as unknown as JsonObject;
}

/** The rows as CSV: one line each, quoted where needed (RFC 4180), formulas of spreadsheets disarmed. */
export function scoreCsv(rows: readonly JudgedRow[]): string {
  const head = [
    'key',
    'domain',
    'trajectory',
    'status',
    'points',
    ...DIMENSIONS,
    'turn',
    'history',
    'action',
    'content',
    'reason',
  ];
  const body = rows.map((row) => [
    row.key,
    row.domain,
    row.trajectory,
    row.status,
    ...Array.from({ length: 1 + DIMENSIONS.length }, (_, i) => row.points?.[i] ?? null),
    ...BREAKDOWNS.map((name) => row.kinds?.[name] ?? null),
    row.reason,
  ]);
  return [head, ...body].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: Json): string {
  if (value === null) return '';
  if (typeof value !== 'string') return renderJson(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
