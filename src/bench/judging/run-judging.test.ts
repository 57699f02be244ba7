/** From rows to scores: predictions of ours and of the reference script, judged, resumed, added up. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/index.js';
import { createModelJudge } from '../../judge/index.js';
import { createScriptedModel, type ScriptEntry } from '../../model/index.js';
import { openDataSet, readJudgedFile, runJudging, scoreRun } from '../index.js';

const grades = (grade: number): string =>
  `<final_evaluation-{mark}>{"strengths":["s"],"weaknesses":["w"],"scores":{"format":${grade},"factuality":${grade},"consistency":${grade},"realism":${grade},"quality":${grade}}}</final_evaluation-{mark}>`;

const scripted = (...entries: ScriptEntry[]) =>
  createModelJudge({ model: createScriptedModel(entries), salt: '', fill: true, attempts: 1 });

/** Rows with `gen` alone, as the reference script leaves them. */
const prediction = (id: number, gen: string): JsonObject => ({
  task: 'mcp',
  id,
  system_str: '',
  prompt: ['a'],
  response: ['**Environment Observation:**\nreal'],
  current_prompt: 'a',
  turn_idx: 1,
  total_turns: 1,
  gen,
});

function place(records: readonly JsonObject[]) {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-judging-'));
  const path = join(folder, 'predictions.jsonl');
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return { path, out: join(folder, 'judged.jsonl') };
}
const open = (path: string) => openDataSet([path], { repeated: 'first' });
const lines = (path: string): JsonObject[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);

test('what the reference script predicted is judged, and its fields are written so that it can add up', async () => {
  const at = place([
    prediction(
      1,
      '<think>x</think><predicted_observation>**Environment Observation:**\nreal</predicted_observation>',
    ),
    prediction(2, ''),
    prediction(3, '<think>never ends <predicted_observation>draft</predicted_observation>'),
  ]);
  const report = await runJudging(open(at.path), scripted({ text: grades(5) }), {
    out: at.out,
    facts: {},
    jobs: 1,
  });
  expect([report.scored, report.unjudged]).toEqual([1, 2]);
  const [first, second, third] = lines(at.out);
  expect(first).toMatchObject({
    ...prediction(1, String(first?.gen)),
    total_score: 5,
    format: 5,
    factuality: 5,
    consistency: 5,
    realism: 5,
    quality: 5,
    failed: 0,
    strengths: ['s'],
    weaknesses: ['w'],
    extracted_output: 'real',
    judge_raw_output: grades(5),
  });
  expect(second).toMatchObject({ failed: 1, error_message: 'No model generation' });
  expect(third).toMatchObject({
    failed: 1,
    umwelt_judge: { status: 'model-failed', reason: expect.stringMatching(/thinking/) },
  });
  const score = scoreRun(readJudgedFile(at.out).rows);
  expect([score.overall.points, score.referenceCompatible.points, score.domains[0]?.exact]).toEqual([
    100 / 3,
    100,
    { equal: 1, of: 1 },
  ]);
});

test('a resumed run keeps verdicts, asks again what got no reply, and judges anew what was predicted anew', async () => {
  const at = place([prediction(1, 'x'), prediction(2, 'y'), prediction(3, 'z')]);
  const out = { out: at.out, facts: {}, jobs: 1 };
  const judge = scripted({ text: grades(4) }, { error: 'overloaded' }, { text: 'no block' });
  const first = await runJudging(open(at.path), judge, out);
  expect([first.scored, first.noReply, first.unusable]).toEqual([1, 1, 1]);
  writeFileSync(
    at.path,
    [prediction(1, 'changed'), prediction(2, 'y'), prediction(3, 'z')]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  );
  const second = await runJudging(open(at.path), scripted({ text: grades(3) }, { text: grades(2) }), out);
  expect([second.found.kept, second.scored]).toEqual([1, 2]);
  expect(lines(at.out).map(({ id, total_score }) => [id, total_score])).toEqual([
    [1, 3],
    [2, 2],
    [3, 0],
  ]);
});

test('verdicts of another judge are refused by name', async () => {
  const at = place([prediction(1, 'x')]);
  await runJudging(open(at.path), scripted({ text: grades(4) }), { out: at.out, facts: {}, jobs: 1 });
  const other = createModelJudge({ model: createScriptedModel([], { name: 'other' }), salt: '' });
  await expect(runJudging(open(at.path), other, { out: at.out, facts: {}, jobs: 1 })).rejects.toThrow(
    /judge was "scripted" and is "other"/,
  );
});

test('a judge that is not what it was any more stops the run, and the verdicts in doubt are counted', async () => {
  const at = place([1, 2, 3, 4, 5, 6].map((id) => prediction(id, `x${id}`)));
  const judge = scripted(...[5, 5, 4, 1, 1, 1].map((grade) => ({ text: grades(grade) })));
  let looks = 0;
  const report = await runJudging(open(at.path), judge, {
    out: at.out,
    facts: {},
    jobs: 1,
    watch: { every: 2, look: async () => (++looks === 2 ? 'it grades otherwise than at the start' : null) },
  });
  expect([report.done, report.stopped]).toEqual([
    4,
    'it grades otherwise than at the start; the 2 verdicts before this are in doubt, --force starts anew',
  ]);
});
