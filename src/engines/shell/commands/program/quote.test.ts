/**
 * Quoting styles, as `ls --quoting-style` of coreutils 9.1 shows the same names.
 */
import { expect, test } from 'vitest';
import { quoteText } from './quote.js';

const UTF8 = { isUtf8: true };

test('a name is quoted for the shell only where it must be, and escapes stand between pieces', () => {
  const names = [
    'plain',
    'a b',
    "it's",
    "it's $x",
    'n\nl',
    "n\n'q",
    '\x011',
    '#x',
    'x#',
    '{',
    '{a}',
    'é',
    '\udcff',
  ];
  expect(names.map((name) => quoteText(name, 'shell-escape', UTF8))).toEqual([
    'plain',
    "'a b'",
    '"it\'s"',
    "'it'\\''s $x'",
    "'n'$'\\n''l'",
    "'n'$'\\n'\\''q'",
    "''$'\\001''1'",
    "'#x'",
    'x#',
    "'{'",
    '{a}',
    'é',
    "''$'\\377'",
  ]);
});

test('words in sentences have curly quotes in UTF-8 and straight ones in the C locale', () => {
  expect([quoteText('a’b', 'locale', UTF8), quoteText("é'", 'locale', { isUtf8: false })]).toEqual([
    '‘a\\’b’',
    "'\\303\\251\\''",
  ]);
});

test('the styles c and escape use backslashes', () => {
  expect([
    quoteText('a"b\t', 'c', UTF8),
    quoteText('a b\t\\', 'escape', { isUtf8: true, also: ' ' }),
  ]).toEqual(['"a\\"b\\t"', 'a\\ b\\t\\\\']);
});
