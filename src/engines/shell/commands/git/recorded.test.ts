/**
 * Sessions that were recorded with git 2.39.5 in a sandbox, lived here again: hashes, texts and statuses.
 *
 * Source: `scripts/shell-cases/git.mjs` by `scripts/record-shell-cases.mjs`.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, type MachineFile, type MachineSpec, runShell } from '../../machine/index.js';

interface Recorded {
  readonly id: string;
  readonly command: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
}

const read = (name: string): string =>
  readFileSync(new URL(`../../../../../test/fixtures/git-sessions/${name}`, import.meta.url), 'utf8');
const cases = read('cases.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Recorded);
const setup = JSON.parse(read('setups.json')).proj as {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly files: Record<string, { content?: string; base64?: string; mode?: string }>;
};

function machine(): MachineSpec {
  const owner = 'user';
  const folders = ['', '/src', '/docs', '/data'].map(
    (name): MachineFile => ({ path: `${setup.cwd}${name}`, kind: 'directory', owner }),
  );
  const files = Object.entries(setup.files).map(([name, file]): MachineFile => {
    const content =
      file.base64 === undefined ? new TextEncoder().encode(file.content) : Buffer.from(file.base64, 'base64');
    return { path: `${setup.cwd}/${name}`, content, owner, mode: Number.parseInt(file.mode ?? '644', 8) };
  });
  return {
    ...DEFAULT_SPEC,
    hostname: 'host',
    cwd: setup.cwd,
    env: setup.env,
    files: [...folders, ...files],
    startMs: Date.UTC(2025, 4, 5),
  };
}

test('sessions of git have the hashes, texts and statuses of the real one', () => {
  const spec = machine();
  const ran = cases.map((one): Recorded => {
    const { stdout, stderr, exitCode, crashes } = runShell(spec, one.command);
    expect(crashes).toEqual([]);
    return { ...one, stdout, stderr, exit_code: exitCode };
  });
  expect(ran).toEqual(cases);
});

test('a machine whose packages leave git out has no git', () => {
  const { stderr, exitCode } = runShell({ ...machine(), packages: [] }, 'git status');
  expect([stderr, exitCode]).toEqual(['bash: line 1: git: command not found\n', 127]);
});

test('a repository that the user may not write to is left as it is', () => {
  const { stderr, exitCode, stdout } = runShell(
    machine(),
    'git init -q -b main; git add .; git commit -qm a; chmod -w .git .git/objects; git commit -q --allow-empty -m b; git rev-list --count HEAD',
  );
  expect([exitCode, stdout]).toEqual([0, '1\n']);
  expect(stderr).toContain('Permission denied');
});
