/** OpenEnv over real sockets: sessions, typed errors, capacity, and what its validator asks. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createTestWorld, testTool } from '../../testing/index.js';
import { type ListeningService, startService } from '../index.js';

const WORLD = createTestWorld({
  name: 'shelf',
  strict: true,
  task: 'Add a book.',
  tools: [
    testTool('list_books', {}),
    testTool('add_book', { title: { type: 'string' } }),
    testTool('ask_oracle', { q: { type: 'string' } }),
  ],
  state: { data: { books: [{ id: 'b1', title: 'Deep Water' }] } },
  success: [{ id: 'two', expr: 'state.data.books.size() == 2' }],
});

let service: ListeningService;
let base: string;
beforeAll(async () => {
  service = await startService({
    worlds: [WORLD],
    controlToken: 'control',
    agentTokens: ['agent'],
    maxOpenEnvSessions: 4,
  });
  base = `${service.url}/openenv/shelf`;
});
afterAll(() => service.close());

async function socket(): Promise<WebSocket> {
  const opened = new WebSocket(`${base.replace('http', 'ws')}/ws`);
  await once(opened, 'open');
  return opened;
}

interface Reply {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

async function ask(on: WebSocket, message: unknown): Promise<Reply> {
  const reply = once(on, 'message');
  on.send(typeof message === 'string' ? message : JSON.stringify(message));
  const [data] = await reply;
  return JSON.parse(String(data));
}

async function end(on: WebSocket): Promise<void> {
  const closed = once(on, 'close');
  on.send('{"type":"close"}');
  await closed;
}

const call = (tool_name: string, args: unknown = {}): unknown => ({
  type: 'step',
  data: { type: 'call_tool', tool_name, arguments: args },
});

async function episodes(): Promise<number> {
  const response = await fetch(`${service.url}/episodes`, { headers: { authorization: 'Bearer control' } });
  return ((await response.json()) as { episodes: unknown[] }).episodes.length;
}

test('a session is reset, stepped, asked for its state and finished with a reward', async () => {
  const one = await socket();
  const reset = await ask(one, { type: 'reset', data: { seed: 3, episode_id: 'mine', other: true } });
  expect(reset).toEqual({
    type: 'observation',
    data: { observation: { text: 'Add a book.', is_error: false }, reward: null, done: false },
  });
  const listed = await ask(one, { type: 'step', data: { type: 'list_tools' } });
  expect(listed.data.observation).toMatchObject({
    tools: [{ name: 'list_books' }, { name: 'add_book' }, {}],
  });
  const added = await ask(one, call('add_book', { title: 'High Ground' }));
  expect(added.data).toMatchObject({
    observation: { tool_name: 'add_book', error: null },
    reward: null,
    done: false,
  });
  expect((await ask(one, { type: 'state' })).data).toEqual({
    episode_id: 'mine',
    step_count: 1,
    world: 'shelf',
    done: false,
  });
  const finished = await ask(one, { type: 'step', data: { type: 'finish', answer: 'done' } });
  expect(finished.data).toMatchObject({ reward: 1, done: true });
  expect((await ask(one, call('list_books'))).data).toMatchObject({
    code: 'EXECUTION_ERROR',
    error: 'usage/episode-done',
  });
  await end(one);
});

test("a model's own text is an action, and a reset touches only its own socket", async () => {
  const [one, two] = await Promise.all([socket(), socket()]);
  await ask(one, call('add_book', { title: 'A' }));
  await ask(two, { type: 'step', data: { action: { name: 'add_book', arguments: { title: 'B' } } } });
  await ask(two, { type: 'reset' });
  const listed = await ask(one, { type: 'step', data: { message: '{"name":"list_books","arguments":{}}' } });
  expect(listed.data.observation).toMatchObject({
    text: expect.stringContaining('"title": "A"'),
    is_error: false,
  });
  expect((await ask(two, { type: 'state' })).data.step_count).toBe(0);
  await Promise.all([end(one), end(two)]);
});

test('errors are typed, and the session goes on', async () => {
  const one = await socket();
  const codes: unknown[] = [];
  for (const message of [
    'no json',
    '{"type":"fly"}',
    '{}',
    { type: 'step', data: { type: 'call_tool' } },
    { type: 'reset', data: { seed: -1 } },
    call('ask_oracle', { q: 'when?' }),
  ]) {
    const { type, data } = await ask(one, message);
    codes.push([type, data.code, data.status ?? data.errors !== undefined]);
  }
  expect(codes).toEqual([
    ['error', 'INVALID_JSON', false],
    ['error', 'UNKNOWN_TYPE', false],
    ['error', 'UNKNOWN_TYPE', false],
    ['error', 'VALIDATION_ERROR', true],
    ['error', 'VALIDATION_ERROR', true],
    ['error', 'EXECUTION_ERROR', 'abstained'],
  ]);
  const wrong = await ask(one, call('add_book', { titel: 'x' }));
  expect(wrong.data.observation).toMatchObject({ result: null, error: { error_type: 'invalid_args' } });
  const unknown = await ask(one, call('burn_book'));
  expect(unknown.data.observation).toMatchObject({ error: { error_type: 'tool_not_found' } });
  const listed = await ask(one, { type: 'mcp', data: { jsonrpc: '2.0', id: 7, method: 'tools/list' } });
  expect(listed.data).toMatchObject({ id: 7, result: { tools: [{ name: 'list_books' }, {}, {}] } });
  await end(one);
});

test('a socket over capacity is told the reason before it is closed, and a vanished client leaves nothing', async () => {
  const before = await episodes();
  const four = await Promise.all([1, 2, 3, 4].map(socket));
  await Promise.all(four.map((one) => ask(one, { type: 'reset' })));
  const fifth = new WebSocket(`${base.replace('http', 'ws')}/ws`);
  const [data] = await once(fifth, 'message');
  expect(JSON.parse(String(data))).toMatchObject({
    type: 'error',
    data: { code: 'CAPACITY_REACHED', active_sessions: 4, max_sessions: 4 },
  });
  fifth.send('{"type":"reset"}');
  await once(fifth, 'close');
  for (const one of four) one.terminate();
  // A free place is the sign that the vanished sessions have ended.
  let again = await socket();
  while ((await ask(again, { type: 'state' })).type === 'error') {
    await once(again, 'close');
    again = await socket();
  }
  await end(again);
  while ((await episodes()) > before) await new Promise((resolve) => setImmediate(resolve));
  expect(await episodes()).toBe(before);
});

test("the six criteria of OpenEnv's validator hold", async () => {
  const get = async (path: string) =>
    (await fetch(`${base}${path}`)).json() as Promise<Record<string, never>>;
  const openapi = (await get('/openapi.json')) as unknown as { info: { version: unknown }; paths: object };
  expect(typeof openapi.info.version).toBe('string');
  expect(await get('/health')).toEqual({ status: 'healthy' });
  expect(await get('/metadata')).toMatchObject({ name: 'shelf', description: 'shelf' });
  const { action, observation, state } = await get('/schema');
  expect([action, observation, state].map((schema) => typeof schema)).toEqual(['object', 'object', 'object']);
  const mcp = await fetch(`${base}/mcp`, { method: 'POST', body: '{}' });
  expect([mcp.status, await mcp.json()]).toMatchObject([200, { jsonrpc: '2.0', error: { code: -32_600 } }]);
  expect(Object.keys(openapi.paths)).toEqual(expect.arrayContaining(['/reset', '/step', '/state']));
});

test('plain requests have a fresh episode each, and JSON-RPC sessions one of their own', async () => {
  const post = async (path: string, body: string) => {
    const response = await fetch(`${base}${path}`, { method: 'POST', body });
    return [response.status, await response.json()] as const;
  };
  expect(await post('/reset', '{"seed":1}')).toMatchObject([200, { reward: null, done: false }]);
  const step = await post('/step', '{"action":{"type":"call_tool","tool_name":"list_books"}}');
  expect([step[0], Object.keys(step[1] as object)]).toEqual([200, ['observation', 'reward', 'done']]);
  expect((await post('/step', '{}'))[0]).toBe(422);
  expect((await post('/reset', '{"seed":"x"}'))[1]).toMatchObject({ detail: [{ loc: ['body', 'seed'] }] });
  const abstained = '{"action":{"type":"call_tool","tool_name":"ask_oracle","arguments":{"q":"x"}}}';
  expect((await post('/step', abstained))[0]).toBe(422);
  const rpc = async (method: string, params: object) =>
    (await post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))[1] as {
      result?: Record<string, unknown>;
      error?: unknown;
    };
  const session_id = (await rpc('openenv/session/create', {})).result?.session_id;
  await rpc('tools/call', { session_id, name: 'add_book', arguments: { title: 'C' } });
  const listed = await rpc('tools/call', { session_id, name: 'list_books' });
  expect(JSON.stringify(listed.result)).toContain('\\"title\\": \\"C\\"');
  expect((await rpc('openenv/session/close', { session_id })).result).toEqual({ session_id, closed: true });
  expect((await rpc('tools/list', { session_id })).error).toMatchObject({ code: -32_000 });
});

test("the trainer's door is not an agent's, and not a web page's", async () => {
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${base}/health`, { headers })).status;
  expect(await status({})).toBe(200);
  expect(await status({ authorization: 'Bearer control' })).toBe(200);
  expect(await status({ authorization: 'Bearer agent' })).toBe(403);
  expect(await status({ authorization: 'Bearer wrong' })).toBe(401);
  const refused = async (path: string, headers: Record<string, string>): Promise<number> => {
    const opened = new WebSocket(`${service.url.replace('http', 'ws')}${path}`, { headers });
    const [, response] = await once(opened, 'unexpected-response');
    return response.statusCode;
  };
  expect(await refused('/openenv/shelf/ws', { authorization: 'Bearer agent' })).toBe(403);
  expect(await refused('/openenv/shelf/ws', { origin: 'http://evil.example' })).toBe(403);
  expect(await refused('/openenv/nope/ws', {})).toBe(404);
  expect(await refused('/episodes/x/ws', {})).toBe(404);
});
