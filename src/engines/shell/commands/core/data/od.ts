/**
 * `od` of coreutils 9.1.
 *
 * Source: od(1). Doubles stand for `long double`.
 */
import type { Running } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { type OdFormat, readFormats } from './od-format.js';

const OPTIONS = defineOptions(
  'A,address-radix: endian: j,skip-bytes: N,read-bytes: S: strings:: t,format: v,output-duplicates w,width:: traditional ' +
    'a b c d f h i l o s x B D e F H I L O X',
);
const SUFFIXES = 'bEGKkMmPTYZ0';
const SHORT: Readonly<Record<string, string>> = {
  a: 'a',
  b: 'o1',
  c: 'c',
  d: 'u2',
  D: 'u4',
  e: 'fD',
  f: 'fF',
  F: 'fD',
  h: 'x2',
  H: 'x4',
  i: 'dI',
  I: 'dL',
  l: 'dL',
  L: 'dL',
  o: 'o2',
  O: 'o4',
  s: 'd2',
  B: 'o2',
  x: 'x2',
  X: 'x4',
};

interface OdLine {
  formats: OdFormat[];
  radix: 'd' | 'o' | 'x' | 'n';
  skip: number;
  limit: number;
  showAll: boolean;
  width: number | undefined;
  strings: number | undefined;
  bigEndian: boolean;
}

function sizeArgument(tool: Tool, letter: string, text: string): number {
  const word = /^0[xX][0-9a-fA-F]+$/.test(text)
    ? String(Number(text))
    : /^0[0-7]+$/.test(text)
      ? String(Number.parseInt(text, 8))
      : text;
  const size = readSize(word, SUFFIXES);
  if (size === 'overflow') return tool.die(`-${letter} argument ${tool.named(text)} too large`);
  if (size === 'invalid')
    return tool.die(
      /^\d/.test(text)
        ? `invalid suffix in -${letter} argument ${tool.named(text)}`
        : `invalid -${letter} argument ${tool.named(text)}`,
    );
  return size;
}

function readLine(tool: Tool): OdLine {
  const line: OdLine = {
    formats: [],
    radix: 'o',
    skip: 0,
    limit: Number.POSITIVE_INFINITY,
    showAll: false,
    width: undefined,
    strings: undefined,
    bigEndian: false,
  };
  for (const { key, value } of tool.options(OPTIONS)) {
    const short = SHORT[key];
    if (short !== undefined) line.formats.push(...readFormats(tool, short));
    else if (key === 't') line.formats.push(...readFormats(tool, value ?? ''));
    else if (key === 'A') {
      const radix = value?.[0] ?? '';
      if (!'doxn'.includes(radix) || radix === '')
        tool.die(`invalid output address radix '${radix}'; it must be one character from [doxn]`);
      line.radix = radix as OdLine['radix'];
    } else if (key === 'j') line.skip = sizeArgument(tool, 'j', value ?? '');
    else if (key === 'N') line.limit = sizeArgument(tool, 'N', value ?? '');
    else if (key === 'v') line.showAll = true;
    else if (key === 'w') line.width = value === undefined ? 32 : sizeArgument(tool, 'w', value);
    else if (key === 'S' || key === 'strings')
      line.strings = value === undefined ? 3 : sizeArgument(tool, 'S', value);
    else if (key === 'endian')
      line.bigEndian = tool.choice('--endian', value ?? '', [['little'], ['big']]) === 'big';
  }
  if (line.formats.length === 0) line.formats = readFormats(tool, 'o2');
  traditionalOffset(tool, line);
  return line;
}

/** The old `od FILE +OFFSET`. */
function traditionalOffset(tool: Tool, line: OdLine): void {
  const last = tool.operands[tool.operands.length - 1];
  const match = /^\+?([0-7]+|\d+\.|0x[0-9a-fA-F]+)(b?)$/.exec(last ?? '');
  if (match === null || last === undefined) return;
  const isOffset = last.startsWith('+') || (tool.operands.length === 2 && /^\d/.test(last));
  if (!isOffset || tool.operands.length > 2) return;
  const digits = match[1] ?? '0';
  const size = digits.endsWith('.')
    ? Number(digits.slice(0, -1))
    : digits.startsWith('0x')
      ? Number(digits)
      : Number.parseInt(digits, 8);
  line.skip = size * (match[2] === 'b' ? 512 : 1);
  tool.operands = tool.operands.slice(0, -1);
}

/** All operands as one stream. */
class Source {
  private fd: number | null = null;
  private index = 0;
  private rest: Uint8Array = new Uint8Array(0);
  /** False where no operand could be opened. */
  hasOpened = false;

  constructor(
    private readonly tool: Tool,
    private readonly names: readonly string[],
  ) {}

  private *piece(): Running<Uint8Array | null> {
    for (;;) {
      if (this.fd === null) {
        const name = this.names[this.index];
        if (name === undefined) return null;
        this.index += 1;
        this.fd = yield* this.tool.input(name);
        this.hasOpened ||= this.fd !== null;
        continue;
      }
      try {
        const bytes = yield* this.tool.io.read(this.tool.proc, this.fd);
        if (bytes.length > 0) return bytes;
      } catch (error) {
        this.tool.fail(
          `${this.tool.path(this.names[this.index - 1] ?? '')}: read error: ${systemError(error).text}`,
        );
      }
      this.tool.close(this.fd);
      this.fd = null;
    }
  }

  /** Up to `count` bytes; fewer only at the end. */
  *take(count: number): Running<Uint8Array> {
    const out = new Uint8Array(count);
    let length = 0;
    while (length < count) {
      if (this.rest.length === 0) {
        const next = yield* this.piece();
        if (next === null) break;
        this.rest = next;
      }
      const part = this.rest.subarray(0, count - length);
      out.set(part, length);
      length += part.length;
      this.rest = this.rest.subarray(part.length);
    }
    return out.subarray(0, length);
  }

  /** Leaves bytes out; false where there are not so many. */
  *skip(count: number): Running<boolean> {
    let left = count;
    while (left > 0) {
      const taken = yield* this.take(Math.min(left, 65_536));
      if (taken.length === 0) return false;
      left -= taken.length;
    }
    return true;
  }
}

function address(line: OdLine, offset: number): string {
  if (line.radix === 'n') return '';
  if (line.radix === 'x') return offset.toString(16).padStart(6, '0');
  return line.radix === 'd' ? String(offset).padStart(7, '0') : offset.toString(8).padStart(7, '0');
}

function leastCommonMultiple(numbers: readonly number[]): number {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  return numbers.reduce((one, other) => (one * other) / gcd(one, other), 1);
}

function* dump(tool: Tool, line: OdLine, source: Source): Running<void> {
  const unit = leastCommonMultiple(line.formats.map((format) => format.size));
  let width = line.width ?? (unit < 16 ? unit * Math.floor(16 / unit) : unit);
  if (line.width !== undefined && (line.width === 0 || line.width % unit !== 0)) {
    tool.warn(`warning: invalid width ${line.width}; using ${unit} instead`);
    width = unit;
  }
  const cell = (format: OdFormat): number => (format.width + 1) * (width / format.size);
  const row = Math.max(...line.formats.map(cell));
  let offset = line.skip;
  let before: string | null = null;
  let isStarred = false;
  let left = line.limit;
  for (;;) {
    const bytes = yield* source.take(Math.min(width, left));
    if (bytes.length === 0) break;
    left -= bytes.length;
    const key = bytes.join();
    if (!line.showAll && bytes.length === width && key === before) {
      if (!isStarred) tool.out('*\n');
      isStarred = true;
    } else {
      isStarred = false;
      line.formats.forEach((format, index) => {
        const start = index === 0 ? address(line, offset) : ' '.repeat(address(line, offset).length);
        tool.out(
          `${start}${format.row(bytes, { blockWidth: row / (width / format.size), count: width / format.size, bigEndian: line.bigEndian })}\n`,
        );
      });
    }
    before = key;
    offset += bytes.length;
    if (bytes.length < width) break;
    if (tool.io.mustDrain) yield* tool.io.drain();
  }
  if (line.radix !== 'n' && source.hasOpened) tool.out(`${address(line, offset)}\n`);
}

function* strings(tool: Tool, line: OdLine, source: Source): Running<void> {
  let offset = line.skip;
  let text = '';
  let start = offset;
  let left = line.limit;
  for (;;) {
    const bytes = yield* source.take(Math.min(4096, left));
    if (bytes.length === 0) return;
    left -= bytes.length;
    for (const byte of bytes) {
      if (byte >= 32 && byte < 127) {
        if (text === '') start = offset;
        text += String.fromCharCode(byte);
      } else {
        if (byte === 0 && text.length >= (line.strings ?? 3) && text !== '')
          tool.out(`${line.radix === 'n' ? '' : `${address(line, start)} `}${text}\n`);
        text = '';
      }
      offset += 1;
    }
    if (tool.io.mustDrain) yield* tool.io.drain();
  }
}

/** The command. */
export const od = defineTool('od', function* (tool) {
  const line = readLine(tool);
  const source = new Source(tool, tool.operands.length > 0 ? tool.operands : ['-']);
  if (!(yield* source.skip(line.skip))) {
    tool.die('cannot skip past end of combined input');
  }
  if (line.strings !== undefined) yield* strings(tool, line, source);
  else yield* dump(tool, line, source);
  return tool.status;
});
