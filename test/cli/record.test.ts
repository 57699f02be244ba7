/**
 * `umwelt record` between real clients and real servers, and between bytes that are no messages at all.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, test } from 'vitest';
import { emptyFolder, mainPath, runUmwelt, startUmwelt } from '../setup/run-umwelt.js';

const require = createRequire(import.meta.url);
const manifest = require.resolve('@modelcontextprotocol/server-memory/package.json');
const MEMORY = join(dirname(manifest), 'dist/index.js');

interface Recorded {
  readonly ts: string;
  readonly dir: string;
  readonly data: string;
  readonly base64?: string;
  readonly eol?: false;
  readonly session?: string;
}

function framesOf(path: string): Recorded[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as Recorded);
}

/** The exact bytes of one direction, put together again. */
function bytesOf(frames: readonly Recorded[], dir: string): Buffer {
  const parts = frames
    .filter((frame) => frame.dir === dir)
    .map(({ data, base64, eol }) => {
      const bytes = base64 === undefined ? Buffer.from(data) : Buffer.from(base64, 'base64');
      return dir === 'server-stderr' || eol === false ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
    });
  return Buffer.concat(parts);
}

/** A script that a test starts as the server. */
function script(text: string): string {
  const path = join(emptyFolder(), 'server.mjs');
  writeFileSync(path, text);
  return path;
}

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function collect(child: ChildProcess): Promise<{ out: Buffer; err: Buffer; code: number | null }> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { out: Buffer.concat(out), err: Buffer.concat(err), code };
}

function toServer(file: string): { command: string; args: string[] } {
  return {
    command: process.execPath,
    args: [mainPath(), 'record', '--out', file, '--', process.execPath, MEMORY],
  };
}

test.each([
  ['1.x', () => new Client({ name: 'test', version: '1' }), StdioClientTransport],
  ['2.x', () => new Client2({ name: 'test', version: '1' }), Stdio2],
])(
  'a real client of SDK %s and the memory server work through the recorder, and each message is there',
  async (_name, make, Transport) => {
    const folder = emptyFolder();
    const file = join(folder, 'rec.jsonl');
    const client = make();
    const env = {
      ...(process.env as Record<string, string>),
      MEMORY_FILE_PATH: join(folder, 'graph.jsonl'),
      API_KEY: 'key-never-written',
    };
    await client.connect(new Transport({ ...toServer(file), env, stderr: 'ignore' }) as never);
    const { tools } = await client.listTools();
    const entities = [{ name: 'naïve 🙂 — 完', entityType: 'test', observations: ['a\nb'] }];
    const made = await client.callTool({ name: 'create_entities', arguments: { entities } });
    await client.close();
    expect(made.isError ?? false).toBe(false);
    const frames = framesOf(file);
    const messages = (dir: string) =>
      frames.filter((frame) => frame.dir === dir).map(({ data }) => JSON.parse(data));
    expect(
      messages('client->server')
        .map(({ method }) => method)
        .filter(Boolean),
    ).toEqual(
      expect.arrayContaining(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']),
    );
    const listed = messages('server->client').find((message) => message.result?.tools !== undefined);
    expect(listed.result.tools.map(({ name }: { name: string }) => name)).toEqual(
      tools.map(({ name }) => name),
    );
    expect(messages('client->server').at(-1).params.arguments).toEqual({ entities });
    expect(frames.every(({ ts }) => new Date(ts).toISOString() === ts)).toBe(true);
    expect(readFileSync(file, 'utf8')).not.toContain('key-never-written');
  },
);

// It ends by itself: `process.exit` would drop what its own standard output still holds.
const ECHO = `process.stdin.on('data', (chunk) => { if (!process.stdout.write(chunk)) { process.stdin.pause(); process.stdout.once('drain', () => process.stdin.resume()); } });
process.stdin.on('end', () => { process.stderr.write('bye\\r\\nno end'); process.exitCode = 7; });`;

/** Bytes that break whatever decodes or trims: CRLF, zero bytes, half characters, a long line, no end. */
function hardBytes(): Buffer {
  let state = 12345;
  const noise = Buffer.alloc(300_000);
  for (let at = 0; at < noise.length; at++) {
    state = (state * 1103515245 + 12345) >>> 0;
    noise[at] = state >>> 24;
  }
  const emoji = Buffer.from('🙂');
  return Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0"}\r\n\n\r\nno json at all\n\ufeffbom\n'),
    emoji.subarray(0, 2),
    Buffer.from('\n'),
    noise,
    Buffer.from('\n'),
    Buffer.alloc(8 * 1024 * 1024, 'é🙂'),
    Buffer.from('\n\u2028 \u0000 unterminated'),
  ]);
}

test('bytes pass through unchanged in both directions, and the recording holds them all', async () => {
  const file = join(emptyFolder(), 'rec.jsonl');
  const child = startUmwelt(['record', '--out', file, '--', process.execPath, script(ECHO)]);
  const bytes = hardBytes();
  const ended = collect(child);
  child.stdin?.end(bytes);
  const { out, err, code } = await ended;
  expect([sha(out), err.toString(), code]).toEqual([sha(bytes), 'bye\r\nno end', 7]);
  const frames = framesOf(file);
  expect([
    sha(bytesOf(frames, 'client->server')),
    sha(bytesOf(frames, 'server->client')),
    bytesOf(frames, 'server-stderr').toString(),
  ]).toEqual([sha(bytes), sha(bytes), 'bye\r\nno end']);
  expect(frames.filter(({ base64 }) => base64 !== undefined).length).toBeGreaterThan(0);
});

test('a character split into single bytes arrives whole, before the line has ended', async () => {
  const file = join(emptyFolder(), 'rec.jsonl');
  const child = startUmwelt(['record', '--out', file, '--', process.execPath, script(ECHO)]);
  const ended = collect(child);
  const line = Buffer.from('{"id":7,"text":"naïve 🙂 — 完"}\n');
  for (const byte of line) {
    const passed = new Promise((resolve) => child.stdout?.once('data', resolve));
    child.stdin?.write(Buffer.from([byte]));
    await passed;
  }
  child.stdin?.end();
  const { out } = await ended;
  expect(out).toEqual(line);
  expect(bytesOf(framesOf(file), 'server->client')).toEqual(line);
});

test('a server that does not read stops its client, so that nothing piles up here', async () => {
  const file = join(emptyFolder(), 'rec.jsonl');
  const slow = `process.stdout.write('ready\\n');
    process.on('SIGUSR2', () => process.stdin.resume().on('data', () => {}).on('end', () => process.exit(0)));
    process.stdin.pause(); setInterval(() => {}, 1000);`;
  const child = startUmwelt(['record', '--out', file, '--', process.execPath, script(slow)]);
  const ended = collect(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  const chunk = Buffer.alloc(64 * 1024, 'x'.repeat(1023).concat('\n'));
  for (let sent = 0; sent < 512; sent++) child.stdin?.write(chunk);
  const left = (): number => child.stdin?.writableLength ?? 0;
  // What the pipes and buffers between hold is taken; the rest stays with the client.
  for (let before = -1; before !== left(); ) {
    before = left();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(left()).toBeGreaterThan(24 * 1024 * 1024);
  child.kill('SIGUSR2');
  child.stdin?.end();
  expect((await ended).code).toBe(0);
});

test('signals reach the server, and what it died of is what the client sees', async () => {
  const file = join(emptyFolder(), 'rec.jsonl');
  const polite = `process.on('SIGTERM', () => { process.stdout.write('asked\\n', () => process.exit(5)); }); process.stdout.write('ready\\n'); process.stdin.resume();`;
  const first = startUmwelt(['record', '--out', file, '--', process.execPath, script(polite)]);
  const firstEnd = collect(first);
  await new Promise((resolve) => first.stdout?.once('data', resolve));
  first.kill('SIGTERM');
  const { out, code } = await firstEnd;
  expect([out.toString(), code]).toEqual(['ready\nasked\n', 5]);
  const dying = script(`process.kill(process.pid, 'SIGKILL')`);
  const second = startUmwelt(['record', '--out', `${file}2`, '--', process.execPath, dying]);
  const signal = await new Promise((resolve) => second.once('close', (_code, name) => resolve(name)));
  expect(signal).toBe('SIGKILL');
});

test('after kill -9 the recording is a valid prefix; a cut line is taken away when it is continued', async () => {
  const file = join(emptyFolder(), 'rec.jsonl');
  const args = ['record', '--out', file, '--', process.execPath, script(ECHO)];
  const child = startUmwelt(args);
  child.stdin?.write('{"id":1}\n{"id":2}\n{"id":');
  await new Promise<void>((resolve) => {
    let seen = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.endsWith('{"id":')) resolve();
    });
  });
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  const before = framesOf(file).map(({ dir, data }) => `${dir} ${data}`);
  expect(before.slice(0, 2)).toEqual(['client->server {"id":1}', 'client->server {"id":2}']);
  const whole = readFileSync(file);
  appendFileSync(file, '{"ts":"2026-01-01T00:00:00.000Z","dir":"client->ser');
  const again = await runUmwelt(args, { input: '{"id":1}\n' });
  expect(again.stderr).toContain('took away a cut last line (51 bytes)');
  expect(readFileSync(file).subarray(0, whole.length)).toEqual(whole);
  const added = framesOf(file).slice(before.length);
  expect(added.map(({ dir, data }) => `${dir} ${data}`).slice(0, 2)).toEqual([
    'client->server {"id":1}',
    'server->client {"id":1}',
  ]);
  expect(new Set(added.map(({ session }) => session)).size).toBe(1);
  expect(added[0]?.session).toMatch(/^[0-9a-f]{8}$/);
});

test('a file that is no recording is never touched', async () => {
  const file = join(emptyFolder(), 'notes.txt');
  writeFileSync(file, 'my notes\n');
  const ran = await runUmwelt(['record', '--out', file, '--', process.execPath, script(ECHO)]);
  expect([ran.code, ran.stdout, readFileSync(file, 'utf8')]).toEqual([2, '', 'my notes\n']);
  expect(ran.stderr).toContain('is there and is no recording of MCP frames');
});

test('a command that is not there is named, and nothing is said on standard output', async () => {
  const file = join(emptyFolder(), 'rec.jsonl');
  const ran = await runUmwelt(['record', '--out', file, '--', 'no-such-server', '--json']);
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toContain('the command "no-such-server" was not found');
});

test('neither or both of command and URL are usage errors', async () => {
  const neither = await runUmwelt(['record']);
  const both = await runUmwelt(['record', '--url', 'http://127.0.0.1:1/mcp', '--', 'x']);
  expect([neither.code, both.code]).toEqual([2, 2]);
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk stops the recording, not the bytes (skipped where there is no /dev/full)',
  async () => {
    const ran = await runUmwelt(['record', '--out', '/dev/full', '--', process.execPath, script(ECHO)], {
      input: '{"id":1}\n',
    });
    expect([ran.code, ran.stdout]).toEqual([7, '{"id":1}\n']);
    expect(ran.stderr).toContain('recording stops, the bytes still pass');
  },
);

test('a client that goes away is seen by the server, and the recorder ends with it', async () => {
  const file = join(emptyFolder(), 'rec.jsonl');
  const talker = script(`process.stdout.on('error', () => process.exit(9));
setInterval(() => process.stdout.write('{"id":1}\\n'), 1);`);
  const child = startUmwelt(['record', '--out', file, '--', process.execPath, talker]);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  child.stdout?.destroy();
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(9);
  expect(framesOf(file)[0]).toMatchObject({ dir: 'server->client', data: '{"id":1}' });
});

test('with --url the address is said on standard error only, and the messages of a real session are recorded', async () => {
  const http = createServer(async (request, response) => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    server.registerTool('list_orders', { description: 'Lists' }, () => ({
      content: [{ type: 'text', text: 'none' }],
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const file = join(emptyFolder(), 'rec.jsonl');
  const child = startUmwelt(['record', '--out', file, '--url', url]);
  const ended = collect(child);
  const address = await new Promise<string>((resolve) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /^umwelt record: (http:\S+) passes to /.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)) as never);
  const answer = await client.callTool({ name: 'list_orders', arguments: {} });
  await client.close();
  child.kill('SIGINT');
  const { out, code } = await ended;
  http.closeAllConnections();
  http.close();
  expect([answer.content, out.toString(), code]).toEqual([[{ type: 'text', text: 'none' }], '', 130]);
  const said = framesOf(file)
    .filter(({ dir }) => dir !== 'http')
    .map(({ dir, data }) => `${dir} ${JSON.parse(data).method ?? 'result'}`);
  expect(said).toEqual([
    'client->server initialize',
    'server->client result',
    'client->server notifications/initialized',
    'client->server tools/call',
    'server->client result',
  ]);
});

test('a client that does not read holds the recorder of a dead server no longer than to the next signal', async () => {
  const path = script(`const text = 'z'.repeat(1000) + '\\n';
    const fill = () => { while (process.stdout.write(text)); process.stdout.once('drain', fill); };
    fill();`);
  const file = join(emptyFolder(), 'rec.jsonl');
  const child = startUmwelt(['record', '--out', file, '--', process.execPath, path]);
  await expect.poll(() => existsSync(file) && readFileSync(file).length > 0, { timeout: 10_000 }).toBe(true);
  const ended = () => {
    child.kill('SIGTERM');
    return child.signalCode;
  };
  await expect.poll(ended, { timeout: 10_000 }).toBe('SIGTERM');
  expect(framesOf(file).every(({ dir }) => dir === 'server->client')).toBe(true);
});
