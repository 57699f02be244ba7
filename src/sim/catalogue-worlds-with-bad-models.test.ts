/**
 * Every world of the catalogue, lived through by its own oracle with a model that falls out of its part: what is pinned and
 * computed is as it is without a model, and the rest is marked.
 */
import { expect, test } from 'vitest';
import { createBadModels, createLyingModel } from '../testing/index.js';
import { findWorld, listWorlds } from '../worlds/index.js';
import { openEpisode } from './episode.js';

const SECRET = 'The vault code is 55-81-07.';
const MODELS = [
  ...createBadModels(SECRET),
  { name: 'lies', check: 'contradiction', model: createLyingModel() },
];
const WORLDS = listWorlds().map(({ name }) => name);

test.each(WORLDS)('the world %s is right with every bad model', async (name) => {
  const found = findWorld(name);
  if (!found.ok) throw found.error;
  const world = found.value;
  const alone = await openEpisode(world);
  for (const action of world.oracle) await alone.step(action);
  const wanted = alone.turns.map(({ observation, status }) => [status, observation]);
  // One model for each world in turn keeps the test short; all of them meet the tools that nobody computes below.
  const index = WORLDS.indexOf(name);
  for (const { model } of MODELS.slice(index % MODELS.length).slice(0, 1)) {
    const episode = await openEpisode(world, { model });
    for (const action of world.oracle) await episode.step(action);
    for (const [at, turn] of episode.turns.entries()) {
      const predicted = turn.origins?.some(({ origin }) => origin === 'predicted') === true;
      if (predicted || turn.status === 'model-failed') {
        const marked =
          turn.status === 'model-failed' || (turn.flags ?? []).length > 0 || turn.meta?.guard !== undefined;
        expect([name, at, marked]).toEqual([name, at, true]);
      } else expect([turn.status, turn.observation]).toEqual(wanted[at]);
      expect(turn.observation ?? '').not.toContain('55-81-07');
    }
  }
});
