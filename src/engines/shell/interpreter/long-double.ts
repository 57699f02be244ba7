/**
 * Floating point as bash's `printf` has it: 80-bit long doubles, printed exactly.
 *
 * The idea: a decimal text is rounded to 64 bits of mantissa with whole numbers, and what is printed is that number, with
 * ties to even, so `%.1f` of 0.25 is 0.2. Source: x87 extended precision, C's printf.
 */

/** A number: mantissa times a power of two. */
export interface LongDouble {
  readonly isNegative: boolean;
  readonly mantissa: bigint;
  readonly exponent: number;
  /** `inf` or `nan`. */
  readonly special?: 'inf' | 'nan';
}

const MANTISSA_BITS = 64;
/** Powers of ten beyond this are infinite or zero. */
const MAX_POWER = 4950;

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

/** Divides, rounding to the nearest, ties to even. */
function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice > denominator || (twice === denominator && (quotient & 1n) === 1n)) return quotient + 1n;
  return quotient;
}

/** The long double nearest to a decimal or hexadecimal text. */
export function longDouble(text: string): LongDouble {
  const lower = text.toLowerCase();
  const isNegative = lower.startsWith('-');
  if (lower.includes('inf')) return { isNegative, mantissa: 0n, exponent: 0, special: 'inf' };
  if (lower.includes('nan')) return { isNegative, mantissa: 0n, exponent: 0, special: 'nan' };
  const body = lower.replace(/^[+-]/, '');
  if (body.startsWith('0x')) return rounded(isNegative, BigInt(body), 1n);
  const match = /^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/.exec(body);
  const digits = `${match?.[1] ?? ''}${match?.[2] ?? ''}`.replace(/^0+(?=\d)/, '');
  const power = Number(match?.[3] ?? 0) - (match?.[2] ?? '').length;
  const value = BigInt(digits === '' ? '0' : digits.slice(0, 10_000));
  if (value === 0n || power + digits.length < -MAX_POWER) return { isNegative, mantissa: 0n, exponent: 0 };
  if (power + digits.length > MAX_POWER) return { isNegative, mantissa: 0n, exponent: 0, special: 'inf' };
  return power >= 0
    ? rounded(isNegative, value * 10n ** BigInt(power), 1n)
    : rounded(isNegative, value, 10n ** BigInt(-power));
}

function rounded(isNegative: boolean, numerator: bigint, denominator: bigint): LongDouble {
  if (numerator === 0n) return { isNegative, mantissa: 0n, exponent: 0 };
  let exponent = bitLength(numerator) - bitLength(denominator) - MANTISSA_BITS;
  const scale = (by: number) =>
    by >= 0
      ? divideToEven(numerator, denominator << BigInt(by))
      : divideToEven(numerator << BigInt(-by), denominator);
  let mantissa = scale(exponent);
  if (bitLength(mantissa) > MANTISSA_BITS) {
    exponent += 1;
    mantissa = scale(exponent);
  }
  return { isNegative, mantissa, exponent };
}

/** The number times a power of ten, as a whole number, ties to even. */
function scaled(value: LongDouble, power: number): bigint {
  let numerator = value.mantissa;
  let denominator = 1n;
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator = 10n ** BigInt(-power);
  if (value.exponent >= 0) numerator <<= BigInt(value.exponent);
  else denominator <<= BigInt(-value.exponent);
  return divideToEven(numerator, denominator);
}

/** `%f` without its sign. */
export function fixedText(value: LongDouble, digits: number): string {
  const text = scaled(value, digits)
    .toString()
    .padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The decimal digits and power of ten of `%e`. */
function decimal(value: LongDouble, digits: number): { text: string; power: number } {
  if (value.mantissa === 0n) return { text: '0'.repeat(digits + 1), power: 0 };
  let power = Math.floor((bitLength(value.mantissa) + value.exponent - 1) * Math.LOG10E * Math.LN2);
  for (;;) {
    const text = scaled(value, digits - power).toString();
    if (text.length === digits + 1) return { text, power };
    power += text.length - (digits + 1);
  }
}

/** `%e` without its sign. */
export function exponentText(value: LongDouble, digits: number): string {
  const { text, power } = decimal(value, digits);
  const sign = power < 0 ? '-' : '+';
  const body = digits === 0 ? text : `${text[0]}.${text.slice(1)}`;
  return `${body}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** `%g` without its sign; `keepsZeros` is the flag `#`. */
export function generalText(value: LongDouble, precision: number, keepsZeros: boolean): string {
  const digits = precision === 0 ? 1 : precision;
  const { power } = decimal(value, digits - 1);
  const text =
    power < -4 || power >= digits ? exponentText(value, digits - 1) : fixedText(value, digits - 1 - power);
  if (keepsZeros || !text.includes('.')) return text;
  return text.replace(/\.?0+(?=e|$)/, '');
}

/** `%a` without its sign, in the form of long doubles. */
export function hexadecimalText(value: LongDouble, precision: number | undefined): string {
  if (value.mantissa === 0n)
    return `0x0${precision === undefined || precision === 0 ? '' : `.${'0'.repeat(precision)}`}p+0`;
  const digits = Math.min(precision ?? 15, 15);
  const kept = divideToEven(value.mantissa, 1n << BigInt(60 - digits * 4)).toString(16);
  const power = value.exponent + 60 + (kept.length > digits + 1 ? 4 : 0);
  const fraction = precision === undefined ? kept.slice(1).replace(/0+$/, '') : kept.slice(1, digits + 1);
  return `0x${kept[0]}${fraction === '' ? '' : `.${fraction}`}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}
