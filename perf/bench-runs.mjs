/**
 * The benchmark: throughput at 64 rows at a time against an endpoint that takes 200 ms, time and memory of scoring
 * 100,000 judged rows, rows that the rule judge judges in a second, and how often intervals hold the true mean with 50
 * trajectories.
 *
 * The endpoint is a process of its own; ideal throughput is rows / 64 × 200 ms. Scoring and judging run in fresh
 * processes, and their processor time stands beside the wall time, since it says more on a busy machine. What is judged
 * are the package's recordings with a known fault each, 20,000 rows, every row once.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  clusteredMeans,
  createPacer,
  createRowPredictor,
  openDataSet,
  runInfer,
  watchModel,
} from '../dist/bench/index.js';
import { randomStream } from '../dist/core/index.js';
import { createEndpointModel } from '../dist/model/index.js';
import { createLanguageWorldModel } from '../dist/sim/index.js';
import { judged } from './measure.mjs';

const JOBS = 64;
const DELAY_MS = 200;
const ROWS = 1_920;

const SERVER = `
const body = JSON.stringify({ model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '<predicted_observation>ok</predicted_observation>' } }], usage: { prompt_tokens: 9, completion_tokens: 4 } });
require('node:http').createServer((request, response) => {
  request.resume();
  request.on('end', () => setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), ${DELAY_MS}));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

async function throughput(folder) {
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(server.stdout, 'data');
  const rows = Array.from({ length: ROWS }, (_, id) => ({
    task: 'terminal',
    id,
    system_str: 'A terminal. '.repeat(200),
    prompt: ['ls', 'cat a.txt'],
    response: ['a.txt', 'hello'],
    turn_idx: 2,
  }));
  writeFileSync(join(folder, 'terminal_test.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const data = openDataSet([folder]);
  const endpoint = createEndpointModel({ model: 'm', baseUrl: `http://127.0.0.1:${String(port).trim()}/v1` });
  const world = createLanguageWorldModel(watchModel(endpoint, createPacer({})));
  const predictor = createRowPredictor('m', async () => world);
  const once64 = async (name, only) => {
    const cpu = process.cpuUsage();
    const start = performance.now();
    await runInfer(data, predictor, { out: join(folder, name), facts: {}, jobs: JOBS, only });
    const used = process.cpuUsage(cpu);
    return { ms: performance.now() - start, cpuMs: (used.user + used.system) / 1000 };
  };
  await once64('warm.jsonl', data.rows.slice(0, JOBS));
  const { ms, cpuMs } = await once64('predictions.jsonl', data.rows);
  server.kill();
  return { share: ((ROWS / JOBS) * DELAY_MS) / ms, cpuPerRow: cpuMs / ROWS };
}

const JUDGE = `
import { createRuleJudge, labelledCases } from ${JSON.stringify(new URL('../dist/judge/index.js', import.meta.url).href)};
import { openDataSet } from ${JSON.stringify(new URL('../dist/bench/index.js', import.meta.url).href)};
const data = openDataSet(process.argv.slice(1));
const judge = createRuleJudge();
const speeds = {};
for (const domain of ['terminal', 'mcp', 'swe', 'search']) {
  const rows = data.rows.filter((row) => row.domain === domain);
  const faults = labelledCases(rows.map((row) => data.read(row)), 1).filter(({ isHarmful }) => isHarmful);
  const byRow = new Map();
  for (const one of faults) byRow.set(one.row.key, [...(byRow.get(one.row.key) ?? []), one]);
  // One fault of each row in turn, so that no row is judged twice in a row.
  const order = [];
  for (let i = 0; order.length < 5_000; i++) for (const own of byRow.values()) order.push(own[i % own.length]);
  for (const one of order.slice(0, 500)) await judge.judge(one);
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (const one of order) await judge.judge(one);
  const used = process.cpuUsage(cpu);
  speeds[domain] = { wall: (order.length / (performance.now() - start)) * 1000, cpu: (order.length / (used.user + used.system)) * 1e6 };
}
console.log(JSON.stringify(speeds));
`;

function judging() {
  const places = ['../bench-data', '../bench-data/trust'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', JUDGE, ...places], {
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return JSON.parse(ran.stdout);
}

const SCORE = `
import { readJudgedFile, scoreRun } from ${JSON.stringify(new URL('../dist/bench/index.js', import.meta.url).href)};
const start = performance.now();
const report = scoreRun(readJudgedFile(process.argv[1]).rows);
const used = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now() - start, cpuMs: (used.user + used.system) / 1000, mb: process.resourceUsage().maxRSS / 1024, points: report.overall.points }));
`;

async function scoring(folder) {
  const path = join(folder, 'judged.jsonl');
  const out = createWriteStream(path);
  const random = randomStream(1, 'perf');
  const domains = ['mcp', 'search', 'terminal', 'swe', 'android', 'web', 'os'];
  for (let i = 0; i < 100_000; i++) {
    const grade = () => random.integer(1, 5);
    const grades = {
      format: grade(),
      factuality: grade(),
      consistency: grade(),
      realism: grade(),
      quality: grade(),
    };
    const total = Object.values(grades).reduce((sum, one) => sum + one, 0) / 5;
    const record = {
      task: domains[i % 7],
      id: Math.floor(i / 35),
      system_str: 'A world. '.repeat(60),
      prompt: ['ls', 'cat a.txt'],
      response: ['a.txt', 'hello '.repeat(40)],
      turn_idx: 1 + (Math.floor(i / 7) % 5),
      ...grades,
      total_score: total,
      failed: 0,
      extracted_output: 'hello '.repeat(40),
      judge_raw_output: 'reasons '.repeat(60),
      umwelt_judge: {
        run: 'r',
        status: 'scored',
        judge: 'm',
        promptVersion: '1',
        parserVersion: '1',
        kinds: { turn: 'turn 1', history: 'no history', action: `a${i % 30}`, content: 'deterministic' },
      },
    };
    if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, 'drain');
  }
  await new Promise((done) => out.end(done));
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', SCORE, path], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return JSON.parse(ran.stdout);
}

/** Draws trajectories of 1 to 5 rows whose grades hang together; gives the share of intervals that hold the mean. */
function coverage(hardShare, runs) {
  const truth = hardShare * 25 + (1 - hardShare) * 75;
  let hits = 0;
  for (let seed = 0; seed < runs; seed++) {
    const random = randomStream(seed, 'coverage', String(hardShare));
    const clusters = [];
    const values = [];
    for (let cluster = 0; cluster < 50; cluster++) {
      const isHard = random.chance(hardShare);
      for (let left = random.integer(1, 5); left > 0; left--) {
        clusters.push(cluster);
        values.push(isHard ? 25 * random.integer(0, 2) : 25 * random.integer(2, 4));
      }
    }
    const [mean] = clusteredMeans([{ clusters, count: 50, values: [values] }], { seed, replicates: 1_000 });
    const [low, high] = mean.interval;
    if (low <= truth && truth <= high) hits += 1;
  }
  return (hits / runs) * 100;
}

/** The results of this file. */
export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-perf-'));
  const { share, cpuPerRow } = await throughput(folder);
  const { ms, cpuMs, mb } = await scoring(folder);
  rmSync(folder, { recursive: true, force: true });
  const speeds = Object.entries(judging());
  const [slowest, speed] = speeds.reduce((low, one) => (one[1].cpu < low[1].cpu ? one : low));
  const held = [0.1, 0.5, 0.85].map((hard) => coverage(hard, 1_000));
  const worst = held.reduce((far, one) => (Math.abs(one - 95) > Math.abs(far - 95) ? one : far));
  return [
    judged(
      { name: 'bench infer, 64 rows at a time, endpoint of 200 ms', value: share * 100, unit: '% of ideal' },
      { least: 95 },
    ),
    judged({ name: 'bench infer, processor time a row', value: cpuPerRow, unit: 'ms' }, { most: 5 }),
    judged(
      { name: 'bench score, 100,000 judged rows with intervals', value: ms / 1000, unit: 's' },
      { most: 20 },
    ),
    { name: 'of it processor time, start and reading included', value: cpuMs / 1000, unit: 's' },
    judged({ name: 'bench score, 100,000 judged rows, memory', value: mb, unit: 'MB' }, { most: 1024 }),
    judged(
      {
        name: `rule judge, rows in a second of processor time, slowest domain (${slowest})`,
        value: speed.cpu,
        unit: '/s',
        against: speeds
          .map(([name, one]) => `${name} ${Math.round(one.cpu)} (wall ${Math.round(one.wall)})`)
          .join(', '),
        ratio: speed.cpu,
      },
      { least: 2_000 },
    ),
    judged(
      {
        name: 'intervals that hold the true mean, 50 trajectories, worst of three mixes',
        value: worst,
        unit: '%',
        against: `95 %; all: ${held.map((one) => one.toFixed(1)).join(', ')}`,
        ratio: Math.abs(worst - 95),
      },
      { most: 2 },
    ),
  ];
}
