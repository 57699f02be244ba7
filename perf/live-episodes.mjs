/**
 * Memory of 2,000 live episodes, opened one by one with a seed each (not forked). Promised: under 500 MB.
 *
 * Two kinds: a catalogue world with five turns, and a store of 1,000 rows with 50 turns of reads and writes. Each is
 * measured in a process of its own, as the resident set after collecting garbage.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { judged } from './measure.mjs';
import { playNotes, worldOfNotes } from './world-of-tools.mjs';

const EPISODES = 2000;
const TURNS = 5;
const ROWS = 1000;
const ROW_TURNS = 50;

function childOf(kind) {
  const run = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), kind], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`the measured process ended with ${run.status}`);
  return JSON.parse(run.stdout);
}

/** The results of this file. */
export async function measure() {
  const { ownMb, wholeMb, openMs } = childOf('catalogue');
  const rows = childOf('rows');
  return [
    judged(
      {
        name: `${EPISODES} live episodes of \`issue-tracker\`, ${TURNS} turns: resident memory`,
        value: wholeMb,
        unit: 'MB',
      },
      { most: 500 },
    ),
    judged(
      {
        name: `${EPISODES} live episodes of ${ROWS} rows, ${ROW_TURNS} turns: resident memory`,
        value: rows.wholeMb,
        unit: 'MB',
      },
      { most: 500 },
    ),
    { name: 'of the first, grown by the episodes', value: ownMb, unit: 'MB' },
    { name: `open one episode of \`issue-tracker\` and play ${TURNS} turns`, value: openMs, unit: 'ms' },
  ];
}

async function playerOf(kind) {
  const { openEpisode } = await import('../dist/sim/index.js');
  if (kind === 'rows') {
    const world = worldOfNotes(ROWS);
    return async (seed) => {
      const episode = await openEpisode(world, { seed });
      await playNotes(episode, ROW_TURNS, ROWS);
      return episode;
    };
  }
  const { findWorld } = await import('../dist/worlds/index.js');
  const found = findWorld('issue-tracker');
  if (!found.ok) throw found.error;
  const world = found.value;
  return async (seed) => {
    const episode = await openEpisode(world, { seed });
    for (const action of world.oracle.slice(0, TURNS)) await episode.step(action);
    return episode;
  };
}

async function child(kind) {
  const play = await playerOf(kind);
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

const [, , kind] = process.argv;
if (kind === 'catalogue' || kind === 'rows') await child(kind);
