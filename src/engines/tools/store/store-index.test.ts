import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/index.js';
import { collection } from '../engine-worlds.contract.js';
import { dropRow, emptyState, makeRow, putRow, rowsOf, type StoreState, sameValue } from './store.js';
import { keysHolding } from './store-index.js';

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

function found(state: StoreState, value: Json): string[] {
  return [...keysHolding(rowsOf(state, 'people'), ['mail', 'team'], { mail: value, team: 't1' })].sort();
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
