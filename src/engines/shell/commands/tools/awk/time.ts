/**
 * mawk's strftime and mktime, in the zone of TZ.
 */
import { breakTime } from '../../program/calendar.js';
import { strftime } from '../../program/strftime.js';
import { timeZone, utcOfLocal } from '../../program/time-zone.js';

/** Writes a time; the zone is the value of TZ. */
export function formatTime(format: string, seconds: number, zone: string | undefined): string {
  return strftime(format, breakTime(Math.floor(seconds), 0, timeZone(zone)));
}

/** Seconds since 1970 of `YYYY MM DD HH MM SS`; -1 for another text. */
export function parseTime(text: string, zone: string | undefined): number {
  const found = /^\s*(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)/.exec(text);
  if (found === null) return -1;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  const local = Math.floor(Date.UTC(year, month - 1, day, hour, minute, second) / 1000);
  return utcOfLocal(timeZone(zone), local);
}
