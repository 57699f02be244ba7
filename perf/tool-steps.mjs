/**
 * Tool steps per second in process, against the like call to the npm memory server over stdio, one in flight.
 *
 * Like for like: both create one entity with one observation per call, in a store that grows with every call. The
 * world is made from the memory server's own list of tools.
 */
import { mkdtempSync } from 'node:fs';
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

function callOf(round, index) {
  const name = `lamp-${round}-${index}`;
  return {
    name: 'create_entities',
    arguments: { entities: [{ name, entityType: 'lamp', observations: ['is lit'] }] },
  };
}

async function openServer() {
  const main = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));
  const file = join(mkdtempSync(join(tmpdir(), 'umwelt-perf-')), 'memory.json');
  const client = new Client({ name: 'perf', version: '0' });
  const env = { ...process.env, MEMORY_FILE_PATH: file };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main], env, stderr: 'ignore' }),
  );
  return client;
}

/** The results of this file. */
export async function measure() {
  const client = await openServer();
  const { tools } = await client.listTools();
  const episode = await openEpisode(worldOfTools('memory', tools), { maxTurns: 1_000_000 });
  const times = { ours: [], theirs: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const ours = await timeMs(async () => {
      for (let index = 0; index < CALLS; index++) {
        const step = await episode.step(JSON.stringify(callOf(round, index)));
        if (step.status !== 'ok') throw new Error(`step gave ${step.status}: ${step.observation}`);
      }
    });
    const theirs = await timeMs(async () => {
      for (let index = 0; index < CALLS; index++) await client.callTool(callOf(round, index));
    });
    if (round > 0) {
      times.ours.push(ours);
      times.theirs.push(theirs);
    }
  }
  await client.close();
  const perSecond = (ms) => (CALLS / ms) * 1000;
  const [ours, theirs] = [median(times.ours), median(times.theirs)].map(perSecond);
  return [
    judged(
      {
        name: 'tool steps in process (`create_entities`)',
        value: ours,
        unit: '/s',
        against: `memory server over stdio, ${theirs.toFixed(0)} /s`,
        ratio: ours / theirs,
      },
      { least: 3 },
    ),
  ];
}
