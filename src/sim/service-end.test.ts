/**
 * What holds between calls and beside them: time that passes while nobody calls, rows that move out of sight, and
 * rows that a model or a recording brings.
 */
import { expect, test } from 'vitest';
import {
  testCall as call,
  createScriptedModel,
  createTestWorld,
  testTool,
  type WorldParts,
} from '../testing/index.js';
import { openEpisode, restoreEpisode } from './episode.js';

const TEXT = { type: 'string' };

const HOLDS: WorldParts = {
  state: {
    clock: '2026-03-02T08:00:00Z',
    data: { holds: [{ id: 'h1', made: '2026-03-02T08:00:00Z' }], seats: [{ id: 's1', free: 0 }] },
  },
  entities: { holds: { transitions: [{ at: 'addSeconds(row.made, 900)', delete: true }] } },
  effects: [
    {
      collection: 'holds',
      after: ['delete'],
      do: [{ op: 'update', collection: 'seats', match: "row.id == 's1'", set: { free: 'row.free + 1' } }],
    },
  ],
  tools: [testTool('list_holds', {}), testTool('list_seats', {}), testTool('get_weather', { city: TEXT })],
  success: [
    { id: 'gone', expr: 'size(state.data.holds) == 0 && state.data.seats[0].free == 1' },
    { id: 'began', expr: 'size(start.data.holds) == 1' },
  ],
};

test('an episode that ends without a call is scored on the state at the time of its end', async () => {
  const episode = await openEpisode(createTestWorld(HOLDS));
  const early = await episode.fork().finish('done');
  await episode.wait(900_000);
  const back = await restoreEpisode(createTestWorld(HOLDS), episode.snapshot());
  const late = [await episode.finish('done'), await back.finish('done')];
  expect([early.reward, ...late.map(({ reward }) => reward)]).toEqual([0.5, 1, 1]);
});

test('a budget of time that a call uses up ends the episode on the state of that moment', async () => {
  const episode = await openEpisode(createTestWorld({ ...HOLDS, budget: { maxSeconds: 900 } }));
  await episode.wait(899_900);
  const last = await episode.step(call('list_seats'));
  expect([last.done, last.reward, JSON.parse(last.observation ?? '')]).toEqual([
    true,
    1,
    { seats: [{ id: 's1', free: 0 }], total: 1 },
  ]);
});

test('what is due when the episode begins has happened in the state that it is compared with', async () => {
  const due = { ...HOLDS, state: { ...(HOLDS.state as object), clock: '2026-03-02T09:00:00Z' } };
  const episode = await openEpisode(createTestWorld(due));
  expect((await episode.finish()).reward).toBe(0.5);
});

test('a model is asked again after time alone has changed the state', async () => {
  const model = createScriptedModel([{ text: 'Sun' }, { text: 'Rain' }]);
  const episode = await openEpisode(createTestWorld(HOLDS), { model });
  const ask = async (): Promise<string | null> =>
    (await episode.step(call('get_weather', { city: 'Oslo' }))).observation;
  const said = [await ask(), await ask()];
  await episode.wait(900_000);
  expect([...said, await ask()]).toEqual(['Sun', 'Sun', 'Rain']);
});

test('a change may not move a row to where its caller must not put one', async () => {
  const episode = await openEpisode(
    createTestWorld({
      state: {
        session: { user: 'ada' },
        data: { notes: [{ id: 'n1', author: 'ada', text: 'a' }] },
        permissions: [
          { on: '*_note*', allow: true, rows: 'row.author == session.user', error: 'not your note' },
        ],
      },
      tools: [
        testTool('list_notes', {}),
        testTool('update_note', { id: TEXT, 'author?': TEXT, 'text?': TEXT }),
      ],
    }),
  );
  const before = episode.view();
  const moved = await episode.step(call('update_note', { id: 'n1', author: 'bo' }));
  expect([moved.observation, moved.meta?.isError]).toEqual(['not your note', true]);
  expect(episode.view()).toEqual(before);
  const changed = await episode.step(call('update_note', { id: 'n1', author: 'ada', text: 'b' }));
  expect(changed.meta?.isError).toBeUndefined();
});

const TEAMS: WorldParts = {
  state: { data: { members: [{ id: 'm1', team: 'red', name: 'Ada' }] } },
  entities: {
    members: {
      unique: [{ fields: ['name', 'team'], ignoreCase: true }],
      limits: [{ by: ['team'], max: 2 }],
    },
  },
  tools: [
    testTool('list_members', {}),
    testTool('create_member', { name: TEXT, team: TEXT }),
    testTool('summon_spirits', { city: TEXT }, { description: 'Asks an oracle about a city' }),
  ],
};

test("a row of a model's answer that others leave no room for stays out, and the turn says so", async () => {
  const tries = [
    [{ id: 'm2', team: 'red', name: 'ADA' }],
    [
      { id: 'm2', team: 'red', name: 'Bo' },
      { id: 'm3', team: 'red', name: 'Cy' },
    ],
    [{ id: 'm2', team: 'blue', name: 'Ada' }],
  ];
  const seen: unknown[] = [];
  for (const members of tries) {
    const model = createScriptedModel([{ text: JSON.stringify({ members }) }]);
    const episode = await openEpisode(createTestWorld(TEAMS), { model });
    const step = await episode.step(call('summon_spirits', { city: 'Oslo' }));
    const { data } = episode.view() as { data: { members: { id: string }[] } };
    seen.push([data.members.map(({ id }) => id), step.flags.includes('inconsistent')]);
  }
  expect(seen).toEqual([
    [['m1'], true],
    [['m1', 'm2'], true],
    [['m1', 'm2'], false],
  ]);
});

test('a repeated answer is no success and no row, so that only a quota of calls stops it', async () => {
  const seen: unknown[] = [];
  for (const count of ['calls', 'successes', 'rows']) {
    const episode = await openEpisode(
      createTestWorld({
        state: { data: { orders: [] } },
        tools: [testTool('create_order', { sku: TEXT, 'request_key?': TEXT })],
        quotas: [{ on: 'create_order', max: 1, perSeconds: 3600, count }],
        idempotency: [{ on: 'create_order', argument: 'request_key' }],
      }),
    );
    const order = (sku: string): string => call('create_order', { sku, request_key: 'k' });
    const steps = [
      await episode.step(order('pen')),
      await episode.step(order('pen')),
      await episode.step(call('create_order', { sku: 'ink' })),
    ];
    seen.push([count, ...steps.map(({ meta }) => meta?.isError ?? false)]);
  }
  expect(seen).toEqual([
    ['calls', false, true, true],
    ['successes', false, false, true],
    ['rows', false, false, true],
  ]);
});
