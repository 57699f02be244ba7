/**
 * Seeded values that fit a field: its schema first, then its name and description.
 *
 * The library is faker with English words only. It draws from the stream that the caller gives, never from the
 * host's clock or its own state, so a value depends on the stream alone. Values of enums, formats and bounds obey
 * the schema; names choose among plausible texts. Not covered: patterns beyond simple ones (see `sample-pattern`),
 * other languages, values that must agree with each other (see `seed`).
 */
import type { Json, JsonObject, RandomStream } from '../../../core/index.js';
import { own, typesOf } from '../infer/infer-schema.js';
import { singularOf, splitWords } from '../infer/words.js';
import type { Field } from '../service.js';
import { samplePattern } from './sample-pattern.js';
import { withStream } from './values-faker.js';
import { formatFor, type Making, named, type ValueContext } from './values-text.js';

/** A value for a field. Obeys enum, const, format, bounds and simple patterns; `null` only where nothing else is allowed. */
export function valueFor(field: Pick<Field, 'name' | 'schema' | 'description'>, context: ValueContext): Json {
  const described = field.description === undefined ? {} : { description: field.description };
  return withStream(context.random, () =>
    valueOfSchema(field.name, field.schema, { ...context, ...described }),
  );
}

function valueOfSchema(name: string, schema: JsonObject, making: Making): Json {
  const only = own(schema, 'const');
  if (only !== undefined) return only;
  const choices = own(schema, 'enum');
  if (Array.isArray(choices) && choices.length > 0)
    return pickChoice(choices as readonly Json[], making.random);
  const [type] = typesOf(schema);
  switch (type) {
    case 'integer':
    case 'number':
      return numberFor(name, schema, { integer: type === 'integer', random: making.random });
    case 'boolean':
      return making.random.chance(TRUE_MOSTLY.test(name) ? 0.8 : 0.25);
    case 'array':
      return listFor(name, schema, making);
    case 'object':
      return objectFor(schema, making);
    case 'null':
      return null;
    default:
      return textFor(name, schema, making);
  }
}

const TRUE_MOSTLY = /active|enabled|available|in_?stock|verified|published|visible/i;

function pickChoice(choices: readonly Json[], random: RandomStream): Json {
  const telling = choices.filter((choice) => choice !== null && choice !== '');
  return random.pick(telling.length > 0 ? telling : choices);
}

function listFor(name: string, schema: JsonObject, making: Making): Json {
  const items = own(schema, 'items');
  const item =
    typeof items === 'object' && items !== null && !Array.isArray(items)
      ? (items as JsonObject)
      : { type: 'string' };
  const least = boundOf(schema, 'minItems') ?? 0;
  const most = Math.max(least, Math.min(boundOf(schema, 'maxItems') ?? 3, least + 3));
  const count = making.random.integer(least, most);
  const inner = singularOf(splitWords(name).at(-1) ?? name);
  const values = Array.from({ length: count }, () =>
    valueOfSchema(LIST_ITEMS.has(inner) ? inner : inner, item, making),
  );
  const unique = own(schema, 'uniqueItems') === true || typesOf(item)[0] === 'string';
  return unique && least === 0
    ? [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
    : values;
}

const LIST_ITEMS = new Set(['tag', 'label']);

function objectFor(schema: JsonObject, making: Making): Json {
  const properties = own(schema, 'properties');
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return {};
  const pairs = Object.entries(properties as JsonObject)
    .slice(0, 50)
    .map(([name, value]): [string, Json] => {
      const inner =
        typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
      return [name, valueOfSchema(name, inner, making)];
    });
  return Object.fromEntries(pairs);
}

function boundOf(schema: JsonObject, key: string): number | undefined {
  const value = own(schema, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Usual ranges of numbers by the last words of their names. */
const RANGES: readonly (readonly [RegExp, number, number, number])[] = [
  [/(?:price|amount|cost|total|subtotal|fee|balance|salary|budget|revenue|tax)$/i, 5, 500, 2],
  [/(?:percent|percentage|progress)$/i, 0, 100, 0],
  [/rating$/i, 1, 5, 1],
  [/(?:quantity|qty|count|stock|seats|guests)$/i, 0, 40, 0],
  [/age$/i, 18, 80, 0],
  [/year$/i, 2015, 2025, 0],
  [/(?:lat|latitude)$/i, -60, 60, 5],
  [/(?:lon|lng|longitude)$/i, -150, 150, 5],
  [/(?:size|bytes)$/i, 200, 250_000, 0],
  [/(?:duration|minutes|seconds|timeout)$/i, 5, 120, 0],
  [/(?:port)$/i, 1024, 9999, 0],
  [/(?:priority|level|severity|position|order|rank)$/i, 1, 5, 0],
  [/(?:weight|height|width|distance)(?:_?kg|_?cm|_?km)?$/i, 1, 100, 1],
  [/(?:score|points)$/i, 0, 100, 0],
];

function numberFor(
  name: string,
  schema: JsonObject,
  how: { readonly integer: boolean; readonly random: RandomStream },
): number {
  const [, low, high, digits] = RANGES.find(([words]) => words.test(name)) ?? [/./, 1, 100, 0];
  const step = boundOf(schema, 'multipleOf');
  const given = boundsOf(schema, how.integer ? 1 : 0.01);
  const min = given.min ?? (given.max === undefined ? low : Math.min(low, given.max));
  const max = given.max ?? Math.max(high, min);
  if (step !== undefined && step > 0) {
    const first = Math.ceil(min / step);
    return how.random.integer(first, Math.max(first, Math.floor(max / step))) * step;
  }
  if (how.integer || digits === 0) {
    const first = Math.ceil(min);
    const last = Math.floor(max);
    if (first <= last) return how.random.integer(first, Math.min(last, first + 4_000_000_000));
  }
  const raw = min + how.random.next() * (max - min);
  const rounded = Number(raw.toFixed(digits === 0 ? 2 : digits));
  return rounded >= min && rounded <= max ? rounded : raw;
}

/** Bounds of a schema, exclusive ones moved inwards by a step. */
function boundsOf(
  schema: JsonObject,
  step: number,
): { readonly min: number | undefined; readonly max: number | undefined } {
  const above = own(schema, 'exclusiveMinimum');
  const below = own(schema, 'exclusiveMaximum');
  const min = boundOf(schema, 'minimum');
  const max = boundOf(schema, 'maximum');
  const lows = [
    min === undefined ? undefined : above === true ? min + step : min,
    typeof above === 'number' ? above + step : undefined,
  ];
  const highs = [
    max === undefined ? undefined : below === true ? max - step : max,
    typeof below === 'number' ? below - step : undefined,
  ];
  const low = lows.filter((value): value is number => value !== undefined);
  const high = highs.filter((value): value is number => value !== undefined);
  return {
    min: low.length === 0 ? undefined : Math.max(...low),
    max: high.length === 0 ? undefined : Math.min(...high),
  };
}

function textFor(name: string, schema: JsonObject, making: Making): string {
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') {
    const text = samplePattern(pattern, making.random);
    if (text !== undefined && fitsLength(text, schema)) return text;
  }
  const format = own(schema, 'format');
  const formatted = typeof format === 'string' ? formatFor(format, making) : undefined;
  if (formatted !== undefined) return formatted;
  return lengthened(named(name, making), schema);
}

function fitsLength(text: string, schema: JsonObject): boolean {
  const length = [...text].length;
  return (
    length >= (boundOf(schema, 'minLength') ?? 0) &&
    length <= (boundOf(schema, 'maxLength') ?? Number.MAX_SAFE_INTEGER)
  );
}

function lengthened(text: string, schema: JsonObject): string {
  const min = boundOf(schema, 'minLength') ?? 0;
  const max = boundOf(schema, 'maxLength') ?? Number.MAX_SAFE_INTEGER;
  let letters = [...text];
  while (letters.length < min && letters.length < 10_000)
    letters = [...letters, ...(letters.length === 0 ? 'text' : ` ${text}`)];
  return letters
    .slice(0, Math.max(min, Math.min(max, letters.length)))
    .join('')
    .slice(0, 100_000);
}

export type { ValueContext };
