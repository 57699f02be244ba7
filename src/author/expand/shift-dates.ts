/**
 * Moves every date in a text by whole days: ISO dates and times, and English long dates.
 *
 * `2026-03-12`, `2026-03-12T09:00:00Z` (the time and zone stay), `12 March 2026`, `12 March`, `March 12, 2026`,
 * `12 to 16 March 2026`, `the 27th`, `the 30th of April`; a day's name before a date follows. A long date without a
 * year is read in the year of the world's clock. On demand a year that stands alone (`Invoices 2026`, `834/2026`,
 * `Report 2026-03`) moves by as many years as the clock does; it is one if it lies within five years of the clock.
 * Not covered: other languages, numbers such as 3/12, words such as "last summer".
 */
import { isJsonObject, type Json } from '../../core/index.js';

const DAY_MS = 86_400_000;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTH = `(?:${MONTHS.join('|')})`;
const WEEKDAY = `(?:(?:${DAYS.join('|')}),? )?`;
const ISO = String.raw`(?<![\p{L}\p{N}-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\p{L}\p{N}-]|T(?!\d\d:))`;
const ISO_TIME = String.raw`(?<![\p{L}\p{N}-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=T\d\d:)`;
const RANGE = String.raw`\b\d{1,2}(?: to | and |–|-)\d{1,2} ${MONTH}(?: \d{4})?`;
const DAY_FIRST = String.raw`${WEEKDAY}\b\d{1,2} ${MONTH}(?: \d{4})?`;
const MONTH_FIRST = String.raw`${WEEKDAY}\b${MONTH} \d{1,2}(?!\d)(?:, \d{4})?`;
const YEAR = String.raw`(?<![\p{L}\p{N}.,_-])\d{4}(?:-(?:0[1-9]|1[0-2]))?(?![\p{L}\p{N}_-]|[.,]\d)`;
const ORDINAL = String.raw`${WEEKDAY}\bthe \d{1,2}(?:st|nd|rd|th)\b(?: of ${MONTH}\b)?`;
const FORMS = [ISO_TIME, ISO, RANGE, DAY_FIRST, MONTH_FIRST, ORDINAL];
const ANY = new RegExp(FORMS.join('|'), 'gu');
const ANY_OR_YEAR = new RegExp([...FORMS, YEAR].join('|'), 'gu');
const NEAR_YEARS = 5;

/**
 * How far, the year of dates that name none, and by how many years a year that stands alone moves (0: it stays).
 * `today` is the date of the clock: `the 27th` without a month is the first such day from it on.
 */
export interface DateShift {
  readonly days: number;
  readonly year: number;
  readonly today?: string;
  readonly years?: number;
}

/** A text with its dates moved. */
export function shiftText(text: string, shift: DateShift): string {
  if (shift.days === 0 || text.length < 5 || !/[0-9]/.test(text)) return text;
  return text.replace((shift.years ?? 0) === 0 ? ANY : ANY_OR_YEAR, (found) => shiftOne(found, shift));
}

/** A value with the dates in all its texts moved; keys too where they are dates. */
export function shiftJson(value: Json, shift: DateShift): Json {
  if (typeof value === 'string') return shiftText(value, shift);
  if (Array.isArray(value)) return value.map((item: Json) => shiftJson(item, shift));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [shiftText(key, shift), shiftJson(part, shift)]),
  );
}

/** An ISO date some days later. */
export function addDays(date: string, days: number): string {
  return isoDay(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) + days * DAY_MS);
}

/** An ISO date as `14 January 2026`. */
export function longDate(date: string): string {
  const day = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** The day of the week of an ISO date, 0 for Sunday. */
export function dayOfWeek(date: string): number {
  return new Date(`${date.slice(0, 10)}T00:00:00Z`).getUTCDay();
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const ORDINAL_PARTS = /^(?:([A-Z][a-z]+day)(,? ))?the (\d{1,2})[a-z]{2}(?: of (\w+))?$/;

/** `Friday the 27th`, `the 30th of April`. A day that no month from the clock on has stays. */
function shiftOrdinal(parts: RegExpExecArray, shift: DateShift, found: string): string {
  const [, weekday, joint = '', day, month] = parts;
  const moved = month === undefined ? nextDay(Number(day), shift) : movedDay([day, month, undefined], shift);
  if (moved === null) return found;
  const head = weekday === undefined ? '' : `${DAYS[moved.getUTCDay()]}${joint}`;
  const tail = month === undefined ? '' : ` of ${MONTHS[moved.getUTCMonth()]}`;
  return `${head}the ${ordinal(moved.getUTCDate())}${tail}`;
}

function nextDay(day: number, { today, days }: DateShift): Date | null {
  if (today === undefined || day < 1 || day > 31) return null;
  const start = Date.parse(`${today}T00:00:00Z`);
  // every day of a month comes within two months
  for (let ahead = 0; ahead <= 62; ahead += 1) {
    const date = new Date(start + ahead * DAY_MS);
    if (date.getUTCDate() === day) return new Date(date.getTime() + days * DAY_MS);
  }
  return null;
}

function ordinal(day: number): string {
  const ending = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

/** What dates became, by shift: the rows of a world hold the same dates again and again. */
const MOVED = new WeakMap<DateShift, Map<string, string>>();

function shiftOne(found: string, shift: DateShift): string {
  const known = MOVED.get(shift) ?? new Map<string, string>();
  MOVED.set(shift, known);
  const before = known.get(found);
  if (before !== undefined) return before;
  const made = movedDate(found, shift);
  known.set(found, made);
  return made;
}

function movedDate(found: string, shift: DateShift): string {
  const parts = ORDINAL_PARTS.exec(found);
  if (parts !== null) return shiftOrdinal(parts, shift, found);
  if (/^\d{4}(-\d\d)?$/.test(found)) {
    const year = Number(found.slice(0, 4));
    return Math.abs(year - shift.year) > NEAR_YEARS ? found : `${year + (shift.years ?? 0)}${found.slice(4)}`;
  }
  if (/^\d{4}-/.test(found)) {
    const moved = Date.parse(`${found}T00:00:00Z`);
    // 31 February and the like are no dates
    return Number.isNaN(moved) || isoDay(moved) !== found ? found : isoDay(moved + shift.days * DAY_MS);
  }
  const range = /^(\d{1,2})( to | and |–|-)(\d{1,2}) (\w+)(?: (\d{4}))?$/.exec(found);
  if (range !== null) return shiftRange(range, shift, found);
  const weekday = /^[A-Z][a-z]+day,? /.exec(found)?.[0] ?? '';
  const rest = found.slice(weekday.length);
  const dayFirst = /^(\d{1,2}) (\w+)(?: (\d{4}))?$/.exec(rest);
  const [day, month, year] =
    dayFirst !== null
      ? [dayFirst[1], dayFirst[2], dayFirst[3]]
      : (([, m, d, y]) => [d, m, y])(/^(\w+) (\d{1,2})(?:, (\d{4}))?$/.exec(rest) ?? []);
  const moved = movedDay([day, month, year], shift);
  if (moved === null) return found;
  const tail = year === undefined ? '' : `${dayFirst !== null ? ' ' : ', '}${moved.getUTCFullYear()}`;
  const name = MONTHS[moved.getUTCMonth()];
  const number = moved.getUTCDate();
  const ending = weekday.endsWith(', ') ? ', ' : ' ';
  const head = weekday === '' ? '' : `${DAYS[moved.getUTCDay()]}${ending}`;
  return head + (dayFirst !== null ? `${number} ${name}` : `${name} ${number}`) + tail;
}

function shiftRange(parts: RegExpExecArray, shift: DateShift, found: string): string {
  const [, from, joint = '', to, month, year] = parts;
  const first = movedDay([from, month, year], shift);
  const last = movedDay([to, month, year], shift);
  if (first === null || last === null) return found;
  const tail = year === undefined ? '' : ` ${last.getUTCFullYear()}`;
  const end = `${last.getUTCDate()} ${MONTHS[last.getUTCMonth()]}${tail}`;
  const sameMonth = first.getUTCMonth() === last.getUTCMonth();
  const start = sameMonth ? '' : ` ${MONTHS[first.getUTCMonth()]}`;
  return `${first.getUTCDate()}${start}${joint}${end}`;
}

function movedDay([day, month, year]: readonly (string | undefined)[], shift: DateShift): Date | null {
  const index = MONTHS.indexOf(month ?? '');
  const start = new Date(Date.UTC(Number(year ?? shift.year), index, Number(day)));
  if (index === -1 || start.getUTCMonth() !== index) return null;
  return new Date(start.getTime() + shift.days * DAY_MS);
}
