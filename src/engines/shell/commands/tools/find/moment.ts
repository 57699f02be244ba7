/**
 * The dates that `find -newermt` understands: `YYYY-MM-DD`, with a time of day, `@seconds`, `now`, `N units ago`.
 *
 * Not covered: the rest of the words that date(1) knows.
 */
import type { Process } from '../../../kernel/index.js';
import { timeZone, utcOfLocal } from '../../program/time-zone.js';

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  minute: 60,
  min: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

/** Microseconds since 1970; undefined for a text that is no date. */
export function parseMoment(text: string, proc: Process): number | undefined {
  const trimmed = text.trim();
  const stamp = /^@(-?\d+(?:\.\d+)?)$/.exec(trimmed);
  if (stamp !== null) return Number(stamp[1]) * 1e6;
  if (/^now$/i.test(trimmed)) return proc.now();
  if (/^(today|yesterday|tomorrow)$/i.test(trimmed)) {
    const days = { today: 0, yesterday: -1, tomorrow: 1 }[trimmed.toLowerCase() as 'today'];
    return proc.now() + days * 86_400e6;
  }
  const ago = /^(\d+)\s*([a-z]+?)s?\s+ago$/i.exec(trimmed);
  if (ago !== null) {
    const unit = SECONDS[(ago[2] ?? '').toLowerCase()];
    return unit === undefined ? undefined : proc.now() - Number(ago[1]) * unit * 1e6;
  }
  const date =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC)?)?$/.exec(trimmed);
  if (date === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = date
    .slice(1, 7)
    .map((one) => Number(one ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59) return undefined;
  const local = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  const isUtc = date[7] !== undefined;
  return (isUtc ? local : utcOfLocal(timeZone(proc.env.get('TZ')), local)) * 1e6;
}
