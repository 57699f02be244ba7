/**
 * Pieces of a report as one HTML page that works offline: frame, tables, bar charts in SVG. No script, nothing loaded.
 *
 * Every text in it may come from somebody's files: what is given as text is escaped here; only what these functions
 * made may be given as markup.
 */

const STYLE = `:root{color-scheme:light dark;--bar:#3b6ea8;--ink:#1c1c1c;--soft:#666;--paper:#fff;--line:#ccc}
@media (prefers-color-scheme:dark){:root{--bar:#7aa7d9;--ink:#e6e6e6;--soft:#aaa;--paper:#161616;--line:#444}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}td,th{padding:.2rem .8rem;border-bottom:1px solid var(--line);text-align:right}
td:first-child,th:first-child{text-align:left}svg text{font:12px system-ui,sans-serif;fill:var(--ink)}svg rect{fill:var(--bar)}svg line{stroke:var(--ink)}
figure{margin:0 0 1.5rem;overflow-x:auto}figcaption{font-weight:600}.scroll{overflow-x:auto}.soft{color:var(--soft)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);padding:.5rem;max-height:24rem;overflow:auto;font-size:12px;unicode-bidi:plaintext}`;

/** Text for HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** One bar of a chart. */
export interface ChartBar {
  readonly name: string;
  readonly value: number;
  /** Ends of a whisker on the bar, in the bar's unit. */
  readonly interval?: readonly [number, number] | null;
  /** Stands beside the bar; default the value with separators. */
  readonly label?: string;
}

const BAR_FROM = 200;
const BAR_ROOM = 400;
/** Room for names, bars, and the longest labels behind a full bar. */
const CHART_WIDTH = 860;

/** A bar chart; long names are cut, values stand beside the bars. `most` is the end of the scale; default the largest. */
export function barChart(caption: string, bars: readonly ChartBar[], most?: number): string {
  if (bars.length === 0) return '';
  const top = most ?? Math.max(1, ...bars.map(({ value }) => value));
  const at = (value: number): number => Math.round((value / top) * BAR_ROOM * 10) / 10;
  const rows = bars.map(({ name, value, interval, label }, i) => {
    const y = i * 20;
    const end =
      BAR_FROM + Math.max(at(value), interval === undefined || interval === null ? 0 : at(interval[1])) + 6;
    const whisker =
      interval === undefined || interval === null
        ? ''
        : `<line x1="${BAR_FROM + at(interval[0])}" x2="${BAR_FROM + at(interval[1])}" y1="${y + 10}" y2="${y + 10}"/>`;
    const shown = escapeHtml(label ?? withSeparators(value));
    return `<text x="190" y="${y + 14}" text-anchor="end">${shortName(name)}</text><rect x="${BAR_FROM}" y="${y + 3}" width="${at(value)}" height="14"/>${whisker}<text x="${end}" y="${y + 14}">${shown}</text>`;
  });
  return chartFigure(caption, rows.join(''), bars.length * 20 + 4);
}

/** Differences around zero, each with a whisker: to the right where the value is above 0. */
export function differenceChart(caption: string, bars: readonly ChartBar[]): string {
  if (bars.length === 0) return '';
  const most = Math.max(
    1,
    ...bars.flatMap(({ value, interval }) => [value, ...(interval ?? [])].map(Math.abs)),
  );
  const half = BAR_ROOM / 2;
  const middle = BAR_FROM + half;
  const at = (value: number): number => Math.round((middle + (value / most) * half) * 10) / 10;
  const rows = bars.map(({ name, value, interval, label }, i) => {
    const y = i * 20;
    const whisker =
      interval === undefined || interval === null
        ? ''
        : `<line x1="${at(interval[0])}" x2="${at(interval[1])}" y1="${y + 10}" y2="${y + 10}"/>`;
    const [from, to] = value < 0 ? [at(value), middle] : [middle, at(value)];
    return `<text x="190" y="${y + 14}" text-anchor="end">${shortName(name)}</text><rect x="${from}" y="${y + 3}" width="${Math.max(1, to - from)}" height="14"/>${whisker}<text x="${BAR_FROM + BAR_ROOM + 10}" y="${y + 14}">${escapeHtml(label ?? withSeparators(value))}</text>`;
  });
  const height = bars.length * 20 + 4;
  const zero = `<line x1="${middle}" x2="${middle}" y1="0" y2="${height}" stroke-dasharray="2 3"/>`;
  return chartFigure(caption, `${rows.join('')}${zero}`, height);
}

function shortName(name: string): string {
  return escapeHtml(name.length > 28 ? `${name.slice(0, 27)}…` : name);
}

function chartFigure(caption: string, drawn: string, height: number): string {
  const title = escapeHtml(caption);
  return `<figure><figcaption>${title}</figcaption><svg role="img" aria-label="${title}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}">${drawn}</svg></figure>`;
}

/** A table of texts; the first row is the head. */
export function htmlTable(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const [head, ...body] = rows;
  if (head === undefined) return '';
  return `<div class="scroll"><table>${line(head, 'th')}${body.map((row) => line(row, 'td')).join('')}</table></div>`;
}

/** A whole page around markup that these functions made. */
export function htmlPage(title: string, body: string): string {
  const name = escapeHtml(title);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width"><title>${name}</title><style>${STYLE}</style></head><body><h1>${name}</h1>${body}</body></html>\n`;
}

/** A number with separators between thousands. */
export function withSeparators(value: number): string {
  const [whole = '', rest] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest.slice(0, 3)}`;
}
