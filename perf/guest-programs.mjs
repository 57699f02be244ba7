/**
 * Programs of other languages on the machine: one step of an episode that runs a short program in python3 or node, warm, in
 * a world with 200 files, against the same program in the host's own interpreter (a new process each time).
 */
import { spawnSync } from 'node:child_process';
import { alternate, judged } from './measure.mjs';

const ROUNDS = 40;
const PROGRAMS = [
  ['python3', ['-c', 'print(6 * 7)'], "python3 -c 'print(6 * 7)'"],
  ['node', ['-p', '6 * 7'], "node -p '6 * 7'"],
];

async function openWorld() {
  const { loadWorld } = await import('../dist/worlds/index.js');
  const { openEpisode } = await import('../dist/sim/index.js');
  const files = Array.from({ length: 200 }, (_, i) => [`/home/user/f${i}`, 'x'.repeat(2_000)]);
  const world = {
    world: 1,
    name: 'perf-guests',
    domain: 'terminal',
    state: { files: Object.fromEntries(files) },
  };
  const loaded = loadWorld(JSON.stringify({ ...world, budget: { maxTurns: 100_000 } }));
  if (!loaded.ok) throw loaded.error;
  return openEpisode(loaded.value, { seed: 1 });
}

/** Medians of a step and of a real process, run in turn. */
async function measureOne([command, args, line]) {
  const episode = await openWorld();
  const action = JSON.stringify([{ keystrokes: `clear; ${line}\n`, duration: 1 }]);
  const ours = async () => {
    const { status, observation, reason } = await episode.step(action);
    if (status !== 'ok' || !observation.includes('42'))
      throw new Error(`${line}: ${status} ${reason ?? observation}`);
  };
  return alternate(ours, () => spawnSync(command, args), ROUNDS);
}

/** All rows. */
export async function measure() {
  const rows = [];
  for (const program of PROGRAMS) {
    const [ours, real] = await measureOne(program);
    const name = `shell: a step that runs ${program[0]}, warm, 200 files`;
    rows.push(judged({ name, value: ours, unit: 'ms' }, { most: 20 }));
    rows.push({
      name: `shell: the same against the host's own ${program[0]}`,
      value: ours,
      unit: 'ms',
      against: `${real.toFixed(1)} ms`,
      ratio: ours / real,
    });
  }
  return rows;
}
