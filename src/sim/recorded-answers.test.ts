import { expect, test } from 'vitest';
import { loadWorld, type World } from '../worlds/index.js';
import { openEpisode, restoreEpisode } from './episode.js';
import { createRecordingWorldModel } from './recording-world-model.js';

function worldOf(extra: object = {}): World {
  const note = (id: string, text: string) => ({ collection: 'notes', row: { id, text } });
  const list = (rows: object[]) => ({ tool: 'list_notes', text: JSON.stringify(rows), reads: ['notes'] });
  const world = loadWorld(
    JSON.stringify({
      world: 1,
      name: 'pad',
      domain: 'mcp',
      state: { data: { notes: [] } },
      tools: [
        { name: 'clock', description: 'Tells the time', inputSchema: { type: 'object' } },
        {
          name: 'oracle',
          description: 'Knows things',
          inputSchema: { type: 'object', properties: { q: { type: 'string' }, a: { type: 'string' } } },
        },
        {
          name: 'list_notes',
          description: 'List notes',
          inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
        },
        {
          name: 'create_note',
          description: 'Create a note',
          inputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        },
      ],
      entities: { notes: { key: 'id' } },
      recorded: [
        { tool: 'clock', text: '10:00' },
        list([]),
        { tool: 'clock', text: '10:05' },
        { tool: 'clock', text: '10:05' },
        { tool: 'oracle', arguments: { q: 'why', a: 'b' }, text: 'because' },
        {
          tool: 'create_note',
          arguments: { text: 'one' },
          text: 'made n-7',
          reads: ['notes'],
          effects: { writes: [note('n-7', 'one')] },
        },
        list([{ id: 'n-7', text: 'one' }]),
        {
          tool: 'create_note',
          arguments: { text: '' },
          text: 'empty notes are not kept',
          isError: true,
          reads: ['notes'],
        },
        { tool: 'erase', text: 'Tool erase not found', isError: true },
      ],
      ...extra,
    }),
  );
  if (!world.ok) throw world.error;
  return world.value;
}

const act = (name: string, args: object = {}): string => JSON.stringify({ name, arguments: args });

async function play(world: World, actions: readonly string[]): Promise<(readonly [string | null, string])[]> {
  const episode = await openEpisode(world);
  const seen: (readonly [string | null, string])[] = [];
  for (const action of actions) {
    const { observation, origins } = await episode.step(action);
    seen.push([observation, [...new Set(origins.map(({ origin }) => origin))].join()]);
  }
  return seen;
}

test('answers come first in, first out per call, and calls may come in any order', async () => {
  const clock = act('clock');
  const times = [
    ['10:00', 'recorded'],
    ['10:05', 'recorded'],
    ['10:05', 'recorded'],
  ];
  expect(await play(worldOf(), [clock, act('list_notes'), clock, clock])).toEqual([
    times[0],
    ['[]', 'recorded'],
    times[1],
    times[2],
  ]);
  expect(await play(worldOf(), [act('list_notes'), clock, clock, clock])).toEqual([
    ['[]', 'recorded'],
    ...times,
  ]);
  expect(await play(worldOf(), [act('oracle', { a: 'b', q: 'why' })])).toEqual([['because', 'recorded']]);
});

test('a recording that is asked alone says when nothing is left, and names the nearest call', async () => {
  const turns = ['clock', 'list'].map((name) => ({
    action: act(name),
    observation: 'x',
    status: 'ok' as const,
  }));
  const model = createRecordingWorldModel([
    {
      trajectory: 1,
      id: 'r',
      domain: 'mcp',
      source: {},
      system: { text: '', demonstrations: [] },
      meta: {},
      turns,
    },
  ]);
  const episode = await model.open();
  await episode.step(act('clock'));
  expect((await episode.step(act('clock'))).reason).toBe(
    'no recording left for clock: all 1 recorded answers were used',
  );
  expect((await episode.step(act('list', { all: true }))).reason).toBe(
    'no recording for list {"all":true}; the nearest recorded call is list {}',
  );
});

test('of several recordings the one that begins with the history answers', async () => {
  const recording = (id: string, seen: readonly string[]) => ({
    trajectory: 1 as const,
    id,
    domain: 'mcp' as const,
    source: {},
    system: { text: `system of ${id}`, demonstrations: [] },
    meta: {},
    turns: seen.map((observation) => ({ action: act('look'), observation, status: 'ok' as const })),
  });
  const model = createRecordingWorldModel([
    recording('a', ['red', 'green']),
    recording('b', ['blue', 'white']),
  ]);
  const said = async (system: string, ...seen: readonly string[]) => {
    const history = seen.map((observation) => ({ action: act('look'), observation, status: 'ok' as const }));
    const request = { system: { text: system, demonstrations: [] }, history, action: act('look') };
    return (await model.predict(request)).observation;
  };
  expect(await said('system of b')).toBe('blue');
  expect(await said('', 'blue')).toBe('white');
  expect(await said('', 'red')).toBe('green');
  expect([await said(''), await said('', 'black')]).toEqual(['red', 'green']);
});

test('effects of a recorded answer are in the state, and computed answers agree with them', async () => {
  const seen = await play(worldOf(), [
    act('create_note', { text: 'one' }),
    act('list_notes'),
    act('list_notes', { text: 'one' }),
  ]);
  expect(seen.slice(0, 2)).toEqual([
    ['made n-7', 'recorded'],
    ['[{"id":"n-7","text":"one"}]', 'recorded'],
  ]);
  expect(JSON.parse(seen[2]?.[0] ?? '')).toEqual({ notes: [{ id: 'n-7', text: 'one' }], total: 1 });
});

test('after a write that the recording had not made there, the engine computes what reads it', async () => {
  const seen = await play(worldOf(), [
    act('create_note', { text: 'mine' }),
    act('list_notes'),
    act('clock'),
    act('create_note', { text: 'one' }),
  ]);
  expect(JSON.parse(seen[1]?.[0] ?? '').notes.map((row: { text: string }) => row.text)).toEqual(['mine']);
  expect(seen[2]).toEqual(['10:00', 'recorded']);
  expect(seen[3]?.[0]).not.toBe('made n-7');
});

test('a write that was skipped makes later recorded reads undetermined, and the earlier one stays determined', async () => {
  const seen = await play(worldOf(), [act('list_notes'), act('list_notes')]);
  expect(seen[0]).toEqual(['[]', 'recorded']);
  expect(JSON.parse(seen[1]?.[0] ?? '')).toEqual({ notes: [], total: 0 });
});

test('what nobody can compute is told again as it was recorded, and said to be', async () => {
  const episode = await openEpisode(worldOf({ strict: true }));
  const ask = act('oracle', { q: 'why', a: 'b' });
  await episode.step(ask);
  const { observation, flags } = await episode.step(ask);
  expect([observation, flags]).toEqual(['because', ['recorded-again']]);
  expect((await episode.step(act('oracle', { q: 'who' }))).status).toBe('abstained');
});

test('a recorded error of a call that is refused before it runs is answered in its own words', async () => {
  const episode = await openEpisode(worldOf());
  const { status, observation, meta } = await episode.step(act('erase'));
  expect([status, observation, meta?.isError]).toEqual(['refused', 'Tool erase not found', true]);
});

test('a fault after a recorded write loses the answer and keeps the write', async () => {
  const world = worldOf({
    faults: [{ kind: 'timeout', on: 'create_note', when: { calls: [1] }, phase: 'after' }],
  });
  const seen = await play(world, [act('create_note', { text: 'one' }), act('list_notes')]);
  expect(seen[0]?.[1]).toBe('fault');
  expect(seen[1]).toEqual(['[{"id":"n-7","text":"one"}]', 'recorded']);
});

test('a snapshot keeps how far the recording was used', async () => {
  const world = worldOf();
  const episode = await openEpisode(world);
  await episode.step(act('clock'));
  await episode.step(act('create_note', { text: 'one' }));
  const again = await restoreEpisode(world, episode.snapshot());
  expect((await again.step(act('clock'))).observation).toBe('10:05');
  expect((await again.step(act('list_notes'))).observation).toBe('[{"id":"n-7","text":"one"}]');
});

test('a tool whose effect nobody saw, but reads around it show, is one: without it the later read is not determined', async () => {
  const list = (rows: object[]) => ({ tool: 'list_notes', text: JSON.stringify(rows), reads: ['notes'] });
  const recorded = [
    list([]),
    { tool: 'oracle', arguments: { q: 'grow' }, text: 'grown' },
    list([{ id: 'n-1', text: 'seen' }]),
  ];
  const lists = act('list_notes');
  const found = await play(worldOf({ recorded }), [lists, lists, act('oracle', { q: 'grow' }), lists]);
  expect(found.map(([text, origins]) => [text, origins])).toEqual([
    ['[]', 'recorded'],
    [expect.stringContaining('[]'), 'computed'],
    ['grown', 'recorded'],
    ['[{"id":"n-1","text":"seen"}]', 'recorded'],
  ]);
  const other = await play(worldOf({ recorded }), [act('oracle', { q: 'shrink' }), lists]);
  expect(other[1]?.[1]).not.toBe('recorded');
});
