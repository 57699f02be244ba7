/**
 * Numbers as C's printf writes them: `%d %i %u %o %x %X %e %E %f %F %g %G %c`, with flags, width and precision.
 *
 * JavaScript rounds ties away from zero and C to even, so decimals are rounded on the exact value. Source: C11 7.21.6.1.
 */

/** A conversion: flags as written (`-+ #0`), width, precision, letter. */
export interface NumberFormat {
  readonly flags: string;
  readonly width: number;
  /** Undefined for none. */
  readonly precision: number | undefined;
  readonly letter: string;
}

/** A double as mantissa × 2^exponent, exactly. */
function exact(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

/** |value| × 10^digits, rounded half to even. */
function scaled(value: number, digits: number): bigint {
  const { mantissa, exponent } = exact(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (digits >= 0) numerator *= 10n ** BigInt(digits);
  else denominator *= 10n ** BigInt(-digits);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

/** `%f` of a finite number, without sign. */
function fixed(value: number, precision: number, alternate: boolean): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, '0');
  if (precision === 0) return alternate ? `${digits}.` : digits;
  return `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/** The digits and the exponent of `%e`. */
function exponential(
  value: number,
  precision: number,
): { readonly digits: string; readonly exponent: number } {
  if (value === 0) return { digits: '0'.repeat(precision + 1), exponent: 0 };
  let exponent = Math.floor(Math.log10(Math.abs(value)));
  for (;;) {
    const digits = scaled(value, precision - exponent).toString();
    if (digits.length === precision + 1) return { digits, exponent };
    exponent += digits.length > precision + 1 ? 1 : -1;
  }
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function scientific(value: number, precision: number, alternate: boolean): string {
  const { digits, exponent } = exponential(value, precision);
  const fraction = precision > 0 ? `.${digits.slice(1)}` : alternate ? '.' : '';
  return `${digits[0] ?? '0'}${fraction}${exponentText(exponent)}`;
}

/** `%g` of a finite number, without sign. */
function general(value: number, wanted: number, alternate: boolean): string {
  const precision = wanted === 0 ? 1 : wanted;
  const { exponent } = exponential(value, precision - 1);
  const plain = exponent >= -4 && exponent < precision;
  const text = plain
    ? fixed(value, precision - 1 - exponent, alternate)
    : scientific(value, precision - 1, alternate);
  if (alternate) return text;
  return plain ? (text.includes('.') ? text.replace(/\.?0+$/, '') : text) : text.replace(/\.?0*e/, 'e');
}

/** A floating point number by its conversion. */
export function formatFloat(value: number, format: NumberFormat): string {
  const { flags, letter } = format;
  const negative = value < 0 || Object.is(value, -0);
  const sign = negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  let body: string;
  const lower = letter.toLowerCase();
  const finite = Number.isFinite(value);
  if (!finite) body = Number.isNaN(value) ? 'nan' : 'inf';
  else {
    const precision = format.precision ?? 6;
    const alternate = flags.includes('#');
    if (lower === 'f') body = fixed(value, precision, alternate);
    else if (lower === 'e') body = scientific(value, precision, alternate);
    else body = general(value, precision, alternate);
  }
  if (letter !== lower) body = body.toUpperCase();
  return padded(sign, body, finite ? format : { ...format, flags: flags.replaceAll('0', '') });
}

/** A whole number by its conversion (`d i u o x X`); unsigned ones wrap at 64 bits. */
export function formatInteger(value: bigint, format: NumberFormat): string {
  const { flags, letter, precision } = format;
  const signed = letter === 'd' || letter === 'i';
  const shown = signed ? value : BigInt.asUintN(64, value);
  const negative = shown < 0n;
  const base = letter === 'o' ? 8 : letter === 'x' || letter === 'X' ? 16 : 10;
  let body = (negative ? -shown : shown).toString(base);
  if (precision !== undefined) body = precision === 0 && shown === 0n ? '' : body.padStart(precision, '0');
  if (letter === 'X') body = body.toUpperCase();
  let prefix = negative
    ? '-'
    : signed && flags.includes('+')
      ? '+'
      : signed && flags.includes(' ')
        ? ' '
        : '';
  if (flags.includes('#') && shown !== 0n) {
    if (base === 16) prefix += `0${letter}`;
    else if (base === 8 && !body.startsWith('0')) body = `0${body}`;
  }
  return padded(
    prefix,
    body,
    precision === undefined ? format : { ...format, flags: flags.replaceAll('0', '') },
  );
}

/** A text cut at the precision and padded to the width. */
export function formatText(value: string, format: NumberFormat): string {
  const text = format.precision === undefined ? value : value.slice(0, format.precision);
  return format.flags.includes('-') ? text.padEnd(format.width) : text.padStart(format.width);
}

function padded(sign: string, body: string, { flags, width }: NumberFormat): string {
  const missing = width - sign.length - body.length;
  if (missing <= 0) return sign + body;
  if (flags.includes('-')) return sign + body + ' '.repeat(missing);
  return flags.includes('0') ? sign + '0'.repeat(missing) + body : ' '.repeat(missing) + sign + body;
}
