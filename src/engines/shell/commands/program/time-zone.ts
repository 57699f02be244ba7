/**
 * Time zones as the `TZ` variable names them: POSIX rules (`EST5EDT,M3.2.0,M11.1.0`) and names of the zone database.
 *
 * The idea: a named zone is the POSIX rule that it has had in recent years, so nothing is read and every machine
 * agrees. Source: tzset(3), POSIX.1 8.3, zone database 2024a. Not covered: what zones did before their present rule,
 * leap seconds, names outside the table (as in glibc they mean UTC under the name's first word).
 */
import { civilFromDays, daysFromCivil } from './calendar.js';
import { ZONE_RULES } from './zone-rules.js';

/** How far local time is from UTC (seconds east), and what it is called then. */
export interface ZoneOffset {
  readonly seconds: number;
  readonly abbreviation: string;
  readonly isDst: boolean;
}

/** A time zone: the offset at a moment (seconds since 1970, UTC). */
export interface TimeZone {
  at(utcSeconds: number): ZoneOffset;
}

interface Switch {
  readonly month: number;
  readonly week: number;
  readonly day: number;
  /** Day of the year for `Jn` (1–365, no leap day) and `n` (0–365). */
  readonly julian?: number;
  readonly isZeroBased?: boolean;
  readonly seconds: number;
}

const NAME = /^(?:<([^>]+)>|([A-Za-z]{3,}))/;
const OFFSET = /^([+-]?)(\d{1,3})(?::(\d{1,2}))?(?::(\d{1,2}))?/;

const UTC: TimeZone = { at: () => ({ seconds: 0, abbreviation: 'UTC', isDst: false }) };

const cache = new Map<string, TimeZone>();

/** The zone that a value of `TZ` means; undefined and empty are UTC. */
export function timeZone(value: string | undefined): TimeZone {
  if (value === undefined || value === '') return UTC;
  let zone = cache.get(value);
  if (zone === undefined) {
    zone = readZone(value);
    if (cache.size > 200) cache.clear();
    cache.set(value, zone);
  }
  return zone;
}

function readZone(value: string): TimeZone {
  const name = value.replace(/^:/, '').replace(/^\/usr\/share\/zoneinfo\//, '');
  const rule = ZONE_RULES.get(name);
  const zone = parseRule(rule ?? name);
  if (zone !== undefined) return zone;
  const abbreviation = /^[A-Za-z]{3,}/.exec(name)?.[0] ?? 'UTC';
  return { at: () => ({ seconds: 0, abbreviation, isDst: false }) };
}

function takeOffset(text: string): { seconds: number; rest: string } | undefined {
  const match = OFFSET.exec(text);
  if (match === null) return undefined;
  const seconds = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
  return { seconds: match[1] === '-' ? -seconds : seconds, rest: text.slice(match[0].length) };
}

function takeSwitch(text: string): Switch | undefined {
  const [when = '', time] = text.split('/');
  const seconds = time === undefined ? 7200 : (takeOffset(time)?.seconds ?? 7200);
  const byWeek = /^M(\d{1,2})\.(\d)\.(\d)$/.exec(when);
  if (byWeek) return { month: Number(byWeek[1]), week: Number(byWeek[2]), day: Number(byWeek[3]), seconds };
  const byDay = /^(J?)(\d{1,3})$/.exec(when);
  if (byDay === null) return undefined;
  return { month: 1, week: 1, day: 0, julian: Number(byDay[2]), isZeroBased: byDay[1] === '', seconds };
}

function parseRule(rule: string): TimeZone | undefined {
  const standardName = NAME.exec(rule);
  if (standardName === null) return undefined;
  const standard = takeOffset(rule.slice(standardName[0].length));
  if (standard === undefined) return undefined;
  const winter: ZoneOffset = {
    seconds: -standard.seconds || 0,
    abbreviation: standardName[1] ?? standardName[2] ?? '',
    isDst: false,
  };
  const summerName = NAME.exec(standard.rest);
  if (summerName === null) return { at: () => winter };
  let rest = standard.rest.slice(summerName[0].length);
  let summerSeconds = winter.seconds + 3600;
  const own = takeOffset(rest);
  if (own !== undefined) {
    summerSeconds = -own.seconds || 0;
    rest = own.rest;
  }
  const summer: ZoneOffset = {
    seconds: summerSeconds,
    abbreviation: summerName[1] ?? summerName[2] ?? '',
    isDst: true,
  };
  const [, startText = 'M3.2.0', endText = 'M11.1.0'] = rest.split(',');
  const start = takeSwitch(startText);
  const end = takeSwitch(endText);
  if (start === undefined || end === undefined) return { at: () => winter };
  return { at: (utcSeconds) => offsetByRule(utcSeconds, { winter, summer, start, end }) };
}

function offsetByRule(
  utcSeconds: number,
  zone: { winter: ZoneOffset; summer: ZoneOffset; start: Switch; end: Switch },
): ZoneOffset {
  const { year } = civilFromDays(Math.floor((utcSeconds + zone.winter.seconds) / 86_400));
  const start = switchMoment(year, zone.start) - zone.winter.seconds;
  const end = switchMoment(year, zone.end) - zone.summer.seconds;
  const isSummer =
    start < end ? utcSeconds >= start && utcSeconds < end : utcSeconds >= start || utcSeconds < end;
  return isSummer ? zone.summer : zone.winter;
}

/** The local moment of a switch in a year, in seconds as if local time were UTC. */
function switchMoment(year: number, at: Switch): number {
  if (at.julian !== undefined) {
    const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    const leap = at.isZeroBased || !isLeap || at.julian < 60 ? 0 : 1;
    const offset = at.isZeroBased ? at.julian : at.julian - 1 + leap;
    return (daysFromCivil(year, 1, 1) + offset) * 86_400 + at.seconds;
  }
  const first = daysFromCivil(year, at.month, 1);
  const firstWeekday = (((first + 4) % 7) + 7) % 7;
  let day = first + ((at.day - firstWeekday + 7) % 7) + (at.week - 1) * 7;
  const next = at.month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, at.month + 1, 1);
  while (day >= next) day -= 7;
  return day * 86_400 + at.seconds;
}

/** The moment (UTC) that a local time means; in an overlap `isDst` decides, in a gap time goes on as before it. */
export function utcOfLocal(zone: TimeZone, localSeconds: number, isDst?: boolean): number {
  const before = zone.at(localSeconds - 86_400).seconds;
  const after = zone.at(localSeconds + 86_400).seconds;
  const candidates = [...new Set([localSeconds - before, localSeconds - after])].filter(
    (utc) => utc + zone.at(utc).seconds === localSeconds,
  );
  if (candidates.length === 0) return localSeconds - before;
  if (isDst !== undefined) {
    const wanted = candidates.find((utc) => zone.at(utc).isDst === isDst);
    if (wanted !== undefined) return wanted;
  }
  return Math.min(...candidates);
}
