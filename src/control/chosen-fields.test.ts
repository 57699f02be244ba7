/**
 * Which field a fault takes where the world names none: one of the kind that the fault is about.
 */
import { expect, test } from 'vitest';
import { type Json, renderJson, traced } from '../core/index.js';
import { compileSchedule } from './compile-schedule.js';
import type { Decided } from './fault-schedule.js';

function strike(kind: string, value: Json, seed: number): Decided {
  const compiled = compileSchedule([{ kind }], seed);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  const schedule = compiled.value;
  const op = { kind: 'tool.call', name: 'get', args: {} } as const;
  const before = schedule.decide(op, { phase: 'before', turn: 1 }, schedule.start());
  const answer = { text: traced(renderJson(value), 'computed'), isError: false };
  return schedule.decide(op, { phase: 'after', turn: 1, answer }, before.counters);
}

function fieldsOver(kind: string, value: Json): readonly string[] {
  const seen = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    for (const fault of strike(kind, value, seed).decision?.applied ?? []) {
      for (const name of fault.fields ?? ['(no field)']) seen.add(name);
    }
  }
  return [...seen].sort();
}

test('a new kind comes only where a field holds one of a few words', () => {
  const row = { id: 'A1', owner: 'Ada', title: 'Lamp', accountStatus: 'open', type: 'asset' };
  expect(fieldsOver('enum-grown', { rows: [row], total: 1 })).toEqual(['accountStatus', 'type']);
  expect(strike('enum-grown', { owner: 'Ada' }, 1)).toMatchObject({
    decision: null,
    skipped: [{ why: 'the answer has no field of a few known words, such as a status' }],
  });
});

test('another unit comes only where a number measures something', () => {
  const row = { id: 7, weight_kg: 2, price: 12, qty: 3, priority: 1, pageSize: 5 };
  expect(fieldsOver('units-changed', { rows: [row], total: 1, succeeded: 1 })).toEqual([
    'price',
    'weight_kg',
  ]);
  expect(strike('units-changed', { ready: 2, total: 4 }, 1).decision).toBeNull();
});

test('a list inside one row is no result that could be incomplete', () => {
  const lines = [{ sku: 'a' }, { sku: 'b' }];
  expect(strike('incomplete-result', { id: 'O1', lines }, 1)).toMatchObject({
    decision: null,
    skipped: [{ why: 'the answer has no list' }],
  });
  expect(strike('incomplete-result', { orders: lines }, 1).decision?.reply).toMatchObject({
    answer: { text: { text: '{"orders":[{"sku":"a"}],"partial":true}' } },
  });
});
