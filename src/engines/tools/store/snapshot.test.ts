import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/index.js';
import { drive, toolCall } from '../../engine.contract.js';
import { collection, engineOf, field, testWorld } from '../engine-worlds.contract.js';

const world = testWorld({
  collections: [collection('things', [field('id'), field('value')], { idStyle: { kind: 'given' } })],
  tools: [
    {
      name: 'put',
      schema: { type: 'object' },
      plan: { op: 'upsert', collection: 'things', key: { id: 'id' }, writes: { value: 'value' } },
    },
    {
      name: 'drop',
      schema: { type: 'object' },
      plan: { op: 'delete', collection: 'things', key: { id: 'id' } },
    },
  ],
  data: { things: ['a', 'b', 'c', 'd'].map((id) => ({ id, value: 0 })) },
});
const engine = engineOf(world);

const odd = fc.oneof(
  fc.jsonValue(),
  fc.bigInt(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    '\ud800',
    '\u0000',
    { '~big': '5' },
    { '~big': [1] },
    { '~big': { '~big': 7n } },
    1e21,
    2 ** 70,
  ),
);

test('whatever is stored, removed and put back, a snapshot restores values, order and bytes', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__');
  const steps = fc.array(fc.tuple(fc.boolean(), ids, odd), { maxLength: 20 });
  fc.assert(
    fc.property(steps, (changes) => {
      const session = engine.open(world.spec, 1);
      for (const [put, id, value] of changes) {
        drive(session, toolCall(put ? 'put' : 'drop', put ? { id, value } : { id }));
      }
      const restored = engine.restore(world.spec, 1, session.snapshot());
      expect(restored.view()).toEqual(session.view());
      expect(restored.snapshot()).toEqual(session.snapshot());
    }),
    { numRuns: 300 },
  );
});

test('an untouched world has a small snapshot however many rows it starts with', () => {
  const rows = Array.from({ length: 2000 }, (_, i): JsonObject => ({ id: `r${i}`, value: 'x'.repeat(50) }));
  const spec = { ...world.spec, data: { things: rows } };
  const session = engine.open(spec, 1);
  expect(session.snapshot().length).toBeLessThan(300);
  drive(session, toolCall('put', { id: 'r7', value: 1 }));
  expect(session.snapshot().length).toBeLessThan(400);
});

test('data that cannot be is refused when the world is opened', () => {
  const open = (rows: JsonObject[]): string => {
    try {
      engine.open({ ...world.spec, data: { things: rows } }, 1);
      return 'opened';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  expect(open([{ id: 'a' }, { value: 1 }])).toBe(
    'the data of this world cannot be used: things[1]: the row has no id, which is the key of things',
  );
  expect(open([{ id: 'a' }, { id: 'a' }])).toContain('things[1]: another row has the same id');
});
