/**
 * Bounds in messages are the ones that hold: a value that fits the message is accepted.
 */
import { expect, test } from 'vitest';
import type { WorldProblem } from './index.js';
import { loadWorld } from './index.js';

function messages(parts: object): string[] {
  const result = loadWorld(JSON.stringify({ world: 1, name: 'bounds', domain: 'mcp', tools: [], ...parts }));
  const found = result.ok ? [] : (result.error.data.problems as WorldProblem[]);
  return found.map(({ path, message }) => `${path} ${message}`);
}

test('a bound that a value must exceed is not called the least value', () => {
  expect(messages({ budget: { maxTurns: 0, maxSeconds: 0 } })).toEqual([
    'budget.maxTurns is 0; wanted more than 0',
    'budget.maxSeconds is 0; wanted more than 0',
  ]);
});

test('a bound that a value may equal is told with its unit, one item or several', () => {
  const when = { rate: 2, calls: [] };
  expect(messages({ faults: [{ kind: 'error', when }], name: 'a'.repeat(101) })).toEqual([
    `name is "${'a'.repeat(78)}…; wanted at most 100 characters`,
    'faults[0].when.rate is 2; wanted at most 1',
    'faults[0].when.calls is []; wanted at least 1 item',
  ]);
});

test('turns of a fault that are none are told by example, and one turn may be a number', () => {
  const fault = (turns: unknown): object => ({ faults: [{ kind: 'error', when: { turns } }] });
  expect(messages(fault(3))).toEqual([]);
  expect(messages(fault('x'))).toEqual([
    'faults[0].when.turns is "x"; wanted turns such as "3", "3-5", "3-", "-5" or "2,4"',
  ]);
  expect(messages(fault(0))).toEqual(['faults[0].when.turns is 0; wanted more than 0']);
});
