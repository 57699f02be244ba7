/**
 * Values as Python writes them (`repr`), for the words of servers written in Python.
 *
 * Source: the Python language reference, literals, and `repr` of str, int, float, bool, None, list and dict. Not
 * covered: a whole number that Python read as a float (`1.0`) looks like an integer here, as JSON cannot tell.
 */
import { isJsonObject, type Json } from '../../../../core/index.js';

/** The value as Python writes it. */
export function pythonRepr(value: Json | undefined): string {
  if (value === undefined || value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => pythonRepr(item)).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, part]) => `${quoted(name)}: ${pythonRepr(part)}`);
    return `{${members.join(', ')}}`;
  }
  return pythonNumber(value as number | bigint);
}

/** The name of the value's type in Python. */
export function pythonType(value: Json | undefined): string {
  if (value === undefined || value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'dict';
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'int' : 'float';
}

/** Whole numbers beyond 2^53 are big integers where they were written as such; else Python read a float. */
function pythonNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value.toString();
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) return Number.isInteger(value) ? `${value}.0` : String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (ESCAPES[char] !== undefined) out += ESCAPES[char];
    else if (char === quote) out += `\\${char}`;
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else out += char;
  }
  return quote + out + quote;
}
