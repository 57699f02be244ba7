/** Files of rows and results: torn records, files that change, a disk that is full in mid-run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/index.js';
import { openDataSet } from './data-set.js';
import { ResultFile } from './result-file.js';

const row = (id: number): JsonObject => ({
  task: 'terminal',
  id,
  system_str: 'S',
  prompt: ['ls'],
  response: ['a.txt'],
  turn_idx: 1,
});
const fresh = (name: string): string => join(mkdtempSync(join(tmpdir(), 'umwelt-files-')), name);

test('a row behind a torn one on the same line is read again as it was indexed', () => {
  const path = fresh('terminal_test.jsonl');
  const [first, second, third] = [1, 2, 3].map((id) => JSON.stringify(row(id)));
  writeFileSync(path, `${first?.slice(0, 40)}${second}\n${third}`);
  const data = openDataSet([path]);
  expect(data.rows.map(({ key }) => key)).toEqual(['terminal/2#1', 'terminal/3#1']);
  expect(data.rows.map((one) => data.read(one).raw)).toEqual([row(2), row(3)]);
  expect(data.invalid.map(({ line }) => line)).toEqual([1]);
});

test('a data file that becomes shorter in mid-run is a failure that says what to do', () => {
  const path = fresh('terminal_test.jsonl');
  writeFileSync(path, [1, 2].map((id) => `${JSON.stringify(row(id))}\n`).join(''));
  const data = openDataSet([path]);
  truncateSync(path, 20);
  expect(() => data.read(data.rows[1] as never)).toThrow(
    'the file became shorter while it was read; leave it alone',
  );
});

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

test.runIf(canLimit)('a full disk leaves whole lines, and a run goes on once there is room', () => {
  const path = fresh('predictions.jsonl');
  const rules = {
    keyOf: (record: JsonObject) => String(record.id),
    lasts: () => true,
    known: () => true,
  };
  const limit = (bytes: string): void =>
    void execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
  const long = (id: number): JsonObject => ({ id, gen: 'x'.repeat(3_000) });
  const file = ResultFile.open(path, rules);
  file.append('1', long(1));
  limit('5000');
  try {
    expect(() => file.append('2', long(2))).toThrow(/predictions.jsonl could not be written .* Make room/);
  } finally {
    limit('unlimited');
  }
  file.append('3', long(3));
  file.finish(['3', '1', '2']);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([long(3), long(1)]);
  appendFileSync(path, '{"id":2,"gen":"par');
  const again = ResultFile.open(path, rules);
  expect([again.found.kept, again.found.torn, again.has('2')]).toEqual([2, 1, false]);
  again.close();
});
