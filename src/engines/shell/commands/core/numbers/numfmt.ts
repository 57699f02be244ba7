/**
 * `numfmt` of coreutils 9.1.
 *
 * Source: numfmt(1). Doubles stand for `long double`: seventeen digits.
 */
import type { Running } from '../../../kernel/index.js';
import { toBytes, toText } from '../../../kernel/index.js';
import { bytesOf, latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readRanges } from '../../program/ranges.js';
import { readSize } from '../../program/size.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { formatScaled, readScaled, type Scale } from './scaled-number.js';

const OPTIONS = defineOptions(
  'debug d,delimiter: field: format: from: from-unit: grouping header:: invalid: padding: round: suffix: to: to-unit: ' +
    'z,zero-terminated -debug',
);
const SCALES = [['none'], ['auto'], ['si'], ['iec'], ['iec-i']] as const;
const ROUNDS = [['up'], ['down'], ['from-zero'], ['towards-zero'], ['nearest']] as const;
const INVALID = [['abort'], ['fail'], ['warn'], ['ignore']] as const;

/** What a command line says. */
interface NumLine {
  from: Scale;
  to: Scale;
  fromUnit: number;
  toUnit: number;
  round: string;
  padding: number;
  autoPadding: boolean;
  suffix: string;
  header: number;
  invalid: string;
  delimiter: string | undefined;
  fields: readonly (readonly [number, number])[];
  format:
    | {
        before: string;
        after: string;
        width: number;
        left: boolean;
        zero: boolean;
        precision: number | undefined;
      }
    | undefined;
  end: string;
}

function readFormat(tool: Tool, text: string): NumLine['format'] {
  const match = /^((?:[^%]|%%)*)%([' 0]*)(-?)(\d*)(?:\.(\d*))?f((?:[^%]|%%)*)$/.exec(text);
  if (match === null) {
    if (!/%/.test(text.replaceAll('%%', '')))
      return tool.die(`format ${tool.quote(text)} has no % directive`);
    if (/%[^%]*%/.test(text.replaceAll('%%', '')))
      return tool.die(`format ${tool.quote(text)} has too many % directives`);
    if (text.endsWith('%')) return tool.die(`format ${tool.quote(text)} ends in %`);
    return tool.die(`invalid format ${tool.quote(text)}, directive must be %[0]['][-][N][.][N]f`);
  }
  const [, before = '', flags = '', minus = '', width = '', precision, after = ''] = match;
  return {
    before: before.replaceAll('%%', '%'),
    after: after.replaceAll('%%', '%'),
    width: Number(width || 0),
    left: minus === '-',
    zero: flags.includes('0'),
    precision: text.includes('.') && precision !== undefined ? Number(precision || 0) : undefined,
  };
}

function unit(tool: Tool, value: string): number {
  const si = /^(\d*)([KMGTPEZY])?(i?)$/.exec(value);
  if (si === null || value === '' || Number(si[1] || 1) === 0)
    return tool.die(`invalid unit size: ${tool.quote(value)}`);
  const power = si[2] === undefined ? 0 : 'KMGTPEZY'.indexOf(si[2]) + 1;
  return Number(si[1] || 1) * (si[3] === 'i' ? 1024 : 1000) ** power;
}

function readLine(tool: Tool): NumLine {
  const line: NumLine = {
    from: 'none',
    to: 'none',
    fromUnit: 1,
    toUnit: 1,
    round: 'from-zero',
    padding: 0,
    autoPadding: true,
    suffix: '',
    header: 0,
    invalid: 'abort',
    delimiter: undefined,
    fields: [[1, 1]],
    format: undefined,
    end: '\n',
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (key === 'from') line.from = tool.choice('--from', value, SCALES) as Scale;
    if (key === 'to')
      line.to = tool.choice(
        '--to',
        value,
        SCALES.filter(([one]) => one !== 'auto'),
      ) as Scale;
    if (key === 'from-unit') line.fromUnit = unit(tool, value);
    if (key === 'to-unit') line.toUnit = unit(tool, value);
    if (key === 'round') line.round = tool.choice('--round', value, ROUNDS);
    if (key === 'invalid') line.invalid = tool.choice('--invalid', value, INVALID);
    if (key === 'suffix') line.suffix = value;
    if (key === 'z') line.end = '\0';
    if (key === 'format') line.format = readFormat(tool, value);
    if (key === 'd') {
      const bytes = latin1(toBytes(value));
      if (bytes.length > 1) tool.die('the delimiter must be a single character');
      line.delimiter = bytes || '\0';
    }
    if (key === 'padding') {
      if (!/^-?\d+$/.test(value) || Number(value) === 0)
        tool.die(`invalid padding value ${tool.quote(value)}`);
      line.padding = Number(value);
      line.autoPadding = false;
    }
    if (key === 'header') {
      const count = value === '' ? 1 : readSize(value, '');
      if (typeof count !== 'number' || count === 0) tool.die(`invalid header value ${tool.quote(value)}`);
      line.header = Number(count);
    }
    if (key === 'field') {
      const list =
        value === '-'
          ? { ranges: [[1, Number.POSITIVE_INFINITY]] as const }
          : readRanges(value, { what: 'field', quote: (text) => tool.quote(text) });
      if ('error' in list) tool.usage(list.error);
      else line.fields = list.ranges;
    }
  }
  if (line.format !== undefined) {
    if (line.format.width > 0 && !line.format.zero) {
      line.padding = line.format.left ? -line.format.width : line.format.width;
      line.autoPadding = false;
    }
  }
  return line;
}

/** Converts one word; a text in an object is what is wrong with it. */
function convert(tool: Tool, line: NumLine, word: string): string | { error: string } {
  let body = word;
  if (line.suffix !== '' && body.endsWith(line.suffix) && body !== line.suffix)
    body = body.slice(0, -line.suffix.length);
  const read = readScaled(body, line.from, (text) => tool.quote(text));
  if ('error' in read) return read;
  let value = read.value;
  if (line.fromUnit !== 1 || line.toUnit !== 1) value = (value * line.fromUnit) / line.toUnit;
  const precision = line.format?.precision;
  const digits = read.precision;
  if (line.to === 'none' && Math.abs(value) >= 1e18 && precision === undefined)
    return {
      error: `value too large to be printed: '${value.toExponential(5).replace(/\.?0+e/, 'e')}' (consider using --to)`,
    };
  let text = formatScaled(value, {
    to: line.to,
    round: line.round,
    inputPrecision: line.fromUnit !== 1 || line.toUnit !== 1 ? (line.from === 'none' ? digits : 0) : digits,
    precision,
  });
  if (line.format?.zero === true) {
    const sign = text.startsWith('-') ? '-' : '';
    text = sign + text.slice(sign.length).padStart(line.format.width - sign.length, '0');
  }
  text += line.suffix;
  return `${line.format?.before ?? ''}\0${text}\0${line.format?.after ?? ''}`;
}

function pad(text: string, padding: number): string {
  return padding < 0 ? text.padEnd(-padding) : text.padStart(padding);
}

/** Converts the chosen fields of a line. */
function convertRow(tool: Tool, line: NumLine, row: string): string {
  const isChosen = (field: number): boolean => line.fields.some(([from, to]) => field >= from && field <= to);
  const pieces: { blank: string; word: string }[] =
    line.delimiter === undefined
      ? [...row.matchAll(/([ \t]*)([^ \t]*)/g)]
          .filter((one) => one[0] !== '')
          .map((one) => ({ blank: one[1] ?? '', word: one[2] ?? '' }))
      : row
          .split(line.delimiter)
          .map((word, index) => ({ blank: index > 0 ? (line.delimiter ?? '') : '', word }));
  if (pieces.length === 0) pieces.push({ blank: '', word: '' });
  return pieces
    .map(({ blank, word }, index) => {
      if (!isChosen(index + 1)) return blank + word;
      const text = toText(bytesOf(word));
      const result = convert(tool, line, text);
      if (typeof result !== 'string') {
        complain(tool, line, result.error);
        return blank + word;
      }
      const [before = '', number = '', after = ''] = result.split('\0');
      if (line.delimiter === undefined && line.autoPadding && index > 0) {
        const width = blank.length + word.length;
        return ` ${pad(before + number + after, width - 1)}`;
      }
      const leading =
        line.delimiter === undefined && index > 0 ? ' ' : line.delimiter === undefined ? '' : blank;
      if (line.delimiter === undefined && line.autoPadding && blank !== '')
        return pad(before + number + after, blank.length + word.length);
      return leading + latin1(toBytes(before + pad(number, line.padding) + after));
    })
    .join('');
}

function complain(tool: Tool, line: NumLine, message: string): void {
  if (line.invalid === 'abort') tool.die(message, 2);
  if (line.invalid === 'ignore') return;
  tool.warn(message);
  if (line.invalid === 'fail') tool.status = 2;
}

/** The command. */
export const numfmt = defineTool('numfmt', function* (tool) {
  const line = readLine(tool);
  if (tool.operands.length > 0) {
    for (const word of tool.operands) tool.raw(convertRow(tool, line, latin1(toBytes(word))) + line.end);
    return tool.status;
  }
  yield* eachLine(tool, line);
  return tool.status;
});

function* eachLine(tool: Tool, line: NumLine): Running<void> {
  const lines = tool.lines(0, line.end);
  for (let number = 1; ; number++) {
    const row = yield* lines.next();
    if (row === null) return;
    tool.raw((number <= line.header ? row : convertRow(tool, line, row)) + line.end);
  }
}
