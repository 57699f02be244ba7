/**
 * The proleptic Gregorian calendar: days since 1970 to dates and back, weekdays, ISO weeks, broken-down times.
 *
 * Source: the usual arithmetic over 400-year cycles that start on 1 March; ISO 8601 for weeks.
 */
import type { TimeZone } from './time-zone.js';

/** Days since 1970-01-01 of a date; months and days outside their range carry over. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const months = year * 12 + (month - 1);
  const wholeYear = Math.floor(months / 12);
  const wholeMonth = ((months % 12) + 12) % 12;
  const shifted = wholeMonth < 2 ? wholeYear - 1 : wholeYear;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((wholeMonth + 10) % 12) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468 + (day - 1);
}

/** The date of a number of days since 1970-01-01; months and days count from 1. */
export function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** A moment taken apart in a zone, as `struct tm`. */
export interface BrokenTime {
  readonly year: number;
  /** 1–12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 is 1 January. */
  readonly yearDay: number;
  /** Seconds since 1970, UTC. */
  readonly utcSeconds: number;
  readonly offsetSeconds: number;
  readonly abbreviation: string;
}

/** Takes a moment apart. */
export function breakTime(utcSeconds: number, nanosecond: number, zone: TimeZone): BrokenTime {
  const offset = zone.at(utcSeconds);
  const local = utcSeconds + offset.seconds;
  const days = Math.floor(local / 86_400);
  const rest = local - days * 86_400;
  const date = civilFromDays(days);
  return {
    ...date,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    nanosecond,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysFromCivil(date.year, 1, 1),
    utcSeconds,
    offsetSeconds: offset.seconds,
    abbreviation: offset.abbreviation,
  };
}

/** The ISO 8601 week of a day and the year that the week belongs to. */
export function isoWeek(time: BrokenTime): { year: number; week: number } {
  const monday = time.yearDay - ((time.weekday + 6) % 7);
  const thursday = daysFromCivil(time.year, 1, 1) + monday + 3;
  const { year } = civilFromDays(thursday);
  return { year, week: Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1 };
}
