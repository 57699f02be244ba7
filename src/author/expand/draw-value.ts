/**
 * Draws the values of parameters: one random stream per parameter, so that a new one does not disturb the others.
 */
import type { Json, RandomStream } from '../../core/index.js';
import type { Bindings } from '../../rules/index.js';
import type { MakerSpec } from '../../worlds/index.js';
import { countOf, ExpansionFault, evaluate, fillWords } from './fill-template.js';
import { drawCompany, drawPerson, drawWord } from './names.js';
import { addDays, dayOfWeek, longDate } from './shift-dates.js';

/** What a value is drawn with. */
export interface DrawContext {
  readonly stream: RandomStream;
  /** Values that rules and templates see. */
  readonly bindings: Bindings;
  /** Date of the world's clock, ISO. */
  readonly today: string;
}

/** Draws one value. Raises {@link ExpansionFault} for a rule that fails. */
export function drawValue(maker: MakerSpec, context: DrawContext): Json {
  const { stream, bindings } = context;
  if (typeof maker === 'string') {
    if (maker === 'person') return drawPerson(stream);
    return maker === 'company' ? drawCompany(stream) : drawWord(stream, maker);
  }
  if ('person' in maker) return drawPerson(stream, maker.person.scripts);
  if ('choice' in maker) return stream.pick(maker.choice as Json[]);
  if ('integer' in maker) return stream.integer(...ordered(maker.integer));
  if ('cents' in maker) return drawCents(maker, stream);
  if ('date' in maker) return drawDate(maker.date, context);
  if ('id' in maker) return drawId(maker.id, stream);
  if ('variant' in maker) return variantOf(textOf(evaluate(maker.variant, bindings)), stream);
  if ('sample' in maker) return drawSample(maker.sample as Json[], countOf(maker.count, bindings), stream);
  if ('template' in maker) return fillWords(maker.template, bindings);
  if ('money' in maker) return moneyText(evaluate(maker.money, bindings), maker.commas);
  return longDate(textOf(evaluate(maker.long_date, bindings)));
}

function ordered([a, b]: readonly [number, number]): [number, number] {
  return [Math.ceil(Math.min(a, b)), Math.floor(Math.max(a, b))];
}

function drawCents(maker: { cents: [number, number]; step: number }, stream: RandomStream): number {
  const [low, high] = ordered(maker.cents);
  const { step } = maker;
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  if (first > last)
    throw new ExpansionFault('rule', `no multiple of ${step} lies from ${low} to ${high} cents`);
  return stream.integer(first, last) * step;
}

type DateMaker = Extract<MakerSpec, { date: unknown }>['date'];

function drawDate(maker: DateMaker, { stream, today }: DrawContext): string {
  const [from, to] = ordered(maker.days);
  let date = addDays(today, stream.integer(from, to));
  // at most two days further; the range may be left by that much
  while (maker.workday && [0, 6].includes(dayOfWeek(date))) date = addDays(date, 1);
  if (maker.time === undefined) return date;
  const [start, end] = maker.time.map(
    (text) => Number(text.slice(0, 2)) * 4 + Math.ceil(Number(text.slice(3)) / 15),
  );
  const quarter = stream.integer(...ordered([start ?? 0, end ?? 0]));
  const clock = [Math.floor(quarter / 4), (quarter % 4) * 15].map((part) => String(part).padStart(2, '0'));
  return `${date}T${clock.join(':')}:00Z`;
}

const CAPITALS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ'];

function drawId(pattern: string, stream: RandomStream): string {
  return pattern.replace(/[#?]/g, (place) =>
    place === '#' ? String(stream.integer(0, 9)) : stream.pick(CAPITALS),
  );
}

function drawSample(items: readonly Json[], count: number, stream: RandomStream): Json[] {
  const left = [...items.keys()];
  const taken = Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(stream.integer(0, left.length - 1), 1),
  ).flat();
  return taken.sort((a, b) => a - b).map((index) => items[index] as Json);
}

/** A text with one slip: two letters swapped, one dropped or doubled, or a digit moved. Never the text itself. */
function variantOf(text: string, stream: RandomStream): string {
  const units = [...text];
  for (let attempt = 0; attempt < 20 && units.length > 1; attempt++) {
    const at = stream.integer(units.length > 3 ? 1 : 0, units.length - 2);
    const kind = stream.integer(0, 2);
    const changed = [...units];
    const [here = '', next = ''] = [units[at], units[at + 1]];
    if (/\d/.test(here)) changed[at] = String((Number(here) + stream.integer(1, 9)) % 10);
    else if (!/\p{L}/u.test(here) || !/\p{L}/u.test(next)) continue;
    else if (kind === 0) changed.splice(at, 2, next, here);
    else if (kind === 1) changed.splice(at, 1);
    else changed.splice(at, 1, here, here);
    const variant = changed.join('');
    if (variant !== text) return variant;
  }
  return `${text} 2`;
}

/** Cents as `3958.40`, or with commas as `3,958.40`. */
function moneyText(value: Json, commas: boolean): string {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new ExpansionFault('rule', `money is ${JSON.stringify(value)}; wanted whole cents`);
  const digits = String(Math.abs(value)).padStart(3, '0');
  const whole = digits.slice(0, -2);
  const shown = commas ? whole.replace(/\B(?=(?:\d{3})+$)/g, ',') : whole;
  return `${value < 0 ? '-' : ''}${shown}.${digits.slice(-2)}`;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
