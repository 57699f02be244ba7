/**
 * How model endpoints really answer, well and badly: named replies for {@link startTestEndpoint}, with what a client
 * should make of each.
 *
 * Every case was met at real servers and gateways (hard cases P-API-1 to 3, P-OUT-3). `text` is the answer a client should
 * give; `failure` the kind of failure it should tell, and then `partial` text must go nowhere.
 */
import type { EndpointReply } from './test-endpoint.js';

/** A reply and what should come of it. */
export interface Misbehaviour {
  readonly name: string;
  readonly about: string;
  readonly reply: EndpointReply;
  readonly expect:
    | { readonly text: string; readonly reasoning?: string; readonly finish?: 'stop' | 'length' | 'other' }
    | { readonly failure: string; readonly retryable: boolean };
}

/** A whole completion as an endpoint sends it. */
export function completionBody(message: object, more: object = {}): string {
  return JSON.stringify({
    id: 'cmpl-1',
    object: 'chat.completion',
    model: 'test-model',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 4 },
    ...more,
  });
}

/** One event of a stream that adds this delta. */
export function deltaEvent(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ model: 'test-model', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

const DONE = 'data: [DONE]\n\n';
const STREAM = { 'content-type': 'text/event-stream' };

function stream(
  name: string,
  about: string,
  body: EndpointReply['body'],
  expect: Misbehaviour['expect'],
): Misbehaviour {
  return { name, about, reply: { headers: STREAM, body: body ?? [] }, expect };
}

function whole(name: string, about: string, body: string, expect: Misbehaviour['expect']): Misbehaviour {
  return { name, about, reply: { body: [body] }, expect };
}

const SAID = deltaEvent({ content: '42 ' });
const REST = deltaEvent({ content: 'bytes' }, 'stop');
const GOOD = { text: '42 bytes', finish: 'stop' } as const;

/** The cases. */
export const MISBEHAVIOURS: readonly Misbehaviour[] = [
  whole('plain', 'a completion as it should be', completionBody({ content: '42 bytes' }), GOOD),
  stream('plain-stream', 'a stream as it should be', [SAID, REST, DONE], GOOD),
  stream(
    'comments',
    'comment lines while the model warms up',
    [': warming\n\n', SAID, ':\n\n', REST, DONE],
    GOOD,
  ),
  stream(
    'crlf',
    'lines that end in CR LF, cut in between',
    [SAID.replaceAll('\n', '\r\n').slice(0, -1), '\n', REST, DONE],
    GOOD,
  ),
  stream('no-space', 'no space after `data:`', [SAID.replace('data: ', 'data:'), REST, DONE], GOOD),
  stream(
    'null-data',
    '`data: null` and empty data between phases',
    [SAID, 'data: null\n\n', 'data:\n\n', REST, DONE],
    GOOD,
  ),
  stream(
    'usage-only',
    'a last chunk with usage and no choices',
    [SAID, REST, 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n', DONE],
    GOOD,
  ),
  stream(
    'no-choices',
    'a chunk without the member `choices`',
    ['data: {"id":"x"}\n\n', SAID, REST, DONE],
    GOOD,
  ),
  stream('no-done', 'the stream ends after the finish reason, without [DONE]', [SAID, REST], GOOD),
  stream('no-last-newline', 'the last event lacks its empty line', [SAID, REST.trimEnd()], GOOD),
  stream('bom', 'a byte order mark before the first event', ['\uFEFF', SAID, REST, DONE], GOOD),
  stream(
    'no-finish',
    '[DONE] comes and nobody says why it ended',
    [SAID, deltaEvent({ content: 'bytes' }), DONE],
    { text: '42 bytes', finish: 'other' },
  ),
  stream(
    'two-data-lines',
    'one event in two `data:` lines',
    ['data: {"choices":[{"delta":\ndata: {"content":"42 bytes"},"finish_reason":"stop"}]}\n\n', DONE],
    GOOD,
  ),
  {
    name: 'whole-for-stream',
    about: 'a stream was asked, one document came',
    reply: { body: [completionBody({ content: '42 bytes' })] },
    expect: GOOD,
  },
  {
    name: 'stream-as-json',
    about: 'a stream under the content type of a document',
    reply: { body: [SAID, REST, DONE] },
    expect: GOOD,
  },
  whole(
    'parts',
    'content as a list of parts',
    completionBody({
      content: [
        { type: 'text', text: '42 ' },
        { type: 'text', text: 'bytes' },
      ],
    }),
    GOOD,
  ),
  whole(
    'reasoning-content',
    'reasoning in `reasoning_content`',
    completionBody({ content: '42 bytes', reasoning_content: 'check size first' }),
    { ...GOOD, reasoning: 'check size first' },
  ),
  whole(
    'reasoning-twice',
    'the same reasoning under two names',
    completionBody({
      content: '42 bytes',
      reasoning: 'check size first',
      reasoning_content: 'check size first',
    }),
    { ...GOOD, reasoning: 'check size first' },
  ),
  whole(
    'thinking',
    'reasoning in `thinking`',
    completionBody({ content: '42 bytes', thinking: 'check size first' }),
    { ...GOOD, reasoning: 'check size first' },
  ),
  stream(
    'reasoning-stream',
    'reasoning in deltas, null fields beside it',
    [
      deltaEvent({ reasoning: 'check ', content: null }),
      deltaEvent({ reasoning: 'size first' }),
      SAID,
      REST,
      DONE,
    ],
    { ...GOOD, reasoning: 'check size first' },
  ),
  whole(
    'length',
    'cut by its length limit',
    completionBody({}, { choices: [{ index: 0, message: { content: 'half a' }, finish_reason: 'length' }] }),
    { text: 'half a', finish: 'length' },
  ),
  stream(
    'cr-only',
    'lines that end in CR alone',
    [SAID, REST, DONE].map((event) => event.replaceAll('\n', '\r')),
    GOOD,
  ),
  stream(
    'usage-first',
    'usage in a chunk before the first text',
    ['data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n', SAID, REST, DONE],
    GOOD,
  ),
  stream(
    'comment-in-event',
    'a comment in the middle of an event',
    [SAID.replace('data: ', ': still here\ndata: '), REST, DONE],
    GOOD,
  ),
  stream(
    'two-finishes',
    'the finish reason comes again in an empty chunk',
    [SAID, REST, deltaEvent({}, 'stop'), DONE],
    GOOD,
  ),
  whole(
    'length-empty',
    'cut before the first word, content null',
    completionBody({}, { choices: [{ index: 0, message: { content: null }, finish_reason: 'length' }] }),
    { text: '', finish: 'length' },
  ),
  whole(
    'unknown-finish',
    'a finish reason of its own',
    completionBody(
      {},
      { choices: [{ index: 0, message: { content: '42 bytes' }, finish_reason: 'eos_token' }] },
    ),
    { text: '42 bytes', finish: 'other' },
  ),
  whole(
    'unknown-reasoning',
    'a field that looks like reasoning and is unknown',
    completionBody({ content: '42 bytes', reasoning_trace: 'hm' }),
    GOOD,
  ),
  stream(
    'error-text-in-stream',
    'an error that is a text, in the stream',
    [SAID, 'data: {"error":"out of memory"}\n\n'],
    { failure: 'stream-error', retryable: true },
  ),
  whole(
    'error-in-200',
    'status 200 with an error body',
    '{"choices":null,"error":{"code":429,"message":"upstream pool busy"}}',
    { failure: 'error-in-body', retryable: true },
  ),
  whole('error-text-in-200', 'status 200 with an error that is a text', '{"error":"model crashed"}', {
    failure: 'error-in-body',
    retryable: true,
  }),
  whole(
    'bad-request-in-200',
    'status 200 with an error that retries cannot heal',
    '{"error":{"code":400,"message":"context too long"}}',
    { failure: 'error-in-body', retryable: false },
  ),
  whole('html-in-200', 'status 200 with the page of a gateway', '<html><body>busy</body></html>', {
    failure: 'bad-body',
    retryable: true,
  }),
  whole('empty-200', 'status 200 and nothing', '', { failure: 'bad-body', retryable: true }),
  whole('no-choice', 'an empty list of choices', '{"choices":[]}', { failure: 'no-choice', retryable: true }),
  stream(
    'error-event',
    'an error in the middle of a stream',
    [SAID, 'data: {"error":{"code":502,"message":"upstream reset"}}\n\n', DONE],
    { failure: 'stream-error', retryable: true },
  ),
  stream(
    'error-named',
    'an `event: error` of another shape',
    [SAID, 'event: error\ndata: {"detail":"worker lost"}\n\n'],
    { failure: 'stream-error', retryable: true },
  ),
  stream('stops', 'a stream that just stops', [SAID], { failure: 'truncated', retryable: true }),
  stream('half-event', 'a stream that stops inside an event', [SAID, 'data: {"choices":[{"del'], {
    failure: 'bad-body',
    retryable: true,
  }),
  stream('empty-stream', 'a stream without an event', [], { failure: 'truncated', retryable: true }),
  stream(
    'no-empty-lines',
    'events without an empty line between them',
    [SAID, REST, DONE].map((event) => event.slice(0, -1)),
    GOOD,
  ),
  stream(
    'pings',
    'named events that only say that the server is there',
    ['event: ping\ndata: ping\n\n', SAID, 'event: ping\ndata: {"type":"ping"}\n\n', REST, DONE],
    GOOD,
  ),
  stream(
    'whole-as-stream',
    'one document under the content type of a stream',
    [completionBody({ content: '42 bytes' })],
    GOOD,
  ),
  stream(
    'message-behind-deltas',
    'the whole message again behind its pieces',
    [SAID, deltaEvent({ content: 'bytes' }), `data: ${completionBody({ content: '42 bytes' })}\n\n`, DONE],
    GOOD,
  ),
  stream(
    'message-with-more',
    'a first piece, and the rest only in the whole message',
    [SAID, `data: ${completionBody({ content: '42 bytes', reasoning_content: 'count' })}\n\n`, DONE],
    { ...GOOD, reasoning: 'count' },
  ),
  stream(
    'error-object-in-stream',
    'an event that is an error as a whole, as older vLLM sends it',
    [SAID, 'data: {"object":"error","message":"context too long","code":400}\n\n', DONE],
    { failure: 'stream-error', retryable: false },
  ),
  stream(
    'error-without-data',
    'a JSON error between the events, without `data:`',
    [SAID, '{"error":{"code":500,"message":"worker lost"}}\n'],
    { failure: 'stream-error', retryable: true },
  ),
  stream('error-for-stream', 'a JSON error instead of any event', ['{"error":{"code":400,"message":"no"}}'], {
    failure: 'stream-error',
    retryable: false,
  }),
  stream(
    'error-in-choice',
    'an error inside a choice that also says it ended',
    [
      SAID,
      'data: {"choices":[{"delta":{},"finish_reason":"stop","error":{"code":502,"message":"lost"}}]}\n\n',
      DONE,
    ],
    { failure: 'stream-error', retryable: true },
  ),
  stream('finish-error', 'half an answer that ended by an error', [SAID, deltaEvent({}, 'error'), DONE], {
    failure: 'stream-error',
    retryable: true,
  }),
  stream('finish-abort', 'half an answer that the server stopped', [SAID, deltaEvent({}, 'abort'), DONE], {
    failure: 'stream-error',
    retryable: true,
  }),
  stream('html-for-stream', 'a page of a gateway as a stream', ['<html><body>busy</body></html>'], {
    failure: 'bad-body',
    retryable: true,
  }),
  whole(
    'error-object-in-200',
    'status 200 with a body that is an error as a whole',
    '{"object":"error","message":"context too long","type":"BadRequestError","code":400}',
    { failure: 'error-in-body', retryable: false },
  ),
  {
    name: 'gateway-524',
    about: 'a gateway that waited for the server in vain',
    reply: { status: 524, body: ['error code: 524'] },
    expect: { failure: 'http', retryable: true },
  },
  {
    name: 'reset-before',
    about: 'the connection breaks before the headers',
    reply: { ending: 'reset' },
    expect: { failure: 'network', retryable: true },
  },
  {
    name: 'reset-in-stream',
    about: 'the connection breaks in the stream',
    reply: { headers: STREAM, body: [SAID], ending: 'reset' },
    expect: { failure: 'truncated', retryable: true },
  },
  {
    name: 'body-cut',
    about: 'a document shorter than it says',
    reply: { headers: { 'content-length': '400' }, body: ['{"choices":[{"mess'], ending: 'reset' },
    expect: { failure: 'truncated', retryable: true },
  },
  {
    name: 'status-401',
    about: 'a wrong key',
    reply: { status: 401, body: ['{"error":{"message":"invalid api key"}}'] },
    expect: { failure: 'http', retryable: false },
  },
  {
    name: 'status-422',
    about: 'a request that cannot work',
    reply: { status: 422, body: ['{"detail":[{"msg":"bad field"}]}'] },
    expect: { failure: 'http', retryable: false },
  },
  {
    name: 'status-503',
    about: 'overloaded, in HTML',
    reply: { status: 503, headers: { 'content-type': 'text/html' }, body: ['<h1>503</h1>'] },
    expect: { failure: 'http', retryable: true },
  },
  {
    name: 'redirect',
    about: 'another address',
    reply: { status: 308, headers: { location: '/v2/chat/completions' } },
    expect: { failure: 'http', retryable: false },
  },
];
