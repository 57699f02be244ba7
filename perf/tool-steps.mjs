/**
 * Tool steps per second in process, against the like call to the npm memory server over stdio, one in flight.
 *
 * Like for like, on the memory server's own list of tools and with the same entities on both sides; the first answer of
 * each case must have the same structured content from both. A read of one entity by name in a store of 50, where the
 * server does least, and in one of 1,000; a search with one hit in 1,000; a create in the store of 1,000, which grows
 * with every call. The server reads or writes its whole file on every call, which a user of it pays too. Both processes
 * are warm: the promise is about calls per second, not about start-up, and each has answered as many calls of the kind
 * before it is timed.
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
const WARM_CALLS = 2_000;
const FEW = 50;
const KEPT = 1_000;

function created(name) {
  const entity = { name, entityType: 'lamp', observations: ['is lit'] };
  return { name: 'create_entities', arguments: { entities: [entity] } };
}

const opened = (index, rows) => ({ name: 'open_nodes', arguments: { names: [`kept-${index % rows}`] } });

/** In this order: each finds the rows that it names. */
const CASES = [
  {
    name: `tool steps in process (\`open_nodes\`, ${FEW} rows)`,
    rows: FEW,
    call: (_round, index) => opened(index, FEW),
  },
  {
    name: `tool steps in process (\`open_nodes\`, ${KEPT} rows)`,
    rows: KEPT,
    call: (_round, index) => opened(index, KEPT),
  },
  {
    name: `tool steps in process (\`search_nodes\`, ${KEPT} rows, one hit)`,
    rows: KEPT,
    call: (_round, index) => ({ name: 'search_nodes', arguments: { query: `kept-${100 + (index % 900)}` } }),
  },
  {
    name: `tool steps in process (\`create_entities\`, from ${KEPT} rows)`,
    rows: KEPT,
    call: (round, index) => created(`lamp-${round}-${index}`),
    // Each call leaves a row, and the store is to have a thousand, not three.
    warmCalls: CALLS,
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
  return step.value;
}

async function theirStep(client, call) {
  const result = await client.callTool(call);
  if (result.isError) throw new Error(`the server gave ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

/** Calls once and requires the same structured content of both, then warms both up. */
async function warmUp({ call, warmCalls = WARM_CALLS }, { episode, client }) {
  const answers = [await ourStep(episode, call('same', 7)), await theirStep(client, call('same', 7))];
  const [ours, theirs] = answers.map((value) => JSON.stringify(value));
  if (ours !== theirs) throw new Error(`the answers are not alike: ${ours} and ${theirs}`);
  for (let index = 0; index < warmCalls; index++) {
    await ourStep(episode, call('warm', index));
    await theirStep(client, call('warm', index));
  }
}

/** Fills both stores up to a count of rows. */
async function fill(from, rows, { episode, client }) {
  for (let index = from; index < rows; index++) {
    await ourStep(episode, created(`kept-${index}`));
    await theirStep(client, created(`kept-${index}`));
  }
}

async function compare(one, { episode, client }) {
  const { name, call } = one;
  await warmUp(one, { episode, client });
  const times = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await timeMs(async () => {
      for (let index = 0; index < CALLS; index++) await ourStep(episode, call(round, index));
    });
    const theirs = await timeMs(async () => {
      for (let index = 0; index < CALLS; index++) await theirStep(client, call(round, index));
    });
    times.ours.push(ours);
    times.theirs.push(theirs);
  }
  const perSecond = (ms) => (CALLS / ms) * 1000;
  const [ours, theirs] = [median(times.ours), median(times.theirs)].map(perSecond);
  const against = `memory server over stdio, ${theirs.toFixed(0)} /s`;
  return judged({ name, value: ours, unit: '/s', against, ratio: ours / theirs }, { least: 5 });
}

/** The results of this file. */
export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-perf-'));
  const client = await openServer(folder);
  try {
    const { tools } = await client.listTools();
    const episode = await openEpisode(worldOfTools('memory', tools), { maxTurns: 1_000_000 });
    const results = [];
    let rows = 0;
    for (const one of CASES) {
      await fill(rows, one.rows, { episode, client });
      rows = one.rows;
      results.push(await compare(one, { episode, client }));
    }
    return results;
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
