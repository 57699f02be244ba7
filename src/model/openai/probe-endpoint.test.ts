/**
 * Looking endpoints over: what good and bad ones show, and that every known misbehaviour is told and none breaks the probe.
 */
import { afterEach, expect, test } from 'vitest';
import {
  completionBody,
  deltaEvent,
  type EndpointReply,
  type EndpointRequest,
  MISBEHAVIOURS,
  startTestEndpoint,
  type TestEndpoint,
} from '../../testing/index.js';
import { type ProbeReport, probeEndpoint } from './probe-endpoint.js';

const open: TestEndpoint[] = [];
afterEach(async () => {
  for (const endpoint of open.splice(0)) await endpoint.close();
});

async function probed(
  script: (request: EndpointRequest) => EndpointReply,
): Promise<ProbeReport & { readonly endpointSaw: TestEndpoint }> {
  const endpoint = await startTestEndpoint(script);
  open.push(endpoint);
  const limits = { headersMs: 2_000, idleMs: 1_000, totalMs: 3_000 };
  const report = await probeEndpoint({ model: 'm', baseUrl: endpoint.baseUrl, apiKey: 'sk-secret', limits });
  return { ...report, endpointSaw: endpoint };
}

const COPIED = '<predicted_observation>\nbox:/w$ echo 42\n42\nbox:/w$\n</predicted_observation>';
const STREAM = { 'content-type': 'text/event-stream' };

/** A server that does everything right. */
function good(
  request: EndpointRequest,
  message: object = { content: COPIED, reasoning_content: 'copy' },
): EndpointReply {
  const body = (request.body ?? {}) as Record<string, unknown>;
  if (request.path.endsWith('/models')) return { body: ['{"data":[{"id":"m","max_model_len":65536}]}'] };
  if (body.stream === true) {
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n';
    return {
      headers: STREAM,
      body: [
        deltaEvent({ content: COPIED.slice(0, 20) }),
        deltaEvent({ content: COPIED.slice(20) }, 'stop'),
        usage,
        'data: [DONE]\n\n',
      ],
    };
  }
  const finish_reason = body.max_tokens === 1 ? 'length' : 'stop';
  const logprobs =
    body.logprobs === true ? { token_ids: [1], logprobs: { content: [{ token: 'a', logprob: -0.1 }] } } : {};
  const choices = Array.from({ length: Number(body.n ?? 1) }, (_, index) => ({
    index,
    message,
    finish_reason,
    ...logprobs,
  }));
  return { body: [completionBody({}, { choices })] };
}

function lines({ findings }: ProbeReport): Record<string, string> {
  return Object.fromEntries(findings.map(({ check, status, found }) => [check, `${status}: ${found}`]));
}

test('a server that does everything right needs nothing', async () => {
  const report = await probed((request) => good(request));
  expect(report.findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect([report.options, report.contextTokens]).toEqual([{}, 65_536]);
  expect(lines(report)).toMatchObject({
    reasoning: "ok: thinking stands in the field 'reasoning_content'",
    tag: 'ok: <predicted_observation> arrives whole',
    samples: 'ok: n samples come at once',
    logprobs: 'ok: token ids and log-probabilities are given',
    limit: "ok: max_tokens is kept, and a cut answer says 'length'",
  });
  expect(JSON.stringify([report.endpoint, report.findings])).not.toContain('sk-secret');
  expect(
    report.endpointSaw.requests.every(({ headers }) => headers.authorization === 'Bearer sk-secret'),
  ).toBe(true);
});

test.each([
  ['reasoning', { content: COPIED, reasoning: 'copy' }, "ok: thinking stands in the field 'reasoning'"],
  ['thinking', { content: COPIED, thinking: 'copy' }, "ok: thinking stands in the field 'thinking'"],
  [
    'in the text',
    { content: `<think>copy</think>${COPIED}` },
    'note: thinking stands in the answer between <think> and </think>',
  ],
  [
    'without its opening',
    { content: `copy</think>${COPIED}` },
    'note: thinking stands in the answer without its opening tag',
  ],
  ['nowhere', { content: COPIED }, 'note: no thinking was seen'],
])('the place of the thinking is told: %s', async (_name, message, told) => {
  const report = await probed((request) => good(request, message));
  expect(lines(report).reasoning).toBe(told);
  expect(report.options.startsInThinking).toBe(_name === 'without its opening' ? true : undefined);
});

test('a tag that went into the reasoning, or was taken out, is told with what to do', async () => {
  const swallowed = await probed((request) => good(request, { content: '', reasoning_content: COPIED }));
  expect(swallowed.findings.find(({ check }) => check === 'tag')).toMatchObject({
    status: 'wrong',
    fix: 'the reasoning parser took the answer with it: take the parser off, or another one',
  });
  const bare = await probed((request) => good(request, { content: '42' }));
  expect(lines(bare).tag).toBe('note: no <predicted_observation> in the answer');
});

test('names that differ are found out: limits, temperature, samples, streams', async () => {
  const report = await probed((request) => {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const refuse = (what: string): EndpointReply => ({
      status: 400,
      body: [`{"error":{"message":"Unsupported parameter: ${what}"}}`],
    });
    if (request.path.endsWith('/models')) return { status: 404 };
    if ('temperature' in body) return refuse('temperature');
    if ('max_tokens' in body) return refuse('max_tokens');
    if (body.stream === true) return refuse('stream');
    const choices = [
      {
        index: 0,
        message: { content: COPIED },
        finish_reason: body.max_completion_tokens === 1 ? 'length' : 'stop',
      },
    ];
    return { body: [completionBody({}, { choices, usage: undefined })] };
  });
  expect(report.options).toEqual({
    temperature: null,
    stream: false,
    maxTokensName: 'max_completion_tokens',
  });
  expect(lines(report)).toMatchObject({
    models: 'note: the list of models answers 404 and names none',
    context: 'note: the server does not say how long a question may be',
    usage: 'note: tokens are not reported',
    samples: 'note: n is refused',
    limit: "ok: max_completion_tokens is kept, and a cut answer says 'length'",
  });
});

test('context lengths are found under the names of servers', async () => {
  const told = async (models: string, props = '{}') =>
    (
      await probed((request) => {
        if (request.path.endsWith('/models')) return { body: [models] };
        return request.path.endsWith('/props') ? { body: [props] } : good(request);
      })
    ).contextTokens;
  expect(await told('{"data":[{"id":"m","context_length":131072}]}')).toBe(131_072);
  expect(await told('{"data":[{"id":"m","meta":{"n_ctx_train":8192}}]}')).toBe(8_192);
  expect(await told('{"data":[{"id":"m"}]}', '{"default_generation_settings":{"n_ctx":4096}}')).toBe(4_096);
  expect(await told('[]')).toBe(null);
});

test.each(MISBEHAVIOURS)(
  'an endpoint with the misbehaviour $name is looked over to the end',
  async ({ reply, expect: wanted }) => {
    const report = await probed((request) =>
      request.path.endsWith('/models') || request.path.endsWith('/props')
        ? { body: ['{"data":[{"id":"m"}]}'] }
        : reply,
    );
    const answer = report.findings.filter(({ check }) => check === 'answer');
    if ('failure' in wanted) {
      expect(answer).toEqual([
        expect.objectContaining({ status: 'wrong', fix: expect.stringMatching(/\w{3}/) }),
      ]);
      return;
    }
    expect(answer[0]?.status).toBe('ok');
    expect(report.findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['finish', 'reasoning', 'tag', 'streaming', 'samples', 'logprobs', 'limit']),
    );
  },
);

test('nobody at the address is told at once with what to do', async () => {
  const endpoint = await startTestEndpoint([]);
  await endpoint.close();
  const report = await probeEndpoint({ model: 'm', baseUrl: endpoint.baseUrl });
  expect(report.findings.find(({ check }) => check === 'answer')).toMatchObject({
    status: 'wrong',
    fix: 'start the server, and check address and port',
  });
});
