import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTestWorld, testTool } from '../../testing/index.js';
import { createAgents } from '../agent-spec.js';
import { NO_FAULTS } from '../fault-sets.js';
import { createHostedPlaces } from '../hosted-places.js';
import { DEFAULT_BUDGET, type RunBudget } from '../run-budget.js';
import { runOne } from '../run-one.js';
import { LOCAL_PLACES } from '../run-place.js';
import type { RunRecord } from '../run-record.js';
import { createFunctionAgent } from './module.js';

const text = { type: 'string' };
const folder = mkdtempSync(join(tmpdir(), 'umwelt-misbehaving-'));
const hosted = createHostedPlaces();
afterAll(() => hosted.close());

const world = createTestWorld({
  name: 'notes',
  task: 'Write a note.',
  tools: [testTool('note_create', { text }), testTool('note_list', {})],
  state: { data: { notes: [] } },
  success: [{ id: 'one', expr: 'state.data.notes.size() == 1' }],
});

/** An MCP client in a few lines, which the programs of these tests begin with. */
const CLIENT = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const url = process.env.UMWELT_MCP_URL;
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream',
  authorization: 'Bearer ' + process.env.UMWELT_TOKEN, 'mcp-protocol-version': '2025-11-25' };
let id = 0;
async function rpc(method, params) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }) });
  headers['mcp-session-id'] ??= response.headers.get('mcp-session-id');
  return response.text();
}
const call = (name, args) => rpc('tools/call', { name, arguments: args });
await rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } });
`;

async function runAgent(
  agent: Parameters<typeof runOne>[0]['agent'],
  budget: Partial<RunBudget>,
): Promise<RunRecord> {
  const plan = {
    ...{ id: `notes/clean/${agent.id}/1`, pair: `notes/${agent.id}/1`, number: 1, trial: 1, seed: 1 },
    ...{ world, faults: NO_FAULTS, agent, budget: { ...DEFAULT_BUDGET, ...budget } },
  };
  return (await runOne(plan, { local: LOCAL_PLACES, hosted, version: '0.0.0' })).record;
}

/** Runs a program that is an MCP client. `environment` is passed on to it. */
async function runProgram(
  code: string,
  more: { environment?: Record<string, string>; budget?: Partial<RunBudget>; words?: string } = {},
): Promise<RunRecord> {
  const { environment = {}, budget = {}, words = '' } = more;
  writeFileSync(join(folder, 'program.mjs'), CLIENT + code);
  const context = {
    directory: folder,
    environment: { PATH: process.env.PATH, ...environment },
    cli: ['umwelt'],
  };
  const spec = `cmd:'${process.execPath}' program.mjs${words}`;
  const made = createAgents([{ agent: spec, id: 'program', env: Object.keys(environment) }], context);
  const [agent] = made.ok ? made.value : [];
  if (agent === undefined) throw new Error(made.ok ? 'none' : made.error[0]?.message);
  return runAgent(agent, budget);
}

/** A process that ended and was not fetched by its parent yet does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a program that goes on calling after its last turn is stopped there, and the budget of turns is named', async () => {
  const record = await runProgram(`for (;;) await call('note_list', {});`, {
    budget: { maxTurns: 5, maxSeconds: 20 },
  });
  expect(record.end).toEqual({
    reason: 'max-turns',
    detail: 'the budget of turns was used up (maxTurns)',
  });
  expect([record.outcome.class, record.counts.turns]).toEqual(['agent-failed', 5]);
  expect(record.wall.durationMs).toBeLessThan(15_000);
});

test('a program that gives its answer over the wire has answered, and what it prints later does not count', async () => {
  const finish = `const finish = (answer) => fetch(url.replace(/mcp$/, 'finish'), { method: 'POST', headers, body: JSON.stringify({ answer }) });`;
  const record = await runProgram(
    `${finish} console.error((await finish('one')).status, (await finish('two')).status); console.log('three'); process.exit(0);`,
  );
  expect([record.answer, record.agentLog, record.end]).toEqual([
    'one',
    '200 409\n',
    { reason: 'finished', detail: 'the agent gave its answer' },
  ]);
});

test.skipIf(process.platform !== 'linux')(
  'a process that a program leaves behind in a session of its own does not outlive the run',
  async () => {
    const pidFile = join(folder, 'left.pid');
    const record = await runProgram(
      `const left = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }); left.unref();
      writeFileSync(${JSON.stringify(pidFile)}, String(left.pid)); console.log('done'); process.exit(0);`,
    );
    expect(record.answer).toBe('done');
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  },
);

test('keys and tokens that a program says anywhere are not in its record, and no place moves', async () => {
  const record = await runProgram(
    `const secrets = process.env.MY_KEY + ' ' + process.env.UMWELT_TOKEN;
    console.error('log ' + secrets); await call('note_create', { text: secrets }); console.log('answer ' + secrets);`,
    { environment: { MY_KEY: 'sk-a"very-secret', PLAIN_NAME: 'a plain value' } },
  );
  const written = JSON.stringify(record);
  expect(written).not.toContain('very-secret');
  expect(record.answer).toMatch(/^answer \*{16} \*{43}$/);
  expect(record.agentLog).toMatch(/^log \*{16} \*{43}\n$/);
  expect(record.counts.turns).toBe(2);
  const [turn] = record.turns;
  expect(turn?.origins?.at(-1)?.end).toBe(turn?.observation?.length);
});

test('an agent cannot open another episode in the service of its run', async () => {
  const record = await runProgram(
    `const { origin } = new URL(url);
    const open = (world, more) => fetch(origin + '/episodes', { method: 'POST', body: JSON.stringify({ world }), ...more });
    const statuses = [(await open('notes')).status, (await open('issue-tracker')).status, (await open('issue-tracker', { headers })).status,
      (await fetch(origin + '/mcp/issue-tracker', { method: 'POST', headers: { ...headers, authorization: '' }, body: '{}' })).status,
      (await fetch(origin + '/openenv/issue-tracker/reset', { method: 'POST', body: '{}' })).status];
    console.log(statuses.join(' '));`,
  );
  expect(record.answer).toBe('404 404 401 401 404');
});

test('a word that no system takes is a command that cannot be started, and blames nobody', async () => {
  const record = await runProgram('', { words: ` ${'x'.repeat(200_000)}` });
  expect([record.end.reason, record.outcome.class]).toEqual(['not-started', 'infrastructure']);
});

test('calls sent together beyond the last turn end by the budget of turns, and are no failure of the world', async () => {
  const together = createFunctionAgent(
    async ({ call }) => {
      await Promise.all(Array.from({ length: 30 }, () => call('note_list')));
      return 'all';
    },
    { id: 'together' },
  );
  const leaves = createFunctionAgent(
    ({ call }) => {
      for (let i = 0; i < 30; i++) call('note_list').catch(() => undefined);
      return 'left';
    },
    { id: 'leaves' },
  );
  for (const agent of [together, leaves]) {
    const { end, outcome, counts } = await runAgent(agent, { maxTurns: 5 });
    expect([end.reason, outcome.class, counts.turns]).toEqual(['max-turns', 'agent-failed', 5]);
  }
});
