/** Many clients, clients that vanish, and clients that speak nonsense, over real sockets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  Client as NewerClient,
  StreamableHTTPClientTransport as NewerTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GenerateRequest, type LanguageModel, ok } from '../core/index.js';
import { createTestWorld, testTool } from '../testing/index.js';
import { type ListeningService, startService } from './index.js';

const WORLD = createTestWorld({
  name: 'notes',
  tools: [
    testTool('list_notes', {}),
    testTool('note_add', { text: { type: 'string' }, 'big?': { type: 'integer' } }),
    testTool('ask_oracle', { q: { type: 'string' } }),
  ],
  state: { data: { notes: [] } },
  overrides: { note_add: { op: 'create', collection: 'notes' } },
  resources: [
    { uri: 'note:///readme', mimeType: 'text/plain', text: 'Be brief.' },
    { uri: 'note:///unread', name: 'unread' },
  ],
  prompts: [
    {
      name: 'greet',
      arguments: [{ name: 'who', required: true }],
      messages: [{ role: 'user', content: 'Greet {args.who}.' }],
    },
  ],
});

/** A model that answers when the test says so. */
function heldModel(): { model: LanguageModel; asked: Promise<void>; release: () => void } {
  let tell = (): void => undefined;
  let release = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const generate = async (_request: GenerateRequest) => {
    tell();
    await held;
    const sample = { text: '<predicted_observation>\nsoon\n</predicted_observation>', reasoning: null };
    return ok({
      model: 'held',
      samples: [{ ...sample, finishReason: 'stop' as const }],
      usage: { promptTokens: null, completionTokens: null },
    });
  };
  return { model: { name: 'held', generate }, asked, release };
}

let service: ListeningService;
beforeAll(async () => {
  service = await startService({ worlds: [WORLD], controlToken: 'control' });
});
afterAll(() => service.close());

async function older(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function control(path: string): Promise<unknown> {
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: 'Bearer control' } });
  return response.json();
}

const rpc = (
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });

test('each session of a world is an episode of its own, which ends and is scored with the session', async () => {
  const url = `${service.url}/mcp/notes`;
  const clients = await Promise.all(Array.from({ length: 30 }, () => older(url)));
  await Promise.all(
    clients.map(async (client, index) => {
      for (let turn = 0; turn <= index % 3; turn++) {
        await client.callTool({ name: 'note_add', arguments: { text: `${index}` } });
      }
      const listed = await client.callTool({ name: 'list_notes', arguments: {} });
      const { total } = JSON.parse((listed.content as { text: string }[])[0]?.text ?? '{}');
      expect(total).toBe((index % 3) + 1);
    }),
  );
  const { episodes } = (await control('/episodes')) as { episodes: { turns: number; done: boolean }[] };
  expect(episodes.map(({ turns, done }) => [turns, done])).toEqual(
    Array.from({ length: 30 }, (_, index) => [(index % 3) + 2, false]),
  );
  await Promise.all(
    clients.map(async (client) => {
      await (client.transport as StreamableHTTPClientTransport).terminateSession();
      await client.close();
    }),
  );
  const after = (await control('/episodes')) as { episodes: { done: boolean }[] };
  expect(after.episodes.every(({ done }) => done)).toBe(true);
});

test('a client of the newest revision falls back to a session where the address needs one', async () => {
  const client = new NewerClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new NewerTransport(new URL(`${service.url}/mcp/notes`)));
  expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
  expect((await client.listTools()).tools).toEqual(WORLD.file.tools);
  await client.close();
});

test('resources and prompts are served as the world has them', async () => {
  const hosted = await service.openEpisode(WORLD);
  const client = await older(hosted.mcpUrl);
  expect((await client.listResources()).resources).toEqual([
    { name: 'note:///readme', uri: 'note:///readme', mimeType: 'text/plain' },
    { uri: 'note:///unread', name: 'unread' },
  ]);
  expect(await client.readResource({ uri: 'note:///readme' })).toEqual({
    contents: [{ uri: 'note:///readme', mimeType: 'text/plain', text: 'Be brief.' }],
  });
  await expect(client.readResource({ uri: 'note:///unread' })).rejects.toMatchObject({
    data: { code: 'abstained' },
  });
  await expect(client.readResource({ uri: 'note:///nothing' })).rejects.toMatchObject({ code: -32_602 });
  expect(await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } })).toEqual({
    messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }],
  });
  await expect(client.getPrompt({ name: 'greet' })).rejects.toMatchObject({ code: -32_602 });
  await client.close();
});

test('big integers and the exact text of arguments pass over HTTP, with and without a session', async () => {
  const hosted = await service.openEpisode(WORLD);
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"note_add","arguments":';
  const args = '{"text":"a", "big":123456789012345678901234567890 }';
  const response = await rpc(hosted.mcpUrl, `${call}${args}}}`, { 'mcp-protocol-version': '2025-11-25' });
  expect(await response.text()).toContain('123456789012345678901234567890');
  expect(hosted.episode.turns[0]?.action).toBe(`{"name":"note_add","arguments":${args}}`);
});

test('a client that is killed in mid-call leaves a turn behind and nothing else', async () => {
  const { model, asked, release } = heldModel();
  const hosted = await service.openEpisode(WORLD, { model });
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask_oracle', arguments: { q: 'when?' } },
  });
  const script = `fetch(${JSON.stringify(hosted.mcpUrl)}, { method: 'POST', body: ${JSON.stringify(body)},
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } })`;
  const child = spawn(process.execPath, ['-e', script]);
  await asked;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const stored = new Promise<void>((resolve) => {
    hosted.onTurn(() => resolve());
  });
  release();
  await stored;
  expect(hosted.episode.turns.map((turn) => turn.observation)).toEqual(['soon']);
  const client = await older(hosted.mcpUrl);
  await client.callTool({ name: 'note_add', arguments: { text: 'on' } });
  expect(hosted.episode.turnCount).toBe(2);
  await client.close();
});

test('a call that the client cancels is a turn all the same, and the session goes on', async () => {
  const { model, asked, release } = heldModel();
  const hosted = await service.openEpisode(WORLD, { model });
  const client = await older(hosted.mcpUrl);
  const stop = new AbortController();
  const call = client.callTool({ name: 'ask_oracle', arguments: { q: 'when?' } }, undefined, {
    signal: stop.signal,
  });
  call.catch(() => undefined);
  await asked;
  stop.abort();
  await expect(call).rejects.toThrow();
  release();
  await client.callTool({ name: 'note_add', arguments: { text: 'on' } });
  expect(hosted.episode.turnCount).toBe(2);
  await client.close();
});

test('nonsense over HTTP is answered with an error of the protocol', async () => {
  const hosted = await service.openEpisode(WORLD);
  const session = { 'mcp-session-id': 'no-such-session' };
  const answers = await Promise.all([
    rpc(hosted.mcpUrl, 'no json'),
    rpc(hosted.mcpUrl, `{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`),
    rpc(hosted.mcpUrl, new Uint8Array([0x22, 0xff, 0x22])),
    rpc(hosted.mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"ping"}', session),
    rpc(hosted.mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'content-type': 'text/plain' }),
    rpc(hosted.mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"ping"}', { accept: 'text/html' }),
    rpc(hosted.mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'),
    rpc(hosted.mcpUrl, '{"jsonrpc":"2.0","id":1,"method":"ping"}', { origin: 'http://evil.example' }),
    fetch(hosted.mcpUrl),
    fetch(hosted.mcpUrl, { method: 'DELETE' }),
    rpc(`${service.url}/mcp/notes`, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    rpc(`${service.url}/mcp/no-such-world`, '{}'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([
    400, 400, 400, 404, 415, 406, 200, 403, 405, 405, 400, 404,
  ]);
  const initialize = (await answers[6]?.json()) as { error: { code: number } };
  expect(initialize.error.code).toBe(-32_602);
  expect(hosted.episode.turnCount).toBe(0);
});

test('clients that send half a request do not hold up the others or the end', async () => {
  const own = await startService();
  const { port } = new URL(own.url);
  const half = Array.from({ length: 20 }, () => connect(Number(port), '127.0.0.1'));
  await Promise.all(half.map((socket) => once(socket, 'connect')));
  for (const socket of half) {
    socket.on('error', () => undefined);
    socket.write('POST /episodes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"world"');
  }
  expect((await fetch(`${own.url}/healthz`)).status).toBe(200);
  await own.close();
  await expect(fetch(`${own.url}/healthz`)).rejects.toThrow();
});

test('another address than loopback needs both kinds of token', async () => {
  for (const tokens of [
    {},
    { controlToken: 'x' },
    { agentTokens: ['x'] },
    { controlToken: '', agentTokens: ['x'] },
  ]) {
    await expect(startService({ host: '0.0.0.0', ...tokens })).rejects.toMatchObject({
      code: 'service/not-started',
    });
  }
  const wide = await startService({ host: '0.0.0.0', controlToken: 'c', agentTokens: ['a'] });
  const path = `http://127.0.0.1:${new URL(wide.url).port}/episodes`;
  const make = (token?: string) =>
    fetch(path, {
      method: 'POST',
      body: '{"world":"issue-tracker"}',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  expect([(await make()).status, (await make('x')).status, (await make('a')).status]).toEqual([
    401, 401, 201,
  ]);
  await wide.close();
});

test('a port that is taken is told, with what to do', async () => {
  const port = Number(new URL(service.url).port);
  await expect(startService({ port })).rejects.toThrow(/cannot listen .* choose another port/);
});

test('the metrics count what happened, without the names of worlds', async () => {
  const own = await startService({ worlds: [WORLD] });
  const hosted = await own.openEpisode(WORLD);
  const client = await older(hosted.mcpUrl);
  await client.callTool({ name: 'note_add', arguments: { text: 'x' } });
  const text = await (await fetch(`${own.url}/metrics`)).text();
  expect(text).toMatch(/^umwelt_episodes 1$/m);
  expect(text).toMatch(/^umwelt_mcp_sessions 1$/m);
  expect(text).toMatch(/^umwelt_steps_total\{status="ok"\} 1$/m);
  expect(text).toMatch(/^umwelt_step_seconds_count 1$/m);
  expect(text).not.toContain('notes');
  await client.close();
  await own.close();
});

test('a full service lets go of what agents left behind, and of nothing else', async () => {
  let nowMs = 0;
  const own = await startService({ worlds: [WORLD], maxEpisodes: 2, controlToken: 'c', nowMs: () => nowMs });
  const kept = await own.openEpisode(WORLD);
  await kept.finish();
  const make = async () =>
    (await fetch(`${own.url}/episodes`, { method: 'POST', body: '{"world":"notes"}' })).status;
  expect([await make(), await make()]).toEqual([201, 503]);
  nowMs += 31 * 60 * 1000;
  expect([await make(), await make()]).toEqual([201, 503]);
  expect((await fetch(`${own.url}/episodes/${kept.id}`)).status).toBe(200);
  await own.close();
});
