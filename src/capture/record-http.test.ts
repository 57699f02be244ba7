import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, test } from 'vitest';
import { openFrameRecording } from './frame-recording.js';
import { startHttpRecorder } from './record-http.js';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** A server of sessions whose tool asks the client for its roots, so that ids of both directions collide. */
function realServer(): Promise<string> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new McpServer({ name: 'real', version: '1.0.0' });
    server.registerTool('count_roots', { description: 'Counts' }, async (extra) => {
      const { roots } = await server.server.listRoots(undefined, { relatedRequestId: extra.requestId });
      return { content: [{ type: 'text', text: String(roots.length) }] };
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server.connect(transport as never);
    return transport;
  };
  return serve(async (request: IncomingMessage, response: ServerResponse) => {
    const id = request.headers['mcp-session-id'];
    const transport = typeof id === 'string' ? sessions.get(id) : await open();
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handleRequest(request, response);
  });
}

interface Recorded {
  readonly dir: string;
  readonly data: string;
  readonly http: { exchange: number; method: string; status?: number; session?: string; event?: string };
}

async function recorder(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-record-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'rec.jsonl');
  const recording = openFrameRecording(path);
  if (!recording.ok) throw recording.error;
  const started = await startHttpRecorder({ url, recording: recording.value });
  if (!started.ok) throw started.error;
  const frames = async (): Promise<Recorded[]> => {
    await started.value.close();
    recording.value.close();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded);
  };
  return { url: started.value.url, frames };
}

const label = ({ dir, data }: Recorded): string => {
  if (dir === 'http') return `http ${data}`;
  const { id, method, result, error } = JSON.parse(data);
  const what = method ?? (result === undefined ? (error === undefined ? '?' : 'error') : 'result');
  return `${dir === 'client->server' ? '>' : '<'} ${what}${id === undefined ? '' : ` ${id}`}`;
};

test.each([
  ['1.x', Client, StreamableHTTPClientTransport],
  ['2.x', Client2, Http2],
])(
  'a session of SDK %s passes through, and each message is recorded once',
  async (_name, Make, Transport) => {
    const { url, frames } = await recorder(await realServer());
    const client = new Make({ name: 'test', version: '1' }, { capabilities: { roots: {} } }) as Client;
    const roots = { roots: [{ uri: 'file:///a' }] };
    if (Make === Client) client.setRequestHandler(ListRootsRequestSchema, () => roots);
    else (client as unknown as Client2).setRequestHandler('roots/list', () => roots);
    const transport = new Transport(new URL(url)) as StreamableHTTPClientTransport;
    await client.connect(transport as never);
    const result = await client.callTool({ name: 'count_roots', arguments: {} });
    await transport.terminateSession();
    await client.close();
    expect(result.content).toEqual([{ type: 'text', text: '1' }]);
    const seen = await frames();
    expect(seen.map(label).filter((line) => !line.startsWith('http'))).toEqual([
      '> initialize 0',
      '< result 0',
      '> notifications/initialized',
      '> tools/call 1',
      '< roots/list 0',
      '> result 0',
      '< result 1',
    ]);
    const deleted = seen.filter(({ dir }) => dir === 'http').map(({ data }) => data);
    expect(deleted).toEqual(['DELETE answered 200']);
    const exchange = (index: number) => seen[index]?.http.exchange;
    expect([exchange(0), exchange(3), exchange(5)]).toEqual([exchange(1), exchange(4), exchange(5)]);
    expect(exchange(6)).toBe(exchange(3));
    expect(new Set(seen.slice(2).map(({ http: place }) => place.session)).size).toBe(1);
    expect(seen[1]?.http.session).toMatch(/^[0-9a-f]{12}$/);
  },
);

/** One plain request, with its answer's raw headers. */
function ask(url: string, options: http.RequestOptions, body?: string | Buffer) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>(
    (resolve, reject) => {
      const request = http.request(url, options, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (chunk: Buffer) => parts.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      request.on('error', reject);
      request.end(body);
    },
  );
}

const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

test('headers and bodies arrive as they were sent; a packed body is recorded unpacked; a batch message by message', async () => {
  const packed = gzipSync(
    '[{"jsonrpc":"2.0","id":1,"result":{}},\n {"jsonrpc":"2.0","id":"a","result":{"t":",]"}}]',
  );
  let got: IncomingMessage | undefined;
  const upstream = await serve((request, response) => {
    got = request;
    request.resume();
    response.writeHead(200, [
      'Content-Type',
      'application/json',
      'Content-Encoding',
      'gzip',
      'X-Twice',
      'a',
      'X-Twice',
      'b',
    ]);
    response.end(packed);
  });
  const { url, frames } = await recorder(upstream);
  const headers = {
    ...JSON_POST.headers,
    Authorization: 'Bearer secret-token',
    'MCP-Protocol-Version': '2025-03-26',
  };
  const answer = await ask(
    url,
    { method: 'POST', headers },
    '[{"id":1,"method":"a"},{"id":"a","method":"b"}]',
  );
  expect([answer.status, answer.headers['x-twice'], answer.body.equals(packed)]).toEqual([200, 'a, b', true]);
  expect([got?.headers.authorization, got?.headers['mcp-protocol-version']]).toEqual([
    'Bearer secret-token',
    '2025-03-26',
  ]);
  expect(`http://${got?.headers.host}/mcp`).toBe(upstream);
  const seen = await frames();
  expect(seen.map(({ data }) => data.trim())).toEqual([
    '{"id":1,"method":"a"}',
    '{"id":"a","method":"b"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":"a","result":{"t":",]"}}',
  ]);
  expect(JSON.stringify(seen)).not.toContain('secret-token');
});

test('an event goes on at once, before its stream ends; one that is sent again after a resumption is recorded once', async () => {
  let release = (): void => undefined;
  const upstream = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'id: 1\r\nevent: message\r\ndata: {"jsonrpc":"2.0",\r\ndata: "method":"m"}\r\n\r\n: note\n\nid: 2\ndata:\n\n',
    );
    release = () => void response.end('data: {"cut');
  });
  const { url, frames } = await recorder(upstream);
  for (let times = 0; times < 2; times++) {
    await new Promise<void>((resolve) => {
      http.get(url, { headers: { accept: 'text/event-stream' } }, (response) => {
        response.once('data', () => release());
        response.on('end', resolve);
        response.resume();
      });
    });
  }
  expect((await frames()).map(({ data, http: place }) => [data, place.event])).toEqual([
    ['{"jsonrpc":"2.0",\n"method":"m"}', '1'],
  ]);
});

test('a refusal without a message leaves a note, so that its request does not look open', async () => {
  const upstream = await serve((request, response) => {
    request.resume();
    response.writeHead(401, { 'www-authenticate': 'Bearer', 'content-type': 'text/plain' }).end('who?');
  });
  const { url, frames } = await recorder(upstream);
  const answer = await ask(url, JSON_POST, '{"id":1,"method":"initialize"}');
  expect([answer.status, answer.headers['www-authenticate'], answer.body.toString()]).toEqual([
    401,
    'Bearer',
    'who?',
  ]);
  expect((await frames()).map(({ dir, data, http: place }) => [dir, data, place.exchange])).toEqual([
    ['client->server', '{"id":1,"method":"initialize"}', 1],
    ['http', 'POST answered 401', 1],
  ]);
});

test('a server that is not there is a 502 that names it', async () => {
  const { url, frames } = await recorder('http://127.0.0.1:9/mcp');
  const answer = await ask(url, JSON_POST, '{"id":1,"method":"x"}');
  expect([answer.status, answer.body.toString()]).toEqual([
    502,
    'umwelt record: cannot reach http://127.0.0.1:9 (ECONNREFUSED)\n',
  ]);
  expect((await frames()).map(({ data }) => data)).toContain('POST answered 502');
});

test('a server that breaks off in the middle of a stream breaks off for the client', async () => {
  const upstream = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"id":1}\n\n', () => response.destroy());
  });
  const { url, frames } = await recorder(upstream);
  const failed = await new Promise((resolve) => {
    http.get(url, (response) => {
      response.on('error', (error) => resolve((error as NodeJS.ErrnoException).code));
      response.on('end', () => resolve('end'));
      response.resume();
    });
  });
  expect(failed).toBe('ECONNRESET');
  expect((await frames()).map(({ data }) => data)).toEqual(['{"id":1}', 'GET answered 200 and broke off']);
});

test('an answer that is cut before its first message, or in it, leaves a note that says so', async () => {
  const upstream = await serve((request, response) => {
    const type = request.url === '/mcp' ? 'application/json' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type });
    response.write(request.url === '/mcp' ? '{"id":1,"res' : ': hello\n\n', () => response.destroy());
  });
  const { url, frames } = await recorder(upstream);
  for (const address of [url, `${url}/events`]) {
    await new Promise<void>((resolve) => {
      http.get(address, (response) => response.on('error', () => resolve()).resume());
    });
  }
  const seen = (await frames()).map(({ dir, data, http: place }) => [dir, data, place.exchange]);
  expect(seen).toEqual([
    ['server->client', '{"id":1,"res', 1],
    ['http', 'GET answered 200 and broke off', 1],
    ['http', 'GET answered 200 and broke off', 2],
  ]);
});

test('headers of a size that the server and the client allow pass in both directions', async () => {
  const server = http.createServer({ maxHeaderSize: 200_000 }, (request, response) => {
    response.writeHead(200, { 'x-back': String(request.headers['x-there']) }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => void server.close());
  const { url } = await recorder(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const big = 'h'.repeat(100_000);
  const back = await new Promise((resolve, reject) => {
    const headers = { 'x-there': big };
    http
      .get(url, { headers, maxHeaderSize: 200_000 }, (response) => {
        response.resume();
        resolve(response.headers['x-back']);
      })
      .on('error', reject);
  });
  expect(back).toBe(big);
});

test('a request whose Host is no loopback name is refused, so that no web page gets through by a rebound name', async () => {
  const { url, frames } = await recorder(await realServer());
  const answer = await ask(
    url,
    { ...JSON_POST, headers: { ...JSON_POST.headers, host: 'evil.example' } },
    '{}',
  );
  expect([answer.status, await frames()]).toEqual([403, []]);
});

test('an address that is no URL is refused', async () => {
  const recording = openFrameRecording('/dev/null');
  if (!recording.ok) throw recording.error;
  const started = await startHttpRecorder({ url: 'ftp://x', recording: recording.value });
  expect(started.ok ? 'ok' : started.error.message).toBe(
    'the address "ftp://x" is no http:// or https:// URL',
  );
});
