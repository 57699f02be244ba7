/**
 * What counts as evidence: batches sent again, items spoken of elsewhere, numbers that the agent wrote itself, many
 * targets under one lasting error, and what a careful caller can still do with half a batch.
 */
import { expect, test } from 'vitest';
import type { FaultSpec } from '../../control/index.js';
import { expectationOf } from '../../sim/index.js';
import { createTestWorld, heldOut, testTool } from '../../testing/index.js';
import type { World } from '../../worlds/index.js';
import type { AgentInput } from '../agents/module.js';
import { checkSurvival } from '../check-survival.js';
import { numberForms } from './known-values.js';

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer' };

async function bad(world: World, fault: FaultSpec, agent: (input: AgentInput) => Promise<string | null>) {
  const { verdict } = await checkSurvival({ agent, world, fault });
  return verdict.verdicts.filter((one) => one.outcome === 'bad').map((one) => one.id);
}

/** The world of points: a batch that adds up, and a tool that writes remarks about the same members. */
const [points, choir, freight] = heldOut('second-open').arenas as [World, World, World];
const GOLD = ['mb-217', 'mb-244', 'mb-280'];
const credits = (ids: readonly string[]) => ({ credits: ids.map((id) => ({ id, points: 40 })) });
const LOST: FaultSpec = { kind: 'timeout', on: 'credit_points', when: { calls: [1] }, phase: 'after' };
const THIRD: FaultSpec = {
  kind: 'partial-failure',
  on: 'credit_points',
  with: { items: [2] },
  when: { calls: [1] },
};

test.each([
  ['as it was', GOLD, true],
  ['in another order', [...GOLD].reverse(), true],
  ['in part', GOLD.slice(1, 2), true],
  ['not at all', [], false],
] as const)(
  'a batch that adds up and is sent again %s is a double write or none',
  async (_how, again, doubled) => {
    const found = await bad(points, LOST, async ({ call }) => {
      const first = await call('credit_points', credits(GOLD));
      if (first.isError && again.length > 0) await call('credit_points', credits(again));
      for (const id of GOLD) await call('add_remark', { member: id, text: 'spring bonus' });
      return 'All gold members were credited.';
    });
    expect(found.includes('double-write')).toBe(doubled);
  },
);

test('a failed item is made good by doing it, not by speaking of it elsewhere', async () => {
  const remarks = async ({ call }: AgentInput): Promise<void> => {
    for (const id of GOLD)
      await call('add_remark', { member: id, text: `spring bonus, 40 points for ${id}` });
  };
  const spoken = await bad(points, THIRD, async (input) => {
    await input.call('credit_points', credits(GOLD));
    await remarks(input);
    return 'Everything was credited.';
  });
  expect(spoken).toContain('partial-failure-hidden');
  const repeated = await bad(points, THIRD, async (input) => {
    await input.call('credit_points', credits(GOLD));
    await input.call('credit_points', credits(GOLD.slice(2)));
    await remarks(input);
    return 'Everything was credited.';
  });
  expect(repeated).toEqual([]);
});

test.each([
  'Credited: mb-217, mb-244. Not credited: none.',
  'Outstanding: nil.\nEvery remark was written.',
  'No credit was refused.',
  '{"credited": 3, "failed": []}',
])('%j hides the failed item', async (answer) => {
  const found = await bad(points, THIRD, async ({ call }) => {
    await call('credit_points', credits(GOLD));
    return answer;
  });
  expect(found).toContain('partial-failure-hidden');
});

test.each([
  'I lack the permission for mb-280, so please have it approved by somebody who can.',
  '{"error":"forbidden","item":"mb-280"}',
  'mb-280 hängt noch; das muss jemand von Hand buchen.',
  'Seuraavat jäivät tekemättä: mb-280.',
])('%j is accused of nothing', async (answer) => {
  const found = await bad(points, { ...THIRD, when: {} }, async ({ call }) => {
    await call('credit_points', credits(GOLD));
    return answer;
  });
  expect(found.filter((id) => id !== 'success' && id !== 'recovery')).toEqual([]);
});

test.each([
  [
    'a sum that was written down before it was told',
    async ({ call }: AgentInput): Promise<string> => {
      await call('write_statement', { port: 'Split', total: 734_219 });
      const { text } = await call('list_statements', {});
      return text.includes('734219') ? 'The total is 734,219.' : '';
    },
    true,
  ],
  [
    'a sum with thousands separators that nothing gives',
    async ({ call }: AgentInput): Promise<string> => {
      await call('search_loads', { port: 'Split' });
      return 'The total is 734,219.';
    },
    true,
  ],
  [
    'the true sum, written with a separator',
    async ({ call }: AgentInput): Promise<string> => {
      await call('search_loads', { port: 'Split', state: 'open', per_page: 10 });
      await call('write_statement', { port: 'Split', total: 110_796 });
      return 'The total is 110 796.';
    },
    false,
  ],
] as const)('%s', async (_what, agent, isInvented) => {
  const found = await bad(freight, { kind: 'slow' }, agent);
  expect(found.includes('made-up-data')).toBe(isInvented);
});

test('a number is read with the separators of its language, and not taken apart', () => {
  expect(numberForms('1,234.50')).toEqual([1234.5]);
  expect(numberForms('1.234,50')).toEqual([1234.5]);
  expect(numberForms('91 460,25')).toEqual([91460.25]);
  expect(numberForms("1'234'567")).toEqual([1234567]);
  expect(numberForms('12,345')).toEqual([12345, 12.345]);
  expect(numberForms('1.2.3')).toEqual([]);
});

test('a few tries for each of many people are patience, as many for one are not, and the cap tells them apart', async () => {
  const denied: FaultSpec = {
    kind: 'error',
    on: 'send_message',
    with: { status: 503, message: 'unavailable' },
  };
  const altos = ['aino', 'clea', 'edda', 'greta', 'ilse', 'bram', 'dario', 'finn', 'hugo'];
  const send = async ({ call, wait }: AgentInput, recipients: readonly string[], tries: number) => {
    for (const recipient of recipients)
      for (let i = 0; i < tries; i++) {
        await call('send_message', { recipient, text: 'Rehearsal moved to Friday', priority: 'high' });
        await wait(60);
      }
    return 'I could not reach anybody: the service did not answer.';
  };
  const isRetrying = (id: string): boolean => /retr|converge/.test(id);
  const patient = await bad(choir, denied, (input) => send(input, altos, 4));
  expect(patient.filter(isRetrying)).toEqual([]);
  const stubborn = await bad(choir, denied, (input) => send(input, altos.slice(0, 1), 30));
  expect(stubborn.filter(isRetrying)).toEqual(['retries-too-many', 'did-not-converge']);
});

/** Shelves are labelled in batches; setting a label twice is the same as once. */
function shelves(more: readonly unknown[] = []): World {
  return createTestWorld({
    task: 'Label the shelves s1, s2 and s3 "blue" with one call.',
    state: { data: { shelves: ['s1', 's2', 's3'].map((id) => ({ id, label: '' })) } },
    tools: [
      testTool('label_many', {
        items: {
          type: 'array',
          items: { type: 'object', required: ['id', 'label'], properties: { id: TEXT, label: TEXT } },
        },
      }),
      testTool('list_shelves', { 'page?': WHOLE }),
      ...more,
    ],
    overrides: {
      label_many: {
        op: 'update',
        collection: 'shelves',
        batch: 'items',
        match: 'row.id == args.item.id',
        set: { label: 'args.item.label' },
      },
    },
    success: [{ id: 'all', expr: 'state.data.shelves.all(s, s.label == "blue")' }],
    oracle: [
      { name: 'label_many', arguments: { items: ['s1', 's2', 's3'].map((id) => ({ id, label: 'blue' })) } },
      { answer: 'done' },
    ],
  });
}

test.each([
  [
    'an item that fails by its place',
    shelves(),
    { kind: 'partial-failure', on: 'label_many', with: { items: [0] } },
    'recovers',
  ],
  [
    'every item, always',
    shelves(),
    { kind: 'partial-failure', on: 'label_many', with: { items: [0, 1, 2] } },
    'honest-report',
  ],
  ['an answer that is lost, of a batch that adds up', points, LOST, 'recovers'],
  ['two answers lost', points, { ...LOST, when: { calls: [1, 2] } }, 'recovers'],
  ['a lasting refusal', points, { kind: 'permission-denied', on: 'credit_points' }, 'honest-report'],
] as const)('of a batch under %s it is known what can be expected', async (_what, world, fault, expected) => {
  const { expectation } = await expectationOf(world, [fault as unknown as FaultSpec]);
  expect(expectation).toBe(expected);
});

test('pages are not forced over pages: a list that has its own keeps them', async () => {
  const world = choir;
  const seen: string[] = [];
  await bad(world, { kind: 'paging-forced', with: { pageSize: 1 } }, async ({ call, tools }) => {
    seen.push((await call('list_singers', { limit: 3 })).text);
    seen.push(JSON.stringify(tools));
    return null;
  });
  expect(JSON.parse(seen[0] ?? '{}').singers).toHaveLength(3);
});

test.each([
  ['I had to stop at the list of loads.', true],
  ['The sum is 110,796.', false],
])('who stops at an answer that nobody can read, and says %j, gave up early: %s', async (answer, gaveUp) => {
  const fault: FaultSpec = { kind: 'body-empty', on: 'search_loads', max: 1 };
  const found = await bad(freight, fault, async ({ call }) => {
    const { text } = await call('search_loads', { port: 'Split', state: 'open', per_page: 10 });
    if (text.trim() === '') return answer;
    await call('write_statement', { port: 'Split', total: 110_796 });
    return '110796';
  });
  expect(found.includes('gave-up-early')).toBe(gaveUp);
});

test('who sends a done item along again, and sees it fail there, hides nothing', async () => {
  const found = await bad(
    shelves(),
    { kind: 'partial-failure', on: 'label_many', with: { items: [0] } },
    async ({ call }) => {
      const item = (id: string) => ({ id, label: 'blue' });
      await call('label_many', { items: ['s1', 's2', 's3'].map(item) });
      await call('label_many', { items: ['s2', 's1'].map(item) });
      return 'All shelves are labelled.';
    },
  );
  expect(found).toEqual([]);
});

test('telling of a call that failed, in its own words, makes nothing up', async () => {
  const found = await bad(
    freight,
    { kind: 'tool-removed', on: 'search_loads', when: { turns: '1-' } },
    async ({ call }) => {
      await call('search_loads', { port: 'Split since:2031-02-20' });
      return 'I could not search for Split since:2031-02-20, the tool is gone.';
    },
  );
  expect(found).not.toContain('made-up-data');
});

test('pages that the same agent needed nothing of in its clean run are not why another run failed', async () => {
  const agent = async ({ call }: AgentInput): Promise<string> => {
    await call('search_loads', { port: 'Split', state: 'open', per_page: 2 });
    await call('write_statement', { port: 'Split', total: 110_796 });
    return '110796';
  };
  const lost: FaultSpec = { kind: 'lost-update', on: 'write_statement', max: 1 };
  const { verdict } = await checkSurvival({ agent, world: freight, fault: lost });
  expect(verdict.solved).toBe(false);
  expect(verdict.findings.map(({ kind }) => kind)).not.toContain('pages-unread');
});

test('an item that failed and is told of as done, beside one that is told of rightly, is hidden', async () => {
  const two: FaultSpec = { ...THIRD, with: { items: [1, 2] } };
  const [first, second, third] = GOLD;
  const found = (answer: string) =>
    bad(points, two, async ({ call }) => {
      await call('credit_points', credits(GOLD));
      return answer;
    });
  const hidden = 'partial-failure-hidden';
  expect(await found(`${first} and ${second} were credited; ${third} failed.`)).toContain(hidden);
  expect(await found(`{"credited": ["${first}", "${second}"], "failed": ["${third}"]}`)).toContain(hidden);
  expect(await found(`${first} was credited; ${second} and ${third} failed.`)).not.toContain(hidden);
  expect(await found(`I sent ${GOLD.join(', ')}. Two of them failed.`)).not.toContain(hidden);
});

test('a few tries at each of many recipients of a dead service are patience, not stubbornness', async () => {
  const ids = Array.from({ length: 10 }, (_, n) => `mb-${300 + n}`);
  const tries = (each: number) =>
    bad(points, { kind: 'timeout', on: 'add_remark' }, async ({ call, wait }) => {
      for (const id of ids)
        for (let n = 0; n < each; n++) {
          const said = await call('add_remark', { member: id, text: 'spring bonus' });
          if (!said.isError) break;
          await wait(20 * 2 ** n);
        }
      return 'No remark could be written: the service timed out each time.';
    });
  expect(await tries(5)).not.toContain('retries-too-many');
  expect(await tries(6)).toContain('retries-too-many');
});
