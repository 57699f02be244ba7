/** The recordings that the package ships: whole, of real origin, and predictable by the engine without key or network. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createRowPredictor, exactShares, openDataSet, runInfer, worldsOfRows } from './index.js';

const FOLDER = fileURLToPath(new URL('../../bench-data', import.meta.url));

test('there are 150 rows and more of three domains, all valid, and every world that they name is there', () => {
  const data = openDataSet([FOLDER]);
  expect([data.invalid, data.warnings]).toEqual([[], []]);
  expect(data.rows.length).toBeGreaterThanOrEqual(150);
  expect([...new Set(data.rows.map(({ domain }) => domain))].sort()).toEqual(['mcp', 'swe', 'terminal']);
  const worlds = new Set(data.rows.flatMap((row) => data.read(row).raw.world ?? []));
  expect([...worlds].filter((world) => !existsSync(join(FOLDER, String(world))))).toEqual([]);
});

test('the engine predicts the terminals, most of them word for word', async () => {
  const data = openDataSet([join(FOLDER, 'terminal_test.jsonl')]);
  const predictor = createRowPredictor(
    'engine',
    worldsOfRows({ folders: [FOLDER], episode: { route: 'engine' } }),
    {
      plain: true,
    },
  );
  const out = join(mkdtempSync(join(tmpdir(), 'umwelt-data-')), 'predictions.jsonl');
  const only = data.rows.filter((_, i) => i % 4 === 0);
  const report = await runInfer(data, predictor, { out, facts: {}, jobs: 1, only });
  expect(report.counts.predicted).toBe(only.length);
  const [share] = exactShares(openDataSet([out]));
  expect(share?.equal).toBeGreaterThan(only.length / 2);
});
