import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Trajectory } from '../core/index.js';
import { type ImportReport, importTrajectories } from './index.js';

const SAMPLES = fileURLToPath(new URL('../../../shared/samples', import.meta.url));
const noSamples = !existsSync(SAMPLES);

/** Folder/file → pairs, dangling calls, orphans, as counted by other programs. */
const COUNTED: Readonly<Record<string, readonly [number, number, number]>> = {
  'mcp-jsonrpc/mcp-chaos-cassette.jsonl': [0, 0, 3],
  'mcp-jsonrpc/mcp-chaos-run.jsonl': [0, 0, 0],
  'mcp-jsonrpc/rec-everything.jsonl': [6, 0, 0],
  'mcp-jsonrpc/rec-filesystem.jsonl': [7, 0, 0],
  'mcp-jsonrpc/rec-http-everything.jsonl': [5, 0, 0],
  'mcp-jsonrpc/rec-memory.jsonl': [5, 0, 0],
  'mcp-jsonrpc/rec-playwright.jsonl': [12, 0, 0],
  'mcp-jsonrpc/rec-postgres.jsonl': [4, 0, 0],
  'openai-chat/livemcpbench-sonnet4.json': [13, 0, 0],
  'openai-chat/multi-agent-tools.json': [2, 0, 0],
  'openai-chat/verifiers-mcp-env.jsonl': [3, 0, 0],
  'openai-chat/verifiers-wiki-search-nano.jsonl': [6, 0, 0],
  'anthropic-messages/anthropic-managed-mcp.jsonl': [1, 0, 0],
  'anthropic-messages/code-execution-thinking.json': [3, 0, 0],
  'anthropic-messages/parallel-tools.json': [4, 0, 0],
};

async function importAll(
  bytes: Uint8Array,
  from?: string,
): Promise<{ readonly trajectories: Trajectory[]; readonly report: ImportReport }> {
  const opened = importTrajectories('log', [bytes], from === undefined ? {} : { from });
  if (!opened.ok) throw opened.error;
  const trajectories: Trajectory[] = [];
  for await (const trajectory of opened.value.trajectories) trajectories.push(trajectory);
  return { trajectories, report: opened.value.report() };
}

function lines(...values: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

test.skipIf(noSamples)(
  'every sample gives the pairs, open calls and lost answers that were counted',
  async () => {
    const found: Record<string, readonly number[]> = {};
    for (const folder of ['mcp-jsonrpc', 'openai-chat', 'anthropic-messages']) {
      for (const file of readdirSync(join(SAMPLES, folder)).sort()) {
        const { report } = await importAll(readFileSync(join(SAMPLES, folder, file)));
        found[`${folder}/${file}`] = [report.pairs, report.dangling, report.orphans];
      }
    }
    expect(found).toEqual(COUNTED);
  },
);

function frame(dir: string, message: unknown, more: object = {}): object {
  return {
    ts: '2026-03-01T09:00:00.000Z',
    dir,
    data: JSON.stringify({ jsonrpc: '2.0', ...(message as object) }),
    ...more,
  };
}

function call(id: number, name: string, args: object): object {
  return frame('client->server', { id, method: 'tools/call', params: { name, arguments: args } });
}

function answer(id: number, text: string): object {
  return frame('server->client', { id, result: { content: [{ type: 'text', text }] } });
}

test('ids of both directions collide and ids repeat: an answer closes the oldest open call of its id', async () => {
  const bytes = lines(
    call(0, 'a', { n: 1 }),
    frame('server->client', { id: 0, method: 'roots/list' }),
    frame('client->server', { id: 0, result: { roots: [] } }),
    answer(0, 'one'),
    call(0, 'a', { n: 2 }),
    call(1, 'b', {}),
    answer(1, 'three'),
    answer(0, 'two'),
  );
  const { trajectories, report } = await importAll(bytes);
  expect(
    trajectories.map(({ turns }) =>
      turns.map(({ action, observation, meta }) => [action, observation, meta?.group]),
    ),
  ).toEqual([
    [
      ['{"name":"a","arguments":{"n":1}}', 'one', undefined],
      ['{"name":"a","arguments":{"n":2}}', 'two', 'g1'],
      ['{"name":"b","arguments":{}}', 'three', 'g1'],
    ],
  ]);
  expect([report.pairs, report.groups, report.skipped]).toEqual([
    3,
    1,
    { 'answer of the client': 1, 'server request roots/list': 1 },
  ]);
});

test('a message in pieces is put together, and a second handshake on the pipe begins a second trajectory', async () => {
  const whole = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'long' }] },
  });
  const hello = (id: number) => [
    frame('client->server', { id, method: 'initialize', params: { clientInfo: { name: 'me' } } }),
    frame('server->client', {
      id,
      result: { serverInfo: { name: 's', version: '1' }, instructions: 'Be brief.' },
    }),
  ];
  const { trajectories } = await importAll(
    lines(
      ...hello(0),
      call(1, 'a', {}),
      { ts: '', dir: 'server->client', data: whole.slice(0, 20), eol: false },
      { ts: '', dir: 'server->client', data: whole.slice(20) },
      ...hello(0),
      call(1, 'b', {}),
      answer(1, 'x'),
    ),
  );
  expect(
    trajectories.map(({ id, source, system, meta, turns }) => ({
      id,
      source,
      system,
      meta,
      said: turns.map((turn) => turn.observation),
    })),
  ).toEqual(
    ['long', 'x'].map((text, index) => ({
      id: `log#${index + 1}`,
      source: { dataset: 'mcp-jsonrpc', file: 'log', agent: 'me' },
      system: { text: 'Be brief.', demonstrations: [] },
      meta: { server: { name: 's', version: '1' }, instructions: 'Be brief.' },
      said: [text],
    })),
  );
});

test('parallel calls, a lost answer and an orphan are told apart and never paired by position', async () => {
  const made = (id: string, name: string, args: object) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  });
  const messages = [
    { role: 'user', content: 'tidy the notes' },
    { role: 'assistant', tool_calls: [made('c1', 'read', { p: 'a.md' }), made('c2', 'read', { p: 'b.md' })] },
    { role: 'tool', tool_call_id: 'c2', content: 'B body' },
    { role: 'tool', tool_call_id: 'c1', content: 'A body' },
    { role: 'tool', tool_call_id: 'c3', content: 'renamed' },
    {
      role: 'assistant',
      tool_calls: [made('c4', 'run', { cmd: 'make' }), made('c5', 'read', { p: 'c.md' })],
    },
    { role: 'tool', tool_call_id: 'c5', content: 'C body' },
  ];
  const { trajectories, report } = await importAll(lines({ messages }));
  expect(
    trajectories[0]?.turns.map(({ action, observation, meta }) => [
      JSON.parse(action).arguments.p,
      observation,
      meta?.group,
    ]),
  ).toEqual([
    ['a.md', 'A body', 'g1'],
    ['b.md', 'B body', 'g1'],
    ['c.md', 'C body', 'g2'],
  ]);
  expect(trajectories[0]?.gaps).toEqual([2]);
  expect([report.pairs, report.orphans, report.dangling]).toEqual([3, 1, 1]);
  expect(report.notes.map(({ line, message }) => [line, message])).toEqual([
    [1, 'an answer "c3" without a call; left out'],
    [1, 'the call of run was not answered; left out'],
  ]);
});

test('dirty bytes cost only what they hit, and every loss has its line and byte', async () => {
  const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const lf = new Uint8Array([0x0a]);
  const bytes = Buffer.concat([
    new Uint8Array([0xef, 0xbb, 0xbf]),
    text(call(1, 'a', {})),
    new Uint8Array([0x0d, 0x0a]),
    text(answer(1, 'left\u2028right')),
    lf,
    new Uint8Array(300),
    lf,
    text(call(2, 'b', {})),
    lf,
    text(answer(2, 'unfinished')).subarray(0, 60),
  ]);
  const { trajectories, report } = await importAll(bytes);
  expect(trajectories[0]?.turns.map((turn) => turn.observation)).toEqual(['left\u2028right']);
  expect(report.isCut).toBe(true);
  expect(report.notes.map(({ line, message }) => [line, message])).toEqual([
    [3, '300 zero bytes where JSON should be; left out'],
    [5, 'incomplete last line; left out'],
    [4, 'the call of b was not answered; left out'],
  ]);
});

test('an event stream in an HTTP body gives its messages, each answer to the call of its own exchange', async () => {
  const post = (n: number, id: number, name: string) => ({
    ts: '',
    n,
    kind: 'request',
    method: 'POST',
    headers: {},
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } }),
  });
  const event = (id: number, said: string) =>
    `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: said }] } })}\n\n`;
  const { trajectories } = await importAll(
    lines(
      post(1, 7, 'a'),
      post(2, 7, 'b'),
      { n: 2, kind: 'response-chunk', data: event(7, 'for b').slice(0, 30) },
      { n: 1, kind: 'response-chunk', data: event(7, 'for a') },
      { n: 2, kind: 'response-chunk', data: event(7, 'for b').slice(30) },
      { n: 2, kind: 'response-end' },
    ),
  );
  expect(trajectories[0]?.turns.map((turn) => turn.observation)).toEqual(['for a', 'for b']);
});

test('a recording that ends at any byte gives a prefix of its turns', async () => {
  const values = [1, 2, 3].flatMap((id) => [call(id, 'a', { id }), answer(id, `said ${id}`)]);
  const bytes = lines(...values);
  const whole = (await importAll(bytes)).trajectories[0]?.turns ?? [];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async (end) => {
      const turns = (await importAll(bytes.subarray(0, end))).trajectories[0]?.turns ?? [];
      expect(turns).toEqual(whole.slice(0, turns.length));
    }),
    { numRuns: 60 },
  );
});

test('hostile values of every form raise nothing', async () => {
  const key = fc.constantFrom(
    'dir',
    'data',
    'messages',
    'role',
    'content',
    'tool_calls',
    'jsonrpc',
    'id',
    'method',
    'params',
    'type',
    'request',
    'response',
    'trajectory',
    'kind',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        '2.0',
        'assistant',
        'tool',
        'tools/call',
        'tool_use',
        'tool_result',
        '{"a":',
        '',
        'client->server',
        'request',
      ),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  const format = fc.constantFrom(undefined, 'umwelt', 'mcp-jsonrpc', 'openai-chat', 'anthropic-messages');
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 4 }), format, async (list, from) => {
      const { report } = await importAll(lines(...list), from);
      expect(report.pairs).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 200 },
  );
});

test('an unknown format is refused with the names of the known ones', () => {
  const opened = importTrajectories('log', [], { from: 'nope' });
  expect(opened.ok ? '' : opened.error.message).toMatch(
    /^there is no format "nope"; known are umwelt, .*anthropic-messages, .*openai-chat/,
  );
});
