/**
 * `umwelt world from-mcp` with real servers: what it reads is what they list, and the world plays at once.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { emptyFolder, jsonLines, runUmwelt } from '../setup/run-umwelt.js';

const require = createRequire(import.meta.url);
const manifest = require.resolve('@modelcontextprotocol/server-memory/package.json');
const MEMORY = join(dirname(manifest), 'dist/index.js');

test('the memory server becomes a world with exactly its tools, which plays', async () => {
  const folder = emptyFolder();
  const made = await runUmwelt(['world', 'from-mcp', '--name', 'memory', '--', process.execPath, MEMORY], {
    cwd: folder,
  });
  expect(made.code).toBe(0);
  expect(made.stdout).toContain('Wrote memory.yaml. Play it: umwelt play memory.yaml');
  expect(made.stderr).toMatch(/^umwelt: read 9 tools, .* \(MCP 2025-11-25\)\n$/);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MEMORY], stderr: 'ignore' }),
  );
  const { tools } = await client.listTools();
  const server = client.getServerVersion();
  await client.close();
  const world = parse(readFileSync(join(folder, 'memory.yaml'), 'utf8'));
  expect(world.tools).toEqual(tools);
  expect(world.state.server).toEqual({ name: server?.name, version: server?.version });
  const entities = [{ name: 'lamp', entityType: 'thing', observations: ['red'] }];
  const played = await runUmwelt(['play', 'memory.yaml', '--actions', '-', '--json'], {
    cwd: folder,
    input: `${JSON.stringify({ name: 'create_entities', arguments: { entities } })}\n`,
  });
  expect(jsonLines(played.stdout)[0]).toMatchObject({ status: 'ok' });
});

test('the same over HTTP, with --json', async () => {
  const http = createServer(async (request, response) => {
    const server = new McpServer({ name: 'Web Shop', version: '4.5.6' }, { instructions: 'Buy.' });
    server.registerTool('list_orders', { description: 'Lists orders' }, () => ({ content: [] }));
    server.registerResource('help', 'shop://help', { mimeType: 'text/plain' }, () => ({ contents: [] }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const folder = emptyFolder();
  const made = await runUmwelt(['world', 'from-mcp', url, '--json'], { cwd: folder });
  http.closeAllConnections();
  http.close();
  expect([made.code, jsonLines(made.stdout)]).toMatchObject([
    0,
    [{ name: 'web-shop', path: 'web-shop.yaml', tools: 1 }],
  ]);
  const world = parse(readFileSync(join(folder, 'web-shop.yaml'), 'utf8'));
  expect([world.serverInstructions, world.resources, world.state.server]).toEqual([
    'Buy.',
    [{ name: 'help', uri: 'shop://help', mimeType: 'text/plain' }],
    { name: 'Web Shop', version: '4.5.6' },
  ]);
});

const NEEDY = `
if (process.env.SHOP_TOKEN !== 'let-me-in') { console.error('SHOP_TOKEN is wrong; SECRET is ' + process.env.OTHER_SECRET); process.exit(2); }
process.stdin.resume();`;

test('a command gets only the variables that are named, and its last words are shown when it fails', async () => {
  const path = join(emptyFolder(), 'server.mjs');
  writeFileSync(path, NEEDY);
  const env = { SHOP_TOKEN: 'let-me-in', OTHER_SECRET: 'hidden' };
  const bare = await runUmwelt(['world', 'from-mcp', '--', process.execPath, path], { env });
  expect([bare.code, bare.stdout]).toEqual([1, '']);
  expect(bare.stderr).toContain('ended (exit code 2) before it was connected');
  expect(bare.stderr).toContain('  SHOP_TOKEN is wrong; SECRET is undefined');
  const named = ['--env', 'SHOP_TOKEN', '--env', 'OTHER_SECRET', '--timeout', '1'];
  const silent = await runUmwelt(['world', 'from-mcp', ...named, '--', process.execPath, path], { env });
  expect(silent.stderr).toContain('did not answer within 1 s (the start time-out)');
  const unset = await runUmwelt(['world', 'from-mcp', '--env', 'NOT_THERE', '--', 'x']);
  expect([unset.code, unset.stderr]).toEqual([
    2,
    'umwelt: the environment variable NOT_THERE is not set; set it, or leave it out\n',
  ]);
});

test('a file that is there stays as it is, and a command that is not there leaves none', async () => {
  const folder = emptyFolder();
  const out = join(folder, 'mine.yaml');
  writeFileSync(out, 'mine');
  const kept = await runUmwelt(['world', 'from-mcp', '--out', out, '--', process.execPath, MEMORY]);
  expect([kept.code, readFileSync(out, 'utf8')]).toEqual([2, 'mine']);
  const missing = await runUmwelt(['world', 'from-mcp', '--out', `${out}2`, '--', 'no-such-server']);
  expect([missing.code, missing.stderr, existsSync(`${out}2`)]).toEqual([
    2,
    'umwelt: the command "no-such-server" was not found; wanted a program on PATH or a path to one\n',
    false,
  ]);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the server too, also one that ignores it', async (signal, code) => {
  // The server holds a connection for as long as it lives.
  const lives = createTcpServer();
  const died = new Promise<void>((resolve) => {
    lives.on('connection', (socket) =>
      socket
        .on('error', () => undefined)
        .once('close', () => resolve())
        .resume(),
    );
  });
  await new Promise<void>((resolve) => lives.listen(0, '127.0.0.1', resolve));
  const folder = emptyFolder();
  const path = join(folder, 'deaf.mjs');
  writeFileSync(
    path,
    `import { connect } from 'node:net';
    process.on('SIGTERM', () => undefined).on('SIGHUP', () => undefined);
    connect(${(lives.address() as AddressInfo).port}, '127.0.0.1', () => process.kill(process.ppid, '${signal}'));`,
  );
  const ended = await runUmwelt(['world', 'from-mcp', '--', process.execPath, path], { cwd: folder });
  await died;
  lives.close();
  expect([ended.code, ended.signal]).toEqual([code, null]);
});

test('an empty command is refused before anything is made', async () => {
  const folder = emptyFolder();
  const world = await runUmwelt(['world', 'from-mcp', '--', ''], { cwd: folder });
  const record = await runUmwelt(['record', '--out', 'rec.jsonl', '--', ''], { cwd: folder });
  expect([world.code, record.code, existsSync(join(folder, 'rec.jsonl'))]).toEqual([2, 2, false]);
  expect([world.stderr, record.stderr]).toEqual([
    'umwelt: the command is empty; wanted a program on PATH or a path to one\n',
    'umwelt: the command after -- is empty; wanted a program on PATH or a path to one\n',
  ]);
});
