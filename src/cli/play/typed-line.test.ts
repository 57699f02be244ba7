import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../domains/index.js';
import { readTypedLine } from './typed-line.js';

const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'lamp_set',
    inputSchema: {
      type: 'object',
      properties: { room: { type: 'string' }, level: { type: 'integer' }, tags: { type: 'array' } },
      required: ['room'],
    },
  },
];

test('key=value pairs become JSON, and text stays text where the schema wants text', () => {
  expect(readTypedLine('lamp_set room=12 level=7', TOOLS)).toEqual({
    kind: 'action',
    action: '{"name":"lamp_set","arguments":{"room":"12","level":7}}',
  });
});

test('quotes hold spaces together and lists are JSON', () => {
  expect(readTypedLine(`lamp_set room="north hall" tags=["a b",1]`, TOOLS)).toEqual({
    kind: 'action',
    action: '{"name":"lamp_set","arguments":{"room":"north hall","tags":["a b",1]}}',
  });
});

test('a tool with JSON arguments keeps big integers exactly', () => {
  expect(readTypedLine('lamp_set {"level": 12345678901234567890}', TOOLS)).toEqual({
    kind: 'action',
    action: '{"name":"lamp_set","arguments":{"level":12345678901234567890}}',
  });
});

test('raw JSON is the action itself, and a JSON string is the text it holds', () => {
  expect(readTypedLine(' {"name":"nothing"} ', TOOLS)).toEqual({
    kind: 'action',
    action: '{"name":"nothing"}',
  });
  expect(readTypedLine('"just words"', TOOLS)).toEqual({ kind: 'action', action: 'just words' });
});

test('a slip is a hint and no action', () => {
  expect(readTypedLine('lamp_st room=hall', TOOLS)).toEqual({
    kind: 'hint',
    text: 'no tool "lamp_st" here; did you mean lamp_set? (raw JSON is sent as it is)',
  });
  expect(readTypedLine('lamp_set {"room": }', TOOLS).kind).toBe('hint');
  expect(readTypedLine('lamp_set room', TOOLS)).toEqual({
    kind: 'hint',
    text: 'cannot read "room"; wanted lamp_set {"key": value} or lamp_set key=value',
  });
});

test('a key named __proto__ is an ordinary key', () => {
  expect(readTypedLine('lamp_set __proto__=1', TOOLS)).toEqual({
    kind: 'action',
    action: '{"name":"lamp_set","arguments":{"__proto__":1}}',
  });
});

test('commands start with a colon and keep their rest whole', () => {
  expect(readTypedLine(':answer two  lamps', TOOLS)).toEqual({
    kind: 'command',
    name: 'answer',
    rest: 'two  lamps',
  });
  expect(readTypedLine('   ', TOOLS)).toEqual({ kind: 'nothing' });
});
