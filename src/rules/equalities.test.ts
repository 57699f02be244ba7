import { expect, test } from 'vitest';
import { equalitiesOf } from './equalities.js';

test('parts of an outer && that compare a field with a value without the row are told', () => {
  expect(equalitiesOf("row.id == args.id && row.open && 'a' == row['kind']", 'row')).toEqual([
    { field: 'id', value: 'args.id' },
    { field: 'kind', value: "'a'" },
  ]);
  expect(equalitiesOf('row.n == (args.a + 1)', 'row')).toEqual([{ field: 'n', value: expect.any(String) }]);
});

test('what need not hold wherever the condition is true is not told', () => {
  for (const source of [
    'row.id == args.id || row.open',
    '!(row.id == args.id)',
    'row.id != args.id',
    'row.id == row.parent',
    'row.owner.id == args.id',
    'args.ids.exists(i, i == row.id)',
    'row.id ==',
    'true',
  ])
    expect(equalitiesOf(source, 'row')).toEqual([]);
});
