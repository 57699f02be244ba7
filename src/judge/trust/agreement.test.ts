import { expect, test } from 'vitest';
import { areaUnderCurve, rankCorrelation, turingResult, weightedKappa } from '../index.js';

test('rank correlation knows order only, and ties get their mean rank', () => {
  expect(rankCorrelation([1, 2, 3, 4], [10, 20, 30, 4000])).toBe(1);
  expect(rankCorrelation([1, 2, 3, 4], [4, 3, 2, 1])).toBe(-1);
  expect(rankCorrelation([1, 2, 2, 3], [1, 3, 2, 4])).toBeCloseTo(0.9486833, 6);
  expect([rankCorrelation([1, 1, 1], [1, 2, 3]), rankCorrelation([], [])]).toEqual([null, null]);
});

test('weighted kappa is 1 for equal grades, 0 for chance, below 0 for opposites', () => {
  expect(weightedKappa([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])).toBe(1);
  expect(weightedKappa([1, 1, 5, 5], [1, 5, 1, 5])).toBe(0);
  expect(weightedKappa([1, 5], [5, 1])).toBe(-1);
  expect(weightedKappa([3, 3], [3, 3])).toBeNull();
});

test('the area under the curve counts ties as halves', () => {
  expect(areaUnderCurve([5, 5], [1, 4])).toBe(1);
  expect(areaUnderCurve([3], [3])).toBe(0.5);
  expect(areaUnderCurve([1, 2], [2, 3])).toBe(0.125);
  expect(areaUnderCurve([], [1])).toBeNull();
});

test('a Turing test tells finding the real one from liking a place', () => {
  const finds = { realFirst: 1, realSecond: 2 } as const;
  const likesFirst = { realFirst: 1, realSecond: 1 } as const;
  expect(turingResult([finds, finds])).toEqual({
    pairs: 2,
    unanswered: 0,
    foundReal: 1,
    steady: 1,
    positionBias: 0,
  });
  expect(turingResult([likesFirst, likesFirst, { realFirst: null, realSecond: 2 }])).toEqual({
    pairs: 3,
    unanswered: 1,
    foundReal: 0.5,
    steady: 0,
    positionBias: 0.5,
  });
});
