/**
 * awk's printf: mawk's conversions and its messages for arguments that are missing.
 */
import { formatFloat, formatInteger, formatText } from '../number-format.js';
import { AwkRunError } from './syntax-error.js';
import { type AwkValue, MAX_INTEGER, toNumber } from './values.js';

const CONVERSION = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(?:hh|h|ll|l|L|q|j|z|t)?([\s\S]?)/g;
/** The largest unsigned number that mawk's conversions take. */
const MAX_UNSIGNED = 2 ** 64 - 1;

/** Formats values. Raises {@link AwkRunError}. */
export function awkSprintf(
  format: string,
  values: readonly AwkValue[],
  { text, name }: { readonly text: (value: AwkValue) => string; readonly name: 'printf' | 'sprintf' },
): string {
  let used = 0;
  let out = '';
  const next = (): AwkValue => {
    if (used < values.length) return values[used++];
    throw new AwkRunError(
      `not enough arguments passed to ${name}("${format}")`,
      name === 'printf' ? out : '',
    );
  };
  let at = 0;
  CONVERSION.lastIndex = 0;
  for (let found = CONVERSION.exec(format); found !== null; found = CONVERSION.exec(format)) {
    out += format.slice(at, found.index);
    at = CONVERSION.lastIndex;
    const [whole, flagText = '', widthText, precisionText, letter = ''] = found;
    if (whole === '%%') {
      out += '%';
      continue;
    }
    const saved = CONVERSION.lastIndex;
    const wide = widthText === '*' ? Math.trunc(toNumber(next())) : Number(widthText ?? 0);
    const precise = precisionText === '*' ? Math.trunc(toNumber(next())) : precisionText;
    const value = next();
    const shape = {
      flags: wide < 0 ? `${flagText}-` : flagText,
      width: Math.min(Math.abs(wide), 100_000),
      precision: precise === undefined ? undefined : Math.min(Math.max(Number(precise), 0), 1_000),
      letter,
    };
    out += converted(value, shape, text) ?? badConversion(used, `${name}("${format}")`);
    CONVERSION.lastIndex = saved;
  }
  return out + format.slice(at);
}

function badConversion(number: number, where: string): never {
  throw new AwkRunError(`improper conversion(number ${number}) in ${where}`);
}

type Shape = Parameters<typeof formatFloat>[1];

function converted(value: AwkValue, shape: Shape, text: (value: AwkValue) => string): string | undefined {
  switch (shape.letter) {
    case 'd':
    case 'i':
      return formatInteger(signed(toNumber(value)), shape);
    case 'o':
    case 'x':
    case 'X':
    case 'u':
      return formatInteger(unsigned(toNumber(value)), shape);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return formatFloat(toNumber(value), shape);
    case 'c':
      return formatText(character(value), { ...shape, precision: undefined });
    case 's':
      return formatText(text(value), shape);
    default:
      return undefined;
  }
}

function signed(value: number): bigint {
  if (Number.isNaN(value)) return BigInt(-MAX_INTEGER) - 1n;
  return BigInt(Math.trunc(Math.max(-MAX_INTEGER, Math.min(MAX_INTEGER, value))));
}

function unsigned(value: number): bigint {
  if (Number.isNaN(value) || value <= 0) return 0n;
  return value >= MAX_UNSIGNED ? 0xffffffffffffffffn : BigInt(Math.trunc(value));
}

function character(value: AwkValue): string {
  if (typeof value === 'string') return value.slice(0, 1);
  if (typeof value === 'object') return value.text.slice(0, 1);
  return String.fromCharCode(Math.trunc(toNumber(value)) & 0xff);
}
