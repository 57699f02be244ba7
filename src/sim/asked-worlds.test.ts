/**
 * Worlds of domains without an engine: a language model says each observation, code remembers, the guard looks at the form.
 */
import { expect, test } from 'vitest';
import type { GenerateRequest, LanguageModel } from '../core/index.js';
import { createScriptedModel, createTestWorld } from '../testing/index.js';
import { createEngineWorldModel, createPromptedWorldModel, openEpisode, restoreEpisode } from './index.js';

const screen = (text: string): string =>
  `<hierarchy rotation="0"><node index="0" text="${text}" resource-id="a:id/title" class="android.widget.TextView" package="a" content-desc="" clickable="true" bounds="[0,0][1080,200]" /></hierarchy>`;

const PHONE = {
  domain: 'android',
  tools: undefined,
  state: { apps: ['Clock'], screen: screen('Home') },
} as const;
const TAP = '{"action_type":"click","x":540,"y":100}';

function listening(texts: readonly string[]): {
  readonly model: LanguageModel;
  readonly asked: GenerateRequest[];
} {
  const script = createScriptedModel(
    texts.map((text) => ({ text: `<predicted_observation>\n${text}\n</predicted_observation>` })),
  );
  const asked: GenerateRequest[] = [];
  return {
    asked,
    model: {
      name: 'listening',
      generate: (request) => {
        asked.push(request);
        return script.generate(request);
      },
    },
  };
}

test('a phone is lived in with a model: system prompt, turns as messages, the last screen before the action', async () => {
  const { model, asked } = listening([screen('Clock'), screen('Alarm')]);
  const episode = await openEpisode(createTestWorld(PHONE), { model });
  const first = await episode.step(TAP);
  const second = await episode.step(TAP);
  expect([first.observation, second.observation]).toEqual([screen('Clock'), screen('Alarm')]);
  expect(second.origins.map(({ origin }) => origin)).toEqual(['predicted']);
  expect(second.meta?.guard).toEqual({ attempts: 1, checked: 0 });
  expect(asked[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  const [system, , answer, now] = asked[1]?.messages.map(({ content }) => content) ?? [];
  expect(system).toContain('"Clock"');
  expect(answer).toBe(screen('Clock'));
  expect(now).toContain(`**Current State:**`);
  expect(now).toContain('### Turn 2\n**Action:**\n');
  expect(asked[0]?.messages[0]?.content).toBe(system);
});

test('a screen that is no well-formed tree is asked again, and flagged where it stays so', async () => {
  const broken = '<hierarchy><node text="a"';
  const { model, asked } = listening([broken, screen('Clock'), broken, broken, broken]);
  const episode = await openEpisode(createTestWorld(PHONE), { model });
  const healed = await episode.step(TAP);
  expect([healed.observation, healed.flags, asked.length]).toEqual([screen('Clock'), [], 2]);
  const marked = await episode.step(TAP);
  expect([marked.observation, marked.flags]).toEqual([broken, ['guard:form']]);
  const { model: other } = listening([screen('Clock'), 'Clock, a text', 'Clock <hier', 'Clock, a text']);
  const changed = await openEpisode(createTestWorld(PHONE), { model: other });
  await changed.step(TAP);
  expect((await changed.step(TAP)).flags).toEqual(['guard:form']);
});

test('an action that ends, a text that is no action, and a snapshot are as in every world', async () => {
  const { model } = listening([screen('Clock'), screen('Alarm')]);
  const episode = await openEpisode(createTestWorld(PHONE), { model });
  await episode.step(TAP);
  const restored = await restoreEpisode(createTestWorld(PHONE), episode.snapshot(), { model });
  expect(restored.view()).toEqual(episode.view());
  expect((await restored.step('dance')).status).toBe('malformed');
  const end = await restored.step('{"action_type":"answer","text":"seven"}');
  expect([end.done, restored.end?.answer]).toEqual([true, 'seven']);
});

test('without a model there is nobody to answer, and the error says what to give', async () => {
  await expect(openEpisode(createTestWorld(PHONE))).rejects.toThrow(
    /only a language model can answer in it; give one/,
  );
  await expect(
    openEpisode(createTestWorld(PHONE), { model: listening([]).model, route: 'engine' }),
  ).rejects.toMatchObject({
    code: 'usage/not-built',
  });
});

test('as a world model it predicts after a foreign history', async () => {
  const { model, asked } = listening([screen('Alarm')]);
  const world = createEngineWorldModel(createTestWorld(PHONE), { model });
  const history = [{ action: TAP, observation: screen('Clock'), status: 'ok' as const }];
  const system = { text: '', demonstrations: [] };
  const { status, observation } = await world.predict({ system, history, action: TAP });
  expect([status, observation]).toEqual(['ok', screen('Alarm')]);
  expect(asked[0]?.messages.at(-1)?.content).toContain('Clock');
});

const PROMPT = [
  'You are a tool world model. Simulate the Model Context Protocol server below.',
  '# Available Tools',
  '{"name":"room_book","description":"Books a room.","inputSchema":{"type":"object","properties":{"room":{"type":"string"}},"required":["room"]}}',
  '# Simulation Instruction',
  '**Target Query**: Which room is free in the north wing tonight?',
  '**Reference Answer**: Room Juniper 12',
].join('\n');

test('a prompt that somebody else wrote is sent word for word, with the actions as they are', async () => {
  const { model, asked } = listening(['booked', 'booked again']);
  const world = createPromptedWorldModel({ model });
  const system = { text: PROMPT, demonstrations: [] };
  const action = '### Turn 2\n**Action:**\n```json\n{"name":"room_book","arguments":{"room":"Fern 3"}}\n```';
  const history = [
    {
      action: '### Turn 1\n**Action:**\n{"name":"room_list","arguments":{}}',
      observation: 'Fern 3',
      status: 'ok' as const,
    },
  ];
  expect(await world.predict({ system, history, action })).toMatchObject({
    status: 'ok',
    observation: 'booked',
  });
  expect(asked[0]?.messages).toEqual([
    { role: 'system', content: PROMPT },
    { role: 'user', content: history[0]?.action },
    { role: 'assistant', content: 'Fern 3' },
    { role: 'user', content: action },
  ]);
});

test('what such a prompt hides is not said, and one of no domain is abstained with the reason', async () => {
  const { model } = listening([
    'Take ROOM juniper  12',
    'R-o-o-m J-u-n-i-p-e-r 1-2',
    'Room Fern 3 is taken.',
  ]);
  const live = await createPromptedWorldModel({ model, prompt: PROMPT }).open();
  const { observation } = await live.step('{"name":"room_book","arguments":{"room":"Fern 3"}}');
  expect(observation).toBe('Room Fern 3 is taken.');
  const nobody = await createPromptedWorldModel({ model }).predict({
    system: { text: 'You are helpful.', demonstrations: [] },
    history: [],
    action: 'x',
  });
  expect([nobody.status, nobody.observation, nobody.flags]).toEqual(['abstained', null, ['unknown-domain']]);
});

test('a history that is too long keeps its first and last turns, and code sums up the rest', async () => {
  const { model, asked } = listening(['fine']);
  const world = createPromptedWorldModel({ model, promptTokens: 2_000 });
  const history = Array.from({ length: 200 }, (_none, at) => ({
    action: `{"name":"room_book","arguments":{"room":"Fern ${at}"}}`,
    observation: `booked number ${at} in the book of the house`,
    status: 'ok' as const,
  }));
  await world.predict({
    system: { text: PROMPT, demonstrations: [] },
    history,
    action: history[7]?.action ?? '',
  });
  const messages = asked[0]?.messages.map(({ content }) => content) ?? [];
  expect(messages[1]).toBe(history[0]?.action);
  expect(messages.at(-2)).toBe(history[199]?.observation);
  expect(messages.at(-1)).toMatch(/^\(\d+ turns in between are not shown/);
  expect(messages.length).toBeLessThan(150);
});
