/** The client against a real service, over a connection that breaks, and the Python example beside it. */
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListeningService, startService } from '../server/index.js';
import { createTestWorld, testTool } from '../testing/index.js';
import { createServiceClient } from './index.js';

const WORLD = createTestWorld({
  name: 'shelf',
  strict: true,
  tools: [
    testTool('list_books', {}),
    testTool('add_book', { title: { type: 'string' } }),
    testTool('ask_oracle', { q: { type: 'string' } }),
  ],
  state: { data: { books: [{ id: 'b1', title: 'Deep Water' }] } },
  success: [{ id: 'two', expr: 'state.data.books.size() == 2' }],
});
const ADD = { name: 'add_book', arguments: { title: 'High Ground' } };

let service: ListeningService;
beforeAll(async () => {
  service = await startService({ worlds: [WORLD], controlToken: 'control' });
});
afterAll(() => service.close());

test('an episode is opened, lived in, forked, read back and let go', async () => {
  const client = createServiceClient({ url: `${service.url}/`, token: 'control' });
  const episode = await client.open('shelf', { seed: 5, private: true });
  expect(await episode.look()).toMatchObject({ world: 'shelf', seed: 5, turns: 0 });
  expect(await episode.step(ADD, { turn: 1 })).toMatchObject({
    turn: 1,
    status: 'ok',
    isError: false,
    done: false,
  });
  const fork = await episode.fork();
  expect(await episode.step('{"name":"ask_oracle","arguments":{"q":"when?"}}')).toMatchObject({
    status: 'abstained',
    observation: null,
    reason: expect.any(String),
  });
  expect(await fork.finish('done')).toMatchObject({ done: true, reward: 1, turn: 2 });
  expect((await episode.turns(1)).map(({ turn, status }) => [turn, status])).toEqual([[2, 'abstained']]);
  expect((await fork.trajectory()).split('\n').length).toBe(5);
  const agent = createServiceClient({ url: service.url, token: episode.token ?? '' });
  expect(await agent.episode(episode.id).look()).not.toHaveProperty('seed');
  await episode.remove();
  await expect(episode.look()).rejects.toMatchObject({ code: 'service/not-found' });
});

test('refusals keep the code of the service', async () => {
  const client = createServiceClient({ url: service.url });
  await expect(client.open('shelf', { seed: 1 })).rejects.toMatchObject({ code: 'service/forbidden' });
  await expect(client.open('shelv')).rejects.toMatchObject({
    code: 'service/not-found',
    data: { code: 'world/not-found' },
  });
  const episode = await client.open('shelf');
  await expect(episode.step(ADD, { turn: 7 })).rejects.toMatchObject({ code: 'service/conflict' });
  await expect(
    createServiceClient({ url: 'http://127.0.0.1:9', attempts: 2, pauseMs: 1 }).episode('x').look(),
  ).rejects.toMatchObject({ code: 'service/not-started' });
});

test('a step whose answer is lost is sent again and acts once', async () => {
  let lost = 0;
  const proxy = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (chunk: Buffer) => parts.push(chunk));
    request.on('end', async () => {
      const { method = 'GET', url } = request;
      const body = method === 'GET' ? {} : { body: Buffer.concat(parts) };
      const answer = await fetch(`${service.url}${url}`, { method, ...body });
      const text = await answer.text();
      if (url?.endsWith('/step') === true && lost++ < 2) request.socket.destroy();
      else response.writeHead(answer.status).end(text);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const episode = await createServiceClient({ url, pauseMs: 1 }).open('shelf');
  expect(await episode.step(ADD)).toMatchObject({ turn: 1 });
  expect([lost, (await episode.look()).turns]).toEqual([3, 1]);
  proxy.close();
});

const python = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!python)('the Python example lives in a world with the standard library only', async () => {
  const script = fileURLToPath(new URL('../../examples/agent.py', import.meta.url));
  const child = spawn('python3', [script, service.url, 'shelf']);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, text.split('\n')[0], text.split('\n').at(-2)]).toEqual([
    0,
    'shelf: 3 tools',
    'done True reward 0',
  ]);
});
