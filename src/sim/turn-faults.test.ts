import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import type { StepResult } from '../core/index.js';
import { testCall as call } from '../testing/index.js';
import { createEngineWorldModel } from './engine-world-model.js';
import { type Episode, openEpisode, restoreEpisode } from './episode.js';
import { helpDeskWorld } from './help-desk.contract.js';

const GET = call('ticket_get', { id: 'T-1' });

function names(episode: Episode): string[] {
  return (episode.actionSpace() as unknown as { name: string }[]).map(({ name }) => name);
}

function open(...faults: FaultSpec[]): Promise<Episode> {
  return openEpisode(helpDeskWorld(), { faults });
}

test('a renamed tool is in the list before the turn, is called by its new name, and the old one is unknown', async () => {
  const episode = await open({
    kind: 'tool-renamed',
    on: 'ticket_get',
    when: { turns: '2-' },
    with: { to: 'read' },
  });
  expect([names(episode).includes('ticket_get'), episode.mayChangeTools]).toEqual([true, true]);
  const before = episode.actionSpace();
  await episode.step(GET);
  expect([names(episode).includes('ticket_get'), names(episode).includes('read')]).toEqual([false, true]);
  expect(episode.actionSpace()).not.toBe(before);
  const old = await episode.step(GET);
  expect([old.status, old.observation, old.flags]).toEqual([
    'refused',
    (await (await open()).step(call('ticket_gone'))).observation?.replace('ticket_gone', 'ticket_get'),
    ['unknown-tool', 'protocol-error'],
  ]);
  const after = episode.actionSpace();
  const read = await episode.step(call('read', { id: 'T-1' }));
  expect(read.observation).toContain('Straße');
  expect(episode.actionSpace()).toBe(after);
});

test('changed arguments are asked for in the new form and given to the service in the old', async () => {
  const change = (how: string, more: object = {}): FaultSpec => ({
    kind: 'tool-schema-changed',
    on: 'log_list',
    with: { how, ...more },
  });
  const text = await open(change('text', { argument: 'page' }));
  expect((await text.step(call('log_list', { page: 2 }))).observation).toContain(
    'wrong type: expected string',
  );
  expect((await text.step(call('log_list', { page: '2' }))).observation).toContain('event 3');
  const more = await open(change('require'));
  expect((await more.step(call('log_list', {}))).observation).toContain('missing argument `request_id`');
  expect((await more.step(call('log_list', { request_id: 'r' }))).observation).toContain('event 1');
});

test('rows change between two turns, and the turn that begins says which', async () => {
  const episode = await open({
    kind: 'world-change',
    when: { turns: 2 },
    with: { collection: 'tickets', where: { id: 'T-1' }, change: 'delete' },
  });
  expect((await episode.step(GET)).faults).toEqual([]);
  const gone = await episode.step(GET);
  expect(gone.meta?.isError).toBe(true);
  expect(gone.faults).toEqual([
    {
      kind: 'world-change',
      index: 0,
      phase: 'before',
      operation: 'turn 2',
      visible: false,
      permanent: false,
      rows: [{ collection: 'tickets', key: 'T-1', change: 'deleted' }],
    },
  ]);
});

test('a change that the world does not allow is not applicable and leaves the rows alone', async () => {
  const episode = await open({
    kind: 'world-change',
    with: { collection: 'tickets', change: 'add', row: { id: 'T-1' } },
  });
  const result = await episode.step(GET);
  expect(result.faults).toEqual([]);
  expect(result.meta?.faultsNotApplicable).toEqual([
    {
      kind: 'world-change',
      index: 0,
      phase: 'before',
      operation: 'turn 1',
      why: 'tickets has such a row already',
    },
  ]);
});

test('a change at a time comes when the clock is there, also while the agent waits', async () => {
  const episode = await open({
    kind: 'world-change',
    when: { clock: { from: 60 } },
    max: 1,
    with: { collection: 'tickets', where: { id: 'T-1' }, set: { status: 'closed' } },
  });
  expect((await episode.step(GET)).observation).toContain('"open"');
  await episode.wait(61_000);
  const late = await episode.step(GET);
  expect(late.observation).toContain('"closed"');
  expect(late.faults.map(({ operation }) => operation)).toEqual(['turn 2']);
});

test('the clock jumps, forwards and backwards', async () => {
  for (const seconds of [3600, -3600]) {
    const episode = await open({ kind: 'clock-jump', when: { turns: 2 }, with: { seconds } });
    const first = await episode.step(GET);
    const second = await episode.step(GET);
    const passed = Date.parse(second.meta?.startedAt ?? '') - Date.parse(first.meta?.startedAt ?? '');
    expect(Math.round(passed / 1000)).toBe(seconds);
  }
});

test('forced pages are followed by the cursor, and a made-up cursor is refused', async () => {
  const episode = await open({ kind: 'paging-forced', on: 'ticket_list', with: { pageSize: 2 } });
  const first = JSON.parse((await episode.step(call('ticket_list'))).observation ?? '') as {
    tickets: { id: string }[];
    next_cursor: string;
  };
  const last = JSON.parse(
    (await episode.step(call('ticket_list', { cursor: first.next_cursor }))).observation ?? '',
  ) as { tickets: { id: string }[]; has_more: boolean };
  expect([...first.tickets, ...last.tickets].map(({ id }) => id)).toEqual(['T-1', 'T-2', 'T-3']);
  expect(last.has_more).toBe(false);
  const odd = await episode.step(call('ticket_list', { cursor: 'p2-x' }));
  expect([odd.observation, odd.meta?.isError]).toEqual(['Error: invalid cursor: "p2-x"', true]);
});

test('faults of every sort go on after a snapshot as if nothing had happened, and forks do not touch each other', async () => {
  const faults: FaultSpec[] = [
    { kind: 'tool-renamed', on: 'mail_get', when: { turns: '3-' } },
    { kind: 'world-change', when: { turns: 4 }, with: { collection: 'tickets', set: { status: 'seen' } } },
    { kind: 'rate-limit', on: 'ticket_list', max: 1, with: { holds: true, retryAfterSeconds: 30 } },
    { kind: 'stale-read', on: 'ticket_get', with: { turns: 2 } },
    { kind: 'page-repeated', on: 'log_list', when: { calls: [2] } },
    { kind: 'duplicate-delivery', on: 'ticket_create' },
    { kind: 'units-changed', on: 'ticket_get', when: { rate: 0.5 } },
  ];
  const actions = [
    call('ticket_create', { title: 'a' }),
    call('log_list', {}),
    call('ticket_list'),
    call('ticket_update', { id: 'T-1', status: 'closed' }),
    GET,
    call('log_list', { page: 2 }),
    call('ticket_list'),
    call('mail_get', { id: 'm1' }),
    GET,
  ];
  const whole = await open(...faults);
  const expected: StepResult[] = [];
  for (const action of actions) expected.push(await whole.step(action));
  expect(new Set(expected.flatMap((step) => step.faults.map(({ kind }) => kind))).size).toBe(faults.length);
  let other = await open(...faults);
  const seen: StepResult[] = [];
  for (const action of actions) {
    await other.fork().step(GET);
    other = await restoreEpisode(helpDeskWorld(), other.snapshot());
    seen.push(await other.step(action));
  }
  expect(seen).toEqual(expected);
  expect(other.view()).toEqual(whole.view());
});

test('a prediction after a foreign history meets the list of tools of its turn', async () => {
  const faults: FaultSpec[] = [{ kind: 'tool-removed', on: 'ticket_get', when: { turns: '2-' } }];
  const model = createEngineWorldModel(helpDeskWorld(), { faults });
  const system = (await open()).header().system;
  const foreign = { action: GET, observation: '{"id":"T-1","title":"Other"}', status: 'ok' as const };
  const first = await model.predict({ system, history: [], action: GET });
  const second = await model.predict({ system, history: [foreign], action: GET });
  expect([first.status, second.status]).toEqual(['ok', 'refused']);
});
