/** Two runs on the same rows: pairs, ties, groups, and what cannot be compared. */
import { expect, test } from 'vitest';
import { randomStream } from '../../core/index.js';
import { compareBenchRuns, type JudgedRow } from '../index.js';

function row(key: number, points: number, more: Partial<JudgedRow> = {}): JudgedRow {
  const turn = key % 2 === 0 ? 'turn 1' : 'turns 2–3';
  return {
    key: `mcp/${key}#1`,
    trajectory: `mcp/${Math.floor(key / 3)}`,
    domain: 'mcp',
    status: 'scored',
    points: [points, points, points, points, points, points],
    reason: null,
    kinds: { turn, history: 'no history', action: 'mcp: a', content: 'deterministic' },
    exact: null,
    stamp: 'j',
    referenceTotal: null,
    isKeyed: true,
    ...more,
  };
}

test('a difference beyond chance is told, with wins, losses and the kind of turn that changed', () => {
  const random = randomStream(1, 'compare');
  const first = Array.from({ length: 120 }, (_, i) => row(i, 25 * random.integer(0, 3)));
  const second = first.map((one, i) => row(i, (one.points?.[0] ?? 0) + (i % 2 === 0 ? 25 : 0)));
  const report = compareBenchRuns(first, second);
  expect([report.verdict, report.wins, report.ties, report.losses]).toEqual(['second', 60, 60, 0]);
  expect(report.overall.difference).toBe(12.5);
  expect(
    report.groups.filter(({ isClear }) => isClear).map(({ breakdown, group }) => `${breakdown} ${group}`),
  ).toContain('turn turn 1');
  expect(report.groups.find(({ group }) => group === 'turns 2–3')).toMatchObject({
    difference: 0,
    isClear: false,
  });
});

test('noise around nothing is a tie', () => {
  const random = randomStream(2, 'compare');
  const first = Array.from({ length: 90 }, (_, i) => row(i, 25 * random.integer(0, 4)));
  const second = first.map((_, i) => row(i, 25 * random.integer(0, 4)));
  expect(compareBenchRuns(first, second).verdict).toBe('tie');
});

test('silence is the floor on its side; what no mean holds is left out and told; one trajectory decides nothing', () => {
  const first = [row(0, 50), row(1, 50), row(2, 50), row(9, 10)];
  const second = [
    row(0, 50, { status: 'model-failed', points: null }),
    row(1, 75),
    row(2, 0, { status: 'judge-failed', points: null }),
    row(8, 1),
  ];
  expect(compareBenchRuns(first, second)).toMatchObject({
    overall: { difference: -12.5, interval: null, rows: 2 },
    verdict: 'unknown',
    notCounted: 1,
    onlyFirst: 1,
    onlySecond: 1,
    changed: [
      { key: 'mcp/0#1', first: 50, second: 0 },
      { key: 'mcp/1#1', first: 50, second: 75 },
    ],
  });
});

test('runs of different judges are refused, and so are runs without a shared row', () => {
  expect(() => compareBenchRuns([row(1, 1)], [row(1, 1, { stamp: 'k' })])).toThrow(
    /different judges: j and k/,
  );
  expect(() => compareBenchRuns([row(1, 1)], [row(2, 1)])).toThrow('the runs share no row');
});
