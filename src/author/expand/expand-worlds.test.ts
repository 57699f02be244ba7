import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadWorld, type World } from '../../worlds/index.js';
import { checkWorld } from '../check-world.js';
import { runScript } from '../run-script.js';
import { expandWorlds } from './expand-worlds.js';

const SEED_FILE = {
  world: 1,
  name: 'parcels',
  domain: 'mcp',
  strict: true,
  task: 'Return the parcel of Ada Holm (2026-03-12) and say its weight, 700 g.',
  state: {
    clock: '2026-03-12T08:00:00Z',
    data: {
      parcels: [
        { id: 'P-101', owner: 'Ada Holm', grams: 700, state: 'here', due: '2026-03-12' },
        { id: 'P-102', owner: 'Bo Ek', grams: 200, state: 'here', due: '2026-03-13' },
        { id: 'P-103', owner: 'Cy Lund', grams: 300, state: 'gone', due: '2026-03-01' },
      ],
      notes: [{ id: 1, text: 'quiet day' }],
    },
  },
  tools: [
    { name: 'list_parcels', inputSchema: { type: 'object', properties: {} } },
    {
      name: 'return_parcel',
      inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    },
    {
      name: 'create_note',
      inputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    },
  ],
  entities: { parcels: { key: 'id' }, notes: { key: 'id', id: { style: 'number', start: 2 } } },
  overrides: {
    list_parcels: { op: 'list', collection: 'parcels' },
    return_parcel: { op: 'update', collection: 'parcels', key: { id: 'id' }, set: { state: "'returned'" } },
  },
  success: [
    { id: 'returned', expr: "state.data.parcels.filter(p, p.state == 'returned').map(p, p.id) == ['P-101']" },
    { id: 'size', expr: 'size(state.data.parcels) == 3' },
    { id: 'answer', expr: "answer != null && answer.matches('(^|[^0-9])700([^0-9]|$)')" },
  ],
  oracle: [
    { name: 'list_parcels', arguments: {} },
    { name: 'return_parcel', arguments: { id: 'P-101' } },
    { answer: '700' },
  ],
  wrong: [
    { id: 'other', actions: [{ name: 'return_parcel', arguments: { id: 'P-102' } }, { answer: '700' }] },
  ],
  budget: { maxTurns: 9 },
  expand: {
    params: {
      owner: { make: 'person', is: { name: 'Ada Holm' } },
      grams: { make: { integer: [400, 990] }, is: 700 },
      rows: { value: 'size(state.data.parcels)', is: 3, in: ['success.size'] },
      others: { make: { integer: [1, 3] } },
    },
    rows: [
      {
        into: 'parcels',
        count: 'others',
        make: { p: 'person' },
        row: { owner: '{p.name}', grams: '{n + 1}', state: 'here' },
      },
      {
        into: 'parcels',
        like: "row.id == 'P-101'",
        row: { state: 'gone', due: '2026-01-02' },
        place: 'start',
      },
    ],
    drops: [{ from: 'parcels', where: "row.id == 'P-103'", count: "difficulty == 'hard' ? 1 : 0" }],
    renumber: ['parcels'],
    shift: { days: [0, 17, 200] },
    wordings: [{ level: 'brief', text: "{owner.first}'s parcel goes back; how heavy is it?" }],
    difficulty: {
      easy: { params: { others: { value: '1' } }, hints: ['Its id is {"P-101"}.'] },
      hard: { goals: [1, 1], wordings: ['brief'] },
    },
    goals: [
      {
        id: 'note',
        task: 'Also write a note that names the id of that parcel.',
        success: [
          {
            id: 'there',
            expr: "state.data.notes.exists(n, n.text.contains('P-101') && n.text.contains(owner.name))",
          },
        ],
        oracle: [
          { name: 'list_parcels', arguments: {} },
          {
            name: 'create_note',
            arguments: {
              text: "{state.data.parcels.filter(p, p.state == 'returned')[0].id} of {owner.name}, note {size(steps)}",
            },
          },
        ],
        wrong: [{ id: 'vague', actions: [{ name: 'create_note', arguments: { text: 'done' } }] }],
      },
    ],
  },
} as const;

function seedWorld(change: object = {}): World {
  const loaded = loadWorld(JSON.stringify({ ...SEED_FILE, ...change }));
  if (!loaded.ok) throw loaded.error;
  return loaded.value;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'umwelt-expand-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function contents(path: string): Record<string, string> {
  return Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}

function manifest(path: string): Record<string, unknown>[] {
  return (contents(path)['manifest.jsonl'] ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('children vary in environment and task, and pass the checks of worlds on their own', async () => {
  const out = folder();
  const summary = await expandWorlds([seedWorld()], { count: 12, seed: 5, out });
  expect(summary).toMatchObject({
    wanted: 12,
    kept: 12,
    difficulty: { easy: 6, hard: 6 },
    goals: { 'parcels note': 6 },
  });
  const lines = manifest(out);
  expect(new Set(lines.map(({ meaning }) => meaning)).size).toBe(12);
  for (const line of lines) {
    const text = readFileSync(join(out, String(line.file)), 'utf8');
    const loaded = loadWorld(text);
    if (!loaded.ok) throw loaded.error;
    expect([loaded.value.hash, loaded.value.name]).toEqual([line.hash, line.child]);
    expect(Object.hasOwn(loaded.value.file, 'expand')).toBe(false);
    expect(text).not.toMatch(/Ada Holm/);
    const report = await checkWorld(loaded.value, { randomEpisodes: 0 });
    expect(report.items.filter(({ status }) => status === 'fail')).toEqual([]);
  }
  const hard = lines.find(({ difficulty }) => difficulty === 'hard');
  const child = JSON.parse(readFileSync(join(out, String(hard?.file)), 'utf8'));
  const params = hard?.params as { owner: { name: string; first: string } } | undefined;
  if (params === undefined) throw new Error('no hard child');
  const { name, first } = params.owner;
  expect(child.task).toBe(
    `${first}'s parcel goes back; how heavy is it?\n\nAlso write a note that names the id of that parcel.`,
  );
  const { id } = child.state.data.parcels.find(
    (row: { owner: string; state: string }) => row.owner === name && row.state === 'here',
  );
  expect(child.oracle[3].arguments.text).toBe(`${id} of ${name}, note 3`);
  expect(child.wrong.map((script: { id: string }) => script.id)).toEqual([
    'other',
    'forgets-note',
    'note-vague',
  ]);
  const easy = lines.find(({ difficulty }) => difficulty === 'easy');
  expect(readFileSync(join(out, String(easy?.file)), 'utf8')).toContain('Its id is P-');
});

test('one seed gives the same bytes, another seed others, and a stopped run goes on to the same bytes', async () => {
  const [first, second, other] = [folder(), folder(), folder()];
  await expandWorlds([seedWorld()], { count: 8, seed: 1, out: first });
  await expandWorlds([seedWorld()], { count: 8, seed: 2, out: other });
  await expandWorlds([seedWorld()], { count: 8, seed: 1, out: second });
  expect(contents(second)).toEqual(contents(first));
  expect(manifest(other).map(({ content }) => content)).not.toEqual(
    manifest(first).map(({ content }) => content),
  );
  // as after a kill: no summary, a torn line, a file that was not finished, one that is gone
  rmSync(join(second, 'summary.json'));
  const lines = readFileSync(join(second, 'manifest.jsonl'), 'utf8');
  truncateSync(
    join(second, 'manifest.jsonl'),
    Buffer.byteLength(lines.split('\n').slice(0, 5).join('\n')) - 9,
  );
  writeFileSync(join(second, 'parcels-00099.json.part'), '{"half');
  rmSync(join(second, String(manifest(first)[1]?.file)));
  await expandWorlds([seedWorld()], { count: 8, seed: 1, out: second });
  expect(contents(second)).toEqual(contents(first));
});

test('a folder of another expansion, or of something else, is refused and left alone', async () => {
  const out = folder();
  await expandWorlds([seedWorld()], { count: 1, seed: 1, out });
  const before = contents(out);
  await expect(expandWorlds([seedWorld()], { count: 2, seed: 1, out })).rejects.toMatchObject({
    code: 'usage/bad-argument',
    data: { differs: ['count'] },
  });
  expect(contents(out)).toEqual(before);
  const full = folder();
  writeFileSync(join(full, 'mine.txt'), 'x');
  await expect(expandWorlds([seedWorld()], { count: 1, out: full })).rejects.toMatchObject({
    code: 'usage/bad-argument',
  });
  expect(readdirSync(full)).toEqual(['mine.txt']);
});

test('a world that cannot vary gives few children, and says so; equal ones are counted', async () => {
  const out = folder();
  const small = seedWorld({ expand: { params: { grams: { make: { choice: [500, 600, 700] }, is: 700 } } } });
  const summary = await expandWorlds([small], { count: 10, out });
  expect(summary).toMatchObject({ wanted: 10, kept: 3, rejected: { duplicate: 100 + summary.tried - 103 } });
});

test('children whose checks fail are rejected with the reason', async () => {
  const out = folder();
  const broken = seedWorld({
    expand: { params: { grams: { make: { integer: [1, 9] }, is: 700, in: ['state'] } } },
  });
  const summary = await expandWorlds([broken], { count: 2, out });
  expect(summary).toMatchObject({ kept: 2 });
  const counted = seedWorld({
    expand: { rows: [{ into: 'parcels', row: { owner: 'x', state: 'here', grams: '{n}' } }] },
  });
  expect(await expandWorlds([counted], { count: 2, out: folder() })).toMatchObject({
    kept: 0,
    rejected: { oracle: 100 },
  });
});

test('years that stand alone move with the clock, and the dates of kept collections stay', async () => {
  const out = folder();
  const clocks = [{ id: 'CET', since: '2026-03-29T01:00:00Z' }];
  const world = seedWorld({
    task: 'Send P-101 back and tell its grams; it stands in Books 2026 on the 13th.',
    state: { ...SEED_FILE.state, data: { ...SEED_FILE.state.data, clocks } },
    expand: { shift: { days: [364], years: true, keep: ['clocks'] } },
  });
  expect(await expandWorlds([world], { count: 1, out })).toMatchObject({ kept: 1 });
  const { task, state } = JSON.parse(contents(out)[String(manifest(out)[0]?.file)] ?? '');
  expect([task, state.clock, state.data.clocks, state.data.parcels[0].due]).toEqual([
    'Send P-101 back and tell its grams; it stands in Books 2027 on the 12th.',
    '2027-03-11T08:00:00Z',
    clocks,
    '2027-03-11',
  ]);
});

test('without a key `expand` names, ids, dates and further rows vary where that is safe', async () => {
  const out = folder();
  const { expand: _gone, ...plain } = SEED_FILE;
  const loaded = loadWorld(JSON.stringify(plain));
  if (!loaded.ok) throw loaded.error;
  const summary = await expandWorlds([loaded.value], { count: 5, out });
  expect(summary).toMatchObject({ kept: 5, tried: 5 });
  expect(new Set(manifest(out).map(({ shiftDays }) => shiftDays)).size).toBeGreaterThan(1);
});

test('permissions are an axis: a child has those of its alternative, says so, and refuses what they forbid', async () => {
  const out = folder();
  const permissions = [
    { id: 'all' },
    {
      id: 'no-notes',
      add: [{ on: 'create_note', error: 'notes are closed' }],
      task: 'You may not write notes.',
    },
  ];
  const { expand } = SEED_FILE;
  const seed = seedWorld({ expand: { ...expand, goals: [], difficulty: {}, permissions } });
  await expandWorlds([seed], { count: 8, seed: 2, out });
  const seen = new Set<unknown>();
  for (const line of manifest(out)) {
    const loaded = loadWorld(readFileSync(join(out, String(line.file)), 'utf8'));
    if (!loaded.ok) throw loaded.error;
    const closed = line.permissions === 'no-notes';
    seen.add(line.permissions);
    expect(loaded.value.file.task?.includes('You may not write notes.')).toBe(closed);
    const { steps } = await runScript(loaded.value, ['{"name":"create_note","arguments":{"text":"hi"}}']);
    expect(steps[0]?.observation?.includes('notes are closed')).toBe(closed);
    expect((await runScript(loaded.value, loaded.value.oracle)).reward).toBe(1);
  }
  expect([...seen].sort()).toEqual(['all', 'no-notes']);
});
