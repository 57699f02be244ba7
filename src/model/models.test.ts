import { expect, test } from 'vitest';
import type { GenerateRequest, LanguageModel } from '../core/index.js';
import { createReplayModel } from './replay-model.js';
import { parseModelRecords, parseScript } from './script-lines.js';
import { createScriptedModel } from './scripted-model.js';

function asked(content: string, key?: string): GenerateRequest {
  return { messages: [{ role: 'user', content }], ...(key !== undefined && { key }) };
}

async function answer(model: LanguageModel, request: GenerateRequest): Promise<string> {
  const generation = await model.generate(request);
  if (!generation.ok) return `${generation.error.code}: ${generation.error.message}`;
  return generation.value.samples.map(({ text }) => text).join('|');
}

test('entries with match answer every question they fit, the others are used up in order', async () => {
  const model = createScriptedModel([
    { text: 'first' },
    { match: 'weather', text: 'sun' },
    { match: { pattern: '^tool\\.call time' }, text: 'noon' },
    { text: 'second' },
  ]);
  expect(await answer(model, asked('the weather?'))).toBe('sun');
  expect(await answer(model, asked('hello'))).toBe('first');
  expect(await answer(model, asked('x', 'tool.call time_get {}'))).toBe('noon');
  expect(await answer(model, asked('the weather again?'))).toBe('sun');
  expect(await answer(model, asked('hello'))).toBe('second');
  expect(await answer(model, asked('hello'))).toBe(
    'provider/no-recording: the script has no answer left for "hello"; it has 4 entries, none fits and those without match are used up. Add an entry',
  );
});

test('a scripted error is a failure of the provider, and n samples are n samples', async () => {
  const model = createScriptedModel([{ error: 'overloaded' }, { text: 'a' }]);
  expect(await answer(model, asked('x'))).toBe('provider/failed: overloaded');
  expect(await answer(model, { ...asked('x'), n: 3 })).toBe('a|a|a');
});

test('a script with a pattern that does not compile is refused when it is made', () => {
  expect(() => createScriptedModel([{ match: { pattern: '(' }, text: 'x' }])).toThrow(/does not compile/);
});

test('a replay gives each key its answers first in, first out, whatever the order between keys', async () => {
  const records = [
    { key: 'clock', text: '10:00' },
    { key: 'list', text: '[a]' },
    { key: 'clock', text: '10:05' },
  ];
  const model = createReplayModel(records);
  const said = [];
  for (const key of ['list', 'clock', 'clock', 'clock', 'lists'])
    said.push(await answer(model, asked('', key)));
  expect(said).toEqual([
    '[a]',
    '10:00',
    '10:05',
    'provider/no-recording: no recording left for clock: all 2 recorded answers were used',
    'provider/no-recording: no recording for lists; the nearest recorded key is list',
  ]);
});

test('a question without a key is found by its words', async () => {
  const { requestKey } = await import('./generation.js');
  const model = createReplayModel([{ key: requestKey(asked('hello')), text: 'hi' }]);
  expect(await answer(model, asked('hello'))).toBe('hi');
});

test('script lines are read, and a wrong line is named', () => {
  expect(parseScript('{"match":"a","text":"b"}\n\n{"error":"c"}\n')).toEqual({
    ok: true,
    value: [{ match: 'a', text: 'b' }, { error: 'c' }],
  });
  const wrong = parseScript('{"text":"b"}\n{"txt":"b"}');
  expect(wrong.ok ? null : wrong.error.message).toBe(
    'line 2 has other keys or values: {"txt":"b"}. Each line must be {"match"?: …, "text": …} or {"match"?: …, "error": …}',
  );
  const noJson = parseModelRecords(['{"key":"a","text":"b"}', 'x']);
  expect(noJson.ok ? null : noJson.error.data).toEqual({
    line: 2,
    wanted: '{"key": …, "text": …} or {"key": …, "error": …}',
  });
});
