/** The pacer on a clock of its own. */
import { expect, test } from 'vitest';
import { createPacer, type PaceClock } from '../index.js';

function clock(): PaceClock & { at: number } {
  return {
    at: 0,
    now() {
      return this.at;
    },
    async sleep(ms) {
      this.at += ms;
    },
  };
}

test('requests and tokens are spread evenly, whichever limit binds', async () => {
  const time = clock();
  const pacer = createPacer({ requestsPerMinute: 60, tokensPerMinute: 6_000 }, time);
  const starts: number[] = [];
  for (const tokens of [10, 10, 500, 10]) {
    await pacer.take(tokens);
    starts.push(time.at);
  }
  expect(starts).toEqual([0, 1_000, 2_000, 7_000]);
});

test('without limits nobody waits', async () => {
  const time = clock();
  await createPacer({}, time).take(1e9);
  expect(time.at).toBe(0);
});
