import { expect, test } from 'vitest';
import type { Turn, WorldModel } from '../core/index.js';
import { testCall as call, createScriptedModel } from '../testing/index.js';
import { createEngineWorldModel } from './engine-world-model.js';
import { openEpisode } from './episode.js';
import { createRecordingWorldModel } from './recording-world-model.js';
import { testWorldModel } from './world-model.contract.js';
import { libraryWorld, stockWorld, ticketWorld } from './worlds.contract.js';

function turn(action: string, observation: string): Turn {
  return { action, observation, status: 'ok' };
}

const CLOCK = call('clock');
const LIST = call('list');

function session(): WorldModel {
  return createRecordingWorldModel([
    {
      trajectory: 1,
      id: 'session-1',
      domain: 'mcp',
      source: {},
      system: { text: '', demonstrations: [] },
      meta: {},
      turns: [turn(CLOCK, '10:00'), turn(LIST, '[a]'), turn(CLOCK, '10:05'), turn(CLOCK, '10:05')],
    },
  ]);
}

async function ask(model: WorldModel, actions: readonly string[]) {
  const live = await model.open();
  const results = [];
  for (const action of actions) results.push(await live.step(action));
  return results;
}

test('a recording replays first in, first out per call, in any order between calls', async () => {
  const texts = async (actions: readonly string[]) =>
    (await ask(session(), actions)).map(({ observation }) => observation);
  expect(await texts([CLOCK, LIST, CLOCK, CLOCK])).toEqual(['10:00', '[a]', '10:05', '10:05']);
  expect(await texts([LIST, CLOCK, CLOCK, CLOCK])).toEqual(['[a]', '10:00', '10:05', '10:05']);
  const openai = '{"type":"function","function":{"name":"clock","arguments":"{}"}}';
  expect(await texts([openai])).toEqual(['10:00']);
});

test('a call that was used up fails, and is not answered from anything else', async () => {
  const results = await ask(session(), [CLOCK, CLOCK, CLOCK, CLOCK, LIST]);
  expect(results[3]).toMatchObject({ status: 'abstained', observation: null, flags: ['no-recording'] });
  expect(results[3]?.reason).toContain('no recording left for clock');
  expect(results[4]?.observation).toBe('[a]');
});

test('a call that was never recorded fails and names the nearest recorded call', async () => {
  const [result] = await ask(session(), [call('list', { all: true })]);
  expect([result?.status, result?.observation]).toEqual(['abstained', null]);
  expect(result?.reason).toBe('no recording for list {"all":true}; the nearest recorded call is list {}');
});

test('the order of argument keys does not matter to a recording', async () => {
  const recorded = turn('{"name":"add","arguments":{"a":1,"b":{"c":2,"d":3}}}', 'ok');
  const model = createRecordingWorldModel([
    {
      trajectory: 1,
      id: 'x',
      domain: 'mcp',
      source: {},
      system: { text: '', demonstrations: [] },
      meta: {},
      turns: [recorded],
    },
  ]);
  const [result] = await ask(model, ['{"arguments":{"b":{"d":3,"c":2},"a":1},"name":"add"}']);
  expect(result?.observation).toBe('ok');
  expect(result?.origins).toEqual([{ start: 0, end: 2, origin: 'recorded', ref: 'x' }]);
});

test('predict on a recording counts the same calls of the history, and live episodes do not share their place', async () => {
  const model = session();
  const system = { text: '', demonstrations: [] };
  const history = [turn(CLOCK, 'anything'), turn(LIST, 'anything')];
  expect((await model.predict({ system, history, action: CLOCK })).observation).toBe('10:05');
  expect((await model.predict({ system, history: [], action: CLOCK })).observation).toBe('10:00');
  await ask(model, [CLOCK, CLOCK, CLOCK]);
  expect((await ask(model, [CLOCK]))[0]?.observation).toBe('10:00');
});

test('a live recording ends with finish and is unscored', async () => {
  const live = await session().open();
  const end = await live.finish('x');
  expect([live.done, end.done, end.reward, end.score?.status]).toEqual([true, true, null, 'unscored']);
  await expect(live.step(CLOCK)).rejects.toMatchObject({ code: 'usage/episode-done' });
});

test('an answer ends a live recording, as it ends the episode that was recorded', async () => {
  const live = await session().open();
  const end = await live.step('{"answer":"x"}');
  expect([live.done, end.done, end.status, end.observation]).toEqual([true, true, 'ok', '']);
  await expect(live.step(CLOCK)).rejects.toMatchObject({ code: 'usage/episode-done' });
});

test('a recording of a simulated world keeps its origins', async () => {
  const episode = await openEpisode(libraryWorld(), { model: createScriptedModel([{ text: 'Nine.' }]) });
  const action = call('opening_hours', { day: 'Monday' });
  await episode.step(action);
  const model = createRecordingWorldModel([{ ...episode.header(), turns: [...episode.turns] }]);
  const [result] = await ask(model, [action]);
  expect(result?.origins.map(({ origin }) => origin)).toEqual(['predicted']);
  expect(JSON.stringify(result?.meta)).not.toContain('model');
});

test('a world predicts the next observation from its own history', async () => {
  const world = ticketWorld();
  const episode = await openEpisode(world);
  await episode.step(call('ticket_create', { title: 'a' }));
  await episode.step(call('ticket_close', { id: 'T-1' }));
  const model = createEngineWorldModel(world);
  expect(model.name).toBe('engine:tickets');
  const request = { system: episode.header().system, history: episode.turns, action: call('ticket_list') };
  const prediction = await model.predict(request);
  const lived = await episode.step(call('ticket_list'));
  expect([prediction.observation, prediction.origins]).toEqual([lived.observation, lived.origins]);
});

test('a foreign history is absorbed: what it showed is what the world goes on from', async () => {
  const model = createEngineWorldModel(stockWorld());
  const history = [turn(call('stock_get', { item: 'bolts' }), '{"item":"bolts","quantity":500}')];
  const action = call('ship', { item: 'bolts', quantity: 1 });
  const { observation } = await model.predict({ system: { text: '', demonstrations: [] }, history, action });
  expect(observation).toContain('499');
});

test('an error in a foreign history did not happen, whatever its words are', async () => {
  const model = createEngineWorldModel(ticketWorld());
  const count = async (meta: Turn['meta']) => {
    const create = call('ticket_create', { title: 'lamp' });
    const history = [{ ...turn(create, 'database locked'), ...(meta && { meta }) }];
    const { observation } = await model.predict({
      system: { text: '', demonstrations: [] },
      history,
      action: call('ticket_list'),
    });
    return observation?.includes('lamp');
  };
  expect([await count({ isError: true }), await count(undefined)]).toEqual([false, true]);
});

test('a grounded world model asks its model for the action, never for the history', async () => {
  let asked = 0;
  const scripted = createScriptedModel([{ text: 'Nine.' }]);
  const model = createEngineWorldModel(libraryWorld(), {
    model: {
      name: 'counted',
      generate: (request) => {
        asked++;
        return scripted.generate(request);
      },
    },
  });
  const history = [turn(call('opening_hours', { day: 'Sunday' }), 'Closed.')];
  const action = call('opening_hours', { day: 'Monday' });
  const prediction = await model.predict({ system: { text: '', demonstrations: [] }, history, action });
  expect([prediction.status, prediction.observation, asked]).toEqual(['ok', 'Nine.', 1]);
  expect(model.name).toBe('grounded:library');
});

test('a world model opens live episodes with the seed that is asked for', async () => {
  const model = createEngineWorldModel(ticketWorld({ state: { generate: { tickets: 5 } } }), { seed: 1 });
  const list = async (seed?: number) =>
    (await (await model.open(seed === undefined ? {} : { seed })).step(call('ticket_list'))).observation;
  expect(await list()).toBe(await list(1));
  expect(await list(2)).not.toBe(await list(1));
});

testWorldModel('recording', {
  create: session,
  actions: [CLOCK, LIST, CLOCK],
  unanswerable: call('never'),
});

testWorldModel('engine', {
  create: () => createEngineWorldModel(libraryWorld({ strict: true })),
  actions: [call('book_list'), call('book_lend', { id: 'b1', reader: 'Ada' }), call('book_list'), 'nonsense'],
  unanswerable: call('opening_hours', { day: 'Monday' }),
});

testWorldModel('grounded', {
  create: () =>
    createEngineWorldModel(libraryWorld(), {
      model: createScriptedModel([{ match: 'Monday', text: 'Nine.' }]),
    }),
  actions: [call('opening_hours', { day: 'Monday' }), call('book_list')],
  unanswerable: call('opening_hours', { day: 'Sunday' }),
});
