/**
 * The small worlds that the tests of this room live in. Test code only.
 */
import { createTestWorld, testTool, type WorldParts } from '../testing/index.js';
import type { World } from '../worlds/index.js';

const text = { type: 'string' };
const whole = { type: 'integer' };

/** A stock ledger: amounts go out, come back and are found. */
export function stockWorld(more: WorldParts = {}): World {
  const change = (sign: '-' | '+') => ({
    op: 'update',
    collection: 'stocks',
    key: { item: 'item' },
    set: { quantity: `row.quantity ${sign} args.quantity` },
  });
  return createTestWorld({
    name: 'stock',
    tools: [
      testTool('stock_get', { item: text }),
      testTool('ship', { item: text, quantity: whole }),
      testTool('return', { item: text, quantity: whole }),
      testTool('found', { item: text, quantity: whole }),
    ],
    state: {
      data: {
        stocks: [
          { item: 'bolts', quantity: 240 },
          { item: 'nuts', quantity: 10 },
        ],
      },
    },
    entities: { stocks: { key: 'item', id: { style: 'given' } } },
    overrides: {
      stock_get: { op: 'get', collection: 'stocks', key: { item: 'item' } },
      ship: {
        ...change('-'),
        require: [{ expr: 'row.quantity >= args.quantity', error: 'not enough in stock' }],
      },
      return: change('+'),
      found: change('+'),
    },
    success: [
      { id: 'shipped', expr: "state.data.stocks.exists(s, s.item == 'bolts' && s.quantity == 175)" },
      { id: 'said', expr: "answer != null && answer.contains('175')" },
    ],
    ...more,
  });
}

/** Tickets that are made, read and closed. */
export function ticketWorld(more: WorldParts = {}): World {
  return createTestWorld({
    name: 'tickets',
    tools: [
      testTool('ticket_create', { title: text }),
      testTool('ticket_get', { id: text }),
      testTool('ticket_close', { id: text }),
      testTool('ticket_list', {}),
    ],
    state: { data: { tickets: [] } },
    entities: { tickets: { id: { style: 'counter', prefix: 'T-', start: 1 } } },
    overrides: {
      ticket_create: { op: 'create', collection: 'tickets', set: { title: 'args.title', status: "'open'" } },
      ticket_get: { op: 'get', collection: 'tickets', key: { id: 'id' } },
      ticket_close: {
        op: 'update',
        collection: 'tickets',
        key: { id: 'id' },
        require: [{ expr: "row.status != 'closed'", error: 'ticket {row.id} is already closed' }],
        set: { status: "'closed'" },
      },
      ticket_list: { op: 'list', collection: 'tickets' },
    },
    ...more,
  });
}

/** Invoices with an idempotency key. */
export function invoiceWorld(more: WorldParts = {}): World {
  return createTestWorld({
    name: 'invoices',
    tools: [
      testTool('invoice_create', { customer: text, cents: whole, 'idempotency_key?': text }),
      testTool('invoice_list', {}),
    ],
    state: { data: { invoices: [] } },
    ...more,
  });
}

/** Notes that get tags, many at once; n3 is locked. */
export function notesWorld(more: WorldParts = {}): World {
  const item = {
    type: 'object',
    properties: { id: text, tag: text },
    required: ['id', 'tag'],
    additionalProperties: false,
  };
  return createTestWorld({
    name: 'notes',
    tools: [
      testTool('tag_add_many', { items: { type: 'array', items: item } }),
      testTool('note_get', { id: text }),
      testTool('note_unlock', { id: text }),
    ],
    state: {
      data: {
        notes: [
          { id: 'n1', tags: [], locked: false },
          { id: 'n2', tags: [], locked: false },
          { id: 'n3', tags: [], locked: true },
        ],
      },
    },
    overrides: {
      tag_add_many: {
        op: 'update',
        collection: 'notes',
        batch: 'items',
        match: 'row.id == args.item.id',
        notFound: 'not found',
        require: [{ expr: '!row.locked', error: 'locked' }],
        set: { tags: 'args.item.tag in row.tags ? row.tags : row.tags + [args.item.tag]' },
      },
      note_get: { op: 'get', collection: 'notes', key: { id: 'id' } },
      note_unlock: { op: 'update', collection: 'notes', key: { id: 'id' }, set: { locked: 'false' } },
    },
    ...more,
  });
}

/** A library: books can be listed and lent; opening hours and reviews nobody can compute. */
export function libraryWorld(more: WorldParts = {}): World {
  return createTestWorld({
    name: 'library',
    tools: [
      testTool('book_list', {}),
      testTool('book_lend', { id: text, reader: text }),
      testTool('opening_hours', { day: text }, { description: 'Explains when the house is open.' }),
      testTool(
        'review_summarize',
        { book: text },
        {
          description: 'Summarizes what readers think.',
          outputSchema: { type: 'object', properties: { stars: { type: 'integer' } }, required: ['stars'] },
        },
      ),
    ],
    state: { data: { books: [{ id: 'b1', title: 'Tides', reader: null }] } },
    overrides: {
      book_list: { op: 'list', collection: 'books' },
      book_lend: { op: 'update', collection: 'books', key: { id: 'id' }, set: { reader: 'args.reader' } },
    },
    ...more,
  });
}
