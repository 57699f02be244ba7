/**
 * Where computing ends: the model answers with what it needs to know, the world abstains, or filler says that it is one.
 */
import { expect, test } from 'vitest';
import type { GenerateRequest, LanguageModel } from '../core/index.js';
import {
  testCall as call,
  createScriptedModel,
  createTestWorld,
  testTool,
  type WorldParts,
} from '../testing/index.js';
import { openEpisode } from './episode.js';

const TEXT = { type: 'string' };
const OUTPUT = {
  type: 'object',
  properties: { celsius: { type: 'number' }, sky: { type: 'string' } },
  required: ['celsius', 'sky'],
};

const PARTS: WorldParts = {
  state: { data: { trips: [{ id: 't1', city: 'Oslo', day: '2026-03-02' }] } },
  tools: [
    testTool('get_weather', { city: TEXT }, { description: 'Weather of a city now', outputSchema: OUTPUT }),
    testTool('translate_text', { text: TEXT, language: TEXT }, { description: 'Translates a text' }),
    testTool('list_trips', {}),
    testTool('create_trip', { city: TEXT }),
  ],
  demonstrations: [
    {
      action: { name: 'get_weather', arguments: { city: 'Rome' } },
      observation: '{"celsius":21,"sky":"clear"}',
    },
  ],
};

/** A scripted model that keeps what it was asked. */
function listening(answers: readonly string[]): { model: LanguageModel; asked: GenerateRequest[] } {
  const script = createScriptedModel(answers.map((text) => ({ text })));
  const asked: GenerateRequest[] = [];
  const model: LanguageModel = Object.assign(Object.create(script) as LanguageModel, {
    generate: (request: GenerateRequest) => {
      asked.push(request);
      return script.generate(request);
    },
  });
  return { model, asked };
}

test('the model is given the tool with its schemas, the examples and the rows, and its words fit the output schema', async () => {
  const { model, asked } = listening(['{"celsius":"cold","sky":"grey"}', '{"celsius":-3,"sky":"grey"}']);
  const episode = await openEpisode(createTestWorld(PARTS), { model });
  const step = await episode.step(call('get_weather', { city: 'Oslo' }));
  expect([step.observation, step.value]).toEqual([
    '{"celsius":-3,"sky":"grey"}',
    { celsius: -3, sky: 'grey' },
  ]);
  expect(step.origins.map(({ origin }) => origin)).toEqual(['predicted']);
  const prompt = asked[0]?.messages.map(({ content }) => content).join('\n') ?? '';
  for (const part of [
    'get_weather',
    'Weather of a city now',
    'celsius',
    'Rome',
    'clear',
    'Oslo',
    '2026-03-02',
  ])
    expect(prompt).toContain(part);
  expect(asked).toHaveLength(2);
});

test('what the model said is remembered until the state changes', async () => {
  const { model, asked } = listening(['{"celsius":1,"sky":"grey"}', '{"celsius":9,"sky":"blue"}']);
  const episode = await openEpisode(createTestWorld(PARTS), { model });
  const seen: (string | null)[] = [];
  for (const action of [
    call('get_weather', { city: 'Oslo' }),
    call('get_weather', { city: 'Oslo' }),
    call('create_trip', { city: 'Bergen' }),
    call('get_weather', { city: 'Oslo' }),
  ])
    seen.push((await episode.step(action)).observation);
  expect([seen[0] === seen[1], seen[3]]).toEqual([true, '{"celsius":9,"sky":"blue"}']);
  expect(asked).toHaveLength(2);
});

test('without a model a strict world abstains, and another gives filler whose origin says so', async () => {
  const strict = await openEpisode(createTestWorld({ ...PARTS, strict: true }));
  const none = await strict.step(call('translate_text', { text: 'hei', language: 'en' }));
  expect([none.status, none.observation]).toEqual(['abstained', null]);
  const loose = await openEpisode(createTestWorld(PARTS));
  const filler = await loose.step(call('get_weather', { city: 'Oslo' }));
  expect(filler.status).toBe('ok');
  expect(filler.origins.map(({ origin }) => origin)).toContain('generated');
  expect(filler.origins.map(({ origin }) => origin)).not.toContain('predicted');
});
