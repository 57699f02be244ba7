/**
 * The words that GNU date parsing knows: months, weekdays, units, relative words, ordinals, zones.
 *
 * Source: "Date input formats" in the manual of coreutils.
 */
import { MONTHS, WEEKDAYS } from './strftime.js';

/** What a word in a date means. */
export type DateWord =
  | { readonly kind: 'month'; readonly value: number }
  | { readonly kind: 'weekday'; readonly value: number }
  | { readonly kind: 'unit'; readonly unit: RelativeUnit; readonly value: number }
  | { readonly kind: 'shift'; readonly value: number }
  | { readonly kind: 'ordinal'; readonly value: number }
  | { readonly kind: 'ago'; readonly value: -1 | 1 }
  | { readonly kind: 'meridian'; readonly isPm: boolean }
  /** `seconds` east of Greenwich. */
  | { readonly kind: 'zone'; readonly seconds: number; readonly isDst: boolean }
  | { readonly kind: 'dst' }
  | { readonly kind: 'T' };

/** What can be added to a date. */
export type RelativeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

const UNITS: Readonly<Record<string, readonly [RelativeUnit, number]>> = {
  year: ['year', 1],
  month: ['month', 1],
  fortnight: ['day', 14],
  week: ['day', 7],
  day: ['day', 1],
  hour: ['hour', 1],
  minute: ['minute', 1],
  min: ['minute', 1],
  second: ['second', 1],
  sec: ['second', 1],
};
const SHIFTS: Readonly<Record<string, number>> = { tomorrow: 1, yesterday: -1, today: 0, now: 0 };
const ORDINALS: Readonly<Record<string, number>> = {
  last: -1,
  this: 0,
  next: 1,
  first: 1,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
};
/** Hours east; a `+` after the name marks summer time (the hour is added to the number). */
const ZONES =
  'gmt 0,ut 0,utc 0,wet 0,west 0+,bst 0+,art -3,brt -3,brst -3+,nst -3.5,ndt -3.5+,ast -4,adt -4+,clt -4,clst -4+,' +
  'est -5,edt -5+,cst -6,cdt -6+,mst -7,mdt -7+,pst -8,pdt -8+,akst -9,akdt -9+,hst -10,hast -10,hadt -10+,sst -12,' +
  'wat 1,cet 1,cest 1+,met 1,mez 1,mest 1+,mesz 1+,eet 2,eest 2+,cat 2,sast 2,eat 3,msk 3,msd 3+,ist 5.5,sgt 8,' +
  'kst 9,jst 9,gst 10,nzst 12,nzdt 12+';
const ZONE_WORDS = new Map(
  ZONES.split(',').map((row) => {
    const [name = '', hours = '0'] = row.split(' ');
    const isDst = hours.endsWith('+');
    return [name, { seconds: (Number.parseFloat(hours) + (isDst ? 1 : 0)) * 3600, isDst }] as const;
  }),
);
const SHORT_DAYS: Readonly<Record<string, number>> = { tues: 2, wednes: 3, thur: 4, thurs: 4 };

/** Looks a word up; undefined for words that no date has. `extraZones` are the abbreviations of the local zone. */
export function dateWord(
  written: string,
  extraZones: ReadonlyMap<string, { seconds: number; isDst: boolean }>,
): DateWord | undefined {
  const word = written.toLowerCase();
  if (/^a\.?m\.?$/.test(word)) return { kind: 'meridian', isPm: false };
  if (/^p\.?m\.?$/.test(word)) return { kind: 'meridian', isPm: true };
  const named = monthOrDay(word);
  if (named !== undefined) return named;
  const zone = ZONE_WORDS.get(word) ?? extraZones.get(word);
  if (word === 'gmt' || word === 'ut' || word === 'utc') return { kind: 'zone', seconds: 0, isDst: false };
  const local = extraZones.get(word);
  if (local !== undefined) return { kind: 'zone', ...local };
  if (word === 'dst') return { kind: 'dst' };
  const unit = UNITS[word] ?? (word.endsWith('s') ? UNITS[word.slice(0, -1)] : undefined);
  if (unit !== undefined) return { kind: 'unit', unit: unit[0], value: unit[1] };
  const shift = SHIFTS[word];
  if (shift !== undefined) return { kind: 'shift', value: shift };
  const ordinal = ORDINALS[word];
  if (ordinal !== undefined) return { kind: 'ordinal', value: ordinal };
  if (word === 'ago') return { kind: 'ago', value: -1 };
  if (word === 'hence') return { kind: 'ago', value: 1 };
  if (zone !== undefined) return { kind: 'zone', ...zone };
  return word.length === 1 ? militaryZone(word) : undefined;
}

function monthOrDay(written: string): DateWord | undefined {
  const word = written.replace(/\.$/, '');
  if (word.length >= 3) {
    const isShort = word.length === 3;
    const month = MONTHS.findIndex(
      (name) => name.toLowerCase() === word || (isShort && name.toLowerCase().startsWith(word)),
    );
    if (month >= 0) return { kind: 'month', value: month + 1 };
    if (word === 'sept') return { kind: 'month', value: 9 };
    const day = WEEKDAYS.findIndex(
      (name) => name.toLowerCase() === word || (isShort && name.toLowerCase().startsWith(word)),
    );
    if (day >= 0) return { kind: 'weekday', value: day };
  }
  const short = SHORT_DAYS[word];
  return short === undefined ? undefined : { kind: 'weekday', value: short };
}

function militaryZone(letter: string): DateWord | undefined {
  if (letter === 't') return { kind: 'T' };
  if (letter === 'z') return { kind: 'zone', seconds: 0, isDst: false };
  const east = 'abcdefghiklm'.indexOf(letter);
  if (east >= 0) return { kind: 'zone', seconds: (east + 1) * 3600, isDst: false };
  const west = 'nopqrstuvwxy'.indexOf(letter);
  return west >= 0 ? { kind: 'zone', seconds: -(west + 1) * 3600, isDst: false } : undefined;
}
