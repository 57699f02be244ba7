import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import type { StepResult } from '../core/index.js';
import { testCall as call } from '../testing/index.js';
import { openEpisode } from './episode.js';
import { invoiceWorld, notesWorld, ticketWorld } from './worlds.contract.js';

type Agent = (act: (name: string, args?: object) => Promise<StepResult>) => Promise<StepResult | undefined>;

const ORDER = { customer: 'Ada', cents: 500 };

/** The agents of the hard case: each sees a timeout of its first `invoice_create`. */
const AGENTS: Readonly<Record<'a' | 'b' | 'c' | 'd', Agent>> = {
  a: async (act) => {
    await act('invoice_create', { ...ORDER, idempotency_key: 'k1' });
    return act('invoice_create', { ...ORDER, idempotency_key: 'k1' });
  },
  b: async (act) => {
    await act('invoice_create', { ...ORDER, idempotency_key: 'k1' });
    return act('invoice_create', { ...ORDER, idempotency_key: 'k2' });
  },
  c: async (act) => {
    await act('invoice_create', { ...ORDER, idempotency_key: 'k1' });
    return act('invoice_list');
  },
  d: async (act) => {
    await act('invoice_create', { ...ORDER, idempotency_key: 'k1' });
    return act('invoice_create', { ...ORDER, cents: 900, idempotency_key: 'k1' });
  },
};

async function run(agent: Agent, phase: 'before' | 'after') {
  const faults: FaultSpec[] = [
    { kind: 'timeout', on: 'invoice_create', phase, when: { calls: [1] }, with: { seconds: 10 } },
  ];
  const episode = await openEpisode(invoiceWorld({ faults }));
  const results: StepResult[] = [];
  const last = await agent(async (name, args = {}) => {
    const result = await episode.step(call(name, { ...args }));
    results.push(result);
    return result;
  });
  const { invoices } = (episode.view() as { data: { invoices: { id: unknown; cents: number }[] } }).data;
  return { invoices, last, first: results[0], turns: episode.turns };
}

test('a timeout after the write: the invoice exists, and only a fresh key writes it twice', async () => {
  const [a, b, c, d] = await Promise.all(Object.values(AGENTS).map((agent) => run(agent, 'after')));
  expect([a, b, c, d].map((one) => one?.invoices.length)).toEqual([1, 2, 1, 1]);
  expect(a?.last?.observation).toContain(JSON.stringify(a?.invoices[0]?.id));
  expect(c?.last?.observation).toContain('Ada');
  expect([d?.last?.meta?.isError, d?.invoices[0]?.cents]).toEqual([true, 500]);
});

test('a timeout before the write: nothing exists until the retry, so a, b and d have one invoice', async () => {
  const [a, b, c, d] = await Promise.all(Object.values(AGENTS).map((agent) => run(agent, 'before')));
  expect([a, b, c, d].map((one) => one?.invoices.length)).toEqual([1, 1, 0, 1]);
  expect(d?.invoices[0]?.cents).toBe(900);
});

test('both timeouts look the same to the agent, take their time, and the turn says which it was', async () => {
  const [before, after] = await Promise.all([run(AGENTS.a, 'before'), run(AGENTS.a, 'after')]);
  expect(before.first?.observation).toBe("Error: call of 'invoice_create' timed out after 10 seconds");
  expect(after.first?.observation).toBe(before.first?.observation);
  expect(after.first?.origins).toEqual([
    { start: 0, end: before.first?.observation?.length, origin: 'fault', ref: 'timeout' },
  ]);
  expect(after.first?.meta?.durationMs).toBeGreaterThanOrEqual(10_000);
  const said = (phase: 'before' | 'after') => [
    {
      kind: 'timeout',
      index: 0,
      phase,
      operation: 'tool.call invoice_create',
      permanent: false,
      visible: true,
      wrote: phase === 'after',
    },
  ];
  expect([before.first?.faults, after.first?.faults]).toEqual([said('before'), said('after')]);
  expect(after.turns[0]?.meta?.faults).toEqual(said('after'));
  expect(after.turns[1]?.meta?.faults).toBeUndefined();
});

const BATCH = {
  items: ['n1', 'n2', 'n3', 'n404'].map((id) => ({ id, tag: 'red' })),
};

function tagsOf(episode: { view(): unknown }): unknown {
  const { notes } = (episode.view() as { data: { notes: { id: string; tags: string[] }[] } }).data;
  return Object.fromEntries(notes.map(({ id, tags }) => [id, tags]));
}

function statuses(result: StepResult): unknown {
  const { results } = JSON.parse(result.observation ?? '') as { results: { status: string }[] };
  return results.map(({ status }) => status === 'ok');
}

test('a batch half works: results in request order, and the state agrees with them', async () => {
  const episode = await openEpisode(notesWorld());
  const result = await episode.step(call('tag_add_many', BATCH));
  expect(statuses(result)).toEqual([true, true, false, false]);
  expect(result.observation).toContain('locked');
  expect(result.observation).toContain('not found');
  expect(tagsOf(episode)).toEqual({ n1: ['red'], n2: ['red'], n3: [] });
  await episode.step(call('note_unlock', { id: 'n3' }));
  const again = await episode.step(call('tag_add_many', { items: [{ id: 'n3', tag: 'red' }] }));
  expect(statuses(again)).toEqual([true]);
  await episode.step(call('tag_add_many', BATCH));
  expect(tagsOf(episode)).toEqual({ n1: ['red'], n2: ['red'], n3: ['red'] });
});

test('partial failure fails chosen items of one batch and leaves the others written', async () => {
  const faults: FaultSpec[] = [
    { kind: 'partial-failure', on: 'tag_add_many', when: { calls: [1] }, with: { items: [1] } },
  ];
  const episode = await openEpisode(notesWorld({ faults }));
  const result = await episode.step(call('tag_add_many', BATCH));
  expect(statuses(result)).toEqual([true, false, false, false]);
  expect(result.observation).toContain('item could not be processed');
  expect(result.faults).toEqual([
    {
      kind: 'partial-failure',
      index: 0,
      phase: 'before',
      operation: 'tool.item tag_add_many',
      permanent: false,
      visible: true,
      wrote: false,
    },
  ]);
  expect(tagsOf(episode)).toEqual({ n1: ['red'], n2: [], n3: [] });
  expect(statuses(await episode.step(call('tag_add_many', BATCH)))).toEqual([true, true, false, false]);
});

test('an error that goes on until the second retry is over then, and Retry-After is told', async () => {
  const faults: FaultSpec[] = [
    {
      kind: 'error',
      on: 'ticket_create',
      when: { until: { retries: 2 } },
      with: { status: 429, message: 'slow down', retryAfterSeconds: 2 },
    },
  ];
  const episode = await openEpisode(ticketWorld({ faults }));
  const texts = [];
  for (const title of ['a', 'a ', ' a']) {
    texts.push((await episode.step(call('ticket_create', { title }))).observation?.slice(0, 40));
  }
  expect(texts.slice(0, 2)).toEqual(Array(2).fill('Error 429: slow down\nRetry-After: 2'));
  expect(texts[2]).not.toContain('Error');
});

test('a fault may strike a single write, and then the whole call has written nothing', async () => {
  const faults: FaultSpec[] = [{ kind: 'error', on: 'data.write', when: { first: 1 } }];
  const episode = await openEpisode(ticketWorld({ faults }));
  const failed = await episode.step(call('ticket_create', { title: 'a' }));
  expect([failed.meta?.isError, failed.faults[0]?.operation]).toEqual([true, 'data.write ticket_create']);
  expect((episode.view() as { data: { tickets: unknown[] } }).data.tickets).toEqual([]);
  expect((await episode.step(call('ticket_create', { title: 'a' }))).meta?.isError).toBeUndefined();
});

test('adding a fault that answers nothing of the others changes neither data nor decisions', async () => {
  const generated = { state: { generate: { tickets: 5 } } };
  const first: FaultSpec = { kind: 'error', on: 'ticket_list', when: { rate: 0.5 } };
  const actions = Array.from({ length: 20 }, (_, i) =>
    i % 2 === 0 ? call('ticket_list') : call('ticket_create', { title: `t${i}` }),
  );
  const play = async (faults: FaultSpec[]) => {
    const episode = await openEpisode(ticketWorld(generated), { seed: 3, faults });
    const start = episode.view();
    const marks = [];
    for (const action of actions)
      marks.push((await episode.step(action)).faults.some(({ index }) => index === 0));
    return { start, marks, end: episode.view() };
  };
  const alone = await play([first]);
  const both = await play([first, { kind: 'timeout', on: 'ticket_get', when: { rate: 0.5 } }]);
  expect(both).toEqual(alone);
  expect(alone.marks).toContain(true);
  const none = await play([]);
  expect([none.start, none.end]).toEqual([alone.start, alone.end]);
});
