import { expect, test } from 'vitest';
import { LIMITS, type StepResult } from '../core/index.js';
import { testCall as call } from '../testing/index.js';
import { openEpisode } from './episode.js';
import { stockWorld, ticketWorld } from './worlds.contract.js';

function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code,
  );
}

function json(result: StepResult): unknown {
  return JSON.parse(result.observation ?? '');
}

function shown({ status, observation, flags }: StepResult): string {
  return [status, ...flags, observation].join(' | ');
}

test('a stock ledger adds up after shipments, returns, finds and other calls', async () => {
  const episode = await openEpisode(stockWorld());
  const first = await episode.step(call('stock_get', { item: 'bolts' }));
  expect(json(first)).toEqual({ item: 'bolts', quantity: 240 });
  await episode.step(call('ship', { item: 'bolts', quantity: 65 }));
  await episode.step(call('return', { item: 'bolts', quantity: 8 }));
  await episode.step(call('found', { item: 'bolts', quantity: 12 }));
  for (let i = 0; i < 3; i++) {
    await episode.step(call('stock_get', { item: 'nuts' }));
    await episode.step(call('ship', { item: 'nuts', quantity: 1 }));
  }
  const last = await episode.step(call('stock_get', { item: 'bolts' }));
  expect(json(last)).toEqual({ item: 'bolts', quantity: 195 });
  expect(last.turn).toBe(11);
  expect(last.origins.every((span) => span.origin !== 'predicted' && span.origin !== 'generated')).toBe(true);
});

test('calls that cannot succeed never do, and change nothing', async () => {
  const episode = await openEpisode(ticketWorld());
  const made = await episode.step(call('ticket_create', { title: 'lamp' }));
  const id = (json(made) as { id: string }).id;
  const results = [];
  for (const action of [
    call('ticket_get', { id: 'T-99999' }),
    call('ticket_get', {}),
    call('ticket_get', { id: 17 }),
    call('ticket_close', { id }),
    call('ticket_close', { id }),
    call('ticket_reopen', { id }),
  ]) {
    results.push(await episode.step(action));
  }
  expect(results.map(({ status, meta }) => [status, meta?.isError === true])).toEqual([
    ['ok', true],
    ['refused', true],
    ['refused', true],
    ['ok', false],
    ['ok', true],
    ['refused', true],
  ]);
  expect(results[0]?.observation).toMatch(/not found/i);
  expect(results[1]?.observation).toMatch(/id/);
  expect(results[4]?.observation).toContain('already closed');
  expect(results[5]?.flags).toEqual(['unknown-tool', 'protocol-error']);
  const { tickets } = (episode.view() as { data: { tickets: { title: string; status: string }[] } }).data;
  expect(tickets.map(({ title, status }) => [title, status])).toEqual([['lamp', 'closed']]);
});

test('a text that is no action gets the accepted forms, costs no time and changes nothing', async () => {
  const episode = await openEpisode(ticketWorld());
  const before = episode.view();
  const result = await episode.step('please open a ticket');
  expect(result.status).toBe('malformed');
  expect(result.observation).toContain('{"name":"tool","arguments":{…}}');
  expect(result.origins).toEqual([{ start: 0, end: result.observation?.length, origin: 'computed' }]);
  expect(result.clock).toBe('2026-01-05T09:00:00.000Z');
  expect(episode.view()).toEqual(before);
  expect(episode.turnCount).toBe(1);
});

test('an action that is no text is the caller’s mistake and changes nothing', async () => {
  const episode = await openEpisode(ticketWorld());
  expect(await codeOf(episode.step({ name: 'ticket_list' } as never))).toBe('usage/bad-argument');
  expect(episode.turnCount).toBe(0);
});

test('an action beyond its limit is not read, and leaves nothing but its turn', async () => {
  const episode = await openEpisode(ticketWorld());
  const result = await episode.step(call('ticket_create', { title: 'x'.repeat(LIMITS.actionBytes) }));
  expect([result.status, result.observation, result.flags]).toEqual(['limit', null, ['action-cut']]);
  expect(result.reason).toContain('actionBytes');
  expect(episode.turns[0]?.action.length).toBe(1_000);
});

test('the reward is null until the end, then the share of verifiers passed with its components', async () => {
  const episode = await openEpisode(stockWorld());
  const step = await episode.step(call('ship', { item: 'bolts', quantity: 65 }));
  expect([step.done, step.reward, 'score' in step]).toEqual([false, null, false]);
  const half = await episode.fork().step('{"answer":"I do not know"}');
  expect([half.done, half.reward, half.score]).toEqual([
    true,
    0.5,
    { status: 'scored', fraction: 0.5, components: { shipped: 1, said: 0 } },
  ]);
  const whole = await episode.finish('175 are left');
  expect([whole.done, whole.reward, whole.observation, whole.action]).toEqual([
    true,
    1,
    '',
    '{"answer":"175 are left"}',
  ]);
  expect(episode.end?.reason).toBe('finished');
});

test('a world without success rules is unscored, never zero', async () => {
  const result = await (await openEpisode(ticketWorld())).finish();
  expect([result.reward, result.score]).toEqual([
    null,
    { status: 'unscored', reason: "world 'tickets' has no success rules" },
  ]);
});

test('verifiers see each action with its name, arguments, status and observation', async () => {
  const expr = [
    'turns.size() == 3',
    "turns[0].name == 'ticket_create' && turns[0].arguments.title == 'a'",
    "turns[1].status == 'refused' && turns[1].isError",
    "turns[2].status == 'malformed' && turns[2].action == 'nonsense'",
    "clock.startsWith('2026-01-05')",
  ];
  const world = ticketWorld({ success: expr.map((rule, index) => ({ id: `v${index}`, expr: rule })) });
  const episode = await openEpisode(world);
  await episode.step(call('ticket_create', { title: 'a' }));
  await episode.step(call('ticket_gone'));
  await episode.step('nonsense');
  const { score } = await episode.finish();
  expect(score).toEqual({
    status: 'scored',
    fraction: 1,
    components: { v0: 1, v1: 1, v2: 1, v3: 1, v4: 1 },
  });
});

test('a verifier that cannot be decided leaves the whole unscored, with the reason', async () => {
  const world = ticketWorld({ success: [{ id: 'broken', expr: 'state.data.nothing.here == 1' }] });
  const { reward, score } = await (await openEpisode(world)).finish();
  expect(reward).toBeNull();
  expect(score?.status).toBe('unscored');
});

test('after the end every step and finish is refused', async () => {
  const episode = await openEpisode(ticketWorld());
  await episode.finish();
  expect(await codeOf(episode.step(call('ticket_list')))).toBe('usage/episode-done');
  expect(await codeOf(episode.finish())).toBe('usage/episode-done');
  expect(episode.turnCount).toBe(1);
});

test('steps made at once are answered one after another, and the ones behind the end are refused', async () => {
  const episode = await openEpisode(ticketWorld());
  const steps = ['a', 'b', 'c'].map((title) => episode.step(call('ticket_create', { title })));
  const end = episode.finish();
  const late = codeOf(episode.step(call('ticket_list')));
  const results = await Promise.all(steps);
  expect(results.map(({ turn }) => turn)).toEqual([1, 2, 3]);
  expect((await end).turn).toBe(4);
  expect(await late).toBe('usage/episode-done');
  const titles = (episode.view() as { data: { tickets: { title: string }[] } }).data.tickets;
  expect(titles.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
});

test('a budget ends the episode after the step that uses it up', async () => {
  const turns = await openEpisode(ticketWorld({ budget: { maxTurns: 2 } }));
  expect((await turns.step(call('ticket_list'))).done).toBe(false);
  expect((await turns.step(call('ticket_list'))).done).toBe(true);
  expect(turns.end?.reason).toBe('max-turns');
  const seconds = await openEpisode(
    ticketWorld({ budget: { maxSeconds: 30 }, faults: [{ kind: 'timeout', with: { seconds: 60 } }] }),
  );
  const result = await seconds.step(call('ticket_list'));
  expect([result.status, result.done, seconds.end?.reason]).toEqual(['ok', true, 'max-seconds']);
  expect(await openEpisode(ticketWorld(), { maxTurns: 1 }).then((one) => one.step('x'))).toMatchObject({
    done: true,
  });
});

test('impossible options are refused with what is wanted', async () => {
  const world = ticketWorld();
  for (const options of [
    { route: 'model' },
    { seed: 0.5 },
    { maxTurns: 0 },
    { faults: [{ kind: 'tiemout' }] },
  ]) {
    expect(await codeOf(openEpisode(world, options as never))).toBe('usage/bad-argument');
  }
});

test('the clock advances by what actions take, and turns say when they began', async () => {
  const episode = await openEpisode(ticketWorld());
  const first = await episode.step(call('ticket_list'));
  const second = await episode.step(call('ticket_list'));
  const took = (result: StepResult): number => result.meta?.durationMs ?? -1;
  expect(first.meta?.startedAt).toBe('2026-01-05T09:00:00.000Z');
  expect(second.meta?.startedAt).toBe(first.clock);
  expect(Date.parse(second.clock) - Date.parse(first.clock)).toBe(took(second));
  expect(took(first)).toBeGreaterThan(0);
});

test('the same seed and actions give the same bytes while other episodes run in between', async () => {
  const actions = ['a', 'b', 'c', 'd'].flatMap((title, index) => [
    call('ticket_create', { title }),
    call('ticket_get', { id: `T-${index}` }),
    call('ticket_list'),
  ]);
  const faults = [{ kind: 'error', when: { rate: 0.3 } }];
  const alone = await openEpisode(ticketWorld(), { seed: 5, faults });
  for (const action of actions) await alone.step(action);
  const many = await Promise.all([5, 6, 5, 7].map((seed) => openEpisode(ticketWorld(), { seed, faults })));
  await Promise.all(actions.flatMap((action) => many.map((episode) => episode.step(action))));
  const [one, other, again] = many.map((episode) => JSON.stringify(episode.turns));
  expect(one).toBe(JSON.stringify(alone.turns));
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

test('spans cover every observation without overlap', async () => {
  const episode = await openEpisode(ticketWorld());
  for (const action of [call('ticket_create', { title: 'é😀' }), call('ticket_list'), 'x', call('no')]) {
    const { observation, origins } = await episode.step(action);
    const edges = origins.flatMap(({ start, end }) => [start, end]);
    expect(edges).toEqual([...edges].sort((a, b) => a - b));
    expect([edges[0], edges.at(-1)]).toEqual([0, observation?.length]);
  }
  expect(shown(await episode.step(call('no')))).toMatch(/^refused/);
});
