/** The environment API without a port: doors, tokens, idempotency, failures. */
import { expect, test } from 'vitest';
import { ServiceError } from '../core/index.js';
import { createTestWorld, testCall, testTool } from '../testing/index.js';
import { createMemoryStore, createService, type EpisodeStore, type Service } from './index.js';

const WORLD = createTestWorld({
  name: 'shelf',
  strict: true,
  task: 'Add a book.',
  tools: [testTool('list_books', {}), testTool('add_book', { title: { type: 'string' } })],
  state: { data: { books: [{ id: 'b1', title: 'Deep Water' }] } },
  success: [{ id: 'two', expr: 'state.data.books.size() == 2' }],
});
const ADD = testCall('add_book', { title: 'High Ground' });

function serviceOf(more: Parameters<typeof createService>[0] = {}): Service {
  return createService({ worlds: [WORLD], controlToken: 'control', agentTokens: ['agent'], ...more });
}

interface Asked {
  readonly status: number;
  readonly body: Record<string, unknown> & { error?: { code: string; message: string } };
}

async function ask(
  service: Service,
  line: string,
  how: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
): Promise<Asked> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const headers = {
    ...(how.token !== undefined && { authorization: `Bearer ${how.token}` }),
    ...how.headers,
  };
  const body =
    how.body === undefined
      ? {}
      : { body: typeof how.body === 'string' ? how.body : JSON.stringify(how.body) };
  const response = await service.fetch(new Request(`http://localhost${path}`, { method, headers, ...body }));
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

async function opened(
  service: Service,
  body: unknown = { world: 'shelf' },
  token = 'control',
): Promise<string> {
  const { body: episode } = await ask(service, 'POST /episodes', { body, token });
  return String(episode.id);
}

const codeOf = ({ status, body }: Asked): [number, string | undefined] => [status, body.error?.code];

test('an agent opens an episode, acts and finishes; it is shown no origins, faults or seeds', async () => {
  const service = serviceOf();
  const made = await ask(service, 'POST /episodes', { body: { world: 'shelf' } });
  const { id, actionSpace: _tools, ...view } = made.body;
  expect([made.status, view]).toEqual([
    201,
    {
      world: 'shelf',
      domain: 'mcp',
      title: 'shelf',
      task: 'Add a book.',
      turns: 0,
      clock: '2026-01-05T09:00:00.000Z',
      done: false,
      reward: null,
    },
  ]);
  const step = await ask(service, `POST /episodes/${id}/step`, {
    body: { action: ADD, request_id: '1', turn: 1 },
  });
  expect([step.status, Object.keys(step.body)]).toEqual([
    200,
    ['turn', 'action', 'status', 'observation', 'isError', 'clock', 'done', 'reward'],
  ]);
  const finish = await ask(service, `POST /episodes/${id}/finish`, { body: { answer: 'done' } });
  expect([finish.status, finish.body.done, finish.body.reward]).toEqual([200, true, 1]);
  const late = await ask(service, `POST /episodes/${id}/step`, { body: { action: ADD, request_id: '9' } });
  expect(codeOf(late)).toEqual([409, 'usage/episode-done']);
});

test('a step sent twice acts once, whether the first is answered already or still runs', async () => {
  const service = serviceOf();
  const id = await opened(service);
  const send = (body: unknown): Promise<Asked> => ask(service, `POST /episodes/${id}/step`, { body });
  const [first, second] = await Promise.all([1, 2].map(() => send({ action: ADD, request_id: 'a' })));
  expect(second).toEqual(first);
  expect(await send({ action: ADD, request_id: 'a' })).toEqual(first);
  expect((await ask(service, `GET /episodes/${id}`)).body.turns).toBe(1);
  expect(codeOf(await send({ action: testCall('list_books'), request_id: 'a' }))).toEqual([
    409,
    'service/conflict',
  ]);
  expect(codeOf(await send({ action: ADD, request_id: 'b', turn: 1 }))).toEqual([409, 'service/conflict']);
  expect(codeOf(await send({ action: ADD }))).toEqual([400, 'service/bad-request']);
});

test('the control routes are shut for agents, whatever token they have', async () => {
  const service = serviceOf();
  const id = await opened(service);
  const asked = [
    'GET /episodes',
    `POST /episodes/${id}/fork`,
    `GET /episodes/${id}/trajectory`,
    `DELETE /episodes/${id}`,
  ];
  for (const line of asked) {
    expect(codeOf(await ask(service, line)), line).toEqual([403, 'service/forbidden']);
    expect(codeOf(await ask(service, line, { token: 'agent' })), line).toEqual([403, 'service/forbidden']);
  }
  for (const more of [
    { seed: 1 },
    { faults: [] },
    { route: 'model' },
    { maxTurns: 3 },
    { private: true },
    { clock: 'live' },
  ]) {
    const made = await ask(service, 'POST /episodes', { body: { world: 'shelf', ...more }, token: 'agent' });
    expect(codeOf(made), JSON.stringify(more)).toEqual([403, 'service/forbidden']);
  }
  const own = await ask(service, 'POST /episodes', { body: { world: { world: 1 } }, token: 'agent' });
  expect(codeOf(own)).toEqual([403, 'service/forbidden']);
  expect((await ask(service, `GET /episodes/${id}`, { token: 'agent' })).body).not.toHaveProperty('seed');
});

test('a wrong token opens nothing, and a private episode only opens for its own', async () => {
  const service = serviceOf();
  const id = await opened(service, { world: 'shelf', private: true });
  const other = await service.openEpisode(WORLD, { private: true });
  const path = `GET /episodes/${id}`;
  for (const token of ['wrong', other.token, 'agent']) {
    expect(codeOf(await ask(service, path, { token })), token).toEqual([401, 'service/unauthorised']);
  }
  expect(codeOf(await ask(service, path))).toEqual([401, 'service/unauthorised']);
  expect((await ask(service, `GET /episodes/${other.id}`, { token: other.token })).status).toBe(200);
  expect(codeOf(await ask(service, 'GET /healthz', { headers: { authorization: 'Basic eDp5' } }))).toEqual([
    401,
    'service/unauthorised',
  ]);
});

test('a service that is not open wants a token of everyone', async () => {
  const service = serviceOf({ open: false });
  expect(codeOf(await ask(service, 'POST /episodes', { body: { world: 'shelf' } }))).toEqual([
    401,
    'service/unauthorised',
  ]);
  const made = await ask(service, 'POST /episodes', { body: { world: 'shelf' }, token: 'agent' });
  expect(made.status).toBe(201);
  expect(codeOf(await ask(service, `GET /episodes/${made.body.id}`))).toEqual([401, 'service/unauthorised']);
});

test('requests that a page of another site makes are refused', async () => {
  const service = serviceOf();
  const bad: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { host: 'localhost', origin: 'https://localhost.evil.example' },
  ];
  for (const headers of bad) {
    const asked = await ask(service, 'GET /healthz', { headers });
    expect(codeOf(asked), JSON.stringify(headers)).toEqual([403, 'service/forbidden']);
  }
  const good: Record<string, string>[] = [
    { host: '127.0.0.1:7077' },
    { host: '[::1]:1' },
    { origin: 'http://localhost:5173' },
  ];
  for (const headers of good) {
    expect((await ask(service, 'GET /healthz', { headers })).status, JSON.stringify(headers)).toBe(200);
  }
});

test('hostile bodies are refused with what is wrong, and the episode goes on', async () => {
  const service = serviceOf();
  const id = await opened(service);
  const path = `POST /episodes/${id}/step`;
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  for (const body of [
    '{',
    '[]',
    '"x"',
    deep,
    '{"action":"x","request_id":7}',
    '{"acton":"x","request_id":"1"}',
  ]) {
    expect(codeOf(await ask(service, path, { body })), body.slice(0, 40)).toEqual([
      400,
      'service/bad-request',
    ]);
  }
  const latin = await service.fetch(
    new Request(`http://localhost/episodes/${id}/step`, {
      method: 'POST',
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    }),
  );
  expect(latin.status).toBe(400);
  const long = await ask(service, path, { body: 'x', headers: { 'content-length': String(2 ** 40) } });
  expect(codeOf(long)).toEqual([413, 'service/too-large']);
  for (const name of ['../../etc/passwd', './worlds/x.yaml', '/etc/passwd', 'shelv']) {
    const made = await ask(service, 'POST /episodes', { body: { world: name } });
    expect(codeOf(made), name).toEqual([404, 'world/not-found']);
  }
  expect((await ask(service, path, { body: { action: ADD, request_id: '1' } })).status).toBe(200);
});

test('a step without an observation is an error on the wire, with the status as its code', async () => {
  const world = createTestWorld({
    name: 'oracle',
    strict: true,
    tools: [testTool('ask_oracle', { q: { type: 'string' } })],
  });
  const service = serviceOf({ worlds: [world] });
  const id = await opened(service, { world: 'oracle' });
  const action = testCall('ask_oracle', { q: 'when?' });
  const step = await ask(service, `POST /episodes/${id}/step`, { body: { action, request_id: '1' } });
  expect([step.status, step.body.error?.code, step.body.observation]).toEqual([422, 'abstained', null]);
});

test('a fork has the turns of its origin and a life of its own; a deleted episode is gone', async () => {
  const service = serviceOf();
  const id = await opened(service, { world: 'shelf', seed: 5 });
  const control = { token: 'control' };
  const step = (of: string, key: string): Promise<Asked> =>
    ask(service, `POST /episodes/${of}/step`, { body: { action: ADD, request_id: key } });
  await step(id, '1');
  const fork = await ask(service, `POST /episodes/${id}/fork`, control);
  expect([fork.status, fork.body.turns, fork.body.seed, fork.body.parent]).toEqual([
    201,
    1,
    5,
    { id, turns: 1 },
  ]);
  expect((await step(String(fork.body.id), '1')).body.turn).toBe(2);
  expect((await ask(service, `GET /episodes/${id}`, control)).body.turns).toBe(1);
  expect((await ask(service, `DELETE /episodes/${id}`, control)).status).toBe(204);
  expect(codeOf(await ask(service, `GET /episodes/${id}`))).toEqual([404, 'service/not-found']);
  const text = await service.fetch(
    new Request(`http://localhost/episodes/${fork.body.id}/trajectory`, {
      headers: { authorization: 'Bearer control' },
    }),
  );
  expect((await text.text()).split('\n').length).toBe(4);
});

test('a step that the store does not take fails, and the episode is as before', async () => {
  const memory = createMemoryStore();
  let broken = true;
  const store: EpisodeStore = {
    ...memory,
    append: async (id, event) => {
      if (broken) throw new ServiceError('the disk is full', { code: 'service/store-failed' });
      await memory.append(id, event);
    },
  };
  const service = serviceOf({ store });
  const hosted = await service.openEpisode(WORLD);
  const send = (): Promise<Asked> =>
    ask(service, `POST /episodes/${hosted.id}/step`, { body: { action: ADD, request_id: '1' } });
  expect(codeOf(await send())).toEqual([503, 'service/store-failed']);
  expect(hosted.episode.turnCount).toBe(0);
  broken = false;
  expect([(await send()).body.turn, hosted.episode.turnCount]).toEqual([1, 1]);
});

test('with a live clock simulated time goes on while the agent thinks, and the turn says how long', async () => {
  let nowMs = 1_000_000;
  const service = serviceOf({ nowMs: () => nowMs });
  const live = await service.openEpisode(WORLD, { clock: 'live' });
  const still = await service.openEpisode(WORLD);
  for (const hosted of [live, still]) {
    await hosted.step(ADD);
    nowMs += 90_000;
    await hosted.step(testCall('list_books'));
  }
  expect([live, still].map(({ episode }) => episode.turns[1]?.meta?.waitedMs)).toEqual([90_000, undefined]);
  expect(live.episode.clock > still.episode.clock).toBe(true);
});

test('a service takes so many episodes and no more, and none after it was closed', async () => {
  const service = serviceOf({ maxEpisodes: 1 });
  const first = await service.openEpisode(WORLD);
  expect(codeOf(await ask(service, 'POST /episodes', { body: { world: 'shelf' } }))).toEqual([
    503,
    'service/capacity',
  ]);
  await first.close();
  expect((await ask(service, 'POST /episodes', { body: { world: 'shelf' } })).status).toBe(201);
  await service.close();
  expect(codeOf(await ask(service, 'POST /episodes', { body: { world: 'shelf' } }))).toEqual([
    503,
    'service/closed',
  ]);
});

test('the turns come as JSON, and as server-sent events until the episode is done', async () => {
  const service = serviceOf();
  const hosted = await service.openEpisode(WORLD);
  await hosted.step(ADD);
  const path = `http://localhost/episodes/${hosted.id}/events`;
  const stream = await service.fetch(new Request(path, { headers: { accept: 'text/event-stream' } }));
  await hosted.step(testCall('list_books'));
  await hosted.finish('x');
  const text = await stream.text();
  expect(text.match(/^id: .*$/gm)).toEqual(['id: 1', 'id: 2', 'id: 3']);
  const later = await ask(service, `GET /episodes/${hosted.id}/events?after=2`);
  expect(later.body.events).toMatchObject([{ turn: 3, done: true }]);
});
