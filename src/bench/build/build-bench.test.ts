/** Benchmarks of one's own: which turns, no copies, held-out sources, leaks with both texts (P-DAT-3). */
import { expect, test } from 'vitest';
import type { Domain, Trajectory, Turn } from '../../core/index.js';
import { readBenchRow } from '../../domains/index.js';
import { benchCard, buildBench, findLeaks, sampleTurns } from '../index.js';

function trajectory(id: string, turns: readonly Partial<Turn>[], more: Partial<Trajectory> = {}): Trajectory {
  return {
    trajectory: 1,
    id,
    domain: 'terminal' as Domain,
    source: { dataset: 'd1', licence: 'MIT' },
    system: { text: 'S', demonstrations: [] },
    meta: {},
    turns: turns.map((turn, i) => ({
      action: `a${i + 1}`,
      observation: `${id} says ${i + 1}`,
      status: 'ok',
      ...turn,
    })),
    ...more,
  };
}
const plain = (count: number): Partial<Turn>[] => Array.from({ length: count }, () => ({}));

test('text domains give the first, the last and three between, the same for the same seed', () => {
  const one = trajectory('x', plain(12));
  const turns = sampleTurns(one, { seed: 4 });
  expect(turns.length).toBe(5);
  expect([turns[0], turns.at(-1)]).toEqual([1, 12]);
  expect(sampleTurns(one, { seed: 4 })).toEqual(turns);
  expect(sampleTurns(trajectory('y', plain(1)))).toEqual([1]);
  expect(sampleTurns(trajectory('z', plain(3)))).toEqual([1, 2, 3]);
});

test('turns that nothing real answered, and those behind a gap, are no targets', () => {
  const made: Partial<Turn> = { origins: [{ start: 0, end: 1, origin: 'predicted' }] };
  const one = trajectory('x', [{}, made, { observation: null, status: 'abstained' }, {}, {}], { gaps: [4] });
  expect(sampleTurns(one)).toEqual([1, 4]);
  expect(sampleTurns(one, { allowSimulated: true })).toEqual([1, 2, 4]);
});

test('domains with screens give their harder turns; a screen that stays is none', () => {
  const screens = [
    'home menu list',
    'home menu list',
    'home menu cart',
    'login name password',
    'login name secret',
    'pay card done',
  ];
  const one = trajectory(
    'w',
    screens.map((observation) => ({ observation })),
    { domain: 'web' },
  );
  const turns = sampleTurns(one);
  expect(turns.every((turn) => [4, 6].includes(turn))).toBe(true);
  expect(turns.length).toBe(1);
});

test('rows hold the turns up to the asked one and nothing after, and are read back', () => {
  const built = buildBench([trajectory('x', plain(3), { meta: { world: 'worlds/x.json' } })]);
  expect(built.rows[1]?.row).toEqual({
    task: 'terminal',
    id: 1,
    prompt: ['a1', 'a2'],
    response: ['x says 1', 'x says 2'],
    current_prompt: 'a2',
    system_str: 'S',
    turn_idx: 2,
    total_turns: 3,
    source: 'd1',
    licence: 'MIT',
    world: 'worlds/x.json',
  });
  expect(built.rows.every(({ row }) => readBenchRow(row).ok)).toBe(true);
});

const LONG =
  'Phase 2 starts with the north pump, then valves 3 and 9, and ends when the last operator has signed the list of the day.';

test('copies in other trajectories count once; sources that are not held out give none', () => {
  const same = [{ action: 'cat plan.md', observation: LONG }];
  const near = [{ action: 'cat plan.md', observation: `${LONG} Done.` }];
  const built = buildBench([trajectory('a', same), trajectory('b', same), trajectory('c', near)]);
  expect(built.copies.map(({ key, of }) => [key, of])).toEqual([
    ['terminal/2#1', 'terminal/1#1'],
    ...built.copies.slice(1).map(({ key, of }) => [key, of]),
  ]);
  const held = buildBench(
    [trajectory('a', plain(2)), trajectory('b', plain(2), { source: { dataset: 'd2' } })],
    { sources: ['d2'] },
  );
  expect([held.rows.length, held.unused]).toEqual([2, { 'of a source for training': 1 }]);
  expect(benchCard(held, { title: 'A <b> | card', seed: 0, version: '1', sources: ['d2'] })).toContain(
    '# A \\<b\\> \\| card',
  );
});

test('copies of rows in training data are found whatever the dates; shared text and prompts are no leak', () => {
  const licence =
    'Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated files, to deal in it.';
  const rows = buildBench([
    trajectory('bench-1', [
      { action: 'cat plan.md', observation: LONG },
      { action: 'cat LICENSE', observation: licence },
    ]),
    trajectory('bench-2', [
      { action: 'cat COPYING', observation: licence },
      { action: 'ls pumps', observation: 'north south east west' },
    ]),
  ]);
  const report = findLeaks(rows, [
    trajectory('a', [
      { action: 'ls -l', observation: 'another thing that nobody has seen in any of the rows before today' },
    ]),
    trajectory('b', [{ action: 'cat plan.md', observation: LONG }]),
    trajectory('c', [
      { action: 'cat plan.md', observation: LONG.replace('Phase 2', 'Phase 2 (2031-05-04T10:00)') },
    ]),
    trajectory('d', [{ action: 'cat LICENSE', observation: licence }]),
  ]);
  expect(report.leaks.map(({ training, row }) => [training, row])).toEqual([
    ['b#t1', 'terminal/1#1'],
    ['c#t1', 'terminal/1#1'],
  ]);
  expect(report.leaks[1]?.trainingText).toContain('north pump');
  expect(report.leaks[1]?.rowText).toContain('north pump');
  expect(report.domains).toEqual({ terminal: { turns: 4, leaking: 2, boilerplate: 1 } });
});

test('a row that was copied into training many times stays a leak', () => {
  const rows = buildBench([trajectory('bench', [{ action: 'cat plan.md', observation: LONG }])]);
  const copies = Array.from({ length: 12 }, (_, day) =>
    trajectory(`copy ${day}`, [
      { action: 'cat plan.md', observation: LONG.replace('Phase 2', `Phase 2 (2031-05-${10 + day})`) },
    ]),
  );
  expect(findLeaks(rows, copies).domains).toEqual({ terminal: { turns: 12, leaking: 12, boilerplate: 0 } });
});
