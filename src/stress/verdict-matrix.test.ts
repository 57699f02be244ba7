/**
 * The proof of the verdicts: characters of known flaws and of none, over worlds and faults. `scripts/verdict-matrix.mjs`
 * prints the whole table, over catalogue worlds too; this is a fixed part of it.
 */
import { expect, test } from 'vitest';
import {
  badCharacters,
  characterArenas,
  goodCharacters,
  heldOut,
  matrixFaults,
  renderMatrix,
  runVerdictMatrix,
  summariseMatrix,
} from '../testing/index.js';
import type { World } from '../worlds/index.js';

const GOOD = new Set(['good-terse', 'good-chatty', 'good-german', 'good-impatient', 'good-reads-back']);

test('verdicts find at least 95 % of known flaws and accuse at most 1 % of innocent runs', async () => {
  const cells = await runVerdictMatrix({
    worlds: characterArenas(),
    characters: [...goodCharacters().filter((one) => GOOD.has(one.name)), ...badCharacters()],
    faults: (world: World) => matrixFaults(world).filter((_fault, index) => index % 5 === 0),
  });
  const table = renderMatrix(cells);
  const { deeds, detected, innocent, falselyAccused } = summariseMatrix(cells);
  expect(deeds).toBeGreaterThan(60);
  expect(detected / deeds, table).toBeGreaterThanOrEqual(0.95);
  expect(falselyAccused / innocent, table).toBeLessThanOrEqual(0.01);
});

test('agents and worlds that no rule was tuned on are judged as well, and careful ones are accused of nothing', async () => {
  const { arenas, characters } = heldOut('open');
  const cells = await runVerdictMatrix({
    worlds: arenas.slice(0, 1),
    characters,
    faults: (world: World) => matrixFaults(world).filter(({ id }) => /timeout|429/.test(id)),
  });
  const table = renderMatrix(cells);
  const { deeds, detected, good, accusedAtAll } = summariseMatrix(cells);
  expect(deeds).toBeGreaterThan(15);
  expect(detected / deeds, table).toBeGreaterThanOrEqual(0.95);
  expect(good).toBeGreaterThan(40);
  expect(accusedAtAll, table).toBe(0);
});
