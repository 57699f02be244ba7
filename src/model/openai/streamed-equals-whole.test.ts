/**
 * The same answer, whole and streamed byte by byte, is the same answer: text, thinking, end, tokens, and the observation in it.
 * Hard cases P-OUT-1 to 3, P-API-1.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JsonObject, readPrediction } from '../../core/index.js';
import {
  completionBody,
  type EndpointReply,
  MISBEHAVIOURS,
  startTestEndpoint,
  type TestEndpoint,
} from '../../testing/index.js';
import { createChatClient } from './chat-client.js';

let next: EndpointReply = {};
let endpoint: TestEndpoint;
beforeAll(async () => {
  endpoint = await startTestEndpoint(() => next);
});
afterAll(() => endpoint.close());

async function outcomeOf(reply: EndpointReply): Promise<unknown> {
  next = reply;
  const client = createChatClient({ baseUrl: endpoint.baseUrl, retry: { attempts: 1 } });
  const result = await client.ask({ model: 'm', messages: [] });
  if (!result.ok) return { kind: result.error.data.kind, partialText: result.error.data.partialText };
  const { choices, usage } = result.value;
  return {
    usage,
    choices: choices.map(({ text, reasoning, finishReason, toolCalls }) => {
      const read = readPrediction(text, { finishReason, reasoning });
      return {
        ...{ text, reasoning, finishReason, toolCalls },
        read: read.ok ? [read.value.observation, read.value.thinking] : read.error.cause,
      };
    }),
  };
}

const BOX = 'box:/w$ ls\na.txt  b.txt\nbox:/w$';
const MESSAGES: readonly (readonly [string, JsonObject, string])[] = [
  [
    'only the closing tag of thinking',
    {
      content: `The folder has two files.\n</think>\n\n<predicted_observation>\n${BOX}\n</predicted_observation>`,
    },
    'stop',
  ],
  [
    'thinking that never closes',
    { content: '<think>Maybe <predicted_observation>total 0</predicted_observation> no, the folder' },
    'length',
  ],
  [
    'all of it in the reasoning',
    { content: '', reasoning_content: 'Maybe <predicted_observation>total 0</predicted_observation>' },
    'stop',
  ],
  [
    'an empty observation',
    { content: '<think>mkdir is silent</think><predicted_observation></predicted_observation>' },
    'stop',
  ],
  ['reasoning under its old name', { content: '42 bytes', reasoning_content: 'check size first' }, 'stop'],
  [
    'reasoning under two names',
    { content: '42 bytes', reasoning: 'check size first', reasoning_content: 'check size first' },
    'stop',
  ],
  ['reasoning under a third name', { content: '42 bytes', thinking: 'check size first' }, 'stop'],
  ['thinking in the text', { content: '<think>check size first</think>\n42 bytes', reasoning: '' }, 'stop'],
  ['a plain answer in other scripts', { content: '温度 21° 🙂 в коробке' }, 'stop'],
  [
    'two drafts',
    {
      content:
        '<predicted_observation>a</predicted_observation> no: <predicted_observation>\nb\n</predicted_observation>',
    },
    'stop',
  ],
  ['a tag that is cut', { content: '<predicted_observation>\nhalf an answ' }, 'length'],
];

function whole(message: JsonObject, finish: string): EndpointReply {
  return {
    body: [
      completionBody(
        {},
        { choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }] },
      ),
    ],
  };
}

/** Every field piece by piece, one character a chunk, null fields beside it; then every byte by itself. */
function streamed(message: JsonObject, finish: string): EndpointReply {
  const event = (delta: JsonObject, finish_reason: string | null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const names = Object.keys(message);
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const order = [...names.filter((name) => name !== 'content'), 'content'];
  // Fields of one meaning come side by side, as servers send them.
  const longest = Math.max(...order.map((name) => [...String(message[name] ?? '')].length));
  const thought = Array.from({ length: longest }, (_none, at) => {
    const piece = Object.fromEntries(
      order
        .filter((name) => name !== 'content')
        .map((name) => [name, [...String(message[name] ?? '')][at] ?? null]),
    );
    return event({ ...nulls, ...piece }, null);
  });
  const said = [...String(message.content ?? '')].map((char) => event({ ...nulls, content: char }, null));
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n';
  const text = [...thought, ...said, event({}, finish), usage, 'data: [DONE]\n\n'].join('');
  return { headers: { 'content-type': 'text/event-stream' }, body: pieces(text, 97) };
}

function pieces(text: string, size: number): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_none, at) =>
    bytes.slice(at * size, (at + 1) * size),
  );
}

test.each(MESSAGES)('streamed and whole are the same: %s', async (_name, message, finish) => {
  expect(await outcomeOf(streamed(message, finish))).toEqual(await outcomeOf(whole(message, finish)));
});

const STREAMS = MISBEHAVIOURS.filter(
  ({ reply }) => reply.headers?.['content-type'] === 'text/event-stream' && reply.ending === undefined,
);

test.each(STREAMS)('a stream with the misbehaviour $name is the same byte by byte', async ({ reply }) => {
  const text = (reply.body ?? []).filter((piece) => typeof piece === 'string').join('');
  expect(await outcomeOf({ ...reply, body: pieces(text, 1) })).toEqual(await outcomeOf(reply));
});
