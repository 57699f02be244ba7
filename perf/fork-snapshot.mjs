/**
 * `fork` and `snapshot` of an episode with 1,000 rows and 50 turns. Promised: under 1 ms and 5 ms.
 */
import { openEpisode } from '../dist/sim/index.js';
import { judged, median, timeMs } from './measure.mjs';
import { playNotes, worldOfNotes } from './world-of-tools.mjs';

const ROWS = 1000;
const ROUNDS = 200;

/** The results of this file. */
export async function measure() {
  const episode = await openEpisode(worldOfNotes(ROWS));
  await playNotes(episode, 50, ROWS);
  const times = { fork: [], forkThenStep: [], snapshot: [] };
  for (let round = 0; round < ROUNDS; round++) {
    let copy;
    times.fork.push(
      await timeMs(() => {
        copy = episode.fork();
      }),
    );
    times.snapshot.push(await timeMs(() => copy.snapshot()));
    times.forkThenStep.push(await timeMs(() => playNotes(episode.fork(), 1, ROWS)));
  }
  const what = '1,000 rows, 50 turns';
  return [
    judged({ name: `\`fork\`, ${what}`, value: median(times.fork), unit: 'ms' }, { most: 1 }),
    judged({ name: `\`snapshot\`, ${what}`, value: median(times.snapshot), unit: 'ms' }, { most: 5 }),
    { name: `fork and one step in the fork, ${what}`, value: median(times.forkThenStep), unit: 'ms' },
  ];
}
