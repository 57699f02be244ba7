/**
 * Accessibility trees as tables: a header of names, one row a node, cells between tabs.
 *
 * Source: OSWorld's linearised trees (`tag name text class description position size`) and their relatives with fewer or other
 * columns. Cells with quotes are in quotes with doubled quotes. Names may hold tabs and line ends without quotes: a row
 * then ends where its last cells are a place and a size, and what is too many belongs to the name. What cannot be a row
 * (a cut end) is kept as text.
 */

/** One row, or a text between rows. */
export type TableRow =
  | { readonly kind: 'row'; readonly cells: readonly string[] }
  | { readonly kind: 'text'; readonly text: string };

/** A table. */
export interface DesktopTable {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

const COLUMN_WORDS =
  /^(?:tag|role|type|name|text|title|id|index|position|size|class|description|value|states?)\b/i;
/** Lines that one row may go over. */
const ROW_LINES = 200;

/** True for a line that names columns. */
export function isTableHeader(line: string): boolean {
  const cells = line.split('\t');
  return cells.length >= 3 && cells.every((cell) => COLUMN_WORDS.test(cell.trim()));
}

/** A row with its place among the lines of the table. */
export interface PlacedRow {
  readonly row: TableRow;
  readonly start: number;
  readonly end: number;
}

/** Reads the lines behind a header. Places are offsets in `body`. */
export function readRows(body: string, columns: readonly string[]): readonly PlacedRow[] {
  const rows: PlacedRow[] = [];
  const endsWithSize = /^size/i.test(columns.at(-1)?.trim() ?? '');
  for (let at = 0; at < body.length; ) {
    const found = rowAt(body, at, { width: columns.length, endsWithSize });
    const end = found?.end ?? lineEnd(body, at);
    const row: TableRow =
      found === null ? { kind: 'text', text: body.slice(at, end) } : { kind: 'row', cells: found.cells };
    rows.push({ row, start: at, end });
    at = end + 1;
  }
  return rows;
}

interface Shape {
  readonly width: number;
  readonly endsWithSize: boolean;
}

function lineEnd(body: string, at: number): number {
  const newline = body.indexOf('\n', at);
  return newline < 0 ? body.length : newline;
}

const SIZE_END = /\t\(-?\d{1,7}, -?\d{1,7}\)\t\(-?\d{1,7}, -?\d{1,7}\)$/;

function rowAt(
  body: string,
  at: number,
  shape: Shape,
): { readonly cells: readonly string[]; readonly end: number } | null {
  const strict = quotedCells(body, at);
  if (strict !== null && strict.cells.length === shape.width) return strict;
  const firstEnd = lineEnd(body, at);
  if (!shape.endsWithSize) {
    const cells = fitted(body.slice(at, firstEnd), shape.width);
    return cells === null ? null : { cells, end: firstEnd };
  }
  for (let end = firstEnd, lines = 0; lines < ROW_LINES; lines++) {
    const text = body.slice(Math.max(at, end - 80), end);
    if (SIZE_END.test(text)) {
      const cells = fitted(body.slice(at, end), shape.width);
      return cells === null ? null : { cells, end };
    }
    if (end >= body.length) break;
    end = lineEnd(body, end + 1);
  }
  return null;
}

/** Cells as they stand, with quotes read; null where a quote does not end before a tab or a line end. */
function quotedCells(
  body: string,
  start: number,
): { readonly cells: readonly string[]; readonly end: number } | null {
  const cells: string[] = [];
  for (let at = start; ; ) {
    if (body[at] === '"') {
      const cell = quotedCell(body, at);
      if (cell === null) return null;
      cells.push(cell.text);
      at = cell.end;
    } else {
      let end = at;
      while (end < body.length && body[end] !== '\t' && body[end] !== '\n') end += 1;
      cells.push(body.slice(at, end));
      at = end;
    }
    if (body[at] !== '\t') return { cells, end: at };
    at += 1;
  }
}

function quotedCell(body: string, start: number): { readonly text: string; readonly end: number } | null {
  let text = '';
  for (let at = start + 1; at < body.length; ) {
    const quote = body.indexOf('"', at);
    if (quote < 0) return null;
    text += body.slice(at, quote);
    if (body[quote + 1] !== '"') {
      const next = body[quote + 1];
      return next === undefined || next === '\t' || next === '\n' ? { text, end: quote + 1 } : null;
    }
    text += '"';
    at = quote + 2;
  }
  return null;
}

/** As many cells as there are columns: what is too many belongs to the second, the name. */
function fitted(text: string, width: number): readonly string[] | null {
  const cells = text.split('\t').map(unquoted);
  if (cells.length < width) return null;
  const surplus = cells.length - width;
  const name = text
    .split('\t')
    .slice(1, 2 + surplus)
    .join('\t');
  return [cells[0] ?? '', surplus === 0 ? (cells[1] ?? '') : name, ...cells.slice(2 + surplus)];
}

function unquoted(cell: string): string {
  const isQuoted = cell.length >= 2 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

/** Writes a table. */
export function renderTable({ columns, rows }: DesktopTable): string {
  const lines = rows.map((row) => (row.kind === 'text' ? row.text : row.cells.map(cellText).join('\t')));
  return [columns.join('\t'), ...lines].join('\n');
}

function cellText(cell: string): string {
  return /["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
