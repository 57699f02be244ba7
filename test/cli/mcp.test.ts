/**
 * `umwelt mcp` as a real child process: with the official clients, byte by byte, with garbage, with 8 MiB, and as a
 * front of an episode in a service.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as NewerClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewerTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { startService } from '../../src/server/index.js';
import { findWorld } from '../../src/worlds/index.js';
import { emptyFolder, jsonLines, mainPath, runUmwelt, startUmwelt } from '../setup/run-umwelt.js';

const EIGHT_MIB = 8 * 1024 * 1024;

/** A world that keeps notes, and can answer one very long text. */
const WORLD = {
  world: 1,
  name: 'notes',
  domain: 'mcp',
  strict: true,
  tools: [
    { name: 'list_notes', inputSchema: { type: 'object', properties: {} } },
    {
      name: 'note_add',
      inputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string' }, size: {} } },
    },
    { name: 'ask_oracle', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } },
  ],
  state: { data: { notes: [] } },
  overrides: { note_add: { op: 'create', collection: 'notes', text: '{args.text}' } },
};

function worldFile(world: unknown = WORLD): string {
  const path = join(emptyFolder(), 'notes.json');
  writeFileSync(path, JSON.stringify(world));
  return path;
}

const request = (id: number, method: string, params: unknown = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const initialize = (protocolVersion?: string): string =>
  request(1, 'initialize', {
    ...(protocolVersion !== undefined && { protocolVersion }),
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });

interface Reply {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

async function replies(input: string, args: readonly string[] = [worldFile()]): Promise<Reply[]> {
  const { stdout } = await runUmwelt(['mcp', ...args], { input });
  return jsonLines(stdout) as Reply[];
}

test('a supported revision is agreed, an unknown one gets the newest, a missing one is an error', async () => {
  const agreed = await Promise.all(
    ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2099-01-01', undefined].map(async (version) => {
      const [reply] = await replies(initialize(version));
      return reply?.result?.protocolVersion ?? reply?.error?.code;
    }),
  );
  expect(agreed).toEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2025-11-25', -32_602]);
});

test('every line is a frame, whatever the client sends, and the next request still works', async () => {
  const deep = `{"jsonrpc":"2.0","id":50,"method":"ping","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`;
  const lines = [
    initialize('2025-06-18'),
    'this is no JSON\n',
    '\n',
    '[]\n',
    '{"id":7}\n',
    '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n',
    '{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}\n',
    deep,
    request(8, 'no/such/method'),
    request(9, 'tools/call', { name: 'nope', arguments: {} }),
    request(10, 'tools/call', { name: 'note_add', arguments: {} }),
    request(11, 'tools/call', { name: 'ask_oracle', arguments: { q: 'when?' } }),
    request(12, 'ping'),
  ];
  const answered = await replies(lines.join(''));
  const brief = answered.map(({ id, error, result }) => [id, error?.code ?? result?.isError ?? 'result']);
  const byId = (id: unknown): unknown[] => brief.filter(([own]) => own === id).map(([, what]) => what);
  expect([8, 9, 10, 11, 12, 50, 7].map(byId)).toEqual([
    [-32_601],
    [-32_602],
    [true],
    [-32_603],
    ['result'],
    [-32_700],
    [-32_600],
  ]);
  expect(byId(null)).toEqual([-32_700, -32_600, -32_600, -32_600]);
  expect(answered.find(({ id }) => id === 11)?.error?.data).toMatchObject({ code: 'abstained' });
});

test('a request that comes byte by byte is stored exactly, and the recording holds the exact arguments', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  const child = startUmwelt(['mcp', worldFile(), '--record', record]);
  const text = 'naïve 🙂 — 完';
  const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note_add","arguments":{"text":"${text}","size":1.0}}}\n`;
  for (const byte of Buffer.from(initialize('2025-06-18') + call)) {
    if (child.stdin?.write(Buffer.of(byte)) === false) await once(child.stdin, 'drain');
  }
  child.stdin?.end();
  const out = await outputOf(child);
  expect((jsonLines(out)[1] as Reply).result?.content).toEqual([{ type: 'text', text }]);
  const turns = jsonLines(readFileSync(record, 'utf8')) as { action?: string; end?: unknown }[];
  expect(turns[1]?.action).toBe(`{"name":"note_add","arguments":{"text":"${text}","size":1.0}}`);
  expect(turns.at(-1)?.end).toMatchObject({ turns: 2, done: true });
});

async function outputOf(child: ChildProcess): Promise<string> {
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  await once(child, 'close');
  return out;
}

test('what was answered before kill -9 is in the recording', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  const child = startUmwelt(['mcp', worldFile(), '--record', record]);
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const ended = once(child, 'close');
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(initialize('2025-06-18'));
  for (let id = 2; id < 400; id++) {
    child.stdin?.write(request(id, 'tools/call', { name: 'note_add', arguments: { text: `note ${id}` } }));
  }
  // Some answers are there, and more are on their way.
  while (out.split('\n').length < 40) await once(child.stdout ?? child, 'data');
  child.kill('SIGKILL');
  await ended;
  const answered = out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Reply);
  const recorded = readFileSync(record, 'utf8');
  const missing = answered.filter(({ id }) => Number(id) > 1 && !recorded.includes(`"note ${id}\\"`));
  expect([answered.length > 30, missing]).toEqual([true, []]);
});

test('a text of nearly 8 MiB goes in and comes out as one line', async () => {
  const unit = 'é🙂';
  const text = unit.repeat(Math.floor((EIGHT_MIB - 1_000) / Buffer.byteLength(unit)));
  const answered = await replies(
    initialize('2025-06-18') + request(2, 'tools/call', { name: 'note_add', arguments: { text } }),
    [worldFile({ ...WORLD, overrides: {} })],
  );
  const content = answered[1]?.result?.content ?? [];
  const row = JSON.parse((content as { text: string }[])[0]?.text ?? 'null');
  expect(row.text.length).toBe(text.length);
  expect(row.text === text).toBe(true);
});

test('an older client is not sent what its revision does not know', async () => {
  const outputSchema = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] };
  const tool = { name: 'count_rows', title: 'Count', inputSchema: { type: 'object' }, outputSchema };
  const path = worldFile({
    ...WORLD,
    tools: [{ ...tool, annotations: { readOnlyHint: true } }],
    overrides: { count_rows: { op: 'compute', returns: "{'total': state.data.notes.size()}" } },
  });
  const input = (version: string): string =>
    initialize(version) +
    request(2, 'tools/list') +
    request(3, 'tools/call', { name: 'count_rows', arguments: {} });
  const seen = async (version: string): Promise<unknown[]> => {
    const answered = await replies(input(version), [path]);
    const listed = answered.find(({ id }) => id === 2)?.result?.tools as object[];
    const called = answered.find(({ id }) => id === 3)?.result ?? {};
    return [Object.keys(listed[0] ?? {}), called.structuredContent];
  };
  expect(await seen('2025-06-18')).toEqual([
    ['name', 'title', 'inputSchema', 'outputSchema', 'annotations'],
    { total: 0 },
  ]);
  expect(await seen('2025-03-26')).toEqual([['name', 'inputSchema', 'annotations'], undefined]);
  expect(await seen('2024-11-05')).toEqual([['name', 'inputSchema'], undefined]);
});

test('official clients of both lines use a world as they use a server', async () => {
  const command = { command: process.execPath, args: [mainPath(), 'mcp', worldFile()] };
  const older = new Client({ name: 'test', version: '1' });
  await older.connect(new StdioClientTransport(command));
  const newer = new NewerClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await newer.connect(new NewerTransport(command));
  expect(newer.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  const call = { name: 'note_add', arguments: { text: 'one' } };
  expect([await older.callTool(call), await newer.callTool(call)]).toMatchObject([
    { content: [{ type: 'text', text: 'one' }] },
    { content: [{ type: 'text', text: 'one' }] },
  ]);
  expect([(await older.listTools()).tools, (await newer.listTools()).tools]).toEqual([
    WORLD.tools,
    WORLD.tools,
  ]);
  await Promise.all([older.close(), newer.close()]);
});

test('a front passes both eras to an episode in a service, and a wrong token is told', async () => {
  const service = await startService();
  const world = findWorld(worldFile());
  if (!world.ok) throw world.error;
  const hosted = await service.openEpisode(world.value, { private: true });
  const front = (token: string) => ({
    command: process.execPath,
    args: [mainPath(), 'mcp', '--attach', hosted.mcpUrl],
    env: { UMWELT_TOKEN: token },
  });
  const older = new Client({ name: 'test', version: '1' });
  await older.connect(new StdioClientTransport(front(hosted.token)));
  const newer = new NewerClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await newer.connect(new NewerTransport(front(hosted.token)));
  await older.callTool({ name: 'note_add', arguments: { text: 'one' } });
  await newer.callTool({ name: 'note_add', arguments: { text: 'zwei 完' } });
  expect(hosted.episode.turns.map((turn) => turn.observation)).toEqual(['one', 'zwei 完']);
  expect(newer.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  const wrong = new Client({ name: 'test', version: '1' });
  await expect(wrong.connect(new StdioClientTransport(front('wrong')))).rejects.toThrow(
    'the token in UMWELT_TOKEN is not the right one',
  );
  await Promise.all([older.close(), newer.close(), wrong.close()]);
  await hosted.finish('done');
  expect(hosted.episode.done).toBe(true);
  await service.close();
});

test('what a front cannot reach is an answer to each request, not a silence', async () => {
  const answered = await replies(initialize('2025-06-18') + request(2, 'tools/list'), [
    '--attach',
    'http://127.0.0.1:9/episodes/x/mcp',
  ]);
  expect(answered.map(({ id, error }) => [id, error?.code])).toEqual([
    [1, -32_603],
    [2, -32_603],
  ]);
});

test('a command line that makes no sense is a usage error', async () => {
  const codes = await Promise.all(
    [
      ['mcp'],
      ['mcp', 'issue-tracker', '--attach', 'http://127.0.0.1:1'],
      ['mcp', '--attach', 'ftp://x'],
      ['mcp', '--attach', 'http://127.0.0.1:1', '--seed', '1'],
      ['mcp', 'no-such-world'],
    ].map(async (args) => (await runUmwelt(args)).code),
  );
  expect(codes).toEqual([2, 2, 2, 2, 2]);
});
