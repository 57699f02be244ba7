/**
 * The rules of a service, lived in: callers, permissions, uniqueness, quotas, side effects, keys, versions, time.
 */
import { expect, test } from 'vitest';
import { randomStream, type StepResult } from '../core/index.js';
import { testCall as call, createTestWorld, testTool, type WorldParts } from '../testing/index.js';
import { type Episode, openEpisode, restoreEpisode } from './episode.js';

const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };

async function open(parts: WorldParts): Promise<{
  readonly episode: Episode;
  readonly act: (name: string, args?: object) => Promise<string>;
  readonly data: () => Record<string, Record<string, unknown>[]>;
}> {
  const episode = await openEpisode(createTestWorld(parts));
  const act = async (name: string, args: object = {}): Promise<string> => {
    const step: StepResult = await episode.step(call(name, { ...args }));
    return `${step.meta?.isError === true ? 'error: ' : ''}${step.observation ?? step.status}`;
  };
  const data = () => (episode.view() as { data: Record<string, Record<string, unknown>[]> }).data;
  return { episode, act, data };
}

const NOTES: WorldParts = {
  state: {
    session: { user: 'u2', role: 'nurse' },
    data: {
      users: [
        { id: 'u1', role: 'doctor', pin: '1111' },
        { id: 'u2', role: 'nurse', pin: '2222' },
      ],
      notes: [
        { id: 'n1', author: 'u1', text: 'Rest' },
        { id: 'n2', author: 'u2', text: 'Water' },
      ],
    },
    permissions: [
      { on: 'delete_*', allow: true, roles: ['doctor'], error: 'only doctors may delete' },
      { on: '*_note*', rows: 'row.author != session.user', when: "session.role != 'doctor'", hidden: true },
    ],
  },
  tools: [
    testTool('log_in', { pin: TEXT }),
    testTool('log_out', {}),
    testTool('list_notes', {}),
    testTool('get_note', { id: TEXT, 'acting_user?': TEXT }),
    testTool('create_note', { text: TEXT, author: TEXT }),
    testTool('delete_note', { id: TEXT }),
  ],
  logins: [
    {
      on: 'log_in',
      collection: 'users',
      match: 'row.pin == args.pin',
      set: { user: 'row.id', role: 'row.role' },
      error: 'wrong pin',
    },
    { on: 'log_out', clear: true },
    { on: 'get_note', as: 'acting_user', collection: 'users', set: { user: 'row.id', role: 'row.role' } },
  ],
};

test('a caller sees own rows only, and what a role may do follows the login', async () => {
  const { act, data } = await open(NOTES);
  expect(await act('list_notes')).not.toContain('Rest');
  expect(await act('get_note', { id: 'n1' })).toBe('error: Note not found: n1');
  expect(await act('delete_note', { id: 'n2' })).toBe('error: only doctors may delete');
  expect(await act('create_note', { text: 'x', author: 'u1' })).toBe('error: permission denied');
  expect(await act('log_in', { pin: '9999' })).toBe('error: wrong pin');
  expect(await act('log_in', { pin: '1111' })).toBe('Logged in');
  expect(await act('list_notes')).toContain('Rest');
  expect(await act('delete_note', { id: 'n2' })).not.toMatch(/^error/);
  expect(data().notes?.map(({ id }) => id)).toEqual(['n1']);
});

test('an argument names the caller for its own call and is no value of a row', async () => {
  const { act } = await open(NOTES);
  expect(await act('get_note', { id: 'n1', acting_user: 'u1' })).toContain('Rest');
  expect(await act('get_note', { id: 'n1' })).toBe('error: Note not found: n1');
  expect(await act('get_note', { id: 'n1', acting_user: 'u9' })).toBe('error: authentication failed');
});

test('who is logged in is part of a fork and of a snapshot', async () => {
  const world = createTestWorld(NOTES);
  const episode = await openEpisode(world);
  await episode.step(call('log_in', { pin: '1111' }));
  const fork = episode.fork();
  await fork.step(call('log_out'));
  const back = await restoreEpisode(world, episode.snapshot());
  const left = await restoreEpisode(world, fork.snapshot());
  const seen = [episode, fork, back, left].map(async (one) => {
    const step = await one.step(call('delete_note', { id: 'n1' }));
    return step.meta?.isError ?? false;
  });
  expect(await Promise.all(seen)).toEqual([false, true, false, true]);
});

const SHOP: WorldParts = {
  state: {
    session: { user: 'ada' },
    data: {
      customers: [{ id: 'c1', email: 'ada@example.com' }],
      stock: [
        { sku: 'pen', left: 10 },
        { sku: 'ink', left: 1 },
      ],
      orders: [],
      mails: [],
      audit: [],
    },
  },
  tools: [
    testTool('create_customer', { email: TEXT }),
    testTool('delete_customer', { id: TEXT }),
    testTool('create_order', { customer: TEXT, sku: TEXT, count: NUMBER, 'request_key?': TEXT }),
    testTool('delete_order', { id: TEXT }),
    testTool('list_orders', {}),
  ],
  entities: {
    customers: { unique: [{ fields: ['email'], ignoreCase: true }] },
    stock: { key: 'sku' },
    orders: {
      id: { style: 'counter', prefix: 'O-' },
      limits: [{ by: ['customer'], max: 3, error: 'three orders are enough' }],
      fields: { customer: { refersTo: 'customers', onDelete: 'restrict' } },
    },
    mails: { id: { style: 'counter', prefix: 'M-' } },
    audit: { id: { style: 'counter', prefix: 'A-' } },
  },
  effects: [
    {
      collection: 'orders',
      after: ['create'],
      do: [
        { op: 'update', collection: 'stock', key: 'result.sku', set: { left: 'row.left - result.count' } },
        { op: 'create', collection: 'mails', set: { to: 'session.user', text: "'Order ' + result.id" } },
      ],
    },
    {
      collection: 'stock',
      after: ['update'],
      when: 'result.left < old.left',
      do: [
        { op: 'create', collection: 'audit', set: { sku: 'result.sku', taken: 'old.left - result.left' } },
      ],
    },
    {
      collection: 'orders',
      after: ['delete'],
      do: [{ op: 'create', collection: 'audit', set: { gone: 'result.id' } }],
    },
  ],
  idempotency: [{ on: 'create_order', argument: 'request_key', keepSeconds: 3600 }],
};

test('a change of a row has its side effects whichever tool made it, and they have theirs', async () => {
  const { act, data } = await open(SHOP);
  await act('create_order', { customer: 'c1', sku: 'pen', count: 3 });
  await act('delete_order', { id: 'O-1' });
  expect(data().stock?.[0]).toEqual({ sku: 'pen', left: 7 });
  expect(data().mails?.map(({ to, text }) => [to, text])).toEqual([['ada', 'Order O-1']]);
  expect(data().audit?.map(({ sku, taken, gone }) => [sku, taken, gone])).toEqual([
    ['pen', 3, undefined],
    [undefined, undefined, 'O-1'],
  ]);
});

test('what may exist once exists once, in any case, and a row in the way of a deletion stops it', async () => {
  const { act, data } = await open(SHOP);
  expect(await act('create_customer', { email: 'ADA@example.com' })).toBe(
    'error: Customer already exists with email ADA@example.com',
  );
  await act('create_order', { customer: 'c1', sku: 'pen', count: 1 });
  expect(await act('delete_customer', { id: 'c1' })).toBe(
    'error: Customer c1 cannot be deleted: 1 order refers to it',
  );
  await act('create_order', { customer: 'c1', sku: 'pen', count: 1 });
  await act('create_order', { customer: 'c1', sku: 'pen', count: 1 });
  expect(await act('create_order', { customer: 'c1', sku: 'pen', count: 1 })).toBe(
    'error: three orders are enough',
  );
  expect([data().customers?.length, data().orders?.length, data().stock?.[0]?.left]).toEqual([1, 3, 7]);
});

test('an idempotency key answers the first result, conflicts with other arguments and is forgotten in time', async () => {
  const faults = [{ kind: 'timeout', on: 'list_orders', with: { seconds: 4000 } }];
  const { act, data } = await open({ ...SHOP, faults });
  const order = { customer: 'c1', sku: 'pen', count: 1, request_key: 'k' };
  const first = await act('create_order', order);
  expect(await act('create_order', order)).toBe(first);
  expect(await act('create_order', { ...order, count: 2 })).toBe(
    'error: Idempotency key k was already used with different arguments',
  );
  expect(data().orders).toHaveLength(1);
  expect(Object.keys(data().orders?.[0] ?? {})).not.toContain('request_key');
  await act('list_orders');
  expect(await act('create_order', { ...order, count: 2 })).not.toMatch(/^error/);
  expect(data().orders).toHaveLength(2);
});

test('a later failure undoes everything, unless the world says that what was done stays', async () => {
  const failing = {
    ...SHOP,
    effects: [
      ...(SHOP.effects as object[]),
      {
        collection: 'mails',
        after: ['create'],
        do: [{ op: 'create', collection: 'audit', set: { bad: 'row.nothing' } }],
      },
    ],
  };
  const order = { customer: 'c1', sku: 'pen', count: 1 };
  const atomic = await open(failing);
  expect(await atomic.act('create_order', order)).toContain('rule "row.nothing" failed');
  expect([atomic.data().orders?.length, atomic.data().stock?.[0]?.left]).toEqual([0, 10]);
  const loose = await open({ ...failing, transactions: [{ on: 'create_order', atomic: false }] });
  expect(await loose.act('create_order', order)).toContain('rule "row.nothing" failed');
  expect([loose.data().orders?.length, loose.data().stock?.[0]?.left]).toEqual([1, 9]);
});

test('a batch is item by item, or with `atomic` all or nothing', async () => {
  const parts: WorldParts = {
    state: { data: { tags: [{ id: 't1', name: 'red' }] } },
    tools: [
      testTool('create_tags', {
        tags: { type: 'array', items: { type: 'object', properties: { name: TEXT }, required: ['name'] } },
      }),
      testTool('get_tag', { id: TEXT }),
    ],
    entities: { tags: { unique: [{ fields: ['name'] }], id: { style: 'counter', prefix: 't' } } },
  };
  const batch = { tags: [{ name: 'blue' }, { name: 'red' }, { name: 'green' }] };
  const loose = await open(parts);
  await loose.act('create_tags', batch);
  expect(loose.data().tags?.map(({ name }) => name)).toEqual(['red', 'blue', 'green']);
  const atomic = await open({ ...parts, transactions: [{ on: 'create_tags', atomic: true }] });
  expect(await atomic.act('create_tags', batch)).toBe(
    'error: item 1 failed, nothing was changed: Tag already exists with name red',
  );
  expect(atomic.data().tags?.map(({ name }) => name)).toEqual(['red']);
});

test('quotas count per caller in a window of simulated time and say when there is room again', async () => {
  const parts: WorldParts = {
    state: { clock: '2026-03-01T08:00:30Z', data: { pings: [] } },
    tools: [testTool('create_ping', { who: TEXT }), testTool('list_pings', {})],
    quotas: [{ on: 'create_ping', max: 2, perSeconds: 60, by: 'args.who' }],
  };
  const { act, data, episode } = await open(parts);
  await act('create_ping', { who: 'ada' });
  await act('create_ping', { who: 'ada' });
  expect(await act('create_ping', { who: 'ada' })).toBe(
    'error: Rate limit exceeded: at most 2 calls in 60 seconds; try again in 30 seconds\nRetry-After: 30',
  );
  expect(await act('create_ping', { who: 'bo' })).not.toMatch(/^error/);
  expect(data().pings).toHaveLength(3);
  const fork = episode.fork();
  expect((await fork.step(call('create_ping', { who: 'ada' }))).meta?.isError).toBe(true);
});

test('a quota of rows undoes the call that would create too many', async () => {
  const item = { type: 'object', properties: { name: TEXT }, required: ['name'] };
  const { act, data } = await open({
    state: { data: { tags: [] } },
    tools: [
      testTool('create_tags', { tags: { type: 'array', items: item } }),
      testTool('get_tag', { id: TEXT }),
    ],
    quotas: [
      { on: 'create_tags', max: 2, perSeconds: 60, count: 'rows', error: 'too many, wait {retryAfter}' },
    ],
  });
  expect(await act('create_tags', { tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })).toMatch(
    /^error: too many/,
  );
  expect(data().tags).toEqual([]);
  expect(await act('create_tags', { tags: [{ name: 'a' }, { name: 'b' }] })).not.toMatch(/^error/);
  expect(await act('create_tags', { tags: [{ name: 'c' }] })).toMatch(/^error: too many, wait \d+/);
});

test('a version that somebody else changed is a conflict, and nobody writes it', async () => {
  const { act, data } = await open({
    state: { data: { pages: [{ id: 'p1', title: 'Old', version: 3 }] } },
    tools: [
      testTool('update_page', { id: TEXT, 'title?': TEXT, 'version?': NUMBER }),
      testTool('delete_page', { id: TEXT, 'version?': NUMBER }),
      testTool('create_page', { title: TEXT, 'version?': NUMBER }),
    ],
    entities: { pages: { version: { field: 'version' } } },
  });
  expect(await act('update_page', { id: 'p1', title: 'New', version: 3 })).not.toMatch(/^error/);
  expect(await act('update_page', { id: 'p1', title: 'Newer', version: 3 })).toBe(
    'error: Page p1 was changed by somebody else: version is 4, not 3',
  );
  expect(await act('delete_page', { id: 'p1', version: 3 })).toMatch(/^error: Page p1 was changed/);
  await act('create_page', { title: 'Second', version: 99 });
  expect(data().pages?.map(({ title, version }) => [title, version])).toEqual([
    ['New', 4],
    ['Second', 1],
  ]);
});

test('time carries out what is due, in order, with its side effects, the same way after a snapshot', async () => {
  const parts: WorldParts = {
    state: {
      clock: '2026-03-02T11:59:59.900Z',
      data: {
        invoices: [
          { id: 'i1', due: '2026-03-02T12:00:00Z', status: 'open' },
          { id: 'i2', due: '2026-03-01T12:00:00Z', status: 'paid' },
          { id: 'i3', due: '2026-03-01T12:00:00Z', status: 'open' },
        ],
        holds: [{ id: 'h1', made: '2026-03-02T11:45:00Z' }],
        log: [],
      },
    },
    tools: [testTool('list_invoices', {}), testTool('list_holds', {}), testTool('get_log', { id: TEXT })],
    entities: {
      invoices: {
        transitions: [{ at: 'row.due', when: "row.status == 'open'", set: { status: "'overdue'" } }],
      },
      holds: { transitions: [{ at: 'addSeconds(row.made, 900)', delete: true }] },
      log: { id: { style: 'counter', prefix: 'l' } },
    },
    effects: [
      {
        collection: 'invoices',
        after: ['update'],
        do: [{ op: 'create', collection: 'log', set: { text: "result.id + ' ' + old.status", at: 'clock' } }],
      },
    ],
  };
  const { act, data, episode } = await open(parts);
  const back = await restoreEpisode(createTestWorld(parts), episode.snapshot());
  expect(data().invoices?.map(({ status }) => status)).toEqual(['open', 'paid', 'overdue']);
  expect(data().holds).toHaveLength(1);
  await act('list_invoices');
  expect(data().invoices?.map(({ status }) => status)).toEqual(['overdue', 'paid', 'overdue']);
  expect(data().holds).toEqual([]);
  expect(data().log?.map(({ text, at }) => [text, at])).toEqual([
    ['i3 open', '2026-03-01T12:00:00.000Z'],
    ['i1 open', '2026-03-02T12:00:00.000Z'],
  ]);
  await back.step(call('list_invoices'));
  expect(back.view()).toEqual(episode.view());
});

test('a transition that would leave its row due does not happen, and says so', async () => {
  const { act, data, episode } = await open({
    state: { data: { jobs: [{ id: 'j1', due: '2026-01-01T00:00:00Z', runs: 0 }] } },
    tools: [testTool('list_jobs', {})],
    entities: { jobs: { transitions: [{ at: 'row.due', set: { runs: 'row.runs + 1' } }] } },
  });
  await act('list_jobs');
  expect([data().jobs?.[0]?.runs, episode.turns[0]?.flags]).toEqual([0, ['transition-failed']]);
});

test('a transition that moves its own moment happens as often as time allows', async () => {
  const { act, data } = await open({
    state: {
      clock: '2026-01-04T12:00:00Z',
      data: { jobs: [{ id: 'j1', due: '2026-01-01T00:00:00Z', runs: 0 }] },
    },
    tools: [testTool('list_jobs', {})],
    entities: {
      jobs: {
        transitions: [{ at: 'row.due', set: { runs: 'row.runs + 1', due: 'addSeconds(row.due, 86400)' } }],
      },
    },
  });
  await act('list_jobs');
  expect(data().jobs?.[0]).toEqual({ id: 'j1', due: '2026-01-05T00:00:00Z', runs: 4 });
});

test('a random life with every rule goes on after a snapshot as it would have gone on', async () => {
  const world = createTestWorld({ ...SHOP, quotas: [{ on: '*', max: 4, perSeconds: 1, window: 'sliding' }] });
  const random = randomStream(7, 'test', 'rules');
  const action = (): string =>
    random.pick([
      call('create_order', { customer: 'c1', sku: 'pen', count: 1, request_key: `k${random.integer(0, 2)}` }),
      call('create_customer', { email: `a${random.integer(0, 3)}@x.org` }),
      call('delete_customer', { id: 'c1' }),
      call('delete_order', { id: `O-${random.integer(1, 4)}` }),
    ]);
  const episode = await openEpisode(world);
  for (let turn = 0; turn < 60; turn++) {
    const back = await restoreEpisode(world, episode.snapshot());
    const next = action();
    const [here, there] = [await episode.step(next), await back.step(next)];
    expect(there.observation).toBe(here.observation);
    expect(back.view()).toEqual(episode.view());
  }
});
