import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  COMMENT_LINE,
  createJsonLineReader,
  type Json,
  type JsonLineEvent,
  LIMITS,
  type LineProblem,
} from './index.js';

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  );
}

function readAll(bytes: Uint8Array, chunk = bytes.length || 1): readonly JsonLineEvent[] {
  const reader = createJsonLineReader();
  const events: JsonLineEvent[] = [];
  for (let at = 0; at < bytes.length; at += chunk) events.push(...reader.push(bytes.slice(at, at + chunk)));
  return [...events, ...reader.end()];
}

function valuesOf(events: readonly JsonLineEvent[]): readonly Json[] {
  return events.flatMap((event) => (event.kind === 'value' ? [event.value] : []));
}

function problemsOf(events: readonly JsonLineEvent[]): readonly LineProblem[] {
  return events.flatMap((event) => (event.kind === 'problem' ? [event.problem] : []));
}

const dirty = bytesOf(
  [0xef, 0xbb, 0xbf],
  '{"n":1,"text":"start"}\r\n',
  '{"n":2,"text":"left\u2028right"}\n',
  new Array<number>(300).fill(0),
  '\n{"n":4,"text":"cut \\ud83d"}\n',
  '{"n":5,"text":"',
  [0xc3, 0x28],
  '"}\n',
  '{"n":6,"text":"unfin',
);

test('dirty bytes are read as far as they can be, each trouble named by line and byte', () => {
  for (const chunk of [1, 7, dirty.length]) {
    const events = readAll(dirty, chunk);
    expect(valuesOf(events)).toEqual([
      { n: 1, text: 'start' },
      { n: 2, text: 'left\u2028right' },
      { n: 4, text: 'cut \ufffd' },
      { n: 5, text: '\ufffd(' },
    ]);
    const third = 3 + 24 + 30;
    expect(problemsOf(events)).toEqual([
      {
        severity: 'error',
        line: 3,
        byteOffset: third,
        message: '300 zero bytes where JSON should be; left out',
      },
      {
        severity: 'warning',
        line: 4,
        byteOffset: third + 301,
        message: 'half of a surrogate pair; U+FFFD put in its place',
      },
      {
        severity: 'warning',
        line: 5,
        byteOffset: third + 301 + 28 + 15,
        message: 'bytes that are not UTF-8; U+FFFD put in their place',
      },
      {
        severity: 'error',
        line: 6,
        byteOffset: third + 301 + 28 + 20,
        message: 'incomplete last line; left out',
      },
    ]);
  }
});

test('whole emoji in escapes stay, and half ones in keys are replaced too', () => {
  expect(valuesOf(readAll(bytesOf('{"\\ud83d\\ude42":"\\ud83d\\ude42","\\udc00":[1]}\n')))).toEqual([
    { '🙂': '🙂', '\ufffd': [1] },
  ]);
});

test('several objects on one line are all read, with a warning', () => {
  const events = readAll(bytesOf('{"a":1}{"b":"}{"} [2]\n{"c":3}'));
  expect(valuesOf(events)).toEqual([{ a: 1 }, { b: '}{' }, [2], { c: 3 }]);
  expect(problemsOf(events)).toEqual([
    { severity: 'warning', line: 1, byteOffset: 7, message: '3 JSON values on one line; each was read' },
  ]);
});

test('zero bytes in front of a record do not cost the record', () => {
  expect(valuesOf(readAll(bytesOf([0, 0, 0], '{"a":1}\n')))).toEqual([{ a: 1 }]);
});

test('a piece of a torn record is never taken for a record', () => {
  const events = readAll(bytesOf('{"a":{"b":1}\n{"a":{"b":1}'));
  expect(valuesOf(events)).toEqual([]);
  expect(problemsOf(events).map(({ line, message }) => [line, message.split(':')[0]])).toEqual([
    [1, 'not JSON'],
    [2, 'incomplete last line; left out'],
  ]);
});

test('a line beyond the limit is skipped and the next one is read', () => {
  const reader = createJsonLineReader();
  const block = new Uint8Array(8 * 1024 * 1024).fill(0x20);
  const events: JsonLineEvent[] = [];
  for (let size = 0; size <= LIMITS.lineBytes; size += block.length) events.push(...reader.push(block));
  events.push(...reader.push(bytesOf('\n{"a":1}\n')), ...reader.end());
  expect(valuesOf(events)).toEqual([{ a: 1 }]);
  expect(problemsOf(events)[0]?.message).toContain('lineBytes');
});

test('any bytes in any pieces give the same events, and never throw', () => {
  const piece = fc.oneof(
    fc.constantFrom('{"a":1}', '\n', '\r\n', '{"a":"', '"}', '\u2028', '\ufeff', '\\ud800', '[1,2]', 'null'),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => [...bytes]),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (pieces, chunk) => {
      const bytes = bytesOf(...pieces);
      expect(readAll(bytes, chunk)).toEqual(readAll(bytes));
    }),
  );
});

test('a line that begins with # is a comment and nothing in it is read', () => {
  const reader = createJsonLineReader();
  const bytes = new TextEncoder().encode('{"n":1}\n  # {"n":2}\n{"n":3}\n# the end');
  const events = [...reader.push(bytes), ...reader.end()];
  expect(events.map((event) => (event.kind === 'value' ? event.value : event.problem))).toEqual([
    { n: 1 },
    { severity: 'warning', line: 2, byteOffset: 8, message: COMMENT_LINE },
    { n: 3 },
    { severity: 'warning', line: 4, byteOffset: 28, message: COMMENT_LINE },
  ]);
});
