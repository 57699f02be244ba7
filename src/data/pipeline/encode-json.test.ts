import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, renderJson } from '../../core/index.js';
import { JsonBytes } from './encode-json.js';

function written(...values: readonly unknown[]): string {
  const bytes = new JsonBytes();
  for (const value of values) {
    bytes.value(value);
    bytes.text('\n');
  }
  return Buffer.from(bytes.take()).toString('utf8');
}

test('bytes are those of the platform, whatever the texts hold', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc
      .array(
        fc.constantFrom('a', '"', '\\', '\n', '\u0001', '\u001f', '\u007f', 'é', '🙂', '\ud83d', '\u2028'),
        {
          minLength: 40,
          maxLength: 200,
        },
      )
      .map((all) => all.join('')),
  );
  const values = fc.letrec((tie) => ({
    any: fc.oneof(
      texts,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: 'binary' }), tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.array(values, { maxLength: 4 }), (list) => {
      expect(written(...list)).toBe(list.map((one) => `${JSON.stringify(one) ?? 'null'}\n`).join(''));
    }),
    { numRuns: 400 },
  );
});

test('big integers are digits, and long texts of all kinds fit', () => {
  const value = { big: 12_345_678_901_234_567_890n, list: [1n], '': { __proto__: null } };
  expect(written(value)).toBe(`${renderJson(value as unknown as Json)}\n`);
  const long = [
    'x'.repeat(300_000),
    '\n'.repeat(300_000),
    '\u0000é"'.repeat(100_000),
    '\ud83d'.repeat(1_000),
  ];
  expect(written(long)).toBe(`${JSON.stringify(long)}\n`);
});

test('a single character to escape is found wherever it stands, and nothing after the text is touched', () => {
  const texts = ['"', '\\', '\n', '\u0000', '\u001f', '\u007f', 'é'].flatMap((odd) =>
    Array.from({ length: 60 }, (_, at) => `${'x'.repeat(at)}${odd}${'y'.repeat(59 - at)}`),
  );
  const ends = ['', 'a', 'ab', 'abc'].flatMap((before) =>
    ['"', '\\\\', '\t!!'].map((after) => `${before}${'z'.repeat(50)}${after}`),
  );
  // Each text alone, after a beginning of each length, so that it starts at every place in a block of four bytes.
  for (const before of ['', '1', '12', '123'])
    for (const text of [...texts, ...ends])
      expect(written(before, text)).toBe(`${JSON.stringify(before)}\n${JSON.stringify(text)}\n`);
  // A buffer that was used before holds old bytes behind the text.
  const bytes = new JsonBytes();
  bytes.value('"'.repeat(500));
  bytes.take();
  bytes.value('x'.repeat(101));
  expect(Buffer.from(bytes.take()).toString()).toBe(`"${'x'.repeat(101)}"`);
});
