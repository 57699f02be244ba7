/**
 * Command lines, read as glibc 2.36 reads them.
 */
import { expect, test } from 'vitest';
import { defineOptions, parseLine } from './options.js';

const TABLE = defineOptions('a,all w,width: color:: quote-name quoting-style:');

test('options stand anywhere, letters join, and long names may be shortened', () => {
  expect(parseLine(['x', '-aw3', 'y', '--wid', '4', '--col=z', '--', '-a'], TABLE)).toEqual({
    hits: [
      { key: 'a', value: undefined, isShort: true },
      { key: 'w', value: '3', isShort: true },
      { key: 'w', value: '4', isShort: false },
      { key: 'color', value: 'z', isShort: false },
    ],
    operands: ['x', 'y', '-a'],
    error: undefined,
  });
});

test('the first operand ends the options where the command runs others', () => {
  expect(parseLine(['-a', 'cmd', '-a'], TABLE, true).operands).toEqual(['cmd', '-a']);
});

test('errors are worded as the C library words them', () => {
  const lines = [['-x'], ['-w'], ['--foo=1'], ['--width'], ['--all=1'], ['--quo=1']];
  expect(lines.map((line) => parseLine(line, TABLE).error)).toEqual([
    "invalid option -- 'x'",
    "option requires an argument -- 'w'",
    "unrecognized option '--foo=1'",
    "option '--width' requires an argument",
    "option '--all' doesn't allow an argument",
    "option '--quo=1' is ambiguous; possibilities: '--quote-name' '--quoting-style'",
  ]);
});
