import { expect, test } from 'vitest';
import type { FaultSpec } from '../../control/index.js';
import { isJsonObject, type Json, renderJson } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { createTestWorld, testTool, type WorldParts } from '../../testing/index.js';
import type { World } from '../../worlds/index.js';
import { type Episode, openEpisode } from '../episode.js';
import { failureKind } from './failure-kind.js';
import { driveRecoveringOracle, type OracleHands } from './recovering-oracle.js';

const text = { type: 'string' };

/** Invoices are made, restocked goods add up, notes cannot be read back, tags are set in batches. */
function shop(oracle: readonly Json[], more: WorldParts = {}): World {
  return createTestWorld({
    name: 'shop',
    task: 'do it',
    tools: [
      testTool('invoice_create', { customer: text, cents: { type: 'integer' }, 'idempotency_key?': text }),
      testTool('invoice_list', {
        'page?': { type: 'integer' },
        'per_page?': { type: 'integer', default: 2 },
      }),
      testTool('restock', { sku: text, quantity: { type: 'integer' } }),
      testTool('product_get', { sku: text }),
      testTool('note_add', { note: text }),
      testTool('tag_add_many', {
        items: {
          type: 'array',
          items: { type: 'object', properties: { id: text, tag: text }, required: ['id', 'tag'] },
        },
      }),
    ],
    state: {
      data: {
        invoices: [
          { id: 'inv_1', customer: 'ada', cents: 5 },
          { id: 'inv_2', customer: 'bo', cents: 7 },
        ],
        products: [{ sku: 'lamp', stock: 3 }],
        notes: [],
        tagged: [
          { id: 'n1', tag: '' },
          { id: 'n2', tag: '' },
        ],
      },
    },
    entities: { products: { key: 'sku', id: { style: 'given' } }, tagged: { key: 'id' } },
    overrides: {
      invoice_create: { op: 'create', collection: 'invoices' },
      invoice_list: { op: 'list', collection: 'invoices' },
      restock: {
        op: 'update',
        collection: 'products',
        key: { sku: 'sku' },
        set: { stock: 'row.stock + args.quantity' },
      },
      product_get: { op: 'get', collection: 'products', key: { sku: 'sku' } },
      note_add: { op: 'create', collection: 'notes' },
      tag_add_many: {
        op: 'update',
        collection: 'tagged',
        batch: 'items',
        key: { id: 'id' },
        match: 'row.id == args.item.id',
        set: { tag: 'args.item.tag' },
      },
    },
    oracle: [...oracle, { answer: 'all done' }],
    ...more,
  });
}

function handsOf(episode: Episode): OracleHands {
  return {
    tools: () => episode.actionSpace() as unknown as readonly ToolDefinition[],
    nowMs: () => Date.parse(episode.clock),
    wait: (ms) => episode.wait(ms),
    call: async (name, args) => {
      const { observation, value, meta, reason } = await episode.step(renderJson({ name, arguments: args }));
      return {
        text: observation ?? reason ?? '',
        isError: meta?.isError === true,
        ...(value !== undefined && { value }),
      };
    },
  };
}

async function drive(world: World, faults: readonly FaultSpec[], verifies = false) {
  const episode = await openEpisode(world, { faults });
  const outcome = await driveRecoveringOracle(world, { ...handsOf(episode), verifies });
  const calls = episode.turns.map((turn) => (JSON.parse(turn.action) as { name: string }).name);
  const view = episode.view();
  const data = isJsonObject(view) && isJsonObject(view.data) ? view.data : {};
  return { outcome, calls, data, waited: episode.turns.map((turn) => turn.meta?.waitedMs ?? 0) };
}

const create = { name: 'invoice_create', arguments: { customer: 'cy', cents: 9 } };

test('without faults the steps are played as they are', async () => {
  const { outcome, calls } = await drive(shop([create]), []);
  expect(outcome).toEqual({ answer: 'all done', gaveUp: null });
  expect(calls).toEqual(['invoice_create']);
});

test('a write whose answer was lost is looked for before it is made again', async () => {
  const after = await drive(shop([create]), [
    { kind: 'timeout', on: 'invoice_create', when: { calls: [1] }, phase: 'after' },
  ]);
  expect(after.calls).toEqual(['invoice_create', 'invoice_list', 'invoice_list']);
  expect((after.data.invoices as Json[]).length).toBe(3);
  expect(after.outcome.gaveUp).toBeNull();

  const before = await drive(shop([create]), [
    { kind: 'timeout', on: 'invoice_create', when: { calls: [1] }, phase: 'before' },
  ]);
  expect(before.calls).toEqual(['invoice_create', 'invoice_list', 'invoice_create']);
  expect((before.data.invoices as Json[]).length).toBe(3);
});

test('a key in the arguments makes it safe to send the same call again', async () => {
  const keyed = { ...create, arguments: { ...create.arguments, idempotency_key: 'k1' } };
  const { calls, data } = await drive(shop([keyed]), [
    { kind: 'timeout', on: 'invoice_create', when: { calls: [1] }, phase: 'after' },
  ]);
  expect(calls).toEqual(['invoice_create', 'invoice_create']);
  expect((data.invoices as Json[]).length).toBe(3);
});

test('a change that adds up is compared with what was there before', async () => {
  const restock = { name: 'restock', arguments: { sku: 'lamp', quantity: 1 } };
  for (const phase of ['before', 'after'] as const) {
    const { data, outcome } = await drive(shop([restock]), [
      { kind: 'timeout', on: 'restock', when: { calls: [1] }, phase },
    ]);
    expect(outcome.gaveUp).toBeNull();
    expect(data.products).toEqual([{ sku: 'lamp', stock: 4 }]);
  }
});

test('what nobody can look up is reported, not done twice', async () => {
  const { outcome, calls } = await drive(shop([{ name: 'note_add', arguments: { note: 'x' } }]), [
    { kind: 'timeout', on: 'note_add', when: { calls: [1] }, phase: 'after' },
  ]);
  expect(calls).toEqual(['note_add']);
  expect(outcome.answer).toMatch(
    /^I could not complete the task\. Not done: 'note_add' answered: .*timed out/,
  );
});

test('it waits as long as the service asks, and does not repeat what cannot work', async () => {
  const busy = await drive(shop([create]), [
    {
      kind: 'error',
      on: 'invoice_create',
      when: { calls: [1] },
      with: { status: 429, retryAfterSeconds: 30 },
    },
  ]);
  expect(busy.calls).toEqual(['invoice_create', 'invoice_create']);
  expect(busy.waited).toEqual([0, 30_000]);

  const refused = await drive(shop([create]), [
    { kind: 'error', on: 'invoice_create', with: { status: 422, message: 'title too long' } },
  ]);
  expect(refused.calls).toEqual(['invoice_create']);
  expect(refused.outcome.gaveUp).toMatch(/title too long/);
});

test('only the failed items of a batch are sent again', async () => {
  const items = [
    { id: 'n1', tag: 'red' },
    { id: 'n2', tag: 'red' },
  ];
  const { calls, data, outcome } = await drive(shop([{ name: 'tag_add_many', arguments: { items } }]), [
    { kind: 'partial-failure', when: { calls: [1] }, with: { items: [1] } },
  ]);
  expect(outcome.gaveUp).toBeNull();
  expect(calls).toEqual(['tag_add_many', 'tag_add_many']);
  expect(data.tagged).toEqual([
    { id: 'n1', tag: 'red' },
    { id: 'n2', tag: 'red' },
  ]);
});

test('who looks after every write takes what prose does not show for unknown, not for missing', async () => {
  const restock = { name: 'restock', arguments: { sku: 'lamp', quantity: 1 } };
  const world = shop([restock], {});
  const parts = {
    ...world.file.overrides,
    product_get: {
      op: 'get',
      collection: 'products',
      key: { sku: 'sku' },
      text: 'There are {row.stock} of {row.sku}.',
    },
  };
  const prose = createTestWorld({ ...world.file, overrides: parts });
  for (const faults of [
    [],
    [{ kind: 'timeout', on: 'restock', when: { calls: [1] }, phase: 'after' as const }],
  ]) {
    const { data, outcome } = await drive(prose, faults, true);
    expect(outcome.gaveUp).toBeNull();
    expect(data.products).toEqual([{ sku: 'lamp', stock: 4 }]);
  }
});

test('a confirmed row whose other fields are shown changed is not made again', async () => {
  const { calls, data } = await drive(
    shop([create]),
    [{ kind: 'field-retyped', on: 'invoice_list', with: { field: 'cents' } }],
    true,
  );
  expect(calls.filter((name) => name === 'invoice_create')).toEqual(['invoice_create']);
  expect((data.invoices as Json[]).length).toBe(3);
});

test('a row that is not found after its deletion is gone, and is looked for once', async () => {
  const world = createTestWorld({
    task: 'do it',
    tools: [testTool('note_get', { id: text }), testTool('note_delete', { id: text })],
    state: { data: { notes: [{ id: 'n1' }, { id: 'n2' }] } },
    oracle: [{ name: 'note_delete', arguments: { id: 'n1' } }, { answer: 'gone' }],
  });
  const { calls, outcome } = await drive(world, [], true);
  expect(outcome).toEqual({ answer: 'gone', gaveUp: null });
  expect(calls).toEqual(['note_delete', 'note_get']);
});

test('further pages of a list are read', async () => {
  const { calls } = await drive(shop([{ name: 'invoice_list', arguments: { per_page: 1 } }]), []);
  expect(calls).toEqual(['invoice_list', 'invoice_list']);
});

test('error texts are read as a careful caller would', () => {
  const now = Date.parse('2026-01-05T09:00:00Z');
  const kinds = [
    'Error 429: too many requests\nRetry-After: 2',
    'call timed out after 60 seconds',
    '{"error":{"status":503,"retry_after_ms":1500}}',
    'rate limited, Retry-After: Mon, 05 Jan 2026 09:01:00 GMT',
    'Issue not found: 999',
    'account a1 has less than 500',
  ].map((message) => failureKind(message, now));
  expect(kinds).toEqual([
    { kind: 'rate-limit', retryAfterMs: 2_000 },
    { kind: 'lost', retryAfterMs: null },
    { kind: 'lost', retryAfterMs: 1_500 },
    { kind: 'rate-limit', retryAfterMs: 60_000 },
    { kind: 'permanent', retryAfterMs: null },
    // A number between 500 and 599 alone is no status.
    { kind: 'permanent', retryAfterMs: null },
  ]);
});
