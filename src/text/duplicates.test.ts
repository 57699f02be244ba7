import { expect, test } from 'vitest';
import {
  type BenchmarkTurn,
  bandKeys,
  createContaminationIndex,
  gramsOf,
  shingleHashes,
  shingleSimilarity,
  signatureOf,
  signatureSimilarity,
} from './index.js';

const LICENCE =
  'Permission is hereby granted to any person who obtains a copy of this thing to use it without restriction or fee';

function turn(id: string, text: string, trajectory = id): BenchmarkTurn {
  return { id, trajectory, grams: gramsOf(text).map(({ hash }) => hash), text };
}

const PLAN = 'cat plan.md\nPhase 2 starts with the north pump, then valves 3 and 9.';
const index = createContaminationIndex([
  turn('plan', PLAN),
  turn('lic-1', LICENCE),
  turn('lic-2', `intro words of its own here ${LICENCE}`),
]);

test('a copy is found whatever the numbers and dates in it', () => {
  for (const copy of [PLAN, PLAN.replace('Phase 2', 'Phase 2 (2031-05-04T10:00)'), PLAN.replace('9', '17')]) {
    const found = index.find(copy);
    expect([found.hits.length, found.boilerplate.length]).toEqual([found.grams, 0]);
    expect(found.hits[0]?.turn.id).toBe('plan');
  }
});

test('other text shares nothing, and a hit shows where it stands', () => {
  expect(index.find('ls\nreadme.md and some other words that nobody else has written').hits).toEqual([]);
  const text = `first of all ${PLAN}`;
  const [hit] = index.find(text).hits;
  expect(text.slice(hit?.gram.start, hit?.gram.end)).toBe('cat plan.md\nPhase 2 starts with the north');
});

test('what several trajectories of the benchmark have is boilerplate', () => {
  const found = index.find(LICENCE);
  expect([found.hits.length, found.boilerplate.length]).toEqual([0, found.grams]);
});

test('very short turns say nothing', () => {
  expect(gramsOf('ls -la 12')).toEqual([]);
  expect(gramsOf('one two three four')).toHaveLength(1);
});

const long = Array.from({ length: 400 }, (_, i) => `word${(i * 7919) % 1009}`);

test('signatures estimate what shingles share, and equal sets share every band', () => {
  const a = shingleHashes([long.join(' ')]);
  const changed = [...long];
  changed[50] = 'else';
  changed[200] = 'other';
  const b = shingleHashes([changed.join(' ')]);
  const exact = shingleSimilarity(a, b) ?? 0;
  expect(exact).toBeCloseTo(0.951, 2);
  const [one, two] = [signatureOf(a), signatureOf(b)];
  if (one === null || two === null) throw new Error('no signature');
  expect(Math.abs(signatureSimilarity(one, two) - exact)).toBeLessThan(0.08);
  expect(bandKeys(one).filter((key) => bandKeys(two).includes(key)).length).toBeGreaterThan(10);
  expect(signatureSimilarity(one, one)).toBe(1);
});

test('nothing has no signature and is similar to nothing', () => {
  expect(signatureOf(shingleHashes(['', '—']))).toBeNull();
  expect(shingleSimilarity(new Set(), new Set())).toBeNull();
});
