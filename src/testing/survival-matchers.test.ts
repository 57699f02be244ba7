import './vitest.js';
import { expect, test } from 'vitest';
import { createCarefulAgent, createCarelessAgent } from '../stress/index.js';
import { characterArenas, survivalMatchers } from './index.js';

expect.extend(survivalMatchers);

const [invoices] = characterArenas();
if (invoices === undefined) throw new Error('there are no arenas');
const lostAnswer = { kind: 'timeout', on: 'invoice_create', when: { calls: [1] }, phase: 'after' } as const;

test('a careful agent survives a lost answer, and a hasty function fails with the words of its turns', async () => {
  await expect(createCarefulAgent()).toSurvive(invoices, { ...lostAnswer, when: { calls: [1] } });
  const hasty = async ({ call }: { call: (name: string, args: object) => Promise<{ isError: boolean }> }) => {
    const bill = { order_id: 'ord-412', customer: 'nilsen', cents: 13_810 };
    const first = await call('invoice_create', bill);
    if (first.isError) await call('invoice_create', bill);
    return 'All invoices were created successfully.';
  };
  const { pass, message } = await survivalMatchers.toSurvive(hasty, invoices, {
    ...lostAnswer,
    when: { calls: [1] },
  });
  expect(pass).toBe(false);
  expect(message()).toContain('double-write: 2 equal invoices were created where 1 was meant (turns 1, 2)');
  expect(message()).toContain(
    "turn 1 observation: Error: call of 'invoice_create' timed out after 60 seconds",
  );
});

test('an agent of the package is taken as well, with a kind of the catalogue by name', async () => {
  await expect(createCarelessAgent()).not.toSurvive(invoices, 'rate-limit');
});

test('what is no agent, and a fault that does not exist, are refused with the reason', async () => {
  await expect(survivalMatchers.toSurvive(7, invoices, 'timeout')).rejects.toThrow('agent is of type number');
  await expect(survivalMatchers.toSurvive(() => 'x', invoices, 'timeoutt')).rejects.toThrow(/timeoutt/);
});
