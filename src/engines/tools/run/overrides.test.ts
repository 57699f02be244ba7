import { expect, test } from 'vitest';
import type { EngineOutcome, Json, JsonObject } from '../../../core/index.js';
import { drive, toolCall } from '../../engine.contract.js';
import { collection, engineOf, field, type TestTool, testWorld } from '../engine-worlds.contract.js';
import type { OverrideSpec } from '../spec.js';

const textOf = (outcome: EngineOutcome): string => outcome.answer?.text.text ?? '';
const item = { item: { type: 'string' }, quantity: { type: 'integer' } };

function change(name: string, rule: string, more: Partial<OverrideSpec> = {}): TestTool {
  const override: OverrideSpec = {
    op: 'update',
    collection: 'stock',
    key: { item: 'item' },
    set: { quantity: rule },
    returns: '{"item": row.item, "quantity": row.quantity}',
    ...more,
  };
  return { name, input: item, required: ['item', 'quantity'], override };
}

function openStock(
  more: readonly TestTool[] = [],
  collections: Parameters<typeof testWorld>[0]['collections'] = [],
) {
  const world = testWorld({
    collections: [
      collection(
        'stock',
        [field('item'), field('quantity'), field('low', { computed: 'row.quantity < 50' })],
        {
          idStyle: { kind: 'given' },
          key: ['item'],
          singular: 'item',
        },
      ),
      ...collections,
    ],
    tools: [
      {
        name: 'stock_get',
        input: { item: { type: 'string' } },
        override: { op: 'get', collection: 'stock', key: { item: 'item' }, returns: 'row.quantity' },
      },
      change('ship', 'row.quantity - args.quantity', {
        require: [
          { expr: 'row.quantity >= args.quantity', error: 'only {row.quantity} {row.item} in stock' },
        ],
        notFound: 'no item called {args.item}',
      }),
      change('return', 'row.quantity + args.quantity'),
      change('found', 'row.quantity + args.quantity'),
      ...more,
    ],
    data: {
      stock: [
        { item: 'bolts', quantity: 240 },
        { item: 'nuts', quantity: 10 },
      ],
    },
  });
  return engineOf(world).open(world.spec, 1);
}

test('a stock that is shipped, returned and found stays exact however many calls lie between', () => {
  const session = openStock();
  const get = (): number => Number(textOf(drive(session, toolCall('stock_get', { item: 'bolts' }))));
  expect(get()).toBe(240);
  drive(session, toolCall('ship', { item: 'bolts', quantity: 65 }));
  drive(session, toolCall('return', { item: 'bolts', quantity: 8 }));
  const found = drive(session, toolCall('found', { item: 'bolts', quantity: 12 }));
  expect(JSON.parse(textOf(found))).toEqual({ item: 'bolts', quantity: 195 });
  for (let i = 0; i < 6; i++) drive(session, toolCall('stock_get', { item: 'nuts' }));
  expect(get()).toBe(195);
});

test('requirements and missing rows answer the world’s own words and change nothing', () => {
  const session = openStock();
  const before = session.snapshot();
  const much = drive(session, toolCall('ship', { item: 'bolts', quantity: 241 }));
  expect(much.answer).toMatchObject({ isError: true, text: { text: 'only 240 bolts in stock' } });
  const none = drive(session, toolCall('ship', { item: 'gears', quantity: 1 }));
  expect(textOf(none)).toBe('no item called gears');
  expect(textOf(drive(session, toolCall('return', { item: 'gears', quantity: 1 })))).toBe(
    'Item not found: gears',
  );
  expect(session.snapshot()).toEqual(before);
});

test('a rule that fails answers an error that names tool and rule, flagged, and undoes everything', () => {
  const session = openStock([
    change('broken', 'row.quantity - args.quantity', {
      also: [{ op: 'update', collection: 'stock', match: 'true', set: { quantity: 'row.nothing + 1' } }],
    }),
    change('garbled', 'row.quantity -'),
  ]);
  const before = session.snapshot();
  const outcome = drive(session, toolCall('broken', { item: 'bolts', quantity: 1 }));
  expect(outcome).toMatchObject({ status: 'ok', flags: ['rule-error'], answer: { isError: true } });
  expect(textOf(outcome)).toContain('broken: rule "row.nothing + 1" failed');
  expect(drive(session, toolCall('garbled', { item: 'bolts', quantity: 1 })).flags).toEqual(['rule-error']);
  expect(session.snapshot()).toEqual(before);
});

test('further effects create, change and delete rows of any collection', () => {
  const session = openStock(
    [
      {
        name: 'sell_out',
        input: { item: { type: 'string' } },
        override: {
          op: 'update',
          collection: 'stock',
          key: { item: 'item' },
          set: { quantity: '0' },
          also: [
            {
              op: 'create',
              collection: 'sales',
              set: { item: 'args.item', at: 'clock', rest: 'size(state.data.stock)' },
            },
            {
              op: 'delete',
              collection: 'stock',
              match: 'row.item != result.item',
              when: 'result.quantity == 0',
            },
          ],
          text: 'sold out of {row.item}; {size(state.data.sales)} sale',
        },
      },
    ],
    [
      collection('sales', [field('id'), field('item'), field('at'), field('rest')], {
        idStyle: { kind: 'number', start: 1 },
      }),
    ],
  );
  const outcome = drive(session, toolCall('sell_out', { item: 'bolts' }));
  expect(textOf(outcome)).toBe('sold out of bolts; 1 sale');
  expect(session.view()).toEqual({
    data: {
      stock: [{ item: 'bolts', quantity: 0, low: true }],
      sales: [{ id: 1, item: 'bolts', at: '2023-11-14T22:13:20.000Z', rest: 2 }],
    },
  });
});

test('lists and searches by rule, creations from like-named arguments, upserts and plain computations', () => {
  const session = openStock([
    { name: 'low', override: { op: 'list', collection: 'stock', match: 'row.low' } },
    { name: 'look', input: { query: { type: 'string' } }, override: { op: 'search', collection: 'stock' } },
    {
      name: 'add',
      input: item,
      override: { op: 'create', collection: 'stock', set: { quantity: 'args.quantity * 2' } },
    },
    {
      name: 'put',
      input: item,
      override: {
        op: 'upsert',
        collection: 'stock',
        key: { item: 'item' },
        set: { quantity: 'args.quantity' },
      },
    },
    {
      name: 'sum',
      override: { op: 'compute', returns: '{"sum": sum(state.data.stock.map(r, r.quantity))}' },
    },
    {
      name: 'drop',
      input: { item: { type: 'string' } },
      override: { op: 'delete', collection: 'stock', key: { item: 'item' } },
    },
  ]);
  const call = (name: string, args: JsonObject = {}): Json =>
    JSON.parse(textOf(drive(session, toolCall(name, args)))) as Json;
  expect(call('low')).toEqual({ stock: [{ item: 'nuts', quantity: 10, low: true }], total: 1 });
  expect(call('look', { query: 'BOL' })).toMatchObject({ total: 1, stock: [{ item: 'bolts' }] });
  expect(call('add', { item: 'gears', quantity: 3 })).toEqual({ item: 'gears', quantity: 6, low: true });
  expect(textOf(drive(session, toolCall('add', { item: 'gears', quantity: 3 })))).toBe(
    'Item already exists: gears',
  );
  expect(call('put', { item: 'gears', quantity: 100 })).toMatchObject({ quantity: 100, low: false });
  expect(call('put', { item: 'pins', quantity: 1 })).toMatchObject({ item: 'pins' });
  expect(call('sum')).toEqual({ sum: 351 });
  expect(call('drop', { item: 'pins' })).toEqual({ deleted: true, item: 'pins' });
});

test('computed fields follow other rows and are never stored', () => {
  const world = testWorld({
    collections: [
      collection(
        'orders',
        [
          field('id'),
          field('total', { computed: 'sum(state.data.lines.filter(l, l.order == row.id).map(l, l.price))' }),
        ],
        {
          idStyle: { kind: 'given' },
        },
      ),
      collection(
        'lines',
        [
          field('id'),
          field('order', { refersTo: 'orders' }),
          field('cents'),
          field('price', { computed: 'row.cents / 100' }),
        ],
        {
          idStyle: { kind: 'number', start: 1 },
        },
      ),
    ],
    tools: [
      {
        name: 'order_get',
        input: { id: { type: 'string' } },
        plan: { op: 'get', collection: 'orders', key: { id: 'id' } },
      },
      {
        name: 'line_add',
        input: { order: { type: 'string' }, cents: { type: 'integer' }, price: { type: 'number' } },
        plan: {
          op: 'create',
          collection: 'lines',
          writes: { order: 'order', cents: 'cents', price: 'price' },
        },
      },
    ],
    data: { orders: [{ id: 'o1' }], lines: [{ id: 1, order: 'o1', cents: 150 }] },
  });
  const session = engineOf(world).open(world.spec, 1);
  drive(session, toolCall('line_add', { order: 'o1', cents: 250, price: 99 }));
  const order = drive(session, toolCall('order_get', { id: 'o1' }));
  expect(JSON.parse(textOf(order))).toEqual({ id: 'o1', total: 4 });
  expect(new TextDecoder().decode(session.snapshot())).not.toContain('price');
});

test('a create keeps arguments whose field nobody declared, but not what only steers the call', () => {
  const notes = collection('notes', [field('id')], { idStyle: { kind: 'number', start: 1 } });
  const world = testWorld({
    collections: [notes],
    tools: [
      {
        name: 'note_create',
        input: { text: { type: 'string' }, request: { type: 'string' } },
        plan: { op: 'override', collection: 'notes', idempotencyKey: 'request' },
        override: { op: 'create', collection: 'notes', set: { by: '"me"' } },
      },
      {
        name: 'note_many',
        input: { texts: { type: 'array' }, place: { type: 'string' } },
        override: { op: 'create', collection: 'notes', batch: 'texts', returns: 'size(result)' },
      },
      {
        name: 'note_put',
        input: { note_id: { type: 'integer' }, text: { type: 'string' } },
        override: { op: 'upsert', collection: 'notes', key: { note_id: 'id' } },
      },
    ],
  });
  const session = engineOf(world).open(world.spec, 1);
  drive(session, toolCall('note_create', { text: 'milk', request: 'r1' }));
  drive(session, toolCall('note_many', { texts: [{ text: 'eggs' }, { text: 'salt' }], place: 'shop' }));
  drive(session, toolCall('note_put', { note_id: 9, text: 'new' }));
  drive(session, toolCall('note_put', { note_id: 1, text: 'oat milk' }));
  expect(session.view()).toMatchObject({
    data: {
      notes: [
        { id: 1, text: 'oat milk', by: 'me' },
        { id: 2, place: 'shop', text: 'eggs' },
        { id: 3, place: 'shop', text: 'salt' },
        { id: 9, text: 'new' },
      ],
    },
  });
  expect(JSON.stringify(session.view())).not.toMatch(/note_id|request|item|texts/);
});
