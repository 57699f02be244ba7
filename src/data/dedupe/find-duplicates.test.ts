import { expect, test } from 'vitest';
import { createContaminationIndex } from '../../text/index.js';
import type { Drop } from '../stages/stage.js';
import { trajectoryOf, turnOf } from '../trajectories.contract.js';
import {
  benchmarkTurns,
  contaminationHeaderLine,
  contaminationLine,
  readBenchmarkValue,
} from './contamination-list.js';
import { type ContaminationEvidence, createDedupeStage, createGramCensus } from './find-duplicates.js';

const SYSTEM = Array.from({ length: 200 }, (_, i) => `word${i}s`).join(' ');
const LICENCE =
  'Permission is hereby granted free of charge to any person obtaining a copy of this software to deal in it without restriction';

function row(id: number, action: string, observation: string) {
  return {
    task: 'x/terminal',
    id,
    prompt: [`### Turn 1\n**Action:**\n\`\`\`json\n${action}\n\`\`\``],
    response: [`**Environment Observation:**\n${observation}`],
    current_prompt: action,
    system_str: SYSTEM,
    turn_idx: 1,
    total_turns: 1,
  };
}

const PLAN = 'Phase 2 starts with the north pump, then valves 3 and 9.';
const rows = [row(1, 'cat plan.md', PLAN), row(2, 'cat LICENSE', LICENCE), row(3, 'cat COPYING', LICENCE)];

const training = [
  ['a', 'ls', 'notes.txt and a list of other things that are lying around here'],
  ['b', 'cat plan.md', PLAN],
  ['c', 'cat plan.md', PLAN.replace('Phase 2', 'Phase 2 (2031-05-04T10:00)')],
  ['d', 'cat LICENSE', LICENCE],
].map(([id = '', action = '', observation = '']) =>
  trajectoryOf(id, [turnOf(action, observation)], {
    domain: 'terminal',
    system: { text: SYSTEM, demonstrations: [] },
  }),
);

test('copies of a benchmark are found whatever the dates; shared text is boilerplate; rates are per domain', () => {
  const benchmark = createContaminationIndex(rows.flatMap(benchmarkTurns));
  const census = createGramCensus(benchmark);
  for (const one of training) census.take(one);
  const evidence: ContaminationEvidence[] = [];
  const stage = createDedupeStage({
    benchmark,
    isBoilerplate: (hash) => census.isBoilerplate(hash),
    onEvidence: (one) => evidence.push(one),
  });
  expect(training.flatMap((one) => stage.take(one)).map(({ id }) => id)).toEqual(['a', 'd']);
  expect(evidence.map(({ trajectory, benchmark: from, share }) => [trajectory, from, share])).toEqual([
    ['b', 'terminal/1#t1', 1],
    ['c', 'terminal/1#t1', 1],
  ]);
  expect(evidence[1]?.here).toContain('(2031-05-04T10:00) starts with the north pump');
  expect(evidence[1]?.there).toContain('starts with the north pump');
  expect(stage.report()).toEqual({
    contaminated: 2,
    trajectories: 4,
    contamination: { terminal: { turns: 4, contaminated: 2, boilerplate: 1, fraction: 0.5 } },
  });
});

test('a list of hashes without texts finds the same copies', () => {
  const lines = [
    contaminationHeaderLine(),
    ...rows.flatMap(benchmarkTurns).map((turn) => contaminationLine(turn, false)),
  ];
  const turns = lines.map((line) => JSON.parse(line)).flatMap(readBenchmarkValue);
  const stage = createDedupeStage({ benchmark: createContaminationIndex(turns) });
  expect(training.flatMap((one) => stage.take(one)).map(({ id }) => id)).toEqual(['a', 'd']);
  expect(() => readBenchmarkValue({ contamination: 9, gramWords: 8 })).toThrow(/version 9/);
});

test('exact copies go, whatever their ids; near copies go with their likeness', () => {
  const drops: Drop[] = [];
  const long = (word: string): string =>
    Array.from({ length: 300 }, (_, i) => `n${i}x${i === 150 ? word : ''}`).join(' ');
  const stage = createDedupeStage({ near: 0.8, onDrop: (drop) => drops.push(drop) });
  const kept = [
    trajectoryOf('one', [turnOf('read', long(''))]),
    trajectoryOf('two', [turnOf('read', long(''))]),
    trajectoryOf('three', [turnOf('read', long('y'))]),
    trajectoryOf('four', [turnOf('read', 'something else')]),
    trajectoryOf('five', [turnOf('read', long('z'))], { domain: 'swe' }),
  ].flatMap((one) => stage.take(one));
  expect(kept.map(({ id }) => id)).toEqual(['one', 'four', 'five']);
  expect(drops.map(({ trajectory, rule }) => [trajectory, rule])).toEqual([
    ['two', 'exact-copy'],
    ['three', 'near-copy'],
  ]);
  expect(drops[0]?.detail).toBe('equal to one');
  expect(drops[1]?.detail).toMatch(/^about 0\.\d\d like one$/);
});
