/**
 * Statistics as one HTML page that works offline: tables and bar charts in SVG, no script, nothing loaded.
 *
 * Every name in it comes from somebody's files and is escaped.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import {
  barChart,
  type ChartBar,
  escapeHtml,
  htmlPage,
  htmlTable,
  withSeparators,
} from '../../text/index.js';

function counts(value: Json | undefined): readonly ChartBar[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .map(([name, count]) => ({ name, value: Number(count) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, 30);
}

function bins(value: Json | undefined): readonly ChartBar[] {
  if (!isJsonObject(value) || !Array.isArray(value.bins)) return [];
  return (value.bins as readonly JsonObject[]).map(({ from, count }) => ({
    name: `from ${withSeparators(Number(from))}`,
    value: Number(count),
  }));
}

/** The page for a report of the stats stage. */
export function statsPage(report: JsonObject): string {
  const domains = Object.entries((report.domains ?? {}) as JsonObject) as [string, JsonObject][];
  const columns = ['trajectories', 'turns', 'targets', 'tokens'];
  const table = htmlTable([
    ['domain', ...columns],
    ...domains.map(([name, one]) => [name, ...columns.map((key) => withSeparators(Number(one[key])))]),
  ]);
  const sections = domains.map(([name, one]) =>
    [
      `<h2>${escapeHtml(name)}</h2>`,
      barChart('Turns per trajectory', bins(one.turnsPerTrajectory)),
      barChart('Tokens per trajectory', bins(one.tokensPerTrajectory)),
      barChart('Characters per observation', bins(one.observationCharacters)),
      barChart('Categories of the mask', counts(one.categories)),
      barChart('Turns dropped as targets', counts(one.droppedTurns)),
    ].join(''),
  );
  const by = report.tokensExact === true ? `counted with ${String(report.tokensBy)}` : 'estimated';
  const lists = [
    barChart('Data sets', counts(report.datasets)),
    barChart('Licences', counts(report.licences)),
    barChart('Pools', counts(report.pools)),
  ];
  const about = `<p>Tokens are ${escapeHtml(by)}.</p>`;
  return htmlPage('Trajectories', `${about}${table}${lists.join('')}${sections.join('')}`);
}
