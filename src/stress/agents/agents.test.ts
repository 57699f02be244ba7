import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/index.js';
import { createTestWorld, startTestEndpoint, testTool } from '../../testing/index.js';
import { createAgents } from '../agent-spec.js';
import { NO_FAULTS } from '../fault-sets.js';
import { createHostedPlaces } from '../hosted-places.js';
import { DEFAULT_BUDGET, type RunBudget } from '../run-budget.js';
import { runOne } from '../run-one.js';
import { LOCAL_PLACES } from '../run-place.js';
import type { RunRecord } from '../run-record.js';
import type { SuiteAgent } from '../suite-file.js';

const text = { type: 'string' };
const folder = mkdtempSync(join(tmpdir(), 'umwelt-agents-'));
const hosted = createHostedPlaces();
afterAll(() => hosted.close());

const world = createTestWorld({
  name: 'notes',
  task: 'Write the note "milk" & say its id.',
  tools: [testTool('note_create', { text }), testTool('note_list', {})],
  state: { data: { notes: [] } },
  success: [
    { id: 'one', expr: "state.data.notes.filter(n, n.text == 'milk').size() == 1" },
    { id: 'said', expr: 'answer != null && answer.contains(state.data.notes[0].id)' },
  ],
});

async function run(
  agent: SuiteAgent,
  more: { environment?: Record<string, string>; budget?: Partial<RunBudget> } = {},
): Promise<RunRecord> {
  const context = {
    directory: folder,
    environment: { PATH: process.env.PATH, ...more.environment },
    cli: ['umwelt'],
  };
  const agents = createAgents([agent], context);
  const [made] = agents.ok ? agents.value : [];
  if (made === undefined) throw new Error(agents.ok ? 'none' : agents.error[0]?.message);
  const plan = {
    ...{ id: `notes/clean/${made.id}/1`, pair: `notes/${made.id}/1`, number: 1, trial: 1, seed: 1 },
    ...{ world, faults: NO_FAULTS, agent: made, budget: { ...DEFAULT_BUDGET, ...more.budget } },
  };
  return (await runOne(plan, { local: LOCAL_PLACES, hosted, version: '0.0.0' })).record;
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

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

test('a script does what it says, waits on the simulated clock and answers', async () => {
  const script = file(
    'script.jsonl',
    '{"name":"note_create","arguments":{"text":"milk"}}\n{"wait":5}\n"no action"\n{"answer":"note_1"}\n',
  );
  const record = await run({ agent: `scripted:${script}` });
  expect(record.turns.map(({ status, meta }) => [status, meta?.waitedMs])).toEqual([
    ['ok', undefined],
    ['malformed', 5_000],
    ['ok', undefined],
  ]);
  expect([record.agent.id, record.answer, record.score, record.outcome.class]).toEqual([
    'script',
    'note_1',
    { status: 'scored', fraction: 1, components: { one: 1, said: 1 } },
    'agent-finished',
  ]);
});

test("a module is a function with the tools; one that is not there is nobody's failure", async () => {
  file(
    'agent.mjs',
    `export async function writer({ task, tools, call, wait }) {
      await wait(1);
      const made = await call(tools[0].name, { text: 'milk' });
      return JSON.parse(made.text).id;
    }`,
  );
  const record = await run({ agent: 'module:agent.mjs#writer' });
  expect([record.answer, record.end.reason, record.turns[0]?.meta?.waitedMs]).toEqual([
    'note_1',
    'finished',
    1_000,
  ]);
  const missing = await run({ agent: 'module:agent.mjs#reader' });
  expect(missing.end).toEqual({
    reason: 'not-started',
    detail: `${join(folder, 'agent.mjs')} exports no function 'reader'; its functions: writer`,
  });
  expect(missing.outcome.class).toBe('infrastructure');
});

test('an agent behind HTTP is posted what it sees and answers what it does', async () => {
  const seen: JsonObject[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const asked = JSON.parse(body) as JsonObject & { turn: number; observation: { text: string } | null };
      seen.push(asked);
      const replies: JsonObject[] = [
        { wait: 2 },
        {
          name: 'note_create',
          arguments: { text: 'milk' },
          usage: { promptTokens: 10, completionTokens: 2 },
        },
        { answer: (JSON.parse(asked.observation?.text ?? '{}') as { id?: string }).id ?? null },
      ];
      response.end(JSON.stringify(replies[asked.turn - 1] ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const record = await run({ agent: `http:http://127.0.0.1:${port}/act?secret=1` });
  expect([record.answer, record.end.reason, record.counts.promptTokens]).toEqual(['note_1', 'finished', 10]);
  expect(record.agent.spec).toBe(`http:http://127.0.0.1:${port}/act`);
  expect(seen.map(({ turn, observation }) => [turn, observation === null])).toEqual([
    [1, true],
    [2, true],
    [3, false],
  ]);
  await new Promise((resolve) => server.close(resolve));
  const gone = await run({ agent: `http:http://127.0.0.1:${port}/act` });
  expect([gone.end.reason, gone.outcome.class]).toEqual(['not-started', 'infrastructure']);
});

test('a model is given tools, its calls are made, its key is used and never kept', async () => {
  const message = (content: Json): JsonObject => ({
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message: content as JsonObject }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  });
  const calls = [
    { id: 'a', type: 'function', function: { name: 'note_create', arguments: '{"text":"milk"}' } },
    { id: 'b', type: 'function', function: { name: 'note_list', arguments: '{broken' } },
  ];
  const endpoint = await startTestEndpoint([
    { body: [JSON.stringify(message({ role: 'assistant', content: null, tool_calls: calls }))] },
    { body: [JSON.stringify(message({ role: 'assistant', content: 'note_7?</think>\n\nIt is note_1.' }))] },
  ]);
  const price = { promptPerMillion: 1, completionPerMillion: 10 };
  const record = await run(
    { agent: `tiny@${endpoint.baseUrl}`, keyEnv: 'MY_KEY', price },
    { environment: { MY_KEY: 'sk-very-secret' } },
  );
  await endpoint.close();
  expect([record.answer, record.score]).toMatchObject(['It is note_1.', { fraction: 1 }]);
  expect(record.turns.map(({ status }) => status)).toEqual(['ok', 'malformed', 'ok']);
  expect(record.counts).toMatchObject({ promptTokens: 200, completionTokens: 20, costUsd: 0.0004 });
  expect(endpoint.requests[0]?.headers.authorization).toBe('Bearer sk-very-secret');
  expect(endpoint.requests[1]?.body).toMatchObject({
    messages: [
      { role: 'system' },
      { role: 'user', content: world.file.task },
      { role: 'assistant', tool_calls: calls },
      { role: 'tool', tool_call_id: 'a' },
      { role: 'tool', tool_call_id: 'b' },
    ],
  });
  expect(JSON.stringify(record)).not.toContain('very-secret');
});

test('an endpoint that refuses is infrastructure, and a budget of tokens ends a run by name', async () => {
  const refusing = await startTestEndpoint([{ status: 401, body: ['{"error":{"message":"bad key"}}'] }]);
  const refused = await run({ agent: `tiny@${refusing.baseUrl}` });
  await refusing.close();
  expect([refused.end.reason, refused.outcome.class]).toEqual(['provider-failed', 'infrastructure']);

  const call = { id: 'a', type: 'function', function: { name: 'note_list', arguments: '{}' } };
  const body = {
    choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', tool_calls: [call] } }],
    usage: { prompt_tokens: 400, completion_tokens: 50 },
  };
  const talking = await startTestEndpoint([{ body: [JSON.stringify(body)] }]);
  const spent = await run({ agent: `tiny@${talking.baseUrl}` }, { budget: { maxTokens: 1_000 } });
  await talking.close();
  expect(spent.end).toEqual({
    reason: 'max-tokens',
    detail: 'used 1350 tokens; the budget maxTokens is 1000',
  });
});

test('a command is an MCP client of its own run, and what it prints is its answer', async () => {
  file(
    'client.mjs',
    `const [url, task] = process.argv.slice(2);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream',
      authorization: 'Bearer ' + process.env.UMWELT_TOKEN, 'mcp-protocol-version': '2025-11-25' };
    let session, id = 0;
    async function rpc(method, params) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
      const extra = session === undefined ? {} : { 'mcp-session-id': session };
      const response = await fetch(url, { method: 'POST', headers: { ...headers, ...extra }, body });
      session ??= response.headers.get('mcp-session-id') ?? undefined;
      const text = await response.text();
      const line = text.split('\\n').find((one) => one.startsWith('data:')) ?? 'data:' + text;
      return JSON.parse(line.slice(5)).result;
    }
    await rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } });
    const { tools } = await rpc('tools/list', {});
    const made = await rpc('tools/call', { name: tools[0].name, arguments: { text: 'milk' } });
    console.error('task was: ' + task);
    console.error('leaked: ' + (process.env.SECRET_KEY ?? 'nothing'));
    console.log(JSON.parse(made.content[0].text).id);`,
  );
  const command = `cmd:'${process.execPath}' client.mjs {mcpUrl} {task}`;
  const record = await run({ agent: command, id: 'client' }, { environment: { SECRET_KEY: 'hush' } });
  expect([record.end, record.answer]).toEqual([
    { reason: 'finished', detail: 'the agent ended by itself' },
    'note_1',
  ]);
  expect(record.score).toMatchObject({ fraction: 1 });
  expect(record.agentLog).toBe(`task was: ${world.file.task}\nleaked: nothing\n`);
  expect(record.turns.map(({ action }) => (JSON.parse(action) as { name?: string }).name)).toEqual([
    'note_create',
    undefined,
  ]);
});

test('a command that fails, is not there or never ends is told apart, and leaves no process', async () => {
  const node = `cmd:'${process.execPath}'`;
  const exit = await run({ agent: `${node} -e "console.error('bad luck'); process.exit(3)"`, id: 'exits' });
  expect([exit.end.reason, exit.outcome.class, exit.agentLog]).toEqual([
    'agent-exit',
    'agent-failed',
    'bad luck\n',
  ]);

  const gone = await run({ agent: 'cmd:no-such-program-here', id: 'gone' });
  expect([gone.end.reason, gone.outcome.class]).toEqual(['not-started', 'infrastructure']);

  const child = join(folder, 'child.pid');
  const script = `const c = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    require('node:fs').writeFileSync(${JSON.stringify(child)}, String(c.pid)); setInterval(() => {}, 1000);`;
  file('hang.cjs', script);
  const hangs = await run({ agent: `${node} hang.cjs`, id: 'hangs' }, { budget: { maxSeconds: 1 } });
  expect([hangs.end.reason, hangs.outcome.class]).toEqual(['max-seconds', 'agent-failed']);
  expect(isRunning(Number(readFileSync(child, 'utf8')))).toBe(false);
});

test('a command may leave its answer in a file', async () => {
  const code = `require('node:fs').writeFileSync(process.argv[1], 'from the file')`;
  const record = await run({ agent: `cmd:'${process.execPath}' -e "${code}" {answerFile}`, id: 'files' });
  expect(record.answer).toBe('from the file');
});

test('of an output over a megabyte the end is the answer, and the record says how much there was', async () => {
  const code = `process.stdout.write('x'.repeat(1500000) + ' the end')`;
  const record = await run({ agent: `cmd:'${process.execPath}' -e "${code}"`, id: 'talks' });
  expect([record.answer?.length, record.answer?.slice(-8)]).toEqual([1024 * 1024, ' the end']);
  expect(record.end).toEqual({
    reason: 'finished',
    detail:
      'the agent ended by itself; its standard output had 1500008 bytes, of which the answer is the last 1048576',
  });
});
