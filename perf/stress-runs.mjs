/**
 * What a stress suite costs beside the steps of its worlds, and that its memory does not grow with the number of runs.
 *
 * The same 20 actions are lived 1,000 times: as bare episodes (open, step, finish, so with faults and score), and as a
 * suite of a scripted agent, half of its runs clean, with budgets, effects, verdict, record and journal on disk.
 * Promised: less than twice the time. Memory is the resident set once garbage is collected and its pages are given back
 * (one collection leaves them to the next), in processes of their own; the largest resident set, garbage included, is told
 * beside it.
 * For agents that take a second a turn the share of the runner is told from its time per turn.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, judged } from './measure.mjs';

const RUNS = 1_000;
const TURNS = 20;
const ROUNDS = 3;
const FAULT = { kind: 'timeout', on: 'add_comment', when: { calls: [1] }, phase: 'after' };

async function setting() {
  const { findWorld } = await import('../dist/worlds/index.js');
  const found = findWorld('issue-tracker');
  if (!found.ok) throw found.error;
  const world = found.value;
  const { createFunctionAgent } = await import('../dist/stress/index.js');
  const actions = world.oracle.slice(0, TURNS - 1);
  const agent = createFunctionAgent(
    async ({ act }) => {
      for (const action of actions) await act(action);
      return '107';
    },
    { id: 'scripted' },
  );
  return { world, agent, actions };
}

async function bare(runs) {
  const { world, actions } = await setting();
  const { openEpisode } = await import('../dist/sim/index.js');
  for (let n = 0; n < runs; n++) {
    const faults = n % 2 === 0 ? [] : [FAULT];
    const episode = await openEpisode(world, { seed: n >> 1, faults });
    for (const action of actions) await episode.step(action);
    await episode.finish('107');
  }
}

async function suite(runs) {
  const { world, agent } = await setting();
  const stress = await import('../dist/stress/index.js');
  const directory = mkdtempSync(join(tmpdir(), 'umwelt-perf-'));
  const faults = [{ id: 'lost-answer', specs: [FAULT], expects: 'recovers' }];
  const plan = await stress.planSuite(
    {
      name: 'perf',
      worlds: [world],
      faults,
      agents: [agent],
      trials: runs / 2,
      seed: 0,
      budget: {},
      jobs: 4,
      judge: null,
    },
    '0.0.0',
  );
  const journal = stress.ResultsFile.open(directory, plan.header);
  try {
    await stress.runSuite(plan.runs, journal, {
      local: stress.LOCAL_PLACES,
      hosted: stress.LOCAL_PLACES,
      version: '0.0.0',
      jobs: 4,
      judge: stress.createSuiteJudge(),
    });
  } finally {
    journal.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function memoryOf(runs) {
  const run = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), String(runs)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`the measured process ended with ${run.status}`);
  return JSON.parse(run.stdout);
}

/** Collects until pages are given back: they are freed by the collection after, and in the background. */
async function settle() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The results of this file. */
export async function measure() {
  const [bareMs, suiteMs] = await alternate(
    () => bare(RUNS),
    () => suite(RUNS),
    ROUNDS,
  );
  const ownMsPerTurn = (suiteMs - bareMs) / (RUNS * TURNS);
  const [few, many] = [memoryOf(RUNS / 2), memoryOf(RUNS * 4)];
  return [
    judged(
      {
        name: `stress suite of ${RUNS} scripted runs of ${TURNS} turns`,
        value: suiteMs / 1000,
        unit: 's',
        against: `the bare steps, ${(bareMs / 1000).toFixed(2)} s`,
        ratio: suiteMs / bareMs,
      },
      { most: 2 },
    ),
    judged(
      {
        name: "the runner's share of a turn, for an agent that takes a second a turn",
        value: ownMsPerTurn / 10,
        unit: '%',
      },
      { most: 2 },
    ),
    judged(
      {
        name: `resident memory after ${RUNS * 4} runs`,
        value: many.keptMb,
        unit: 'MB',
        against: `after ${RUNS / 2} runs, ${Math.round(few.keptMb)} MB`,
        ratio: many.keptMb / few.keptMb,
      },
      { most: 1.1 },
    ),
    {
      name: `largest resident memory in ${RUNS * 4} runs, garbage included`,
      value: many.peakMb,
      unit: 'MB',
      against: `in ${RUNS / 2} runs, ${Math.round(few.peakMb)} MB`,
      ratio: many.peakMb / few.peakMb,
    },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await suite(Number(process.argv[2]));
  await settle();
  const keptMb = process.memoryUsage().rss / 2 ** 20;
  console.log(JSON.stringify({ keptMb, peakMb: process.resourceUsage().maxRSS / 2 ** 10 }));
}
