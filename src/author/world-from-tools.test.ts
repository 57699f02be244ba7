import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Json, parseJson } from '../core/index.js';
import { openEpisode } from '../sim/index.js';
import { loadWorld } from '../worlds/index.js';
import { checkWorld } from './check-world.js';
import { worldFromTools } from './world-from-tools.js';

const TOOLS: Json = [
  {
    name: 'ticket_create',
    inputSchema: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
  },
  {
    name: 'ticket_get',
    inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  },
  {
    name: 'ticket_list',
    description: 'List # "all": tickets\n---\nyes',
    inputSchema: { type: 'object', 'x-n': 12345678901234567890n },
  },
];

test('a list of tools becomes a world file that loads, keeps the tools and plays at once', async () => {
  const text = worldFromTools(TOOLS, { name: 'tickets' });
  if (!text.ok) throw text.error;
  expect(text.value.split('\n')[0]).toBe(
    '# yaml-language-server: $schema=./node_modules/umwelt/world.schema.json',
  );
  const world = loadWorld(text.value);
  if (!world.ok) throw world.error;
  expect(world.value.spec?.tools).toEqual(TOOLS);
  const episode = await openEpisode(world.value);
  const made = await episode.step('{"name":"ticket_create","arguments":{"title":"lamp"}}');
  expect([made.status, made.observation?.includes('lamp')]).toEqual(['ok', true]);
});

test('the same list gives the same bytes', () => {
  expect(worldFromTools(TOOLS, { name: 'tickets' })).toEqual(worldFromTools(TOOLS, { name: 'tickets' }));
});

test('the skeleton passes every check that it can have', async () => {
  const text = worldFromTools(TOOLS, { name: 'tickets' });
  const world = loadWorld(text.ok ? text.value : '');
  if (!world.ok) throw world.error;
  const { items } = await checkWorld(world.value, { randomEpisodes: 30 });
  expect(
    items.map(({ id, status, message }) => `${id} ${status}${status === 'fail' ? message : ''}`),
  ).toEqual([
    'load pass',
    'open pass',
    'reset pass',
    'start pass',
    'oracle pass',
    'wrong skipped',
    'random pass',
  ]);
});

test('a server of one tool without a list gets a task that chance does not solve', async () => {
  const tools = [
    {
      name: 'run_query',
      inputSchema: { type: 'object', required: ['sql'], properties: { sql: { type: 'string' } } },
    },
  ];
  const text = worldFromTools(tools, { name: 'one' });
  if (!text.ok) throw text.error;
  const world = loadWorld(text.value);
  if (!world.ok) throw world.error;
  expect(world.value.file.success.map(({ id }) => id)).toEqual(['all-answered', 'once-each']);
  expect((await checkWorld(world.value, { randomEpisodes: 20 })).passed).toBe(true);
});

test('impossible names and lists are failures in words', () => {
  const codes = [
    worldFromTools(TOOLS, { name: 'No Good' }),
    worldFromTools(TOOLS, { name: 'a', seed: 0.5 }),
    worldFromTools([], { name: 'a' }),
    worldFromTools('nonsense', { name: 'a' }),
    worldFromTools({ error: { code: 1, message: 'no' } }, { name: 'a' }),
  ].map((result) => (result.ok ? 'ok' : result.error.code));
  expect(codes).toEqual([
    'usage/bad-argument',
    'usage/bad-argument',
    'world/invalid',
    'world/invalid',
    'world/invalid',
  ]);
});

test('a hostile tool name stays inside its comment and its string', () => {
  const name = 'evil\nname: other\u2028x: 1';
  const text = worldFromTools([{ name, inputSchema: { type: 'object' } }], { name: 'safe' });
  if (!text.ok) throw text.error;
  const world = loadWorld(text.value);
  if (!world.ok) throw world.error;
  expect([world.value.name, world.value.spec?.tools[0]?.name]).toEqual(['safe', name]);
});

const samples = fileURLToPath(new URL('../../../shared/samples/mcp-tools-list/', import.meta.url));

test.skipIf(!existsSync(samples))(
  'real tool lists become worlds that play (skipped where the shared samples are absent)',
  async () => {
    const files = readdirSync(samples).filter((file) => file.endsWith('.json'));
    for (const file of files) {
      const json = parseJson(readFileSync(`${samples}${file}`, 'utf8'));
      if (!json.ok) throw new Error(file);
      const text = worldFromTools(json.value, { name: 'sample' });
      if (!text.ok) throw new Error(`${file}: ${text.error.message}`);
      const world = loadWorld(text.value);
      if (!world.ok) throw new Error(`${file}: ${world.error.message}`);
      await openEpisode(world.value);
    }
  },
);
