/**
 * The OpenAI-compatible wire, asked by clients of other projects: the official library and the AI SDK.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import OpenAI, { APIError } from 'openai';
import { expect, test } from 'vitest';
import { openEpisode } from '../../sim/index.js';
import { createScriptedModel } from '../../testing/index.js';
import { findWorld } from '../../worlds/index.js';
import { createService, type ServiceOptions } from '../service.js';

const SYSTEM = 'You are a terminal world model. Predict the screen after the keystrokes.\n\nroot@box:/app#';
const keys = (line: string): string => JSON.stringify([{ keystrokes: `${line}\n`, duration: 0.5 }]);
const HISTORY = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: keys('cat notes.txt') },
  { role: 'assistant', content: 'root@box:/app# cat notes.txt\none\ntwo\nthree\nroot@box:/app#' },
] as const;

function started(options: ServiceOptions = {}) {
  const service = createService({ worlds: [], ...options });
  const calls: Request[] = [];
  const fetchIt = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    calls.push(request);
    return service.fetch(request);
  };
  const client = new OpenAI({
    apiKey: 'EMPTY',
    baseURL: 'http://localhost/v1',
    fetch: fetchIt,
    maxRetries: 0,
  });
  const ask = (action: string, more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
    client.chat.completions.create({
      model: 'umwelt/engine',
      messages: [...HISTORY, { role: 'user', content: action }],
      max_tokens: 4096,
      temperature: 0.6,
      ...more,
    });
  return { service, client, ask, fetchIt, calls };
}

async function failure(promise: Promise<unknown>): Promise<APIError> {
  const error = await promise.then(
    () => null,
    (raised: unknown) => raised,
  );
  if (error instanceof APIError) return error;
  throw new Error(`no API error but ${String(error)}`);
}

test('what the history determines is answered exactly, and the extension field says where each turn came from', async () => {
  const { ask } = started();
  const answer = await ask(keys('grep -c t notes.txt'));
  expect(answer.choices).toEqual([
    {
      index: 0,
      message: {
        role: 'assistant',
        refusal: null,
        content:
          'root@box:/app# cat notes.txt\none\ntwo\nthree\nroot@box:/app# grep -c t notes.txt\n2\nroot@box:/app#',
      },
      logprobs: null,
      finish_reason: 'stop',
    },
  ]);
  expect(answer.usage?.total_tokens).toBe(
    (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
  );
  expect((answer as unknown as { umwelt: unknown }).umwelt).toEqual({
    domain: 'terminal',
    route: 'engine',
    turns: [
      { turn: 1, status: 'ok', origins: [{ start: 0, end: 57, origin: 'computed' }] },
      { turn: 2, status: 'ok', origins: [{ start: 0, end: 94, origin: 'computed' }] },
    ],
  });
});

test('what the history does not determine is an error that names what is missing, never a text', async () => {
  const { ask } = started();
  const error = await failure(ask(keys('cat other.txt')));
  expect([error.status, error.code, error.message]).toEqual([
    422,
    'abstained',
    '422 the history does not show whether /app/other.txt exists',
  ]);
});

test('a streamed answer is the same text in pieces, with usage where it is asked for', async () => {
  const { client } = started();
  const stream = await client.chat.completions.create({
    model: 'umwelt/engine-terminal',
    messages: [...HISTORY, { role: 'user', content: keys('wc -l < notes.txt') }],
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  const ends: unknown[] = [];
  let usage = 0;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? '';
    if (chunk.choices[0]?.finish_reason) ends.push(chunk.choices[0].finish_reason);
    usage += chunk.usage?.completion_tokens ?? 0;
  }
  expect(text.split('\n').slice(-3)).toEqual(['root@box:/app# wc -l < notes.txt', '3', 'root@box:/app#']);
  expect(ends).toEqual(['stop']);
  expect(usage).toBeGreaterThan(0);
});

test('the AI SDK asks it as it asks any model', async () => {
  const { fetchIt } = started();
  const provider = createOpenAICompatible({ name: 'umwelt', baseURL: 'http://localhost/v1', fetch: fetchIt });
  const messages = [HISTORY[1], HISTORY[2], { role: 'user', content: keys('tail -1 notes.txt') }] as never;
  const how = { model: provider('umwelt/engine'), system: SYSTEM, messages, maxRetries: 0 };
  const { text } = await generateText(how);
  expect(text.split('\n').slice(-2)).toEqual(['three', 'root@box:/app#']);
  let streamed = '';
  for await (const piece of streamText(how).textStream) streamed += piece;
  expect(streamed).toBe(text);
});

test('the rest is predicted by the served model where the model name says so, with its thinking apart', async () => {
  const model = createScriptedModel([
    {
      text: '<think>a file</think><predicted_observation>\nroot@box:/app# cat other.txt\nhello\nroot@box:/app#\n</predicted_observation>',
    },
  ]);
  const { ask } = started({ model });
  const answer = await ask(keys('cat other.txt'), { model: 'umwelt/grounded' });
  const { message } = answer.choices[0] ?? {};
  expect(message?.content).toBe('root@box:/app# cat other.txt\nhello\nroot@box:/app#');
  expect((message as unknown as { reasoning_content: string }).reasoning_content).toContain('a file');
  const { turns } = (answer as unknown as { umwelt: { turns: { origins: { origin: string }[] }[] } }).umwelt;
  expect(turns.map(({ origins }) => origins.map(({ origin }) => origin))).toEqual([
    ['computed'],
    ['predicted'],
  ]);
  // Determined answers do not ask it: its one answer is used up.
  const determined = await ask(keys('head -1 notes.txt'), { model: 'umwelt/grounded' });
  expect(determined.choices[0]?.message.content?.split('\n').slice(-2)).toEqual(['one', 'root@box:/app#']);
});

test('a prompt of one of the service’s own worlds is lived in by that world’s engine', async () => {
  const world = findWorld('issue-tracker');
  if (!world.ok) throw world.error;
  const episode = await openEpisode(world.value);
  const system = episode.header().system.text;
  const call = '{"name":"list_issues","arguments":{}}';
  const { observation } = await episode.step(call);
  const { client } = started({ worlds: [world.value] });
  const answer = await client.chat.completions.create({
    model: 'umwelt/engine',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: call },
    ],
  });
  expect(answer.choices[0]?.message.content).toBe(observation);
});

test('a reading call of foreign tools is answered as before until something may have changed', async () => {
  const { client } = started();
  const tools = [{ name: 'get_page' }, { name: 'update_page' }].map((tool) => ({
    ...tool,
    description: 'x',
    inputSchema: { type: 'object' },
  }));
  const system = `You simulate an MCP server (Model Context Protocol).\n\n# Available Tools\n\n${JSON.stringify(tools)}`;
  const get = '{"name":"get_page","arguments":{"id":"7"}}';
  const past = [
    { role: 'system', content: system },
    { role: 'user', content: get },
    { role: 'assistant', content: '{"id":"7","title":"Plans"}' },
  ] as const;
  const first = await client.chat.completions.create({
    model: 'umwelt/engine',
    messages: [...past, { role: 'user', content: '{"arguments":{"id":"7"},"name":"get_page"}' }],
  });
  expect(first.choices[0]?.message.content).toBe('{"id":"7","title":"Plans"}');
  const changed = client.chat.completions.create({
    model: 'umwelt/engine',
    messages: [
      ...past,
      { role: 'user', content: '{"name":"update_page","arguments":{"id":"7"}}' },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: get },
    ],
  });
  expect((await failure(changed)).status).toBe(422);
});

test('every mistake of a request is an error of this wire with its parameter', async () => {
  const { client, ask } = started();
  const seen: unknown[] = [];
  const ask2 = async (body: object): Promise<void> => {
    const error = await failure(client.chat.completions.create(body as never));
    seen.push([error.status, error.code, error.param]);
  };
  await ask2({ model: 'umwelt/engine', messages: [] });
  await ask2({ model: 'umwelt/engine', messages: [HISTORY[0], HISTORY[1], HISTORY[2]] });
  await ask2({ model: 'umwelt/engine', messages: [{ role: 'tool', content: 'x' }] });
  await ask2({
    model: 'umwelt/engine',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
  });
  await ask2({ model: 'umwelt/engine', n: 2, messages: HISTORY });
  await ask2({ model: 'gpt-4', messages: [{ role: 'user', content: 'x' }] });
  await ask2({ model: 'umwelt/model', messages: [{ role: 'user', content: 'x' }] });
  await ask2({
    model: 'umwelt/engine',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'x' },
    ],
  });
  const long = Array.from({ length: 5_000 }, () => ({ role: 'user', content: 'x' }));
  await ask2({ model: 'umwelt/engine', messages: long });
  expect(seen).toEqual([
    [400, 'service/bad-request', 'messages'],
    [400, 'service/bad-request', 'messages'],
    [400, 'service/bad-request', 'messages[0].role'],
    [400, 'service/bad-request', 'messages[0].content'],
    [400, 'service/bad-request', 'n'],
    [404, 'model_not_found', 'model'],
    [404, 'model_not_found', 'model'],
    [400, 'unknown_domain', 'messages'],
    [400, 'context_length_exceeded', 'messages'],
  ]);
  const cut = await ask(keys('cat notes.txt'), { max_tokens: 3 });
  expect(cut.choices[0]?.finish_reason).toBe('length');
});

test('models are listed, and tokens open the wire where the service has some', async () => {
  const { client, service } = started();
  const names = (await client.models.list()).data.map(({ id }) => id);
  expect(names.filter((name) => !name.includes('-'))).toEqual(['umwelt/engine', 'umwelt/grounded']);
  expect(names).toContain('umwelt/engine-terminal');
  expect(await client.models.retrieve('umwelt/grounded-mcp')).toMatchObject({
    object: 'model',
    owned_by: 'umwelt',
  });
  expect((await failure(client.models.retrieve('nothing'))).status).toBe(404);
  await service.close();
  const closed = started({ agentTokens: ['agent-token'], open: false });
  const get = async (token: string | null): Promise<number> => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    return (await closed.service.fetch(new Request('http://localhost/v1/models', { headers }))).status;
  };
  expect([
    await get(null),
    await get('EMPTY'),
    await get('agent-token'),
    await get(closed.service.controlToken),
  ]).toEqual([401, 401, 200, 200]);
});
