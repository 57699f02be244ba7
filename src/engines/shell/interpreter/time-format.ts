/**
 * `strftime` for `printf %(…)T`, prompts and history, in the C locale.
 *
 * Time zones: `UTC` and fixed offsets of `TZ` (`EST5`, `UTC-2`); named zones count as UTC.
 */
import type { Shell } from './shell.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
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

/** The zone of `TZ`: its name and seconds east of Greenwich. */
function zoneOf(shell: Shell): { name: string; east: number } {
  const value = shell.variables.find('TZ')?.value ?? 'UTC';
  const match = /^([A-Za-z]{3,})([+-]?\d+)(?::(\d+))?$/.exec(value);
  if (match === null) return { name: 'UTC', east: 0 };
  const hours = Number(match[2]);
  const minutes = Number(match[3] ?? 0);
  const west = (Math.abs(hours) * 3600 + minutes * 60) * (String(match[2]).startsWith('-') ? -1 : 1);
  return { name: match[1] ?? 'UTC', east: -west };
}

function pad(value: number, width: number, fill = '0'): string {
  return String(value).padStart(width, fill);
}

/** The ISO week and its year. */
function isoWeek(date: Date): { year: number; week: number } {
  const day = (date.getUTCDay() + 6) % 7;
  const thursday = new Date(date.getTime() + (3 - day) * 86_400_000);
  const year = thursday.getUTCFullYear();
  const first = Date.UTC(year, 0, 1);
  return { year, week: 1 + Math.floor((thursday.getTime() - first) / 604_800_000) };
}

/** Formats a moment (seconds since 1970). */
export function formatTime(shell: Shell, format: string, seconds: number): string {
  const zone = zoneOf(shell);
  const date = new Date((seconds + zone.east) * 1000);
  return format.replace(/%([-_0^#]?)(:{0,3}z|[a-zA-Z%+])/g, (whole, flag: string, letter: string) => {
    const text = fieldOf(letter, { date, seconds, zone, shell });
    if (text === undefined) return whole;
    if (flag === '-') return text.replace(/^[0 ]+(?=\d)/, '');
    if (flag === '_') return text.replace(/^0+(?=\d)/, (zeros) => ' '.repeat(zeros.length));
    return flag === '^' ? text.toUpperCase() : text;
  });
}

interface Moment {
  readonly date: Date;
  readonly seconds: number;
  readonly zone: { name: string; east: number };
  readonly shell: Shell;
}

const COMPOUND: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  h: '%b',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};

function fieldOf(letter: string, moment: Moment): string | undefined {
  const { date, seconds, zone, shell } = moment;
  const compound = COMPOUND[letter];
  if (compound !== undefined) return formatTime(shell, compound, seconds);
  const hour = date.getUTCHours();
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000);
  const minutes = Math.abs(zone.east) / 60;
  const fields: Readonly<Record<string, () => string>> = {
    a: () => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
    A: () => DAYS[date.getUTCDay()] ?? '',
    b: () => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
    B: () => MONTHS[date.getUTCMonth()] ?? '',
    C: () => pad(Math.floor(date.getUTCFullYear() / 100), 2),
    d: () => pad(date.getUTCDate(), 2),
    e: () => pad(date.getUTCDate(), 2, ' '),
    g: () => pad(isoWeek(date).year % 100, 2),
    G: () => String(isoWeek(date).year),
    H: () => pad(hour, 2),
    I: () => pad(hour % 12 === 0 ? 12 : hour % 12, 2),
    j: () => pad(dayOfYear + 1, 3),
    k: () => pad(hour, 2, ' '),
    l: () => pad(hour % 12 === 0 ? 12 : hour % 12, 2, ' '),
    m: () => pad(date.getUTCMonth() + 1, 2),
    M: () => pad(date.getUTCMinutes(), 2),
    n: () => '\n',
    p: () => (hour < 12 ? 'AM' : 'PM'),
    P: () => (hour < 12 ? 'am' : 'pm'),
    s: () => String(seconds),
    S: () => pad(date.getUTCSeconds(), 2),
    t: () => '\t',
    u: () => String(date.getUTCDay() === 0 ? 7 : date.getUTCDay()),
    U: () => pad(Math.floor((dayOfYear + 7 - date.getUTCDay()) / 7), 2),
    V: () => pad(isoWeek(date).week, 2),
    w: () => String(date.getUTCDay()),
    W: () => pad(Math.floor((dayOfYear + 7 - ((date.getUTCDay() + 6) % 7)) / 7), 2),
    y: () => pad(date.getUTCFullYear() % 100, 2),
    Y: () => String(date.getUTCFullYear()),
    z: () => `${zone.east < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}${pad(minutes % 60, 2)}`,
    Z: () => zone.name,
    '%': () => '%',
  };
  return fields[letter]?.();
}
