import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/index.js';
import { collection } from '../engine-worlds.contract.js';
import { passesFilter } from '../run/search.js';
import { dropRow, emptyState, makeRow, putRow, rowsOf, type StoreState, sameValue } from './store.js';
import { allRows, rowsHolding, rowsLike, type Selection } from './store-index.js';

const people = collection('people', [], { idStyle: { kind: 'given' } });
const VALUES: readonly Json[] = [
  'a',
  'A',
  5,
  '5',
  5n,
  true,
  'true',
  null,
  { x: 1, y: 2 },
  { y: 2, x: 1 },
  [1],
];

function scan(state: StoreState, value: Json): string[] {
  return [...rowsOf(state, 'people').entries()]
    .filter(([, row]) => sameValue(row.data.mail, value) && sameValue(row.data.team, 't1'))
    .map(([key]) => key)
    .sort();
}

function idsOf(selection: Selection): string[] {
  return selection.slice(0, 1_000).map((row) => String(row.data.id));
}

function found(state: StoreState, value: Json): string[] {
  const like = { mail: value, team: 't1' };
  return idsOf(rowsLike(rowsOf(state, 'people'), ['mail', 'team'], like)).sort();
}

const step = fc.record({
  id: fc.integer({ min: 0, max: 6 }),
  mail: fc.option(fc.constantFrom(...VALUES), { nil: undefined }),
  team: fc.constantFrom('t1', 't2'),
  drop: fc.boolean(),
});

test('the index finds what a look at every row finds, after any changes, also in an older version', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(), (steps, askedAt) => {
      const versions: StoreState[] = [emptyState()];
      for (const [at, { id, mail, team, drop }] of steps.entries()) {
        const last = versions.at(-1) ?? emptyState();
        // Asking early makes the index that later changes carry on.
        if (at === askedAt % 10) found(last, 'a');
        const data = { id: String(id), team, ...(mail === undefined ? {} : { mail }) };
        versions.push(
          drop ? dropRow(last, people, String(id)) : putRow(last, people, makeRow(data, { base: 'pinned' })),
        );
      }
      for (const version of versions)
        for (const value of VALUES) expect(found(version, value)).toEqual(scan(version, value));
    }),
  );
});

/** What a list asks for: equal, one of several, or in the row's own list. */
const FILTERS: readonly Json[] = ['a', 'b', 5, '5', true, null, ['a', 5], [['a']], ['a', 'b', 'a'], { x: 1 }];
const HELD = fc.option(
  fc.constantFrom<Json>('a', 'b', 5, true, null, ['a'], ['a', 'b'], [['a']], [], { x: 1 }),
  { nil: undefined },
);

test('rows that hold values are those that pass the filters, in the order of the rows, at any position', () => {
  const change = fc.record({
    id: fc.integer({ min: 0, max: 9 }),
    mail: HELD,
    team: HELD,
    drop: fc.boolean(),
  });
  const ask = fc.record({ mail: fc.constantFrom(...FILTERS), team: fc.option(fc.constantFrom(...FILTERS)) });
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 40 }),
      fc.array(ask, { minLength: 1, maxLength: 4 }),
      (all, asks) => {
        let state = emptyState();
        for (const { id, mail, team, drop } of all) {
          const data = {
            id: String(id),
            ...(mail !== undefined && { mail }),
            ...(team !== undefined && { team }),
          };
          state = drop
            ? dropRow(state, people, String(id))
            : putRow(state, people, makeRow(data, { base: 'pinned' }));
          const rows = rowsOf(state, 'people');
          expect(idsOf(allRows(rows))).toEqual([...rows.keys()]);
          for (const { mail: wanted, team: other } of asks) {
            const held = [
              { field: 'mail', value: wanted },
              ...(other === null ? [] : [{ field: 'team', value: other }]),
            ];
            const expected = [...rows.values()]
              .filter((row) => held.every((filter) => passesFilter(row.data, filter)))
              .map((row) => String(row.data.id));
            const found = rowsHolding(rows, held);
            expect(found === undefined ? undefined : idsOf(found)).toEqual(expected);
            for (const [position, key] of expected.entries()) {
              expect(found?.positionOf(key)).toBe(position);
              expect(found?.keyAt(position)).toBe(key);
            }
            expect(found?.size).toBe(expected.length);
          }
        }
      },
    ),
  );
});

test('rows with too many items to keep are not indexed, and say so', () => {
  const many = Array.from({ length: 70 }, (_none, index) => `m${index}`);
  const state = putRow(emptyState(), people, makeRow({ id: '1', mail: many }, { base: 'pinned' }));
  expect(rowsHolding(rowsOf(state, 'people'), [{ field: 'mail', value: 'm3' }])).toBeUndefined();
});
