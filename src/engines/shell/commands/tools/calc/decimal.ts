/**
 * Decimal numbers of any length as `bc` and `dc` reckon with them: a whole number and a scale, everything cut off.
 *
 * Source: the manuals of GNU bc and dc 1.07.1, which say the scale of every result.
 */

/** value × 10^-scale. */
export interface Decimal {
  readonly value: bigint;
  readonly scale: number;
}

/** A division by zero. */
export class DivideByZero extends Error {}

/** Zero. */
export const ZERO: Decimal = { value: 0n, scale: 0 };

/** One. */
export const ONE: Decimal = { value: 1n, scale: 0 };

/** A whole number. */
export function whole(value: bigint | number): Decimal {
  return { value: BigInt(value), scale: 0 };
}

/** Ten to a power that is not negative. */
export function ten(power: number): bigint {
  return 10n ** BigInt(power);
}

/** The same number with another scale; digits that do not fit are cut off. */
export function rescale(one: Decimal, scale: number): Decimal {
  if (scale === one.scale) return one;
  if (scale > one.scale) return { value: one.value * ten(scale - one.scale), scale };
  return { value: one.value / ten(one.scale - scale), scale };
}

/** The sum. */
export function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { value: rescale(one, scale).value + rescale(other, scale).value, scale };
}

/** The difference. */
export function subtract(one: Decimal, other: Decimal): Decimal {
  return add(one, { value: -other.value, scale: other.scale });
}

/** The product; its scale is that of the factors, cut at the larger of the given and theirs. */
export function multiply(one: Decimal, other: Decimal, scale: number): Decimal {
  const full = { value: one.value * other.value, scale: one.scale + other.scale };
  return rescale(full, Math.min(full.scale, Math.max(scale, one.scale, other.scale)));
}

/** The quotient with a scale. Raises {@link DivideByZero}. */
export function divide(one: Decimal, other: Decimal, scale: number): Decimal {
  if (other.value === 0n) throw new DivideByZero();
  const shift = scale + other.scale - one.scale;
  const value = shift >= 0 ? (one.value * ten(shift)) / other.value : one.value / (other.value * ten(-shift));
  return { value, scale };
}

/** What a division with a scale leaves. Raises {@link DivideByZero}. */
export function remainder(one: Decimal, other: Decimal, scale: number): Decimal {
  const quotient = divide(one, other, scale);
  const full = Math.max(one.scale, other.scale + scale);
  return rescale(
    subtract(one, { value: quotient.value * other.value, scale: quotient.scale + other.scale }),
    full,
  );
}

/** A power; the exponent is cut to a whole number. Raises {@link DivideByZero}. */
export function power(base: Decimal, exponent: Decimal, scale: number): Decimal {
  const times = rescale(exponent, 0).value;
  if (times === 0n) return ONE;
  const count = times < 0n ? -times : times;
  const full = { value: base.value ** count, scale: base.scale * Number(count) };
  if (times < 0n) return divide(ONE, full, scale);
  return rescale(full, Math.min(full.scale, Math.max(scale, base.scale)));
}

/** The whole root of a number that is not negative. */
function rootOf(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** The square root; undefined for a negative number. */
export function squareRoot(one: Decimal, scale: number): Decimal | undefined {
  if (one.value < 0n) return undefined;
  const wanted = Math.max(scale, one.scale);
  return { value: rootOf(rescale(one, 2 * wanted).value), scale: wanted };
}

/** Less than, equal, greater: -1, 0, 1. */
export function compare(one: Decimal, other: Decimal): number {
  const { value } = subtract(one, other);
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** The digits before the point; a number below 1 has none. */
function wholeDigits(one: Decimal): string {
  const text = (one.value < 0n ? -one.value : one.value).toString();
  return text.length > one.scale ? text.slice(0, text.length - one.scale) : '';
}

/** How many digits a number has: bc's `length` (dc's `Z`). */
export function lengthOf(one: Decimal): number {
  const digits = wholeDigits(one).replace(/^0+/, '');
  if (digits === '' && one.scale > 0) return one.scale;
  return Math.max(1, digits.length + one.scale);
}

/** Reads digits of a base; digits above it count as they are in one-digit numbers and as base - 1 in longer ones. */
export function readNumber(text: string, base: number): Decimal {
  const negative = text.startsWith('-') || text.startsWith('_');
  const [before = '', after = ''] = text.replace(/^[-_]/, '').split('.');
  const isAlone = before.length + after.length === 1;
  const digit = (letter: string): bigint => {
    const value = Number.parseInt(letter, 36);
    return BigInt(isAlone || value < base ? value : base - 1);
  };
  let value = 0n;
  for (const letter of before) value = value * BigInt(base) + digit(letter);
  if (base === 10) {
    for (const letter of after) value = value * 10n + digit(letter);
    return { value: negative ? -value : value, scale: after.length };
  }
  let part = 0n;
  let unit = 1n;
  for (const letter of after) {
    part = part * BigInt(base) + digit(letter);
    unit *= BigInt(base);
  }
  const scaled = value * ten(after.length) + (part * ten(after.length)) / unit;
  return { value: negative ? -scaled : scaled, scale: after.length };
}

/** The digits of a number in a base, as both programs print them. */
export function showNumber(one: Decimal, base: number): string {
  if (one.value === 0n) return '0';
  const sign = one.value < 0n ? '-' : '';
  const positive = { value: one.value < 0n ? -one.value : one.value, scale: one.scale };
  if (base === 10) return sign + decimalText(positive);
  return sign + otherBase(positive, base);
}

function decimalText(one: Decimal): string {
  const text = one.value.toString().padStart(one.scale, '0');
  if (one.scale === 0) return text;
  return `${text.slice(0, text.length - one.scale)}.${text.slice(text.length - one.scale)}`;
}

function otherBase(one: Decimal, base: number): string {
  const width = String(base - 1).length;
  const digit = (value: bigint, spaced: boolean): string =>
    base <= 16
      ? value.toString(16).toUpperCase()
      : `${spaced ? ' ' : ''}${value.toString().padStart(width, '0')}`;
  const big = BigInt(base);
  let rest = rescale(one, 0).value;
  const digits: string[] = [];
  for (; rest > 0n; rest /= big) digits.unshift(digit(rest % big, true));
  let text = digits.join('');
  if (one.scale === 0) return text;
  text += '.';
  let fraction = one.value % ten(one.scale);
  const unit = ten(one.scale);
  for (
    let places = 1n, isFirst = true;
    places.toString().length <= one.scale;
    places *= big, isFirst = false
  ) {
    fraction *= big;
    text += digit(fraction / unit, !isFirst);
    fraction %= unit;
  }
  return text;
}
