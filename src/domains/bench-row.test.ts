/** Rows of the benchmark: P-EVAL-1's rows and the odd ones around them. */
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../core/index.js';
import { readBenchRow } from './index.js';

const ROW = {
  task: 'terminal',
  id: 1,
  system_str: 'S',
  prompt: ['a1', 'a2'],
  response: ['o1', 'o2'],
  turn_idx: 2,
};

function seen(value: Json): unknown {
  const read = readBenchRow(value);
  if (!read.ok) return read.error;
  const { raw: _, ...row } = read.value;
  return row;
}

test('a row of lists gives the turns before, the action and the real observation', () => {
  const row = {
    ...ROW,
    prompt: ['a1', 'a2', 'a3'],
    response: ['o1', 'o2', 'o3'],
    current_prompt: 'a3',
    turn_idx: 3,
    total_turns: 3,
  };
  expect(seen(row)).toEqual({
    key: 'terminal/1#3',
    trajectory: 'terminal/1',
    domain: 'terminal',
    task: 'terminal',
    id: '1',
    turn: 3,
    totalTurns: 3,
    system: 'S',
    history: [
      { action: 'a1', observation: 'o1' },
      { action: 'a2', observation: 'o2' },
    ],
    action: 'a3',
    truth: 'o3',
    warnings: [],
  });
});

test('a row of texts is one whole action and one whole observation', () => {
  const row = { task: 'suite/terminal', id: 'x', prompt: '### Turn 1\nls', response: 'x.txt', turn_idx: 1 };
  expect(seen(row)).toMatchObject({
    key: 'suite/terminal/x#1',
    domain: 'terminal',
    system: '',
    history: [],
    action: '### Turn 1\nls',
    truth: 'x.txt',
    totalTurns: 1,
  });
});

test('a system prompt in pieces is joined and told; one that is no text makes the row invalid', () => {
  expect(seen({ ...ROW, system_str: ['You are', 'a shell'] })).toMatchObject({
    system: 'You are\na shell',
    warnings: ['system_str is a list; its texts are joined by line feeds'],
  });
  expect(seen({ ...ROW, system_str: null })).toMatchObject({ system: '', warnings: [] });
  expect(seen({ ...ROW, system_str: { text: 'S' } })).toBe('system_str is {"text":"S"}, wanted a text');
});

test('another current_prompt is asked, as in the published evaluation, and told', () => {
  expect(seen({ ...ROW, current_prompt: 'other' })).toMatchObject({
    action: 'other',
    truth: 'o2',
    warnings: ['current_prompt is not prompt 2; current_prompt is asked'],
  });
  expect(seen({ ...ROW, current_prompt: '' })).toMatchObject({ action: 'a2', warnings: [] });
});

test.each<[string, JsonObject, string]>([
  ['turn 0', { turn_idx: 0 }, 'turn_idx is 0, wanted 1 to 2'],
  ['a turn beyond the list', { turn_idx: 3 }, 'turn_idx is 3, wanted 1 to 2'],
  ['a turn in words', { turn_idx: '2' }, 'turn_idx is "2", wanted 1 to 2'],
  ['too few observations', { response: ['o1'] }, 'turn_idx is 2, and there are 1 observations'],
  ['no turns', { prompt: [] }, 'it has no turns'],
  [
    'an unknown domain',
    { task: 'x/defi' },
    'task "x/defi" names no known domain; wanted one of mcp, search, terminal, swe, android, web, os',
  ],
  ['no id', { id: null }, 'id is null, wanted a number or a text'],
  ['a prompt of numbers', { prompt: [1] }, 'prompt is neither a text nor a list of texts'],
  ['no response', { response: null }, 'response is neither a text nor a list of texts'],
])('%s makes a row invalid, in words', (_what, change, why) => {
  expect(seen({ ...ROW, ...change })).toBe(why);
});

test('a row without a number asks the first turn; lists of different lengths are told', () => {
  expect(seen({ ...ROW, turn_idx: null })).toMatchObject({ turn: 1, action: 'a1', truth: 'o1' });
  expect(seen({ ...ROW, response: ['o1', 'o2', 'o3'] })).toMatchObject({
    warnings: ['2 actions and 3 observations; those after turn 2 are not used'],
  });
});
