/**
 * The table of `column -t`: cells aligned in columns, or a JSON object.
 *
 * Source: column(1). The last column is not filled up; a cell that a line does not have is.
 */
import { displayWidth, textWidth } from '../../program/display-width.js';
import type { Tool } from '../../program/tool.js';
import type { ColumnSettings } from './column-settings.js';

interface Column {
  readonly index: number;
  readonly name: string;
  readonly isRight: boolean;
}

/** Splits a line into cells. */
function cellsOf(line: string, settings: ColumnSettings): string[] {
  const { separators, limit } = settings;
  if (separators === undefined) return blankCells(line, limit);
  const cells: string[] = [''];
  for (const character of line) {
    if (separators.includes(character) && (limit === 0 || cells.length < limit)) cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells;
}

function blankCells(line: string, limit: number): string[] {
  const cells: string[] = [];
  let rest = line.replace(/^[ \t]+/, '');
  while (rest !== '') {
    if (limit > 0 && cells.length === limit - 1) return [...cells, rest];
    const end = rest.search(/[ \t]/);
    if (end < 0) return [...cells, rest];
    cells.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^[ \t]+/, '');
  }
  return cells;
}

/** Prints the table. */
export function printTable(tool: Tool, lines: readonly string[], settings: ColumnSettings): void {
  const rows = lines.map((line) => cellsOf(line, settings));
  if (settings.json)
    for (const [at, row] of rows.entries())
      if (row.length > settings.names.length)
        tool.die(`line ${at + 2}: for JSON the name of the column ${settings.names.length + 1} is required`);
  const columns = columnsOf(tool, rows, settings);
  if (rows.length === 0 || columns.length === 0) return;
  if (settings.json) {
    tool.out(jsonText(rows, columns, settings));
    return;
  }
  const shown = settings.names.length > 0 && settings.heading ? [settings.names, ...rows] : rows;
  const widths = columns.map(({ index }) =>
    Math.max(...shown.map((row) => textWidth(shownText(row[index])))),
  );
  for (const row of shown) {
    const cells = columns.map((column, at) => {
      const text = shownText(row[column.index]);
      const pad = ' '.repeat(Math.max(0, (widths[at] ?? 0) - textWidth(text)));
      const isLast = at === columns.length - 1;
      if (column.isRight) return isLast && text === '' ? '' : pad + text;
      return isLast ? text : text + pad;
    });
    tool.out(`${cells.join(settings.between)}\n`);
  }
}

/** What is no character of a terminal is shown as its bytes. */
function shownText(cell = ''): string {
  if (/^[\x20-\x7e]*$/.test(cell)) return cell;
  return [...cell]
    .map((one) =>
      displayWidth(one) < 0
        ? [...new TextEncoder().encode(one)]
            .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
            .join('')
        : one,
    )
    .join('');
}

function columnsOf(tool: Tool, rows: readonly string[][], settings: ColumnSettings): Column[] {
  const count = Math.max(settings.names.length, ...rows.map((row) => row.length), 0);
  const all = Array.from({ length: count }, (_, index): Column => {
    const name = settings.names[index] ?? '';
    return { index, name, isRight: means(settings.right, index, name, count) };
  });
  for (const word of [...settings.right, ...settings.hidden, ...settings.order])
    if (
      !/^(-|0|-1)$/.test(word) &&
      !all.some((one) => isColumn(word, one.index, one.name)) &&
      rows.length > 0
    )
      tool.die(`undefined column name '${word}'`);
  const kept = all.filter((one) => !means(settings.hidden, one.index, one.name, count));
  if (settings.order.length === 0) return kept;
  const first = settings.order
    .map((word) => kept.find((one) => isColumn(word, one.index, one.name)))
    .filter((one) => one !== undefined);
  return [...first, ...kept.filter((one) => !first.includes(one))];
}

function isColumn(word: string, index: number, name: string): boolean {
  return /^\d+$/.test(word)
    ? Number(word) === index + 1
    : word.toLowerCase() === name.toLowerCase() && name !== '';
}

function means(words: readonly string[], ...[index, name, count]: [number, string, number]): boolean {
  return words.some(
    (word) => isColumn(word, index, name) || word === '0' || (word === '-1' && index === count - 1),
  );
}

function jsonText(rows: readonly string[][], columns: readonly Column[], settings: ColumnSettings): string {
  const objects = rows.map((row) => {
    const fields = columns.map(({ index, name }) => {
      const cell = row[index];
      const value = cell === undefined || cell === '' ? 'null' : JSON.stringify(cell);
      return `         ${JSON.stringify(name.toLowerCase())}: ${value}`;
    });
    return `{\n${fields.join(',\n')}\n      }`;
  });
  return `{\n   ${JSON.stringify(settings.tableName.toLowerCase())}: [\n      ${objects.join(',')}\n   ]\n}\n`;
}
