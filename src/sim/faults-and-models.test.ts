import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import type { GenerateRequest, LanguageModel } from '../core/index.js';
import { testCall as call, createScriptedModel } from '../testing/index.js';
import { openEpisode } from './episode.js';
import { helpDeskWorld } from './help-desk.contract.js';
import { recordedOptions } from './replay-trajectory.js';

const GET = call('ticket_get', { id: 'T-1' });
const FINE = JSON.stringify({
  id: 'T-1',
  status: 'open',
  currency: 'EUR',
  due: '2026-02-03T08:30:00Z',
  tags: [],
  title: 'Straße zu dunkel',
  cost_cents: 1999,
  priority: 2,
});
const TIMEOUT: FaultSpec = { kind: 'timeout', on: 'ticket_get', with: { seconds: 30 } };

/** A model that says one thing and remembers what it was told. */
function listening(...texts: string[]): LanguageModel & { readonly asked: GenerateRequest[] } {
  const asked: GenerateRequest[] = [];
  const model = createScriptedModel(texts.map((text) => ({ text })));
  return {
    name: 'listening',
    asked,
    generate: (request) => {
      asked.push(request);
      return model.generate(request);
    },
  };
}

async function played(faults: readonly FaultSpec[], ...texts: string[]) {
  const model = listening(...texts);
  const episode = await openEpisode(helpDeskWorld(), { faults, model, route: 'model' });
  const results = [];
  for (let turn = 0; turn < texts.length; turn++) results.push(await episode.step(GET));
  return { model, episode, results, first: results[0] };
}

test('a model is told what is scheduled, and with each call what is due', async () => {
  const { model } = await played([{ ...TIMEOUT, when: { calls: [2] } }], FINE, FINE);
  const [quiet, due] = model.asked.map(({ messages }) => messages.map(({ content }) => String(content)));
  expect(quiet?.[0]).toContain('- timeout: The call times out.');
  expect(quiet?.at(-1)).toContain('Due now: nothing.');
  expect(due?.at(-1)).toContain(
    "Due now: timeout. The call times out. Before: nothing happened. After: it happened and the answer was lost. The agent sees the same text.\nThis call fails so. Answer with the text that the caller sees, and with nothing else. The service would say:\nError: call of 'ticket_get' timed out after 30 seconds",
  );
});

test('a model that says the failure is believed, in its own words', async () => {
  const said = 'Request timeout: no answer within 30 s';
  const { first } = await played([TIMEOUT], said);
  expect([first?.observation, first?.meta?.isError, first?.flags]).toEqual([said, true, []]);
  expect(first?.origins.map(({ origin }) => origin)).toEqual(['predicted']);
  expect(first?.meta?.durationMs).toBeGreaterThanOrEqual(30_000);
});

test('a model that ignores the failure does not make it disappear, and the turn says so', async () => {
  const { first } = await played([TIMEOUT], FINE);
  expect(first?.observation).toBe("Error: call of 'ticket_get' timed out after 30 seconds");
  expect([first?.flags, first?.faults.map(({ kind }) => kind)]).toEqual([['fault-enforced'], ['timeout']]);
  expect(first?.origins.map(({ origin }) => origin)).toEqual(['fault']);
});

test('a model that says the failure without its waiting time is overruled', async () => {
  const limit: FaultSpec = { kind: 'rate-limit', on: 'ticket_get', with: { retryAfterSeconds: 17 } };
  const vague = await played([limit], 'Error 429: too many requests, slow down');
  expect(vague.first?.flags).toEqual(['fault-enforced']);
  expect(vague.first?.observation).toBe('Error 429: Too Many Requests\nRetry-After: 17');
  const exact = await played([limit], '{"status":429,"message":"Too many requests, wait 17 seconds"}');
  expect(exact.first?.flags).toEqual([]);
});

test('a model that fails to answer does not make the failure disappear', async () => {
  const model = createScriptedModel([{ error: 'no connection' }]);
  const episode = await openEpisode(helpDeskWorld(), { faults: [TIMEOUT], model, route: 'model' });
  const result = await episode.step(GET);
  expect([result.status, result.flags, result.meta?.isError]).toEqual(['ok', ['fault-enforced'], true]);
});

test('a failure that nobody scheduled is marked, with faults elsewhere or with none', async () => {
  const isMarked = async (faults: readonly FaultSpec[], text: string) =>
    (await played(faults, text)).first?.flags.includes('unscheduled-fault');
  for (const faults of [[], [{ ...TIMEOUT, on: 'ticket_list' }]]) {
    expect(await isMarked(faults, 'Error 503: Service Unavailable')).toBe(true);
    expect(await isMarked(faults, 'Too many requests')).toBe(true);
    expect(await isMarked(faults, FINE)).toBe(false);
  }
});

test('words about failures in a good answer are no failure', async () => {
  const body = `The log of last week: ${'all was well. '.repeat(20)} One request timed out on Monday.`;
  // It says nothing of the ticket that was asked for, which is another matter.
  expect((await played([], body)).first?.flags).toEqual(['inconsistent']);
});

test('a fault after the call is decided on what the model said, and what it said has happened', async () => {
  const made = '{"id":"T-9","title":"Lamp","status":"open"}';
  const model = createScriptedModel([{ match: 'ticket_create', text: made }]);
  const faults: FaultSpec[] = [{ kind: 'timeout', on: 'ticket_create', phase: 'after' }];
  const episode = await openEpisode(helpDeskWorld(), { faults, model, route: 'model' });
  const result = await episode.step(call('ticket_create', { title: 'Lamp' }));
  expect(result.observation).toBe("Error: call of 'ticket_create' timed out after 60 seconds");
  const { tickets } = (episode.view() as { data: { tickets: { id: string }[] } }).data;
  expect(tickets.map(({ id }) => id)).toEqual(['T-1', 'T-2', 'T-3', 'T-9']);
});

test('what cannot be broken without an engine is refused on the route of a model', async () => {
  const open = (fault: FaultSpec) =>
    openEpisode(helpDeskWorld(), { faults: [fault], model: createScriptedModel([]), route: 'model' });
  await expect(open({ kind: 'lost-update' })).rejects.toThrow(
    /cannot strike the writes of a call on the route 'model'/,
  );
  await expect(open({ kind: 'partial-failure' })).rejects.toThrow(
    /cannot strike tool.item on the route 'model'/,
  );
  await expect(open({ kind: 'error', on: 'data.write' })).rejects.toThrow(/cannot strike data.write/);
});

test('a recorded episode with faults that a model spoke is played again without it', async () => {
  const { episode } = await played([TIMEOUT], 'Request timeout after 30 s', FINE);
  const trajectory = { ...episode.header(), turns: [...episode.turns] };
  const again = await openEpisode(helpDeskWorld(), recordedOptions(trajectory));
  for (const turn of episode.turns) {
    const { observation } = await again.step(turn.action);
    expect(observation).toBe(turn.observation);
  }
});
