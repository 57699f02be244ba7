import { expect, test } from 'vitest';
import { mintId } from '../engine-ids.js';
import { collection, field } from '../engine-worlds.contract.js';
import { changeRow, dropRow, emptyState, keyOf, makeRow, putRow, rowsOf, sameValue } from './store.js';

const things = collection('things', [field('id'), field('name')], {
  idStyle: { kind: 'counter', start: 1, prefix: 'X-', width: 3 },
});
const scoped = collection('parts', [field('n'), field('box')], {
  idStyle: { kind: 'number', start: 10 },
  key: ['n'],
  scope: ['box'],
});
const pinned = { base: 'pinned' } as const;

test('rows with names like members of every object are rows like any other', () => {
  let state = emptyState();
  for (const id of ['__proto__', 'constructor', 'toString']) {
    state = putRow(state, things, makeRow({ id, name: id }, pinned));
  }
  expect([...rowsOf(state, 'things').keys()]).toEqual(['__proto__', 'constructor', 'toString']);
  expect(rowsOf(state, 'things').get('hasOwnProperty')).toBeUndefined();
  expect(rowsOf(dropRow(state, things, '__proto__'), 'things').size).toBe(2);
  expect(rowsOf(state, '__proto__').size).toBe(0);
  const odd = JSON.parse('{"id":"a","__proto__":{"x":1}}');
  expect(JSON.stringify(changeRow(makeRow(odd, pinned), { name: 'b' }, 'computed').data)).toBe(
    '{"id":"a","__proto__":{"x":1},"name":"b"}',
  );
});

test('rows are frozen all the way down, and an old state never sees a new one', () => {
  const before = putRow(emptyState(), things, makeRow({ id: 'a', tags: ['x', { y: 1 }] }, pinned));
  const row = rowsOf(before, 'things').get('a');
  const tags = row?.data.tags;
  expect(Object.isFrozen(tags) && Array.isArray(tags) && Object.isFrozen(tags[1])).toBe(true);
  const after = putRow(before, things, makeRow({ id: 'a', tags: [] }, pinned));
  expect(rowsOf(before, 'things').get('a')).toBe(row);
  expect(rowsOf(after, 'things').size).toBe(1);
});

test('what a caller gave is copied, never frozen or shared', () => {
  const given = { id: 'a', tags: ['x'], zero: -0, shallow: Object.freeze([{ y: 1 }]) };
  const { data } = makeRow(given, pinned);
  given.tags.push('y');
  expect(data).toEqual({ id: 'a', tags: ['x'], zero: 0, shallow: [{ y: 1 }] });
  expect(Object.isFrozen(given.shallow[0])).toBe(false);
});

test('ids go on after the highest seen, per scope, and are never taken twice', () => {
  let state = putRow(emptyState(), things, makeRow({ id: 'X-041' }, pinned));
  const first = mintId(state, things, { seed: 1, values: {} });
  expect(first.id).toBe('X-042');
  state = dropRow(putRow(first.state, things, makeRow({ id: 'X-042' }, pinned)), things, 'X-042');
  expect(mintId(state, things, { seed: 1, values: {} }).id).toBe('X-043');
  state = putRow(state, scoped, makeRow({ n: 12, box: 'a' }, pinned));
  expect(mintId(state, scoped, { seed: 1, values: { box: 'a' } }).id).toBe(13);
  expect(mintId(state, scoped, { seed: 1, values: { box: 'b' } }).id).toBe(10);
});

test('drawn ids depend on the seed and on how many there were, and have their form', () => {
  const uuids = { ...things, idStyle: { kind: 'uuid' } as const };
  const one = mintId(emptyState(), uuids, { seed: 1, values: {} });
  const two = mintId(one.state, uuids, { seed: 1, values: {} });
  expect(one.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(two.id).not.toBe(one.id);
  expect(mintId(emptyState(), uuids, { seed: 1, values: {} }).id).toBe(one.id);
  expect(mintId(emptyState(), uuids, { seed: 2, values: {} }).id).not.toBe(one.id);
  const hex = { ...things, idStyle: { kind: 'hex', length: 40 } as const };
  expect(mintId(emptyState(), hex, { seed: 1, values: {} }).id).toMatch(/^[0-9a-f]{40}$/);
  const token = { ...things, idStyle: { kind: 'token', prefix: 'tok_', length: 8 } as const };
  expect(mintId(emptyState(), token, { seed: 1, values: {} }).id).toMatch(/^tok_[0-9A-Za-z]{8}$/);
});

test('a number and its digits name the same row; scope is part of the name where ids may repeat', () => {
  expect(keyOf(things, { id: 5 })).toBe(keyOf(things, { id: '5' }));
  expect(keyOf(scoped, { n: 1, box: 'a' })).not.toBe(keyOf(scoped, { n: 1, box: 'b' }));
  expect([sameValue(5, '5'), sameValue(true, 'true'), sameValue({ a: [1] }, { a: [1] })]).toEqual([
    true,
    false,
    true,
  ]);
  expect(sameValue(2n ** 60n, String(2n ** 60n))).toBe(true);
});

test('changed fields carry their own origin, the others keep theirs', () => {
  const row = changeRow(
    makeRow({ id: 'a', name: 'x', gone: 1 }, pinned),
    { name: 'y', gone: undefined },
    'computed',
  );
  expect(row).toEqual({
    data: { id: 'a', name: 'y' },
    origins: { base: 'pinned', fields: { name: 'computed' } },
  });
});
