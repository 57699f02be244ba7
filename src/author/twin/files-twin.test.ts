import { expect, test } from 'vitest';
import type { Trajectory, Turn } from '../../core/index.js';
import { openEpisode } from '../../sim/index.js';
import { loadWorld } from '../../worlds/index.js';
import { worldFromRecording } from './world-from-recording.js';

const text = { type: 'string' };
const tool = (name: string, description: string, properties: object) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required: Object.keys(properties).slice(0, 1) },
});

const TOOLS = [
  tool('shelf_read', 'Read a file', { path: text, head: { type: 'integer' } }),
  tool('shelf_write', 'Write a file', { path: text, content: text }),
  tool('shelf_list', 'List a folder', { path: text }),
  tool('shelf_move', 'Move a file', { source: text, destination: text }),
  tool('shelf_edit', 'Edit a file', { path: text, old_str: text, new_str: text }),
  tool('shelf_search', 'Search files', { path: text, pattern: text }),
  tool('shelf_make_folder', 'Make a folder', { folder: text }),
];

function said(name: string, args: object, observation: string, isError = false): Turn {
  return {
    action: JSON.stringify({ name, arguments: args }),
    observation,
    status: 'ok',
    meta: { startedAt: '2026-03-01T09:00:00.000Z', ...(isError && { isError }) },
  };
}

const RECORDED = [
  said('shelf_list', { path: '/shelf' }, '(d) letters\n(f) one.txt'),
  said('shelf_list', { path: '/shelf/letters' }, '(f) ann.txt\n(f) bea.txt'),
  said('shelf_read', { path: '/shelf/one.txt' }, 'first\nsecond\n'),
  said('shelf_read', { path: '/shelf/one.txt', head: 1 }, 'first'),
  said('shelf_read', { path: '/shelf/letters/ann.txt' }, 'Dear Ann\n'),
  said('shelf_read', { path: '/shelf/letters/bea.txt' }, 'Dear Bea\n'),
  said('shelf_read', { path: '/shelf/none.txt' }, 'Nothing lies at /shelf/none.txt', true),
  said('shelf_read', { path: '/shelf/letters/gone.txt' }, 'Nothing lies at /shelf/letters/gone.txt', true),
  said('shelf_read', { path: '/etc/hosts' }, 'Refused: /etc/hosts is not in /shelf', true),
  said('shelf_write', { path: '/shelf/two.txt', content: 'x\ny\n' }, 'Put 4 bytes into /shelf/two.txt'),
  said(
    'shelf_edit',
    { path: '/shelf/two.txt', old_str: 'y', new_str: 'z' },
    'Changed /shelf/two.txt:\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n',
  ),
  said(
    'shelf_move',
    { source: '/shelf/two.txt', destination: '/shelf/letters/two.txt' },
    '/shelf/two.txt is now /shelf/letters/two.txt',
  ),
  said('shelf_search', { path: '/shelf', pattern: 'ann' }, '/shelf/letters/ann.txt'),
  said(
    'shelf_search',
    { path: '/shelf', pattern: '.txt' },
    '/shelf/letters/ann.txt\n/shelf/letters/bea.txt\n/shelf/letters/two.txt\n/shelf/one.txt',
  ),
  said('shelf_search', { path: '/shelf', pattern: 'qqq' }, 'nothing found'),
];

async function ask(calls: readonly (readonly [string, object])[]) {
  const trajectory: Trajectory = {
    trajectory: 1,
    id: 'r',
    domain: 'mcp',
    source: {},
    system: { text: '', demonstrations: [], actionSpace: JSON.stringify(TOOLS) },
    meta: { server: { name: 'Shelf', version: '1' } },
    turns: RECORDED,
  };
  const made = worldFromRecording([trajectory]);
  if (!made.ok) throw made.error;
  const world = loadWorld(made.value.text);
  if (!world.ok) throw world.error;
  const episode = await openEpisode(world.value);
  const answers: { readonly text: string | null; readonly origins: readonly string[] }[] = [];
  for (const [name, args] of calls) {
    const { observation, origins } = await episode.step(JSON.stringify({ name, arguments: args }));
    answers.push({ text: observation, origins: [...new Set(origins.map(({ origin }) => origin))] });
  }
  return answers;
}

test('a twin of an invented service on files answers calls that were never recorded as the service would', async () => {
  const answers = await ask([
    ['shelf_write', { path: '/shelf/letters/cy.txt', content: 'Dear Cy\nbye\n' }],
    ['shelf_list', { path: '/shelf/letters' }],
    ['shelf_edit', { path: '/shelf/letters/cy.txt', old_str: 'bye', new_str: 'yours' }],
    ['shelf_read', { path: '/shelf/letters/cy.txt', head: 1 }],
    ['shelf_move', { source: '/shelf/letters', destination: '/shelf/post' }],
    ['shelf_read', { path: '/shelf/post/cy.txt' }],
    ['shelf_read', { path: '/shelf/letters/cy.txt' }],
    ['shelf_search', { path: '/shelf', pattern: 'cy' }],
    ['shelf_write', { path: '/shelf/../etc/passwd', content: 'x' }],
  ]);
  expect(answers.map((one) => one.text)).toEqual([
    'Put 12 bytes into /shelf/letters/cy.txt',
    '(f) ann.txt\n(f) bea.txt\n(f) cy.txt',
    'Changed /shelf/letters/cy.txt:\n@@ -1,2 +1,2 @@\n Dear Cy\n-bye\n+yours\n',
    'Dear Cy',
    '/shelf/letters is now /shelf/post',
    'Dear Cy\nyours\n',
    'Nothing lies at /shelf/letters/cy.txt',
    '/shelf/post/cy.txt',
    'Refused: /etc/passwd is not in /shelf',
  ]);
});

test('an answer whose form the recording never showed says that its form is made up', async () => {
  const [answer] = await ask([['shelf_make_folder', { folder: '/shelf/empty' }]]);
  expect(answer?.origins).toEqual(['generated']);
});
