import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/index.js';
import type { Paging } from '../service.js';
import { listingOf, pageOf } from './paging.js';
import { ToolFailure } from './run-call.js';

const cursor: Paging = { style: 'cursor', at: 'cursor', size: 'limit', defaultSize: 2, maxSize: 3 };
const page: Paging = { style: 'page', at: 'page', size: 'per_page', defaultSize: 2, maxSize: 3 };
const offset: Paging = { style: 'offset', at: 'offset', size: 'limit', defaultSize: 2, maxSize: 3 };

function cut(paging: Paging, args: JsonObject, items: readonly string[], list = 'l') {
  return pageOf(paging, args, { listing: listingOf(items, (item) => item), list });
}

function failureOf(work: () => unknown): string {
  try {
    work();
    return 'no failure';
  } catch (thrown) {
    if (thrown instanceof ToolFailure) return thrown.message;
    throw thrown;
  }
}

test('following cursors gives every item once, in order, whatever the size', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      (items, limit) => {
        const seen: string[] = [];
        let at: string | undefined;
        do {
          const got = cut(cursor, { limit, ...(at === undefined ? {} : { cursor: at }) }, items);
          expect(got.items.length).toBeLessThanOrEqual(3);
          seen.push(...got.items);
          at = got.info.nextCursor;
        } while (at !== undefined);
        expect(seen).toEqual(items);
      },
    ),
  );
});

test('a cursor stays good when rows come and go', () => {
  const next = cut(cursor, {}, ['a', 'b', 'c', 'd']).info.nextCursor ?? '';
  expect(cut(cursor, { cursor: next }, ['x', 'a', 'b', 'c', 'd']).items).toEqual(['c', 'd']);
  expect(cut(cursor, { cursor: next }, ['a', 'c', 'd']).items).toEqual(['c', 'd']);
});

test('garbage, and cursors of another list, are rejected', () => {
  const next = cut(cursor, {}, ['a', 'b', 'c']).info.nextCursor ?? '';
  expect(failureOf(() => cut(cursor, { cursor: next }, ['a', 'b', 'c'], 'other'))).toBe(
    `Invalid cursor: ${next}`,
  );
  for (const garbage of ['x', '%%%', 'bnVsbA', btoa('["a","b"]'), '2']) {
    expect(failureOf(() => cut(cursor, { cursor: garbage }, ['a']))).toBe(`Invalid cursor: ${garbage}`);
  }
});

test('pages count from 1 and offsets from 0; what is impossible is an error', () => {
  expect(cut(page, { page: 2 }, ['a', 'b', 'c'])).toEqual({
    items: ['c'],
    info: { style: 'page', hasMore: false, size: 2, page: 2, pages: 2 },
  });
  expect(cut(offset, { offset: 1, limit: 1 }, ['a', 'b', 'c'])).toEqual({
    items: ['b'],
    info: { style: 'offset', hasMore: true, size: 1, nextOffset: 2 },
  });
  expect(cut(page, { page: 9 }, ['a']).items).toEqual([]);
  expect(failureOf(() => cut(page, { page: 0 }, ['a']))).toBe(
    'Invalid page: 0; it must be a whole number of at least 1',
  );
  expect(failureOf(() => cut(offset, { limit: 1.5 }, ['a']))).toContain('Invalid limit: 1.5');
});

test('a whole number beyond what a list can hold is the end of the list, not a mistake', () => {
  for (const limit of [9007199254740993n, 1e300]) expect(cut(offset, { limit }, ['a']).items).toEqual(['a']);
  expect(cut(offset, { offset: 9007199254740993n }, ['a'])).toMatchObject({
    items: [],
    info: { hasMore: false },
  });
  expect(cut(page, { page: 9007199254740993n }, ['a']).items).toEqual([]);
  expect(failureOf(() => cut(offset, { limit: -9007199254740993n }, ['a']))).toContain('Invalid limit');
});
