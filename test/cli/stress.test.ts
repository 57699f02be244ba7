/**
 * `umwelt stress` as a user runs it: killed and gone on with, interrupted, and with a real MCP client as the agent.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, runUmwelt, startUmwelt } from '../setup/run-umwelt.js';

const SUITE =
  'suite: 1\nworlds: [shop-refunds]\nfaults: [rate-limit, lost-update]\nagents: [careless, careful]\ntrials: 6\n';

function results(folder: string): string {
  const path = join(folder, 'out/results.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const withoutWall = (text: string): string => text.replaceAll(/"wall":\{[^}]*\}/g, '"wall":{}');

/** Starts the suite and ends it by a signal when some runs are written. */
async function interrupt(folder: string, signal: NodeJS.Signals): Promise<number | null> {
  const before = results(folder).length;
  const child = startUmwelt(['stress', 'suite.yaml', '--out', 'out', '--jobs', '2'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const watch = setInterval(() => {
    if (results(folder).length <= before + 20_000) return;
    // Once: a second signal could meet a process that is on its way out.
    clearInterval(watch);
    child.kill(signal);
  }, 5);
  const code = await ended;
  clearInterval(watch);
  return code;
}

test('a killed suite is gone on with and ends as one that was not, and Ctrl-C leaves files that can be gone on with', async () => {
  const [whole, killed] = [emptyFolder(), emptyFolder()];
  for (const folder of [whole, killed]) writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const run = await runUmwelt(['stress', 'suite.yaml', '--out', 'out'], { cwd: whole });
  expect(run.code).toBe(4);
  await interrupt(killed, 'SIGKILL');
  expect(await interrupt(killed, 'SIGINT')).toBe(130);
  const again = await runUmwelt(['stress', 'suite.yaml', '--out', 'out'], { cwd: killed });
  expect([again.code, again.stdout.replace(/\nNot applicable.*/s, '')]).toEqual([
    4,
    run.stdout.replace(/\nNot applicable.*/s, ''),
  ]);
  expect(withoutWall(results(killed))).toBe(withoutWall(results(whole)));
});

test('what is wrong with a suite or an agent is told before anything runs', async () => {
  const folder = emptyFolder();
  const wrong = await runUmwelt(['stress', 'issue-tracker', '--agent', 'carefull'], { cwd: folder });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("did you mean 'careful'?")]);
  const none = await runUmwelt(['stress', 'no-such-suite.yaml'], { cwd: folder });
  expect(none.code).toBe(2);
});
