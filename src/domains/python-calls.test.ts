/**
 * Calls and values in Python's syntax, read as data.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../core/index.js';
import { readPythonCalls } from './python-calls.js';
import { pythonString, pythonValue, readPythonString, readPythonValue } from './python-literals.js';

const read = (text: string): unknown => {
  const calls = readPythonCalls(text);
  if (!calls.ok) return calls.error.message;
  return calls.value.map(({ name, positional, keywords }) => [
    name,
    positional,
    Object.fromEntries(keywords),
  ]);
};

test.each([
  ["click('a51')", [['click', ['a51'], {}]]],
  ['fill("b12", "it\'s \\"ok\\"\\n\\u00e9")', [['fill', ['b12', 'it\'s "ok"\né'], {}]]],
  ['a.b.c (1, -2.5, x=True, y = None,)', [['a.b.c', [1, -2.5], { x: true, y: null }]]],
  [
    "f([1, ('a',), {'k': []}], r'\\d+', '''x\n'y' ''')",
    [['f', [[1, ['a'], { k: [] }], '\\d+', "x\n'y' "], {}]],
  ],
  [
    "f('a' 'b')\n# a comment ('x')\ng(); h()",
    [
      ['f', ['ab'], {}],
      ['g', [], {}],
      ['h', [], {}],
    ],
  ],
  ["f(\n  'a',  # why\n  'b',\n)", [['f', ['a', 'b'], {}]]],
  ['f(12345678901234567890, 0x1F, 1_000, 1e3)', [['f', [12345678901234567890n, 31, 1000, 1000], {}]]],
  ['', []],
])('%j is read', (text, calls) => {
  expect(read(text)).toEqual(calls);
});

test.each([
  ['click(a51)', 'a51 is a name, not a value (a text stands in quotes)'],
  ['f(true)', 'true is a name, not a value (a text stands in quotes; Python writes True, False, None)'],
  ["f('a", "the text that begins at character 2 with ' has no end"],
  ["f('a'", 'the text ends where "," or ")" is wanted'],
  ["f('a' b)", '"b)" where "," or ")" is wanted'],
  ['f(x=1, 2)', 'an argument without a name stands after one with a name'],
  ['f(x=1, x=2)', 'the argument "x" is given twice'],
  ['f() and g()', '" and g()" stands behind a call'],
  ['hello', '"hello" has no argument list'],
  ['f(__import__("os"))', '__import__ is a name, not a value (a text stands in quotes)'],
])('%j is no list of calls, and it says why', (text, message) => {
  expect(read(text)).toBe(message);
});

test('a text is written as Python shows it, and read back', () => {
  expect(["it's", 'a "b"', `'"`, 'a\n\t\\', '\ue611 My\xa0Cart', '\u200b🙂é', ''].map(pythonString)).toEqual([
    `"it's"`,
    `'a "b"'`,
    `'\\'"'`,
    `'a\\n\\t\\\\'`,
    `'\\ue611 My\\xa0Cart'`,
    `'\\u200b🙂é'`,
    `''`,
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(readPythonString(pythonString(text), 0)).toEqual({
        ok: true,
        value: { value: text, end: pythonString(text).length },
      });
      expect(pythonString(text)).not.toMatch(/\n/);
    }),
  );
});

test('a value is written and read back, keys of prototypes included', () => {
  const value: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 4 }).map((json) => json as Json);
  fc.assert(
    fc.property(value, (json) => {
      expect(readPythonValue(pythonValue(json), 0)).toMatchObject({ ok: true, value: { value: json } });
    }),
  );
});
