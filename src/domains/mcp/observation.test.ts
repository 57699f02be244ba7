import { expect, test } from 'vitest';
import {
  normaliseToolObservation,
  parseToolResult,
  renderToolResult,
  unwrapObservation,
} from './observation.js';
import { ToolResultSchema, textResult } from './tool-result.js';

test('text blocks are joined with a newline', () => {
  const result = { content: ['one', 'two\n'].map((text) => ({ type: 'text' as const, text })) };
  expect(renderToolResult(result)).toBe('one\ntwo\n');
});

test('structured content is shown once: only when there is no text', () => {
  const structuredContent = { total: 36, id: 12345678901234567890n };
  const shown = '{"total":36,"id":12345678901234567890}';
  expect(renderToolResult({ content: [], structuredContent })).toBe(shown);
  expect(renderToolResult({ content: [{ type: 'text', text: shown }], structuredContent })).toBe(shown);
  const image = { type: 'image' as const, data: 'QUJD', mimeType: 'image/png' };
  expect(renderToolResult({ content: [image], structuredContent })).toBe(
    `[image image/png, 3 bytes]\n${shown}`,
  );
});

test('what is not text becomes one honest line', () => {
  const result = ToolResultSchema.parse({
    content: [
      { type: 'image', data: 'QUJDRA==', mimeType: 'image/png\nfake line' },
      { type: 'audio', data: '', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'body' } },
      { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'QUI=' } },
      { type: 'resource_link', uri: 'file:///b', name: 'b' },
      { type: 'hologram', depth: 3 },
    ],
  });
  expect(renderToolResult(result)).toBe(
    [
      '[image image/png fake line, 4 bytes]',
      '[audio audio/wav, 0 bytes]',
      '[resource file:///a.txt, text/plain]',
      'body',
      '[resource file:///a.bin, 2 bytes]',
      '[resource_link file:///b, b]',
      '[hologram]',
    ].join('\n'),
  );
});

test('a known kind of block with missing fields is not a result', () => {
  expect(ToolResultSchema.safeParse({ content: [{ type: 'text' }] }).success).toBe(false);
});

test('the error mark is kept beside the text', () => {
  expect(parseToolResult('database locked', { isError: true })).toEqual({
    content: [{ type: 'text', text: 'database locked' }],
    isError: true,
  });
  expect(parseToolResult('', {})).toEqual(textResult(''));
});

test('benchmark wrappers come off, other JSON stays', () => {
  expect(unwrapObservation('{"type":"text","text":"a\\nb"}')).toBe('a\nb');
  expect(
    unwrapObservation(
      '**Environment Observation:**\n[{"type":"text","text":"a"},{"type":"text","text":"b"}]',
    ),
  ).toBe('a\nb');
  expect(unwrapObservation('{"content":[{"type":"text","text":"a"}],"isError":true}')).toBe('a');
  for (const plain of [
    '{"type":"text"}',
    '[]',
    '{"type":"text","text":"a","size":3}',
    '{"content":"x"}',
    'a',
  ]) {
    expect(unwrapObservation(plain)).toBe(plain);
  }
});

test('key order, white space, line ends and wrappers do not count in a comparison', () => {
  const one = normaliseToolObservation('{"b": [1, 2],\r\n "a": 12345678901234567890}\n');
  expect(one).toBe('{"a":12345678901234567890,"b":[1,2]}');
  expect(
    normaliseToolObservation('{"type":"text","text":"{\\"a\\":12345678901234567890,\\"b\\":[1,2]}"}'),
  ).toBe(one);
  expect(normaliseToolObservation('{"a":12345678901234567891,"b":[1,2]}')).not.toBe(one);
  expect(normaliseToolObservation('one\r\ntwo \n')).toBe('one\ntwo');
  expect(normaliseToolObservation('1.0')).toBe('1.0');
});
