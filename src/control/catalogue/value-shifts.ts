/**
 * Faults of meaning: numbers as text, other units, another currency, another way to write numbers and times.
 *
 * The shapes stay; what the values mean or how they are written changes, and mostly nothing says so.
 */
import { z } from 'zod';
import { isJsonObject, type Json } from '../../core/index.js';
import { alterValue, answerValue } from '../alter-json.js';
import { defineOperationFault, type FaultAction, type FaultStrike } from '../fault-kind.js';
import { GET } from './example-calls.js';
import { changedAnswer, editField, FIELD, FIELD_PLACE, fieldNames, strikeField } from './fields.js';

const PLACE = { ...FIELD_PLACE, family: 'values' } as const;

const isNumber = (value: Json): boolean => typeof value === 'number' || typeof value === 'bigint';

/** Changes every value that fits, of one field or of all. */
function strikeAll(
  strike: FaultStrike,
  how: {
    readonly kind: string;
    readonly field: string | undefined;
    readonly fits: (value: Json) => boolean;
    readonly change: (value: Json) => Json;
    readonly wanted: string;
  },
): FaultAction {
  const { answer } = strike;
  const value = answer === undefined || answer.isError ? undefined : answerValue(answer);
  if (answer === undefined || value === undefined) return { do: 'skip', why: 'the answer has no fields' };
  const names = fieldNames(value, how.fits).filter((name) => how.field === undefined || name === how.field);
  if (names.length === 0) return { do: 'skip', why: `the answer has no ${how.wanted}` };
  const altered = alterValue(answer, how.kind, (whole) =>
    names.reduce(
      (edited, name) =>
        editField(edited, name, (member) => [[name, how.fits(member) ? how.change(member) : member]]),
      whole,
    ),
  );
  if (altered === undefined) return { do: 'skip', why: `no ${how.wanted} changes` };
  return { do: 'alter', answer: altered, note: { fields: names } };
}

/** The kind `numbers-as-strings`. */
export const numbersAsStringsFault = defineOperationFault({
  ...PLACE,
  name: 'numbers-as-strings',
  description: 'Numbers come as text: `12` as `"12"`.',
  remedy: 'Read them as numbers before comparing or adding.',
  parameters: z.strictObject({
    field: z.string().min(1).optional().describe('Name of the field. Default: all numbers.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get' }, calls: GET },
  strike: ({ field }, strike) =>
    strikeAll(strike, {
      kind: 'numbers-as-strings',
      field,
      fits: isNumber,
      change: String,
      wanted: 'number',
    }),
  tookEffect: changedAnswer,
});

/** The kind `units-changed`. */
export const unitsChangedFault = defineOperationFault({
  ...PLACE,
  name: 'units-changed',
  description:
    'A number comes in another unit: times `factor`. Without `field` one that measures something: no count, no id. With `to` the field is called so, as an honest service would; without, nothing says it.',
  remedy: 'Compare with what is known; where the unit is not told, ask or say so.',
  parameters: z.strictObject({
    field: FIELD,
    factor: z.number().gt(0).default(0.01).describe('The old unit in the new one: 0.01 makes cents euros.'),
    to: z.string().min(1).optional().describe('The new name of the field. Default: the old name stays.'),
  }),
  permanently: 'honest-report',
  example: {
    fault: { on: 'ticket_get', with: { field: 'cost_cents', factor: 0.01, to: 'cost_euros' } },
    calls: GET,
  },
  strike: ({ field, factor, to }, strike) =>
    strikeField(strike, {
      kind: 'units-changed',
      field,
      fits: isNumber,
      likely: (name) => !COUNTS.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2')),
      wanted: field === undefined ? 'number that measures something' : 'number',
      edit: (value, name) => [[to ?? name, scaled(value, factor)]],
    }),
  tookEffect: changedAnswer,
});

/** Numbers that count or name something have no unit. */
const COUNTS =
  /(^|[_-])(id|ids|no|nr|number|count|total|items|pages?|limit|offset|size|cursor|succeeded|failed|done|ready|open|closed|attempts?|retries|priority|rank|position|index|version|revision|quantity|qty|stock|seats|votes?|year|month|day)$/i;

/** Rounded to twelve digits, so that 1999 × 0.01 is 19.99. */
function scaled(value: Json, factor: number): number {
  return Number((Number(value) * factor).toPrecision(12));
}

const CURRENCY = /^[A-Z]{3}$/;

/** The kind `currency-changed`. */
export const currencyChangedFault = defineOperationFault({
  ...PLACE,
  name: 'currency-changed',
  description:
    'Amounts come in another currency: the fields that hold a currency code say `to`, and the amounts beside them are times `rate`.',
  remedy: 'Look at the currency of every amount; never add different ones.',
  parameters: z.strictObject({
    to: z
      .string()
      .regex(CURRENCY, 'must be a code of three capitals, such as USD')
      .default('USD')
      .describe('The new currency.'),
    rate: z.number().gt(0).default(1.1).describe('One unit of the old currency in the new one.'),
    amounts: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe(
        'The fields with amounts. Default: numbers whose name says price, cost, amount, total, cents, …',
      ),
  }),
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_get', with: { to: 'USD', rate: 1.1 } }, calls: GET },
  strike: ({ to, rate, amounts }, strike) => {
    const { answer } = strike;
    const value = answer === undefined || answer.isError ? undefined : answerValue(answer);
    if (answer === undefined || value === undefined) return { do: 'skip', why: 'the answer has no fields' };
    const fields = new Set<string>();
    const altered = alterValue(answer, 'currency-changed', (whole) =>
      inCurrency(whole, { to, rate, amounts, fields }),
    );
    if (altered === undefined)
      return { do: 'skip', why: 'the answer has no currency code with an amount beside it' };
    return { do: 'alter', answer: altered, note: { fields: [...fields] } };
  },
  tookEffect: (evidence, { to }) => changedAnswer(evidence) && evidence.seen.text.includes(to),
});

const AMOUNTS = /price|cost|amount|total|sum|cents|fee|balance|paid|net|gross/i;

function inCurrency(
  value: Json,
  how: {
    readonly to: string;
    readonly rate: number;
    readonly amounts: readonly string[] | undefined;
    readonly fields: Set<string>;
  },
): Json {
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => inCurrency(item, how));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value);
  const code = members.find(
    ([name, member]) => /currency/i.test(name) && typeof member === 'string' && CURRENCY.test(member),
  );
  const changed = members.map(([name, member]): [string, Json] => {
    if (code === undefined || code[1] === how.to) return [name, inCurrency(member, how)];
    const isAmount = isNumber(member) && (how.amounts?.includes(name) ?? AMOUNTS.test(name));
    if (name !== code[0] && !isAmount) return [name, inCurrency(member, how)];
    how.fields.add(name);
    if (!isAmount) return [name, how.to];
    const amount = scaled(member, how.rate);
    return [name, Number.isInteger(Number(member)) ? Math.round(amount) : amount];
  });
  return changed.some(([name, member]) => member !== value[name]) ? Object.fromEntries(changed) : value;
}

/** The kind `locale-shifted`. */
export const localeShiftedFault = defineOperationFault({
  ...PLACE,
  name: 'locale-shifted',
  description:
    'Numbers and dates come as people write them elsewhere: `1234.5` as `"1.234,5"`, `2026-01-05` as `"05.01.2026"` or `"01/05/2026"`.',
  remedy: 'Read them by the style of the whole answer; say so where both readings are possible.',
  parameters: z.strictObject({
    style: z
      .enum(['comma', 'day-first', 'month-first'])
      .default('comma')
      .describe('`comma` for numbers; `day-first` (05.01.2026) and `month-first` (01/05/2026) for dates.'),
    field: z.string().min(1).optional().describe('Name of the field. Default: all that fit.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', with: { style: 'day-first' } }, calls: GET },
  strike: ({ style, field }, strike) =>
    style === 'comma'
      ? strikeAll(strike, {
          kind: 'locale-shifted',
          field,
          fits: isNumber,
          change: withComma,
          wanted: 'number',
        })
      : strikeAll(strike, {
          kind: 'locale-shifted',
          field,
          fits: (value) => typeof value === 'string' && DATE.test(value),
          change: (value) => writtenDate(String(value), style),
          wanted: 'date',
        }),
  tookEffect: changedAnswer,
});

function withComma(value: Json): string {
  const [whole = '', fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?=$|[T ])/;

function writtenDate(text: string, style: 'day-first' | 'month-first'): string {
  return text.replace(DATE, (_all, year: string, month: string, day: string) =>
    style === 'day-first' ? `${day}.${month}.${year}` : `${month}/${day}/${year}`,
  );
}

/** The kind `timezone-shifted`. */
export const timezoneShiftedFault = defineOperationFault({
  ...PLACE,
  name: 'timezone-shifted',
  description:
    'Times come in another zone: the same moments with another offset, or without `labelled` as bare local times that do not say their zone.',
  remedy: 'Compare moments, not texts; where no zone is told, ask or say so.',
  parameters: z.strictObject({
    offsetMinutes: z
      .int()
      .min(-840)
      .max(840)
      .default(330)
      .describe('Offset of the new zone from UTC, minutes.'),
    labelled: z.boolean().default(true).describe('The times say their offset.'),
    field: z.string().min(1).optional().describe('Name of the field. Default: all times.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', with: { offsetMinutes: -300, labelled: false } }, calls: GET },
  strike: ({ offsetMinutes, labelled, field }, strike) =>
    strikeAll(strike, {
      kind: 'timezone-shifted',
      field,
      fits: (value) => typeof value === 'string' && TIME.test(value) && Number.isFinite(Date.parse(value)),
      change: (value) => inZone(String(value), offsetMinutes, labelled),
      wanted: 'time with a zone',
    }),
  tookEffect: changedAnswer,
});

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/;

function inZone(text: string, offsetMinutes: number, labelled: boolean): string {
  const shifted = new Date(Date.parse(text) + offsetMinutes * 60_000).toISOString();
  const local = text.includes('.') ? shifted.slice(0, -1) : shifted.slice(0, -5);
  if (!labelled) return local;
  const minutes = Math.abs(offsetMinutes);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
