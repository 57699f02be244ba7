/**
 * The second process of this room's tests: restores a snapshot and plays on, or records until it is killed.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { testCall } from '../testing/index.js';
import { openEpisode, recordEpisode, restoreEpisode } from './index.js';
import { ticketWorld } from './worlds.contract.js';

const [job = '', folder = ''] = process.argv.slice(2);

if (job === 'restore') {
  const { faults, future } = JSON.parse(readFileSync(join(folder, 'job.json'), 'utf8'));
  const episode = await restoreEpisode(ticketWorld({ faults }), readFileSync(join(folder, 'snapshot')));
  for (const action of future) await episode.step(action);
  const { turns, clock, end } = episode;
  writeSync(1, JSON.stringify([turns, episode.view(), clock, end]));
}

if (job === 'record') {
  const episode = await openEpisode(ticketWorld({ budget: { maxTurns: 1_000_000 } }));
  recordEpisode(episode, join(folder, 'recording.jsonl'), { overwrite: true });
  for (let i = 1; ; i++) {
    await episode.step(testCall('ticket_create', { title: `ticket ${i} é😀` }));
    // Said only after the step was answered: whoever reads this knows that the turn must be in the file.
    writeSync(1, `${i}\n`);
  }
}
