/**
 * Values of jq: JSON with objects as maps (order of keys as they came), their order, and how they are written.
 *
 * Source: the manual of jq 1.6. Numbers are doubles, written with up to 17 digits.
 */

/** A JSON value. */
export type JqValue = null | boolean | number | string | readonly JqValue[] | ReadonlyMap<string, JqValue>;

/** The name that `type` gives. */
export function typeOf(value: JqValue): 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  return typeof value as 'boolean' | 'number' | 'string';
}

/** True for an object. */
export function isObject(value: JqValue): value is ReadonlyMap<string, JqValue> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** True for an array. */
export function isArray(value: JqValue): value is readonly JqValue[] {
  return Array.isArray(value);
}

const RANK = { null: 0, false: 1, true: 2, number: 3, string: 4, array: 5, object: 6 } as const;

function rankOf(value: JqValue): number {
  if (typeof value === 'boolean') return value ? RANK.true : RANK.false;
  return RANK[typeOf(value) as 'null'];
}

/** Compares texts by their code points. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a === b) continue;
    const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
    return isHalf(a) === isHalf(b) ? a - b : isHalf(a) ? 1 : -1;
  }
  return one.length - other.length;
}

/** jq's order of all values. */
export function compareValues(one: JqValue, other: JqValue): number {
  const ranks = rankOf(one) - rankOf(other);
  if (ranks !== 0) return ranks;
  if (typeof one === 'number' && typeof other === 'number')
    return one < other ? -1 : one === other ? 0 : Number.isNaN(one) ? -1 : 1;
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  if (isArray(one) && isArray(other)) {
    for (let at = 0; at < Math.min(one.length, other.length); at++) {
      const order = compareValues(one[at] ?? null, other[at] ?? null);
      if (order !== 0) return order;
    }
    return one.length - other.length;
  }
  if (!isObject(one) || !isObject(other)) return 0;
  const [a, b] = [sortedKeys(one), sortedKeys(other)];
  const keys = compareValues(a, b);
  if (keys !== 0) return keys;
  for (const key of a) {
    const order = compareValues(one.get(key) ?? null, other.get(key) ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** The keys of an object in order. */
export function sortedKeys(object: ReadonlyMap<string, JqValue>): string[] {
  return [...object.keys()].sort(compareText);
}

/** A number as jq 1.6 writes it. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'null';
  if (!Number.isFinite(value)) return value < 0 ? '-1.7976931348623157e+308' : '1.7976931348623157e+308';
  if (Object.is(value, -0)) return '-0';
  const found = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential());
  if (found === null) return String(value);
  const [, sign = '', first = '0', rest = '', power = '0'] = found;
  const digits = first + rest;
  const point = Number(power) + 1;
  if (point <= -4 || point > digits.length + 15) {
    const exponent = point - 1;
    const tail = `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
    return `${sign}${first}${rest === '' ? '' : `.${rest}`}${tail}`;
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** How to write JSON. */
export interface JsonStyle {
  /** Blanks or tabs of one level; undefined for one line. */
  readonly indent?: string | undefined;
  readonly sortKeys?: boolean;
  readonly ascii?: boolean;
  readonly colour?: boolean;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A string as JSON. */
function quoteJson(text: string, ascii = false): string {
  const pattern = ascii ? /["\\\x00-\x1f\x7f-\uffff]/g : /["\\\x00-\x1f\x7f]/g;
  return `"${text.replace(pattern, (one) => ESCAPES[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

const COLOURS = {
  null: '1;30',
  false: '0;39',
  true: '0;39',
  number: '0;39',
  string: '0;32',
  array: '1;39',
  object: '1;39',
} as const;

/** A value as JSON text. */
export function toJson(value: JqValue, style: JsonStyle = {}): string {
  return new JsonWriter(style).write(value, 0);
}

class JsonWriter {
  constructor(private readonly style: JsonStyle) {}

  write(value: JqValue, depth: number): string {
    if (isArray(value)) return this.list(value, depth);
    if (isObject(value)) return this.object(value, depth);
    const text =
      typeof value === 'string'
        ? quoteJson(value, this.style.ascii)
        : typeof value === 'number'
          ? numberText(value)
          : String(value);
    return this.painted(
      text,
      typeof value === 'boolean' ? (String(value) as 'true') : (typeOf(value) as 'null'),
    );
  }

  private painted(text: string, kind: keyof typeof COLOURS): string {
    return this.style.colour ? `\x1b[${COLOURS[kind]}m${text}\x1b[0m` : text;
  }

  private line(depth: number): string {
    const { indent } = this.style;
    return indent === undefined ? '' : `\n${indent.repeat(depth)}`;
  }

  private list(value: readonly JqValue[], depth: number): string {
    const { colour } = this.style;
    if (value.length === 0) return this.painted('[]', 'array');
    const items = value.map((one) => this.line(depth + 1) + this.write(one, depth + 1));
    if (!colour) return `[${items.join(',')}${this.line(depth)}]`;
    const start = `\x1b[${COLOURS.array}m`;
    return `${start}[${items.join(`${start},`)}${start}${this.line(depth)}${start}]\x1b[0m`;
  }

  private object(value: ReadonlyMap<string, JqValue>, depth: number): string {
    const { colour, indent, sortKeys, ascii } = this.style;
    if (value.size === 0) return this.painted('{}', 'object');
    const keys = sortKeys ? sortedKeys(value) : [...value.keys()];
    const gap = indent === undefined ? ':' : ': ';
    const items = keys.map((key) => {
      const text = this.write(value.get(key) ?? null, depth + 1);
      if (!colour) return `${this.line(depth + 1)}${quoteJson(key, ascii)}${gap}${text}`;
      return `${this.line(depth + 1)}\x1b[0m\x1b[34;1m${quoteJson(key, ascii)}\x1b[0m\x1b[${COLOURS.object}m:${indent === undefined ? '' : ' '}\x1b[0m${text}`;
    });
    if (!colour) return `{${items.join(',')}${this.line(depth)}}`;
    const start = `\x1b[${COLOURS.object}m`;
    return `${start}{${items.join(`${start},`)}${start}${this.line(depth)}${start}}\x1b[0m`;
  }
}

/** An error that a filter raises; its value is what catch sees. */
export class JqError extends Error {
  constructor(readonly value: JqValue) {
    super(typeof value === 'string' ? value : toJson(value));
  }
}

/** A short form of a value for messages, as `object ({"a":1})`. */
export function described(value: JqValue): string {
  const text = toJson(value);
  return `${typeOf(value)} (${text.length > 14 ? `${text.slice(0, 11)}...` : text})`;
}
