/**
 * The command line of `cal` and `ncal`.
 *
 * Source: ncal(1). Not covered, asked instead: Easter (`-e`, `-o`), countries (`-p`, `-s`), `-J` and `-W`.
 */
import { breakTime } from '../../program/calendar.js';
import { defineOptions, parseLine } from '../../program/options.js';
import type { Tool } from '../../program/tool.js';
import { MONTH_NAMES } from './month-days.js';

/** Which months, and how. */
export interface CalSettings {
  /** The calendar's usual form, with weeks as rows. */
  readonly isRows: boolean;
  year: number;
  month: number;
  /** Months before and after. */
  before: number;
  after: number;
  wholeYear: boolean;
  yearDays: boolean;
  weeks: boolean;
  monday: boolean;
  /** The marked day as YYYY-MM-DD; undefined for none. */
  marked: string | undefined;
  /** An option that is not computed. */
  isForeign: boolean;
}

const USAGE = `Usage: cal [general options] [-jy] [[month] year]
       cal [general options] [-j] [-m month] [year]
       ncal -C [general options] [-jy] [[month] year]
       ncal -C [general options] [-j] [-m month] [year]
       ncal [general options] [-bhJjpwySM] [-H yyyy-mm-dd] [-s country_code] [-W number of days] [[month] year]
       ncal [general options] [-Jeo] [year]
General options: [-31] [-A months] [-B months] [-d yyyy-mm]
`;
const USAGE_STATUS = 64;
const CAL = defineOptions('3 1 A: B: d: m: j y h H: C J e o p w M S s: W:', '');
const NCAL = defineOptions('3 1 A: B: d: m: j y h H: b C J e o p w M S s: W:', '');

function usage(tool: Tool): never {
  tool.io.err(USAGE);
  return tool.exit(USAGE_STATUS);
}

function monthOf(tool: Tool, word: string): number {
  if (/^\d+$/.test(word) && Number(word) >= 1 && Number(word) <= 12) return Number(word);
  const found = MONTH_NAMES.findIndex(
    (name) =>
      name.toLowerCase() === word.toLowerCase() || name.slice(0, 3).toLowerCase() === word.toLowerCase(),
  );
  return found >= 0
    ? found + 1
    : tool.die(`${word} is neither a month number (1..12) nor a name`, USAGE_STATUS);
}

function yearOf(tool: Tool, word: string): number {
  if (!/^\d+$/.test(word)) tool.die(`not a valid year ${word}`, USAGE_STATUS);
  const year = Number(word);
  if (year < 1 || year > 9999) tool.die(`year \`${word}' not in range 1..9999`, USAGE_STATUS);
  return year;
}

/** Reads the command line. Ends the command where it is wrong. */
export function readCalSettings(tool: Tool, isNcal: boolean): CalSettings {
  const { hits, operands, error } = parseLine(tool.args, isNcal ? NCAL : CAL);
  if (error !== undefined) {
    tool.warn(error.replace(/^unrecognized option .*/, "invalid option -- '-'"));
    usage(tool);
  }
  const today = breakTime(Math.floor(tool.proc.now() / 1e6), 0, tool.zone);
  const settings: CalSettings = {
    isRows: !isNcal || hits.some((hit) => hit.key === 'b' || hit.key === 'C'),
    year: today.year,
    month: today.month,
    before: 0,
    after: 0,
    wholeYear: false,
    yearDays: false,
    weeks: false,
    monday: false,
    marked: [today.year, today.month, today.day].map((part) => String(part).padStart(2, '0')).join('-'),
    isForeign: false,
  };
  if (!isNcal && hits.some((hit) => 'JeopwMSsW'.includes(hit.key))) usage(tool);
  for (const { key, value = '' } of hits) option(tool, settings, { key, value });
  whichMonths(tool, settings, { operands, hasMonth: hits.some((hit) => hit.key === 'm') });
  return settings;
}

function option(tool: Tool, settings: CalSettings, { key, value }: { key: string; value: string }): void {
  if (key === 'y') settings.wholeYear = true;
  else if (key === '3') {
    settings.before = 1;
    settings.after = 1;
  } else if (key === '1') {
    settings.before = 0;
    settings.after = 0;
  } else if (key === 'A') settings.after = countOf(tool, value);
  else if (key === 'B') settings.before = countOf(tool, value);
  else if (key === 'j') settings.yearDays = true;
  else if (key === 'w') settings.weeks = true;
  else if (key === 'M') settings.monday = true;
  else if (key === 'm') settings.month = monthOf(tool, value);
  else if (key === 'h') settings.marked = undefined;
  else if (key === 'H') settings.marked = value;
  else if (key === 'd') {
    const match = /^(\d{4})-(\d{1,2})$/.exec(value) ?? usage(tool);
    settings.year = Number(match[1]);
    settings.month = monthOf(tool, String(Number(match[2])));
  } else if ('JeopsW'.includes(key)) settings.isForeign = true;
}

function countOf(tool: Tool, value: string): number {
  const count = Number.parseInt(value, 10);
  return Number.isNaN(count) || count < 0
    ? tool.die('Argument to -A and -B must be positive', USAGE_STATUS)
    : count;
}

function whichMonths(
  tool: Tool,
  settings: CalSettings,
  { operands, hasMonth }: { readonly operands: readonly string[]; readonly hasMonth: boolean },
): void {
  const [first, second] = operands;
  if (operands.length > 2 || (operands.length === 2 && hasMonth)) usage(tool);
  if (first === undefined) return;
  if (second === undefined) {
    settings.year = yearOf(tool, first);
    settings.wholeYear ||= !hasMonth;
    return;
  }
  settings.month = monthOf(tool, first);
  settings.year = yearOf(tool, second);
}
