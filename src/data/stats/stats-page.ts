/**
 * Statistics as one HTML page that works offline: tables and bar charts in SVG, no script, nothing loaded.
 *
 * Every name in it comes from somebody's files and is escaped.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';

const STYLE = `:root{color-scheme:light dark;--bar:#3b6ea8;--ink:#1c1c1c;--paper:#fff;--line:#ccc}
@media (prefers-color-scheme:dark){:root{--bar:#7aa7d9;--ink:#e6e6e6;--paper:#161616;--line:#444}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}td,th{padding:.2rem .8rem;border-bottom:1px solid var(--line);text-align:right}
td:first-child,th:first-child{text-align:left}svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg rect{fill:var(--bar)}
figure{margin:0 0 1.5rem}figcaption{font-weight:600}`;

/** Text for HTML, attributes included. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

interface Bar {
  readonly name: string;
  readonly value: number;
}

/** A bar chart; long names are cut, values stand beside the bars. */
function chart(caption: string, bars: readonly Bar[]): string {
  if (bars.length === 0) return '';
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value }, i) => {
    const y = i * 20;
    const width = Math.round((value / most) * 420);
    const label = escapeHtml(name.length > 28 ? `${name.slice(0, 27)}…` : name);
    return `<text x="190" y="${y + 14}" text-anchor="end">${label}</text><rect x="200" y="${y + 3}" width="${width}" height="14"/><text x="${width + 206}" y="${y + 14}">${value.toLocaleString('en-US')}</text>`;
  });
  const height = bars.length * 20 + 4;
  const title = escapeHtml(caption);
  return `<figure><figcaption>${title}</figcaption><svg role="img" aria-label="${title}" viewBox="0 0 720 ${height}" width="720" height="${height}">${rows.join('')}</svg></figure>`;
}

function counts(value: Json | undefined): readonly Bar[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .map(([name, count]) => ({ name, value: Number(count) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, 30);
}

function bins(value: Json | undefined): readonly Bar[] {
  if (!isJsonObject(value) || !Array.isArray(value.bins)) return [];
  return (value.bins as readonly JsonObject[]).map(({ from, count }) => ({
    name: `from ${Number(from).toLocaleString('en-US')}`,
    value: Number(count),
  }));
}

/** The page for a report of the stats stage. */
export function statsPage(report: JsonObject): string {
  const domains = Object.entries((report.domains ?? {}) as JsonObject) as [string, JsonObject][];
  const columns = ['trajectories', 'turns', 'targets', 'tokens'];
  const head = ['domain', ...columns].map((name) => `<th>${name}</th>`).join('');
  const body = domains
    .map(
      ([name, one]) =>
        `<tr><td>${escapeHtml(name)}</td>${columns.map((key) => `<td>${Number(one[key]).toLocaleString('en-US')}</td>`).join('')}</tr>`,
    )
    .join('');
  const sections = domains.map(([name, one]) =>
    [
      `<h2>${escapeHtml(name)}</h2>`,
      chart('Turns per trajectory', bins(one.turnsPerTrajectory)),
      chart('Tokens per trajectory', bins(one.tokensPerTrajectory)),
      chart('Characters per observation', bins(one.observationCharacters)),
      chart('Categories of the mask', counts(one.categories)),
      chart('Turns dropped as targets', counts(one.droppedTurns)),
    ].join(''),
  );
  const by = report.tokensExact === true ? `counted with ${String(report.tokensBy)}` : 'estimated';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width"><title>Trajectories</title><style>${STYLE}</style></head><body><h1>Trajectories</h1><p>Tokens are ${escapeHtml(by)}.</p><table><tr>${head}</tr>${body}</table>${chart('Data sets', counts(report.datasets))}${chart('Licences', counts(report.licences))}${chart('Pools', counts(report.pools))}${sections.join('')}</body></html>\n`;
}
