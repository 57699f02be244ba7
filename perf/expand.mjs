/**
 * How many children `umwelt world expand` makes and checks a second, with two worker threads: from the ten worlds of the
 * office. The promise is 4,000 in five minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expandWorlds } from '../dist/author/index.js';
import { findWorld, listWorlds } from '../dist/worlds/index.js';
import { judged, timeMs } from './measure.mjs';

const COUNT = Number(process.env.EXPAND_COUNT ?? 400);
const WORKER = new URL('../dist/author/expand/expand-worker.js', import.meta.url);

/** The results of this file. */
export async function measure() {
  const worlds = listWorlds()
    .filter(({ name }) => name.startsWith('office-'))
    .map(({ path }) => {
      const found = findWorld(path);
      if (!found.ok) throw found.error;
      return found.value;
    });
  const out = mkdtempSync(join(tmpdir(), 'umwelt-expand-'));
  try {
    let kept = 0;
    const ms = await timeMs(async () => {
      const summary = await expandWorlds(worlds, { count: COUNT, out, workers: 2, workerUrl: WORKER });
      kept = summary.kept;
    });
    const name = `children expanded and checked, ${COUNT.toLocaleString('en-US')} of ${worlds.length} office worlds, 2 threads`;
    return [judged({ name, value: (kept / ms) * 1000, unit: '/s' }, { least: 4000 / 300 })];
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
