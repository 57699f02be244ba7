import { expect, test } from 'vitest';
import { inferService } from './infer.js';

function casesOf(name: string, actions: readonly string[], properties: Record<string, object>) {
  const action = { type: 'string', enum: [...actions] };
  const inputSchema = { type: 'object', properties: { action, ...properties }, required: ['action'] };
  const model = inferService({
    tools: [{ name, inputSchema }],
    data: {},
    entities: {},
    overrides: {},
    strict: false,
  });
  const plans = Object.entries(model.plans[name]?.cases?.plans ?? {});
  return {
    ops: Object.fromEntries(plans.map(([value, plan]) => [value, plan.op])),
    collections: Object.keys(model.collections),
  };
}

test('adding beside calculations, with nothing to read, is a sum and keeps no rows', () => {
  const amounts = { start: { type: 'string' }, amount: { type: 'number' } };
  expect(casesOf('duration', ['convert', 'add', 'calculate'], amounts)).toEqual({ ops: {}, collections: [] });
});

test('adding beside a list keeps rows, also where another case calculates', () => {
  const named = { name: { type: 'string' } };
  const { ops, collections } = casesOf('remote', ['list', 'add', 'convert'], named);
  expect([ops.add, ops.list, collections]).toEqual(['create', 'list', ['remotes']]);
});

test('the time is still told among calculations', () => {
  const { ops } = casesOf('datetime', ['now', 'convert', 'format'], { timezone: { type: 'string' } });
  expect(ops.now).toBe('clock');
});
