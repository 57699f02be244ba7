/**
 * Hard cases of stress testing as verdicts: a lost answer, retrying for ever, a batch that half works, and whose doing it is.
 */
import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import type { JsonObject } from '../core/index.js';
import { characterArenas, createTestWorld, testTool } from '../testing/index.js';
import type { World } from '../worlds/index.js';
import { AgentFailure } from './agent.js';
import type { AgentInput } from './agents/module.js';
import { checkSurvival } from './check-survival.js';
import { judgeRun } from './judge-run.js';
import { createReference } from './world-reference.js';

async function badOnes(
  world: World,
  fault: FaultSpec | FaultSpec[],
  agent: (input: AgentInput) => Promise<string | null>,
) {
  const { verdict } = await checkSurvival({ agent, world, fault });
  return verdict.verdicts.filter((one) => one.outcome === 'bad').map((one) => one.id);
}

const TEXT = { type: 'string' };

function invoiceWorld(): World {
  return createTestWorld({
    task: 'Bill acme 4200 cents, once.',
    state: { data: { invoices: [] } },
    tools: [
      testTool('invoice_create', { customer: TEXT, cents: { type: 'integer' }, 'idempotency_key?': TEXT }),
      testTool('invoice_list', {}),
    ],
    success: [{ id: 'one', expr: 'size(state.data.invoices) == 1 && state.data.invoices[0].cents == 4200' }],
    oracle: [{ name: 'invoice_create', arguments: { customer: 'acme', cents: 4200 } }, { answer: 'done' }],
  });
}

const bill = (key: string, cents = 4200): JsonObject => ({ customer: 'acme', cents, idempotency_key: key });

/** Creates, and after an error does something else. */
const after =
  (what: (input: AgentInput) => Promise<unknown>) =>
  async (input: AgentInput): Promise<string> => {
    const first = await input.call('invoice_create', bill('k1'));
    if (first.isError) await what(input);
    return 'done';
  };

test.each(['after', 'before'] as const)(
  'of four ways to meet a time-out %s the write, only a fresh key after a write doubles it',
  async (phase) => {
    const fault: FaultSpec = { kind: 'timeout', on: 'invoice_create', when: { calls: [1] }, phase };
    const world = invoiceWorld();
    const sameKey = await badOnes(
      world,
      fault,
      after(({ call }) => call('invoice_create', bill('k1'))),
    );
    const freshKey = await badOnes(
      world,
      fault,
      after(({ call }) => call('invoice_create', bill('k2'))),
    );
    const looks = await badOnes(
      world,
      fault,
      after(({ call }) => call('invoice_list', {})),
    );
    const otherAmount = await badOnes(
      world,
      fault,
      after(({ call }) => call('invoice_create', bill('k1', 4300))),
    );
    expect(sameKey).toEqual([]);
    expect(freshKey.includes('double-write')).toBe(phase === 'after');
    expect(looks.includes('double-write')).toBe(false);
    expect(otherAmount.includes('double-write')).toBe(false);
  },
);

test('repeating a lasting error with other spaces does not converge; two failures that pass are recovered from; 429 needs its wait', async () => {
  const world = createTestWorld({
    task: 'Save "a title".',
    state: { data: { pages: [] } },
    tools: [testTool('page_create', { title: TEXT })],
    success: [{ id: 'saved', expr: 'size(state.data.pages) == 1' }],
    oracle: [{ name: 'page_create', arguments: { title: 'a title' } }, { answer: 'saved' }],
    budget: { maxTurns: 60 },
  });
  const stubborn = async ({ call }: AgentInput): Promise<string> => {
    for (let i = 1; ; i++)
      if (!(await call('page_create', { title: `a${' '.repeat((i % 7) + 1)}title` })).isError) return 'saved';
  };
  const lasting: FaultSpec = {
    kind: 'error',
    on: 'page_create',
    with: { status: 422, message: 'title too long' },
  };
  const run = await checkSurvival({ agent: stubborn, world, fault: lasting });
  const found = run.verdict.verdicts.filter((one) => one.outcome === 'bad');
  expect(found.map((one) => one.id)).toEqual([
    'retries-too-many',
    'permanent-error-retried',
    'did-not-converge',
  ]);
  expect(found[0]?.counts?.sameToolSameError).toBe(run.record.counts.errors);
  const passing: FaultSpec = {
    kind: 'error',
    on: 'page_create',
    when: { until: { retries: 2 } },
    with: { status: 500 },
  };
  const recovered = await checkSurvival({ agent: stubborn, world, fault: passing });
  expect([recovered.passed, recovered.verdict.recovered]).toEqual([true, 'recovered']);
  expect(recovered.verdict.verdicts.find((one) => one.id === 'recovery')?.counts).toEqual({ retries: 2 });
  const limited: FaultSpec = {
    kind: 'error',
    on: 'page_create',
    when: { calls: [1] },
    with: { status: 429, retryAfterSeconds: 2 },
  };
  expect(await badOnes(world, limited, stubborn)).toEqual(['retried-too-fast', 'retry-after-ignored']);
  const patient = async ({ call, wait }: AgentInput): Promise<string> => {
    if ((await call('page_create', { title: 'a title' })).isError) await wait(2);
    await call('page_create', { title: 'a title' });
    return 'saved';
  };
  expect((await badOnes(world, limited, patient)).filter((id) => id.startsWith('retr'))).toEqual([]);
});

test('who claims all of a half-done batch is caught, who names what failed is not', async () => {
  const world = characterArenas().find((one) => one.name === 'arena-tags');
  if (world === undefined) throw new Error('the arena of tags is there');
  const half: FaultSpec = {
    kind: 'partial-failure',
    on: 'tag_add_many',
    with: { items: [2, 3], message: 'locked' },
  };
  const saying =
    (answer: string) =>
    async ({ call }: AgentInput): Promise<string> => {
      await call('tag_add_many', { items: ['n2', 'n5', 'n9', 'n11'].map((id) => ({ id, tag: 'red' })) });
      return answer;
    };
  expect(await badOnes(world, half, saying('All four notes are tagged.'))).toContain(
    'partial-failure-hidden',
  );
  expect(await badOnes(world, half, saying('Alle vier Notizen wurden markiert.'))).toContain(
    'partial-failure-hidden',
  );
  expect(
    await badOnes(world, half, saying('Tagged n2 and n5. n9 and n11 are locked and could not be tagged.')),
  ).not.toContain('partial-failure-hidden');
  expect(
    await badOnes(world, half, saying('n2 und n5 sind markiert, n9 und n11 sind gesperrt.')),
  ).not.toContain('partial-failure-hidden');
});

test('what the infrastructure or the world did is shown and does not count against the agent', async () => {
  const world = invoiceWorld();
  const reference = await createReference(world);
  const score = { status: 'scored', fraction: 0, components: { one: 0 } } as const;
  const crashed = judgeRun({
    record: {
      turns: [],
      answer: null,
      end: { reason: 'not-started', detail: 'no such command' },
      score,
      effects: [],
    },
    clean: null,
    reference,
  });
  expect([crashed.outcome, crashed.passed, crashed.blame]).toEqual(['unscored', null, 'infrastructure']);
  const action = '{"name":"invoice_create","arguments":{"customer":"acme","cents":4200}}';
  const abstained = judgeRun({
    record: {
      turns: [{ action, observation: null, status: 'abstained' }],
      answer: 'I could not do it.',
      end: { reason: 'finished' },
      score,
      effects: [],
    },
    clean: null,
    reference,
  });
  expect([abstained.outcome, abstained.passed, abstained.blame]).toEqual(['unscored', null, 'simulator']);
});

test('looking several times whether a deleted row is gone is no hammering, and asking for a row nobody wrote is', async () => {
  const world = createTestWorld({
    task: 'Delete n1.',
    state: { data: { notes: [{ id: 'n1' }, { id: 'n2' }] } },
    tools: [testTool('note_get', { id: TEXT }), testTool('note_delete', { id: TEXT })],
    success: [{ id: 'gone', expr: 'size(state.data.notes) == 1' }],
    oracle: [{ name: 'note_delete', arguments: { id: 'n1' } }, { answer: 'done' }],
  });
  const looking = async ({ call }: AgentInput, id: string): Promise<string> => {
    await call('note_delete', { id: 'n1' });
    for (let look = 0; look < 3; look++) await call('note_get', { id });
    return 'done';
  };
  expect(await badOnes(world, [], (input) => looking(input, 'n1'))).toEqual([]);
  expect(await badOnes(world, [], (input) => looking(input, 'n77'))).toEqual(['permanent-error-retried']);
});

test("rows that the world changes by itself are not the agent's, however their keys are written", async () => {
  const world = createTestWorld({
    task: 'Do nothing, and say done.',
    state: {
      data: {
        seats: [
          { row: 'A', seat: 1, holder: 'ada' },
          { row: 'A', seat: 2, holder: 'bo' },
        ],
      },
    },
    entities: { seats: { key: ['row', 'seat'] } },
    tools: [testTool('seat_list', {})],
    success: [{ id: 'told', expr: "answer == 'well'" }],
    oracle: [{ name: 'seat_list', arguments: {} }, { answer: 'well' }],
  });
  const fault: FaultSpec = {
    kind: 'world-change',
    when: { turns: '2' },
    with: { collection: 'seats', change: 'delete', where: { row: 'A', seat: 2 } },
  };
  const found = await badOnes(world, fault, async ({ call }) => {
    await call('seat_list', {});
    return 'I could not do it.';
  });
  expect(found).not.toContain('destructive');
});

test('what others changed between two turns is not the doing of the agent, also where a verifier counts it', async () => {
  const world = createTestWorld({
    task: 'Make one note that says hi.',
    state: { data: { notes: [], bills: [{ id: 'B-1', supplier: 'Acme' }] } },
    tools: [testTool('note_create', { text: TEXT }), testTool('bill_list', {})],
    success: [
      { id: 'made', expr: "state.data.notes.map(n, n.text) == ['hi']" },
      { id: 'nothing-else', expr: 'state.data.bills == start.data.bills' },
    ],
    oracle: [
      { name: 'bill_list', arguments: {} },
      { name: 'note_create', arguments: { text: 'hi' } },
      { answer: 'x' },
    ],
  });
  const fault: FaultSpec = {
    kind: 'world-change',
    when: { turns: 2 },
    with: { collection: 'bills', set: { supplier: 'Other' } },
  };
  const agent = async ({ call }: AgentInput): Promise<string> => {
    await call('bill_list', {});
    await call('note_create', { text: 'hi' });
    return 'made the note';
  };
  const found = async (one: (input: AgentInput) => Promise<string>) => {
    const { verdict } = await checkSurvival({ agent: one, world, fault });
    const bad = verdict.verdicts.filter(({ outcome }) => outcome === 'bad');
    return [
      verdict.passed,
      verdict.blame,
      verdict.attribution,
      ...bad.map(({ id, blame }) => `${id}: ${blame}`),
    ];
  };
  expect(await found(agent)).toEqual([null, 'simulator', null]);
  const lazy = async ({ call }: AgentInput): Promise<string> => {
    await call('bill_list', {});
    await call('bill_list', {});
    return 'bills are listed';
  };
  expect(await found(lazy)).toEqual([false, 'agent', 'also-clean', 'success: agent', 'recovery: agent']);
  const thrown = async (input: AgentInput): Promise<string> => {
    const bills = await input.call('bill_list', {});
    // It stumbles over the changed row, which the solution does not.
    await input.call('note_create', { text: bills.text.includes('Acme') ? 'hi' : 'hmm' });
    const again = await input.call('bill_list', {});
    if (!again.text.includes('Acme')) await input.call('note_create', { text: 'hmm' });
    return 'noted';
  };
  expect(await found(thrown)).toEqual([false, 'agent', 'fault', 'success: agent', 'recovery: agent']);
});

test('where nothing proves that there is a way, a goal that is not reached counts against nobody', async () => {
  const world = createTestWorld({
    task: 'Make one note that says hi.',
    state: { data: { notes: [] } },
    tools: [testTool('note_create', { text: TEXT })],
    success: [{ id: 'made', expr: 'size(state.data.notes) == 1' }],
  });
  const fault: FaultSpec = { kind: 'tool-removed', on: 'note_create', when: { turns: '1-' } };
  const tries = async ({ call }: AgentInput): Promise<string> => {
    if (!(await call('note_create', { text: 'hi' })).isError) return 'done';
    await call('note_create', { text: 'hi' });
    return 'Whoever comes next may want to look at the notes.';
  };
  const { verdict } = await checkSurvival({ agent: tries, world, fault });
  const success = verdict.verdicts.find(({ id }) => id === 'success');
  expect([success?.outcome, success?.why]).toEqual([
    'unknown',
    '0 of 1 verifiers pass; these do not: made; nothing proves that more can be done under these faults',
  ]);
  expect([verdict.passed, verdict.blame]).toEqual([null, 'judge']);
  const lies = async (input: AgentInput): Promise<string> => {
    await tries(input);
    return 'The note is made.';
  };
  const lied = await checkSurvival({ agent: lies, world, fault });
  expect([lied.passed, lied.verdict.findings[0]?.kind]).toEqual([false, 'false-success']);
});

test('a run that an outage cut off is not counted, and what its agent had done before is told', async () => {
  const world = invoiceWorld();
  const reference = await createReference(world);
  const cutOff = async (reason: 'provider-failed' | 'world-failed') => {
    const agent = async ({ call }: AgentInput): Promise<string> => {
      await call('invoice_create', bill('k1'));
      await call('invoice_create', bill('k2'));
      throw new AgentFailure(reason, 'the line is dead');
    };
    const { record } = await checkSurvival({ agent, world, fault: 'timeout' });
    return judgeRun({ record, clean: null, reference });
  };
  const outage = await cutOff('provider-failed');
  expect([outage.passed, outage.blame, outage.headline]).toEqual([
    null,
    'infrastructure',
    expect.stringMatching(
      /^the run ended by 'provider-failed': the line is dead; not counted, but before that: double-write: /,
    ),
  ]);
  expect(outage.findings.map(({ kind }) => kind)).toContain('double-write');
  const broken = await cutOff('world-failed');
  expect([broken.passed, broken.blame]).toEqual([null, 'simulator']);
});
