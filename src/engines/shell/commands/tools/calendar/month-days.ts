/**
 * The days of a month as `cal` counts them: Julian before September 1752, when Great Britain changed.
 *
 * Source: ncal(1). Not covered: other countries' days (`-s`).
 */
import { daysFromCivil } from '../../program/calendar.js';

/** The last Julian day, as a number of days since 1970. */
const CHANGE = daysFromCivil(1752, 9, 14);

/** Days since 1970 of a date, Julian before the change. */
export function dayNumber(year: number, month: number, day: number): number {
  const gregorian = daysFromCivil(year, month, day);
  if (gregorian >= CHANGE) return gregorian;
  return julian(year, month, day);
}

function julian(year: number, month: number, day: number): number {
  const shift = Math.floor((14 - month) / 12);
  const y = year + 4800 - shift;
  const m = month + 12 * shift - 3;
  return day + Math.floor((153 * m + 2) / 5) + 365 * y + Math.floor(y / 4) - 32_083 - 2_440_588;
}

/** One day: of the month, of the year (from 1), and its weekday (0 is Sunday). */
export interface MonthDay {
  readonly day: number;
  readonly yearDay: number;
  readonly weekday: number;
  readonly number: number;
}

/** The days of a month in order. September 1752 has 19. */
export function monthDays(year: number, month: number): MonthDay[] {
  const first = dayNumber(year, 1, 1);
  const leap = year > 1752 ? (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 : year % 4 === 0;
  const length = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  const out: MonthDay[] = [];
  for (let day = 1; day <= length; day++) {
    if (year === 1752 && month === 9 && day > 2 && day < 14) continue;
    const number = dayNumber(year, month, day);
    out.push({ day, number, yearDay: number - first + 1, weekday: (((number + 4) % 7) + 7) % 7 });
  }
  return out;
}

/** The names of the months. */
export const MONTH_NAMES: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');

/** Two letters of each weekday. */
export const WEEKDAYS: readonly string[] = 'Su Mo Tu We Th Fr Sa'.split(' ');
