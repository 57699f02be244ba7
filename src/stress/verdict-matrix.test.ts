/**
 * The proof of the verdicts: characters of known flaws and of none, over worlds and faults. `scripts/verdict-matrix.mjs`
 * prints the whole table, over catalogue worlds too; this is a fixed part of it.
 */
import { expect, test } from 'vitest';
import {
  badCharacters,
  characterArenas,
  goodCharacters,
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
    faults: (world: World) => matrixFaults(world).filter((_fault, index) => index % 3 === 0),
  });
  const table = renderMatrix(cells);
  const { deeds, detected, innocent, falselyAccused } = summariseMatrix(cells);
  expect(deeds).toBeGreaterThan(100);
  expect(detected / deeds, table).toBeGreaterThanOrEqual(0.95);
  expect(falselyAccused / innocent, table).toBeLessThanOrEqual(0.01);
});
