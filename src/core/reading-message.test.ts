import { expect, test } from 'vitest';
import { createMessageReader, readMessage, readPrediction, stripObservationMarker } from './index.js';

const MESSAGES = [
  { content: '42 bytes', reasoning_content: 'check size first' },
  { content: '42 bytes', reasoning: 'check size first', reasoning_content: 'check size first' },
  { content: '42 bytes', thinking: 'check size first' },
  { content: '<think>check size first</think>\n42 bytes', reasoning: '' },
];

test('one meaning under three field names is read once', () => {
  for (const message of MESSAGES) {
    const { content, reasoning } = readMessage(message);
    const reading = readPrediction(content ?? '', { finishReason: 'stop', reasoning });
    expect(reading).toMatchObject({
      ok: true,
      value: { observation: '42 bytes', thinking: 'check size first' },
    });
  }
});

test('deltas in the same fields, nulls among them, give the same', () => {
  for (const message of MESSAGES) {
    const reader = createMessageReader();
    reader.push({ role: 'assistant', content: null, reasoning: null, thinking: null });
    for (const [field, text] of Object.entries(message)) {
      for (const char of text) reader.push({ content: null, [field]: char });
    }
    expect(reader.end()).toEqual(readMessage(message));
  }
});

test('the field that a server used is told, for sending reasoning back', () => {
  expect(readMessage(MESSAGES[2]).reasoningField).toBe('thinking');
  expect(readMessage(MESSAGES[3]).reasoningField).toBeNull();
});

test('an unknown field that looks like reasoning is named and never added', () => {
  expect(readMessage({ content: 'a', inner_thoughts: 'b', reasoning_details: [], other: 1 })).toEqual({
    content: 'a',
    reasoning: null,
    reasoningField: null,
    unknownFields: ['inner_thoughts', 'reasoning_details'],
  });
});

test('content in parts is joined, thinking parts apart', () => {
  const parts = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ];
  expect(readMessage({ content: parts })).toMatchObject({ content: 'ab', reasoning: 'hm' });
  expect(readMessage(null)).toMatchObject({ content: null, reasoning: null });
});

test('the observation marker is removed for known domains only', () => {
  expect(stripObservationMarker('**Environment Observation:**\nabc\n')).toBe('abc');
  expect(stripObservationMarker('**Environment Observation:** abc', 'x/terminal')).toBe('abc');
  expect(stripObservationMarker('**Environment Observation:** abc', 'other')).toBe(
    '**Environment Observation:** abc',
  );
  expect(stripObservationMarker(' abc\n', 'mcp')).toBe(' abc\n');
});
