// Writes world.schema.json and suite.schema.json from the schemas that the loaders use. Run after a change of one:
//   node scripts/world-schema.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const { module: worlds } = await runnerImport(path('../src/worlds/json-schema.ts'));
const { module: core } = await runnerImport(path('../src/core/index.ts'));
writeFileSync(path('../world.schema.json'), `${core.renderJson(worlds.worldJsonSchema(), 2)}\n`);

const { module: stress } = await runnerImport(path('../src/stress/suite-json-schema.ts'));
writeFileSync(path('../suite.schema.json'), `${core.renderJson(stress.suiteJsonSchema(), 2)}\n`);
