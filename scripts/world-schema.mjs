// Writes world.schema.json from the one schema that the loader uses. Run after a change of a world-file schema:
//   node scripts/world-schema.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const { module: worlds } = await runnerImport(path('../src/worlds/json-schema.ts'));
const { module: core } = await runnerImport(path('../src/core/index.ts'));
writeFileSync(path('../world.schema.json'), `${core.renderJson(worlds.worldJsonSchema(), 2)}\n`);
