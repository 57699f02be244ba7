/**
 * Moments as git reads and prints them.
 *
 * Source: "DATE FORMATS" of git-commit(1), `--date` of git-log(1). Reads: `@SECONDS ZONE`, RFC 2822, ISO 8601, and the
 * relative forms `N UNITs ago`, `yesterday`, `now`.
 */
import { civilFromDays, daysFromCivil } from '../../program/calendar.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const UNITS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_800,
  year: 31_557_600,
};

/** A moment: seconds since 1970 and a zone such as `+0100`. */
export interface GitMoment {
  readonly when: number;
  readonly zone: string;
}

/** Seconds east of a zone text such as `+0130`. */
function zoneSeconds(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
}

/** A moment from text; undefined for what is none. `zoneAt` says the local zone. */
export function parseGitDate(
  text: string,
  nowSeconds: number,
  zoneAt: (seconds: number) => string,
): GitMoment | undefined {
  const raw = /^@?(\d{5,})(?: ([+-]\d{4}))?$/.exec(text.trim());
  if (raw !== null) return { when: Number(raw[1]), zone: raw[2] ?? '+0000' };
  const iso =
    /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/.exec(
      text.trim(),
    );
  if (iso !== null) {
    const [, year, month, day, hour, minute, second, zone] = iso;
    return at({ year, month, day, time: [hour, minute, second], zone, nowSeconds }, zoneAt);
  }
  const rfc =
    /^(?:[A-Z][a-z]{2},? )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))?\s*([+-]\d{4}|Z|UTC|GMT)?$/.exec(
      text.trim(),
    );
  if (rfc !== null) {
    const [, day, month, year, hour, minute, second, zone] = rfc;
    const number = MONTHS.indexOf(month ?? '') + 1;
    return at({ year, month: String(number), day, time: [hour, minute, second], zone, nowSeconds }, zoneAt);
  }
  const own =
    /^(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) (\d{1,2}) (\d{1,2}):(\d{2}):(\d{2}) (\d{4})(?: ([+-]\d{4}))?$/.exec(
      text.trim(),
    );
  if (own !== null) {
    const [, month, day, hour, minute, second, year, zone] = own;
    const number = MONTHS.indexOf(month ?? '') + 1;
    return at({ year, month: String(number), day, time: [hour, minute, second], zone, nowSeconds }, zoneAt);
  }
  const words = text.trim().toLowerCase();
  if (words === 'now') return { when: nowSeconds, zone: zoneAt(nowSeconds) };
  if (words === 'yesterday') return { when: nowSeconds - 86_400, zone: zoneAt(nowSeconds) };
  const ago = /^(\d+)[ .](second|minute|hour|day|week|month|year)s?[ .]ago$/.exec(words);
  if (ago !== null) {
    const when = nowSeconds - Number(ago[1]) * (UNITS[ago[2] ?? ''] ?? 0);
    return { when, zone: zoneAt(when) };
  }
  return undefined;
}

function at(
  given: {
    readonly year: string | undefined;
    readonly month: string | undefined;
    readonly day: string | undefined;
    readonly time: readonly (string | undefined)[];
    readonly zone: string | undefined;
    readonly nowSeconds: number;
  },
  zoneAt: (seconds: number) => string,
): GitMoment | undefined {
  const [month, day] = [Number(given.month), Number(given.day)];
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const days = daysFromCivil(Number(given.year), month, day);
  const [hour, minute, second] = given.time;
  // A day without a time is that day at the present time of day.
  const ofDay =
    hour === undefined
      ? given.nowSeconds % 86_400
      : Number(hour) * 3600 + Number(minute) * 60 + Number(second ?? 0);
  const local = days * 86_400 + ofDay;
  const zone =
    given.zone === undefined
      ? zoneAt(local)
      : /^[+-]/.test(given.zone)
        ? given.zone.replace(':', '')
        : '+0000';
  return { when: local - zoneSeconds(zone), zone };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The parts of a moment in its zone. */
function civil({ when, zone }: GitMoment): {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  weekday: number;
} {
  const local = when + zoneSeconds(zone);
  const days = Math.floor(local / 86_400);
  const rest = local - days * 86_400;
  const { year, month, day } = civilFromDays(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    second: rest % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
  };
}

/** A moment in one of `--date`'s forms; undefined for a form that is none. */
export function formatDate(
  moment: GitMoment,
  mode: string,
  nowSeconds: number,
  localZone: (at: number) => string,
): string | undefined {
  const isLocal = mode === 'local' || mode.endsWith('-local');
  const base = mode === 'local' ? 'default' : mode.replace(/-local$/, '');
  const shown = isLocal ? { when: moment.when, zone: localZone(moment.when) } : moment;
  const { year, month, day, hour, minute, second, weekday } = civil(shown);
  const time = `${two(hour)}:${two(minute)}:${two(second)}`;
  const { zone } = shown;
  switch (base) {
    case 'default':
    case 'normal':
      return `${DAYS[weekday]} ${MONTHS[month - 1]} ${day} ${time} ${year}${isLocal ? '' : ` ${zone}`}`;
    case 'short':
      return `${year}-${two(month)}-${two(day)}`;
    case 'iso':
    case 'iso8601':
      return `${year}-${two(month)}-${two(day)} ${time} ${zone}`;
    case 'iso-strict':
    case 'iso8601-strict':
      return `${year}-${two(month)}-${two(day)}T${time}${zone.slice(0, 3)}:${zone.slice(3)}`;
    case 'rfc':
    case 'rfc2822':
      return `${DAYS[weekday]}, ${day} ${MONTHS[month - 1]} ${year} ${time} ${zone}`;
    case 'unix':
      return String(moment.when);
    case 'raw':
      return `${moment.when} ${zone}`;
    case 'relative':
      return relativeDate(moment.when, nowSeconds);
    case 'human':
      return humanDate(shown, nowSeconds);
    default:
      if (base.startsWith('format:')) return strftime(base.slice(7), shown);
      return undefined;
  }
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** How long ago, as git says it. */
function relativeDate(when: number, now: number): string {
  if (now < when) return 'in the future';
  let diff = now - when;
  if (diff < 90) return `${plural(diff, 'second')} ago`;
  diff = Math.floor((diff + 30) / 60);
  if (diff < 90) return `${plural(diff, 'minute')} ago`;
  diff = Math.floor((diff + 30) / 60);
  if (diff < 36) return `${plural(diff, 'hour')} ago`;
  diff = Math.floor((diff + 12) / 24);
  if (diff < 14) return `${plural(diff, 'day')} ago`;
  if (diff < 70) return `${plural(Math.floor((diff + 3) / 7), 'week')} ago`;
  if (diff < 365) return `${plural(Math.floor((diff + 15) / 30), 'month')} ago`;
  if (diff < 1825) {
    const months = Math.floor((diff * 12 * 2 + 365) / (365 * 2));
    const [years, rest] = [Math.floor(months / 12), months % 12];
    return rest === 0
      ? `${plural(years, 'year')} ago`
      : `${plural(years, 'year')}, ${plural(rest, 'month')} ago`;
  }
  return `${plural(Math.floor((diff + 183) / 365), 'year')} ago`;
}

function humanDate(moment: GitMoment, now: number): string {
  const age = now - moment.when;
  if (age >= 0 && age < 86_400 * 1) return relativeDate(moment.when, now);
  const { year, month, day, hour, minute, weekday } = civil(moment);
  const thisYear = civil({ when: now, zone: moment.zone }).year;
  if (year !== thisYear) return `${MONTHS[month - 1]} ${day} ${year}`;
  return `${DAYS[weekday]} ${MONTHS[month - 1]} ${day} ${two(hour)}:${two(minute)}`;
}

function strftime(format: string, moment: GitMoment): string {
  const { year, month, day, hour, minute, second, weekday } = civil(moment);
  return format.replace(/%([a-zA-Z%])/g, (whole, letter: string) => {
    switch (letter) {
      case 'Y':
        return String(year);
      case 'y':
        return two(year % 100);
      case 'm':
        return two(month);
      case 'd':
        return two(day);
      case 'e':
        return String(day).padStart(2, ' ');
      case 'H':
        return two(hour);
      case 'I':
        return two(hour % 12 === 0 ? 12 : hour % 12);
      case 'p':
        return hour < 12 ? 'AM' : 'PM';
      case 'M':
        return two(minute);
      case 'S':
        return two(second);
      case 'F':
        return `${year}-${two(month)}-${two(day)}`;
      case 'T':
        return `${two(hour)}:${two(minute)}:${two(second)}`;
      case 'R':
        return `${two(hour)}:${two(minute)}`;
      case 'D':
        return `${two(month)}/${two(day)}/${two(year % 100)}`;
      case 'a':
        return DAYS[weekday] ?? '';
      case 'b':
        return MONTHS[month - 1] ?? '';
      case 's':
        return String(moment.when);
      case 'z':
        return moment.zone;
      case 'Z':
        return '';
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case '%':
        return '%';
      default:
        return whole;
    }
  });
}
