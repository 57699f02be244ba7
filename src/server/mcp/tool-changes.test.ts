/** Lists of tools that change in mid-episode, and answers that are not one text, as MCP clients see them. */
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { createTestWorld, testTool } from '../../testing/index.js';
import { createService, serveEpisodeOnStdio, startService } from '../index.js';

const PNG = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const SOUND = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };

const WORLD = createTestWorld({
  tools: [testTool('list_notes', {}), testTool('draw', { what: { type: 'string' } })],
  state: { data: { notes: [{ id: 'n1', text: 'one' }] } },
  overrides: { list_notes: { op: 'list', collection: 'notes' } },
  recorded: [
    {
      tool: 'draw',
      arguments: { what: 'a cat' },
      text: '[image image/png, 8 bytes]\n[audio audio/wav, 4 bytes]',
      content: [PNG, SOUND],
    },
  ],
});

const RENAMED = [
  { kind: 'tool-renamed', on: 'list_notes', when: { turns: '2-' }, with: { to: 'notes_all' } },
];

test('a client in a session is told that the tools have changed, and lists the new ones', async () => {
  const service = await startService();
  const hosted = await service.openEpisode(WORLD, { faults: RENAMED });
  const client = new Client({ name: 'test', version: '1' });
  const told = new Promise<void>((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
  const transport = new StreamableHTTPClientTransport(new URL(hosted.mcpUrl));
  await client.connect(transport);
  const call = () => client.callTool({ name: 'list_notes', arguments: {} });
  while (!hosted.episode.turns.some(({ status }) => status === 'refused')) {
    await call().catch(() => undefined);
  }
  await told;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['notes_all', 'draw']);
  await client.close();
  await service.close();
});

test('on stdio the change stands between the frames', async () => {
  const service = createService();
  const hosted = await service.openEpisode(WORLD, { faults: RENAMED });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveEpisodeOnStdio(hosted, { input, output });
  const call = { name: 'list_notes', arguments: {} };
  const send = (id: number, method: string, params: unknown): boolean =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  send(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  for (const id of [2, 3, 4]) send(id, 'tools/call', call);
  input.end();
  let text = '';
  output.on('data', (chunk) => {
    text += chunk;
  });
  await served;
  const frames = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: number; method?: string });
  expect(frames.flatMap(({ method }) => method ?? [])).toEqual(['notifications/tools/list_changed']);
  expect(frames.flatMap(({ id }) => id ?? []).sort()).toEqual([1, 2, 3, 4]);
});

test('blocks of a recorded answer pass as they are, and as words where a revision does not know them', async () => {
  const service = createService();
  const answer = async (protocolVersion: string): Promise<unknown> => {
    const hosted = await service.openEpisode(WORLD);
    const params = { name: 'draw', arguments: { what: 'a cat' } };
    const response = await service.fetch(
      new Request(hosted.mcpUrl, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': protocolVersion,
        },
      }),
    );
    return ((await response.json()) as { result: { content: unknown } }).result.content;
  };
  expect(await answer('2025-11-25')).toEqual([PNG, SOUND]);
  expect(await answer('2024-11-05')).toEqual([PNG, { type: 'text', text: '[audio audio/wav, 4 bytes]' }]);
});
