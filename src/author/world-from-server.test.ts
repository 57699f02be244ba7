import { expect, test } from 'vitest';
import { canonicalJson, type Json } from '../core/index.js';
import { openEpisode } from '../sim/index.js';
import { loadWorld } from '../worlds/index.js';
import { worldFromServer } from './world-from-server.js';

const TOOL = { name: 'note_add', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };

test('what a server lists is in the world file, value for value, and the world plays', async () => {
  const tools = [
    TOOL,
    {
      name: 'odd',
      // Texts that a YAML writer may fold, break or trim.
      description: `\n Starts a job.\n \n **Best** for "quotes" and \\ backslashes, ${'long '.repeat(40)}\n \n `,
      inputSchema: {
        type: 'object',
        required: ['filter'],
        properties: { filter: { $ref: '#/$defs/F' }, zone: { anyOf: [{ type: 'null' }], default: null } },
        $defs: {
          F: { maximum: 9223372036854775807n, minimum: -0.1e-7, enum: ['yes', '1e3', '~', '', ' x '] },
        },
      },
      _meta: { '': null },
    },
  ];
  const made = worldFromServer({
    tools,
    server: { name: 'Secure Files_Server', version: '' },
    instructions: 'Line one\n\n# not a comment\n',
    resources: [{ uri: 'x://1', name: 'one', annotations: { priority: 1 } }],
    resourceTemplates: [{ uriTemplate: 'x://{id}', name: 'any' }],
    prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }] }],
  });
  if (!made.ok) throw made.error;
  expect([made.value.name, made.value.changed]).toEqual(['secure-files-server', []]);
  const world = loadWorld(made.value.text);
  if (!world.ok) throw world.error;
  const { file } = world.value;
  expect(canonicalJson(file.tools as unknown as Json)).toBe(canonicalJson(tools));
  expect([file.title, file.state.server, file.serverInstructions, file.resources, file.prompts]).toEqual([
    'Secure Files_Server',
    { name: 'Secure Files_Server', version: '0.0.0' },
    'Line one\n\n# not a comment\n',
    [{ uri: 'x://1', name: 'one', annotations: { priority: 1 } }],
    [{ name: 'p', arguments: [{ name: 'a', required: true }] }],
  ]);
  expect(made.value.text).toContain('x-resource-templates:\n  - uriTemplate: x://{id}\n');
  const step = await (await openEpisode(world.value)).step('{"name":"note_add","arguments":{"text":"hi"}}');
  expect(step.status).toBe('ok');
});

test('names that YAML gives a meaning to are kept as names, wherever they stand', () => {
  const tools = [
    {
      name: '<<',
      inputSchema: { type: 'object', properties: { '<<': { default: '<<' }, '*a': {}, '&b': {}, '!c': {} } },
    },
  ];
  const made = worldFromServer({ tools, instructions: '<<', resources: [{ uri: 'x://1', '<<': { a: 1 } }] });
  if (!made.ok) throw made.error;
  expect(made.value.changed).toEqual([]);
});

test('a server without a usable name gets one, and a given name is used', () => {
  const names = [
    worldFromServer({ tools: [TOOL] }),
    worldFromServer({ tools: [TOOL], server: { name: '完', version: '1' } }),
    worldFromServer({ tools: [TOOL] }, { name: 'mine' }),
  ].map((made) => (made.ok ? made.value.name : made.error.message));
  expect(names).toEqual(['mcp-server', 'mcp-server', 'mine']);
});

test('a tool that cannot be kept as it is listed is named', () => {
  const made = worldFromServer({ tools: [TOOL, { ...TOOL, title: 'second of the name' }, { name: 'bare' }] });
  expect(made.ok && made.value.changed).toEqual(['note_add', 'bare']);
});

test('a server without tools is refused in words', () => {
  const made = worldFromServer({ tools: [] });
  expect(made.ok ? 'ok' : made.error.message).toBe(
    'the server lists no tools; a tool world needs at least one',
  );
});
