import { expect, test } from 'vitest';
import { parseToolAction } from './action.js';

const call = { kind: 'tool-call', name: 'note_add', arguments: { text: 'a', n: 1 } };

function reasonOf(text: string): string {
  const action = parseToolAction(text);
  return action.kind === 'malformed' ? action.reason : `not malformed: ${JSON.stringify(action)}`;
}

test('every written form of a call is the same call', () => {
  const args = '{"text":"a","n":1}';
  const quoted = JSON.stringify(args);
  const forms = [
    `{"name":"note_add","arguments":${args}}`,
    `{"name":"note_add","arguments":${quoted}}`,
    `{"type":"function","function":{"name":"note_add","arguments":${quoted}}}`,
    `{"function":{"name":"note_add","arguments":${args}}}`,
    `[{"name":"note_add","arguments":${args}}]`,
    `{"method":"tools/call","params":{"name":"note_add","arguments":${args}}}`,
    `{"params":{"name":"note_add","arguments":${args}}}`,
    `<tool_call>\n{"name":"note_add","arguments":${args}}\n</tool_call>`,
    `### Turn 3\n\n**Action:**\n\`\`\`json\n{"name":"note_add","arguments":${args}}\n\`\`\``,
    `I will add it [1], as {asked}.\n{"name":"note_add","arguments":${args}} Done.`,
    `{"name":"note_add","arguments":${args}}\nthat is: {"arguments":${args},"name":"note_add"}`,
  ];
  for (const form of forms) expect([form, parseToolAction(form)]).toEqual([form, call]);
});

test('the id that a caller gave is kept as text', () => {
  const forms = [
    '{"name":"note_add","arguments":{"text":"a","n":1},"id":"c7"}',
    '{"id":"c7","type":"function","function":{"name":"note_add","arguments":"{\\"text\\":\\"a\\",\\"n\\":1}"}}',
    '{"type":"function_call","id":"fc_1","call_id":"c7","name":"note_add","arguments":"{\\"text\\":\\"a\\",\\"n\\":1}"}',
    '{"type":"tool_use","id":"c7","name":"note_add","input":{"text":"a","n":1}}',
    '{"jsonrpc":"2.0","id":"c7","method":"tools/call","params":{"name":"note_add","arguments":{"text":"a","n":1}}}',
    '{"role":"assistant","content":null,"tool_calls":[{"id":"c7","type":"function","function":{"name":"note_add","arguments":"{\\"text\\":\\"a\\",\\"n\\":1}"}}]}',
  ];
  for (const form of forms) expect([form, parseToolAction(form)]).toEqual([form, { ...call, callId: 'c7' }]);
  expect(parseToolAction('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"f"}}')).toEqual({
    kind: 'tool-call',
    name: 'f',
    arguments: {},
    callId: '7',
  });
});

test('missing and empty arguments are no arguments', () => {
  const bare = { kind: 'tool-call', name: 'list', arguments: {} };
  for (const form of ['{"name":"list"}', '{"name":"list","arguments":""}', '{"function":{"name":"list"}}']) {
    expect(parseToolAction(form)).toEqual(bare);
  }
});

test('an answer ends the task', () => {
  expect(parseToolAction('{"answer":"four"}')).toEqual({ kind: 'finish', answer: 'four' });
  expect(parseToolAction('All done.\n{"answer":null}')).toEqual({ kind: 'finish', answer: null });
  expect(parseToolAction('{"answer":{"total":12345678901234567890}}')).toEqual({
    kind: 'finish',
    answer: '{"total":12345678901234567890}',
  });
});

test('big integers stay exact, and __proto__ is an argument like any other', () => {
  const action = parseToolAction(
    '{"name":"f","arguments":"{\\"id\\":12345678901234567890,\\"__proto__\\":{\\"a\\":1}}"}',
  );
  expect(action.kind === 'tool-call' && action.arguments.id).toBe(12345678901234567890n);
  expect(action.kind === 'tool-call' && Object.hasOwn(action.arguments, '__proto__')).toBe(true);
  expect(({} as { a?: number }).a).toBeUndefined();
});

test('what is no call is malformed, with what was seen and what is wanted', () => {
  expect(reasonOf('')).toMatch(/^the action is empty; wanted: \{"name":"tool"/);
  expect(reasonOf('please list')).toMatch(/^no JSON in "please list"/);
  expect(reasonOf('{"name":"f","arguments":{"a":1}')).toMatch(/^invalid JSON \(.+\) in "\{/);
  expect(reasonOf('{"name":"f","arguments":{"name":"g","arguments":{}}')).toMatch(/^invalid JSON/);
  expect(reasonOf('{"name":"f","arguments":[1]}')).toMatch(/^the arguments of "f" are \[1\], not an object/);
  expect(reasonOf('{"name":"f","arguments":null}')).toMatch(/^the arguments of "f" are null, not an object/);
  expect(reasonOf('{"name":"f","arguments":"{oops"}')).toMatch(
    /^the arguments of "f" are a text that is not JSON/,
  );
  expect(reasonOf('{"name":"f","parameters":{"a":1}}')).toMatch(/stand under "parameters", not "arguments"/);
  expect(reasonOf('{"name":""}')).toMatch(/^the tool's name is "", not a text/);
  expect(reasonOf('{"name":7,"arguments":{}}')).toMatch(/^the tool's name is 7/);
  expect(reasonOf('{"name":"Ada","email":"ada@example.com"}')).toMatch(/^this JSON is no tool call/);
  expect(reasonOf('{"method":"tools/list","params":{}}')).toMatch(/^the method is "tools\/list"/);
  expect(reasonOf('{"name":"f","answer":"x"}')).toMatch(/^both "name" and "answer"/);
});

test('under an Action heading stands the action; calls in front of it are not run', () => {
  const before = 'I got {"answer":"7"} and could send {"name":"drop","arguments":{}}.\n\n';
  for (const heading of ['**Action:**', '### Action', 'Action:', '> **Action**:']) {
    const good = `${before}${heading}\n\`\`\`json\n{"name":"note_add","arguments":{"text":"a","n":1}}\n\`\`\``;
    expect(parseToolAction(good)).toEqual(call);
    expect(reasonOf(`${before}${heading}\n{"name":"note_add","arguments":`)).toMatch(/^invalid JSON/);
  }
});

test('several different calls in one text are malformed, not the first one', () => {
  expect(reasonOf('{"name":"f","arguments":{}}\n{"name":"g","arguments":{}}')).toMatch(
    /^2 different calls in one action \(f, g\)/,
  );
  expect(reasonOf('[{"name":"f"},{"name":"g"}]')).toMatch(/^a list of 2 calls/);
});

test('calls inside a thought are drafts: one that ended is passed over, one without an end is no action', () => {
  const bare = { kind: 'tool-call', name: 'list', arguments: {} };
  const draft = '{"name":"drop","arguments":{}}';
  for (const text of [
    `<think>maybe ${draft}</think>\n{"name":"list","arguments":{}}`,
    `<think>maybe ${draft}</think>{"name":"list","arguments":{}}`,
    `<thinking>\n${draft}\n</thinking>\n{"name":"list","arguments":{}}`,
    `maybe ${draft}\n</think>\n\n{"name":"list","arguments":{}}`,
  ]) {
    expect([text, parseToolAction(text)]).toEqual([text, bare]);
  }
  expect(reasonOf(`<think>maybe ${draft}`)).toMatch(/^the action is a thought without an end/);
  expect(reasonOf(`maybe ${draft}\n</think>`)).toMatch(/^no JSON/);
  expect(parseToolAction('so: {"name":"note_add","arguments":{"text":"<think>a</think>","n":1}}')).toEqual({
    ...call,
    arguments: { text: '<think>a</think>', n: 1 },
  });
});

test('long arguments come out as they were sent, whatever stands in them and however often', () => {
  const long = 'a line of a file. '.repeat(200);
  const args = {
    path: 'a.txt',
    texts: [long, `${long}!`, long, 'short'],
    nested: { escaped: `${long}"quoted"\n`, ['__proto__']: long, 1: long },
    many: Array.from({ length: 30 }, (_, at) => `${at} ${long}`),
  };
  const sent = JSON.stringify({ name: 'write', arguments: args });
  expect(parseToolAction(sent)).toEqual({
    kind: 'tool-call',
    name: 'write',
    arguments: JSON.parse(sent).arguments,
  });
  const own = parseToolAction(`{"name":"write","arguments":{"__proto__":${JSON.stringify(long)}}}`);
  expect(own.kind === 'tool-call' && Object.hasOwn(own.arguments, '__proto__')).toBe(true);
});
