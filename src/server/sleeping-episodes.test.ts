/** Episodes that leave memory and come back, in the same process and in the next. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTrajectories, type Trajectory } from '../core/index.js';
import { replayTrajectory } from '../sim/index.js';
import { createTestWorld, testCall, testTool } from '../testing/index.js';
import { addBook, SHELF } from './episode-store.contract.js';
import {
  createService,
  type EpisodeStore,
  openSqliteStore,
  type Service,
  type ServiceOptions,
  storedTrajectories,
} from './index.js';

function storePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-sleep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'episodes.db');
}

async function serviceOn(path: string, more: ServiceOptions = {}): Promise<Service> {
  const store = await openSqliteStore(path, { sync: 'normal' });
  return createService({ worlds: [SHELF], controlToken: 'control', ...more, store });
}

async function ask(service: Service, line: string, body?: unknown, token = 'control'): Promise<Asked> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await service.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: JSON.parse(await response.text()) };
}

interface Asked {
  readonly status: number;
  readonly body: Record<string, unknown> & {
    id: string;
    token: string;
    error?: { code: string; message: string };
  };
}

/** A store in which some methods do something else. */
function storeBut(store: EpisodeStore, other: Partial<EpisodeStore>): EpisodeStore {
  return new Proxy(store, {
    get: (target, key) => {
      const own = Reflect.get(other, key) ?? Reflect.get(target, key);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

const stepOf = (title: string, turn: number) => ({ action: addBook(title), request_id: `r${turn}`, turn });

test('more episodes than memory may hold live on, each in its own state, and a repeated step is answered as before', async () => {
  const service = await serviceOn(storePath(), { maxAwake: 3 });
  onTestFinished(() => service.close());
  const ids: string[] = [];
  for (let n = 0; n < 8; n++)
    ids.push((await ask(service, 'POST /episodes', { world: 'shelf', seed: n })).body.id);
  const first = await Promise.all(
    ids.map((id, n) => ask(service, `POST /episodes/${id}/step`, stepOf(`one ${n}`, 1))),
  );
  expect(first.map(({ status }) => status)).toEqual(ids.map(() => 200));
  const again = await Promise.all(
    ids.map((id, n) => ask(service, `POST /episodes/${id}/step`, stepOf(`one ${n}`, 1))),
  );
  expect(again).toEqual(first);
  const lists = await Promise.all(
    ids.map((id) =>
      ask(service, `POST /episodes/${id}/step`, { action: testCall('list_books'), request_id: 'l' }),
    ),
  );
  for (const [n, { body }] of lists.entries()) {
    expect(body.turn).toBe(2);
    expect(body.observation).toContain(`one ${n}`);
    expect(String(body.observation).match(/"title"/g)).toHaveLength(2);
  }
  const { body } = await ask(service, 'GET /episodes?limit=3');
  expect([body.total, (body.episodes as unknown[]).length, body.next]).toEqual([8, 3, ids[2]]);
  const metrics = await (
    await service.fetch(
      new Request('http://localhost/metrics', { headers: { authorization: 'Bearer control' } }),
    )
  ).text();
  expect(/umwelt_episodes_awake (\d+)/.exec(metrics)?.[1]).toMatch(/^[123]$/);
});

test('a service that ends and starts again goes on where it was: state, clock, tokens, request ids', async () => {
  const path = storePath();
  const service = await serviceOn(path);
  const { id, token } = (await ask(service, 'POST /episodes', { world: 'shelf', private: true, seed: 3 }))
    .body;
  const before = await ask(service, `POST /episodes/${id}/step`, stepOf('High Ground', 1), token);
  const view = await ask(service, `GET /episodes/${id}`);
  await service.close();
  const next = await serviceOn(path, { worlds: [] });
  onTestFinished(() => next.close());
  expect(await ask(next, `GET /episodes/${id}`)).toEqual(view);
  expect(await ask(next, `POST /episodes/${id}/step`, stepOf('High Ground', 1), token)).toEqual(before);
  expect((await ask(next, `POST /episodes/${id}/step`, stepOf('Other', 1), token)).body.error?.code).toBe(
    'service/conflict',
  );
  const end = await ask(next, `POST /episodes/${id}/finish`, { answer: 'done', request_id: 'f' }, token);
  expect([end.body.turn, end.body.done, end.body.reward]).toEqual([2, true, 1]);
  expect(await ask(next, `POST /episodes/${id}/finish`, { answer: 'done', request_id: 'f' }, token)).toEqual(
    end,
  );
  expect((await ask(next, `GET /episodes/${id}`, undefined, 'wrong')).body.error?.code).toBe(
    'service/unauthorised',
  );
});

test('without a snapshot the turns are played again, faults and the end included', async () => {
  const path = storePath();
  const faults = [{ kind: 'error', on: 'list_books', when: { calls: [2] }, with: { status: 500 } }];
  const service = await serviceOn(path);
  const { id } = (await ask(service, 'POST /episodes', { world: 'shelf', faults })).body;
  const list = { action: testCall('list_books') };
  await ask(service, `POST /episodes/${id}/step`, { ...list, request_id: '1' });
  const failed = await ask(service, `POST /episodes/${id}/step`, { ...list, request_id: '2' });
  await ask(service, `POST /episodes/${id}/finish`, { answer: 'x' });
  const whole = await ask(service, `GET /episodes/${id}`);
  // As after kill -9: the log is there, snapshots are not.
  const dropped: EpisodeStore = storeBut(service.store, {
    snapshot: async () => undefined,
  });
  const other = createService({ worlds: [], controlToken: 'control', store: dropped });
  expect(await ask(other, `GET /episodes/${id}`)).toEqual(whole);
  expect(await ask(other, `POST /episodes/${id}/step`, { ...list, request_id: '2' })).toEqual(failed);
  await service.close();
});

test('a stored turn that comes out otherwise is told, and the episode is not brought back', async () => {
  const path = storePath();
  const service = await serviceOn(path);
  const { id } = (await ask(service, 'POST /episodes', { world: 'shelf' })).body;
  await ask(service, `POST /episodes/${id}/step`, stepOf('High Ground', 1));
  const lying: EpisodeStore = storeBut(service.store, {
    snapshot: async () => undefined,
    events: async () => {
      const [event] = await service.store.events(id);
      return event === undefined ? [] : [{ ...event, entry: { ...event.entry, observation: 'otherwise' } }];
    },
  });
  const other = createService({ worlds: [SHELF], controlToken: 'control', store: lying });
  const told = await ask(other, `GET /episodes/${id}`);
  expect([told.status, told.body.error?.code]).toEqual([503, 'service/store-failed']);
  expect(told.body.error?.message).toContain('turn 1 comes out otherwise than it was recorded');
  await service.close();
});

test('an uploaded world is kept with its episode, and a store is exported as trajectories that replay', async () => {
  const path = storePath();
  const service = await serviceOn(path, { worlds: [] });
  const world = createTestWorld({
    name: 'own',
    strict: true,
    tools: [testTool('list_books', {}), testTool('add_book', { title: { type: 'string' } })],
    state: { data: { books: [] } },
  });
  const { id } = (await ask(service, 'POST /episodes', { world: JSON.parse(world.text()), seed: 5 })).body;
  await ask(service, `POST /episodes/${id}/step`, stepOf('High Ground', 1));
  await ask(service, `POST /episodes/${id}/finish`, { answer: 'x' });
  await service.close();
  const store = await openSqliteStore(path);
  const trajectories: Trajectory[] = [];
  for await (const one of storedTrajectories(store)) {
    if (!('text' in one)) throw new Error(one.problem);
    for await (const reading of readTrajectories([new TextEncoder().encode(one.text)])) {
      if (reading.kind === 'trajectory') trajectories.push(reading.trajectory);
    }
  }
  await store.close();
  expect(trajectories.map(({ turns, meta }) => [turns.length, meta.world, meta.seed])).toEqual([
    [2, 'own', 5],
  ]);
  const [trajectory] = trajectories;
  if (trajectory === undefined) throw new Error('none');
  expect(await replayTrajectory(world, trajectory)).toMatchObject({ turns: 2, equal: 2, difference: null });
});

test('episodes that nobody changed for long are forgotten, idle ones only leave memory', async () => {
  let nowMs = Date.parse('2026-01-05T09:00:00Z');
  const service = await serviceOn(storePath(), { nowMs: () => nowMs });
  onTestFinished(() => service.close());
  const { id } = (await ask(service, 'POST /episodes', { world: 'shelf' })).body;
  nowMs += 10 * 60_000;
  await service.tidy();
  const metrics = async (): Promise<string | undefined> => {
    const request = new Request('http://localhost/metrics', { headers: { authorization: 'Bearer control' } });
    return /umwelt_episodes_awake (\d+)/.exec(await (await service.fetch(request)).text())?.[1];
  };
  expect(await metrics()).toBe('0');
  expect((await ask(service, `POST /episodes/${id}/step`, stepOf('a', 1))).status).toBe(200);
  nowMs += 3 * 24 * 3_600_000;
  await service.tidy(24 * 3_600_000);
  expect((await ask(service, `GET /episodes/${id}`)).status).toBe(404);
});
