import { expect, test } from 'vitest';
import type { ResultsLine } from './results-file.js';
import { resultsTable } from './results-table.js';

/** A run as the table reads it. */
function run(trial: number, passed: boolean | null, outcome: string): ResultsLine {
  const record = {
    id: `shop/timeout/helper/${trial}`,
    world: { name: 'shop' },
    faults: { id: 'timeout' },
    agent: { id: 'helper' },
    outcome: { class: outcome },
    verdict: { passed, headline: passed === null ? 'nobody can tell' : 'done' },
  };
  return { kind: 'run', record } as unknown as ResultsLine;
}

test('a run that was lived and cannot be judged is undecided, one that could not be lived is excluded', () => {
  const cells = (...runs: readonly ResultsLine[]): string => resultsTable(runs).text.split('\n')[2] ?? '';
  expect(cells(run(1, null, 'completed'))).toMatch(/undecided$/);
  expect(cells(run(1, null, 'infrastructure'))).toMatch(/excluded$/);
  const { text, totals } = resultsTable([
    run(1, true, 'completed'),
    run(2, false, 'completed'),
    run(3, null, 'completed'),
    run(4, null, 'infrastructure'),
  ]);
  expect(text).toContain('1 of 2, 1 undecided, 1 excluded');
  expect(totals).toEqual({ survived: 1, failed: 1, undecided: 1, excluded: 1 });
});
