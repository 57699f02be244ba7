/**
 * Functions on time: ISO 8601 text and milliseconds since 1970 UTC, years 0000 to 9999.
 *
 * Pure arithmetic on the proleptic Gregorian calendar (ISO 8601, RFC 3339): no host clock, no host time zone. A
 * text without an offset is UTC. There is no `now`: the simulated clock is a value that rules are given. Not
 * covered: leap seconds, named time zones, week dates.
 */
import type { Json } from '../core/index.js';
import { compute } from './arithmetic.js';
import { type Arguments, type FunctionTable, numberAt, textAt, wrongArgument } from './function-arguments.js';
import type { Run } from './run.js';

const ISO_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))?)?$/;
const FIRST_MS = -62_167_219_200_000;
const LAST_MS = 253_402_300_799_999;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Milliseconds since 1970 UTC of an ISO 8601 text; undefined when it is none or names a day that does not exist. */
export function parseIsoTime(text: string): number | undefined {
  const match = text.length > 40 ? null : ISO_TIME.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year,
    month,
    day,
    hours = '0',
    minutes = '0',
    seconds = '0',
    fraction,
    sign,
    ahead = '0',
    more = '0',
  ] = match;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (hour > 23 || minute > 59 || second > 59 || Number(ahead) > 23 || Number(more) > 59) return undefined;
  const midnight = dayMs(Number(year), Number(month), Number(day));
  if (midnight === undefined) return undefined;
  const millis = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'));
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(ahead) * 60 + Number(more));
  const ms = midnight + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 + millis;
  return inRange(ms) ? ms : undefined;
}

/** The start of a day; undefined where there is no such day. */
function dayMs(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1) return undefined;
  // years below 100 mean the last century to Date.UTC
  if (day <= 28 && year >= 100) return Date.UTC(year, month - 1, day);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** ISO 8601 text with milliseconds, in UTC, as `2026-01-31T09:30:00.000Z`. */
export function renderIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function inRange(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS;
}

function timeAt(run: Run, args: Arguments, index: number): number {
  const ms = parseIsoTime(textAt(run, args, index));
  if (ms === undefined) {
    throw wrongArgument(run, args, { index, wanted: 'an ISO 8601 time such as "2026-01-31T09:30:00Z"' });
  }
  return ms;
}

function checked(run: Run, ms: number): number {
  if (!inRange(ms)) throw run.error(() => 'the time is outside the years 0000 to 9999');
  return ms;
}

/** Adds seconds and keeps the style of the text: milliseconds are written when it had some or the sum needs them. */
function addSeconds(run: Run, args: Arguments): Json {
  const before = timeAt(run, args, 0);
  const ms = checked(run, before + Math.round(Number(numberAt(run, args, 1)) * 1000));
  const text = renderIsoTime(ms);
  const plain = ms % 1000 === 0 && !/[.,]/.test(textAt(run, args, 0));
  return plain ? `${text.slice(0, 19)}Z` : text;
}

/** The functions on time. */
export const TIME_FUNCTIONS: FunctionTable = {
  time: { form: 'time(text)', arity: [1, 1], apply: (run, args) => timeAt(run, args, 0) },
  isoTime: {
    form: 'isoTime(ms)',
    arity: [1, 1],
    apply: (run, args) => renderIsoTime(checked(run, Math.trunc(Number(numberAt(run, args, 0))))),
  },
  addSeconds: { form: 'addSeconds(text, seconds)', arity: [2, 2], apply: addSeconds },
  secondsBetween: {
    form: 'secondsBetween(from, to)',
    arity: [2, 2],
    apply: (run, args) => compute(run, '/', [timeAt(run, args, 1) - timeAt(run, args, 0), 1000]),
  },
  date: {
    form: 'date(text)',
    arity: [1, 1],
    apply: (run, args) => renderIsoTime(timeAt(run, args, 0)).slice(0, 10),
  },
  timeOfDay: {
    form: 'timeOfDay(text)',
    arity: [1, 1],
    apply: (run, args) => renderIsoTime(timeAt(run, args, 0)).slice(11, 16),
  },
  weekday: {
    form: 'weekday(text)',
    arity: [1, 1],
    apply: (run, args) => WEEKDAYS[new Date(timeAt(run, args, 0)).getUTCDay()] ?? '',
  },
};
