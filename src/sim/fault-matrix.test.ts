import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type MatrixRow, runFaultMatrix } from './fault-matrix.contract.js';
import { renderFaultsDoc } from './faults-doc.contract.js';

test('every fault that has an engine takes effect there, and no backend lets one pass in silence', async () => {
  const rows = await runFaultMatrix();
  const built = rows.filter(({ kind }) => kind.strikes !== 'planned');
  const onEngine = (carried: MatrixRow['carried'][keyof MatrixRow['carried']]) =>
    built.filter((row) => row.carried.engine !== carried).map(({ kind }) => kind.name);
  expect(onEngine('exact')).toEqual([]);
  const silent = rows.filter(({ carried }) => Object.values(carried).includes('no effect'));
  expect(silent.map(({ kind, carried }) => [kind.name, carried])).toEqual([]);
  const planned = rows.filter(({ kind }) => kind.strikes === 'planned');
  expect(planned.map(({ carried }) => carried.engine)).toEqual(planned.map(() => 'refused'));
});

test('docs/FAULTS.md is what the catalogue and a run of all faults give (node scripts/faults-doc.mjs)', async () => {
  const path = fileURLToPath(new URL('../../docs/FAULTS.md', import.meta.url));
  expect(readFileSync(path, 'utf8')).toBe(await renderFaultsDoc());
});
