/**
 * `nl` of coreutils 9.1: numbers lines, page by page.
 *
 * Source: nl(1).
 */
import { toBytes } from '../../../kernel/index.js';
import { basicRegex, RegexError } from '../../program/basic-regex.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'b,body-numbering: d,section-delimiter: f,footer-numbering: h,header-numbering: i,line-increment: ' +
    'l,join-blank-lines: n,number-format: p,no-renumber s,number-separator: v,starting-line-number: w,number-width:',
);

type Style = 'a' | 't' | 'n' | RegExp;

interface NlLine {
  body: Style;
  header: Style;
  footer: Style;
  delimiter: string;
  increment: number;
  blanks: number;
  format: string;
  renumber: boolean;
  separator: string;
  start: number;
  width: number;
}

function readStyle(tool: Tool, part: string, value: string): Style {
  if (value === 'a' || value === 't' || value === 'n') return value;
  if (!value.startsWith('p')) {
    tool.warn(`invalid ${part} numbering style: ${tool.quote(value)}`);
    return tool.usage();
  }
  try {
    return basicRegex(latin1(toBytes(value.slice(1))));
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    return tool.die(error.message);
  }
}

function readNumber(tool: Tool, value: string, how: { min: number; message: string }): number {
  if (!/^[ \t]*[+-]?\d+$/.test(value)) tool.die(`${how.message}: ${tool.quote(value)}`);
  const number = Number(value);
  if (number < how.min) tool.die(`${how.message}: ${tool.quote(value)}: Numerical result out of range`);
  return number;
}

function readLine(tool: Tool): NlLine {
  const line: NlLine = {
    body: 't',
    header: 'n',
    footer: 'n',
    delimiter: '\\:',
    increment: 1,
    blanks: 1,
    format: 'rn',
    renumber: true,
    separator: '\t',
    start: 1,
    width: 6,
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (key === 'b') line.body = readStyle(tool, 'body', value);
    if (key === 'h') line.header = readStyle(tool, 'header', value);
    if (key === 'f') line.footer = readStyle(tool, 'footer', value);
    if (key === 'v')
      line.start = readNumber(tool, value, { min: -Infinity, message: 'invalid starting line number' });
    if (key === 'i')
      line.increment = readNumber(tool, value, { min: -Infinity, message: 'invalid line number increment' });
    if (key === 'l')
      line.blanks = readNumber(tool, value, { min: 1, message: 'invalid line number of blank lines' });
    if (key === 'w')
      line.width = readNumber(tool, value, { min: 1, message: 'invalid line number field width' });
    if (key === 'p') line.renumber = false;
    if (key === 's') line.separator = latin1(toBytes(value));
    if (key === 'n') {
      if (!['ln', 'rn', 'rz'].includes(value))
        tool.usage(`invalid line numbering format: ${tool.quote(value)}`);
      line.format = value;
    }
    if (key === 'd') {
      const bytes = latin1(toBytes(value));
      line.delimiter = bytes.length === 1 ? `${bytes}:` : bytes;
    }
  }
  return line;
}

function shownNumber(number: number, line: NlLine): string {
  if (line.format === 'ln') return String(number).padEnd(line.width);
  if (line.format === 'rn') return String(number).padStart(line.width);
  const digits = String(Math.abs(number));
  return number < 0 ? `-${digits.padStart(line.width - 1, '0')}` : digits.padStart(line.width, '0');
}

/** The command. */
export const nl = defineTool('nl', function* (tool) {
  const line = readLine(tool);
  let style = line.body;
  let number = line.start;
  let blanks = 0;
  const sections = new Map<string, Style>();
  if (line.delimiter !== '') {
    sections.set(line.delimiter.repeat(3), line.header);
    sections.set(line.delimiter.repeat(2), line.body);
    sections.set(line.delimiter, line.footer);
  }
  const isNumbered = (text: string): boolean => {
    if (style === 'n') return false;
    if (style === 't') return text !== '';
    if (style !== 'a') return style.test(text);
    if (line.blanks <= 1 || text !== '') {
      blanks = 0;
      return true;
    }
    blanks += 1;
    if (blanks < line.blanks) return false;
    blanks = 0;
    return true;
  };
  const indent = ' '.repeat(line.width + line.separator.length);
  for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
    const fd = yield* tool.input(name);
    if (fd === null) continue;
    const lines = tool.lines(fd);
    try {
      for (;;) {
        const text = yield* lines.next();
        if (text === null) break;
        const section = sections.get(text);
        if (section !== undefined) {
          style = section;
          if (line.renumber && text.length === line.delimiter.length * 3) number = line.start;
          else if (line.renumber) number = line.start;
          tool.raw('\n');
        } else if (isNumbered(text)) {
          tool.raw(`${shownNumber(number, line)}${line.separator}${text}\n`);
          number += line.increment;
        } else tool.raw(`${indent}${text}\n`);
      }
    } catch (error) {
      if (systemError(error).code !== 'EISDIR') throw error;
      tool.failed(error, name);
    }
    tool.close(fd);
  }
});
