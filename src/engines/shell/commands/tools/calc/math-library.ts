/**
 * The functions of `bc -l`: sine, cosine, arctangent, logarithm, exponential and Bessel, cut at a scale.
 *
 * The idea: reckon with guard digits in whole numbers, then cut, which is what bc's own library comes to. Source: bc(1).
 */
import { type Decimal, rescale, ten } from './decimal.js';

const GUARD = 12;

/** A function by its letter: `s c a l e`; the number has the given scale. */
export function mathFunction(letter: string, x: Decimal, scale: number): Decimal {
  const extra = letter === 'e' ? Math.max(0, Math.ceil(Math.abs(Number(rescale(x, 0).value)) * 0.44)) : 0;
  const guarded = scale + GUARD + extra + (letter === 'e' || letter === 'l' ? 0 : wholeLength(x));
  const unit = ten(guarded);
  const value = rescale(x, guarded).value;
  return rescale({ value: FUNCTIONS[letter]?.(value, unit, guarded) ?? 0n, scale: guarded }, scale);
}

function wholeLength(x: Decimal): number {
  return rescale(x, 0).value.toString().length;
}

const FUNCTIONS: Readonly<Record<string, (x: bigint, unit: bigint, scale: number) => bigint>> = {
  a: (x, unit) => arctangent(x, unit),
  e: (x, unit) => exponential(x, unit),
  l: (x, unit) => logarithm(x, unit),
  s: (x, unit) => sine(x, unit),
  c: (x, unit) => sine(x + 2n * arctangent(unit, unit), unit),
};

function arctangent(x: bigint, unit: bigint): bigint {
  if (x < 0n) return -arctangent(-x, unit);
  // atan x = 2 atan(x / (1 + sqrt(1 + x²))), until x is small.
  let small = x;
  let doubled = 0n;
  for (; small * 10n > unit; doubled++) small = (small * unit) / (unit + root(unit * unit + small * small));
  const square = (small * small) / unit;
  let term = small;
  let sum = small;
  for (let at = 3n; term !== 0n; at += 2n) {
    term = -(term * square) / unit;
    sum += term / at;
  }
  return sum << doubled;
}

function root(value: bigint): bigint {
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

function exponential(x: bigint, unit: bigint): bigint {
  if (x < 0n) return (unit * unit) / exponential(-x, unit);
  let halvings = 0;
  let small = x;
  for (; small > unit; halvings++) small /= 2n;
  const fine = unit * ten(GUARD);
  small *= ten(GUARD);
  let term = fine;
  let sum = fine;
  for (let at = 1n; term !== 0n; at++) {
    term = (term * small) / (fine * at);
    sum += term;
  }
  for (; halvings > 0; halvings--) sum = (sum * sum) / fine;
  return sum / ten(GUARD);
}

function logarithm(x: bigint, unit: bigint): bigint {
  let factor = 2n;
  let near = x;
  for (; near >= 2n * unit || near * 2n <= unit; factor *= 2n) near = root(near * unit);
  const step = ((near - unit) * unit) / (near + unit);
  const square = (step * step) / unit;
  let term = step;
  let sum = step;
  for (let at = 3n; term !== 0n; at += 2n) {
    term = (term * square) / unit;
    sum += term / at;
  }
  return sum * factor;
}

function sine(x: bigint, unit: bigint): bigint {
  if (x < 0n) return -sine(-x, unit);
  const half = 2n * arctangent(unit, unit);
  const turns = (x + half / 2n) / half;
  const rest = x - turns * half;
  const isCosine = turns % 2n === 1n;
  const sign = turns % 4n >= 2n ? -1n : 1n;
  const square = -(rest * rest) / unit;
  let term = isCosine ? unit : rest;
  let sum = term;
  for (let at = isCosine ? 1n : 2n; term !== 0n; at += 2n) {
    term = (term * square) / (unit * at * (at + 1n));
    sum += term;
  }
  return sign * sum;
}
