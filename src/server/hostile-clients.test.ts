/** Clients that mean harm or do not care, over a real socket: what they send is refused, bounded, and leaves nothing behind. */
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createTestWorld, testCall, testTool } from '../testing/index.js';
import { type ListeningService, startService } from './index.js';

const WORLD = createTestWorld({
  name: 'shelf',
  strict: true,
  tools: [testTool('list_books', {}), testTool('add_book', { title: { type: 'string' } })],
  state: { data: { books: [{ id: 'b1', title: 'Deep Water' }] } },
});
const MEBIBYTE = 1024 * 1024;

async function started(): Promise<ListeningService> {
  const service = await startService({ worlds: [WORLD], controlToken: 'control', agentTokens: ['agent'] });
  onTestFinished(() => service.close());
  return service;
}

interface Sent {
  readonly status: number;
  readonly body: string;
}

/** One request, on a connection of its own, with full say over method, path and headers; `parts` come one after another. */
function send(
  service: ListeningService,
  line: string,
  how: { readonly parts?: Iterable<Uint8Array | string>; readonly headers?: Record<string, string> } = {},
): Promise<Sent> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const { hostname, port } = new URL(service.url);
  const headers = { authorization: 'Bearer agent', ...how.headers };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    let answered = false;
    outgoing.on('response', () => {
      answered = true;
    });
    // A server that refuses a long body stops reading it.
    outgoing.on('error', (error) => !answered && reject(error));
    for (const part of how.parts ?? []) outgoing.write(part);
    outgoing.end();
  });
}

const POSTS = (id: string) => [
  'POST /episodes',
  `POST /episodes/${id}/step`,
  `POST /episodes/${id}/finish`,
  `POST /episodes/${id}/mcp`,
  'POST /mcp/shelf',
  'POST /v1/chat/completions',
];

function* filler(mebibytes: number): Generator<Buffer> {
  for (let count = 0; count < mebibytes; count++) yield Buffer.alloc(MEBIBYTE, 0x20);
}

test('100 MB, told or not, and JSON that is too deep or no text are refused on every route', async () => {
  const service = await started();
  const { id } = await service.openEpisode(WORLD);
  const deep = `{"action":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  for (const route of POSTS(id)) {
    const told = await send(service, route, {
      headers: { 'content-length': String(100 * MEBIBYTE) },
      parts: [' '],
    }).catch(() => ({ status: 413 }));
    const nested = await send(service, route, { parts: [deep] });
    const binary = await send(service, route, { parts: [Buffer.from([0x7b, 0xff, 0xfe, 0x7d])] });
    const packed = await send(service, route, {
      parts: [gzipSync('{"world":"shelf"}')],
      headers: { 'content-encoding': 'gzip' },
    });
    const wide = await send(service, route, { parts: [Buffer.from('{"world":"shelf"}', 'utf16le')] });
    expect([route, told.status, nested.status, binary.status, packed.status, wide.status]).toEqual([
      route,
      413,
      400,
      400,
      400,
      400,
    ]);
  }
  for (const route of [`POST /episodes/${id}/step`, 'POST /v1/chat/completions']) {
    const chunked = { headers: { 'transfer-encoding': 'chunked' }, parts: filler(34) };
    const untold = await send(service, route, chunked).catch(() => ({ status: 413 }));
    expect([route, untold.status]).toEqual([route, 413]);
  }
  const step = await send(service, `POST /episodes/${id}/step`, {
    parts: [JSON.stringify({ action: testCall('list_books', {}), request_id: '1' })],
  });
  expect([step.status, JSON.parse(step.body).turn]).toEqual([200, 1]);
});

test('paths and headers that try to be something else open nothing', async () => {
  const service = await started();
  const { id } = await service.openEpisode(WORLD, { private: true });
  const seen: [string, number][] = [];
  for (const path of [
    `/episodes/${id}/../${id}`,
    `/episodes/%2e%2e/episodes/${id}`,
    `//episodes/${id}`,
    `/EPISODES/${id}`,
    `/episodes/${id}%00`,
    `/episodes/${id}/trajectory`,
    `/episodes/${id};/events`,
    `/v1/../episodes/${id}`,
    '/v1/models/..%2f..%2fepisodes',
    '/mcp/..%2f..%2fetc%2fpasswd',
    '/openenv/../episodes/schema',
  ])
    seen.push([path.replace(id, 'ID'), (await send(service, `GET ${path}`)).status]);
  expect(seen.filter(([, status]) => status < 400)).toEqual([]);
  const as = async (headers: Record<string, string>) =>
    (await send(service, 'GET /episodes', { headers })).status;
  expect([
    await as({ authorization: 'bearer control, Bearer agent' }),
    await as({ authorization: 'Basic control' }),
    await as({ 'x-forwarded-for': '127.0.0.1', 'x-original-url': '/healthz' }),
    await as({ host: 'evil.test' }),
    await as({ origin: 'http://evil.test' }),
    await as({ 'x-http-method-override': 'DELETE' }),
  ]).toEqual([401, 401, 403, 403, 403, 403]);
});

test('the agent’s token opens no control route, and its own doors only', async () => {
  const service = await started();
  const { id, token } = await service.openEpisode(WORLD);
  const control = [
    'GET /episodes',
    `POST /episodes/${id}/fork`,
    `GET /episodes/${id}/trajectory`,
    `DELETE /episodes/${id}`,
    'POST /openenv/shelf/reset',
    'POST /openenv/shelf/step',
    'GET /openenv/shelf/state',
  ];
  for (const line of control) {
    const statuses: number[] = [];
    for (const who of ['agent', token])
      statuses.push((await send(service, line, { headers: { authorization: `Bearer ${who}` } })).status);
    expect([line, statuses]).toEqual([line, statuses.map((status) => (status === 401 ? 401 : 403))]);
  }
  const seeded = await send(service, 'POST /episodes', { parts: ['{"world":"shelf","seed":7}'] });
  const models = async (who: string) =>
    (await send(service, 'GET /v1/models', { headers: { authorization: `Bearer ${who}` } })).status;
  expect([seeded.status, await models('agent'), await models(token), await models('control')]).toEqual([
    403, 200, 401, 200,
  ]);
});

test('clients that vanish in mid-request and one that never reads its events leave nothing behind', async () => {
  const service = await started();
  const hosted = await service.openEpisode(WORLD, { maxTurns: 100_000 });
  const { hostname, port } = new URL(service.url);
  const open = (text: string) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(text);
    return socket;
  };
  const head = (line: string, more = '') =>
    `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer agent\r\n${more}\r\n`;
  const deaf = open(head(`GET /episodes/${hosted.id}/events`, 'Accept: text/event-stream\r\n'));
  deaf.pause();
  const halves = Array.from({ length: 60 }, (_, index) =>
    open(
      `${head(
        index % 2 === 0 ? `POST /episodes/${hosted.id}/step` : 'POST /v1/chat/completions',
        'Content-Type: application/json\r\nContent-Length: 5000\r\n',
      )}{"action":`,
    ),
  );
  for (let count = 0; count < 1_200; count++) await hosted.step(testCall('list_books', {}));
  for (const socket of halves) socket.destroy();
  expect(hosted.episode.turnCount).toBe(1_200);
  const headers = { authorization: 'Bearer control' };
  const metrics = await (await fetch(`${service.url}/metrics`, { headers })).text();
  expect(/umwelt_episodes (\d+)/.exec(metrics)?.[1]).toBe('1');
  deaf.destroy();
  const next = await fetch(`${service.url}/episodes/${hosted.id}`, { headers });
  expect(next.status).toBe(200);
});
