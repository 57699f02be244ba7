import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import { type RandomStream, randomStream } from '../core/index.js';
import { testCall as call, createScriptedModel } from '../testing/index.js';
import { buildChild } from './child-process.contract.js';
import { type Episode, openEpisode, restoreEpisode } from './episode.js';
import { libraryWorld, stockWorld, ticketWorld } from './worlds.contract.js';

const FAULTS: FaultSpec[] = [
  { kind: 'error', when: { rate: 0.15 } },
  { kind: 'timeout', phase: 'after', on: 'ticket_c*', when: { every: 4 } },
];

function randomAction(random: RandomStream): string {
  const id = `T-${random.integer(1, 6)}`;
  return random.pick([
    call('ticket_create', { title: `t${random.integer(0, 99)}` }),
    call('ticket_get', { id }),
    call('ticket_close', { id }),
    call('ticket_list'),
    call('ticket_gone'),
    'not an action',
  ]);
}

async function play(episode: Episode, actions: readonly string[]): Promise<Episode> {
  for (const action of actions) await episode.step(action);
  return episode;
}

const seen = (episode: Episode): string =>
  JSON.stringify([episode.turns, episode.view(), episode.clock, episode.end]);

test('1,000 random forks live exactly as 1,000 fresh runs of the same actions', async () => {
  const world = ticketWorld({ faults: FAULTS });
  const random = randomStream(11, 'test', 'forks');
  const known: { episode: Episode; actions: readonly string[] }[] = [
    { episode: await openEpisode(world), actions: [] },
  ];
  for (let round = 0; round < 1000; round++) {
    const parent = random.pick(known);
    const more = Array.from({ length: random.integer(0, 3) }, () => randomAction(random));
    const actions = [...parent.actions, ...more];
    const fork = await play(parent.episode.fork(), more);
    if (random.chance(0.3) && actions.length < 25) known.push({ episode: fork, actions });
    const fresh = await play(await openEpisode(world), actions);
    expect(seen(fork)).toBe(seen(fresh));
  }
  for (const { episode, actions } of known.slice(0, 50)) {
    expect(episode.turns.map(({ action }) => action)).toEqual(actions);
  }
});

test('a fork and its parent do not see each other', async () => {
  const parent = await play(await openEpisode(ticketWorld()), [call('ticket_create', { title: 'a' })]);
  const fork = parent.fork();
  await Promise.all([
    play(parent, [call('ticket_close', { id: 'T-1' })]),
    play(fork, [call('ticket_create', { title: 'b' }), call('ticket_create', { title: 'c' })]),
  ]);
  const rows = (episode: Episode) =>
    (episode.view() as { data: { tickets: { title: string; status: string }[] } }).data.tickets.map(
      ({ title, status }) => [title, status],
    );
  expect(rows(parent)).toEqual([['a', 'closed']]);
  expect(rows(fork)).toEqual([
    ['a', 'open'],
    ['b', 'open'],
    ['c', 'open'],
  ]);
  expect([parent.turnCount, fork.turnCount]).toEqual([2, 3]);
});

test('a snapshot restores to the same future, at any turn, and equal episodes give equal bytes', async () => {
  const world = ticketWorld({ faults: FAULTS });
  const random = randomStream(12, 'test', 'snapshots');
  for (let round = 0; round < 40; round++) {
    const past = Array.from({ length: random.integer(0, 12) }, () => randomAction(random));
    const future = Array.from({ length: 6 }, () => randomAction(random));
    const episode = await play(await openEpisode(world, { seed: round }), past);
    const bytes = episode.snapshot();
    const restored = await restoreEpisode(world, bytes);
    expect(seen(restored)).toBe(seen(episode));
    expect(restored.snapshot()).toEqual(bytes);
    expect(seen(await play(restored, future))).toBe(seen(await play(episode, future)));
    expect(restored.header()).toEqual(episode.header());
  }
});

test('the ledger, revealed facts and the end are part of a snapshot', async () => {
  const world = libraryWorld({
    facts: [{ id: 'lost', text: 'Shelf 3.', reveal: { on: 'book_list' } }],
    success: [{ id: 'always', expr: 'true' }],
  });
  const model = createScriptedModel([{ text: 'Nine, and 9007199254740993.' }]);
  const hours = call('opening_hours', { day: 'Monday' });
  const episode = await play(await openEpisode(world, { model }), [hours, call('book_list')]);
  const restored = await restoreEpisode(world, episode.snapshot(), { model: createScriptedModel([]) });
  expect(restored.revealedFacts).toEqual([['lost', 2]]);
  expect((await restored.step(hours)).observation).toBe('Nine, and 9007199254740993.');
  await restored.finish('x');
  const ended = await restoreEpisode(world, restored.snapshot(), { model });
  expect([ended.done, ended.end]).toEqual([true, restored.end]);
});

test('half characters and big integers survive a snapshot', async () => {
  const world = libraryWorld();
  const reader = '{"name":"book_lend","arguments":{"id":"b1","reader":"\\ud800 9007199254740993"}}';
  const odd = '{"name":"opening_hours","arguments":{"day":"\ud83d"}}';
  const episode = await play(await openEpisode(world), [reader, odd, 'bad \udc00']);
  const restored = await restoreEpisode(world, episode.snapshot());
  expect(seen(restored)).toBe(seen(episode));
  expect(restored.turns[2]?.action).toBe('bad \udc00');
});

test('damaged bytes, other versions and other worlds are refused', async () => {
  const world = ticketWorld();
  const bytes = (await play(await openEpisode(world), [call('ticket_create', { title: 'a' })])).snapshot();
  const refused = async (changed: Uint8Array, where = world) => {
    const failure = await restoreEpisode(where, changed).catch((error: unknown) => error);
    return (failure as { code?: string }).code;
  };
  expect(await refused(bytes, stockWorld())).toBe('engine/bad-snapshot');
  expect(await refused(new Uint8Array())).toBe('engine/bad-snapshot');
  expect(await refused(bytes.slice(0, bytes.length - 1))).toBe('engine/bad-snapshot');
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) ^ 0x41;
    expect(await refused(changed)).toBe('engine/bad-snapshot');
  }
});

test('a snapshot restored in another process has the same future there', async () => {
  const { script, folder } = await buildChild();
  const random = randomStream(13, 'test', 'process');
  const past = Array.from({ length: 10 }, () => randomAction(random));
  const future = Array.from({ length: 10 }, () => randomAction(random));
  const episode = await play(await openEpisode(ticketWorld({ faults: FAULTS }), { seed: 9 }), past);
  writeFileSync(join(folder, 'snapshot'), episode.snapshot());
  writeFileSync(join(folder, 'job.json'), JSON.stringify({ faults: FAULTS, future }));
  const printed = execFileSync(process.execPath, [script, 'restore', folder], { encoding: 'utf8' });
  expect(printed).toBe(seen(await play(episode, future)));
});
