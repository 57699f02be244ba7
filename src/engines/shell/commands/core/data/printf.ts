/**
 * `printf` of coreutils 9.1 (the program; the shell has its own).
 *
 * Source: printf(1).
 */
import { Exit, toBytes, toText } from '../../../kernel/index.js';
import { formatFloat, formatInteger } from '../../program/c-number.js';
import { quoteText } from '../../program/quote.js';
import { defineTool, type Tool } from '../../program/tool.js';

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

/** Thrown by `\c`: nothing more is printed. */
class Stop extends Error {}

function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}

/** Prints formats; keeps the arguments that are left. */
class Printer {
  private arguments: readonly string[];
  text = '';

  constructor(
    private readonly tool: Tool,
    args: readonly string[],
  ) {
    this.arguments = args;
  }

  get left(): number {
    return this.arguments.length;
  }

  private next(): string | undefined {
    const [first, ...rest] = this.arguments;
    this.arguments = rest;
    return first;
  }

  /** One pass over the format. True where it took an argument. */
  pass(format: string): boolean {
    const before = this.left;
    let took = false;
    let at = 0;
    while (at < format.length) {
      const character = format[at] as string;
      if (character === '\\') at = this.escape(format, at, false);
      else if (character === '%') {
        if (format[at + 1] === '%') {
          this.text += '%';
          at += 2;
          continue;
        }
        took = true;
        at = this.directive(format, at);
      } else {
        this.text += character;
        at += 1;
      }
    }
    return took && before > 0;
  }

  /** An escape at a place; returns the place behind it. `%b` wants a zero before octal digits. */
  private escape(text: string, at: number, isArgument: boolean): number {
    const rest = text.slice(at + 1);
    const octal = (isArgument ? /^(?:0[0-7]{0,3}|[1-7][0-7]{0,2})/ : /^[0-7]{1,3}/).exec(rest)?.[0];
    if (octal !== undefined) {
      this.text += byteText(Number.parseInt(octal, 8) & 255);
      return at + 1 + octal.length;
    }
    if (rest.startsWith('x')) {
      const hex = /^x([0-9a-fA-F]{1,2})/.exec(rest);
      if (hex === null) this.tool.die('missing hexadecimal number in escape');
      this.text += byteText(Number.parseInt(hex?.[1] ?? '0', 16));
      return at + 1 + (hex?.[0].length ?? 1);
    }
    const unicode = /^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
    if (unicode !== null) {
      const code = Number.parseInt(unicode[1] ?? unicode[2] ?? '0', 16);
      if (
        code > 0x10ffff ||
        (code >= 0xd800 && code <= 0xdfff) ||
        (code < 0xa0 && code !== 0x24 && code !== 0x40 && code !== 0x60)
      )
        this.tool.die(`invalid universal character name \\${unicode[0]}`);
      this.text += String.fromCodePoint(code);
      return at + 1 + unicode[0].length;
    }
    if (/^[uU]/.test(rest)) this.tool.die('missing hexadecimal number in escape');
    const [letter] = rest;
    if (letter === 'c') throw new Stop();
    if (letter === undefined) {
      this.text += '\\';
      return at + 1;
    }
    const simple = letter === '"' && isArgument ? undefined : SIMPLE[letter];
    this.text += simple ?? `\\${letter}`;
    return at + 2;
  }

  private directive(format: string, at: number): number {
    const match = /^%([-+ #0'I]*)(\*|\d+)?(?:(\.)(\*|-?\d*))?([hlLjzt]*)([\s\S])?/.exec(format.slice(at));
    const [whole = '%', flags = '', width, dot, precision = '', , letter] = match ?? [];
    let fieldWidth = width === '*' ? Number(this.integer(this.next() ?? '0')) : Number(width ?? 0);
    let allFlags = flags;
    if (fieldWidth < 0) {
      fieldWidth = -fieldWidth;
      allFlags += '-';
    }
    if (fieldWidth > 1_000_000) this.tool.die(`invalid field width: ${this.tool.quote(String(fieldWidth))}`);
    let digits: number | undefined =
      dot === undefined
        ? undefined
        : precision === '*'
          ? Number(this.integer(this.next() ?? '0'))
          : Number(precision || 0);
    if (digits !== undefined && digits < 0) digits = undefined;
    const invalid = (): never => this.tool.die(`${whole}: invalid conversion specification`);
    if (letter === undefined) return invalid();
    const spec = { flags: allFlags, width: fieldWidth, precision: digits, letter };
    const end = at + whole.length;
    if (letter === 'b' || letter === 'q') {
      if (whole !== `%${letter}`) return invalid();
      const value = this.next() ?? '';
      if (letter === 'q') this.text += quoteText(value, 'shell-escape', this.tool);
      else
        for (let index = 0; index < value.length; )
          index = value[index] === '\\' ? this.escape(value, index, true) : this.plain(value, index);
      return end;
    }
    if (letter === 'c' || letter === 's') {
      if (/[#0']/.test(flags) || (letter === 'c' && dot !== undefined)) return invalid();
      const value = toBytes(this.next() ?? '');
      const kept =
        letter === 'c' ? value.subarray(0, 1) : digits === undefined ? value : value.subarray(0, digits);
      const text = toText(kept);
      const blanks = ' '.repeat(Math.max(0, fieldWidth - kept.length));
      this.text += allFlags.includes('-') ? text + blanks : blanks + text;
      return end;
    }
    if (/[di]/.test(letter)) {
      if (flags.includes('#')) return invalid();
      this.text += formatInteger(this.integer(this.next() ?? '0', true), spec);
    } else if (/[ouxX]/.test(letter)) this.text += formatInteger(this.integer(this.next() ?? '0'), spec);
    else if (/[aAeEfFgG]/.test(letter)) this.text += formatFloat(this.float(this.next() ?? '0'), spec);
    else return invalid();
    return end;
  }

  private plain(text: string, at: number): number {
    this.text += text[at];
    return at + 1;
  }

  private quotedCharacter(word: string): number | undefined {
    if (!/^["'][\s\S]/.test(word)) return undefined;
    const bytes = toBytes(word.slice(1));
    const character = [...word.slice(1)][0] ?? '';
    const code = this.tool.isUtf8 ? (character.codePointAt(0) ?? 0) : (bytes[0] ?? 0);
    const rest = this.tool.isUtf8 ? [...word.slice(1)].slice(1).join('') : toText(bytes.subarray(1));
    if (rest !== '')
      this.tool.warn(`warning: ${rest}: character(s) following character constant have been ignored`);
    return code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
  }

  private complain(word: string, rest: string): void {
    if (word === '' || rest === word) this.tool.fail(`${this.tool.quote(word)}: expected a numeric value`);
    else this.tool.fail(`${this.tool.quote(word)}: value not completely converted`);
  }

  private integer(word: string, isSigned = false): bigint {
    const character = this.quotedCharacter(word);
    if (character !== undefined) return BigInt(character);
    const match = /^\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(word);
    if (match === null) {
      if (word !== '') this.complain(word, word);
      else this.complain(word, '');
      return 0n;
    }
    const digits = match[2] ?? '0';
    const size = /^0[0-7]/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
    const rest = word.slice(match[0].length);
    if (rest !== '') this.complain(word, rest);
    const value = match[1] === '-' ? -size : size;
    if (value >= (isSigned ? 2n ** 63n : 2n ** 64n) || value < -(2n ** 63n)) {
      this.tool.fail(`${this.tool.quote(word)}: Numerical result out of range`);
      return value < 0n ? -(2n ** 63n) : isSigned ? 2n ** 63n - 1n : 2n ** 64n - 1n;
    }
    return value;
  }

  private float(word: string): number {
    const character = this.quotedCharacter(word);
    if (character !== undefined) return character;
    const match =
      /^\s*([+-]?(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|nan))/i.exec(
        word,
      );
    if (match === null) {
      this.complain(word, word);
      return 0;
    }
    const rest = word.slice(match[0].length);
    if (rest !== '') this.complain(word, rest);
    const text = (match[1] ?? '').toLowerCase();
    if (text.includes('inf'))
      return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    if (text.includes('nan')) return Number.NaN;
    return text.startsWith('-') ? -Number(text.slice(1)) : Number(text.replace('+', ''));
  }
}

/** The command. */
export const printf = defineTool('printf', function* (tool) {
  if (tool.args.length === 1) {
    if (tool.args[0] === '--help') tool.help();
    if (tool.args[0] === '--version') tool.version();
  }
  const words = tool.args[0] === '--' ? tool.args.slice(1) : tool.args;
  const [format, ...args] = words;
  if (format === undefined) return tool.usage('missing operand');
  const printer = new Printer(tool, args);
  try {
    for (;;) {
      const took = printer.pass(format);
      tool.out(printer.text);
      printer.text = '';
      if (printer.left === 0) break;
      if (!took) {
        tool.warn(
          `warning: ignoring excess arguments, starting with ${tool.quote(args[args.length - printer.left] ?? '')}`,
        );
        break;
      }
      if (tool.io.mustDrain) yield* tool.io.drain();
    }
  } catch (error) {
    if (error instanceof Exit) tool.out(printer.text);
    if (!(error instanceof Stop)) throw error;
    tool.out(printer.text);
  }
  return tool.status;
});
