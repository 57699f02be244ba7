import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import { testCall as call, testTool } from '../testing/index.js';
import { openEpisode } from './episode.js';
import { helpDeskWorld } from './help-desk.contract.js';
import { invoiceWorld } from './worlds.contract.js';

const GET = call('ticket_get', { id: 'T-1' });

async function get(...faults: FaultSpec[]) {
  const episode = await openEpisode(helpDeskWorld(), { faults });
  return episode.step(GET);
}

test('changes of one answer compose in the order of the list, and delays add up', async () => {
  const result = await get(
    { kind: 'slow', with: { seconds: 5 } },
    { kind: 'field-renamed', with: { field: 'cost_cents', to: 'cost' } },
    { kind: 'numbers-as-strings', with: { field: 'cost' } },
    { kind: 'slow', with: { seconds: 7 } },
  );
  expect(result.observation).toContain('"cost": "1999"');
  expect(result.faults.map(({ kind }) => kind)).toEqual([
    'slow',
    'slow',
    'field-renamed',
    'numbers-as-strings',
  ]);
  expect(result.meta?.durationMs).toBeGreaterThanOrEqual(12_000);
});

test('a fault on the text comes after those on values, wherever it stands', async () => {
  const result = await get(
    { kind: 'body-truncated', with: { keep: 0.9 } },
    { kind: 'field-renamed', with: { field: 'status', to: 'state' } },
  );
  expect(result.observation).toContain('"state"');
  expect(result.faults.map(({ kind }) => kind)).toEqual(['field-renamed', 'body-truncated']);
});

test('an answer that gets lost is not changed first, and a delay before a failure counts', async () => {
  const result = await get(
    { kind: 'field-renamed', with: { field: 'status' } },
    { kind: 'connection-reset', phase: 'after' },
    { kind: 'slow', with: { seconds: 5 } },
  );
  expect(result.faults.map(({ kind }) => kind)).toEqual(['slow', 'connection-reset']);
  expect(result.meta?.durationMs).toBeGreaterThanOrEqual(5_000);
});

test('a fault that finds nothing is said to be not applicable and does not use up its max', async () => {
  const fault: FaultSpec = { kind: 'field-missing', max: 1, with: { field: 'subject' } };
  const episode = await openEpisode(helpDeskWorld(), { faults: [fault] });
  const first = await episode.step(GET);
  expect([first.faults, first.meta?.faultsNotApplicable]).toEqual([
    [],
    [
      {
        kind: 'field-missing',
        index: 0,
        phase: 'after',
        operation: 'tool.call ticket_get',
        why: "the answer has no 'subject' with field",
      },
    ],
  ]);
  const mail = call('mail_get', { id: 'm1' });
  expect((await episode.step(mail)).faults.map(({ kind }) => kind)).toEqual(['field-missing']);
  expect((await episode.step(mail)).faults).toEqual([]);
});

test('text and structured value of a changed answer say the same, and a broken body has no value', async () => {
  const out = { type: 'object', properties: { id: { type: 'string' }, status: { type: 'string' } } };
  const world = helpDeskWorld({
    tools: [testTool('ticket_get', { id: { type: 'string' } }, { outputSchema: out })],
    overrides: { ticket_get: { op: 'get', collection: 'tickets', key: { id: 'id' } } },
  });
  const step = async (fault: FaultSpec) => (await openEpisode(world, { faults: [fault] })).step(GET);
  const renamed = await step({ kind: 'field-renamed', with: { field: 'status', to: 'state' } });
  expect(JSON.parse(renamed.observation ?? '')).toEqual(renamed.value);
  expect(renamed.value).toMatchObject({ state: 'open' });
  expect((await step({ kind: 'body-malformed' })).value).toBeUndefined();
});

test('a service that knows a call again is not harmed by a second delivery, and one that does not is', async () => {
  const count = async (args: object) => {
    const faults: FaultSpec[] = [{ kind: 'duplicate-delivery', on: 'invoice_create' }];
    const episode = await openEpisode(invoiceWorld({ faults }));
    const result = await episode.step(call('invoice_create', { customer: 'Ada', cents: 5, ...args }));
    const { invoices } = (episode.view() as { data: { invoices: unknown[] } }).data;
    return [invoices.length, result.faults.length, result.meta?.faultsNotApplicable !== undefined];
  };
  expect(await count({})).toEqual([2, 1, false]);
  expect(await count({ idempotency_key: 'k' })).toEqual([1, 0, true]);
});

test('a sign-in ends an expired token, and nothing else does', async () => {
  const fault: FaultSpec = { kind: 'token-expired', on: 'ticket_*', when: { until: { called: 'sign_in' } } };
  const episode = await openEpisode(helpDeskWorld(), { faults: [fault] });
  const errors = [];
  for (const action of [
    GET,
    GET,
    call('mail_get', { id: 'm1' }),
    GET,
    call('sign_in', { user: 'ada' }),
    GET,
  ]) {
    errors.push((await episode.step(action)).meta?.isError === true);
  }
  expect(errors).toEqual([true, true, false, true, false, false]);
});

test('a rate limit that holds refuses every call until its time is over, and says how long that is', async () => {
  const fault: FaultSpec = {
    kind: 'rate-limit',
    on: 'ticket_get',
    max: 1,
    with: { retryAfterSeconds: 10, holds: true },
  };
  const episode = await openEpisode(helpDeskWorld(), { faults: [fault] });
  const first = await episode.step(GET);
  expect(first.faults[0]?.retryAfterMs).toBe(10_000);
  await episode.wait(6_000);
  const early = await episode.step(GET);
  expect(early.observation).toBe('Error 429: Too Many Requests\nRetry-After: 4');
  await episode.wait(4_000);
  expect((await episode.step(GET)).meta?.isError).toBeUndefined();
});

test('a permanent fault does not heal because it is retried, and one until so many retries does', async () => {
  const errors = async (when: FaultSpec['when']) => {
    const fault: FaultSpec = { kind: 'server-error', on: 'ticket_get', ...(when && { when }) };
    const episode = await openEpisode(helpDeskWorld(), { faults: [fault] });
    let failed = 0;
    for (let turn = 0; turn < 40; turn++) if ((await episode.step(GET)).meta?.isError === true) failed++;
    return failed;
  };
  expect(await errors(undefined)).toBe(40);
  expect(await errors({ until: { retries: 2 } })).toBe(2);
});

test('a lost update is confirmed and not kept, or written over by somebody else', async () => {
  const run = async (fault: Omit<FaultSpec, 'kind'>) => {
    const episode = await openEpisode(helpDeskWorld(), { faults: [{ kind: 'lost-update', ...fault }] });
    const result = await episode.step(call('ticket_update', { id: 'T-1', status: 'closed' }));
    const { tickets } = (episode.view() as { data: { tickets: { status: string }[] } }).data;
    return [result.observation?.includes('"closed"'), tickets[0]?.status, result.faults[0]?.wrote];
  };
  expect(await run({})).toEqual([true, 'open', false]);
  expect(await run({ with: { set: { status: 'merged' } } })).toEqual([true, 'merged', false]);
});

test('injected words go where words stand, and leave ids, dates and states alone', async () => {
  const demand = { tool: 'ticket_update', arguments: { id: 'T-2', status: 'closed' } };
  const fields = async (seed: number) => {
    const faults: FaultSpec[] = [{ kind: 'prompt-injection', with: demand }];
    const episode = await openEpisode(helpDeskWorld(), { faults, seed });
    const seen = [];
    for (const action of [GET, call('mail_get', { id: 'm1' }), call('sign_in', { user: 'ada' })]) {
      const { faults: struck, meta } = await episode.step(action);
      seen.push(struck[0]?.fields ?? meta?.faultsNotApplicable);
      expect(struck[0]?.injection?.demand ?? demand).toEqual(demand);
    }
    return seen;
  };
  const none = {
    kind: 'prompt-injection',
    index: 0,
    phase: 'after',
    operation: 'tool.call sign_in',
    why: 'the answer has no text field',
  };
  for (let seed = 0; seed < 8; seed++) {
    expect(await fields(seed)).toEqual([['title'], ['body'], [none]]);
  }
});
