/**
 * Numbers as C's `printf` shows them: `%d %i %o %u %x %X %e %E %f %F %g %G %a`, flags, width, precision.
 *
 * The idea: doubles stand for `long double`, with exact decimal digits where `%f` asks for many.
 */

/** A conversion. */
export interface NumberSpec {
  /** Any of `- + space # 0`. */
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

function pad(sign: string, digits: string, spec: NumberSpec, zeroes: boolean): string {
  const room = spec.width - sign.length - digits.length;
  if (room <= 0) return sign + digits;
  if (spec.flags.includes('-')) return sign + digits + ' '.repeat(room);
  return zeroes && spec.flags.includes('0')
    ? sign + '0'.repeat(room) + digits
    : ' '.repeat(room) + sign + digits;
}

function signOf(isNegative: boolean, spec: NumberSpec): string {
  if (isNegative) return '-';
  return spec.flags.includes('+') ? '+' : spec.flags.includes(' ') ? ' ' : '';
}

/** An integer; unsigned conversions show negative numbers modulo 2^64. */
export function formatInteger(value: bigint, spec: NumberSpec): string {
  const isSigned = spec.letter === 'd' || spec.letter === 'i';
  const shown = isSigned ? (value < 0n ? -value : value) : BigInt.asUintN(64, value);
  const radix = spec.letter === 'o' ? 8 : spec.letter.toLowerCase() === 'x' ? 16 : 10;
  let digits = shown.toString(radix);
  if (spec.precision !== undefined)
    digits = spec.precision === 0 && shown === 0n ? '' : digits.padStart(spec.precision, '0');
  if (spec.letter === 'X') digits = digits.toUpperCase();
  let sign = isSigned ? signOf(value < 0n, spec) : '';
  if (spec.flags.includes('#')) {
    if (radix === 8 && !digits.startsWith('0')) digits = `0${digits}`;
    if (radix === 16 && shown !== 0n) sign = spec.letter === 'X' ? '0X' : '0x';
  }
  return pad(sign, digits, spec, spec.precision === undefined);
}

/** A number that lies exactly between two is rounded to the even one; undefined for all others. */
function evenTie(value: number, precision: number): string | undefined {
  const exact = value.toFixed(Math.min(100, precision + 30));
  const at = exact.indexOf('.') + 1 + precision;
  if (!/^50*$/.test(exact.slice(at))) return undefined;
  const kept = exact.slice(0, at).replace(/\.$/, '');
  return /[02468]$/.test(kept) ? kept : undefined;
}

/** Decimal digits of a number with so many behind the point, exactly rounded. */
function fixed(value: number, precision: number): string {
  if (precision <= 100 && Math.abs(value) < 1e21)
    return evenTie(value, precision) ?? value.toFixed(precision);
  const isInteger = Number.isInteger(value);
  if (isInteger)
    return precision === 0 ? BigInt(value).toString() : `${BigInt(value)}.${'0'.repeat(precision)}`;
  return value.toFixed(100) + '0'.repeat(precision - 100);
}

function exponential(value: number, precision: number): string {
  const text = value.toExponential(Math.min(100, precision));
  const [mantissa = '', exponent = '+0'] = text.split('e');
  const sign = exponent.startsWith('-') ? '-' : '+';
  const zeroes = precision > 100 ? '0'.repeat(precision - 100) : '';
  return `${mantissa}${zeroes}e${sign}${exponent.replace(/^[+-]/, '').padStart(2, '0')}`;
}

function general(value: number, spec: NumberSpec): string {
  const precision = spec.precision === 0 ? 1 : (spec.precision ?? 6);
  if (value === 0) return spec.flags.includes('#') ? `0.${'0'.repeat(precision - 1)}` : '0';
  const exponent = Number(value.toExponential(Math.min(100, precision - 1)).split('e')[1]);
  const text =
    exponent < -4 || exponent >= precision
      ? exponential(value, precision - 1)
      : fixed(value, precision - 1 - exponent);
  if (spec.flags.includes('#') || !text.includes('.')) return text;
  return text.replace(/\.?0+(e|$)/, '$1');
}

/** A number with C99's hexadecimal mantissa, as `long double` of x86 shows it. */
function hexadecimal(value: number, precision: number | undefined): string {
  if (value === 0) return `0x0${precision ? `.${'0'.repeat(precision)}` : ''}p+0`;
  let exponent = Math.floor(Math.log2(value)) - 3;
  let mantissa = value / 2 ** exponent;
  while (mantissa >= 16) {
    mantissa /= 2;
    exponent += 1;
  }
  while (mantissa < 8) {
    mantissa *= 2;
    exponent -= 1;
  }
  let digits = '';
  let rest = mantissa - Math.floor(mantissa);
  for (let count = 0; count < (precision ?? 15) && (precision !== undefined || rest > 0); count++) {
    rest *= 16;
    digits += Math.floor(rest).toString(16);
    rest -= Math.floor(rest);
  }
  const sign = exponent < 0 ? '-' : '+';
  return `0x${Math.floor(mantissa).toString(16)}${digits === '' ? '' : `.${digits}`}p${sign}${Math.abs(exponent)}`;
}

/** A floating-point number. */
export function formatFloat(value: number, spec: NumberSpec): string {
  const isNegative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  const isUpper = spec.letter < 'a';
  const sign = signOf(isNegative, spec);
  if (!Number.isFinite(size)) {
    const word = Number.isNaN(size) ? 'nan' : 'inf';
    return pad(sign, isUpper ? word.toUpperCase() : word, spec, false);
  }
  const letter = spec.letter.toLowerCase();
  let digits: string;
  if (letter === 'f') digits = fixed(size, spec.precision ?? 6);
  else if (letter === 'e') digits = exponential(size, spec.precision ?? 6);
  else if (letter === 'a') digits = hexadecimal(size, spec.precision);
  else digits = general(size, spec);
  if (spec.flags.includes('#') && letter === 'f' && !digits.includes('.')) digits += '.';
  return pad(sign, isUpper ? digits.toUpperCase() : digits, spec, true);
}
