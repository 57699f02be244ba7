/**
 * `column` of util-linux 2.38: lines in columns, or cells in a table.
 *
 * Source: column(1). Filled columns are eight wide or a multiple of it, with tabs between.
 */
import { toText } from '../../../kernel/index.js';
import { textWidth } from '../../program/display-width.js';
import { bytesOf } from '../../program/latin1.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';
import { type ColumnSettings, readColumnSettings } from './column-settings.js';
import { printTable } from './column-table.js';

const TAB = 8;

/** The command. */
export const column = defineTool(
  'column',
  function* (tool) {
    const settings = readColumnSettings(tool);
    const lines: string[] = [];
    for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
      const fd = yield* tool.input(name);
      if (fd === null) continue;
      for (const line of yield* tool.lines(fd).all()) lines.push(toText(bytesOf(line)));
      tool.close(fd);
    }
    const kept = lines.filter((line) => settings.keepsEmpty || /[^ \t]/.test(line));
    if (settings.mode === 'table') printTable(tool, kept, settings);
    else fill(tool, kept, settings);
  },
  { texts: helpText('column') },
);

function fill(tool: Tool, lines: readonly string[], settings: ColumnSettings): void {
  const widest = Math.max(0, ...lines.map(textWidth));
  const step = (widest + TAB) & ~(TAB - 1);
  if (lines.length === 0) return;
  if (widest >= settings.width) {
    tool.out(lines.map((line) => `${line}\n`).join(''));
    return;
  }
  const perRow = Math.max(1, Math.floor(settings.width / step));
  const rowCount = Math.ceil(lines.length / perRow);
  const isByRow = settings.mode === 'fill-rows';
  for (let row = 0; row < rowCount; row++) {
    const cells: string[] = [];
    for (let at = 0; at < perRow; at++) {
      const cell = isByRow ? lines[row * perRow + at] : lines[row + at * rowCount];
      if (cell === undefined) break;
      cells.push(cell);
    }
    tool.out(
      `${cells.map((cell, at) => (at === cells.length - 1 ? cell : cell + tabs(cell, step))).join('')}\n`,
    );
  }
}

/** The tabs from the end of a cell to the next column. */
function tabs(cell: string, step: number): string {
  return '\t'.repeat(Math.ceil((step - textWidth(cell)) / TAB));
}
