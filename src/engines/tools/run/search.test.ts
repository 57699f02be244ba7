import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/index.js';
import { collection, field } from '../engine-worlds.contract.js';
import { filtersOf, passesFilter, searchRows, sortRows } from './search.js';

const notes = collection(
  'notes',
  [
    field('id'),
    field('title'),
    field('body'),
    field('state', { schema: { enum: ['open', 'all'] } }),
    field('created_at'),
  ],
  { idStyle: { kind: 'number', start: 1 }, label: 'title' },
);
const rows: JsonObject[] = [
  { id: 1, title: 'Käse', body: 'lamp and lamp', created_at: '2024-02-01' },
  { id: 2, title: 'Lamp shop', body: 'x', created_at: '2024-01-01' },
  { id: 3, title: 'Other', body: 'LAMP', tags: ['red', 'blue'] },
];
const found = (query: string) => searchRows(rows, notes, { query }).map((row) => row.id);

test('a search wants every word in any case and ranks hits in the label first, else by count', () => {
  expect(found('lamp')).toEqual([2, 1, 3]);
  expect(found('LAMP shop')).toEqual([2]);
  expect(found('käse')).toEqual([1]);
  expect(found('"lamp and"')).toEqual([1]);
  expect(found('title:lamp')).toEqual([2]);
  expect(found('')).toEqual([1, 2, 3]);
  expect(found('nothing')).toEqual([]);
});

test('filters mean equality, one of several, or membership; null, empty and "all" mean no filter', () => {
  const by = { s: 'tags', id: 'id', state: 'state', any: 'title' };
  const ids = (args: Parameters<typeof filtersOf>[2]) =>
    rows
      .filter((row) => filtersOf(notes, by, args).every((filter) => passesFilter(row, filter)))
      .map((row) => row.id);
  expect(ids({ s: 'red' })).toEqual([3]);
  expect(ids({ id: [1, '2'] })).toEqual([1, 2]);
  expect(ids({ id: null, any: 'all', s: '' })).toEqual([1, 2, 3]);
  expect(ids({ state: 'all' })).toEqual([]);
});

test('sorting takes the names that arguments use, keeps equal rows in order and missing values last', () => {
  const sorted = (args: Parameters<typeof sortRows>[2]['args']) =>
    sortRows(rows, notes, { sorting: { by: 'sort', direction: 'order' }, args }).map((row) => row.id);
  expect(sorted({ sort: 'created', order: 'asc' })).toEqual([2, 1, 3]);
  expect(sorted({ sort: 'createdAt', order: 'desc' })).toEqual([1, 2, 3]);
  expect(sorted({ sort: '-id' })).toEqual([3, 2, 1]);
  expect(sorted({ sort: 'no such field' })).toEqual([1, 2, 3]);
  expect(sorted({})).toEqual([1, 2, 3]);
});
