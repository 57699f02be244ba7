/**
 * Moves every date in a text by whole days: ISO dates and times, and English long dates.
 *
 * `2026-03-12`, `2026-03-12T09:00:00Z` (the time and zone stay), `12 March 2026`, `12 March`, `March 12, 2026`,
 * `12 to 16 March 2026`; a day's name before a date follows. Not covered: other languages, numbers such as 3/12,
 * words such as "last summer". A long date without a year is read in the year of the world's clock.
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
const ANY = new RegExp([ISO_TIME, ISO, RANGE, DAY_FIRST, MONTH_FIRST].join('|'), 'gu');

/** How far, and the year of dates that name none. */
export interface DateShift {
  readonly days: number;
  readonly year: number;
}

/** A text with its dates moved. */
export function shiftText(text: string, shift: DateShift): string {
  if (shift.days === 0 || text.length < 5) return text;
  return text.replace(ANY, (found) => shiftOne(found, shift));
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

function shiftOne(found: string, shift: DateShift): string {
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
