import { expect, test } from 'vitest';
import type { Trajectory, Turn } from '../../core/index.js';
import { openEpisode } from '../../sim/index.js';
import { loadWorld, type World } from '../../worlds/index.js';
import { type RecordedWorld, worldFromRecording } from './world-from-recording.js';

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

const TOOLS = [
  {
    name: 'create_task',
    description: 'Create a task',
    inputSchema: object({ title: text, priority: text }, ['title']),
  },
  { name: 'list_tasks', description: 'List tasks', inputSchema: object({ priority: text }) },
  { name: 'get_task', description: 'Get a task', inputSchema: object({ id: text }, ['id']) },
  { name: 'delete_task', description: 'Delete a task', inputSchema: object({ id: text }, ['id']) },
];

function said(name: string, args: object, observation: string, meta: object = {}): Turn {
  const startedAt = '2026-03-01T09:00:00.000Z';
  return {
    action: JSON.stringify({ name, arguments: args }),
    observation,
    status: 'ok',
    meta: { startedAt, ...meta },
  };
}

function recording(turns: readonly Turn[], tools: readonly object[] = TOOLS): Trajectory {
  const system = {
    text: '',
    demonstrations: [],
    ...(tools.length > 0 && { actionSpace: JSON.stringify(tools) }),
  };
  const meta = { server: { name: 'Task Desk', version: '2.1' } };
  return { trajectory: 1, id: 'r', domain: 'mcp', source: {}, system, meta, turns: [...turns] };
}

function twinOf(...trajectories: readonly Trajectory[]): RecordedWorld & { readonly world: World } {
  const made = worldFromRecording(trajectories);
  if (!made.ok) throw made.error;
  const world = loadWorld(made.value.text);
  if (!world.ok) throw world.error;
  return { ...made.value, world: world.value };
}

async function ask(world: World, calls: readonly (readonly [string, object])[]): Promise<(string | null)[]> {
  const episode = await openEpisode(world);
  const answers: (string | null)[] = [];
  for (const [name, args] of calls) {
    answers.push((await episode.step(JSON.stringify({ name, arguments: args }))).observation);
  }
  return answers;
}

const WORDS = [
  said('list_tasks', {}, '1 task:\n- [TSK-001] Water plants (low)'),
  said('create_task', { title: 'Buy oats', priority: 'high' }, 'Created task TSK-002: Buy oats'),
  said('list_tasks', {}, '2 tasks:\n- [TSK-001] Water plants (low)\n- [TSK-002] Buy oats (high)'),
  said('get_task', { id: 'TSK-009' }, 'No task has the id TSK-009.', { isError: true }),
  said('delete_task', { id: 'TSK-002' }, 'Task TSK-002 is gone'),
];

const JSONS = [
  said('list_tasks', {}, '[]'),
  said(
    'create_task',
    { title: 'a', priority: 'low' },
    '{"ok":true,"task":{"id":"t-1","title":"a","priority":"low","done":false}}',
  ),
  said(
    'create_task',
    { title: 'b' },
    '{"ok":true,"task":{"id":"t-2","title":"b","priority":"normal","done":false}}',
  ),
  said(
    'list_tasks',
    {},
    '[{"id":"t-1","title":"a","priority":"low","done":false},{"id":"t-2","title":"b","priority":"normal","done":false}]',
  ),
  said('get_task', { id: 't-9' }, 'No task has the id t-9.', { isError: true }),
  said('delete_task', { id: 't-1' }, '{"ok":true,"deleted":"t-1"}'),
  said('list_tasks', {}, '[{"id":"t-2","title":"b","priority":"normal","done":false}]'),
];

test('a recording is answered word for word, whatever the answers look like', async () => {
  for (const turns of [WORDS, JSONS]) {
    const { world } = twinOf(recording(turns));
    const calls = turns.map((turn): [string, object] => {
      const { name, arguments: args } = JSON.parse(turn.action) as { name: string; arguments: object };
      return [name, args];
    });
    expect(await ask(world, calls)).toEqual(turns.map(({ observation }) => observation));
  }
});

test('other calls are answered in the shapes, ids, initial values and error words that were learned', async () => {
  const { world, name } = twinOf(recording(JSONS));
  expect(name).toBe('task-desk');
  expect(
    await ask(world, [
      ['create_task', { title: 'oats', priority: 'high' }],
      ['create_task', { title: 'rye' }],
      ['list_tasks', {}],
      ['get_task', { id: 't-77' }],
      ['delete_task', { id: 't-2' }],
      ['list_tasks', {}],
    ]),
  ).toEqual([
    '{"ok":true,"task":{"id":"t-1","title":"oats","priority":"high","done":false}}',
    '{"ok":true,"task":{"id":"t-2","title":"rye","priority":"normal","done":false}}',
    '[{"id":"t-1","title":"oats","priority":"high","done":false},{"id":"t-2","title":"rye","priority":"normal","done":false}]',
    'No task has the id t-77.',
    '{"ok":true,"deleted":"t-2"}',
    '[{"id":"t-1","title":"oats","priority":"high","done":false}]',
  ]);
});

test('the state begins as the recording began: rows that reads show and no call made', () => {
  const seen = twinOf(
    recording([
      said('list_tasks', {}, '[{"id":"t-5","title":"old","priority":"low","done":true}]'),
      ...JSONS.slice(1, 3),
    ]),
  );
  expect(seen.world.spec?.data.tasks).toEqual([{ id: 't-5', title: 'old', priority: 'low', done: true }]);
  expect(seen.report.rows).toEqual({ tasks: 1 });
});

test('no word of the agent in the recording is told to other agents', async () => {
  const { world } = twinOf(
    recording([
      said('create_task', { title: 'secret plan' }, 'Noted the secret plan under no number at all'),
    ]),
  );
  const [answer] = await ask(world, [['create_task', { title: 'lunch' }]]);
  expect(answer).not.toContain('secret');
});

test('a log without a list of tools gives tools made of its calls, and says so', () => {
  const { world, report } = twinOf(recording(JSONS, []));
  expect(world.file.tools?.map(({ name }) => name)).toEqual(['list_tasks', 'create_task', 'delete_task']);
  expect(report.notes).toEqual(['the recording lists no tools; they are made of the calls seen']);
});

test('the report counts exact answers and those that the engine computes alike', () => {
  const { report } = twinOf(recording(JSONS));
  expect(report.tools.map(({ tool, hits, derived }) => [tool, hits, derived])).toEqual([
    ['create_task', 2, 2],
    ['list_tasks', 3, 3],
    ['get_task', 1, 1],
    ['delete_task', 1, 1],
  ]);
  expect([report.calls, report.conflicts, report.unknown]).toEqual([7, [], []]);
});

test('a tool that nobody knows is computed by its shape only where several calls show a function of the arguments', async () => {
  const number = { type: 'number' };
  const tools = [
    { name: 'reckon', inputSchema: object({ a: number, b: number }, ['a', 'b']) },
    { name: 'ponder', inputSchema: object({ about: text }, ['about']) },
  ];
  const { world } = twinOf(
    recording(
      [
        said('reckon', { a: 2, b: 3 }, 'The sum of 2 and 3 is 5.'),
        said('reckon', { a: 10, b: -4 }, 'The sum of 10 and -4 is 6.'),
        said('ponder', { about: 'rain' }, 'I think of rain.'),
      ],
      tools,
    ),
  );
  const episode = await openEpisode(world);
  const sum = await episode.step(JSON.stringify({ name: 'reckon', arguments: { a: 7, b: 8 } }));
  expect([sum.observation, sum.origins.every(({ origin }) => origin === 'computed')]).toEqual([
    'The sum of 7 and 8 is 15.',
    true,
  ]);
  const thought = await episode.step(JSON.stringify({ name: 'ponder', arguments: { about: 'snow' } }));
  expect(thought.origins.map(({ origin }) => origin)).toEqual(['generated']);
});

test('refusals are worded as the recording shows: unknown tools, and arguments in the style that fits', async () => {
  const { world } = twinOf(
    recording([
      said('erase_all', {}, 'MCP error -32602: Tool erase_all is not here', { isError: true }),
      said(
        'get_task',
        {},
        'Input validation error: Invalid arguments for tool get_task: missing argument `id`',
        { isError: true },
      ),
    ]),
  );
  expect(world.file.answers).toEqual({
    validation: 'plain',
    unknownTool: 'MCP error -32602: Tool {tool} is not here',
  });
  expect(await ask(world, [['burn', {}]])).toEqual(['MCP error -32602: Tool burn is not here']);
});

test('a recording with neither tools nor calls is refused with a next step', () => {
  const made = worldFromRecording([recording([], [])]);
  expect(made.ok ? '' : made.error.message).toBe(
    'the recording has neither a list of tools nor a call that went well; record some calls first',
  );
});
