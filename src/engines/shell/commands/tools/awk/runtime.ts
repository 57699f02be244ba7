/**
 * The state of a running awk program: variables, the record and its fields, expressions compiled before, streams.
 *
 * The record is split when a field is first looked at, with the FS of that moment, as mawk does.
 */
import type { Io, Process } from '../../../kernel/index.js';
import { toBytes } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { formatFloat } from '../number-format.js';
import { parsePosix } from '../regex/parse-posix.js';
import { Regex } from '../regex/regex.js';
import { RegexSyntaxError } from '../regex/regex-tree.js';
import { AwkArray } from './awk-array.js';
import { CRandom } from './random.js';
import type { RecordSeparator } from './records.js';
import { AwkStreams } from './streams.js';
import { AwkFatal, AwkRunError } from './syntax-error.js';
import { type AwkValue, inputValue, isInteger, toNumber } from './values.js';

/** A place for a value or an array. A parameter that was given an unset variable becomes that variable's array. */
export class Slot {
  value: AwkValue;
  array: AwkArray | undefined;
  /** The caller's variable, for arrays that come to be inside a function. */
  origin: Slot | undefined;

  get(): AwkValue {
    return this.value;
  }

  set(value: AwkValue): void {
    this.value = value;
  }

  /** The array of this name, made if there is none. */
  asArray(): AwkArray {
    this.array ??= this.origin === undefined ? new AwkArray() : this.origin.asArray();
    return this.array;
  }
}

class FieldCount extends Slot {
  constructor(private readonly runtime: AwkRuntime) {
    super();
  }

  override get(): AwkValue {
    return this.runtime.fieldCount();
  }

  override set(value: AwkValue): void {
    this.runtime.setFieldCount(Math.trunc(toNumber(value)));
  }
}

/** Fields that one record may have. */
const MAX_FIELD = 1_000_000;

/** The state of one run. */
export class AwkRuntime {
  readonly globals = new Map<string, Slot>();
  readonly streams: AwkStreams;
  /** Parameters and locals of the running function. */
  frame: readonly Slot[] = [];
  depth = 0;
  random: CRandom;
  seed: AwkValue;
  private record = '';
  private recordIsStale = false;
  private fields: AwkValue[] | undefined = [];
  private readonly regexes = new Map<string, Regex>();

  constructor(
    readonly proc: Process,
    io: Io,
  ) {
    this.streams = new AwkStreams(proc, io);
    this.seed = Math.floor(proc.now() / 1e6) % 2 ** 31;
    this.random = new CRandom(Math.floor(proc.random() * 2 ** 31));
    this.globals.set('NF', new FieldCount(this));
    const start: Readonly<Record<string, AwkValue>> = {
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      SUBSEP: '\x1c',
      CONVFMT: '%.6g',
      OFMT: '%.6g',
      NR: 0,
      FNR: 0,
      RSTART: 0,
      RLENGTH: -1,
      FILENAME: '',
    };
    for (const [name, value] of Object.entries(start)) this.global(name).set(value);
    const environment = this.global('ENVIRON').asArray();
    for (const [name, value] of proc.env) environment.set(bytes(name), inputValue(bytes(value)));
  }

  /** The slot of a global variable. */
  global(name: string): Slot {
    let slot = this.globals.get(name);
    if (slot === undefined) {
      slot = new Slot();
      this.globals.set(name, slot);
    }
    return slot;
  }

  /** A special variable as text. */
  special(name: string): string {
    return this.text(this.global(name).get());
  }

  // ---- values ----

  /** A value as text, numbers through CONVFMT. */
  text(value: AwkValue): string {
    return this.written(value, 'CONVFMT');
  }

  /** A value as print writes it, numbers through OFMT. */
  printed(value: AwkValue): string {
    return this.written(value, 'OFMT');
  }

  private written(value: AwkValue, format: 'CONVFMT' | 'OFMT'): string {
    if (typeof value === 'string') return value;
    if (value === undefined) return '';
    if (typeof value === 'object') return value.text;
    if (isInteger(value)) return String(value === 0 ? 0 : value);
    return this.number(value, this.global(format).value);
  }

  private number(value: number, format: AwkValue): string {
    if (Number.isNaN(value)) return '-nan';
    const shape = /^([^%]*)%([-+ #0]*)(\d*)(?:\.(\d*))?([a-zA-Z])([\s\S]*)$/.exec(
      typeof format === 'string' ? format : '',
    );
    const [, before = '', flags = '', width = '', precision, letter = 'g', rest = ''] = shape ?? [];
    if (shape === null) return formatFloat(value, { flags: '', width: 0, precision: 6, letter: 'g' });
    if (letter === 'd' || letter === 'i') return `${before}${Math.trunc(value)}${rest}`;
    const digits = precision === undefined ? 6 : Number(precision);
    return before + formatFloat(value, { flags, width: Number(width), precision: digits, letter }) + rest;
  }

  /** A key of an array: whole numbers stay numbers. */
  key(value: AwkValue): string | number {
    return typeof value === 'number' && isInteger(value) ? value : this.text(value);
  }

  /** The expression of a source. Raises {@link AwkFatal}. */
  regex(source: string): Regex {
    const known = this.regexes.get(source);
    if (known !== undefined) return known;
    const made = awkRegex(source);
    if (this.regexes.size > 500) this.regexes.clear();
    this.regexes.set(source, made);
    return made;
  }

  // ---- the record ----

  /** Makes a text the record. */
  setRecord(text: string): void {
    this.record = text;
    this.recordIsStale = false;
    this.fields = undefined;
  }

  /** `$index`. */
  field(index: number): AwkValue {
    if (index < 0) throw new AwkRunError(`negative field index $${index}`);
    if (index === 0) return inputValue(this.recordText());
    return this.split()[index - 1];
  }

  /** Assigns `$index`. */
  setField(index: number, value: AwkValue): void {
    if (index < 0) throw new AwkRunError(`negative field index $${index}`);
    if (index > MAX_FIELD) throw new AwkRunError('program limit exceeded: maximum number of fields');
    if (index === 0) {
      this.setRecord(this.text(value));
      return;
    }
    const fields = this.split();
    while (fields.length < index) fields.push('');
    fields[index - 1] = value;
    this.recordIsStale = true;
  }

  /** NF. */
  fieldCount(): number {
    return this.split().length;
  }

  /** Assigns NF: cuts or lengthens the fields. */
  setFieldCount(count: number): void {
    if (count < 0 || count > MAX_FIELD) throw new AwkRunError('negative value assigned to NF');
    const fields = this.split();
    fields.length = Math.min(fields.length, count);
    while (fields.length < count) fields.push('');
    this.recordIsStale = true;
  }

  /** The record as text, put together from fields that were changed. */
  recordText(): string {
    if (this.recordIsStale) {
      const separator = this.special('OFS');
      this.record = (this.fields ?? []).map((field) => this.text(field)).join(separator);
      this.recordIsStale = false;
    }
    return this.record;
  }

  private split(): AwkValue[] {
    this.fields ??= this.splitText(this.record, this.special('FS')).map(inputValue);
    return this.fields;
  }

  /** Splits a text as FS does. */
  splitText(text: string, separator: string): string[] {
    const paragraphs = this.special('RS') === '';
    if (separator === ' ') return blankFields(text);
    if (text === '') return [];
    if (separator === '') return [...text];
    if (separator.length === 1 && !paragraphs && separator !== '\\') return text.split(separator);
    const source =
      separator.length === 1
        ? `[${separator === '^' || separator === '\\' ? '\\' : ''}${separator}]`
        : separator;
    return this.splitBy(text, this.regex(paragraphs ? `(${source})|\n` : source));
  }

  /** Splits a text at matches of an expression that are not empty. */
  splitBy(text: string, regex: Regex): string[] {
    if (text === '') return [];
    const parts: string[] = [];
    let start = 0;
    for (let from = 0; from <= text.length; ) {
      const found = regex.span(text, from);
      if (found === null) break;
      const [at = 0, end = 0] = [found[0], found[1]];
      if (end === at) {
        from = at + 1;
        continue;
      }
      parts.push(text.slice(start, at));
      start = end;
      from = end;
    }
    parts.push(text.slice(start));
    return parts;
  }

  /** How records end now. */
  recordSeparator(): RecordSeparator {
    const text = this.special('RS');
    if (text === '') return { kind: 'paragraph' };
    if (text.length === 1) return { kind: 'character', character: text };
    return { kind: 'regex', regex: this.regex(text) };
  }
}

function blankFields(text: string): string[] {
  const fields: string[] = [];
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const blank = code === 32 || (code >= 9 && code <= 13);
    if (blank && start >= 0) {
      fields.push(text.slice(start, at));
      start = -1;
    } else if (!blank && start < 0) start = at;
  }
  if (start >= 0) fields.push(text.slice(start));
  return fields;
}

/** A text as a byte string. */
export function bytes(text: string): string {
  return latin1(toBytes(text));
}

/** Compiles an expression as mawk reads it: no intervals, escapes inside brackets. Raises {@link AwkFatal}. */
function awkRegex(source: string): Regex {
  try {
    return new Regex(
      parsePosix(withEscapes(source), {
        extended: true,
        danglingRepeat: 'error',
        literalBadInterval: true,
        intervals: false,
        literalRightParen: false,
        bracketEscapes: true,
        bytes: true,
        gnu: false,
        ignoreCase: false,
      }),
    );
  } catch (error) {
    if (!(error instanceof RegexSyntaxError)) throw error;
    throw new AwkFatal(`regular expression compile failed (${mawkWords(error.message)})\n${source}`);
  }
}

/** Characters that escapes make; others stay for the reader of expressions. */
function withEscapes(source: string): string {
  const simple: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    f: '\f',
    r: '\r',
    v: '\v',
    a: '\x07',
    b: '\b',
  };
  return source.replace(/\\(?:([0-7]{1,3})|([\s\S]))/g, (whole, octal, one) => {
    if (octal !== undefined) {
      const made = String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return /[\w\s]/.test(made) ? made : `\\${made}`;
    }
    return Object.hasOwn(simple, one) ? (simple[one] ?? whole) : whole;
  });
}

function mawkWords(message: string): string {
  if (message.startsWith('Unmatched (')) return "missing ')'";
  if (message.startsWith('Unmatched )')) return "missing '('";
  if (message.startsWith('Invalid preceding')) return 'missing operand';
  if (message.startsWith('Regular expression too big'))
    return 'resource exhaustion -- regular expression too large';
  return 'bad class -- [], [^] or [';
}
