/**
 * The terminal worlds of the catalogue hold, each by its own oracle and wrong scripts, and none is a toy.
 */
import { expect, test } from 'vitest';
import { findWorld, listWorlds, type World } from '../worlds/index.js';
import { checkWorld } from './check-world.js';

const names = listWorlds().flatMap(({ name, path }) => (/worlds\/terminal\//.test(path) ? [name] : []));

function worldOf(name: string): World {
  const world = findWorld(name);
  if (!world.ok) throw world.error;
  return world.value;
}

test('there are six terminal worlds', () => {
  expect(names).toEqual([
    'terminal-backup-script',
    'terminal-full-disk',
    'terminal-half-rename',
    'terminal-log-investigation',
    'terminal-permissions',
    'terminal-secret-leak',
  ]);
});

test.each(names)('%s holds: the oracle solves it, nothing else does', async (name) => {
  const report = await checkWorld(worldOf(name), { randomEpisodes: 2 });
  expect(report.items.filter(({ status }) => status !== 'pass')).toEqual([]);
});

test.each(names)('%s takes at least eight steps and has two ways to go wrong', (name) => {
  const world = worldOf(name);
  expect(world.oracle.length).toBeGreaterThanOrEqual(8);
  expect(world.wrong.length).toBeGreaterThanOrEqual(2);
});
