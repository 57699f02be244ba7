/** Predicting rows: histories (P-EVAL-1), resume after any crash (P-EVAL-4), causes of failure (P-EVAL-3). */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  fail,
  type GenerateRequest,
  type JsonObject,
  type LanguageModel,
  ok,
  ProviderError,
} from '../../core/index.js';
import { createScriptedModel } from '../../model/index.js';
import { createLanguageWorldModel } from '../../sim/index.js';
import {
  createPacer,
  createRowPredictor,
  type InferOptions,
  openDataSet,
  type RowPredictor,
  runInfer,
  watchModel,
  worldsOfRows,
} from '../index.js';

const row = (id: number, turn: number, more: JsonObject = {}): JsonObject => ({
  task: 'mcp',
  id,
  system_str: 'S',
  prompt: ['a1', 'a2', 'a3'],
  response: [`o1 of ${id}`, `o2 of ${id}`, `o3 of ${id}`],
  turn_idx: turn,
  total_turns: 3,
  ...more,
});
const lines = (values: readonly JsonObject[]): string =>
  values.map((one) => `${JSON.stringify(one)}\n`).join('');

function place(rows: readonly JsonObject[]): { readonly data: string; readonly out: string } {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-infer-'));
  writeFileSync(join(folder, 'mcp_test.jsonl'), lines(rows));
  return { data: folder, out: join(folder, 'predictions.jsonl') };
}

/** A language model that notes what it is asked and answers by a function. */
function model(
  answer: (request: GenerateRequest) => string | ProviderError,
): LanguageModel & { readonly asked: GenerateRequest[] } {
  const asked: GenerateRequest[] = [];
  return {
    name: 'test',
    asked,
    generate: async (request) => {
      asked.push(request);
      const text = answer(request);
      if (typeof text !== 'string') return fail(text);
      return ok({
        samples: [{ text, reasoning: null, finishReason: 'stop' as const }],
        usage: { promptTokens: 7, completionTokens: 2 },
        model: 'test',
      });
    },
  };
}

function predictorOf(language: LanguageModel): RowPredictor {
  const world = createLanguageWorldModel(watchModel(language, createPacer({})), { temperature: 0.6 });
  return createRowPredictor('test', async () => world);
}

const echo = (): LanguageModel & { readonly asked: GenerateRequest[] } =>
  model(
    ({ messages }) => `<think>hm</think><predicted_observation>${messages.length}</predicted_observation>`,
  );

async function infer(
  at: { readonly data: string; readonly out: string },
  language: LanguageModel,
  more: Partial<InferOptions> = {},
) {
  return runInfer(openDataSet([at.data]), predictorOf(language), {
    out: at.out,
    facts: {},
    jobs: 2,
    ...more,
  });
}

const records = (path: string): JsonObject[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);

test('a model sees the system prompt, the real turns before, and the action; never the real observation', async () => {
  const at = place([
    row(1, 3),
    { task: 'x/terminal', id: 2, prompt: '### Turn 1\nls', response: 'x.txt', turn_idx: 1 },
  ]);
  const language = echo();
  const report = await infer(at, language);
  expect(report.counts).toEqual({ predicted: 2, abstained: 0, 'model-failed': 0, infrastructure: 0 });
  expect(language.asked.map(({ messages }) => messages)).toEqual([
    [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'a1' },
      { role: 'assistant', content: 'o1 of 1' },
      { role: 'user', content: 'a2' },
      { role: 'assistant', content: 'o2 of 1' },
      { role: 'user', content: 'a3' },
    ],
    [{ role: 'user', content: '### Turn 1\nls' }],
  ]);
  expect(records(at.out)[0]).toEqual({
    ...row(1, 3),
    gen: '<think>hm</think><predicted_observation>6</predicted_observation>',
    umwelt: { run: expect.any(String), status: 'predicted', promptTokens: 7, completionTokens: 2 },
  });
});

test('rows that fit nothing are invalid, listed with their line, and asked of nobody', async () => {
  const at = place([row(3, 0), row(4, 4), row(5, 2, { current_prompt: 'other' })]);
  const language = echo();
  await infer(at, language);
  expect(openDataSet([at.data])).toMatchObject({
    invalid: [
      { file: 'mcp_test.jsonl', line: 1, key: 'mcp/3#0', reason: 'turn_idx is 0, wanted 1 to 3' },
      { file: 'mcp_test.jsonl', line: 2, key: 'mcp/4#4', reason: 'turn_idx is 4, wanted 1 to 3' },
    ],
    warnings: ['mcp_test.jsonl, line 3, mcp/5#2: current_prompt is not prompt 2; current_prompt is asked'],
  });
  expect(language.asked.map(({ messages }) => messages.at(-1)?.content)).toEqual(['other']);
});

test('one key with two contents is refused before any call; the same row twice counts once', async () => {
  const at = place([row(1, 1), row(1, 1, { response: ['x', 'y', 'z'] })]);
  expect(() => openDataSet([at.data])).toThrow(/the row mcp\/1#1 is there twice with different contents/);
  expect(openDataSet([place([row(1, 1), row(1, 1)]).data])).toMatchObject({
    rows: [{ key: 'mcp/1#1' }],
    warnings: ['1 rows are there again, word for word; each counts once'],
  });
});

const SET = [row(11, 1), row(11, 2), row(11, 3), row(12, 1)];

test('a resumed run asks what is missing, drops torn and doubled lines, and ends in the order of the data', async () => {
  const at = place(SET);
  const torn = '{"task":"mcp","id":11,"turn_idx":3,"gen":"par';
  const old: JsonObject[] = [
    { task: 'mcp', id: 11, turn_idx: 1, gen: 'first' },
    { ...row(11, 2), gen: 'second' },
    { ...row(11, 2), gen: 'again' },
  ];
  writeFileSync(at.out, lines(old) + torn);
  const language = echo();
  const report = await infer(at, language);
  expect(report.found).toEqual({ kept: 2, duplicates: ['mcp/11#2'], retried: 0, foreign: 0, torn: 1 });
  expect(language.asked.map(({ messages }) => messages.length)).toEqual([6, 2]);
  expect(
    records(at.out).map(({ id, turn_idx, gen, prompt }) => [id, turn_idx, gen, prompt !== undefined]),
  ).toEqual([
    [11, 1, 'first', true],
    [11, 2, 'second', true],
    [11, 3, '<think>hm</think><predicted_observation>6</predicted_observation>', true],
    [12, 1, '<think>hm</think><predicted_observation>2</predicted_observation>', true],
  ]);
  expect(JSON.parse(readFileSync(at.out.replace('.jsonl', '.run.json'), 'utf8'))).toMatchObject({
    adopted: 2,
  });
});

test('a run that was killed at any byte gives the same file in the end, asking no row that stood there twice', async () => {
  const at = place(SET);
  await infer(at, echo(), { jobs: 1 });
  const whole = readFileSync(at.out);
  for (let cut = 0; cut <= whole.length; cut += 37) {
    writeFileSync(at.out, whole.subarray(0, cut));
    const language = echo();
    await infer(at, language);
    expect(language.asked.length).toBe(4 - whole.subarray(0, cut).filter((byte) => byte === 0x0a).length);
    expect(readFileSync(at.out).equals(whole)).toBe(true);
  }
});

test('other facts than those of the results that are there are refused by name, or start anew when told so', async () => {
  const at = place(SET);
  await infer(at, echo(), { facts: { model: 'a' } });
  await expect(infer(at, echo(), { facts: { model: 'b' } })).rejects.toThrow(
    /model was "a" and is "b"\. Write elsewhere/,
  );
  const language = echo();
  await infer(at, language, { facts: { model: 'b' }, force: true });
  expect(language.asked.length).toBe(4);
});

test('a record of another row of the same key is not taken in', async () => {
  const at = place(SET);
  writeFileSync(at.out, lines([{ ...row(11, 1), response: ['another'], gen: 'x' }]));
  await expect(infer(at, echo())).rejects.toThrow(/was made of another row \(its response differs\)/);
});

test('silence of a model, failure of an endpoint and abstention are three outcomes; only the endpoint is tried again', async () => {
  const at = place(SET);
  const down = new ProviderError('m@http://x: no answer', { code: 'provider/failed' });
  const language = model(({ messages }) => {
    const last = messages.filter(({ role }) => role === 'assistant').length;
    return last === 0
      ? down
      : last === 1
        ? '<think>draft <predicted_observation>total 0</predicted_observation>'
        : 'plain';
  });
  const first = await infer(at, language);
  expect(first.counts).toEqual({ predicted: 1, abstained: 0, 'model-failed': 1, infrastructure: 2 });
  expect(
    records(at.out).map(({ gen, umwelt }) => [
      gen,
      (umwelt as JsonObject).status,
      (umwelt as JsonObject).reason,
    ]),
  ).toEqual([
    ['', 'infrastructure', 'm@http://x: no answer'],
    ['', 'model-failed', 'the model stopped inside its thinking and gave no answer'],
    ['plain', 'predicted', undefined],
    ['', 'infrastructure', 'm@http://x: no answer'],
  ]);
  const second = await infer(at, echo());
  expect([second.found.kept, second.found.retried, second.counts.predicted]).toEqual([2, 2, 2]);
  const engine = createRowPredictor('engine', worldsOfRows({ folders: [at.data] }));
  const third = await runInfer(openDataSet([at.data]), engine, {
    out: `${at.out}.jsonl`,
    facts: {},
    jobs: 1,
  });
  expect(third.reasons).toEqual({ 'the row names no world; --world gives one for all such rows': 4 });
});

test('a world that a row names outside the folder of its data is not opened', async () => {
  const at = place([row(1, 1, { world: '../secret.yaml' }), row(2, 1, { world: 'none.yaml' })]);
  const engine = createRowPredictor('engine', worldsOfRows({ folders: [at.data] }));
  const report = await runInfer(openDataSet([at.data]), engine, { out: at.out, facts: {}, jobs: 1 });
  expect(report.reasons).toEqual({
    'its world ../secret.yaml lies outside the folder of the data': 1,
    'its world none.yaml is not beside the data': 1,
  });
});

test('when nothing works the run stops, and says with what', async () => {
  const at = place(Array.from({ length: 200 }, (_, id) => row(id, 1)));
  const language = createScriptedModel([]);
  const report = await infer(at, language);
  expect(report.stopped).toMatch(
    /^2[45] rows failed one after another, the last with: the script has no answer left/,
  );
  expect(report.done).toBeLessThan(30);
});
