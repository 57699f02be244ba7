/**
 * `umwelt serve` as a real child process: what it prints, who may enter, how it ends.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
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
      ['serve', '--store', 'x.db'],
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
