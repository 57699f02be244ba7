/**
 * Tool steps per second in process, against the like call to the npm memory server over stdio, one in flight.
 *
 * Like for like, on the memory server's own list of tools: first a read of one entity in a store of 50, where the
 * server does least; then a create in a store that grows with every call. The server reads or writes its whole file
 * on every call, which a user of it pays too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { openEpisode } from '../dist/sim/index.js';
import { judged, median, timeMs } from './measure.mjs';
import { worldOfTools } from './world-of-tools.mjs';

const CALLS = 200;
const ROUNDS = 7;
const KEPT = 50;

function created(name) {
  const entity = { name, entityType: 'lamp', observations: ['is lit'] };
  return { name: 'create_entities', arguments: { entities: [entity] } };
}

const CASES = [
  {
    name: 'tool steps in process (`open_nodes`)',
    call: (_round, index) => ({ name: 'open_nodes', arguments: { names: [`kept-${index % KEPT}`] } }),
  },
  {
    name: 'tool steps in process (`create_entities`)',
    call: (round, index) => created(`lamp-${round}-${index}`),
  },
];

async function openServer(folder) {
  const main = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));
  const client = new Client({ name: 'perf', version: '0' });
  const env = { ...process.env, MEMORY_FILE_PATH: join(folder, 'memory.json') };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main], env, stderr: 'ignore' }),
  );
  return client;
}

async function ourStep(episode, call) {
  const step = await episode.step(JSON.stringify(call));
  if (step.status !== 'ok' || step.meta?.isError) {
    throw new Error(`step gave ${step.status}: ${step.observation}`);
  }
}

async function theirStep(client, call) {
  const result = await client.callTool(call);
  if (result.isError) throw new Error(`the server gave ${JSON.stringify(result.content)}`);
}

async function compare({ name, call }, { episode, client }) {
  const times = { ours: [], theirs: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const ours = await timeMs(async () => {
      for (let index = 0; index < CALLS; index++) await ourStep(episode, call(round, index));
    });
    const theirs = await timeMs(async () => {
      for (let index = 0; index < CALLS; index++) await theirStep(client, call(round, index));
    });
    // the first round warms both up
    if (round === 0) continue;
    times.ours.push(ours);
    times.theirs.push(theirs);
  }
  const perSecond = (ms) => (CALLS / ms) * 1000;
  const [ours, theirs] = [median(times.ours), median(times.theirs)].map(perSecond);
  const against = `memory server over stdio, ${theirs.toFixed(0)} /s`;
  return judged({ name, value: ours, unit: '/s', against, ratio: ours / theirs }, { least: 3 });
}

/** The results of this file. */
export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-perf-'));
  const client = await openServer(folder);
  try {
    const { tools } = await client.listTools();
    const episode = await openEpisode(worldOfTools('memory', tools), { maxTurns: 1_000_000 });
    for (let index = 0; index < KEPT; index++) {
      await ourStep(episode, created(`kept-${index}`));
      await theirStep(client, created(`kept-${index}`));
    }
    const results = [];
    for (const one of CASES) results.push(await compare(one, { episode, client }));
    return results;
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
