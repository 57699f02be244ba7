/**
 * `umwelt serve` as a real child process: what it prints, who may enter, how it ends.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { runUmwelt, startUmwelt } from '../setup/run-umwelt.js';

interface Served {
  readonly child: ChildProcess;
  readonly facts: { readonly url: string; readonly controlToken?: string; readonly store: string };
}

async function serve(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const child = startUmwelt(['serve', '--port', '0', '--json', ...args], { env });
  const [line] = await once(child.stdout ?? child, 'data');
  return { child, facts: JSON.parse(String(line)) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  const [code] = await once(child, 'exit');
  return code;
}

test('a served world takes MCP clients and control, and ends at a signal with its sessions open', async () => {
  const { child, facts } = await serve(['issue-tracker']);
  expect(facts).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    controlToken: expect.stringMatching(/^[\w-]{43}$/),
    store: 'memory',
    durable: false,
    worlds: ['issue-tracker'],
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${facts.url}/mcp/issue-tracker`)));
  await client.callTool({ name: 'list_issues', arguments: {} });
  const headers = { authorization: `Bearer ${facts.controlToken}` };
  const listed = await (await fetch(`${facts.url}/episodes`, { headers })).json();
  expect(listed).toMatchObject({ episodes: [{ world: 'issue-tracker', turns: 1, done: false }] });
  expect(await end(child, 'SIGTERM')).toBe(0);
  await client.close();
});

test('a token from the environment is not printed, and opens the control door', async () => {
  const { child, facts } = await serve([], {
    UMWELT_CONTROL_TOKEN: 'from-outside',
    UMWELT_AGENT_TOKENS: 'a, b',
  });
  expect(facts).not.toHaveProperty('controlToken');
  const listed = (token: string) =>
    fetch(`${facts.url}/episodes`, { headers: { authorization: `Bearer ${token}` } });
  expect([(await listed('from-outside')).status, (await listed('b')).status]).toEqual([200, 403]);
  expect(await end(child, 'SIGINT')).toBe(130);
});

test('what it cannot do is said before it listens', async () => {
  const runs = await Promise.all(
    [
      ['serve', '--sync', 'normal'],
      ['serve', '--host', '0.0.0.0'],
      ['serve', '--port', '70000'],
      ['serve', 'issue-tracker', 'issue-tracker'],
      ['serve', 'no-such-world'],
    ].map((args) => runUmwelt(args)),
  );
  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([
    [2, ''],
    [1, ''],
    [2, ''],
    [2, ''],
    [2, ''],
  ]);
  expect(runs[1]?.stderr).toContain('UMWELT_CONTROL_TOKEN');
});

const folder = (): string => mkdtempSync(join(tmpdir(), 'store-'));

interface Acknowledged {
  readonly turn: number;
  readonly observation: string | null;
}

/** Steps one episode after another until the service is gone; what was answered is kept. */
async function load(url: string, id: string, acknowledged: Map<string, Acknowledged[]>, more: () => void) {
  const known = acknowledged.get(id) ?? [];
  acknowledged.set(id, known);
  for (let turn = known.length + 1; ; turn++) {
    const action = JSON.stringify({ name: 'list_issues', arguments: { limit: (turn % 5) + 1 } });
    const body = JSON.stringify({ action, request_id: `r${turn}`, turn });
    try {
      const response = await fetch(`${url}/episodes/${id}/step`, { method: 'POST', body });
      const answer = (await response.json()) as Acknowledged;
      if (response.status !== 200) return;
      known.push({ turn: answer.turn, observation: answer.observation });
      more();
    } catch {
      // Killed in mid-step: whether the turn is there is what the caller has to ask.
      return;
    }
  }
}

test('after kill -9 under load every answered step is in the store once, and the episodes go on', async () => {
  const path = join(folder(), 'episodes.db');
  const env = { UMWELT_CONTROL_TOKEN: 'control' };
  const headers = { authorization: 'Bearer control' };
  const acknowledged = new Map<string, Acknowledged[]>();
  for (let round = 0; round < 3; round++) {
    const { child, facts } = await serve(['issue-tracker', '--store', path], env);
    expect(facts.store).toBe(path);
    if (round === 0) {
      for (let n = 0; n < 8; n++) {
        const made = await fetch(`${facts.url}/episodes`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ world: 'issue-tracker', seed: n }),
        });
        acknowledged.set(((await made.json()) as { id: string }).id, []);
      }
    }
    for (const [id, known] of acknowledged) {
      const answer = await fetch(`${facts.url}/episodes/${id}/events`, { headers });
      const { events } = (await answer.json()) as { events: Acknowledged[] };
      const stored = events.map(({ turn, observation }) => ({ turn, observation }));
      // At most the step in flight is there unheard of; it is answered as it was when it is sent again.
      expect(stored.slice(0, known.length)).toEqual(known);
      expect(stored.length - known.length).toBeLessThanOrEqual(1);
      expect(stored.map(({ turn }) => turn)).toEqual(stored.map((_, index) => index + 1));
    }
    let left = 120;
    const loads = [...acknowledged.keys()].map((id) =>
      load(facts.url, id, acknowledged, () => {
        left--;
        if (left === 0) child.kill('SIGKILL');
      }),
    );
    await Promise.all(loads);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  expect([...acknowledged.values()].flat().length).toBeGreaterThanOrEqual(360);
  const listed = await runUmwelt(['episodes', path, '--json']);
  expect(
    listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).world),
  ).toEqual(Array(8).fill('issue-tracker'));
  const out = join(folder(), 'out.jsonl');
  expect((await runUmwelt(['episodes', path, '--export', out])).code).toBe(0);
  expect(readFileSync(out, 'utf8').match(/"trajectory":1/g)).toHaveLength(8);
  expect((await runUmwelt(['episodes', path, '--export', out])).code).toBe(2);
});
