/**
 * Commands that were recorded in a real bash of Debian 12, run here again: both outputs and the status.
 *
 * Each starts in a home with one small file, as an ordinary user. What depends on the recording machine is not there.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, runShell } from '../../machine/index.js';

interface Recorded {
  readonly program: string;
  readonly command: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

const fixture = new URL('../../../../../test/fixtures/shell-programs/cases.jsonl', import.meta.url);
const cases = readFileSync(fixture, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Recorded);

const mtimeMs = Date.UTC(2023, 6, 4, 6, 5);
const SPEC = {
  ...DEFAULT_SPEC,
  hostname: 'host',
  startMs: Date.UTC(2025, 6, 4, 6, 5),
  env: {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/home/user',
    USER: 'user',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
  },
  files: [
    {
      path: '/home/user/a.txt',
      content: new TextEncoder().encode('one\ntwo three\nfour\n'),
      owner: 'user',
      mtimeMs,
    },
  ],
};

const programs = [...new Set(cases.map((one) => one.program))].sort();

test.each(programs)('%s prints and ends as the real one did', (program) => {
  const own = cases.filter((one) => one.program === program);
  const ran = own.map((one): Recorded => {
    const { stdout, stderr, exitCode, crashes } = runShell(SPEC, one.command);
    expect(crashes).toEqual([]);
    return { ...one, stdout, stderr, status: exitCode };
  });
  expect(ran).toEqual(own);
});
