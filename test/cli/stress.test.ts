import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, runUmwelt, startUmwelt } from '../setup/run-umwelt.js';

/** Runs one agent, a function of a module with this code, in a small world without faults. */
function suiteIn(folder: string, agent: string): string {
  const suite = { suite: 1, name: 'small', worlds: ['shop-refunds'], faults: ['timeout'], agents: [agent] };
  writeFileSync(join(folder, 'suite.json'), JSON.stringify(suite));
  return join(folder, 'suite.json');
}

async function runModule(code: string, flags: readonly string[] = []) {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'agent.mjs'), code);
  return runUmwelt(['stress', suiteIn(folder, 'module:agent.mjs'), '--out', 'out', ...flags], {
    cwd: folder,
  });
}

test('the help of stress has its own flags and names the command below it', async () => {
  const ran = await runUmwelt(['stress', '--help']);
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toMatch(/^umwelt stress: .+\n\nUsage: umwelt stress \[SUITE \| WORLD\] \[flags\]/);
  for (const flag of ['--agent SPEC', '--out DIR', '--jobs N', '--search'])
    expect(ran.stdout).toContain(flag);
  expect(ran.stdout).toContain('See also: umwelt stress init (');
});

test('an agent that ends the process does not make a suite green', async () => {
  const ran = await runModule('export async function agent() { process.exit(0); }');
  expect([ran.code, ran.stdout]).toEqual([1, '']);
  expect(ran.stderr).toBe(
    'umwelt: an agent ended this process before the suite was done; the same command goes on\n',
  );
});

test('what an agent throws where nobody waits is its own failure, and what it prints is no result', async () => {
  const ran = await runModule(
    `export async function agent({ call }) {
      console.log('hello');
      setTimeout(() => { throw new Error('boom'); }, 5);
      await new Promise(() => undefined);
    }`,
    ['--json'],
  );
  expect([ran.code, ran.stderr]).toEqual([4, 'hello\nhello\n']);
  const ends = ran.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { end: { reason: string; detail: string } }).end);
  const end = { reason: 'agent-crashed', detail: 'the agent threw where nobody waited for it: boom' };
  expect(ends).toEqual([end, end]);
});

test('a run that its agent did not end is told by how it ended, before what it did not reach', async () => {
  const ran = await runModule('export async function agent() { throw new Error("no luck"); }');
  expect(ran.code).toBe(4);
  expect(ran.stdout).toContain(
    "shop-refunds / clean / agent: the run ended by 'agent-crashed' (the agent threw: no luck); success: 0 of 7",
  );
});

test('one run of a suite never takes the place of the results of the suite', async () => {
  const folder = emptyFolder();
  const run = (...flags: string[]) =>
    runUmwelt(['stress', suiteIn(folder, 'careful'), '--out', 'out', '--trials', '2', ...flags], {
      cwd: folder,
    });
  expect((await run()).code).toBe(0);
  const results = join(folder, 'out/results.jsonl');
  const whole = readFileSync(results, 'utf8');
  const one = await run('--only', 'shop-refunds/timeout/careful/2');
  expect(one.code).toBe(2);
  expect(one.stderr).toMatch(/holds the results of another suite.*--out, or start anew with --force/);
  expect(readFileSync(results, 'utf8')).toBe(whole);
});

test.skipIf(process.platform === 'win32').each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a suite that is ended by %s leaves no agent and no folder',
  async (signal) => {
    const [folder, temporary] = [emptyFolder(), join(emptyFolder(), 'tmp')];
    mkdirSync(temporary);
    const started = join(folder, 'started.txt');
    const code = `require('node:fs').appendFileSync(${JSON.stringify(started)}, process.pid + '\\n'); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
    writeFileSync(join(folder, 'agent.cjs'), code);
    const suite = suiteIn(folder, `cmd:'${process.execPath}' agent.cjs`);
    const child = startUmwelt(['stress', suite, '--out', 'out'], { cwd: folder, env: { TMPDIR: temporary } });
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.once('exit', (exitCode, by) => resolve([exitCode, by]));
    });
    const pid = await firstLine(started);
    child.kill(signal);
    const expected = { SIGKILL: [null, 'SIGKILL'], SIGTERM: [143, null], SIGINT: [130, null] }[signal];
    expect(await ended).toEqual(expected);
    await expect.poll(() => isRunning(Number(pid)), { timeout: 5_000 }).toBe(false);
    await expect.poll(() => readdirSync(temporary), { timeout: 5_000 }).toEqual([]);
  },
);

async function firstLine(path: string): Promise<string> {
  const read = (): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  await expect.poll(read, { timeout: 30_000 }).toContain('\n');
  return read().split('\n')[0] ?? '';
}

/** A process that ended and was not fetched by its parent yet does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
