import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, renderJson } from '../core/index.js';
import { parseSource } from './source-document.js';

const both = (text: string): [unknown, unknown] => {
  const [slow, fast] = [parseSource(text), parseSource(text, { fast: true })];
  return [slow.ok ? slow.value.json : slow.error, fast.ok ? fast.value.json : fast.error];
};

test('the fast road gives what the slow one gives, on any mix of rows', () => {
  const row = fc
    .dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.jsonValue(), fc.bigInt()), {
      minKeys: 1,
      maxKeys: 4,
    })
    .map((value) => renderJson(value as Json));
  const odd = fc.constantFrom(
    ...[
      '{"a": 1, "a": 2}',
      '{"a":1e3}',
      '{"a":"\\/"}',
      '{"a": -0}',
      '{"a": [1 , {"b" : "x y"} ]}',
      '{"2":1,"1":2}',
      '{"__proto__": 1}',
    ],
    ...['plain', '"{"', '&a {"x": 1}', '*a', '{"a": 1} # why', '{"a": 1}}', '[1]', '|', '>-', "'", '"'],
  );
  const line = fc
    .tuple(fc.constantFrom('- ', '  - ', '-  ', 'k: '), fc.oneof(row, odd))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const [slow, fast] = both(`list:\n${lines.join('\n')}\n`);
      expect(fast).toEqual(slow);
    }),
    { numRuns: 400 },
  );
});

test('a line of JSON inside a longer text stays text', () => {
  const text = 'a: |\n  - {"x": 1}\nb: "\n  - {"x": 1}"\nc:\n  - {"x": 1}\n';
  const [slow, fast] = both('a: |\n  - {"x": 1}\nc:\n  - {"x": 1}\n');
  expect(slow).toEqual({ a: '- {"x": 1}\n', c: [{ x: 1 }] });
  expect(fast).toEqual(slow);
  const [alsoSlow, alsoFast] = both(text);
  expect(alsoFast).toEqual(alsoSlow);
});

test('a list of rows that an alias repeats is whole in both places', () => {
  expect(both('a: &rows\n  - {"x": 1}\nb: *rows\n')[1]).toEqual({ a: [{ x: 1 }], b: [{ x: 1 }] });
});
