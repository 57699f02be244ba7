/**
 * How a service refuses, as an agent sees it.
 */
import { expect, test } from 'vitest';
import { testCall as call, createTestWorld, testTool, type WorldParts } from '../testing/index.js';
import { openEpisode } from './episode.js';

const TEXT = { type: 'string' };

const PARTS: WorldParts = {
  state: { data: { issues: [{ id: 'i1', title: 'Leak' }] } },
  tools: [
    testTool('get_issue', { id: TEXT }),
    testTool('delete_issue', { id: TEXT }),
    testTool('create_issue', { title: TEXT }),
  ],
  entities: { issues: { unique: [{ fields: ['title'] }] } },
};

async function answers(parts: WorldParts, actions: readonly string[]): Promise<(string | null)[]> {
  const episode = await openEpisode(createTestWorld({ ...PARTS, ...parts }));
  const seen: (string | null)[] = [];
  for (const action of actions) seen.push((await episode.step(action)).observation);
  return seen;
}

test('refusals have the form of the API that the world names, arguments too', async () => {
  const seen = await answers({ answers: { errors: 'notion' } }, [
    call('get_issue', { id: 'i9' }),
    call('get_issue', {}),
    call('create_issue', { title: 'Leak' }),
  ]);
  expect(seen.map((text) => JSON.parse(text ?? '{}').code)).toEqual([
    'object_not_found',
    'validation_error',
    'conflict_error',
  ]);
  expect(JSON.parse(seen[0] ?? '').message).toContain('Could not find issue with ID: i9.');
});

test("a style words arguments, a template words what it names, and the rest is the API's", async () => {
  const seen = await answers(
    {
      answers: {
        validation: 'zod',
        errors: 'github',
        unknownTool: 'there is no {tool}',
        tools: { 'delete_*': { 'not-found': 'cannot delete {args.id} ({message})' } },
      },
    },
    [
      call('get_issue', { id: 5 }),
      call('get_issue', { id: 'i9' }),
      call('delete_issue', { id: 'i9' }),
      call('drop_issue'),
    ],
  );
  expect(seen).toEqual([
    'MCP error -32602: Input validation error: Invalid arguments for tool get_issue: Invalid input: expected string, received number at id',
    '{"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}',
    'cannot delete i9 (Issue not found: i9)',
    'there is no drop_issue',
  ]);
});

test('an unknown tool is a protocol error in the words of the specification', async () => {
  const episode = await openEpisode(createTestWorld(PARTS));
  const step = await episode.step(call('ticket_reopen'));
  expect([step.observation, step.flags]).toEqual([
    'MCP error -32602: Unknown tool: ticket_reopen',
    ['unknown-tool', 'protocol-error'],
  ]);
});

test("a tool that was shown failing fails in those words, with the caller's own values", async () => {
  const seen = await answers(
    {
      demonstrations: [
        {
          action: { name: 'get_issue', arguments: { id: 'BUG-7' } },
          observation: 'Error: no issue {BUG-7} exists (404)',
        },
        { action: { name: 'create_issue', arguments: {} }, observation: 'title is required' },
        { action: { name: 'get_issue', arguments: { id: 'i1' } }, observation: '{"id":"i1","title":"Leak"}' },
      ],
    },
    [call('get_issue', { id: 'i9' }), call('create_issue', {}), call('delete_issue', { id: 'i9' })],
  );
  expect(seen).toEqual(['Error: no issue {i9} exists (404)', 'title is required', 'Issue not found: i9']);
});

test('an answer may be several content blocks; an observation shows them as text', async () => {
  const blocks = [
    { type: 'text', text: 'Leak' },
    { type: 'resource_link', uri: 'https://x.example/i1', name: 'Leak' },
    { type: 'resource', resource: { uri: 'note://1', mimeType: 'text/plain', text: 'wet' } },
  ];
  const content = JSON.stringify(blocks).replaceAll('"', "'");
  const episode = await openEpisode(
    createTestWorld({
      ...PARTS,
      overrides: { get_issue: { op: 'get', collection: 'issues', key: { id: 'id' }, content } },
    }),
  );
  const step = await episode.step(call('get_issue', { id: 'i1' }));
  expect(step.content).toEqual(blocks);
  expect(step.observation).toContain('https://x.example/i1');
});

test('a rule that gives no content blocks is told, and big numbers go in and out exact', async () => {
  const big = '9007199254740993123';
  const world = createTestWorld({
    ...PARTS,
    tools: [...(PARTS.tools as object[]), testTool('create_row', { number: { type: 'integer' } })],
    overrides: {
      get_issue: { op: 'get', collection: 'issues', key: { id: 'id' }, content: "[{'type': 'text'}]" },
    },
  });
  const episode = await openEpisode(world);
  expect((await episode.step(call('get_issue', { id: 'i1' }))).observation).toContain(
    'gives no content blocks',
  );
  const made = await episode.step(`{"name":"create_row","arguments":{"number":${big}}}`);
  expect(made.observation).toContain(`"number": ${big}`);
});
