import { expect, test } from 'vitest';
import type { ContentContext } from '../domain-format.js';
import { toolContentTypes } from './content-types.js';

/** The text with each span but the deterministic ones in brackets: `<runtime>`, `(pre-existing)`. */
function marked(text: string, context: ContentContext = {}): string {
  return toolContentTypes(text, context)
    .map(({ start, end, type }) => {
      const part = text.slice(start, end);
      return type === 'deterministic' ? part : type === 'runtime-metadata' ? `<${part}>` : `(${part})`;
    })
    .join('');
}

const action = {
  kind: 'tool-call' as const,
  name: 'order_get',
  arguments: { id: 'A-17', limit: 5, note: 'two red lamps' },
};

test('in JSON, structure and echoes are deterministic, times and request ids runtime, the rest content', () => {
  expect(
    marked(
      '{"id": "A-17", "limit": 5, "city": "Turin", "n": 6, "requestId": 881, "at": "2031-05-04T10:00:00Z"}',
      {
        action,
      },
    ),
  ).toBe(
    '{"id": "A-17", "limit": 5, "city": "(Turin)", "n": (6), "requestId": <881>, "at": "<2031-05-04T10:00:00Z>"}',
  );
});

test('values under a telling name are runtime metadata in lists and by shape anywhere', () => {
  expect(
    marked('{"timestamps":[1,2],"x":["3 ms","0b9f7c1e-1111-4222-8333-944455556666"],"updated":true}'),
  ).toBe('{"timestamps":[<1>,<2>],"x":["<3 ms>","<0b9f7c1e-1111-4222-8333-944455556666>"],"updated":(true)}');
});

test('known state counts as determined', () => {
  expect(marked('{"owner":"Mira"}', { state: [{ people: ['Mira'] }] })).toBe('{"owner":"Mira"}');
});

test('in text, echoes and times are found inside sentences', () => {
  expect(marked('Order A-17 (two red lamps) was packed at 2031-05-04 10:00:03 by Ole.', { action })).toBe(
    '(Order )A-17( ()two red lamps() was packed at )<2031-05-04 10:00:03>( by Ole.)',
  );
});

test('an echo counts only as a whole word', () => {
  expect(marked('XA-171', { action })).toBe('(XA-171)');
});
