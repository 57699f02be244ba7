import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { callTool } from './call-tool.js';
import { connectServer, type ServerConnection, type ServerTarget } from './connect-server.js';
import { listEverything } from './list-everything.js';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The lines of a server: `answer(request)` gives a result, an error or undefined. */
const LOOP = `
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write((typeof message === 'string' ? message : JSON.stringify(message)) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  if (request.id === undefined) return;
  const reply = answer(request);
  if (reply === undefined) return;
  if (typeof reply === 'string') return say(reply.replace('ID', JSON.stringify(request.id)));
  say({ jsonrpc: '2.0', id: request.id, ...(reply.code === undefined ? { result: reply } : { error: reply }) });
}).on('close', () => process.exit(0));
const hello = (version, capabilities = { tools: {}, resources: {}, prompts: {} }) =>
  ({ protocolVersion: version, capabilities, serverInfo: { name: 'tiny', version: '2.0' }, instructions: 'Be kind.' });
`;

function server(answer: string): ServerTarget {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-server-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'server.mjs');
  writeFileSync(path, LOOP + answer);
  return { command: process.execPath, args: [path] };
}

async function connect(target: ServerTarget, startTimeoutMs = 20_000): Promise<ServerConnection> {
  const connected = await connectServer(target, { startTimeoutMs });
  if (!connected.ok) throw connected.error;
  cleanups.push(() => connected.value.close());
  return connected.value;
}

async function failure(
  target: ServerTarget,
  startTimeoutMs = 20_000,
): Promise<{ code: string; message: string }> {
  const connected = await connectServer(target, { startTimeoutMs });
  if (connected.ok) throw new Error('it connected');
  return { code: connected.error.code, message: connected.error.message };
}

/** Three pages of tools, one with all that an importer likes to lose. */
const OLD = `
const page = (params) => ({ undefined: { tools: [{ name: 'a', inputSchema: { type: 'object', $defs: { F: { anyOf: [{ type: 'null' }] } }, properties: { f: { $ref: '#/$defs/F' } } }, _meta: { 'x.y/z': null }, icons: [] }], nextCursor: '1' },
  1: '{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"b","inputSchema":{"type":"object","maximum":9223372036854775807,"__proto__":{"x":1}}}],"nextCursor":"2"}}',
  2: { tools: [{ name: 'c', inputSchema: { type: 'object' } }] } })[String(params?.cursor)];
const answer = ({ method, params }) => {
  if (method === 'initialize') return hello('2024-11-05');
  if (method === 'tools/list') return page(params);
  if (method === 'resources/list') return { resources: [{ uri: 'x://1', name: 'one', size: 3 }] };
  if (method === 'resources/templates/list') return { resourceTemplates: [{ uriTemplate: 'x://{id}', name: 'any' }] };
  if (method === 'prompts/list') return { code: -32603, message: 'no database' };
  if (method === 'tools/call' && params.name === 'a') return '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"id":12345678901234567890}}}';
  if (method === 'tools/call' && params.name === 'b') return { content: [{ type: 'text', text: 'locked' }], isError: true };
  if (method === 'tools/call' && params.name === 'silent') return undefined;
  return { code: -32601, message: 'no such method' };
};`;

test('an old server is read whole: every page, unknown keys, big integers, and what could not be listed is noted', async () => {
  const connection = await connect(server(OLD));
  expect([connection.server, connection.instructions, connection.protocolVersion]).toEqual([
    { name: 'tiny', version: '2.0' },
    'Be kind.',
    '2024-11-05',
  ]);
  const lists = await listEverything(connection);
  if (!lists.ok) throw lists.error;
  const { tools, ...rest } = lists.value;
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(tools[0]).toEqual({
    name: 'a',
    inputSchema: {
      type: 'object',
      $defs: { F: { anyOf: [{ type: 'null' }] } },
      properties: { f: { $ref: '#/$defs/F' } },
    },
    _meta: { 'x.y/z': null },
    icons: [],
  });
  const schema = tools[1]?.inputSchema as Record<string, unknown>;
  expect([schema.maximum, Object.hasOwn(schema, '__proto__')]).toEqual([9223372036854775807n, true]);
  expect(rest).toEqual({
    resources: [{ uri: 'x://1', name: 'one', size: 3 }],
    resourceTemplates: [{ uriTemplate: 'x://{id}', name: 'any' }],
    prompts: [],
    notes: ['the server answers prompts/list with the error -32603: no database'],
  });
});

test('a call tells apart a result, an error of the tool, an error of the protocol, and silence', async () => {
  const connection = await connect(server(OLD));
  const call = (name: string, timeoutMs = 5_000) => callTool(connection, { name, arguments: {}, timeoutMs });
  expect(await call('a')).toEqual({
    ok: true,
    value: {
      kind: 'result',
      result: { content: [], structuredContent: { id: 12345678901234567890n } },
      isError: false,
      text: '{"id":12345678901234567890}',
    },
  });
  expect(await call('b')).toMatchObject({ ok: true, value: { isError: true, text: 'locked' } });
  expect(await call('c')).toEqual({
    ok: true,
    value: { kind: 'rpc-error', code: -32601, message: 'no such method' },
  });
  const silent = await call('silent', 100);
  expect(silent.ok ? 'ok' : silent.error.code).toBe('capture/timeout');
});

test('a server of the new protocol, without a handshake, is read', async () => {
  const connection = await connect(
    server(`const done = (result) => ({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result });
const answer = ({ method, params }) => {
  if (params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== '2026-07-28') return { code: -32022, message: 'version', data: { supported: ['2026-07-28'] } };
  if (method === 'server/discover') return done({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, instructions: 'New.', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '3' } } });
  if (method === 'tools/list') return done({ tools: [{ name: 'now', inputSchema: { type: 'object' } }] });
  if (method === 'tools/call') return done({ content: [], structuredContent: 7 });
  return { code: -32601, message: 'no' };
};`),
  );
  expect([connection.protocolVersion, connection.server, connection.instructions]).toEqual([
    '2026-07-28',
    { name: 'modern', version: '3' },
    'New.',
  ]);
  const lists = await listEverything(connection);
  expect(lists.ok && lists.value.tools).toEqual([{ name: 'now', inputSchema: { type: 'object' } }]);
});

test('a server that dies of the first unknown request is started again and asked the old way', async () => {
  const connection = await connect(
    server(`const answer = ({ method }) => {
  if (method === 'initialize') return hello('2025-06-18', { tools: {} });
  if (method === 'tools/list') return { tools: [] };
  process.exit(1);
};`),
  );
  expect(connection.protocolVersion).toBe('2025-06-18');
});

test('a cursor that comes back and a list without end are failures, not lists', async () => {
  const again = await connect(
    server(
      `const answer = ({ method }) => (method === 'initialize' ? hello('2025-06-18', { tools: {} }) : method === 'tools/list' ? { tools: [], nextCursor: 'x' } : { code: -32601, message: 'no' });`,
    ),
  );
  const looped = await listEverything(again);
  expect(looped.ok ? 'ok' : looped.error.message).toBe('tools/list gives the cursor "x" a second time');
  const endless = await connect(
    server(`let n = 0;
const answer = ({ method }) => (method === 'initialize' ? hello('2025-06-18', { tools: {} }) : method === 'tools/list' ? { tools: [{ name: 't' + n }], nextCursor: String(n++) } : { code: -32601, message: 'no' });`),
  );
  const bounded = await listEverything(endless, { maxEntries: 50 });
  expect(bounded.ok ? 'ok' : bounded.error.message).toBe(
    'tools/list lists more than 50 entries (maxEntries)',
  );
});

const node = (code: string): ServerTarget => ({ command: process.execPath, args: ['-e', code] });

test('a page of very many entries is refused by number and does not break', async () => {
  const connection = await connect(
    server(`const many = Array.from({ length: 200000 }, () => ({ name: 'a' }));
      const answer = ({ method }) => method === 'initialize' ? hello('2025-06-18', { tools: {} }) : method === 'tools/list' ? { tools: many } : { code: -32601, message: 'no' };`),
  );
  const lists = await listEverything(connection);
  const wide = await listEverything(connection, { maxEntries: 200_000 });
  expect(lists.ok ? lists : lists.error.message).toBe(
    'tools/list lists more than 10000 entries (maxEntries)',
  );
  expect(wide.ok && wide.value.tools.length).toBe(200_000);
});

test('an answer that nests too deep fails at once and says so, and is no silence', async () => {
  const connection = await connect(
    server(`const deep = '{"a":'.repeat(300) + '1' + '}'.repeat(300);
      const answer = ({ method }) => method === 'initialize' ? hello('2025-06-18', { tools: {} }) : method === 'tools/list' ? '{"jsonrpc":"2.0","id":ID,"result":' + deep + '}' : { code: -32601, message: 'no' };`),
  );
  const lists = await listEverything(connection);
  const message = lists.ok ? undefined : lists.error.message;
  expect(message).toMatch(/its answer cannot be read here: JSON nests deeper than 200 levels/);
});

test('every way not to connect has its code and shows what was seen', async () => {
  const missing = await failure({ command: 'no-such-command', args: [] });
  expect(missing.code).toBe('usage/unknown-name');
  const dead = await failure(node('console.error("TOKEN is not set\\n    at f (x.js:1)"); process.exit(3)'));
  expect(dead.code).toBe('capture/exited');
  expect(dead.message).toMatch(
    /ended \(exit code 3\) before it was connected\nIts last words .*\n {2}TOKEN is not set$/,
  );
  const chatty = await failure(node('console.log("Welcome!"); setInterval(() => {}, 1000)'), 1_500);
  expect(chatty).toMatchObject({ code: 'capture/not-mcp' });
  expect(chatty.message).toContain('it wrote 1 lines that are no JSON-RPC, the first: Welcome!');
  const hanging = await failure(node('setInterval(() => {}, 1000)'), 1_000);
  expect(hanging.code).toBe('capture/timeout');
  expect(hanging.message).toContain('did not answer within 1 s (the start time-out)');
  const echo = await failure(node('process.stdin.pipe(process.stdout)'), 2_000);
  expect(['capture/not-mcp', 'capture/timeout']).toContain(echo.code);
});

async function listen(handler: http.RequestListener): Promise<string> {
  const one = http.createServer(handler);
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    one.closeAllConnections();
    one.close();
  });
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}/mcp`;
}

test('over HTTP a refusal, a page that is no MCP and an empty port are told apart', async () => {
  const refusing = await listen((_request, response) => response.writeHead(401).end());
  expect(await failure({ url: `${refusing}?key=hidden` })).toEqual({
    code: 'capture/refused',
    message: `the server at ${refusing} refuses us (HTTP 401); it wants a key or a sign-in: give a bearer token`,
  });
  const page = await listen((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi</p>'),
  );
  expect((await failure({ url: page })).code).toBe('capture/not-mcp');
  const gone = http.createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const empty = await failure({ url: `http://127.0.0.1:${port}/mcp` });
  expect(empty.code).toBe('capture/failed');
  expect(empty.message).toContain('ECONNREFUSED');
  expect((await failure({ url: 'file:///x' })).code).toBe('usage/bad-argument');
});

test('over HTTP big integers stay exact, and the token is sent', async () => {
  let token: string | undefined;
  const url = await listen(async (request, response) => {
    token = request.headers.authorization;
    const parts: Buffer[] = [];
    for await (const chunk of request) parts.push(chunk as Buffer);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(parts).toString());
    if (id === undefined) return void response.writeHead(202).end();
    const reply = (body: string): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`);
    };
    if (method === 'initialize')
      reply(
        '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}',
      );
    else if (method === 'tools/list')
      reply(
        '"result":{"tools":[{"name":"n","inputSchema":{"type":"object","maximum":18446744073709551615}}]}',
      );
    else reply('"error":{"code":-32601,"message":"no"}');
  });
  const connection = await connect({ url, bearerToken: 'abc' });
  const lists = await listEverything(connection);
  expect(lists.ok && lists.value.tools).toEqual([
    { name: 'n', inputSchema: { type: 'object', maximum: 18446744073709551615n } },
  ]);
  expect(token).toBe('Bearer abc');
});
