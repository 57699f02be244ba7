// Writes docs/FAULTS.md from the fault catalogue and from a run of every fault on every backend. Run after a change of
// the catalogue:
//   node scripts/faults-doc.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const { module } = await runnerImport(path('../src/sim/faults-doc.contract.ts'));
writeFileSync(path('../docs/FAULTS.md'), await module.renderFaultsDoc());
