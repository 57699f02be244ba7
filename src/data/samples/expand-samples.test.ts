import { expect, test } from 'vitest';
import type { Drop } from '../stages/stage.js';
import { withTraining } from '../stages/turn-training.js';
import { trajectoryOf, turnOf } from '../trajectories.contract.js';
import { createExpandStage, type ExpandOptions } from './expand-samples.js';
import type { TokenCounter } from './token-counter.js';

/** One token a character, so that windows can be worked out by hand; each message has 5 more. */
const characters: TokenCounter = { name: 'characters', isExact: true, count: (text) => text.length };

const mask = {
  category: 'echo',
  keepRatio: 0.05,
  overlap: 1,
  novelty: 0,
  jaccard: 1,
  lengthRatio: 1,
} as const;
const turns = [
  turnOf('a1', 'o1'),
  withTraining(turnOf('a2', 'o2'), { mask: { ...mask, kept: false } }),
  withTraining(turnOf('a3', 'o3'), { dropped: 'no-change' }),
  turnOf('a4', 'o4'),
];
const trajectory = trajectoryOf('t', turns, { system: { text: 'S', demonstrations: [] } });

function expand(options: ExpandOptions, given = trajectory) {
  const drops: Drop[] = [];
  const stage = createExpandStage({ counter: characters, ...options, onDrop: (drop) => drops.push(drop) });
  return { samples: stage.take(given), drops, stage };
}

test('mode all gives a sample per target, with everything before it as context', () => {
  const { samples } = expand({ mode: 'all' });
  expect(samples.map(({ id, turn, totalTurns }) => [id, turn, totalTurns])).toEqual([
    ['t#t1', 1, 4],
    ['t#t4', 4, 4],
  ]);
  expect(samples[1]?.messages).toEqual([
    { role: 'system', content: 'S' },
    { role: 'user', content: 'a1', turn: 1 },
    { role: 'assistant', content: 'o1', loss: false, turn: 1 },
    { role: 'user', content: 'a2', turn: 2 },
    { role: 'assistant', content: 'o2', loss: false, keepRatio: 0.05, category: 'echo', turn: 2 },
    { role: 'user', content: 'a3', turn: 3 },
    { role: 'assistant', content: 'o3', loss: false, turn: 3 },
    { role: 'user', content: 'a4', turn: 4 },
    { role: 'assistant', content: 'o4', loss: true, turn: 4 },
  ]);
  expect(samples[1]?.tokens).toEqual({ prompt: 6 + 7 * 7, total: 6 + 8 * 7, by: 'characters', exact: true });
});

test('mode whole learns every kept turn and no other', () => {
  const { samples } = expand({ mode: 'whole' });
  expect(samples[0]?.messages.filter(({ role }) => role === 'assistant').map(({ loss }) => loss)).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(samples[0]?.tokens).toEqual({ prompt: 6 + 7, total: 6 + 8 * 7, by: 'characters', exact: true });
});

test('mode train draws one target by the seed, the same again and another for another seed', () => {
  const drawn = (seed: number): unknown[] =>
    Array.from({ length: 40 }, (_, i) => expand({ seed }, { ...trajectory, id: `t${i}` }).samples[0]?.turn);
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
  expect(new Set(drawn(1))).toEqual(new Set([1, 4]));
});

test('a window keeps system, first and last turn, and drops whole turns from the oldest', () => {
  const size = 6 + 14 * 3;
  const { samples } = expand({ mode: 'all', windowTokens: size });
  expect(samples[1]?.messages.map(({ content }) => content)).toEqual([
    'S',
    'a1',
    'o1',
    'a3',
    'o3',
    'a4',
    'o4',
  ]);
  expect([samples[1]?.droppedTurns, samples[1]?.tokens.total]).toEqual([1, size]);
  const tight = expand({ mode: 'all', windowTokens: 6 + 14 });
  expect(tight.samples.map(({ id }) => id)).toEqual(['t#t1']);
  expect(tight.drops).toEqual([{ what: 'turn', trajectory: 't', rule: 'too-long', turn: 4 }]);
});

test('mode rl leaves long prompts out instead of cutting them, and takes each beginning once', () => {
  const short = expand({ mode: 'rl', promptTokens: 20 });
  expect(short.samples.map(({ turn, droppedTurns }) => [turn, droppedTurns])).toEqual([[1, 0]]);
  expect(short.stage.take({ ...trajectory, id: 'same beginning' })).toEqual([]);
  expect(short.drops).toEqual([
    { what: 'trajectory', trajectory: 'same beginning', rule: 'shared-beginning' },
  ]);
  const none = expand({ mode: 'rl', promptTokens: 5 });
  expect(none.samples).toEqual([]);
  expect(none.drops).toEqual([{ what: 'trajectory', trajectory: 't', rule: 'too-long' }]);
});

test('a trajectory without a target gives nothing, and says so', () => {
  const { drops } = expand({ mode: 'whole' }, trajectoryOf('n', [turnOf('a', null, { status: 'limit' })]));
  expect(drops).toEqual([{ what: 'trajectory', trajectory: 'n', rule: 'no-target' }]);
});
