/**
 * Calls that were recorded from the real coreutils 9.1 of Debian 12, run here again: output, messages and status.
 *
 * Each call starts in the same folder of files (`tree.json`), as an ordinary user, in the locale C.UTF-8 unless it says
 * otherwise. Calls whose answer depends on the recording machine (its clock, its order of folders) are not among them.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, type MachineFile, openMachine, runProgram } from '../../machine/index.js';
import { COMMAND_PROGRAMS } from '../table.js';

interface Tree {
  readonly files: Record<string, { c: string; m?: string }>;
  readonly links: Record<string, string>;
  readonly dirs: Record<string, string>;
}

interface Recorded {
  readonly argv: readonly string[];
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

const fixtures = new URL('../../../../../test/fixtures/coreutils/', import.meta.url);
const tree = JSON.parse(readFileSync(new URL('tree.json', fixtures), 'utf8')) as Tree;
const cases = readFileSync(new URL('cases.jsonl', fixtures), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Recorded);

const FOLDER = '/home/user/demo';
const START_MS = Date.UTC(2026, 10, 30, 9, 30);
const MTIME_MS = Date.UTC(2024, 2, 15, 10, 30);
const ENV = {
  PATH: '/usr/bin:/bin',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  HOME: '/home/user',
  USER: 'user',
  LOGNAME: 'user',
  TERM: 'dumb',
  TZ: 'UTC',
};

/** The folder that every call starts in. */
function files(): MachineFile[] {
  const at = (path: string): { path: string; owner: string; mtimeMs: number } => ({
    path: `${FOLDER}/${path}`,
    owner: 'user',
    mtimeMs: MTIME_MS,
  });
  const content = (text: string): Uint8Array => new TextEncoder().encode(text);
  return [
    ...Object.entries(tree.files).map(([path, file]) => ({
      ...at(path),
      content: content(file.c),
      mode: Number.parseInt(file.m ?? '644', 8),
    })),
    ...Object.entries(tree.links).map(([path, target]) => ({
      ...at(path),
      kind: 'symlink' as const,
      target,
    })),
    ...Object.entries(tree.dirs).map(([path, mode]) => ({
      ...at(path),
      kind: 'directory' as const,
      mode: Number.parseInt(mode, 8),
    })),
    // Last, so that what was put into them does not change their times.
    { ...at('dir/sub'), kind: 'directory', mode: 0o755 },
    { ...at('dir'), kind: 'directory', mode: 0o755 },
    { ...at(''), path: FOLDER, kind: 'directory', mode: 0o755 },
  ];
}

const SPEC = { ...DEFAULT_SPEC, cwd: FOLDER, startMs: START_MS, files: files() };

function replay(recorded: Recorded): Recorded {
  const { argv } = recorded;
  const program = COMMAND_PROGRAMS.get((argv[0] ?? '').replace(/^.*\//, ''));
  if (program === undefined) throw new Error(`no command ${argv[0]}`);
  const env = { ...ENV, ...recorded.env };
  const stdin = new TextEncoder().encode(recorded.stdin ?? '');
  const result = runProgram(openMachine({ ...SPEC, env }, 1), {
    program,
    argv: [...argv],
    limits: { stdin },
  });
  expect(result.crashes).toEqual([]);
  return { ...recorded, stdout: result.stdout, stderr: result.stderr, status: result.exitCode };
}

const names = [...new Set(cases.map((one) => one.argv[0] ?? ''))].sort();

test.each(names)('%s prints and ends as the real one did', (name) => {
  const own = cases.filter((one) => one.argv[0] === name);
  expect(own.map(replay)).toEqual(own);
});
