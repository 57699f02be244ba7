import { expect, test } from 'vitest';
import type { EngineOutcome, EngineSession, JsonObject } from '../../../core/index.js';
import { drive, faultAnswer, type TestHost, toolCall } from '../../engine.contract.js';
import { collection, engineOf, field, testWorld } from '../engine-worlds.contract.js';

const world = testWorld({
  collections: [
    collection('invoices', [field('id'), field('customer'), field('cents')], {
      idStyle: { kind: 'token', prefix: 'inv_', length: 10 },
    }),
  ],
  tools: [
    {
      name: 'invoice_create',
      input: {
        customer: { type: 'string' },
        cents: { type: 'integer' },
        idempotency_key: { type: 'string' },
      },
      required: ['customer', 'cents'],
      plan: {
        op: 'create',
        collection: 'invoices',
        writes: { customer: 'customer', cents: 'cents' },
        idempotencyKey: 'idempotency_key',
      },
    },
    { name: 'invoice_list', plan: { op: 'list', collection: 'invoices' } },
  ],
});

/** Calls once with a fault on the call, then again without; answers the second outcome and the invoices left. */
function retry(phase: 'before' | 'after', second: JsonObject) {
  const session = engineOf(world).open(world.spec, 1);
  const first = { customer: 'Ada', cents: 500, idempotency_key: 'k1' };
  const host: TestHost = (call) =>
    call.phase === phase && call.op.kind === 'tool.call'
      ? { do: 'answer', answer: faultAnswer('timed out') }
      : undefined;
  drive(session, toolCall('invoice_create', first), { host });
  const left = ids(session);
  const outcome = drive(session, toolCall('invoice_create', { ...first, ...second }), { turn: 2 });
  return { outcome, left, invoices: ids(session) };
}

function ids(session: EngineSession): string[] {
  const listed = JSON.parse(text(drive(session, toolCall('invoice_list')))) as { invoices: { id: string }[] };
  return listed.invoices.map((invoice) => invoice.id);
}

const text = (outcome: EngineOutcome): string => outcome.answer?.text.text ?? '';

test('after a lost answer the same key gives the original invoice, a fresh key a second one', () => {
  const same = retry('after', {});
  expect(same.invoices).toHaveLength(1);
  expect(JSON.parse(text(same.outcome))).toMatchObject({ id: same.left[0] });
  expect(retry('after', { idempotency_key: 'k2' }).invoices).toHaveLength(2);
});

test('the same key with other arguments is a conflict and makes nothing', () => {
  const other = retry('after', { cents: 700 });
  expect(other.outcome).toMatchObject({ flags: ['idempotency-conflict'], answer: { isError: true } });
  expect(text(other.outcome)).toBe('Idempotency key k1 was already used with different arguments');
  expect(other.invoices).toHaveLength(1);
});

test('a fault before the write leaves no record, so every retry makes exactly one invoice', () => {
  const seconds: JsonObject[] = [{}, { idempotency_key: 'k2' }, { cents: 700 }];
  for (const second of seconds) {
    const retried = retry('before', second);
    expect(retried.left).toEqual([]);
    expect(retried.invoices).toHaveLength(1);
    expect(retried.outcome.answer?.isError).toBe(false);
  }
});

test('records survive a snapshot', () => {
  const engine = engineOf(world);
  const session = engine.open(world.spec, 1);
  const call = toolCall('invoice_create', { customer: 'Ada', cents: 5, idempotency_key: 'k' });
  const first = drive(session, call);
  const restored = engine.restore(world.spec, 1, session.snapshot());
  expect(drive(restored, call, { turn: 9 }).answer).toEqual(first.answer);
  expect(ids(restored)).toHaveLength(1);
});
