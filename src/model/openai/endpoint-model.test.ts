import { expect, test } from 'vitest';
import { completionBody, startTestEndpoint } from '../../testing/index.js';
import { createEndpointModel } from './endpoint-model.js';
import { parseEndpointSpec } from './model-spec.js';
import { createSpendMeter } from './spend-meter.js';

const MESSAGES = [{ role: 'user' as const, content: 'hi' }];

test('a server that ignores n is asked again for the samples that are missing', async () => {
  const endpoint = await startTestEndpoint((_request, index) => ({
    body: [completionBody({ content: `s${index}` })],
  }));
  try {
    const model = createEndpointModel({ model: 'm', baseUrl: endpoint.baseUrl });
    const generation = await model.generate({ messages: MESSAGES, n: 3 });
    expect(generation.ok && generation.value.samples.map((sample) => sample.text)).toEqual([
      's0',
      's1',
      's2',
    ]);
    expect(generation.ok && generation.value.usage).toEqual({ promptTokens: 27, completionTokens: 12 });
    expect(endpoint.requests.map(({ body }) => (body as { n?: number }).n)).toEqual([3, 2, undefined]);
    expect(model.name).toBe(`m@${endpoint.baseUrl}`);
  } finally {
    await endpoint.close();
  }
});

test('token ids and log-probabilities are given where the server gives them', async () => {
  const logprobs = {
    content: [
      { token: 'token_id:7', logprob: -0.5 },
      { token: 'token_id:9', logprob: -1 },
    ],
  };
  const choices = [{ index: 0, message: { content: 'ok' }, finish_reason: 'stop', logprobs }];
  const endpoint = await startTestEndpoint([{ body: [completionBody({}, { choices })] }]);
  try {
    const model = createEndpointModel({ model: 'm', baseUrl: endpoint.baseUrl, stream: false });
    const generation = await model.generate({ messages: MESSAGES, logprobs: true });
    expect(generation.ok && generation.value.samples[0]?.tokens).toEqual([
      { id: 7, logprob: -0.5 },
      { id: 9, logprob: -1 },
    ]);
  } finally {
    await endpoint.close();
  }
});

test('when the budget is used up no further question is sent', async () => {
  const endpoint = await startTestEndpoint([{ body: [completionBody({ content: 'ok' })] }]);
  try {
    const meter = createSpendMeter({ maxCost: 0.00002, pricePerMillion: { prompt: 1, completion: 2 } });
    const model = createEndpointModel({ model: 'm', baseUrl: endpoint.baseUrl, meter });
    expect((await model.generate({ messages: MESSAGES })).ok).toBe(true);
    expect((await model.generate({ messages: MESSAGES })).ok).toBe(true);
    const third = await model.generate({ messages: MESSAGES });
    expect(third.ok ? null : third.error.data.kind).toBe('budget');
    expect(endpoint.requests).toHaveLength(2);
    expect(meter.spent).toEqual({
      calls: 2,
      promptTokens: 18,
      completionTokens: 8,
      unreported: 0,
      cost: 0.000034,
    });
  } finally {
    await endpoint.close();
  }
});

test('a model and its endpoint are split at the last @http', () => {
  expect(parseEndpointSpec('org/m@2@http://localhost:8000/v1')).toEqual({
    model: 'org/m@2',
    baseUrl: 'http://localhost:8000/v1',
  });
  expect(parseEndpointSpec('@http://localhost')).toBeUndefined();
  expect(parseEndpointSpec('engine')).toBeUndefined();
});
