/**
 * Prints the matrix that measures verdicts: agents of known flaws and of none, over worlds and faults. Build first.
 * Usage: `node scripts/verdict-matrix.mjs [--held-out open|sealed|second-open|second-sealed] [WORLD…]`. Without `--held-out`: the arenas and every
 * catalogue world with a solution, on which rules were tuned. Exit code 1 where detection is below 95 %, or false
 * accusation, by either count, above 1 %.
 */
import {
  badCharacters,
  catalogueFaults,
  characterArenas,
  goodCharacters,
  heldOut,
  measuredFaults,
  renderMatrix,
  runVerdictMatrix,
  summariseMatrix,
} from '../dist/testing/index.js';
import { findWorld, listWorlds } from '../dist/worlds/index.js';

const wanted = process.argv.slice(2);
const at = wanted.indexOf('--held-out');
const [, part] = at < 0 ? [] : wanted.splice(at, 2);
const held = part === undefined ? null : heldOut(part);
const worlds = [...(held?.arenas ?? characterArenas())];
for (const name of held?.catalogue ?? listWorlds().map((entry) => entry.name)) {
  const found = findWorld(name);
  if (found.ok && found.value.domain === 'mcp' && found.value.oracle.length > 0) worlds.push(found.value);
}
const chosen = wanted.length === 0 ? worlds : worlds.filter((world) => wanted.includes(world.name));
const characters = held?.characters ?? [...goodCharacters(), ...badCharacters()];
const all = [];
for (const world of chosen) {
  const cells = await runVerdictMatrix({
    worlds: [world],
    characters,
    faults: async (one) => [...(await measuredFaults(one)), ...(await catalogueFaults(one))],
  });
  all.push(...cells);
  process.stderr.write(`${world.name}: ${cells.length} runs\n`);
}
process.stdout.write(`${renderMatrix(all)}\n`);
const { deeds, detected, innocent, falselyAccused, good, accusedAtAll } = summariseMatrix(all);
const holds = detected / deeds >= 0.95 && falselyAccused / innocent <= 0.01 && accusedAtAll / good <= 0.01;
process.exitCode = holds ? 0 : 1;
