import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Replacer, replacementsOf, untouchedParts } from './replace-values.js';

test('whole words and equal numbers are exchanged, longest first, in one pass', () => {
  const replacer = new Replacer([
    { is: 'Maren Holt', by: 'Holt O\'Brien "x"' },
    { is: 'Holt', by: '李' },
    { is: 95840, by: 77 },
    { is: 77, by: 1 },
  ]);
  expect(
    replacer.json(
      { who: 'Maren Holt (Holt, Holtz)', cents: 95840, note: 'paid 95840, not 958401', also: 77 },
      ['state'],
    ),
  ).toEqual({ who: 'Holt O\'Brien "x" (李, Holtz)', cents: 77, note: 'paid 77, not 958401', also: 1 });
});

test('a place limits an exchange, by key, index and name', () => {
  const replacer = new Replacer([{ is: 2, by: 3, in: ['success.count', 'state.data.*.lines', 'oracle.1'] }]);
  expect(
    replacer.rule('size(x) == 2', [
      ['success', '0', 'expr'],
      ['success', 'count', 'expr'],
    ]),
  ).toBe('size(x) == 3');
  expect(replacer.rule('size(x) == 2', [['success', 'other', 'expr']])).toBe('size(x) == 2');
  expect(replacer.json({ data: { orders: { lines: 2, total: 2 } } }, ['state'])).toEqual({
    data: { orders: { lines: 3, total: 2 } },
  });
  expect(replacer.json([2, 2], ['oracle'])).toEqual([2, 3]);
});

test('in rules only literals change, and what goes into a pattern is escaped', () => {
  const replacer = new Replacer([
    { is: '12', by: '1.5' },
    { is: 'size', by: 'x' },
  ]);
  expect(replacer.rule(`answer.matches('(^|[^0-9])12$') && size(state.a) > 12 && s == 'a 12'`, [[]])).toBe(
    `answer.matches("(^|[^0-9])1\\\\.5$") && size(state.a) > 12 && s == "a 1.5"`,
  );
});

test('the members that `is` names are exchanged for those of the drawn value', () => {
  const is = { name: 'Ada Holm', first: 'Ada', gone: 'x' };
  expect(replacementsOf(is, { name: 'Bo Ek', first: 'Bo', last: 'Ek' }, undefined)).toEqual([
    { is: 'Ada Holm', by: 'Bo Ek' },
    { is: 'Ada', by: 'Bo' },
  ]);
});

test('text without the values never changes, whatever it holds', () => {
  const replacer = new Replacer([
    { is: 'Zq7(', by: 'y' },
    { is: '[a-z]', by: 'n' },
  ]);
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes('Zq7(') && !text.includes('[a-z]')),
      (text) => {
        expect(replacer.json(text, [])).toBe(text);
      },
    ),
  );
});

test('parts known to be untouched change nothing, wherever exchanges count and whatever is put in', () => {
  const word = fc.constantFrom('ada', 'bo', 'cy', 'ada bo', 'x');
  const leaf = fc.oneof(word, fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constant(null));
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('id', 'name', 'a', 'b'), tie('tree')),
    ),
  }));
  const part = fc.constantFrom('state', 'a', 'b', 'ada', '0', '1', '*');
  const replacement = fc.record(
    {
      is: fc.oneof(word, fc.integer({ min: 0, max: 3 })),
      by: word,
      in: fc.array(
        fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.')),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['is', 'by'] },
  );
  fc.assert(
    fc.property(tree, fc.array(replacement, { maxLength: 4 }), (value, all) => {
      const json = value as never;
      const untouched = untouchedParts({ state: json }, all);
      const made = new Replacer(all, untouched).json(json, ['state']);
      expect(made).toEqual(new Replacer(all).json(json, ['state']));
    }),
    { numRuns: 500 },
  );
});
