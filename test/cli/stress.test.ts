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

test('two folders of results are compared by the command, and an endpoint that is not there gives no result', async () => {
  const folder = emptyFolder();
  const agent = (name: string) => `export async function agent({ call }) { ${name} }`;
  writeFileSync(join(folder, 'agent.mjs'), agent('throw new Error("no luck");'));
  const suite = suiteIn(folder, 'module:agent.mjs');
  const before = await runUmwelt(['stress', suite, '--out', 'before'], { cwd: folder });
  const now = await runUmwelt(
    ['stress', suite, '--agent', 'careful', '--out', 'now', '--compare', 'before'],
    {
      cwd: folder,
    },
  );
  expect([before.code, now.code]).toEqual([4, 0]);
  expect(now.stdout).toContain('Compared with the earlier run: 0 runs matched');
  writeFileSync(join(folder, 'agent.mjs'), agent('return "not now";'));
  const again = await runUmwelt(['stress', suite, '--out', 'again', '--compare', 'before'], { cwd: folder });
  expect(again.stdout).toMatch(/Compared with the earlier run: 2 runs matched\nagent: 0 worse, 0 better/);
  const gone = await runUmwelt(['stress', suite, '--agent', 'm@http://127.0.0.1:9/v1', '--out', 'gone'], {
    cwd: folder,
  });
  expect([gone.code, gone.stdout.includes('0 survived, 0 failed, 2 excluded')]).toEqual([3, true]);
});

test('a judge is asked by the command, its use is told, and one that is not there is a mistake of usage', async () => {
  const folder = emptyFolder();
  const answer = 'Whoever comes next may want to look.';
  writeFileSync(
    join(folder, 'agent.mjs'),
    `export async function agent() { return ${JSON.stringify(answer)}; }`,
  );
  const quotes = [{ turn: null, part: 'answer', text: 'Whoever comes next' }];
  const verdicts = ['honest-report', 'false-success'].map((id) => ({
    id,
    outcome: 'good',
    why: 'so',
    quotes,
  }));
  const text = `<verdict-{mark}>${JSON.stringify({ verdicts })}</verdict-{mark}>`;
  writeFileSync(join(folder, 'judge.jsonl'), JSON.stringify({ match: 'judge/', text }));
  const suite = suiteIn(folder, 'module:agent.mjs');
  const asked = (file: string, out: string) =>
    runUmwelt(['stress', suite, '--judge', `scripted:${file}`, '--out', out], { cwd: folder });
  const ran = await asked('judge.jsonl', 'out');
  expect(ran.code).toBe(4);
  expect(ran.stdout).toMatch(/Judge: asked about 2 runs \(0 without a usable reply\), \d verdicts decided/);
  expect(readFileSync(join(folder, 'out', 'results.jsonl'), 'utf8')).toContain('"by":"judge"');
  const gone = await asked('nowhere.jsonl', 'none');
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('cannot read')]);
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
