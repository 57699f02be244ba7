import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { emptyFolder, runUmwelt } from '../setup/run-umwelt.js';

const folder = emptyFolder();
const at = (name: string): string => join(folder, name);

const line = (i: number): string =>
  `${JSON.stringify({
    trajectory: 1,
    id: `t${i}`,
    domain: 'mcp',
    source: { dataset: 'd', file: `f${i % 40}` },
    system: { text: 'You are a service.', demonstrations: [] },
    meta: {},
    turns: [
      {
        action: JSON.stringify({ name: 'echo', arguments: { text: `word${i} two` } }),
        observation: `echo text word${i} two`,
        status: 'ok',
      },
      {
        action: JSON.stringify({ name: 'list', arguments: {} }),
        observation: `rows of a list that is longer ${i}`,
        status: 'ok',
      },
    ],
  })}\n`;

beforeAll(() => writeFileSync(at('runs.jsonl'), Array.from({ length: 200 }, (_, i) => line(i)).join('')));

test('a pipe of filter, mask, expand and export gives the rows that files in between give', async () => {
  await runUmwelt(['data', 'filter', at('runs.jsonl'), '--out', at('1.jsonl')]);
  await runUmwelt(['data', 'mask', at('1.jsonl'), '--seed', '7', '--out', at('2.jsonl')]);
  await runUmwelt(['data', 'expand', at('2.jsonl'), '--mode', 'whole', '--out', at('3.jsonl')]);
  await runUmwelt(['data', 'export', at('3.jsonl'), '--format', 'ms-swift', '--out', at('4.jsonl')]);
  const filtered = await runUmwelt(['data', 'filter'], { input: readFileSync(at('runs.jsonl'), 'utf8') });
  expect(filtered.stderr).toContain('keptTrajectories: 200');
  const masked = await runUmwelt(['data', 'mask', '-', '--seed', '7'], { input: filtered.stdout });
  const expanded = await runUmwelt(['data', 'expand', '--mode', 'whole'], { input: masked.stdout });
  const exported = await runUmwelt(['data', 'export', '--format', 'ms-swift'], { input: expanded.stdout });
  expect(exported.stdout).toBe(readFileSync(at('4.jsonl'), 'utf8'));
  expect(exported.stdout.trim().split('\n')).toHaveLength(200);
  const ran = await runUmwelt(['data', 'run', at('runs.jsonl'), '--seed', '7', '--mode', 'whole']);
  expect(ran.stdout).toBe(readFileSync(at('3.jsonl'), 'utf8'));
});

test('with --json and --out the manifest is the only line on standard output, and equals the file', async () => {
  const ran = await runUmwelt(['data', 'mask', at('runs.jsonl'), '--out', at('m.jsonl'), '--json']);
  expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(readFileSync(at('m.jsonl.manifest.json'), 'utf8')));
  const again = await runUmwelt(['data', 'mask', at('runs.jsonl'), '--out', at('m.jsonl')]);
  expect(again.stderr).toContain('is there for the same work; nothing was done');
});

test('lines that cannot be read are told by file and line, and the exit code is 3', async () => {
  writeFileSync(at('dirty.jsonl'), `${line(1)}no json\n${line(2)}`);
  const ran = await runUmwelt(['data', 'filter', at('dirty.jsonl'), '--out', at('d.jsonl')]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/error: .*dirty\.jsonl line 2: /);
  expect(readFileSync(at('d.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2);
});

test('split writes one file a pool, dedupe lists what it leaves out, stats writes a page that loads nothing', async () => {
  const split = await runUmwelt([
    'data',
    'split',
    at('runs.jsonl'),
    '--pools',
    'a=1,b=1',
    '--out-dir',
    at('pools'),
  ]);
  expect(split.code).toBe(0);
  expect(readdirSync(at('pools')).sort()).toEqual(['a.jsonl', 'b.jsonl', 'manifest.json']);
  writeFileSync(at('twice.jsonl'), line(1) + line(1) + line(2));
  const deduped = await runUmwelt(['data', 'dedupe', at('twice.jsonl'), '--list', at('list.jsonl')]);
  expect(deduped.stdout).toBe(line(1) + line(2));
  expect(JSON.parse(readFileSync(at('list.jsonl'), 'utf8'))).toMatchObject({
    rule: 'exact-copy',
    detail: 'equal to t1',
  });
  await runUmwelt(['data', 'stats', at('runs.jsonl'), '--html', at('stats.html')]);
  const page = readFileSync(at('stats.html'), 'utf8');
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/https?:\/\/|<script/);
});

test.each([
  [['data', 'filter', 'nowhere.jsonl'], 2, 'does not exist'],
  [['data', 'filter', '-', '--without', 'x'], 2, 'known are undeclared-tools'],
  [['data', 'mask', '-', '--keep', 'echo=2'], 2, 'wanted CATEGORY=RATIO'],
  [['data', 'export', '-', '--format', 'tokens'], 2, 'needs --tokenizer'],
  [['data', 'export', '-', '--format', 'verl', '--parquet'], 2, '--parquet needs --out'],
  [['data', 'split', '-', '--by', 'time'], 2, '--by time needs --pools'],
  [['data', 'filter', '-', '--shard', '9/3'], 2, 'wanted i/n'],
  [['data', 'dedupe', '-', '--near', '7'], 2, 'wanted a similarity'],
] as const)('%j is refused', async (args, code, message) => {
  const ran = await runUmwelt([...args], { input: '' });
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(message)]);
});

test('an output that is an input is refused and the input stays', async () => {
  writeFileSync(at('same.jsonl'), line(1));
  const ran = await runUmwelt(['data', 'filter', at('same.jsonl'), '--out', at('same.jsonl')]);
  expect(ran.code).toBe(2);
  expect(readFileSync(at('same.jsonl'), 'utf8')).toBe(line(1));
  expect(existsSync(at('same.jsonl.part'))).toBe(false);
});

test('clean takes secrets out of a file, tells kinds and counts, and finds nothing on its own output', async () => {
  const secret = `${'ghp_'}a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8`;
  writeFileSync(at('leaky.jsonl'), line(1).replace('echo text', `${secret} mail anna@firma.de`) + line(2));
  const once = await runUmwelt([
    'data',
    'clean',
    at('leaky.jsonl'),
    '--seed',
    'k',
    '--out',
    at('c1.jsonl'),
    '--json',
  ]);
  const manifest = JSON.parse(once.stdout) as { counts: { secrets: object } };
  expect(manifest.counts.secrets).toEqual({
    trajectories: 2,
    changed: 1,
    shared: 0,
    values: { email: 1, 'github-token': 1 },
    places: { email: 1, 'github-token': 1 },
  });
  const made = readFileSync(at('c1.jsonl'), 'utf8');
  expect(made).not.toContain(secret.slice(4));
  expect(made).not.toContain('firma');
  expect(once.stdout).not.toMatch(/firma|"k"/);
  const twice = await runUmwelt(['data', 'clean', at('c1.jsonl'), '--seed', 'k']);
  expect(twice.stdout).toBe(made);
  const bad = await runUmwelt(['data', 'clean', at('c1.jsonl'), '--keep', 'e-mail']);
  expect([bad.code, bad.stderr]).toEqual([
    2,
    expect.stringContaining('--keep names "e-mail"; known are aws-key'),
  ]);
});

test('doing nothing again leaves the list of drops and the exit code as they were', async () => {
  writeFileSync(
    at('again.jsonl'),
    `${line(1).replace(/,\{"action":"\{\\"name\\":\\"list.*?\}\]/, ']')}no json\n${line(2)}`,
  );
  const args = ['data', 'filter', at('again.jsonl'), '--out', at('a1.jsonl'), '--list', at('a1.drops')];
  expect((await runUmwelt(args)).code).toBe(3);
  const listed = readFileSync(at('a1.drops'), 'utf8');
  expect(JSON.parse(listed)).toMatchObject({ rule: 'too-few-turns', trajectory: 't1' });
  const again = await runUmwelt(args);
  expect([again.code, readFileSync(at('a1.drops'), 'utf8')]).toEqual([3, listed]);
  expect(again.stderr).toContain('nothing was done');
});
