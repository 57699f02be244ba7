/**
 * How `ls` lays entries out: lines of `-l`, columns, rows, commas.
 *
 * Source: ls(1) and the output of coreutils 9.1.
 */
import type { Inode } from '../../../kernel/index.js';
import { breakTime } from '../../program/calendar.js';
import { textWidth } from '../../program/display-width.js';
import { modeText } from '../../program/file-mode.js';
import { showSize } from '../../program/size.js';
import { strftime } from '../../program/strftime.js';
import type { LsEntry, LsRun } from './ls.js';
import { colored } from './ls-color.js';
import type { LsLine } from './ls-line.js';
import { sizeOf, timeOf } from './ls-sort.js';

const HALF_YEAR_SECONDS = 31_556_952 / 2;

/** Bytes that a file takes on its disk. */
export function allocatedBytes(inode: Inode): number {
  if (inode.kind === 'directory') return inode.computed === undefined ? 4096 : 0;
  if (inode.kind !== 'file') return 0;
  return Math.ceil((inode.content?.allocatedBytes ?? 0) / 4096) * 4096;
}

function indicatorOf(kind: Inode['kind'], inode: Inode | null, line: LsLine): string {
  if (line.indicator === 'none') return '';
  if (kind === 'directory') return '/';
  if (line.indicator === 'slash') return '';
  if (kind === 'symlink') return '@';
  if (kind === 'fifo') return '|';
  if (kind === 'socket') return '=';
  return line.indicator === 'classify' && kind === 'file' && ((inode?.mode ?? 0) & 0o111) !== 0 ? '*' : '';
}

interface Cell {
  readonly entry: LsEntry;
  /** What stands before the name: inode number, blocks. */
  readonly prefix: string;
  readonly name: string;
  /** Columns that prefix, name and indicator take. */
  readonly width: number;
}

function nameText(run: LsRun, entry: LsEntry, anyQuoted: boolean): { text: string; width: number } {
  const { line } = run;
  const quoted = line.quote(entry.name);
  const isQuoted = quoted !== entry.name;
  const pad = anyQuoted && line.alignsQuotes && !isQuoted ? ' ' : '';
  const shown = line.color ? colored(run.tool, entry, quoted) : quoted;
  return { text: pad + shown, width: textWidth(pad) + textWidth(quoted) };
}

function prefixOf(run: LsRun, entry: LsEntry, widths: { inode: number; blocks: number }): string {
  const { line } = run;
  let prefix = '';
  if (line.inodes)
    prefix += `${(entry.inode === null ? '?' : String(entry.inode.ino)).padStart(widths.inode)} `;
  if (line.sizes) prefix += `${blocksText(entry, line).padStart(widths.blocks)} `;
  if (line.context && line.format !== 'long') prefix += '? ';
  return prefix;
}

function blocksText(entry: LsEntry, line: LsLine): string {
  return entry.inode === null ? '?' : showSize(allocatedBytes(entry.inode), line.block);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

/** Nothing but a name in each line, as in pipes. */
function isPlain(line: LsLine): boolean {
  return (
    line.format === 'single-column' &&
    !line.inodes &&
    !line.sizes &&
    !line.context &&
    !line.color &&
    line.indicator === 'none'
  );
}

/** Prints entries; folders' contents begin with their total where that is asked. */
export function layOut(
  run: LsRun,
  entries: readonly LsEntry[],
  how: { readonly isFolder: boolean; readonly measured: readonly LsEntry[] },
): void {
  const { isFolder, measured } = how;
  const { tool, line } = run;
  if (isFolder && (line.format === 'long' || line.sizes)) {
    const bytes = entries.reduce((sum, one) => sum + (one.inode === null ? 0 : allocatedBytes(one.inode)), 0);
    tool.out(`total ${showSize(bytes, line.block)}${line.end}`);
  }
  if (entries.length === 0) return;
  if (isPlain(line)) {
    for (const entry of entries) tool.out(line.quote(entry.name) + line.end);
    return;
  }
  const anyQuoted = line.alignsQuotes && entries.some((one) => line.quote(one.name) !== one.name);
  const aligned = line.format !== 'commas' && line.format !== 'single-column';
  const widths = {
    inode:
      line.inodes && line.format !== 'commas'
        ? widest(measured.map((one) => String(one.inode?.ino ?? '?')))
        : 0,
    blocks: line.sizes && line.format !== 'commas' ? widest(measured.map((one) => blocksText(one, line))) : 0,
  };
  const cells: Cell[] = entries.map((entry) => {
    const prefix = prefixOf(run, entry, widths);
    const name = line.format === 'long' ? { text: '', width: 0 } : nameText(run, entry, anyQuoted && aligned);
    const mark = indicatorOf(entry.kind, entry.inode, line);
    return { entry, prefix, name: name.text + mark, width: textWidth(prefix) + name.width + mark.length };
  });
  if (line.format === 'long')
    longLines(run, entries, { anyQuoted, prefixes: cells.map((one) => one.prefix), measured });
  else if (line.format === 'commas') withCommas(run, cells);
  else if (line.format === 'single-column')
    for (const cell of cells) tool.out(cell.prefix + cell.name + line.end);
  else if (line.width === 0) {
    tool.out(cells.map((one) => one.prefix + one.name).join('  ') + line.end);
  } else inColumns(run, cells);
}

function longLines(
  run: LsRun,
  entries: readonly LsEntry[],
  how: { anyQuoted: boolean; prefixes: readonly string[]; measured: readonly LsEntry[] },
): void {
  const { tool, line, accounts } = run;
  const nowUs = tool.proc.now();
  const rowOf = (entry: LsEntry) => {
    const { inode } = entry;
    if (inode === null) {
      const letter = entry.kind === 'directory' ? 'd' : entry.kind === 'symlink' ? 'l' : '-';
      return { mode: `${letter}?????????`, links: '?', owner: '?', group: '?', size: '?', time: '?' };
    }
    const device = inode.kind === 'char' || inode.kind === 'block';
    const rdev = inode.rdev ?? 0;
    return {
      mode: modeText(inode),
      links: String(inode.nlink),
      owner: line.numeric ? String(inode.uid) : accounts.userName(inode.uid),
      group: line.numeric ? String(inode.gid) : accounts.groupName(inode.gid),
      size: device
        ? `${rdev >> 8}, ${String(rdev & 255).padStart(3)}`
        : showSize(sizeOf(inode), line.fileBlock),
      time: timeText(run, timeOf(inode, line), nowUs),
    };
  };
  const rows = entries.map(rowOf);
  const all = how.measured.map(rowOf);
  const column = (key: 'links' | 'owner' | 'group' | 'size' | 'time'): number =>
    widest(all.map((row) => row[key]));
  const widths = {
    links: column('links'),
    owner: column('owner'),
    group: column('group'),
    size: column('size'),
    time: column('time'),
  };
  const name = (text: string, width: number): string =>
    line.numeric && /^\d+$/.test(text)
      ? text.padStart(width)
      : text + ' '.repeat(Math.max(0, width - textWidth(text)));
  rows.forEach((row, index) => {
    const entry = entries[index] as LsEntry;
    let text = `${how.prefixes[index]}${row.mode} ${row.links.padStart(widths.links)} `;
    if (line.owner) text += `${name(row.owner, widths.owner)} `;
    if (line.group) text += `${name(row.group, widths.group)} `;
    if (line.author) text += `${name(row.owner, widths.owner)} `;
    if (line.context) text += '? ';
    text += `${row.size.padStart(widths.size)} ${row.time.padStart(entry.inode === null ? widths.time : 0)} `;
    text += nameText(run, entry, how.anyQuoted).text;
    if (entry.target !== undefined) {
      text += ` -> ${line.quote(entry.target)}`;
      if (entry.behind !== null) text += indicatorOf(entry.behind.kind, entry.behind, line);
    } else text += indicatorOf(entry.kind, entry.inode, line);
    tool.out(text + line.end);
  });
}

function timeText(run: LsRun, us: number, nowUs: number): string {
  const seconds = Math.floor(us / 1e6);
  const ageSeconds = nowUs / 1e6 - us / 1e6;
  const isRecent = ageSeconds > -1e-9 && ageSeconds < HALF_YEAR_SECONDS;
  const time = breakTime(seconds, (us - seconds * 1e6) * 1000, run.tool.zone);
  return strftime(run.line.timeFormat[isRecent ? 0 : 1], time);
}

function withCommas(run: LsRun, cells: readonly Cell[]): void {
  const { tool, line } = run;
  let text = '';
  let at = 0;
  cells.forEach((cell, index) => {
    if (index > 0) {
      const fits = line.width === 0 || at + cell.width + 2 < line.width;
      text += fits ? ', ' : `,${line.end}`;
      at = fits ? at + 2 : 0;
    }
    text += cell.prefix + cell.name;
    at += cell.width;
  });
  tool.out(text + line.end);
}

/** As many columns as fit: the widest layout whose rows are shorter than the screen. */
function inColumns(run: LsRun, cells: readonly Cell[]): void {
  const { tool, line } = run;
  const byRows = line.format === 'horizontal';
  const most = Math.min(cells.length, Math.max(1, Math.ceil(line.width / 3)));
  let columns = 1;
  let widths: number[] = [];
  for (let count = most; count >= 1; count--) {
    const rows = Math.ceil(cells.length / count);
    widths = new Array<number>(count).fill(3);
    cells.forEach((cell, index) => {
      const column = byRows ? index % count : Math.floor(index / rows);
      widths[column] = Math.max(widths[column] ?? 0, cell.width + (column === count - 1 ? 0 : 2));
    });
    columns = count;
    if (widths.reduce((sum, width) => sum + width, 0) < line.width) break;
  }
  const rows = Math.ceil(cells.length / columns);
  for (let row = 0; row < rows; row++) {
    let text = '';
    let at = 0;
    for (let column = 0; column < columns; column++) {
      const cell = cells[byRows ? row * columns + column : column * rows + row];
      if (cell === undefined) break;
      const next = cells[byRows ? row * columns + column + 1 : (column + 1) * rows + row];
      text += cell.prefix + cell.name;
      if (next === undefined || column === columns - 1) break;
      const to = widths.slice(0, column + 1).reduce((sum, width) => sum + width, 0);
      text += indent(at + cell.width, to, line.tabSize);
      at = to;
    }
    tool.out(text + line.end);
  }
}

/** Blanks from one column to another, tabs where they help. */
function indent(from: number, to: number, tabSize: number): string {
  let at = from;
  let text = '';
  while (at < to) {
    if (tabSize > 0 && Math.floor(to / tabSize) > Math.floor((at + 1) / tabSize)) {
      text += '\t';
      at += tabSize - (at % tabSize);
    } else {
      text += ' ';
      at += 1;
    }
  }
  return text;
}
