/**
 * Memory of 2,000 live episodes, opened one by one (not forked), each with five turns. Promised: under 500 MB.
 *
 * Measured in a process of its own, as growth of the resident set after collecting garbage.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { judged } from './measure.mjs';

const EPISODES = 2000;
const TURNS = 5;

/** The results of this file. */
export async function measure() {
  const run = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), 'child'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`the measured process ended with ${run.status}`);
  const { ownMb, wholeMb, openMs } = JSON.parse(run.stdout);
  return [
    judged(
      { name: `resident memory of a process with ${EPISODES} live episodes`, value: wholeMb, unit: 'MB' },
      { most: 500 },
    ),
    { name: 'of that, grown by the episodes', value: ownMb, unit: 'MB' },
    { name: `open one episode of \`issue-tracker\` and play ${TURNS} turns`, value: openMs, unit: 'ms' },
  ];
}

async function child() {
  const { findWorld } = await import('../dist/worlds/index.js');
  const { openEpisode } = await import('../dist/sim/index.js');
  const found = findWorld('issue-tracker');
  if (!found.ok) throw found.error;
  const world = found.value;
  const play = async (seed) => {
    const episode = await openEpisode(world, { seed });
    for (const action of world.oracle.slice(0, TURNS)) await episode.step(action);
    return episode;
  };
  const residentMb = () => {
    globalThis.gc();
    return process.memoryUsage().rss / 2 ** 20;
  };
  await play(0);
  const beforeMb = residentMb();
  const start = performance.now();
  const live = [];
  for (let seed = 1; seed <= EPISODES; seed++) live.push(await play(seed));
  const openMs = (performance.now() - start) / live.length;
  const wholeMb = residentMb();
  console.log(JSON.stringify({ wholeMb, ownMb: wholeMb - beforeMb, openMs, live: live.length }));
}

if (process.argv[2] === 'child') await child();
