import { expect, test } from 'vitest';
import { trajectoryOf, turnOf } from '../trajectories.contract.js';
import { createSplitStage, parsePools } from './split-pools.js';

const many = Array.from({ length: 3_000 }, (_, i) =>
  trajectoryOf(`t${i}`, [turnOf(`a${i}`, 'o')], { source: { dataset: 'd', file: `file${i % 1_000}` } }),
);

test('by source all trajectories of a file go to one pool, in the proportions asked for', () => {
  const stage = createSplitStage({ pools: parsePools('cpt=8,rl=2', 'source') });
  const pools = many.flatMap((one) => stage.take(one)).map(({ meta }) => meta.pool);
  for (let i = 0; i < 1_000; i++)
    expect(new Set([pools[i], pools[i + 1_000], pools[i + 2_000]]).size).toBe(1);
  const share = pools.filter((pool) => pool === 'rl').length / pools.length;
  expect(Math.abs(share - 0.2)).toBeLessThan(0.05);
  const again = createSplitStage({ pools: parsePools('cpt=8,rl=2', 'source') });
  expect(
    [...many]
      .reverse()
      .flatMap((one) => again.take(one))
      .map(({ meta }) => meta.pool)
      .reverse(),
  ).toEqual(pools);
});

test('by trajectory forks of one beginning stay together', () => {
  const stage = createSplitStage({ by: 'trajectory' });
  const [first] = many;
  const fork = {
    ...first,
    id: 'fork',
    turns: [...(first?.turns ?? []), turnOf('more', 'x')],
  } as (typeof many)[0];
  expect(stage.take(fork)[0]?.meta.pool).toBe(stage.take(first as (typeof many)[0])[0]?.meta.pool);
});

test('by time the oldest go first, and what has no time goes nowhere else', () => {
  const stage = createSplitStage({
    by: 'time',
    pools: parsePools('cpt<2026-01-01,sft<2026-06-01,rl', 'time'),
  });
  const at = (startedAt: string) => trajectoryOf(startedAt, [turnOf('a', 'o', { meta: { startedAt } })]);
  const given = ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-11-30T00:00:00Z', 'never'].map(at);
  expect(given.flatMap((one) => stage.take(one)).map(({ meta }) => meta.pool)).toEqual([
    'cpt',
    'sft',
    'rl',
    'undated',
  ]);
});

test.each([
  ['cpt=0,rl=1', 'source', 'no positive weight'],
  ['cpt=1,cpt=1', 'source', 'named twice'],
  ['Cpt=1', 'source', 'a pool is named "Cpt"'],
  ['cpt,rl', 'time', 'the pool cpt has no date'],
] as const)('pools %s by %s are refused', (text, by, message) => {
  expect(() => parsePools(text, by)).toThrow(message);
});
