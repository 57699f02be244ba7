/** Shell parity: reading cases, and what counts as agreement. */
import { expect, test } from 'vitest';
import { readParityCases, readParitySetups, runParity, type ShellRunner, scoreParity } from '../index.js';

const SETUPS = readParitySetups(
  JSON.stringify({
    s: {
      cwd: '/home/user',
      env: {},
      files: { 'a.txt': { content: 'a\n' } },
      mtime: '2024-01-01T00:00:00Z',
      uid: 1,
      user: 'u',
    },
  }),
  'setups.json',
);
const line = (fields: object): string =>
  JSON.stringify({ id: 'x', family: 'f', setup: 's', stdout: '', stderr: '', exit_code: 0, ...fields });

const RUNS: Readonly<Record<string, Awaited<ReturnType<ShellRunner>>>> = {
  same: { stdout: 'a\n', stderr: 'e\n', merged: 'e\na\n', exitCode: 0 },
  order: { stdout: 'a\n', stderr: 'e\n', merged: 'a\ne\n', exitCode: 0 },
  line: { stdout: '', stderr: 'bash: x: command not found\n', merged: '', exitCode: 127 },
  words: { stdout: 'a\n', stderr: 'other\n', merged: '', exitCode: 1 },
};
const runner: ShellRunner = (_setup, command) => {
  const found = RUNS[command];
  if (found === undefined) throw new Error('cannot');
  return found;
};

test('a case agrees strictly, but for line numbers, in output and exit code, and in order', async () => {
  const text = [
    line({ command: 'same', stdout: 'a\n', stderr: 'e\n', merged: 'e\na\n' }),
    line({ command: 'order', stdout: 'a\n', stderr: 'e\n', merged: 'e\na\n' }),
    line({ command: 'line', family: 'g', stderr: 'bash: line 3: x: command not found\n', exit_code: 127 }),
    line({ command: 'words', family: 'g', stdout: 'a\n', stderr: 'these\n', exit_code: 1 }),
    line({ command: 'broken', family: 'g' }),
  ].join('\n');
  const tried = await runParity(readParityCases(text, 'c.jsonl', SETUPS), SETUPS, runner);
  expect(tried[4]?.outcome.failed).toBe('Error: cannot');
  expect(scoreParity(tried)).toEqual({
    total: { n: 5, strict: 0.4, ignoringLine: 0.6, outAndExit: 0.8, mergedOrder: 0.5 },
    families: {
      f: { n: 2, strict: 1, ignoringLine: 1, outAndExit: 1, mergedOrder: 0.5 },
      g: { n: 3, strict: 0, ignoringLine: 1 / 3, outAndExit: 2 / 3, mergedOrder: null },
    },
  });
});

test('a file of cases is refused with the line and the thing that is wrong', () => {
  const read = (text: string) => () => readParityCases(text, 'c.jsonl', SETUPS);
  expect(read(`${line({ command: 'x' })}\n{"id":`)).toThrow(
    'c.jsonl line 2 is not JSON; each line is one case',
  );
  expect(read(line({ command: 'x', setup: 't' }))).toThrow(
    'c.jsonl line 1 names the setup t, which setups.json does not have (it has s)',
  );
  expect(read(line({}))).toThrow('c.jsonl line 1: command: ');
  expect(() => readParitySetups('[', 'setups.json')).toThrow(
    'setups.json is not JSON; it must be an object of setups by name',
  );
});

test('an empty file has no shares to boast of', () => {
  expect(scoreParity([])).toEqual({
    total: { n: 0, strict: 0, ignoringLine: 0, outAndExit: 0, mergedOrder: null },
    families: {},
  });
});
