import { expect, test } from 'vitest';
import { trainingOf, withTraining } from '../stages/turn-training.js';
import { trajectoryOf, turnOf } from '../trajectories.contract.js';
import { maskCategory, turnStatistics } from './mask-category.js';
import { createMaskStage, maskTurn } from './mask-turns.js';

/** The worked table of docs/DATA.md: action, observation, overlap, novelty, length ratio, category. */
const TABLE = [
  ['echo a b c', 'echo a b c', 1, 0, 1, 'echo'],
  ['write a b c d', 'wrote a b c', 0.6, 0.25, 11 / 13, 'boilerplate'],
  ['put alpha beta gamma delta', 'alpha', 0.2, 0, 5 / 26, 'transform'],
  ['read notes', 'Lists of things that nobody has said before', 0, 1, 43 / 10, 'retrieval'],
  ['grep red car', 'red car one two three', 2 / 3, 0.6, 21 / 12, 'retrieval'],
  ['find red car in town', 'red car in town but blue bus near sea', 0.8, 5 / 9, 37 / 20, 'expansion'],
  ['set the door of the shed to shut', 'done now', 0, 1, 8 / 32, 'action'],
  ['', 'a prompt', null, 1, null, 'retrieval'],
  ['sleep 1', '', 0, null, 0, 'other'],
  ['', '', null, null, null, 'other'],
] as const;

test.each(TABLE)('%j answered by %j', (action, observation, overlap, novelty, ratio, category) => {
  const statistics = turnStatistics(action, observation);
  expect([statistics.overlap, statistics.novelty, statistics.lengthRatio]).toEqual([overlap, novelty, ratio]);
  expect(maskCategory(statistics).category).toBe(category);
});

test('a turn that no signature fits is other', () => {
  const words = (from: number, count: number): string =>
    Array.from({ length: count }, (_, i) => `wort${from + i}zahl`).join(' ');
  const statistics = turnStatistics(words(0, 20), `${words(0, 9)} ${words(50, 11)} und`.padEnd(400, '.'));
  expect([statistics.overlap, statistics.novelty]).toEqual([0.45, 12 / 21]);
  expect(maskCategory(statistics)).toEqual({ category: 'other', signature: 'no signature holds' });
});

test('the decision depends on seed, trajectory and turn alone, and follows the ratio', () => {
  const turn = { action: 'echo a b c', observation: 'echo a b c' };
  const kept = Array.from({ length: 4_000 }, (_, i) => maskTurn(turn, { trajectory: `t${i}`, turn: 1 }).kept);
  const share = kept.filter(Boolean).length / kept.length;
  expect(Math.abs(share - 0.05)).toBeLessThan(0.015);
  const again = Array.from(
    { length: 4_000 },
    (_, i) => maskTurn(turn, { trajectory: `t${i}`, turn: 1 }).kept,
  );
  expect(again).toEqual(kept);
  const other = Array.from(
    { length: 4_000 },
    (_, i) => maskTurn(turn, { trajectory: `t${i}`, turn: 1 }, { seed: 1 }).kept,
  );
  expect(other).not.toEqual(kept);
});

test('the stage marks turns that may be targets, leaves the others, and counts', () => {
  const dropped = withTraining(turnOf('a', 'b'), { dropped: 'no-change' });
  const stage = createMaskStage({ keepRatios: { echo: 0 } });
  const [masked] = stage.take(
    trajectoryOf('t', [turnOf('x y', 'x y'), dropped, turnOf('c', null, { status: 'abstained' })]),
  );
  expect(masked?.turns.map(trainingOf)).toEqual([
    {
      mask: {
        category: 'echo',
        keepRatio: 0,
        kept: false,
        overlap: 1,
        novelty: 0,
        jaccard: 1,
        lengthRatio: 1,
      },
    },
    { dropped: 'no-change' },
    {},
  ]);
  expect(stage.report()).toEqual({
    trajectories: 1,
    turns: 3,
    categories: { echo: { turns: 1, kept: 0, characters: 3 } },
    others: { 'dropped before': 1, 'without observation': 1 },
  });
});
