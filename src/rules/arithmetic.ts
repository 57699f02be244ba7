/**
 * Arithmetic that looks real: exact integers, decimals like money, no NaN, no infinity, no minus zero.
 *
 * Integers are exact at any size (doubles to 2^53, `bigint` beyond, back to a number when it fits). Decimals: when
 * both operands have at most {@link DECIMAL_PLACES} decimal places, they are scaled to integers, computed exactly
 * and scaled back with one rounding, so 0.1 + 0.2 is 0.3 and 0.1 * 3 is 0.3. Everything else is IEEE 754 double
 * arithmetic. Not covered: decimals beyond 2^53 units of their last place, which fall back to doubles.
 */
import { type Json, LIMITS } from '../core/index.js';
import type { ArithmeticOperator } from './ast.js';
import type { Run } from './run.js';
import { isNumber, kindOf, show } from './values.js';

/** A number of the rules language. */
export type Numeric = number | bigint;

/** Decimal places up to which decimal arithmetic is exact. */
const DECIMAL_PLACES = 6;
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];
const LARGEST = 1n << BigInt(LIMITS.ruleIntegerBits);

/** Computes `a op b`. Division by zero, overflow and other kinds than numbers are errors. */
export function compute(run: Run, op: ArithmeticOperator, [a, b]: readonly [Json, Json]): Numeric {
  if (!isNumber(a) || !isNumber(b)) throw wrongOperands(run, op, [a, b]);
  // biome-ignore lint/suspicious/noDoubleEquals: 0n and 0 are both zero
  if ((op === '/' || op === '%') && b == 0) throw run.error(() => 'division by zero');
  if (typeof a === 'number' && typeof b === 'number') {
    if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return finish(run, decimal(op, a, b));
    const result = double(op, a, b);
    if (op === '/' || op === '%' || Number.isSafeInteger(result)) return finish(run, result);
  }
  if (!isWhole(a) || !isWhole(b)) return finish(run, double(op, Number(a), Number(b)));
  return integer(run, op, [checkedBigint(run, a), checkedBigint(run, b)]);
}

function wrongOperands(run: Run, op: ArithmeticOperator, [a, b]: readonly [Json, Json]) {
  const hint =
    op === '+' && (typeof a === 'string' || typeof b === 'string') ? '; use string(x) to join' : '';
  const wanted = op === '+' ? 'two numbers, two strings or two lists' : 'two numbers';
  return run.error(
    () => `${op} needs ${wanted}; here are ${kindOf(a)} ${show(a)} and ${kindOf(b)} ${show(b)}${hint}`,
  );
}

function isWhole(value: Numeric): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function double(op: ArithmeticOperator, a: number, b: number): number {
  if (op === '+') return a + b;
  if (op === '-') return a - b;
  if (op === '*') return a * b;
  return op === '/' ? a / b : a % b;
}

/** Exact arithmetic on decimals where the precision is known, else on doubles. */
function decimal(op: ArithmeticOperator, a: number, b: number): number {
  const placesA = decimalPlaces(a);
  const placesB = decimalPlaces(b);
  if (placesA < 0 || placesB < 0) return double(op, a, b);
  const places = op === '*' ? placesA + placesB : Math.max(placesA, placesB);
  const left = scaled(a, placesA, op === '*' ? placesA : places);
  const right = scaled(b, placesB, op === '*' ? placesB : places);
  const result = double(op, left, right);
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right)) return double(op, a, b);
  if (op === '/') return result;
  return Number.isSafeInteger(result) ? result / (POWERS[places] ?? 1) : double(op, a, b);
}

/** Decimal places of a number, 0 to 6; −1 when it has more. */
export function decimalPlaces(value: number): number {
  if (Number.isInteger(value)) return 0;
  for (let places = 1; places <= DECIMAL_PLACES; places++) {
    const power = POWERS[places] ?? 1;
    if (Math.round(value * power) / power === value) return places;
  }
  return -1;
}

function scaled(value: number, own: number, wanted: number): number {
  return Math.round(value * (POWERS[own] ?? 1)) * (POWERS[wanted - own] ?? 1);
}

function checkedBigint(run: Run, value: Numeric): bigint {
  const whole = BigInt(value);
  if (whole > LARGEST || whole < -LARGEST) {
    throw run.fault(
      'rules/budget',
      () => `an integer of more than ${LIMITS.ruleIntegerBits} bits (ruleIntegerBits)`,
    );
  }
  return whole;
}

function integer(run: Run, op: ArithmeticOperator, [a, b]: readonly [bigint, bigint]): Numeric {
  run.spend(LIMITS.ruleIntegerBits / 256);
  if (op === '+') return finish(run, a + b);
  if (op === '-') return finish(run, a - b);
  if (op === '*') return finish(run, a * b);
  if (op === '%') return finish(run, a % b);
  return a % b === 0n ? finish(run, a / b) : finish(run, Number(a) / Number(b));
}

/** The value as rules hand it on: finite, no minus zero, a number where it fits, within the size limit. */
export function finish(run: Run, value: Numeric): Numeric {
  if (typeof value === 'bigint') {
    checkedBigint(run, value);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (!Number.isFinite(value)) throw run.error(() => 'the result is too large for a number');
  return value === 0 ? 0 : value;
}

/** The negative of a number. */
export function negate(run: Run, value: Json): Numeric {
  if (!isNumber(value)) throw run.error(() => `- needs a number; here is ${kindOf(value)} ${show(value)}`);
  return finish(run, typeof value === 'bigint' ? -checkedBigint(run, value) : -value);
}

/** The digits of an integer within the size limit, or the shortest text of a double. */
export function numberText(run: Run, value: Numeric): string {
  if (typeof value === 'number') return String(value === 0 ? 0 : value);
  run.spend(LIMITS.ruleIntegerBits / 64);
  return String(checkedBigint(run, value));
}

/**
 * Rounds to that many decimal places (0–15), halves away from zero, on the shortest decimal text of the number, so
 * that round(1.005, 2) is 1.01 as it is written.
 */
export function roundTo(value: number, places: number): number {
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(Math.abs(value)));
  if (parts === null) return value;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const surplus = fraction.length - Number(exponent) - places;
  if (surplus <= 0) return value;
  if (surplus > digits.length) return 0;
  const kept = digits.slice(0, digits.length - surplus);
  const up = (digits[digits.length - surplus] ?? '0') >= '5' ? 1n : 0n;
  const rounded = Number(`${BigInt(kept === '' ? '0' : kept) + up}e-${places}`);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}
