/**
 * Prints the whole matrix that measures verdicts: every character, in the arenas and in every catalogue world that has a
 * solution, with every set of faults. Build first. Usage: `node scripts/verdict-matrix.mjs [WORLD…]`; exit code 1 where
 * detection is below 95 % or false accusation above 1 %.
 */
import {
  badCharacters,
  catalogueFaults,
  characterArenas,
  goodCharacters,
  matrixFaults,
  renderMatrix,
  runVerdictMatrix,
  summariseMatrix,
} from '../dist/testing/index.js';
import { findWorld, listWorlds } from '../dist/worlds/index.js';

const wanted = process.argv.slice(2);
const worlds = [...characterArenas()];
for (const entry of listWorlds()) {
  const found = findWorld(entry.name);
  if (found.ok && found.value.oracle.length > 0) worlds.push(found.value);
}
const chosen = wanted.length === 0 ? worlds : worlds.filter((world) => wanted.includes(world.name));
const characters = [...goodCharacters(), ...badCharacters()];
const all = [];
for (const world of chosen) {
  const cells = await runVerdictMatrix({
    worlds: [world],
    characters,
    faults: async (one) => [...matrixFaults(one), ...(await catalogueFaults(one))],
  });
  all.push(...cells);
  process.stderr.write(`${world.name}: ${cells.length} runs\n`);
}
process.stdout.write(`${renderMatrix(all)}\n`);
const { deeds, detected, innocent, falselyAccused } = summariseMatrix(all);
process.exitCode = detected / deeds >= 0.95 && falselyAccused / innocent <= 0.01 ? 0 : 1;
