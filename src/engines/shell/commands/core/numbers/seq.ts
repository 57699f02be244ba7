/**
 * `seq` of coreutils 9.1.
 *
 * Source: seq(1).
 */
import { formatFloat } from '../../program/c-number.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions('f,format: s,separator: w,equal-width 0 1 2 3 4 5 6 7 8 9');

interface Operand {
  readonly value: number;
  /** Digits behind the point; Infinity where the notation has no fixed number. */
  readonly precision: number;
  readonly width: number;
  readonly text: string;
}

function readOperand(tool: Tool, text: string): Operand {
  const match =
    /^\s*([+-]?)(0[xX][0-9a-fA-F]+|(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?|inf(?:inity)?|nan)$/i.exec(text);
  if (match === null || /^[+-]?\.?$/.test(text.trim()))
    return tool.usage(`invalid floating point argument: ${tool.quote(text)}`);
  const word = text.trim().toLowerCase();
  if (word.endsWith('nan'))
    return tool.usage(`invalid ${tool.quote('not-a-number')} argument: ${tool.quote(text)}`);
  if (word.includes('inf'))
    return { value: word.startsWith('-') ? -Infinity : Infinity, precision: 0, width: 0, text: word };
  const value = word.startsWith('-') ? -Number(word.slice(1)) : Number(word.replace('+', ''));
  const exponent = Number(match[5] ?? 0);
  const fraction = match[4]?.length ?? 0;
  const precision = /^[+-]?0x/.test(word) ? 0 : Math.max(0, fraction - exponent);
  let width = text.trim().length;
  if (fraction === 0 && match[4] !== undefined) width -= 1;
  if (match[5] !== undefined || precision !== fraction) width = formatFixed(value, precision).length;
  if (match[3] === '' && fraction > 0) width += 1;
  return { value, precision, width: text.trim().startsWith('+') ? width - 1 : width, text: text.trim() };
}

function formatFixed(value: number, precision: number): string {
  return formatFloat(value, { flags: '', width: 0, precision, letter: 'f' });
}

/** Takes `%…g` and the text around it. */
function readFormat(tool: Tool, format: string): (value: number) => string {
  const directives = [...format.matchAll(/%(?:%|([-+ #0']*)(\d*)(?:\.(\d*))?L?([\s\S])?)/g)].filter(
    (one) => one[0] !== '%%',
  );
  const [directive, second] = directives;
  if (directive === undefined) return tool.die(`format ${tool.quote(format)} has no % directive`);
  if (second !== undefined) return tool.die(`format ${tool.quote(format)} has too many % directives`);
  const [whole, flags = '', width = '', precision, letter] = directive;
  if (letter === undefined) return tool.die(`format ${tool.quote(format)} ends in %`);
  if (!/[efgaEFGA]/.test(letter))
    return tool.die(`format ${tool.quote(format)} has unknown %${letter} directive`);
  const digits = /\./.test(whole) ? Number(precision ?? 0) : undefined;
  const spec = { flags, width: Number(width || 0), precision: digits, letter };
  const before = format.slice(0, directive.index).replaceAll('%%', '%');
  const after = format.slice(directive.index + whole.length).replaceAll('%%', '%');
  return (value) => before + formatFloat(value, spec) + after;
}

/** Negative numbers are no options. */
function protectNumbers(args: readonly string[]): readonly string[] {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (/^-[\d.]/.test(word)) return [...args.slice(0, at), '--', ...args.slice(at)];
    if (word === '--' || !word.startsWith('-')) return args;
    if (/^-w*[sf]$/.test(word) || /^--(sep|for)[a-z]*$/.test(word)) at += 1;
  }
  return args;
}

/** The command. */
export const seq = defineTool('seq', function* (tool) {
  let format: string | undefined;
  let separator = '\n';
  let equalWidth = false;
  for (const { key, value = '' } of tool.options(OPTIONS, { stop: true, args: protectNumbers(tool.args) })) {
    if (key === 'f') format = value;
    if (key === 's') separator = value;
    if (key === 'w') equalWidth = true;
  }
  if (tool.operands.length === 0) tool.usage('missing operand');
  tool.noMoreThan(3);
  if (format !== undefined && equalWidth)
    tool.usage('format string may not be specified when printing equal width strings');
  const show = format === undefined ? undefined : readFormat(tool, format);
  const numbers = tool.operands.map((word) => readOperand(tool, word));
  const one: Operand = { value: 1, precision: 0, width: 1, text: '1' };
  const [first, step, last] =
    numbers.length === 1
      ? [one, one, numbers[0] ?? one]
      : numbers.length === 2
        ? [numbers[0] ?? one, one, numbers[1] ?? one]
        : [numbers[0] ?? one, numbers[1] ?? one, numbers[2] ?? one];
  if (step.value === 0) tool.usage(`invalid Zero increment value: ${tool.quote(step.text)}`);
  const precision = Math.max(first.precision, step.precision);
  let width = 0;
  if (equalWidth) {
    const room = (operand: Operand): number =>
      operand.width +
      (precision - operand.precision) +
      (operand.precision === 0 && precision > 0 ? 1 : 0) -
      (precision === 0 && operand.precision > 0
        ? operand.precision + 1 - (operand.precision - precision) - 0
        : 0);
    const lastWidth =
      last.precision > precision
        ? last.text.replace(/\.\d*$/, '').length + (precision > 0 ? precision + 1 : 0)
        : room(last);
    width = Math.max(room(first), lastWidth);
  }
  const plain = (value: number): string =>
    formatFloat(value, { flags: equalWidth ? '0' : '', width, precision, letter: 'f' });
  const isDone = (value: number): boolean => (step.value < 0 ? value < last.value : value > last.value);
  let text = '';
  let isAny = false;
  for (let index = 0; ; index++) {
    const value = first.value + index * step.value;
    if (isDone(value)) {
      const shown = show === undefined ? plain(value) : undefined;
      const close =
        shown !== undefined &&
        precision > 0 &&
        !isDone(Number(shown)) &&
        Number(shown) === Number(plain(last.value)) &&
        Number(shown) !== Number(plain(value - step.value));
      if (!close) break;
    }
    text += (isAny ? separator : '') + (show ?? plain)(value);
    isAny = true;
    if (text.length < 2048) continue;
    tool.out(text);
    text = '';
    tool.proc.tick(50);
    if (tool.io.mustDrain) yield* tool.io.drain();
  }
  tool.out(isAny ? `${text}\n` : '');
});
