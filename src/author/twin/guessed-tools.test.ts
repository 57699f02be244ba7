import { expect, test } from 'vitest';
import type { Trajectory, Turn } from '../../core/index.js';
import { openEpisode } from '../../sim/index.js';
import { loadWorld } from '../../worlds/index.js';
import { worldFromRecording } from './world-from-recording.js';

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

const TOOLS = [
  { name: 'list_jars', description: 'List jars', inputSchema: object({}) },
  { name: 'create_jar', description: 'Create a jar', inputSchema: object({ name: text }, ['name']) },
  { name: 'delete_jar', description: 'Delete a jar', inputSchema: object({ name: text }, ['name']) },
  { name: 'ferment', description: 'Ferment what is there', inputSchema: object({ days: text }) },
];

function said(name: string, args: object, observation: string): Turn {
  return { action: JSON.stringify({ name, arguments: args }), observation, status: 'ok', meta: {} };
}

async function twinAnswers(
  turns: readonly Turn[],
  actions: readonly (readonly [string, object])[],
  more = {},
) {
  const system = { text: '', demonstrations: [], actionSpace: JSON.stringify(TOOLS) };
  const trajectory: Trajectory = {
    trajectory: 1,
    id: 'r',
    domain: 'mcp',
    source: {},
    system,
    meta: {},
    turns: [...turns],
  };
  const made = worldFromRecording([trajectory]);
  if (!made.ok) throw made.error;
  const world = loadWorld(made.value.text);
  if (!world.ok) throw world.error;
  const spec = world.value.spec === null ? null : { ...world.value.spec, ...more };
  const file = { ...world.value.file, ...more };
  const episode = await openEpisode({ ...world.value, spec, file });
  const answers: (readonly [string, string])[] = [];
  for (const [name, args] of actions) {
    const { status, origins } = await episode.step(JSON.stringify({ name, arguments: args }));
    answers.push([status, [...new Set(origins.map(({ origin }) => origin))].join()]);
  }
  return { answers, guessed: made.value.report.tools.filter((one) => one.isGuessed).map(({ tool }) => tool) };
}

const JARS = [
  said('list_jars', {}, '{"jars":[]}'),
  said('create_jar', { name: 'plums' }, '{"created":"plums"}'),
  said('create_jar', { name: 'figs' }, '{"created":"figs"}'),
  said('list_jars', {}, '{"jars":[{"name":"plums"},{"name":"figs"}]}'),
];

test('a tool that the recording confirms is computed; one that was never called is guessed and says so', async () => {
  const { answers, guessed } = await twinAnswers(JARS, [
    ['create_jar', { name: 'pears' }],
    ['list_jars', {}],
    ['delete_jar', { name: 'pears' }],
  ]);
  expect(guessed).toEqual(['delete_jar']);
  expect(answers).toEqual([
    ['ok', 'computed'],
    ['ok', 'computed'],
    ['ok', 'generated'],
  ]);
});

test('a strict twin abstains where it could only guess', async () => {
  const { answers } = await twinAnswers(JARS, [['delete_jar', { name: 'plums' }]], { strict: true });
  expect(answers).toEqual([['abstained', '']]);
});

test('after filler of a tool that may change anything, no recorded read counts as determined', async () => {
  const { answers } = await twinAnswers(JARS, [
    ['ferment', { days: '3' }],
    ['list_jars', {}],
  ]);
  expect(answers[0]).toEqual(['ok', 'generated']);
  expect(answers[1]?.[1]).not.toContain('recorded');
});

test('after filler of a tool that changed nothing in the recording, recorded reads still are', async () => {
  const { answers } = await twinAnswers(
    [said('ferment', { days: '1' }, 'Bubbles.'), ...JARS],
    [
      ['ferment', { days: '3' }],
      ['list_jars', {}],
    ],
  );
  expect(answers).toEqual([
    ['ok', 'generated'],
    ['ok', 'recorded'],
  ]);
});
