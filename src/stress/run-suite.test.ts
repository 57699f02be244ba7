import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import { createTestWorld, testTool } from '../testing/index.js';
import type { Agent } from './agent.js';
import { createCarefulAgent } from './agents/careful.js';
import { createCarelessAgent } from './agents/careless.js';
import { createFunctionAgent } from './agents/module.js';
import type { Suite } from './load-suite.js';
import { ResultsFile, readResults } from './results-file.js';
import { LOCAL_PLACES } from './run-place.js';
import type { RunRecord } from './run-record.js';
import { runStatus } from './run-status.js';
import { runSuite } from './run-suite.js';
import { planSuite } from './suite-plan.js';

const text = { type: 'string' };

/** A service of invoices: one is to be made, exactly one. */
const world = createTestWorld({
  name: 'invoices',
  task: 'Make one invoice for Cy over 9 cents.',
  tools: [
    testTool('invoice_create', { customer: text, cents: { type: 'integer' } }),
    testTool('invoice_list', {}),
    testTool('save', { title: text }),
  ],
  state: { data: { invoices: [{ id: 'inv_1', customer: 'ada', cents: 5 }], saves: [] } },
  overrides: {
    invoice_create: { op: 'create', collection: 'invoices' },
    invoice_list: { op: 'list', collection: 'invoices' },
    save: { op: 'create', collection: 'saves' },
  },
  success: [{ id: 'one', expr: "state.data.invoices.filter(i, i.customer == 'cy').size() == 1" }],
  oracle: [
    { name: 'invoice_list', arguments: {} },
    { name: 'invoice_create', arguments: { customer: 'cy', cents: 9 } },
    { answer: 'done' },
  ],
});

const lostAnswer: FaultSpec = { kind: 'timeout', on: 'invoice_create', when: { calls: [1] }, phase: 'after' };

function suiteOf(agents: readonly Agent[], more: Partial<Suite> = {}): Suite {
  return {
    name: 'test',
    worlds: [world],
    faults: [
      { id: 'lost-answer', specs: [lostAnswer], expects: null },
      {
        id: 'busy',
        specs: [{ kind: 'error', on: 'invoice_list', when: { rate: 0.5 } }],
        expects: null,
      },
    ],
    agents,
    trials: 2,
    seed: 7,
    budget: {},
    jobs: 3,
    judge: null,
    ...more,
  };
}

async function runIn(directory: string, suite: Suite, onRun?: () => void): Promise<RunRecord[]> {
  const plan = await planSuite(suite, '0.0.0');
  const journal = ResultsFile.open(directory, plan.header);
  try {
    await runSuite(plan.runs, journal, {
      local: LOCAL_PLACES,
      hosted: LOCAL_PLACES,
      version: '0.0.0',
      jobs: suite.jobs,
      judge: null,
      ...(onRun !== undefined && { onRun }),
    });
  } finally {
    journal.close();
  }
  return [...readResults(journal.path)].flatMap((line) => (line.kind === 'run' ? [line.record] : []));
}

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'umwelt-suite-'));
}

function withoutWall(directory: string): string {
  return readFileSync(join(directory, 'results.jsonl'), 'utf8').replaceAll(/"wall":\{[^}]*\}/g, '"wall":{}');
}

test('a lost answer makes the careless agent write twice, and the careful one look first', async () => {
  const records = await runIn(
    folder(),
    suiteOf([createCarelessAgent(), createCarefulAgent()], { trials: 1 }),
  );
  const status = Object.fromEntries(records.map((record) => [record.id, runStatus(record).status]));
  expect(status).toEqual({
    'invoices/clean/careless/1': 'survived',
    'invoices/lost-answer/careless/1': 'failed',
    'invoices/busy/careless/1': 'survived',
    'invoices/clean/careful/1': 'survived',
    'invoices/lost-answer/careful/1': 'survived',
    'invoices/busy/careful/1': 'survived',
  });
  const [clean, lost] = records;
  expect([clean?.pair, clean?.seed]).toEqual([lost?.pair, lost?.seed]);
  const struck = lost?.turns.flatMap(
    (turn) => (turn.meta?.faults ?? []) as { kind: string; phase: string }[],
  );
  expect(struck).toMatchObject([{ kind: 'timeout', phase: 'after' }]);
});

test('the same suite gives the same results twice, whatever runs at once, apart from wall times', async () => {
  const agents = [createCarelessAgent(), createCarefulAgent()];
  const [one, two] = [folder(), folder()];
  await runIn(one, suiteOf(agents));
  await runIn(two, suiteOf(agents, { jobs: 1 }));
  expect(withoutWall(one)).toBe(withoutWall(two));
});

test('a suite that was cut at any byte goes on, runs nothing twice and ends the same', async () => {
  const agents = [createCarefulAgent()];
  const whole = folder();
  await runIn(whole, suiteOf(agents));
  const bytes = readFileSync(join(whole, 'results.jsonl'));
  for (const share of [0, 0.1, 0.35, 0.6, 0.83, 0.99]) {
    const cut = folder();
    const path = join(cut, 'results.jsonl');
    writeFileSync(path, bytes);
    const at = Math.floor(bytes.length * share);
    truncateSync(path, at);
    const kept =
      bytes
        .subarray(0, at)
        .toString()
        .match(/\n\{"run":/g)?.length ?? 0;
    let ran = 0;
    await runIn(cut, suiteOf(agents), () => ran++);
    expect(withoutWall(cut)).toBe(withoutWall(whole));
    expect(ran).toBeGreaterThanOrEqual(6 - kept);
    expect(ran).toBeLessThanOrEqual(6 - kept + 1);
  }
});

test('the results of another suite are not written over', async () => {
  const directory = folder();
  await runIn(directory, suiteOf([createCarefulAgent()]));
  await expect(runIn(directory, suiteOf([createCarefulAgent()], { seed: 8 }))).rejects.toThrow(
    /results of another suite.*--out, or start anew with --force/s,
  );
});

test('a folder in which a process works is refused to others, and taken over from one that has gone', async () => {
  const directory = folder();
  const lock = join(directory, 'results.lock');
  const { header } = await planSuite(suiteOf([createCarefulAgent()]), '0.0.0');
  const journal = ResultsFile.open(directory, header);
  expect(() => ResultsFile.open(directory, header, { replace: true })).toThrow(
    `process ${process.pid} is writing results into this folder (${lock})`,
  );
  journal.close();
  expect(existsSync(lock)).toBe(false);

  const { pid } = spawnSync(process.execPath, ['-e', '']);
  for (const left of [JSON.stringify({ pid, host: hostname() }), '{"pid":', '']) {
    writeFileSync(lock, left);
    writeFileSync(join(directory, 'results.jsonl.part'), 'half a copy');
    ResultsFile.open(directory, header).close();
    expect(readdirSync(directory)).toEqual(['results.jsonl']);
  }
  writeFileSync(lock, JSON.stringify({ pid: process.ppid, host: hostname() }));
  expect(() => ResultsFile.open(directory, header)).toThrow(`process ${process.ppid} is writing results`);
  writeFileSync(lock, JSON.stringify({ pid: 1, host: 'elsewhere' }));
  expect(() => ResultsFile.open(directory, header)).toThrow('process 1 of elsewhere is writing results');
});

test('an agent that repeats one failing call ends at the cap, by name and with its counts', async () => {
  const stubborn = createFunctionAgent(
    async ({ call }) => {
      for (let i = 0; i < 500; i++) await call('save', { title: `too${' '.repeat(i)} long` });
      return 'never';
    },
    { id: 'stubborn' },
  );
  const faults = [
    {
      id: 'refused',
      specs: [{ kind: 'error', on: 'save', with: { status: 422, message: 'title too long' } }],
      expects: null,
    },
  ];
  const records = await runIn(
    folder(),
    suiteOf([stubborn], { faults, trials: 1, budget: { maxRepeats: 12 } }),
  );
  const run = records.find(({ id }) => id === 'invoices/refused/stubborn/1');
  expect(run?.end.reason).toBe('max-repeats');
  expect(run?.end.detail).toMatch(
    /did not converge: 'save' failed 12 times with the same error, arguments ignored/,
  );
  expect(run?.counts.repeats).toEqual([{ tool: 'save', error: 'Error 422: title too long', count: 12 }]);
  expect(run?.counts.turns).toBe(13);
  expect(run?.outcome.class).toBe('agent-failed');
});

test('what an agent does to itself and what was done to it are told apart', async () => {
  const agents = [
    createFunctionAgent(
      () => {
        throw new TypeError('oh no');
      },
      { id: 'crashes' },
    ),
    createFunctionAgent(() => new Promise(() => undefined), { id: 'hangs' }),
    createFunctionAgent(({ spend }) => spend({ promptTokens: 900, completionTokens: 200 }), { id: 'talks' }),
    createFunctionAgent(
      async ({ call }) => {
        for (;;) await call('invoice_list').catch(() => undefined);
      },
      { id: 'swallows' },
    ),
  ];
  const budget = { maxTurns: 5, maxTokens: 1_000, maxSeconds: 0.2 };
  const records = await runIn(folder(), suiteOf(agents, { faults: [], trials: 1, budget }));
  const ends = records.map(({ agent, end, outcome }) => [agent.id, end.reason, outcome.class]);
  expect(ends).toEqual([
    ['crashes', 'agent-crashed', 'agent-failed'],
    ['hangs', 'max-seconds', 'agent-failed'],
    ['talks', 'max-tokens', 'agent-failed'],
    ['swallows', 'max-turns', 'agent-failed'],
  ]);
  expect(records[2]?.counts).toMatchObject({ promptTokens: 900, completionTokens: 200, costUsd: null });
});
