/**
 * The formats of `printf`: C's conversions, `%b`, `%q`, `%Q` and `%(…)T`.
 *
 * Source: bash manual and POSIX printf; messages as observed in bash 5.2. Floating point is that of doubles.
 */

import { toBytes, toText } from '../../kernel/index.js';
import { decodeEscapes } from '../../syntax/ansi-c.js';
import {
  exponentText,
  fixedText,
  generalText,
  hexadecimalText,
  type LongDouble,
  longDouble,
} from '../long-double.js';
import type { Shell } from '../shell.js';
import { backslashQuoted } from '../state/quoting.js';
import { formatTime } from '../time-format.js';

/** Most bytes that one `printf` makes. */
const MAX_OUTPUT = 8_000_000;

/** What `printf` gives. */
export interface Formatted {
  readonly text: string;
  /** What was wrong, and how much of the text was made before. */
  readonly messages: readonly { readonly message: string; readonly at: number }[];
}

const CONVERSION =
  /%(?:(%)|([-+ #0']*)(\*|-?\d+)?(?:\.(\*|-?\d*))?(?:\((.*?)\))?(?:hh|h|ll|l|j|z|t|L|q(?=[diouxX]))?([a-zA-Z])?)/y;

const FLOAT =
  /^\s*([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|0[xX][0-9a-fA-F]+|inf(?:inity)?|nan))/i;

/** One conversion, with its width and precision known. */
interface Conversion {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
  readonly time: string | undefined;
}

/** Formats values; the format is used again while there are values left. */
export function formatText(shell: Shell, format: string, values: readonly string[]): Formatted {
  return new Formatter(shell, format, values).run();
}

/** One run of `printf`. */
class Formatter {
  private index = 0;
  private text = '';
  private readonly messages: { message: string; at: number }[] = [];
  private stopped = false;

  constructor(
    private readonly shell: Shell,
    private readonly format: string,
    private readonly values: readonly string[],
  ) {}

  run(): Formatted {
    do {
      const before = this.index;
      this.pass();
      if (this.index === before) break;
    } while (!this.stopped && this.index < this.values.length && this.text.length < MAX_OUTPUT);
    const text = /[\udc80-\udcff]/.test(this.text) ? toText(toBytes(this.text)) : this.text;
    return { text, messages: this.messages };
  }

  private tell(message: string): void {
    this.messages.push({ message, at: this.text.length });
  }

  private take(): string | undefined {
    const value = this.values[this.index];
    if (this.index < this.values.length) this.index += 1;
    return value;
  }

  private pass(): void {
    const { format } = this;
    let at = 0;
    while (at < format.length && !this.stopped) {
      const next = format.indexOf('%', at);
      const literal = format.slice(at, next === -1 ? undefined : next);
      if (literal !== '') {
        const decoded = decodeEscapes(literal, 'format');
        this.text += decoded.text;
      }
      if (next === -1) return;
      CONVERSION.lastIndex = next;
      const match = CONVERSION.exec(format) as RegExpExecArray;
      at = next + match[0].length;
      if (match[1] === '%') {
        this.text += '%';
        continue;
      }
      const letter = match[6];
      if (letter === undefined) {
        const rest = format[at];
        if (rest === undefined)
          this.tell(
            `\`${match[0].slice(match[0].length - 1) === '%' ? '%' : match[0].slice(-1)}': missing format character`,
          );
        else this.tell(`\`${rest}': invalid format character`);
        this.stopped = true;
        return;
      }
      this.convert(match, letter);
    }
  }

  private convert(match: RegExpExecArray, letter: string): void {
    let flags = match[2] ?? '';
    let width = match[3] === '*' ? Number(this.integer(this.take())) : Number(match[3] ?? 0);
    if (width < 0) {
      flags += '-';
      width = -width;
    }
    let precision: number | undefined;
    if (match[4] !== undefined) {
      const given =
        match[4] === '*' ? Number(this.integer(this.take())) : Number(match[4] === '' ? 0 : match[4]);
      precision = given < 0 ? undefined : given;
    }
    const conversion: Conversion = {
      flags,
      width: Math.min(width, MAX_OUTPUT),
      precision,
      letter,
      time: match[5],
    };
    const out = this.one(conversion);
    if (out !== undefined) this.text += out;
  }

  private one(conversion: Conversion): string | undefined {
    const { letter } = conversion;
    switch (letter) {
      case 's':
        return this.padText(this.take() ?? '', conversion);
      case 'c':
        return this.padText([...(this.take() ?? '')][0] ?? '', conversion);
      case 'b': {
        const decoded = decodeEscapes(this.take() ?? '', 'percent-b');
        if (decoded.stopped) this.stopped = true;
        return this.padText(decoded.text, conversion);
      }
      case 'q':
        return this.padText(backslashQuoted(this.take() ?? ''), { ...conversion, precision: undefined });
      case 'Q': {
        const text = this.take() ?? '';
        return this.padText(
          backslashQuoted(conversion.precision === undefined ? text : text.slice(0, conversion.precision)),
          { ...conversion, precision: undefined },
        );
      }
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return formatInteger(this.integer(this.take()), conversion);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        return formatFloat(this.float(this.take()), conversion);
      case 'T':
        return this.time(conversion);
      case 'n':
        this.take();
        return '';
      default:
        this.tell(`\`${letter}': invalid format character`);
        this.stopped = true;
        return undefined;
    }
  }

  private time(conversion: Conversion): string | undefined {
    if (conversion.time === undefined) {
      this.tell("`T': invalid format character");
      this.stopped = true;
      return undefined;
    }
    const value = this.take();
    const now = Math.floor(this.shell.process.now() / 1e6);
    const given = value === undefined ? -1 : Number(this.integer(value));
    const seconds = given === -1 ? now : given === -2 ? Math.floor(this.shell.secondsBaseUs / 1e6) : given;
    return this.padText(
      formatTime(this.shell, conversion.time === '' ? '%X' : conversion.time, seconds),
      conversion,
    );
  }

  private padText(text: string, conversion: Conversion): string {
    const { precision, width, flags } = conversion;
    const cut = precision === undefined ? text : [...text].slice(0, precision).join('');
    const length = [...cut].length;
    if (width <= length) return cut;
    const fill = ' '.repeat(width - length);
    return flags.includes('-') ? cut + fill : fill + cut;
  }

  /** A number from an argument; what follows it is told. */
  private integer(text: string | undefined): bigint {
    if (text === undefined || text === '') return 0n;
    if (/^["']/.test(text)) return BigInt(text.codePointAt(1) ?? 0);
    const match = /^\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(text);
    if (match === null) {
      this.tell(`${text}: invalid number`);
      return 0n;
    }
    if (match[0].length < text.length) {
      const octal = /^\s*[+-]?0\d/.test(text);
      this.tell(`${text}: invalid ${octal ? 'octal ' : /^\s*[+-]?0[xX]/.test(text) ? 'hex ' : ''}number`);
    }
    const digits = match[2] as string;
    const isOctal = /^0[0-7]+$/.test(digits);
    const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits) * (match[1] === '-' ? -1n : 1n);
    const max = 2n ** 63n - 1n;
    if (value > max || value < -max - 1n) {
      this.tell(`warning: ${text}: Numerical result out of range`);
      return value > max ? max : -max - 1n;
    }
    return value;
  }

  private float(text: string | undefined): LongDouble {
    if (text === undefined || text === '') return longDouble('0');
    if (/^["']/.test(text)) return longDouble(String(text.codePointAt(1) ?? 0));
    const match = FLOAT.exec(text);
    if (match === null) {
      this.tell(`${text}: invalid number`);
      return longDouble('0');
    }
    if (match[0].length < text.length) this.tell(`${text}: invalid number`);
    return longDouble(match[1] as string);
  }
}

function signed(negative: boolean, flags: string): string {
  if (negative) return '-';
  if (flags.includes('+')) return '+';
  return flags.includes(' ') ? ' ' : '';
}

function padNumber(sign: string, digits: string, conversion: Conversion, zeros: boolean): string {
  const { width, flags } = conversion;
  const length = sign.length + digits.length;
  if (length >= width) return sign + digits;
  if (flags.includes('-')) return sign + digits + ' '.repeat(width - length);
  return zeros ? sign + '0'.repeat(width - length) + digits : ' '.repeat(width - length) + sign + digits;
}

function formatInteger(value: bigint, conversion: Conversion): string {
  const { letter, flags, precision } = conversion;
  const isSigned = letter === 'd' || letter === 'i';
  const absolute = isSigned ? (value < 0n ? -value : value) : BigInt.asUintN(64, value);
  const base = letter === 'o' ? 8 : letter === 'x' || letter === 'X' ? 16 : 10;
  let digits = absolute.toString(base);
  if (letter === 'X') digits = digits.toUpperCase();
  if (precision !== undefined)
    digits = precision === 0 && absolute === 0n ? '' : digits.padStart(Math.min(precision, MAX_OUTPUT), '0');
  let sign = isSigned ? signed(value < 0n, flags) : '';
  if (flags.includes('#') && absolute !== 0n) {
    if (letter === 'o') digits = `0${digits}`;
    else if (base === 16) sign = `0${letter}`;
  }
  return padNumber(sign, digits, conversion, flags.includes('0') && precision === undefined);
}

function formatFloat(value: LongDouble, conversion: Conversion): string {
  const { letter, flags } = conversion;
  const lower = letter.toLowerCase();
  const precision = conversion.precision === undefined ? undefined : Math.min(conversion.precision, 5000);
  const sign = signed(value.isNegative, flags);
  let digits: string;
  if (value.special !== undefined) digits = value.special;
  else if (lower === 'f') digits = fixedText(value, precision ?? 6);
  else if (lower === 'e') digits = exponentText(value, precision ?? 6);
  else if (lower === 'g') digits = generalText(value, precision ?? 6, flags.includes('#'));
  else digits = hexadecimalText(value, precision);
  if (letter !== lower) digits = digits.toUpperCase();
  return padNumber(sign, digits, conversion, flags.includes('0') && value.special === undefined);
}
