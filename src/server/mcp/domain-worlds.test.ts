/** Worlds that have no tools of their own, over MCP: their actions are a small set of tools. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createScriptedModel, createTestWorld } from '../../testing/index.js';
import { findWorld, type World } from '../../worlds/index.js';
import { createService } from '../service.js';

async function connected(world: World, observations: readonly string[] = []) {
  const model = createScriptedModel(
    observations.map((text) => ({ text: `<predicted_observation>\n${text}\n</predicted_observation>` })),
  );
  const service = createService({ worlds: [world], ...(observations.length > 0 && { model }) });
  const hosted = await service.openEpisode(world);
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(`http://localhost/episodes/${hosted.id}/mcp`);
  const fetchIt = (input: string | URL, init?: RequestInit) => service.fetch(new Request(input, init));
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: fetchIt }));
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [block] = content as { text: string }[];
    return isError === true ? `error: ${block?.text}` : block?.text;
  };
  return { client, call, hosted };
}

const PAGE = "URL: http://shop.test/\n[1] RootWebArea 'Shop'\n\t[a2] button 'Buy'";

test('a terminal is one tool of keys and durations', async () => {
  const world = findWorld('terminal-backup-script');
  if (!world.ok) throw world.error;
  const { client, call } = await connected(world.value);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['terminal']);
  const screen = await call('terminal', { keys: [{ keystrokes: 'echo $((6*7))\n', duration: 0.5 }] });
  expect(screen?.split('\n').slice(-2)[0]).toBe('42');
  expect(await call('terminal', { keys: 'ls' })).toContain('error: ');
});

test('a browser world has the 21 actions, and a call is the action it names', async () => {
  const world = createTestWorld({ domain: 'web', tools: undefined, state: { screen: PAGE } });
  const { client, call, hosted } = await connected(world, [PAGE.replace('Buy', 'Bought')]);
  expect((await client.listTools()).tools).toHaveLength(21);
  expect(await call('click', { bid: 'a2' })).toContain("'Bought'");
  expect(hosted.episode.turns.map(({ action }) => action)).toEqual([
    '{"name":"click","arguments":{"bid":"a2"}}',
  ]);
  expect(await call('click', { bid: 7 })).toContain('error: ');
  await expect(client.callTool({ name: 'fly', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
});

test('a phone has its actions as tools, and answer ends the episode', async () => {
  const screen =
    '<hierarchy rotation="0"><node index="0" text="Home" resource-id="a:id/t" class="android.widget.TextView" package="a" content-desc="" clickable="true" bounds="[0,0][1080,200]" /></hierarchy>';
  const world = createTestWorld({ domain: 'android', tools: undefined, state: { apps: ['Clock'], screen } });
  const { call, hosted } = await connected(world, [screen.replace('Home', 'Clock')]);
  expect(await call('open_app', { app_name: 'Clock' })).toContain('text="Clock"');
  await call('answer', { text: '9:41' });
  expect([hosted.episode.done, hosted.episode.end?.answer]).toEqual([true, '9:41']);
});
