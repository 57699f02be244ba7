/**
 * `cal` and `ncal`: months of the calendar, with weeks as rows or as columns.
 *
 * Source: ncal(1). On a terminal the marked day (today) is shown in reverse.
 */
import { breakTime, isoWeek } from '../../program/calendar.js';
import { timeZone } from '../../program/time-zone.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { type CalSettings, readCalSettings } from './cal-settings.js';
import { dayNumber, MONTH_NAMES, type MonthDay, monthDays, WEEKDAYS } from './month-days.js';

const WEEKS = 6;
/** Where the year stands over the months. */
const YEAR_AT = { days: 28, yearDays: 25, columns: 34 };
const MARK = ['\x1b[7m', '\x1b[27m'] as const;

/** The command `cal`. */
export const cal = calendar('cal');

/** The command `ncal`. */
export const ncal = calendar('ncal');

function calendar(name: 'cal' | 'ncal') {
  return defineTool(name, function* (tool) {
    const settings = readCalSettings(tool, name === 'ncal');
    if (settings.isForeign) return yield* unknownProgram(name)(tool.proc);
    tool.out(settings.isRows ? byRows(tool, settings) : byColumns(tool, settings));
    return 0;
  });
}

interface Month {
  readonly year: number;
  readonly month: number;
}

/** The months to show, in order. */
function months(settings: CalSettings): Month[] {
  const start = settings.year * 12 + settings.month - 1;
  const first = settings.wholeYear ? settings.year * 12 - settings.before : start - settings.before;
  const last = settings.wholeYear ? settings.year * 12 + 11 + settings.after : start + settings.after;
  const out: Month[] = [];
  for (let at = first; at <= last; at++) out.push({ year: Math.floor(at / 12), month: (at % 12) + 1 });
  return out;
}

/** A text in the middle of a width; what does not divide stays on the right. */
function centred(text: string, width: number): string {
  const left = Math.max(0, Math.floor((width - text.length) / 2));
  return `${' '.repeat(left)}${text}`.padEnd(width);
}

/** Whether the year stands over all of it: then it is not in each month's name. */
function hasYearLine(shown: readonly Month[], settings: CalSettings): boolean {
  return settings.wholeYear || (shown.length > 2 && shown.every((one) => one.year === shown[0]?.year));
}

function cellText(tool: Tool, settings: CalSettings, day: MonthDay & Month, width: number): string {
  const text = String(settings.yearDays ? day.yearDay : day.day).padStart(width);
  const date = [day.year, day.month, day.day].map((part) => String(part).padStart(2, '0')).join('-');
  return tool.proc.isatty(1) && date === settings.marked ? `${MARK[0]}${text}${MARK[1]}` : text;
}

// ---- weeks as rows ----

function byRows(tool: Tool, settings: CalSettings): string {
  const shown = months(settings);
  const cell = settings.yearDays ? 3 : 2;
  const prefix = settings.weeks ? 3 : 0;
  const width = 7 * (cell + 1) - 1 + prefix;
  const perRow = settings.yearDays || settings.weeks ? 2 : 3;
  const withYear = hasYearLine(shown, settings);
  const rows: string[] = [];
  if (withYear)
    rows.push(`${' '.repeat(settings.yearDays ? YEAR_AT.yearDays : YEAR_AT.days)}${shown[0]?.year ?? 0}`);
  for (let at = 0; at < shown.length; at += perRow) {
    if (at > 0) rows.push('');
    const blocks = shown
      .slice(at, at + perRow)
      .map((month) => rowBlock(tool, settings, { ...month, width, cell, withYear }));
    for (let line = 0; line < WEEKS + 2; line++)
      rows.push(blocks.map((block) => `${block[line] ?? ''}  `).join(''));
  }
  return rows.map((row) => `${row}\n`).join('');
}

/** The eight lines of a month. */
function rowBlock(
  tool: Tool,
  settings: CalSettings,
  how: Month & { readonly width: number; readonly cell: number; readonly withYear: boolean },
): string[] {
  const { year, month, width, cell } = how;
  const name = `${MONTH_NAMES[month - 1] ?? ''}${how.withYear ? '' : ` ${year}`}`;
  const first = settings.monday ? 1 : 0;
  const names = WEEKDAYS.map((_, at) => (WEEKDAYS[(at + first) % 7] ?? '').padStart(cell));
  const days = monthDays(year, month);
  const offset = ((days[0]?.weekday ?? 0) - first + 7) % 7;
  const lines = [centred(name, width), `${settings.weeks ? ' w|' : ''}${names.join(' ')}`];
  for (let week = 0; week < WEEKS; week++) {
    const cells = Array.from({ length: 7 }, (_, at) => {
      const day = days[week * 7 + at - offset];
      return day === undefined ? ' '.repeat(cell) : cellText(tool, settings, { ...day, year, month }, cell);
    });
    const start = days[Math.max(0, week * 7 - offset)];
    const number = start === undefined ? '   ' : `${String(weekOf(start, settings)).padStart(2)}|`;
    lines.push(`${settings.weeks ? number : ''}${cells.join(' ')}`);
  }
  return lines;
}

/** The number of a row's week: that of its Monday. */
function weekOf({ number, weekday }: MonthDay, settings: CalSettings): number {
  const monday = settings.monday || weekday !== 0 ? number : number + 1;
  return isoWeek(breakTime(monday * 86_400, 0, timeZone(undefined))).week;
}

// ---- weeks as columns ----

function byColumns(tool: Tool, settings: CalSettings): string {
  const shown = months(settings);
  const cell = settings.yearDays ? 3 : 2;
  const width = 5 + WEEKS * (cell + 1) - 1;
  const perRow = settings.wholeYear ? (settings.yearDays ? 3 : 4) : settings.yearDays ? 3 : 4;
  const withYear = hasYearLine(shown, settings) && settings.wholeYear;
  const rows: string[] = [];
  if (withYear) rows.push(`${' '.repeat(YEAR_AT.columns)}${shown[0]?.year ?? ''}`);
  for (let at = 0; at < shown.length; at += perRow) {
    if (at > 0) rows.push('');
    rows.push(...columnRows(tool, settings, { group: shown.slice(at, at + perRow), cell, width, withYear }));
  }
  return rows.map((row) => `${row}\n`).join('');
}

function columnRows(
  tool: Tool,
  settings: CalSettings,
  how: {
    readonly group: readonly Month[];
    readonly cell: number;
    readonly width: number;
    readonly withYear: boolean;
  },
): string[] {
  const { group, cell, withYear } = how;
  const step = WEEKS * (cell + 1);
  const heads = group.map(({ year, month }) => {
    const name = `${MONTH_NAMES[month - 1] ?? ''}${withYear ? '' : ` ${year}`}`;
    return name.padEnd(step);
  });
  const rows = [`    ${heads.join('')}`.padEnd(4 + step * group.length)];
  const first = settings.monday ? 1 : 0;
  for (let row = 0; row < 7; row++) {
    const weekday = (row + first) % 7;
    const blocks = group.map((one) =>
      columnCells(tool, settings, { ...one, weekday, first, cell }).padEnd(step),
    );
    rows.push(`${WEEKDAYS[weekday] ?? ''} ${blocks.join('')}`.slice(0, -1));
  }
  if (settings.weeks) rows.push(weekNumbers(group, step, cell));
  return rows;
}

/** The days of one weekday, a cell a week. */
function columnCells(
  tool: Tool,
  settings: CalSettings,
  how: Month & { readonly weekday: number; readonly first: number; readonly cell: number },
): string {
  const days = monthDays(how.year, how.month);
  const offset = ((days[0]?.weekday ?? 0) - how.first + 7) % 7;
  const row = (how.weekday - how.first + 7) % 7;
  return Array.from({ length: WEEKS }, (_, week) => {
    const day = days[week * 7 + row - offset];
    if (day === undefined) return ' '.repeat(how.cell + 1);
    return `${cellText(tool, settings, { ...day, year: how.year, month: how.month }, how.cell)} `;
  }).join('');
}

function weekNumbers(group: readonly Month[], step: number, cell: number): string {
  const blocks = group.map(({ year, month }) => {
    const first = dayNumber(year, month, 1);
    const count = monthDays(year, month).length;
    const numbers: string[] = [];
    const start = first - ((((first + 4) % 7) + 7) % 7);
    for (let day = start; day < first + count; day += 7)
      numbers.push(
        String(isoWeek(breakTime(Math.max(day + 1, first) * 86_400, 0, timeZone(undefined))).week).padStart(
          cell,
        ),
      );
    return numbers.join(' ').padEnd(step);
  });
  return `   ${blocks.join('')}`.slice(0, -1);
}
