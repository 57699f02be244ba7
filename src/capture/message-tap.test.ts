import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMessageTap } from './message-tap.js';

/** The messages of a body that arrives in pieces of a size. */
async function messagesOf(body: Uint8Array, type: string, how: { size?: number; encoding?: string } = {}) {
  const seen: [string, string | undefined][] = [];
  const tap = createMessageTap(
    { contentType: type, contentEncoding: how.encoding },
    {
      onMessage: (bytes, event) => void seen.push([Buffer.from(bytes).toString(), event]),
      onTooLong: () => expect.unreachable(),
    },
  );
  const size = how.size ?? 7;
  for (let at = 0; at < body.length; at += size) tap.push(body.subarray(at, at + size));
  await tap.end();
  return seen;
}

const EVENTS = 'text/event-stream; charset=utf-8';

test('messages of an event stream are the same in pieces of any size and with any line ends', async () => {
  const messages = fc.array(fc.record({ id: fc.nat(), text: fc.string({ unit: 'grapheme' }) }), {
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(
      messages,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('\n', '\r\n'),
      async (list, size, end) => {
        const texts = list.map((message) => JSON.stringify(message));
        const body = texts
          .map((text, index) => `: note${end}id: ${index}${end}data: ${text}${end}${end}`)
          .join('');
        const seen = await messagesOf(Buffer.from(body), EVENTS, { size });
        expect(seen).toEqual(texts.map((text, index) => [text, String(index)]));
      },
    ),
  );
});

test('a batch is cut into its messages, whatever stands in their strings', async () => {
  const values = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(values, fc.constantFrom(0, 1), async (list, indent) => {
      const items = list.map((value) => ({ jsonrpc: '2.0', value }));
      const seen = await messagesOf(Buffer.from(JSON.stringify(items, null, indent)), 'application/json');
      expect(seen.map(([text]) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(items)));
    }),
  );
});

test('one message is handed on byte for byte, packed or not', async () => {
  const text = ' {"id": 1,\n "text": "naïve [🙂]"}\n';
  const body = Buffer.from(text);
  const seen = [
    await messagesOf(body, 'application/json'),
    await messagesOf(gzipSync(body), 'application/json', { encoding: 'gzip' }),
    await messagesOf(deflateSync(body), 'application/json', { encoding: 'deflate' }),
    await messagesOf(brotliCompressSync(body), 'application/json', { encoding: 'br' }),
  ];
  expect(seen).toEqual(Array(4).fill([[text, undefined]]));
});

test('bodies that are cut, broken or of another type hand on what is whole, and nothing else', async () => {
  expect(await messagesOf(Buffer.from('data: {"a":1}\n\ndata: {"b"'), EVENTS)).toEqual([
    ['{"a":1}', undefined],
  ]);
  expect(await messagesOf(Buffer.from('[{"a":1'), 'application/json')).toEqual([['[{"a":1', undefined]]);
  expect(await messagesOf(Buffer.from('not gzip'), 'application/json', { encoding: 'gzip' })).toEqual([]);
  const endpoint = 'event: endpoint\ndata: /message?sessionId=key\n\nevent: message\ndata: {}\n\n';
  expect(await messagesOf(Buffer.from(endpoint), EVENTS)).toEqual([['{}', undefined]]);
  expect(await messagesOf(Buffer.from('<p>'), 'text/html')).toEqual([]);
  expect(await messagesOf(Buffer.alloc(0), 'application/json')).toEqual([]);
});
