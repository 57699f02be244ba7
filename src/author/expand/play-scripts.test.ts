import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openEpisode } from '../../sim/index.js';
import { loadWorldFile } from '../../worlds/index.js';
import { runScript, type ScriptRun } from '../run-script.js';
import { playScripts } from './play-scripts.js';

function shown({ steps, unplayed, score, reward, episode }: ScriptRun): unknown {
  const { turns, revealedFacts, clock, end } = episode;
  return { steps, unplayed, score, reward, turns, revealedFacts, clock, end, view: episode.view() };
}

test('scripts that share their beginnings give what each gives in an episode of its own', async () => {
  const path = fileURLToPath(new URL('../../../worlds/office/office-refund-once.yaml', import.meta.url));
  const loaded = loadWorldFile(path);
  if (!loaded.ok) throw loaded.error;
  const world = loaded.value;
  const [first = '', second = ''] = world.oracle;
  const scripts = [
    world.oracle,
    [],
    ...world.wrong.map(({ actions }) => actions),
    [first, 'no action'],
    // an answer in the middle: what follows is not played, however many scripts share it
    [first, '{"answer":"done"}', second, first],
    [first, '{"answer":"done"}', second],
    [first, '{"answer":"done"}'],
    world.oracle,
  ];
  const together = (await playScripts(await openEpisode(world), scripts)).map(shown);
  const apart: unknown[] = [];
  for (const script of scripts) apart.push(shown(await runScript(world, script)));
  expect(together).toEqual(apart);
  expect(new Set(together.map((run) => (run as ScriptRun).unplayed))).toEqual(new Set([0, 1, 2]));
});
