/**
 * How ids look: read from rows, from an argument's schema and words, or chosen by the field's name.
 *
 * Rows win (the counter goes on after the highest), then a pattern, a format, an example in the description
 * ("e.g. ISS-12", "U012AB34"), then the name of the field. Patterns are read as text, never run.
 */

import type { z } from 'zod';
import type { Json } from '../../../core/index.js';
import type { IdStyle } from '../service.js';
import type { IdSpecSchema } from '../spec.js';
import { own, type Property } from './infer-schema.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const COUNTED = /^(.*?)(\d{1,15})$/s;
const HEX = /^[0-9a-f]{7,64}$/;

/** The style of ids of given rows; undefined if there are none or they have nothing in common. */
export function styleOfValues(values: readonly Json[]): IdStyle | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  if (values.every((value) => typeof value === 'number' && Number.isInteger(value))) {
    return { kind: 'number', start: Math.max(...(values as number[])) + 1 };
  }
  if (!values.every((value) => typeof value === 'string')) return undefined;
  const texts = values as readonly string[];
  if (texts.every((text) => UUID.test(text))) return { kind: 'uuid' };
  return countedStyle(texts) ?? sameLength(texts);
}

function countedStyle(texts: readonly string[]): IdStyle | undefined {
  const parts = texts.map((text) => COUNTED.exec(text));
  const prefix = parts[0]?.[1];
  if (prefix === undefined || parts.some((part) => part === null || part[1] !== prefix)) return undefined;
  const digits = parts.map((part) => part?.[2] ?? '');
  const padded = digits.some((text) => text.length > 1 && text.startsWith('0'));
  const width =
    padded && digits.every((text) => text.length === digits[0]?.length) ? (digits[0]?.length ?? 0) : 0;
  const highest = digits.reduce((most, text) => Math.max(most, Number(text)), 0);
  return { kind: 'counter', start: highest + 1, prefix, width };
}

function sameLength(texts: readonly string[]): IdStyle | undefined {
  const length = texts[0]?.length ?? 0;
  if (texts.some((text) => text.length !== length) || length < 6 || length > 64) return undefined;
  if (texts.every((text) => HEX.test(text))) return { kind: 'hex', length };
  if (!texts.every((text) => /^[\w-]+$/.test(text) && /\d/.test(text))) return undefined;
  const prefix = sharedPrefix(texts);
  return { kind: 'token', prefix, length: Math.max(1, length - prefix.length) };
}

function sharedPrefix(texts: readonly string[]): string {
  const marked = /^[A-Za-z]{1,8}[_-]/.exec(texts[0] ?? '')?.[0];
  if (marked !== undefined && texts.every((text) => text.startsWith(marked))) return marked;
  const letter = (texts[0] ?? '').slice(0, 1);
  return texts.length > 1 && /[A-Z]/.test(letter) && texts.every((text) => text.startsWith(letter))
    ? letter
    : '';
}

/** The style that one example shows: ISS-12, 0042, U012AB34, a UUID, a hash. */
function styleOfExample(example: string): IdStyle | undefined {
  if (UUID.test(example)) return { kind: 'uuid' };
  if (/^\d+$/.test(example))
    return { kind: 'counter', start: 1, prefix: '', width: example.startsWith('0') ? example.length : 0 };
  const marked = /^([A-Za-z]{1,12}[-_:#])(.+)$/.exec(example);
  if (marked !== null) return afterPrefix(marked[1] ?? '', marked[2] ?? '');
  if (HEX.test(example) && /[a-f]/.test(example)) return { kind: 'hex', length: example.length };
  const capital = /^([A-Z])([A-Z0-9]{5,20})$/.exec(example);
  if (capital !== null) return { kind: 'token', prefix: capital[1] ?? '', length: (capital[2] ?? '').length };
  const counted = /^([A-Za-z]{1,12})(\d{1,9})$/.exec(example);
  return counted === null ? undefined : afterPrefix(counted[1] ?? '', counted[2] ?? '');
}

function afterPrefix(prefix: string, rest: string): IdStyle | undefined {
  if (/^\d{1,9}$/.test(rest)) {
    const padded = rest.startsWith('0');
    return {
      kind: 'counter',
      start: padded || rest.length < 3 ? 1 : Number(rest),
      prefix,
      width: padded ? rest.length : 0,
    };
  }
  if (/^[0-9a-f]{8,40}$/.test(rest) || /^[A-Za-z0-9]{4,40}$/.test(rest))
    return { kind: 'token', prefix, length: rest.length };
  return UUID.test(rest) ? { kind: 'token', prefix, length: 22 } : undefined;
}

/** The style that an argument's schema, examples or description show. */
export function styleOfArgument(argument: Property): IdStyle | undefined {
  const { schema, types, description } = argument;
  const numeric = types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
  if (numeric) return { kind: 'number', start: 1 };
  if (own(schema, 'format') === 'uuid') return { kind: 'uuid' };
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') {
    const style = styleOfPattern(pattern);
    if (style !== undefined) return style;
  }
  for (const example of examplesOf(argument)) {
    const style = styleOfExample(example);
    if (style !== undefined) return style;
  }
  return /\buuid\b/i.test(description) ? { kind: 'uuid' } : undefined;
}

function examplesOf(argument: Property): string[] {
  const listed = own(argument.schema, 'examples');
  const one = own(argument.schema, 'example') ?? own(argument.schema, 'default');
  const given = [...(Array.isArray(listed) ? listed : []), one].filter(
    (e): e is string => typeof e === 'string',
  );
  const told =
    /(?:e\.g\.?|example|for instance|such as|like|format|looks like|eg)[:,]?\s*["'`(]{0,2}([A-Za-z0-9][\w#-]{1,40})/i.exec(
      argument.description,
    )?.[1];
  return told !== undefined && /\d/.test(told) ? [...given, told] : given;
}

/** `^T-\d+$`, `^cus_[a-zA-Z0-9]{14}$`: a plain prefix and one class. */
function styleOfPattern(pattern: string): IdStyle | undefined {
  if (/\{8\}-.{1,80}\{[34]\}-.{1,80}\{12\}/.test(pattern)) return { kind: 'uuid' };
  const match = /^\^?([A-Za-z0-9_:#-]*)(\\d|\[[^\]]{1,40}\])(\+|\*|\{(\d{1,2})(?:,\d*)?\})?\$?$/.exec(
    pattern,
  );
  if (match === null) return undefined;
  const [, prefix = '', kind = '', , count] = match;
  const length = count === undefined ? undefined : Math.max(1, Number(count));
  if (kind === '\\d' || kind === '[0-9]') return { kind: 'counter', start: 1, prefix, width: length ?? 0 };
  if (/^\[(?:0-9a-f|a-f0-9)\]$/.test(kind) && prefix === '') return { kind: 'hex', length: length ?? 24 };
  return { kind: 'token', prefix, length: length ?? 8 };
}

/** Key fields whose value the caller gives, when a tool that makes rows takes them. */
const GIVEN = new Set([
  'name',
  'path',
  'email',
  'username',
  'login',
  'url',
  'title',
  'tag',
  'code',
  'symbol',
  'filename',
  'sku',
  'isbn',
  'handle',
  'slug',
  'key',
]);

/** The style when nothing but the field's name is known. `made`: tools that make rows take the field; `text`: tools give it as text. */
export function styleOfName(
  field: string,
  singular: string,
  how: { readonly made: boolean; readonly text: boolean },
): IdStyle {
  const word = /[A-Za-z]+$/.exec(field)?.[0].toLowerCase() ?? '';
  if (how.made || word === 'path' || word === 'email' || word === 'url') return { kind: 'given' };
  if (word.endsWith('uuid') || word.endsWith('guid')) return { kind: 'uuid' };
  if (word.endsWith('sha') || word.endsWith('hash')) return { kind: 'hex', length: 40 };
  if (word.endsWith('number') || word === 'iid' || word === 'no') {
    return how.text ? { kind: 'counter', start: 1, prefix: '', width: 0 } : { kind: 'number', start: 1 };
  }
  if (GIVEN.has(word) && word !== 'slug' && word !== 'key') return { kind: 'given' };
  const separator = word === 'slug' ? '-' : '_';
  return { kind: 'counter', start: 1, prefix: singular.replaceAll(' ', separator) + separator, width: 0 };
}

/** A world file's words for a style. Defaults: start 1, no prefix, no padding, hex of 24, tokens of 12. */
export function styleOfSpec(spec: z.infer<typeof IdSpecSchema>, from: IdStyle | undefined): IdStyle {
  const start = spec.start ?? (from?.kind === 'counter' || from?.kind === 'number' ? from.start : 1);
  const prefix = spec.prefix ?? (from?.kind === 'counter' || from?.kind === 'token' ? from.prefix : '');
  switch (spec.style) {
    case 'counter':
      return { kind: 'counter', start, prefix, width: spec.width ?? 0 };
    case 'number':
      return { kind: 'number', start };
    case 'hex':
      return { kind: 'hex', length: spec.length ?? 24 };
    case 'token':
      return {
        kind: 'token',
        prefix,
        length: spec.length ?? 12,
        ...(spec.letters !== undefined && { letters: spec.letters }),
      };
    default:
      return { kind: spec.style };
  }
}
