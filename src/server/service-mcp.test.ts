/** MCP of one episode over a real socket, with the official clients of both lines. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testTool } from '../testing/index.js';
import type { World } from '../worlds/index.js';
import { type ListeningService, startService } from './index.js';

const TOOLS = [
  testTool('list_notes', {}),
  testTool(
    'count_rows',
    { 'text?': { type: 'string' } },
    { outputSchema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] } },
  ),
  testTool('note_add', { text: { type: 'string' }, 'size?': { type: 'integer' } }),
  testTool('ask_oracle', { q: { type: 'string' } }),
  {
    name: 'list_shifts',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['filter'],
      properties: {
        filter: { $ref: '#/$defs/Filter' },
        note: { type: ['string', 'null'] },
        zone: { anyOf: [{ type: 'string', enum: ['north', 'south'] }, { type: 'null' }], default: null },
      },
      $defs: {
        Filter: {
          type: 'object',
          properties: {
            limit: { type: 'integer', minimum: 1, default: 20 },
            ids: { type: ['array', 'null'], items: { type: 'string' } },
          },
        },
      },
    },
  },
];

const WORLD: World = createTestWorld({
  strict: true,
  tools: TOOLS,
  state: { server: { name: 'notes', version: '3.1.0' }, data: { notes: [{ id: 'n1', text: 'one' }] } },
  serverInstructions: 'Be brief.',
  overrides: {
    count_rows: { op: 'compute', returns: "{'total': state.data.notes.size()}" },
    note_add: { op: 'create', collection: 'notes', set: { text: 'args.text' } },
    list_notes: { op: 'list', collection: 'notes' },
  },
});

const COUNTED = (total: number) => [[{ type: 'text', text: `{\n  "total": ${total}\n}` }], { total }];

let service: ListeningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a client of the newest revision lists, calls and is told of errors', async () => {
  const hosted = await service.openEpisode(WORLD, { private: true });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${hosted.token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(hosted.mcpUrl), { requestInit: { headers } }),
  );
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(client.getInstructions()).toBe('Be brief.');
  expect((await client.listTools()).tools).toEqual(TOOLS);
  expect(await client.callTool({ name: 'note_add', arguments: { text: 'naïve 🙂 — 完' } })).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('naïve 🙂 — 完') }],
  });
  expect(hosted.episode.turns.map((turn) => turn.action)).toEqual([
    '{"name":"note_add","arguments":{"text":"naïve 🙂 — 完"}}',
  ]);
  const counted = await client.callTool({ name: 'count_rows', arguments: {} });
  expect([counted.content, counted.structuredContent]).toEqual(COUNTED(2));
  const failures = await Promise.all(
    [
      { name: 'ask_oracle', arguments: { q: 'when?' } },
      { name: 'nope', arguments: {} },
    ].map((call) => client.callTool(call).catch(({ code, data }) => ({ code, data }))),
  );
  expect(failures).toEqual([
    { code: -32_603, data: { code: 'abstained', reason: expect.any(String) } },
    { code: -32_602, data: undefined },
  ]);
  await client.close();
});

test('a client of the older line does the same in a session', async () => {
  const hosted = await service.openEpisode(WORLD);
  const client = new OlderClient({ name: 'test', version: '1' });
  await client.connect(new OlderTransport(new URL(hosted.mcpUrl)));
  expect(client.getServerVersion()).toEqual({ name: 'notes', version: '3.1.0' });
  expect((await client.listTools()).tools).toEqual(TOOLS);
  expect(await client.callTool({ name: 'count_rows', arguments: {} })).toEqual({
    content: COUNTED(1)[0],
    structuredContent: COUNTED(1)[1],
  });
  await expect(client.callTool({ name: 'ask_oracle', arguments: { q: 'when?' } })).rejects.toMatchObject({
    code: -32_603,
    data: { code: 'abstained' },
  });
  await client.close();
});

test('a failing tool with an output schema shows its error, not a complaint about the schema', async () => {
  const faults = [
    { kind: 'error', on: 'count_rows', when: { calls: [1] }, with: { message: 'database locked' } },
  ];
  const clients = await Promise.all(
    [Client, OlderClient].map(async (Kind, index) => {
      const hosted = await service.openEpisode(WORLD, { faults });
      const client = new Kind({ name: 'test', version: '1' });
      const Transport = index === 0 ? StreamableHTTPClientTransport : OlderTransport;
      await client.connect(new Transport(new URL(hosted.mcpUrl)) as never);
      await client.listTools();
      return client;
    }),
  );
  for (const client of clients) {
    const call = () => client.callTool({ name: 'count_rows', arguments: {} });
    expect(await call()).toEqual({ content: [{ type: 'text', text: 'database locked' }], isError: true });
    expect(await call()).toMatchObject({ structuredContent: { total: 1 } });
    await client.close();
  }
});
