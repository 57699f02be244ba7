/**
 * How the cost of a step grows with rows and with turns. A flat column means that length does not matter.
 */
import { openEpisode } from '../dist/sim/index.js';
import { median, timeMs } from './measure.mjs';
import { playNotes, worldOfNotes } from './world-of-tools.mjs';

const STEPS = 40;
const ROUNDS = 7;

async function stepUs(episode, count) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const copy = episode.fork();
    times.push((await timeMs(() => playNotes(copy, STEPS, count))) / STEPS);
  }
  return median(times) * 1000;
}

/** The results of this file. */
export async function measure() {
  const results = [];
  for (const count of [100, 1000, 10_000]) {
    const episode = await openEpisode(worldOfNotes(count), { maxTurns: 1_000_000 });
    await playNotes(episode, STEPS, count);
    results.push({
      name: `one step, ${count.toLocaleString('en-US')} rows`,
      value: await stepUs(episode, count),
      unit: 'µs',
    });
  }
  for (const turns of [0, 100, 1000, 10_000]) {
    const episode = await openEpisode(worldOfNotes(100), { maxTurns: 1_000_000 });
    for (let turn = 0; turn < turns; turn++)
      await episode.step('{"name":"note_get","arguments":{"id":"n-1"}}');
    const name = `one step after ${turns.toLocaleString('en-US')} turns, 100 rows`;
    results.push({ name, value: await stepUs(episode, 100), unit: 'µs' });
  }
  return results;
}
