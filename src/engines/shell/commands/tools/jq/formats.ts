/**
 * jq's format strings: `@text @json @csv @tsv @html @uri @sh @base64 @base64d`.
 */
import { toBytes, toText } from '../../../kernel/index.js';
import { described, isArray, JqError, type JqValue, toJson, typeOf } from './values.js';

/** A value as text: strings as they are, others as JSON. */
export function textOf(value: JqValue): string {
  return typeof value === 'string' ? value : toJson(value);
}

/** A value through a format. Raises {@link JqError}. */
export function formatValue(name: string, value: JqValue): string {
  switch (name) {
    case '@text':
      return textOf(value);
    case '@json':
      return toJson(value);
    case '@csv':
    case '@tsv':
      return row(name, value);
    case '@html':
      return textOf(value).replace(
        /[<>&'"]/g,
        (one) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&#39;', '"': '&quot;' })[one] ?? one,
      );
    case '@uri':
      return [...toBytes(textOf(value))]
        .map((byte) =>
          /[\w.~-]/.test(String.fromCharCode(byte))
            ? String.fromCharCode(byte)
            : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
        )
        .join('');
    case '@sh':
      return (isArray(value) ? value : [value]).map(shellWord).join(' ');
    case '@base64':
      return encode(toBytes(textOf(value)));
    case '@base64d':
      return decode(value);
    default:
      throw new JqError(`${name.slice(1)} is not a valid format`);
  }
}

function row(name: '@csv' | '@tsv', value: JqValue): string {
  const what = name.slice(1);
  if (!isArray(value))
    throw new JqError(`${described(value)} cannot be ${what}-formatted, only an array can be`);
  return value
    .map((one) => {
      if (one === null) return '';
      if (typeof one === 'boolean' || typeof one === 'number') return toJson(one);
      if (typeof one !== 'string') throw new JqError(`${described(one)} is not valid in a csv row`);
      if (name === '@csv') return `"${one.replaceAll('"', '""')}"`;
      return one.replace(
        /[\\\t\n\r]/g,
        (character) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[character] ?? '',
      );
    })
    .join(name === '@csv' ? ',' : '\t');
}

function shellWord(value: JqValue): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "'\\''")}'`;
  if (typeOf(value) === 'array' || typeOf(value) === 'object')
    throw new JqError(`${described(value)} can not be escaped for shell`);
  return toJson(value);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function encode(bytes: Uint8Array): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    out += (LETTERS[bits >> 18] ?? '') + (LETTERS[(bits >> 12) & 63] ?? '');
    out +=
      b === undefined
        ? '=='
        : (LETTERS[(bits >> 6) & 63] ?? '') + (c === undefined ? '=' : (LETTERS[bits & 63] ?? ''));
  }
  return out;
}

function decode(value: JqValue): string {
  const text = textOf(value).replace(/=+$/, '');
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const one of text) {
    const code = LETTERS.indexOf(one);
    if (code < 0) throw new JqError(`${described(value)} is not valid base64 data`);
    bits = ((bits << 6) | code) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 0xff);
  }
  if (text !== '' && bytes.length === 0) throw new JqError(`${described(value)} is not valid base64 data`);
  return toText(Uint8Array.from(bytes)).replace(/[\udc80-\udcff]/g, '\ufffd');
}
