/**
 * `strftime` as GNU programs have it, in the C locale: all conversions, flags (`- _ 0 + ^ #`), widths, `%N`, `%:z`.
 *
 * Source: date(1), strftime(3). Not covered: other locales; `E` and `O` are read and change nothing.
 */
import { type BrokenTime, isoWeek } from './calendar.js';

/** Weekdays from Sunday on. */
export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** Months from January on. */
export const MONTHS = [
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
] as const;

interface Spec {
  readonly flag: string;
  readonly upper: boolean;
  readonly swap: boolean;
  readonly width: number;
}

const DIRECTIVE = /%([-_0+^#]*)(\d*)([EO]?)(:{0,3})([A-Za-z%])/gu;

function number(value: number, digits: number, spec: Spec, pad = '0'): string {
  const padding = spec.flag === '_' ? ' ' : spec.flag === '0' || spec.flag === '+' ? '0' : pad;
  const width = spec.flag === '-' ? spec.width : Math.max(spec.width, spec.width > 0 ? 0 : digits);
  const text = String(Math.abs(value));
  const sign = value < 0 ? '-' : spec.flag === '+' && text.length > digits ? '+' : '';
  if (spec.flag === '-') return sign + text;
  return padding === ' '
    ? (sign + text).padStart(width, ' ')
    : sign + text.padStart(width - sign.length, '0');
}

function word(text: string, spec: Spec, swapped: string = text.toUpperCase()): string {
  const cased = spec.swap ? swapped : spec.upper ? text.toUpperCase() : text;
  if (spec.flag === '-') return cased;
  return cased.padStart(spec.width, spec.flag === '0' || spec.flag === '+' ? '0' : ' ');
}

function zoneOffset(time: BrokenTime, colons: number, spec: Spec): string {
  const sign = time.offsetSeconds < 0 ? '-' : '+';
  const total = Math.abs(time.offsetSeconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  let rest = two(minutes);
  if (colons === 1) rest = `:${two(minutes)}`;
  else if (colons === 2) rest = `:${two(minutes)}:${two(seconds)}`;
  else if (colons === 3)
    rest = seconds > 0 ? `:${two(minutes)}:${two(seconds)}` : minutes > 0 ? `:${two(minutes)}` : '';
  if (spec.flag === '-') return `${sign}${hours}${rest}`;
  const width = Math.max(spec.width, rest.length + 3);
  return spec.flag === '_'
    ? `${sign}${hours}${rest}`.padStart(width, ' ')
    : sign + `${hours}${rest}`.padStart(width - 1, '0');
}

function nanoseconds(time: BrokenTime, spec: Spec): string {
  const all = String(time.nanosecond).padStart(9, '0');
  const digits = spec.width > 0 ? spec.width : 9;
  if (spec.flag === '_') {
    const kept = all.slice(0, digits).replace(/0+$/, '') || '0';
    return kept.padEnd(digits, ' ');
  }
  return all.slice(0, digits).padEnd(digits, '0');
}

function weekNumber(time: BrokenTime, firstDay: number): number {
  return Math.floor((time.yearDay - ((time.weekday - firstDay + 7) % 7) + 7) / 7);
}

/** Conversions that are made of others. */
const COMPOSED: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%+4Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
};

const NUMBERS: Readonly<Record<string, (time: BrokenTime) => readonly [number, number, string?]>> = {
  C: (time) => [Math.floor(time.year / 100), 2],
  d: (time) => [time.day, 2],
  e: (time) => [time.day, 2, ' '],
  g: (time) => [((isoWeek(time).year % 100) + 100) % 100, 2],
  G: (time) => [isoWeek(time).year, 4],
  H: (time) => [time.hour, 2],
  I: (time) => [time.hour % 12 || 12, 2],
  j: (time) => [time.yearDay + 1, 3],
  k: (time) => [time.hour, 2, ' '],
  l: (time) => [time.hour % 12 || 12, 2, ' '],
  m: (time) => [time.month, 2],
  M: (time) => [time.minute, 2],
  q: (time) => [Math.floor((time.month - 1) / 3) + 1, 1],
  s: (time) => [time.utcSeconds, 1],
  S: (time) => [time.second, 2],
  u: (time) => [time.weekday || 7, 1],
  U: (time) => [weekNumber(time, 0), 2],
  V: (time) => [isoWeek(time).week, 2],
  w: (time) => [time.weekday, 1],
  W: (time) => [weekNumber(time, 1), 2],
  y: (time) => [((time.year % 100) + 100) % 100, 2],
  Y: (time) => [time.year, 4],
};

/** A moment in the given format. */
export function strftime(format: string, time: BrokenTime): string {
  return format.replace(
    DIRECTIVE,
    (whole, flags: string, width: string, _modifier, colons: string, letter: string) => {
      const spec: Spec = {
        flag: flags.replace(/[\^#]/g, '').slice(-1),
        upper: flags.includes('^'),
        swap: flags.includes('#'),
        width: Math.min(Number(width || 0), 4096),
      };
      if (colons !== '') return letter === 'z' ? zoneOffset(time, colons.length, spec) : whole;
      const composed = COMPOSED[letter];
      if (composed !== undefined) {
        if (letter === 'F' && spec.flag !== '') return fullDate(time, spec);
        return word(strftime(composed, time), { ...spec, swap: false });
      }
      const numeric = NUMBERS[letter]?.(time);
      if (numeric !== undefined) return number(numeric[0], numeric[1], spec, numeric[2]);
      return textConversion(letter, time, spec) ?? whole;
    },
  );
}

function fullDate(time: BrokenTime, spec: Spec): string {
  const year = number(time.year, 4, { ...spec, width: Math.max(0, spec.width - 6) });
  return year + strftime('-%m-%d', time);
}

function textConversion(letter: string, time: BrokenTime, spec: Spec): string | undefined {
  const weekday = WEEKDAYS[time.weekday] ?? '';
  const month = MONTHS[time.month - 1] ?? '';
  switch (letter) {
    case 'a':
      return word(weekday.slice(0, 3), spec);
    case 'A':
      return word(weekday, spec);
    case 'b':
    case 'h':
      return word(month.slice(0, 3), spec);
    case 'B':
      return word(month, spec);
    case 'n':
      return word('\n', spec);
    case 't':
      return word('\t', spec);
    case 'N':
      return nanoseconds(time, spec);
    case 'p':
      return word(time.hour < 12 ? 'AM' : 'PM', spec, time.hour < 12 ? 'am' : 'pm');
    case 'P':
      return word(time.hour < 12 ? 'am' : 'pm', spec);
    case 'z':
      return zoneOffset(time, 0, spec);
    case 'Z':
      return word(time.abbreviation, spec, time.abbreviation.toLowerCase());
    case '%':
      return word('%', spec);
    default:
      return undefined;
  }
}
