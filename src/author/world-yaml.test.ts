import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderYaml } from './world-yaml.js';

test('merge keys, marks of YAML and blank lines in texts come back as they were', () => {
  const value = {
    '<<': { '*a': '<<', '&b': '!c', no: 'on' },
    text: 'first \n\n  second\t\n\n\nthird: "quoted" \u0085\u2028\n',
    list: ['', ' ', '- x', '2026-01-05', '0o17', '~', 'null'],
  };
  expect(parse(renderYaml(value), { version: '1.2' })).toEqual(value);
});

test('any text comes back character for character, as key and as value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (key, text) => {
      const value = { [`k${key}`]: text };
      expect(parse(renderYaml(value), { version: '1.2' })).toEqual(value);
    }),
    { numRuns: 300 },
  );
});
