import { afterEach, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/index.js';
import {
  completionBody,
  deltaEvent,
  type EndpointReply,
  type EndpointRequest,
  MISBEHAVIOURS,
  startTestEndpoint,
  type TestEndpoint,
} from '../../testing/index.js';
import { type ChatClientOptions, type ClientClock, createChatClient } from './chat-client.js';

const BODY = { model: 'm', messages: [{ role: 'user', content: 'how large?' }] };
const open: TestEndpoint[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((endpoint) => endpoint.close()));
});

async function endpointOf(
  script: readonly EndpointReply[] | ((request: EndpointRequest, index: number) => EndpointReply),
): Promise<TestEndpoint> {
  const endpoint = await startTestEndpoint(script);
  open.push(endpoint);
  return endpoint;
}

/** A clock that stands at a moment and notes the waits. */
function clockAt(now: string, random = () => 0.5): ClientClock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    random,
    now: () => Date.parse(now),
    sleep: async (ms) => {
      waits.push(ms);
    },
  };
}

async function ask(script: readonly EndpointReply[], options: Partial<ChatClientOptions> = {}) {
  const endpoint = await endpointOf(script);
  const client = createChatClient({
    baseUrl: endpoint.baseUrl,
    clock: clockAt('2031-05-04T10:00:00Z'),
    ...options,
  });
  return { endpoint, result: await client.ask(BODY) };
}

test.each(MISBEHAVIOURS)(
  'an endpoint that answers "$name" ($about) is understood',
  async ({ reply, expect: wanted }) => {
    const { result, endpoint } = await ask([reply], { retry: { attempts: 2 } });
    if ('failure' in wanted) {
      expect(result.ok).toBe(false);
      if (result.ok) return;
      expect(result.error.data).toMatchObject({ kind: wanted.failure, retryable: wanted.retryable });
      expect(endpoint.requests).toHaveLength(wanted.retryable ? 2 : 1);
      return;
    }
    expect(result.ok ? null : result.error.message).toBeNull();
    if (!result.ok) return;
    const [choice] = result.value.choices;
    expect(choice?.text).toBe(wanted.text);
    expect(choice?.reasoning).toBe(wanted.reasoning ?? null);
    expect(choice?.finishReason).toBe(wanted.finish ?? 'stop');
  },
);

const FRAMES = [
  ': warming up\n\n',
  'data: {"choices":[{"index":0,"delta":{"content":"温"}}]}\r\n\r\n',
  ':\n\n',
  'data:{"choices":[{"index":0,"delta":{"content":"度 21°"}}]}\n\n',
  'data: null\n\n',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
  'data: {"choices":[],\ndata: "usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n',
  'data: [DONE]\n\n',
].join('');

function cut(text: string, size: number): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_none, at) =>
    bytes.slice(at * size, (at + 1) * size),
  );
}

test.each([100_000, 1, 7])(
  'a stream cut into pieces of %i bytes gives the same text and usage',
  async (size) => {
    const headers = { 'content-type': 'text/event-stream' };
    const { result } = await ask([{ headers, body: cut(FRAMES, size) }]);
    expect(result.ok && result.value).toMatchObject({
      choices: [{ text: '温度 21°', finishReason: 'stop' }],
      usage: { promptTokens: 9, completionTokens: 4 },
    });
  },
);

test('a stream that never tells its usage has none, not zero', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  const { result } = await ask([
    { headers, body: [deltaEvent({ content: 'ok' }, 'stop'), 'data: [DONE]\n\n'] },
  ]);
  expect(result.ok && result.value.usage).toEqual({ promptTokens: null, completionTokens: null });
});

test('a broken stream is asked anew from an empty buffer, and its text is evidence only', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  const broken: EndpointReply = { headers, body: [deltaEvent({ content: 'box:/w$ ls\na.t' })] };
  const good: EndpointReply = { body: [completionBody({ content: 'box:/w$ ls\na.txt' })] };
  const { result } = await ask([broken, good]);
  expect(result.ok && result.value.choices[0]?.text).toBe('box:/w$ ls\na.txt');
  const failed = await ask([broken], { retry: { attempts: 1 } });
  expect(failed.result.ok ? null : failed.result.error.data).toMatchObject({
    kind: 'truncated',
    partialText: 'box:/w$ ls\na.t',
  });
});

const busy = (retryAfter: string): EndpointReply => ({
  status: 429,
  headers: { 'retry-after': retryAfter },
  body: ['{"error":{"message":"slow down"}}'],
});
const GOOD: EndpointReply = { body: [completionBody({ content: 'ok' })] };

test.each([
  ['2', 2000, 3000],
  ['Sun, 04 May 2031 10:00:03 GMT', 3000, 4000],
  ['Sun, 04 May 2031 09:59:00 GMT', 250, 500],
  ['soon', 250, 500],
  ['-5', 250, 500],
  ['0', 250, 500],
  ['Infinity', 250, 500],
])('Retry-After "%s" is waited for between %i and %i ms', async (value, least, most) => {
  const clock = clockAt('2031-05-04T10:00:00Z');
  const { result } = await ask([busy(value), GOOD], { clock });
  expect(result.ok && result.value.attempts).toBe(2);
  expect(clock.waits).toHaveLength(1);
  expect(clock.waits[0]).toBeGreaterThanOrEqual(least);
  expect(clock.waits[0]).toBeLessThanOrEqual(most);
});

test('a Retry-After of a day fails at once, with the quota named', async () => {
  const { result, endpoint } = await ask([busy('86400'), GOOD]);
  expect(result.ok).toBe(false);
  if (result.ok) return;
  expect(result.error.data).toMatchObject({ kind: 'quota', attempts: 1 });
  expect(result.error.message).toContain('asks to wait 86400 s, more than the 60 s');
  expect(endpoint.requests).toHaveLength(1);
});

test('callers that were refused together come back apart', async () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const waits = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const clock = clockAt('2031-05-04T10:00:00Z', random);
      await ask([busy('2'), GOOD], { clock });
      return clock.waits[0];
    }),
  );
  expect(new Set(waits).size).toBe(8);
});

test('silence before the headers is waited out as long as the limits allow', async () => {
  const late: EndpointReply = { ...GOOD, headersAfterMs: 400 };
  const { result, endpoint } = await ask([late], { limits: { headersMs: 20_000 } });
  expect(result.ok && result.value.choices[0]?.text).toBe('ok');
  expect(endpoint.requests).toHaveLength(1);
});

test('a limit that is reached is named with its value and the time that went by', async () => {
  const late: EndpointReply = { ...GOOD, headersAfterMs: 5_000 };
  const { result } = await ask([late], { limits: { totalMs: 200 } });
  expect(result.ok ? '' : result.error.message).toMatch(
    /not complete within 200 ms \(limit totalMs; \d+ ms since the request\)/,
  );
  const headers = await ask([late], { limits: { headersMs: 150 } });
  expect(headers.result.ok ? '' : headers.result.error.message).toContain('within 150 ms (limit headersMs');
});

test('comments are no sign of life, data is', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  const pings = Array.from({ length: 40 }, () => [50, ': ping\n\n']).flat();
  const silent = await ask([{ headers, body: [deltaEvent({ content: 'x' }), ...pings] }], {
    limits: { idleMs: 300 },
    retry: { attempts: 1 },
  });
  expect(silent.result.ok ? null : silent.result.error.data).toMatchObject({ kind: 'idle-timeout' });
  const slowly = Array.from({ length: 8 }, () => [100, deltaEvent({ content: 'x' })]).flat();
  const slow = await ask([{ headers, body: [...slowly, deltaEvent({}, 'stop'), 'data: [DONE]\n\n'] }], {
    limits: { idleMs: 300 },
  });
  expect(slow.result.ok && slow.result.value.choices[0]?.text).toBe('xxxxxxxx');
});

test('silence or a break behind a whole answer does not lose it, and it is not asked for again', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  for (const ending of ['silence', 'reset'] as const) {
    const reply: EndpointReply = { headers, body: [deltaEvent({ content: 'whole' }, 'stop')], ending };
    const { result, endpoint } = await ask([reply], { limits: { idleMs: 200 } });
    expect(result.ok && result.value.choices[0]?.text).toBe('whole');
    expect(result.ok && result.value.warnings).toEqual(['the stream ended without [DONE]']);
    expect(endpoint.requests).toHaveLength(1);
  }
});

test('an abort ends the call with its reason, before the headers and in the stream', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  for (const reply of [
    { ending: 'silence', headersAfterMs: 10_000 },
    { headers, body: [deltaEvent({ content: 'x' })], ending: 'silence' },
  ] as const) {
    const stop = new AbortController();
    const endpoint = await endpointOf(() => {
      setTimeout(() => stop.abort(new Error('stopped by the test')), 50);
      return reply;
    });
    const client = createChatClient({ baseUrl: endpoint.baseUrl });
    await expect(client.ask(BODY, { signal: stop.signal })).rejects.toThrow('stopped by the test');
  }
});

test('an answer larger than the limit is refused', async () => {
  const { result } = await ask([{ body: [completionBody({ content: 'x'.repeat(5_000) })] }], {
    limits: { bodyBytes: 1_000 },
  });
  expect(result.ok ? null : result.error.data).toMatchObject({ kind: 'too-large' });
});

test('tool calls come whole and in pieces, with and without an index', async () => {
  const call = (piece: object) => deltaEvent({ tool_calls: [piece] });
  const headers = { 'content-type': 'text/event-stream' };
  const pieces = [
    call({ index: 0, id: 'a', function: { name: 'get', arguments: '{"id"' } }),
    call({ index: 0, function: { arguments: ':1}' } }),
    call({ index: 0, id: 'b', function: { name: 'list', arguments: '' } }),
    call({ id: 'c', function: { name: 'put', arguments: '{}' } }),
    deltaEvent({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
  const { result } = await ask([{ headers, body: pieces }]);
  expect(result.ok && result.value.choices[0]).toMatchObject({
    finish: 'tool_calls',
    toolCalls: [
      { id: 'a', name: 'get', arguments: '{"id":1}' },
      { id: 'b', name: 'list', arguments: '{}' },
      { id: 'c', name: 'put', arguments: '{}' },
    ],
  });
  const whole = completionBody({
    content: null,
    tool_calls: [{ function: { name: 'x', arguments: { a: 1 } } }],
  });
  const other = await ask([{ body: [whole] }]);
  expect(other.result.ok && other.result.value.choices[0]?.toolCalls).toEqual([
    { id: 'call_0', name: 'x', arguments: '{"a":1}' },
  ]);
});

test('what is sent is the body as given, with the key in one header only', async () => {
  const { endpoint, result } = await ask([GOOD], { apiKey: 'sk-secret', stream: false });
  const [request] = endpoint.requests;
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.headers.authorization).toBe('Bearer sk-secret');
  expect(request?.body as Json).toEqual({ ...(BODY as JsonObject), stream: false });
  expect(JSON.stringify(result)).not.toContain('sk-secret');
  const failed = await ask([{ status: 401, body: ['{"error":{"message":"wrong key"}}'] }], {
    apiKey: 'sk-secret',
  });
  expect(
    failed.result.ok ? '' : JSON.stringify([failed.result.error.message, failed.result.error.data]),
  ).not.toContain('sk-secret');
});

test('nobody at the address, and an address that is none, say what to do', async () => {
  const endpoint = await startTestEndpoint([GOOD]);
  await endpoint.close();
  const client = createChatClient({ baseUrl: endpoint.baseUrl, retry: { attempts: 1 } });
  const result = await client.ask(BODY);
  expect(result.ok ? '' : result.error.message).toContain('is the server running at this address?');
  expect(() => createChatClient({ baseUrl: 'localhost:8000' })).toThrow(
    'the endpoint is "localhost:8000", wanted an address such as http://localhost:8000/v1',
  );
});
