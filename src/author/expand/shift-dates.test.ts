import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, longDate, shiftJson, shiftText } from './shift-dates.js';

const week = { days: 7, year: 2026 };

test('ISO dates and times move, their clock times and zones stay', () => {
  expect(
    shiftText('from 2026-12-28T23:30:00+01:00 to 2027-02-24, ref 2026-13-01 and A-2026-01-01', week),
  ).toBe('from 2027-01-04T23:30:00+01:00 to 2027-03-03, ref 2026-13-01 and A-2026-01-01');
});

test('long dates move with the names of their days and months', () => {
  const text =
    'On Wednesday 14 January 2026, from 28 to 30 January, by March 28, 2026; 31 February stays, may 5 too';
  expect(shiftText(text, week)).toBe(
    'On Wednesday 21 January 2026, from 4 to 6 February, by April 4, 2026; 31 February stays, may 5 too',
  );
  expect(shiftText('Friday, 30 January and 29–31 January', { days: 1, year: 2026 })).toBe(
    'Saturday, 31 January and 30 January–1 February',
  );
});

test('days without a month are read from the clock on, and their endings follow', () => {
  const text =
    'Friday the 27th, Tuesday the 31st; on the 7th; the 30th of April; the 12th of March; the 32nd';
  expect(shiftText(text, { days: 364, year: 2026, today: '2026-03-24' })).toBe(
    'Friday the 26th, Tuesday the 30th; on the 6th; the 29th of April; the 11th of March; the 32nd',
  );
  expect(shiftText('Friday the 27th, 28 March', { days: 1, year: 2026, today: '2026-03-24' })).toBe(
    'Saturday the 28th, 29 March',
  );
  expect(shiftText('on the 10th', { days: 1, year: 2026, today: '2026-03-24' })).toBe('on the 11th');
  expect(shiftText('on the 10th', { days: 1, year: 2026 })).toBe('on the 10th');
});

test('years that stand alone move on demand, and those of numbers and dates do not', () => {
  const text =
    'Invoices 2026, 834/2026, Agenda 2026-03.md, RE2026-4, EUR 2026.00, 12-2026-3, 1998 and 2026-03-14';
  expect(shiftText(text, { days: 364, year: 2026, years: 1 })).toBe(
    'Invoices 2027, 834/2027, Agenda 2027-03.md, RE2026-4, EUR 2026.00, 12-2026-3, 1998 and 2027-03-13',
  );
  expect(shiftText(text, { days: 364, year: 2026, years: 0 })).toBe(text.replace('2026-03-14', '2027-03-13'));
});

test('a value keeps its form, and keys that are dates move too', () => {
  expect(shiftJson({ '2026-02-27': [{ due: '2026-02-27', amount: 20260227 }, null] }, week)).toEqual({
    '2026-03-06': [{ due: '2026-03-06', amount: 20260227 }, null],
  });
});

test('a shift there and back is the text again', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
  fc.assert(
    fc.property(day, fc.integer({ min: -400, max: 400 }), (date, days) => {
      const text = `${date}, ${longDate(date)} at ${date}T08:15:00Z`;
      const there = shiftText(text, { days, year: 2026 });
      expect(shiftText(there, { days: -days, year: 2026 })).toBe(text);
      expect(there.slice(0, 10)).toBe(addDays(date, days));
    }),
  );
});
