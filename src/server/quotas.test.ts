/**
 * What each token may do, over every wire; and what a service writes into its log.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createScriptedModel } from '../testing/index.js';
import { findWorld } from '../worlds/index.js';
import { createService, createServiceLog, type Quota, type ServiceOptions } from './index.js';

function issueTracker() {
  const world = findWorld('issue-tracker');
  if (!world.ok) throw world.error;
  return world.value;
}

function started(quotas: readonly Quota[], more: ServiceOptions = {}) {
  const clock = { ms: 1_000_000 };
  const service = createService({
    worlds: [issueTracker()],
    controlToken: 'control-secret',
    agentTokens: ['ann-secret', 'ben-secret'],
    quotas,
    nowMs: () => clock.ms,
    ...more,
  });
  const send = async (path: string, body: unknown, token: string | null = 'ann-secret') => {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (token !== null) headers.authorization = `Bearer ${token}`;
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const response = await service.fetch(request);
    return {
      status: response.status,
      retry: response.headers.get('retry-after'),
      body: (await response.json()) as Record<string, never>,
    };
  };
  return { service, send, clock };
}

const STEP = { action: { name: 'list_issues', arguments: {} } };

test('steps and episodes are counted by token in windows, and 429 says when to come again', async () => {
  const { send, clock } = started([
    { what: 'steps', most: 2, windowMs: 60_000 },
    { what: 'episodes', most: 2, windowMs: 3_600_000 },
  ]);
  const { id } = (await send('/episodes', { world: 'issue-tracker' })).body as unknown as { id: string };
  const step = (number: number, token?: string) =>
    send(`/episodes/${id}/step`, { ...STEP, request_id: `r${number}` }, token);
  expect([(await step(1)).status, (await step(2)).status]).toEqual([200, 200]);
  clock.ms += 20_500;
  expect(await step(3)).toEqual({
    status: 429,
    retry: '40',
    body: {
      error: {
        code: 'service/quota',
        message: 'the quota of 2 steps in 60 seconds is used up; try again in 40 seconds',
      },
    },
  });
  expect([(await step(4, 'ben-secret')).status, (await step(5, 'control-secret')).status]).toEqual([
    200, 200,
  ]);
  clock.ms += 40_000;
  expect((await step(6)).status).toBe(200);
  const opened = async (token?: string) =>
    (await send('/episodes', { world: 'issue-tracker' }, token)).status;
  expect([await opened(), await opened(), await opened('ben-secret')]).toEqual([201, 429, 201]);
});

test('MCP, OpenEnv and the OpenAI wire are counted too, each with its own error', async () => {
  const { service, send } = started([{ what: 'steps', most: 1, windowMs: 60_000 }]);
  const hosted = await service.openEpisode(issueTracker());
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost/episodes/${hosted.id}/mcp`), {
    fetch: (url: string | URL, init?: RequestInit) => service.fetch(new Request(url, init)),
    requestInit: { headers: { authorization: 'Bearer ann-secret' } },
  });
  await client.connect(transport);
  await client.callTool({ name: 'list_issues', arguments: {} });
  await expect(client.callTool({ name: 'list_issues', arguments: {} })).rejects.toMatchObject({
    code: -32_603,
    data: { code: 'service/quota', retryAfterSeconds: 60 },
  });
  await client.close();
  const chat = await send('/v1/chat/completions', {
    model: 'umwelt/engine',
    messages: [{ role: 'user', content: 'x' }],
  });
  expect([chat.status, chat.retry, chat.body.error]).toEqual([
    429,
    '60',
    expect.objectContaining({ type: 'rate_limit_error', code: 'service/quota' }),
  ]);
  const train = (path: string, body: unknown) => send(`/openenv/issue-tracker${path}`, body, null);
  const call = { action: { type: 'call_tool', tool_name: 'list_issues', arguments: {} } };
  expect([(await train('/step', call)).status, (await train('/step', call)).status]).toEqual([200, 429]);
});

test('tokens of the world’s model are counted as they are used', async () => {
  const model = createScriptedModel([{ text: 'user@box:~$ make\nbuilt\nuser@box:~$' }]);
  const { send } = started([{ what: 'tokens', most: 10, windowMs: 60_000 }], { model });
  const ask = () =>
    send('/v1/chat/completions', {
      model: 'umwelt/model-terminal',
      messages: [
        { role: 'system', content: 'A terminal. '.repeat(20) },
        { role: 'user', content: 'make\n' },
      ],
    });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
});

test('a log has methods, routes, statuses and codes, and no token, header, action or observation', async () => {
  const lines: string[] = [];
  const log = createServiceLog({ write: (line: string) => lines.push(line) }, 'debug');
  const { send, service } = started([], { log, open: false });
  const { id } = (await send('/episodes', { world: 'issue-tracker' })).body as unknown as { id: string };
  await send(`/episodes/${id}/step`, {
    action: { name: 'list_issues', arguments: { query: 'private-words' } },
    request_id: 'r',
  });
  await send(`/episodes/${id}/step`, {}, 'wrong-secret');
  await send('/episodes/private-name/fork', {});
  await service.fetch(
    new Request('http://localhost/v1/models?key=private-key', {
      headers: { authorization: 'Bearer ann-secret' },
    }),
  );
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(
    told.map(({ level, method, route, status, caller, code, msg }) => [
      level,
      method,
      route,
      status,
      caller,
      code,
      msg,
    ]),
  ).toEqual([
    [20, 'POST', '/episodes', 201, 'agent', undefined, 'request'],
    [20, 'POST', `/episodes/${id}/step`, 200, 'agent', undefined, 'request'],
    [40, 'POST', `/episodes/${id}/step`, 401, 'bearer', 'service/unauthorised', 'request refused'],
    [40, 'POST', '/episodes/:name/fork', 403, 'agent', 'service/forbidden', 'request refused'],
    [20, 'GET', '/v1/models', 200, 'agent', undefined, 'request'],
  ]);
  expect(lines.join('')).not.toMatch(/secret|private|Bearer |issue|Authorization/);
});
