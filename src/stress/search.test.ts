import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import { openEpisode } from '../sim/index.js';
import { createTestWorld, testTool } from '../testing/index.js';
import { loadWorldFile } from '../worlds/index.js';
import { createFunctionAgent } from './agents/module.js';
import { writeBrokenWorld } from './broken-world.js';
import type { FaultSet } from './fault-sets.js';
import { loadSuiteFile } from './load-suite.js';
import { minimise } from './minimise.js';
import { DEFAULT_BUDGET } from './run-budget.js';
import { LOCAL_PLACES } from './run-place.js';
import { searchBreak } from './search.js';
import { createSuiteJudge } from './suite-judge.js';

const world = createTestWorld({
  name: 'invoices',
  task: 'Make one invoice for Cy over 9 cents.',
  tools: [
    testTool('invoice_create', { customer: { type: 'string' }, cents: { type: 'integer' } }),
    testTool('invoice_list', {}),
  ],
  state: { data: { invoices: [{ id: 'inv_1', customer: 'ada', cents: 5 }] } },
  success: [{ id: 'one', expr: "state.data.invoices.filter(i, i.customer == 'cy').size() == 1" }],
  oracle: [{ name: 'invoice_create', arguments: { customer: 'cy', cents: 9 } }, { answer: 'done' }],
});

const SETS: readonly FaultSet[] = [
  { id: 'slow-lists', specs: [{ kind: 'slow', on: 'invoice_list' }], expects: 'recovers' },
  {
    id: 'mixed',
    specs: [
      { kind: 'slow', on: 'invoice_list' },
      { kind: 'timeout', on: 'invoice_create', when: { calls: [1] }, phase: 'after' },
      { kind: 'slow', on: 'invoice_create' },
    ],
    expects: 'recovers',
  },
];

/** Looks around, then creates until it is told that it worked. */
const eager = createFunctionAgent(
  async ({ call, wait }) => {
    await call('invoice_list');
    for (let tries = 0; tries < 3; tries++) {
      const made = await call('invoice_create', { customer: 'cy', cents: 9 });
      if (!made.isError) return 'done';
      await wait(5);
    }
    return 'I could not do it.';
  },
  { id: 'eager' },
);

function search(sets: readonly FaultSet[], maxRuns?: number) {
  return searchBreak(
    { world, agent: eager, sets, seed: 3, budget: DEFAULT_BUDGET },
    {
      local: LOCAL_PLACES,
      hosted: LOCAL_PLACES,
      version: '0.0.0',
      judge: createSuiteJudge(),
      ...(maxRuns !== undefined && { maxRuns }),
    },
  );
}

test('the smallest schedule is the one strike that breaks the agent, and its world shows it', async () => {
  const found = await search(SETS);
  if (found.kind !== 'broken') throw new Error(found.kind);
  const smallest: FaultSpec = { kind: 'timeout', on: 'invoice_create', phase: 'after', when: { turns: '2' } };
  expect(found.specs).toEqual([smallest]);
  expect(found.seed).toBe(world.file.seed);

  const folder = mkdtempSync(join(tmpdir(), 'umwelt-search-'));
  const files = writeBrokenWorld(folder, world, found);
  if (!files.ok) throw files.error;
  const loaded = loadWorldFile(files.value.world);
  if (!loaded.ok) throw loaded.error;
  const episode = await openEpisode(loaded.value);
  for (const line of readFileSync(files.value.actions, 'utf8').trim().split('\n')) {
    await episode.step(JSON.parse(line) as string);
  }
  expect(episode.end?.score).toMatchObject({ status: 'scored', fraction: 0 });
  expect(JSON.parse(readFileSync(files.value.suite, 'utf8'))).toMatchObject({
    suite: 1,
    faults: [{ faults: [smallest] }],
  });
  expect(
    loadSuiteFile(files.value.suite, { directory: folder, environment: {}, cli: [] }, { agents: ['careful'] })
      .ok,
  ).toBe(false);
});

test('an agent that nothing breaks survives, within the number of runs', async () => {
  const none = await search(SETS.slice(0, 1));
  expect(none).toEqual({ kind: 'survived', runs: 6 });
  expect(await search(SETS, 3)).toEqual({ kind: 'survived', runs: 3 });
});

test('what is left of a list still breaks, and without any one item it does not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(40), { minLength: 1 }),
      fc.array(fc.nat(40), { maxLength: 4 }),
      async (items, picks) => {
        const needed = new Set(picks.filter((pick) => items.includes(pick)));
        const breaks = async (part: readonly number[]) => [...needed].every((one) => part.includes(one));
        const left = await minimise(items, breaks);
        expect([...left].sort()).toEqual(needed.size === 0 ? [...left].slice(0, 1) : [...needed].sort());
      },
    ),
  );
});
