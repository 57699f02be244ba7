import { expect, test } from 'vitest';
import { mcNemar, pairedDifference, passPower, shareOf, wilsonInterval } from './intervals.js';

const rounded = (values: readonly number[] | null) =>
  values?.map((value) => Math.round(value * 10_000) / 10_000);

test("Wilson's interval is that of Newcombe's table for 81 of 263, 15 of 148, 0 of 20 and 1 of 29", () => {
  expect(rounded(wilsonInterval(81, 263))).toEqual([0.2553, 0.3662]);
  expect(rounded(wilsonInterval(15, 148))).toEqual([0.0624, 0.1605]);
  expect(rounded(wilsonInterval(0, 20))).toEqual([0, 0.1611]);
  expect(rounded(wilsonInterval(1, 29))).toEqual([0.0061, 0.1718]);
});

test('a share says how many runs count, how many do not, and nothing where none counts', () => {
  const share = shareOf([true, false, null, true]);
  expect({ ...share, interval: rounded(share.interval) }).toEqual({
    n: 3,
    passed: 2,
    fraction: 2 / 3,
    interval: [0.2077, 0.9385],
    unscored: 1,
  });
  expect(shareOf([null])).toEqual({ n: 0, passed: 0, fraction: null, interval: null, unscored: 1 });
});

function pairs(both: number, first: number, second: number, none: number) {
  const of = (count: number, pair: readonly [boolean, boolean]) => Array.from({ length: count }, () => pair);
  return [
    ...of(both, [true, true]),
    ...of(first, [true, false]),
    ...of(second, [false, true]),
    ...of(none, [false, false]),
  ];
}

test("the paired interval is that of Newcombe's method 10 for 36, 12, 2, 0, and by hand for 53, 0, 0, 1", () => {
  const one = pairedDifference(pairs(36, 12, 2, 0));
  expect([one.n, one.difference, rounded(one.interval)]).toEqual([50, 0.2, [0.0569, 0.3404]]);
  // φ = (53 − 27) / 53; Wilson of 53/54 leaves 0.0792 below and 0.0152 above.
  const same = pairedDifference(pairs(53, 0, 0, 1));
  expect([same.difference, rounded(same.interval)]).toEqual([0, [-0.0729, 0.0729]]);
});

test("McNemar's exact test counts the tails of a fair coin", () => {
  // 12 against 2: 2 · (1 + 14 + 91) / 2^14.
  expect(mcNemar(12, 2)).toBeCloseTo((2 * 106) / 16_384, 12);
  expect(mcNemar(0, 0)).toBe(1);
  expect(mcNemar(3, 3)).toBe(1);
  expect(mcNemar(0, 5)).toBe(0.0625);
  expect(mcNemar(900, 700)).toBeLessThan(1e-6);
});

test('pass^k is the chance that k trials drawn from a group all pass, over groups', () => {
  const groups = [
    [true, true, false, true],
    [true, true, true, true],
    [true, null],
  ];
  expect(passPower(groups, 2)).toEqual({ k: 2, n: 2, fraction: (3 / 6 + 1) / 2, leftOut: 1 });
  expect(passPower(groups, 1).fraction).toBeCloseTo((0.75 + 1 + 1) / 3, 12);
  expect(passPower([], 3)).toEqual({ k: 3, n: 0, fraction: null, leftOut: 0 });
});
