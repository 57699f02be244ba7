/**
 * Models of the AI SDK, with the SDK's own provider on a real socket, and both versions of its interface.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, test } from 'vitest';
import { completionBody, startTestEndpoint } from '../testing/index.js';
import { type AiSdkLanguageModel, createAiSdkModel } from './ai-sdk-model.js';
import { createSpendMeter } from './openai/spend-meter.js';

const ASK = { messages: [{ role: 'user', content: 'size?' }] } as const;
const CLOCK = { now: () => 0, random: () => 0, sleep: async () => undefined };

test('a provider of the SDK answers with text, thinking, tokens and the reason why it ended', async () => {
  const endpoint = await startTestEndpoint([
    { status: 503, body: ['{"error":{"message":"busy"}}'] },
    { body: [completionBody({ content: '42 bytes', reasoning_content: 'check size first' })] },
  ]);
  const provider = createOpenAICompatible({ name: 'local', baseURL: endpoint.baseUrl, apiKey: 'sk-secret' });
  const meter = createSpendMeter({ pricePerMillion: { prompt: 1_000_000, completion: 1_000_000 } });
  const model = createAiSdkModel(provider.chatModel('m'), { temperature: 0.6, meter, clock: CLOCK });
  const said = await model.generate({ ...ASK, maxTokens: 50 });
  await endpoint.close();
  expect(said).toEqual({
    ok: true,
    value: {
      samples: [{ text: '42 bytes', reasoning: 'check size first', finishReason: 'stop' }],
      usage: { promptTokens: 9, completionTokens: 4 },
      model: 'm',
    },
  });
  expect([model.name, meter.spent.cost]).toEqual(['m@ai-sdk:local.chat', 13]);
  expect(endpoint.requests[1]?.body).toMatchObject({ model: 'm', temperature: 0.6, max_tokens: 50 });
  expect(JSON.stringify(said)).not.toContain('sk-secret');
});

test('failures are values: what can heal is tried again, what cannot is told at once', async () => {
  const endpoint = await startTestEndpoint([
    { status: 400, body: ['{"error":{"message":"context too long"}}'] },
  ]);
  const provider = createOpenAICompatible({ name: 'local', baseURL: endpoint.baseUrl });
  const said = await createAiSdkModel(provider.chatModel('m'), { clock: CLOCK }).generate(ASK);
  await endpoint.close();
  expect([said.ok, endpoint.requests.length]).toEqual([false, 1]);
  if (!said.ok)
    expect([said.error.code, said.error.message]).toEqual([
      'provider/failed',
      expect.stringContaining('context too long'),
    ]);
});

function answering(result: unknown): AiSdkLanguageModel {
  return { provider: 'p', modelId: 'm', doGenerate: async () => result };
}

test('both versions of the interface are read, and what is no answer is no empty answer', async () => {
  const content = [{ type: 'text', text: 'a' }, { type: 'tool-call' }, { type: 'text', text: 'b' }];
  const two = { content, finishReason: 'length', usage: { inputTokens: 3, outputTokens: 5 } };
  const three = {
    content,
    finishReason: { unified: 'length', raw: 'max' },
    usage: { inputTokens: { total: 3 }, outputTokens: { total: 5 } },
  };
  for (const result of [two, three]) {
    expect(await createAiSdkModel(answering(result)).generate({ ...ASK, n: 2 })).toMatchObject({
      ok: true,
      value: {
        samples: [{ text: 'ab', finishReason: 'length' }, { text: 'ab' }],
        usage: { promptTokens: 6, completionTokens: 10 },
      },
    });
  }
  for (const result of [undefined, {}, { ...two, finishReason: 'error' }])
    expect(await createAiSdkModel(answering(result)).generate(ASK)).toMatchObject({
      ok: false,
      error: { code: 'provider/bad-reply' },
    });
});

test('an abort ends the call with its reason, and a used-up budget sends nothing', async () => {
  const stop = new AbortController();
  const model = answering(undefined);
  const aborting: AiSdkLanguageModel = {
    ...model,
    doGenerate: () => {
      stop.abort(new Error('enough'));
      return Promise.reject(new Error('aborted'));
    },
  };
  await expect(createAiSdkModel(aborting).generate({ ...ASK, signal: stop.signal })).rejects.toThrow(
    'enough',
  );
  const meter = createSpendMeter({ maxTokens: 1 });
  meter.add({ promptTokens: 1, completionTokens: 1 });
  expect(await createAiSdkModel(model, { meter }).generate(ASK)).toMatchObject({
    ok: false,
    error: { data: { kind: 'budget' } },
  });
});
