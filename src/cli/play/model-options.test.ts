/**
 * `--model-options` and `ai-sdk:FILE#NAME`: what is taken, and what is refused with the next step.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { completionBody, startTestEndpoint } from '../../testing/index.js';
import { readModelOptions } from './model-options.js';
import { chooseModel, languageModelOf } from './model-spec.js';

afterAll(() => vi.unstubAllEnvs());
const folder = mkdtempSync(join(tmpdir(), 'umwelt-options-'));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('options come from the flag, a file or the environment, and the flag wins', () => {
  expect(readModelOptions({})).toEqual({});
  vi.stubEnv('UMWELT_MODEL_OPTIONS', '{"temperature":1}');
  expect(readModelOptions({})).toEqual({ temperature: 1 });
  const path = file('options.json', '{"maxTokens":900,"body":{"a":[1]}}');
  expect(readModelOptions({ 'model-options': path })).toEqual({ maxTokens: 900, body: { a: [1] } });
  vi.unstubAllEnvs();
});

test.each([
  ['{"tempratur":1}', 'has the unknown key "tempratur" (did you mean "temperature"?)'],
  ['{"temperature":"hot"}', 'temperature: '],
  ['{"maxCost":1}', 'maxCost: needs pricePerMillion'],
  ['{', 'is not JSON'],
])('the options %s are refused with what is wrong', (text, why) => {
  expect(() => readModelOptions({ 'model-options': text })).toThrow(why);
});

test('a model is asked as the options say, and a used-up budget stops it', async () => {
  const endpoint = await startTestEndpoint([{ body: [completionBody({ content: 'ok' })] }]);
  const options = readModelOptions({
    'model-options':
      '{"maxTokens":7,"maxTokensName":"max_completion_tokens","stream":false,"maxCost":0.00001,"pricePerMillion":{"prompt":1,"completion":1}}',
  });
  const model = languageModelOf(await chooseModel(`m@${endpoint.baseUrl}`, options));
  const ask = () => model?.generate({ messages: [{ role: 'user', content: 'x' }] });
  const first = await ask();
  const second = await ask();
  await endpoint.close();
  expect([first?.ok, second?.ok, endpoint.requests.length]).toEqual([true, false, 1]);
  expect(endpoint.requests[0]?.body).toMatchObject({
    temperature: 0.6,
    max_completion_tokens: 7,
    stream: false,
  });
});

test('a text that starts inside the thinking has no answer until the thinking closes', async () => {
  const endpoint = await startTestEndpoint([
    { body: [completionBody({ content: 'the folder is empty, so' })] },
    { body: [completionBody({ content: 'it is empty</think>total 0' })] },
  ]);
  const model = languageModelOf(await chooseModel(`m@${endpoint.baseUrl}`, { startsInThinking: true }));
  const texts = [];
  for (let i = 0; i < 2; i++) {
    const said = await model?.generate({ messages: [{ role: 'user', content: 'x' }] });
    texts.push(said?.ok === true ? said.value.samples[0]?.text : null);
  }
  await endpoint.close();
  expect(texts).toEqual(['<think>the folder is empty, so', '<think>it is empty</think>total 0']);
});

test('a module of the user brings any model of the AI SDK', async () => {
  const path = file(
    'mine.mjs',
    "export const mine = { provider: 'p', modelId: 'm', doGenerate: async () => ({ content: [{ type: 'text', text: 'hello' }], finishReason: 'stop', usage: {} }) };\n",
  );
  const model = languageModelOf(await chooseModel(`ai-sdk:${path}#mine`));
  const said = await model?.generate({ messages: [{ role: 'user', content: 'x' }] });
  expect(said).toMatchObject({ ok: true, value: { samples: [{ text: 'hello' }] } });
  await expect(chooseModel(`ai-sdk:${path}#mien`)).rejects.toThrow('did you mean #mine?');
  await expect(chooseModel('ai-sdk:')).rejects.toThrow('names no file');
  await expect(chooseModel(`ai-sdk:${join(folder, 'none.mjs')}#x`)).rejects.toThrow('cannot be loaded');
});
