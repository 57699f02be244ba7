import { spawn } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import { randomStream, readTrajectories, type Trajectory, type TrajectoryEnd } from '../core/index.js';
import { testCall as call, createScriptedModel } from '../testing/index.js';
import { buildChild, testFolder } from './child-process.contract.js';
import { type Episode, openEpisode, restoreEpisode } from './episode.js';
import { createTrajectoryRecorder, recordEpisode } from './record-trajectory.js';
import { replayTrajectory } from './replay-trajectory.js';
import { libraryWorld, stockWorld, ticketWorld } from './worlds.contract.js';

async function read(path: string): Promise<{ trajectory: Trajectory; end?: TrajectoryEnd }[]> {
  const found = [];
  for await (const reading of readTrajectories([readFileSync(path)])) {
    if (reading.kind === 'trajectory') found.push(reading);
  }
  return found;
}

function trajectoryOf(episode: Episode): Trajectory {
  return { ...episode.header(), turns: [...episode.turns] };
}

test('a recording reads back as the episode: header, turns and end', async () => {
  const path = join(testFolder(), 'a.jsonl');
  const episode = await openEpisode(stockWorld());
  await episode.step(call('ship', { item: 'bolts', quantity: 65 }));
  recordEpisode(episode, path);
  await episode.step('nonsense');
  await episode.finish('175');
  const [one, ...rest] = await read(path);
  expect(rest).toEqual([]);
  expect(one?.trajectory).toEqual(trajectoryOf(episode));
  expect(one?.end?.end).toEqual({ turns: 3, done: true, reward: 1, score: episode.end?.score });
});

test('each turn is in the file when its step is answered, and forks are not recorded', async () => {
  const path = join(testFolder(), 'a.jsonl');
  const episode = await openEpisode(ticketWorld());
  const recording = recordEpisode(episode, path);
  for (let i = 1; i <= 3; i++) {
    await episode.step(call('ticket_create', { title: 'é' }));
    await episode.fork().step(call('ticket_list'));
    const [one] = await read(path);
    expect(one?.trajectory.turns).toEqual(episode.turns);
  }
  recording.close();
  await episode.step(call('ticket_list'));
  const [one] = await read(path);
  expect([one?.trajectory.turns.length, one?.end?.end]).toEqual([3, { turns: 3, done: false, reward: null }]);
});

test('waiting is recorded, kept by snapshots and done again by a replay', async () => {
  const world = ticketWorld();
  const episode = await openEpisode(world);
  await episode.wait(1_500);
  const restored = await restoreEpisode(world, episode.snapshot());
  for (const one of [episode, restored]) {
    await one.step(call('ticket_create', { title: 'late' }));
    await one.step(call('ticket_list'));
  }
  expect(restored.turns).toEqual(episode.turns);
  expect(episode.turns.map((turn) => turn.meta?.waitedMs)).toEqual([1_500, undefined]);
  const start = Date.parse((await openEpisode(world)).clock);
  expect(Date.parse(episode.turns[0]?.meta?.startedAt ?? '') - start).toBe(1_500);
  const replay = await replayTrajectory(world, trajectoryOf(episode));
  expect([replay.equal, replay.difference]).toEqual([2, null]);
  await expect(episode.wait(-1)).rejects.toThrow(/cannot wait -1 ms/);
});

test('a file that is not empty is refused unless asked, and kept as it was', async () => {
  const path = join(testFolder(), 'a.jsonl');
  writeFileSync(path, 'precious');
  const header = (await openEpisode(ticketWorld())).header();
  expect(() => createTrajectoryRecorder(path, header)).toThrow(/not empty/);
  expect(readFileSync(path, 'utf8')).toBe('precious');
  createTrajectoryRecorder(path, header, { overwrite: true }).close({ done: false, reward: null });
  expect((await read(path))[0]?.trajectory).toEqual({ ...header, turns: [] });
});

test('a file that cannot be opened is an error that names it', async () => {
  const header = (await openEpisode(ticketWorld())).header();
  expect(() => createTrajectoryRecorder(join(testFolder(), 'no', 'a.jsonl'), header)).toThrow(/no.a\.jsonl/);
});

test('a recorder that is closed takes no more turns', async () => {
  const episode = await openEpisode(ticketWorld());
  await episode.step(call('ticket_list'));
  const recorder = createTrajectoryRecorder(join(testFolder(), 'a.jsonl'), episode.header());
  recorder.close({ done: false, reward: null });
  recorder.close({ done: false, reward: null });
  const [turn] = episode.turns;
  expect(() => turn && recorder.append(turn)).toThrow(/closed/);
});

test('a recording cut at any byte reads back as a prefix of its turns', async () => {
  const path = join(testFolder(), 'a.jsonl');
  const episode = await openEpisode(ticketWorld());
  recordEpisode(episode, path);
  for (const title of ['é', '😀', 'c']) await episode.step(call('ticket_create', { title }));
  await episode.finish();
  const bytes = readFileSync(path);
  const headerBytes = bytes.indexOf(10) + 1;
  for (let size = bytes.length; size >= headerBytes; size--) {
    truncateSync(path, size);
    const [one] = await read(path);
    const turns = one?.trajectory.turns ?? [];
    expect(turns).toEqual(episode.turns.slice(0, turns.length));
  }
});

test('kill -9 while recording loses no turn that was answered', async () => {
  const child = await buildChild();
  const path = join(child.folder, 'recording.jsonl');
  const random = randomStream(14, 'test', 'kill');
  for (let round = 0; round < 5; round++) {
    const answered = await recordUntilKilled(child, random.integer(1, 120));
    const [one, ...rest] = await read(path);
    const turns = one?.trajectory.turns ?? [];
    expect(rest).toEqual([]);
    expect(turns.length).toBeGreaterThanOrEqual(answered);
    const report = await replayTrajectory(
      ticketWorld({ budget: { maxTurns: 1_000_000 } }),
      one?.trajectory as Trajectory,
    );
    expect(report).toMatchObject({ equal: turns.length, difference: null, otherWorld: false });
  }
});

/** Lets the child record until it has said so many turns, kills it, and gives the last turn it said. */
function recordUntilKilled(
  child: { readonly script: string; readonly folder: string },
  turns: number,
): Promise<number> {
  const running = spawn(process.execPath, [child.script, 'record', child.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  return new Promise((resolve, reject) => {
    running.on('error', reject);
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (Number(said.trim().split('\n').at(-1)) >= turns) running.kill('SIGKILL');
    });
    running.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the child ended by itself (${signal})`));
      else resolve(Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1)));
    });
  });
}

test('a replay runs the recorded seed, route and faults again and finds every byte equal', async () => {
  const faults: FaultSpec[] = [{ kind: 'error', when: { rate: 0.4 } }];
  const episode = await openEpisode(ticketWorld(), { seed: 21, faults, maxTurns: 9 });
  for (let i = 0; i < 8; i++) await episode.step(call('ticket_create', { title: `t${i}` }));
  await episode.finish('done');
  expect(await replayTrajectory(ticketWorld(), trajectoryOf(episode))).toEqual({
    trajectory: episode.header().id,
    turns: 9,
    equal: 9,
    difference: null,
    otherWorld: false,
  });
});

test('a replay shows the first difference and says when the world is another', async () => {
  const episode = await openEpisode(stockWorld());
  await episode.step(call('stock_get', { item: 'nuts' }));
  await episode.step(call('ship', { item: 'nuts', quantity: 10 }));
  const other = stockWorld({
    state: { data: { stocks: [{ item: 'nuts', quantity: 9 }] } },
    overrides: {},
    title: 'Other',
  });
  const report = await replayTrajectory(other, trajectoryOf(episode));
  const [first] = episode.turns;
  expect(report).toMatchObject({ turns: 2, equal: 0, otherWorld: true });
  expect(report.difference).toMatchObject({ turn: 1, what: 'observation', recorded: first?.observation });
  const at = report.difference?.at ?? -1;
  expect(report.difference?.recorded?.slice(0, at)).toBe(report.difference?.replayed?.slice(0, at));
  expect(report.difference?.recorded?.[at]).not.toBe(report.difference?.replayed?.[at]);
});

test('what a model said is recorded, so a replay needs no model', async () => {
  const model = createScriptedModel([{ text: '<think>hm</think>' }, { text: 'Nine.' }, { error: 'down' }]);
  const episode = await openEpisode(libraryWorld(), { model });
  await episode.step(call('opening_hours', { day: 'Monday' }));
  await episode.step(call('opening_hours', { day: 'Friday' }));
  expect(episode.turns.map(({ status }) => status)).toEqual(['ok', 'model-failed']);
  const report = await replayTrajectory(libraryWorld(), trajectoryOf(episode));
  expect([report.equal, report.difference]).toEqual([2, null]);
});
