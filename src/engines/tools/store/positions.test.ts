import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Positions } from './positions.js';

const numbers = fc.array(fc.oneof(fc.nat(70), fc.nat(40_000), fc.nat(2 ** 30 - 1)), { maxLength: 60 });

/** The same set as an ordered list. */
function ordered(all: Iterable<number>): number[] {
  return [...new Set(all)].sort((a, b) => a - b);
}

test('a set holds what was put in and not taken out, smallest first, and earlier versions stay as they were', () => {
  fc.assert(
    fc.property(numbers, numbers, (added, removed) => {
      let set = Positions.none;
      for (const number of added) set = set.add(number);
      const before = set;
      for (const number of removed) set = set.remove(number);
      const left = ordered(added.filter((number) => !removed.includes(number)));
      expect(set.slice(0, 1_000)).toEqual(left);
      expect(set.size).toBe(left.length);
      expect(before.slice(0, 1_000)).toEqual(ordered(added));
      expect(Positions.of(left).slice(0, 1_000)).toEqual(left);
    }),
  );
});

test('a rank counts the smaller numbers, and a slice begins at a rank', () => {
  fc.assert(
    fc.property(numbers, fc.nat(2 ** 30 - 1), fc.nat(70), fc.nat(10), (all, asked, start, count) => {
      const set = Positions.of(all);
      const list = ordered(all);
      for (const number of [asked, ...all]) {
        expect(set.rank(number)).toBe(list.filter((one) => one < number).length);
        expect(set.has(number)).toBe(list.includes(number));
      }
      expect(set.slice(start, count)).toEqual(list.slice(start, start + count));
    }),
  );
});

test('a union holds the numbers of both sets', () => {
  fc.assert(
    fc.property(numbers, numbers, (left, right) => {
      const union = Positions.of(left).union(Positions.of(right));
      expect(union.slice(0, 1_000)).toEqual(ordered([...left, ...right]));
      expect(union.size).toBe(ordered([...left, ...right]).length);
    }),
  );
});
