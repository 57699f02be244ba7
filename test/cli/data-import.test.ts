import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { emptyFolder, runUmwelt } from '../setup/run-umwelt.js';

const folder = emptyFolder();
const at = (name: string): string => join(folder, name);

const chat = (i: number): string =>
  `${JSON.stringify({
    id: `c${i}`,
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'get', arguments: `{"n":${i}}` } }],
      },
      { role: 'tool', tool_call_id: 'x', content: `value ${i}` },
    ],
  })}\n`;

interface Line {
  readonly id: string;
  readonly source: object;
}

function trajectories(text: string): Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

test('folders are walked in sorted order, compressed files are read, and licence and data set are written down', async () => {
  mkdirSync(at('logs/b'), { recursive: true });
  writeFileSync(at('logs/z.jsonl'), chat(3));
  writeFileSync(at('logs/b/a.jsonl.gz'), gzipSync(chat(1)));
  writeFileSync(at('logs/.hidden'), 'x');
  writeFileSync(at('logs/shot.png'), 'x');
  const ran = await runUmwelt(['data', 'import', at('logs'), '--licence', 'MIT', '--dataset', 'ours']);
  expect(trajectories(ran.stdout).map(({ id, source }) => [id, source])).toEqual([
    ['logs/b/a.jsonl.gz#c1', { dataset: 'ours', file: 'logs/b/a.jsonl.gz', licence: 'MIT' }],
    ['logs/z.jsonl#c3', { dataset: 'ours', file: 'logs/z.jsonl', licence: 'MIT' }],
  ]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('logs/z.jsonl: openai-chat: 1 trajectories, 1 pairs, 0 dangling, 0 orphans');
  expect(ran.stderr).toContain('leftOut file .png: 1');
  expect(ran.stderr).toContain('leftOut hidden entry: 1');
});

test('a file of no known format and a damaged archive are told by name, the others are read, and the exit code is 3', async () => {
  mkdirSync(at('mixed'), { recursive: true });
  writeFileSync(at('mixed/a.txt'), 'just words\n');
  writeFileSync(at('mixed/b.jsonl'), chat(1));
  writeFileSync(at('mixed/c.gz'), gzipSync(chat(2)).subarray(0, 30));
  const ran = await runUmwelt(['data', 'import', at('mixed'), '--out', at('mixed.jsonl'), '--json']);
  expect(ran.code).toBe(3);
  expect(trajectories(readFileSync(at('mixed.jsonl'), 'utf8')).map(({ id }) => id)).toEqual([
    'mixed/b.jsonl#c1',
  ]);
  expect(ran.stderr).toMatch(/error: .*a\.txt line 1: a file of no known format/);
  expect(ran.stderr).toMatch(/error: .*c\.gz line 1: .*cannot be unpacked/);
  const { counts } = JSON.parse(ran.stdout) as { counts: { total: object; files: object[] } };
  expect(counts.total).toMatchObject({
    files: 3,
    pairs: 1,
    formats: { 'openai-chat': 1, 'unknown format': 1 },
  });
});

test('shards of one file and of a folder together give what one run gives', async () => {
  mkdirSync(at('many'), { recursive: true });
  for (let i = 0; i < 5; i++) writeFileSync(at(`many/${i}.jsonl`), chat(i));
  writeFileSync(at('one.jsonl'), [0, 1, 2, 3, 4].map(chat).join(''));
  for (const word of ['many', 'one.jsonl']) {
    const whole = await runUmwelt(['data', 'import', at(word)]);
    const parts: string[] = [];
    for (const shard of ['1/2', '2/2']) {
      parts.push((await runUmwelt(['data', 'import', at(word), '--shard', shard])).stdout);
    }
    const lines = (text: string): string[] => text.trim().split('\n').sort();
    expect(lines(parts.join(''))).toEqual(lines(whole.stdout));
    expect(parts.map((part) => lines(part).length)).toEqual([3, 2]);
  }
});

test('standard input is read, the same work is not done twice, and another set of files is other work', async () => {
  const piped = await runUmwelt(['data', 'import', '-'], { input: chat(7) });
  expect(trajectories(piped.stdout).map(({ id }) => id)).toEqual(['-#c7']);
  writeFileSync(at('p.jsonl'), chat(1));
  writeFileSync(at('q.jsonl'), chat(2));
  const out = ['--out', at('twice.jsonl')];
  await runUmwelt(['data', 'import', at('p.jsonl'), ...out]);
  const again = await runUmwelt(['data', 'import', at('p.jsonl'), ...out]);
  expect(again.stderr).toContain('nothing was done');
  await runUmwelt(['data', 'import', at('p.jsonl'), at('q.jsonl'), ...out]);
  expect(trajectories(readFileSync(at('twice.jsonl'), 'utf8'))).toHaveLength(2);
});

test('an unknown format and a file that is not there are named, with what there is', async () => {
  const format = await runUmwelt(['data', 'import', at('p.jsonl'), '--from', 'nope']);
  expect([format.code, format.stderr]).toEqual([
    2,
    expect.stringContaining('there is no format "nope"; known are'),
  ]);
  const missing = await runUmwelt(['data', 'import', at('gone')]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no file or folder')]);
  const listed = await runUmwelt(['data', 'import', '--formats']);
  expect(listed.stdout).toContain('openai-chat');
});
