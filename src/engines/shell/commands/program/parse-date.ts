/**
 * Dates as people write them, as `date -d` and `touch -d` read them: calendar dates, times, zones, weekdays, `3 days
 * ago`, `next month`, `@SECONDS`, in any order.
 *
 * The idea: a list of items is read greedily from left to right, as the original's grammar does (so `10:00 +2 days` reads
 * a zone), then the fields are put together and normalised. Source: "Date input formats" in the manual of coreutils.
 */
import { breakTime, civilFromDays, daysFromCivil } from './calendar.js';
import { type DateToken, dateTokens } from './date-tokens.js';
import type { DateWord, RelativeUnit } from './date-words.js';
import { type TimeZone, timeZone, utcOfLocal } from './time-zone.js';

/** A moment: seconds since 1970 and nanoseconds. */
export interface Moment {
  readonly seconds: number;
  readonly nanoseconds: number;
}

type NumberToken = Extract<DateToken, { kind: 'number' }>;

/** What the items have said so far. */
interface Fields {
  year: number;
  month: number;
  day: number;
  yearDigits: number;
  hour: number;
  minute: number;
  second: number;
  nanoseconds: number;
  isPm: boolean | undefined;
  zone: number | undefined;
  zoneIsDst: boolean;
  weekday: number;
  weekdayOrdinal: number;
  stamp: Moment | undefined;
  relative: Record<RelativeUnit, number>;
  relativeNanoseconds: number;
  seen: { times: number; dates: number; days: number; zones: number; rels: boolean };
}

/** Reads the items of one date. */
class ItemReader {
  private at = 0;

  constructor(
    private readonly tokens: readonly DateToken[],
    private readonly fields: Fields,
  ) {}

  /** True where everything was understood. */
  run(): boolean {
    while (this.at < this.tokens.length) if (!this.item()) return false;
    return true;
  }

  private number(ahead = 0): NumberToken | undefined {
    const token = this.tokens[this.at + ahead];
    return token?.kind === 'number' ? token : undefined;
  }

  private word<K extends DateWord['kind']>(kind: K, ahead = 0): Extract<DateWord, { kind: K }> | undefined {
    const token = this.tokens[this.at + ahead];
    return token?.kind === 'word' && token.word.kind === kind
      ? (token.word as Extract<DateWord, { kind: K }>)
      : undefined;
  }

  private isSign(character: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead];
    return token?.kind === 'sign' && token.character === character;
  }

  private item(): boolean {
    const token = this.tokens[this.at];
    if (token?.kind === 'number')
      return token.sign === 0 ? this.plainNumber(token) : this.signedNumber(token);
    if (token?.kind === 'sign') return this.loneSign(token.character);
    if (token?.kind !== 'word') return false;
    const { word } = token;
    switch (word.kind) {
      case 'month':
        return this.monthFirst(word.value);
      case 'weekday':
        this.at += this.isSign(',', 1) ? 2 : 1;
        return this.setWeekday(word.value, 0);
      case 'ordinal':
        return this.ordinal(word.value);
      case 'unit':
        this.at += 1;
        return this.addRelative(word, 1, 0);
      case 'shift':
        this.at += 1;
        return this.addRelative({ unit: 'day', value: word.value }, 1, 0);
      case 'zone':
        return this.zoneWord(word);
      case 'T':
        this.at += 1;
        this.fields.zone = -7 * 3600;
        this.fields.seen.zones += 1;
        return true;
      default:
        return false;
    }
  }

  private loneSign(character: string): boolean {
    this.at += 1;
    if (character === '-' || character === '+' || character === ',')
      return character === ',' || this.at < this.tokens.length;
    return false;
  }

  private signedNumber(token: NumberToken): boolean {
    const unit = this.word('unit', 1);
    if (unit !== undefined) {
      this.at += 2;
      return this.addRelative(
        unit,
        token.value,
        token.fraction === undefined ? 0 : token.fraction * (token.sign < 0 ? -1 : 1),
      );
    }
    return false;
  }

  private plainNumber(token: NumberToken): boolean {
    if (this.isSign(':', 1)) return this.time();
    if (this.word('meridian', 1) !== undefined) {
      this.setTime(token.value, 0, 0, 0);
      this.at += 1;
      return this.meridian();
    }
    if (this.isSign('/', 1)) return this.slashDate(token);
    const next = this.number(1);
    const third = this.number(2);
    if (next?.sign === -1 && third?.sign === -1 && next.fraction === undefined) {
      this.setDate(token.value, -next.value, -third.value, token.digits);
      this.at += 3;
      if (this.word('T') !== undefined && this.number(1) !== undefined) this.at += 1;
      return true;
    }
    const month = this.word('month', 1);
    if (month !== undefined) return this.dayFirst(token, month.value);
    if (this.isSign('-', 1) && this.word('month', 2) !== undefined) {
      const year = this.number(3);
      if (year === undefined || year.sign !== -1) return false;
      this.setDate(-year.value, this.word('month', 2)?.value ?? 0, token.value, year.digits);
      this.at += 4;
      return true;
    }
    const weekday = this.word('weekday', 1);
    if (weekday !== undefined) {
      this.at += 2;
      return this.setWeekday(weekday.value, token.value);
    }
    const unit = this.word('unit', 1);
    if (unit !== undefined) {
      this.at += 2;
      return this.addRelative(unit, token.value, token.fraction ?? 0);
    }
    this.at += 1;
    return this.bareNumber(token);
  }

  private bareNumber(token: NumberToken): boolean {
    const { fields } = this;
    const { seen } = fields;
    if (token.fraction !== undefined) return false;
    if (seen.dates > 0 && fields.yearDigits === 0 && !seen.rels && (seen.times > 0 || token.digits > 2)) {
      fields.year = token.value;
      fields.yearDigits = token.digits;
      return true;
    }
    if (token.digits > 4) {
      seen.dates += 1;
      fields.day = token.value % 100;
      fields.month = Math.floor(token.value / 100) % 100;
      fields.year = Math.floor(token.value / 10_000);
      fields.yearDigits = token.digits - 4;
      return true;
    }
    const isShort = token.digits <= 2;
    this.setTime(
      isShort ? token.value : Math.floor(token.value / 100),
      isShort ? 0 : token.value % 100,
      0,
      0,
    );
    return true;
  }

  private slashDate(token: NumberToken): boolean {
    const second = this.number(2);
    if (second === undefined || second.sign !== 0) return false;
    const third = this.isSign('/', 3) ? this.number(4) : undefined;
    if (third === undefined) {
      this.fields.seen.dates += 1;
      this.fields.month = token.value;
      this.fields.day = second.value;
      this.at += 3;
      return true;
    }
    if (token.digits >= 4) this.setDate(token.value, second.value, third.value, token.digits);
    else this.setDate(third.value, token.value, second.value, third.digits);
    this.at += 5;
    return true;
  }

  private dayFirst(token: NumberToken, month: number): boolean {
    const { fields } = this;
    const year = this.number(2);
    this.at += 2;
    fields.seen.dates += 1;
    fields.day = token.value;
    fields.month = month;
    if (year !== undefined && year.sign <= 0 && !this.isSign(':', 1)) {
      fields.year = Math.abs(year.value);
      fields.yearDigits = year.digits;
      this.at += 1;
    }
    return true;
  }

  private monthFirst(month: number): boolean {
    const { fields } = this;
    const day = this.number(1);
    if (day === undefined) {
      if (this.isSign('-', 1)) return false;
      return false;
    }
    fields.seen.dates += 1;
    fields.month = month;
    fields.day = Math.abs(day.value);
    this.at += 2;
    const year = this.isSign(',') ? this.number(1) : day.sign < 0 ? this.number() : undefined;
    if (year !== undefined && (day.sign === 0 || year.sign < 0)) {
      fields.year = Math.abs(year.value);
      fields.yearDigits = year.digits;
      this.at += this.isSign(',') ? 2 : 1;
    }
    return true;
  }

  private ordinal(value: number): boolean {
    const weekday = this.word('weekday', 1);
    const unit = this.word('unit', 1);
    this.at += 2;
    if (weekday !== undefined) return this.setWeekday(weekday.value, value);
    return unit !== undefined && this.addRelative(unit, value, 0);
  }

  private time(): boolean {
    const hour = this.number();
    const minute = this.number(2);
    if (hour === undefined || minute === undefined || minute.sign !== 0) return false;
    this.at += 3;
    let second: NumberToken | undefined;
    if (this.isSign(':') && this.number(1)?.sign === 0) {
      second = this.number(1);
      this.at += 2;
    } else if (minute.fraction !== undefined) return false;
    this.setTime(hour.value, minute.value, second?.value ?? 0, second?.fraction ?? 0);
    if (this.word('meridian') !== undefined) return this.meridian();
    const offset = this.number();
    if (offset === undefined || offset.sign === 0) return true;
    this.at += 1;
    return this.offset(offset);
  }

  /** `+0200`, `+02`, `+02:00`. */
  private offset(token: NumberToken): boolean {
    const size = Math.abs(token.value);
    let minutes: number;
    if (this.isSign(':') && this.number(1)?.sign === 0) {
      minutes = size * 60 + (this.number(1)?.value ?? 0);
      this.at += 2;
    } else if (token.digits <= 2) minutes = size * 60;
    else minutes = Math.floor(size / 100) * 60 + (size % 100);
    if (minutes > 24 * 60) return false;
    this.fields.seen.zones += 1;
    this.fields.zone = (this.fields.zone ?? 0) + (token.sign < 0 ? -minutes : minutes) * 60;
    return true;
  }

  private zoneWord(word: { seconds: number; isDst: boolean }): boolean {
    const { fields } = this;
    fields.zone = word.seconds;
    this.at += 1;
    const offset = this.number();
    if (offset !== undefined && offset.sign !== 0 && this.word('unit', 1) === undefined) {
      this.at += 1;
      return this.offset(offset);
    }
    fields.seen.zones += 1;
    if (this.word('dst') !== undefined) {
      fields.zone += 3600;
      this.at += 1;
    }
    return true;
  }

  private meridian(): boolean {
    const word = this.word('meridian');
    if (word === undefined) return false;
    this.fields.isPm = word.isPm;
    this.at += 1;
    return true;
  }

  private setTime(hour: number, minute: number, second: number, nanoseconds: number): void {
    Object.assign(this.fields, { hour, minute, second, nanoseconds });
    this.fields.seen.times += 1;
  }

  private setDate(year: number, month: number, day: number, yearDigits: number): void {
    Object.assign(this.fields, { year, month, day, yearDigits });
    this.fields.seen.dates += 1;
  }

  private setWeekday(weekday: number, ordinal: number): boolean {
    this.fields.weekday = weekday;
    this.fields.weekdayOrdinal = ordinal;
    this.fields.seen.days += 1;
    return true;
  }

  private addRelative(
    unit: { unit: RelativeUnit; value: number },
    count: number,
    nanoseconds: number,
  ): boolean {
    const { fields } = this;
    const ago = this.word('ago');
    const sign = ago?.value ?? 1;
    if (ago !== undefined) this.at += 1;
    if (nanoseconds !== 0 && unit.unit !== 'second') return false;
    fields.relative[unit.unit] += count * unit.value * sign;
    fields.relativeNanoseconds += nanoseconds * sign;
    fields.seen.rels = true;
    return true;
  }
}

function newFields(): Fields {
  return {
    year: 0,
    month: 0,
    day: 0,
    yearDigits: 0,
    hour: 0,
    minute: 0,
    second: 0,
    nanoseconds: 0,
    isPm: undefined,
    zone: undefined,
    zoneIsDst: false,
    weekday: 0,
    weekdayOrdinal: 0,
    stamp: undefined,
    relative: { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 },
    relativeNanoseconds: 0,
    seen: { times: 0, dates: 0, days: 0, zones: 0, rels: false },
  };
}

/** The names that the local zone has, so that `10:00 CET` works there. */
function localNames(zone: TimeZone, now: number): Map<string, { seconds: number; isDst: boolean }> {
  const names = new Map<string, { seconds: number; isDst: boolean }>();
  for (let quarter = 0; quarter < 4; quarter++) {
    const offset = zone.at(now + quarter * 7_889_400);
    if (/^[A-Za-z]+$/.test(offset.abbreviation)) names.set(offset.abbreviation.toLowerCase(), offset);
  }
  return names;
}

function to24(fields: Fields): number | undefined {
  if (fields.isPm === undefined) return fields.hour <= 24 ? fields.hour : undefined;
  if (fields.hour < 1 || fields.hour > 12) return undefined;
  return (fields.hour % 12) + (fields.isPm ? 12 : 0);
}

function isRealDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const date = civilFromDays(daysFromCivil(year, month, day));
  return date.month === month && date.day === day;
}

/** Puts the fields together. */
function settle(fields: Fields, now: Moment, zone: TimeZone): Moment | null {
  const { seen, relative } = fields;
  if (seen.times > 1 || seen.dates > 1 || seen.days > 1 || seen.zones > 1) return null;
  const today = breakTime(now.seconds, now.nanoseconds, zone);
  let { year, month, day } = today;
  let [hour, minute, second, nanoseconds] = [today.hour, today.minute, today.second, now.nanoseconds];
  if (seen.dates > 0) {
    if (fields.yearDigits > 0)
      year = fields.yearDigits === 2 ? fields.year + (fields.year < 69 ? 2000 : 1900) : fields.year;
    month = fields.month;
    day = fields.day;
    if (!isRealDate(year, month, day)) return null;
  }
  if (seen.times > 0) {
    const whole = to24(fields);
    if (whole === undefined || whole > 23 || fields.minute > 59 || fields.second > 60) return null;
    [hour, minute, second, nanoseconds] = [whole, fields.minute, fields.second, fields.nanoseconds];
    if (second === 60) return null;
  } else if (seen.dates > 0 || seen.days > 0) [hour, minute, second, nanoseconds] = [0, 0, 0, 0];
  else if (!seen.rels) [hour, minute, second, nanoseconds] = [0, 0, 0, 0];
  let days = daysFromCivil(year, month, day);
  if (seen.days > 0 && seen.dates === 0) {
    const today_ = (((days + 4) % 7) + 7) % 7;
    const { weekday, weekdayOrdinal: ordinal } = fields;
    days += ((weekday - today_ + 7) % 7) + 7 * (ordinal - (ordinal > 0 && today_ !== weekday ? 1 : 0));
  }
  if (relative.year !== 0 || relative.month !== 0 || relative.day !== 0) {
    const date = civilFromDays(days);
    days = daysFromCivil(date.year + relative.year, date.month + relative.month, date.day + relative.day);
  }
  const local = days * 86_400 + hour * 3600 + minute * 60 + second;
  const utc = fields.zone === undefined ? utcOfLocal(zone, local) : local - fields.zone;
  const total = nanoseconds + fields.relativeNanoseconds;
  const carry = Math.floor(total / 1e9);
  return {
    seconds: utc + relative.hour * 3600 + relative.minute * 60 + relative.second + carry,
    nanoseconds: total - carry * 1e9,
  };
}

/** Reads a date; null where it is none. `now` is what relative dates start from. */
export function parseDate(text: string, now: Moment, localZone: TimeZone): Moment | null {
  let rest = text.replace(/^[ \t\n]+/, '');
  let zone = localZone;
  const own = /^TZ="((?:[^"\\]|\\["\\])*)"/.exec(rest);
  if (own !== null) {
    zone = timeZone((own[1] ?? '').replace(/\\(.)/g, '$1'));
    rest = rest.slice(own[0].length).replace(/^[ \t\n]+/, '');
  }
  const stamp = /^@([+-]?)[ \t]*(\d+)(?:[.,](\d+))?[ \t\n]*$/.exec(rest);
  if (stamp !== null) {
    const fraction = Number((stamp[3] ?? '').slice(0, 9).padEnd(9, '0'));
    const isNegative = stamp[1] === '-';
    const whole = isNegative ? -Number(stamp[2]) : Number(stamp[2]);
    if (isNegative && fraction > 0) return { seconds: whole - 1, nanoseconds: 1e9 - fraction };
    return { seconds: whole, nanoseconds: fraction };
  }
  const tokens = dateTokens(rest, localNames(zone, now.seconds));
  if (tokens === null) return null;
  const fields = newFields();
  if (!new ItemReader(tokens, fields).run()) return null;
  return settle(fields, now, zone);
}
