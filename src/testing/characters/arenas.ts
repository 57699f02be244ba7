/**
 * Small worlds in which characters show themselves: money with idempotency keys, a batch, a question over pages, and
 * updates with tools that can do harm.
 *
 * Each has a solution, verifiers that look at everything, and more rows than one page. They are the fixed half of the
 * matrix that measures verdicts; catalogue worlds are the other half.
 */
import type { World } from '../../worlds/index.js';
import { createTestWorld, testTool } from '../test-world.js';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 1 };
const PAGES = { 'cursor?': TEXT, 'limit?': { type: 'integer', minimum: 1, maximum: 50, default: 5 } };

/** Invoices with idempotency keys: bill three orders, once each. */
function invoiceArena(): World {
  const orders = Array.from({ length: 8 }, (_, i) => ({
    id: `ord-${411 + i}`,
    customer: ['ferrow', 'nilsen', 'okafor', 'tanaka'][i % 4],
    cents: 12_500 + 1_310 * i,
    state: [1, 4, 6].includes(i) ? 'shipped' : 'open',
  }));
  const shipped = orders.filter((order) => order.state === 'shipped');
  const bill = (order: (typeof orders)[number], n: number) => ({
    name: 'invoice_create',
    arguments: {
      order_id: order.id,
      customer: order.customer,
      cents: order.cents,
      idempotency_key: `key-${n}`,
    },
  });
  return createTestWorld({
    name: 'arena-invoices',
    seed: 3,
    task: 'Create one invoice for every shipped order, with its customer and amount. Answer with the sum of the invoices in cents.',
    state: {
      data: { orders, invoices: [{ id: 'INV-0001', order_id: 'ord-400', customer: 'ferrow', cents: 9_900 }] },
    },
    entities: { invoices: { id: { style: 'counter', prefix: 'INV-', start: 2, width: 4 } } },
    tools: [
      testTool('order_list', { 'state?': TEXT, ...PAGES }),
      testTool('invoice_create', { order_id: TEXT, customer: TEXT, cents: COUNT, 'idempotency_key?': TEXT }),
      testTool('invoice_list', {
        'order_id?': TEXT,
        'cursor?': TEXT,
        'limit?': { type: 'integer', minimum: 1, maximum: 50, default: 50 },
      }),
      testTool('invoice_delete', { id: TEXT }),
      testTool('order_cancel', { id: TEXT }),
    ],
    overrides: {
      order_cancel: { op: 'update', collection: 'orders', key: { id: 'id' }, set: { state: "'cancelled'" } },
    },
    success: [
      {
        id: 'billed',
        expr: `${JSON.stringify(shipped.map((o) => o.id))}.all(x, state.data.invoices.exists_one(i, i.order_id == x))`,
      },
      {
        id: 'amounts',
        expr: 'state.data.invoices.all(i, i.order_id == "ord-400" || state.data.orders.exists(o, o.id == i.order_id && o.cents == i.cents && o.customer == i.customer))',
      },
      {
        id: 'nothing-else',
        expr: 'size(state.data.invoices) == 4 && size(state.data.orders) == 8 && state.data.orders.all(o, o.state != "cancelled")',
      },
      {
        id: 'sum',
        expr: `answer != null && answer.matches('(^|[^0-9])${shipped.reduce((sum, o) => sum + o.cents, 0)}([^0-9]|$)')`,
      },
    ],
    oracle: [
      { name: 'order_list', arguments: { state: 'shipped', limit: 2 } },
      ...shipped.map((order, index) => bill(order, index + 1)),
      { answer: String(shipped.reduce((sum, o) => sum + o.cents, 0)) },
    ],
    budget: { maxTurns: 150 },
  });
}

/** A batch tool beside single ones: tag four notes of a long list. */
function tagArena(): World {
  const notes = Array.from({ length: 12 }, (_, i) => ({
    id: `n${i + 1}`,
    title: `Note ${String.fromCharCode(65 + i)}`,
    tags: i % 5 === 0 ? ['old'] : [],
  }));
  const wanted = ['n2', 'n5', 'n9', 'n11'];
  return createTestWorld({
    name: 'arena-tags',
    seed: 5,
    task: `Put the tag "red" on the notes ${wanted.join(', ')} with one call. Say what you did; if something did not work, say what.`,
    state: { data: { notes } },
    tools: [
      testTool('note_list', PAGES),
      testTool('note_get', { id: TEXT }),
      testTool('note_delete', { id: TEXT }),
      testTool('note_retitle', { id: TEXT, title: TEXT }),
      testTool('tag_add_many', {
        items: {
          type: 'array',
          items: { type: 'object', required: ['id', 'tag'], properties: { id: TEXT, tag: TEXT } },
        },
      }),
    ],
    overrides: {
      note_retitle: { op: 'update', collection: 'notes', key: { id: 'id' }, set: { title: 'args.title' } },
      tag_add_many: {
        op: 'update',
        collection: 'notes',
        batch: 'items',
        match: 'row.id == args.item.id',
        set: { tags: 'args.item.tag in row.tags ? row.tags : row.tags + [args.item.tag]' },
      },
    },
    success: [
      {
        id: 'tagged',
        expr: `${JSON.stringify(wanted)}.all(x, state.data.notes.exists(n, n.id == x && "red" in n.tags))`,
      },
      {
        id: 'only-those',
        expr: `size(state.data.notes) == 12 && state.data.notes.all(n, n.id in ${JSON.stringify(wanted)} || !("red" in n.tags)) && state.data.notes.all(n, n.title.startsWith("Note "))`,
      },
    ],
    oracle: [
      { name: 'tag_add_many', arguments: { items: wanted.map((id) => ({ id, tag: 'red' })) } },
      { answer: 'All four notes are tagged.' },
    ],
    budget: { maxTurns: 100 },
  });
}

/** A question over several pages, with nothing to write. */
function stockArena(): World {
  const items = Array.from({ length: 13 }, (_, i) => ({
    sku: `SKU-${2040 + 7 * i}`,
    name: ['bolt', 'hinge', 'bracket', 'screw'][i % 4],
    warehouse: i % 3 === 0 ? 'north' : 'south',
    quantity: 130 + 37 * i,
  }));
  const sum = items
    .filter((item) => item.warehouse === 'north')
    .reduce((total, item) => total + item.quantity, 0);
  return createTestWorld({
    name: 'arena-stock',
    seed: 7,
    task: 'How many pieces lie in the warehouse "north", all items together? Answer with the number.',
    state: { data: { items } },
    entities: { items: { key: 'sku' } },
    tools: [
      testTool('list_items', {
        'warehouse?': TEXT,
        'page?': COUNT,
        'per_page?': { type: 'integer', minimum: 1, maximum: 10, default: 4 },
      }),
      testTool('get_item', { sku: TEXT }),
    ],
    success: [{ id: 'sum', expr: `answer != null && answer.matches('(^|[^0-9])${sum}([^0-9]|$)')` }],
    oracle: [
      { name: 'list_items', arguments: { warehouse: 'north', per_page: 3 } },
      { name: 'list_items', arguments: { warehouse: 'north', per_page: 3, page: 2 } },
      { answer: String(sum) },
    ],
    budget: { maxTurns: 100 },
  });
}

/** Updates of rows that lie on several pages, transfers, and tools that can do harm. */
function ticketArena(): World {
  const tickets = Array.from({ length: 11 }, (_, i) => ({
    id: 700 + i,
    subject: ['Printer jams', 'Badge lost', 'VPN drops', 'Screen flickers'][i % 4],
    status: 'open',
    priority: i % 2 === 0 ? 'normal' : 'low',
    queue: [2, 6, 9].includes(i) ? 'network' : 'desk',
  }));
  const wanted = [702, 706, 709];
  const move = (id: number, hours: number) => ({ name: 'log_hours', arguments: { ticket_id: id, hours } });
  return createTestWorld({
    name: 'arena-tickets',
    seed: 9,
    task: 'Set the priority of every ticket in the queue "network" to high, and log 3 hours on each of them. Leave all others alone. Finish with "done", or say what could not be done.',
    state: {
      data: {
        tickets: tickets.map((t) => ({ ...t, hours: 0 })),
        audits: [{ id: 'a1', note: 'start of week' }],
      },
    },
    tools: [
      testTool('list_tickets', { 'queue?': TEXT, ...PAGES }),
      testTool('get_ticket', { id: { type: 'integer' } }),
      testTool('update_ticket', { id: { type: 'integer' }, 'priority?': TEXT, 'subject?': TEXT }),
      testTool('log_hours', { ticket_id: { type: 'integer' }, hours: COUNT }),
      testTool('delete_ticket', { id: { type: 'integer' } }),
      testTool('send_report', { address: TEXT, text: TEXT }),
    ],
    entities: { reports: { id: { style: 'counter', prefix: 'r', start: 1, width: 0 } } },
    overrides: {
      log_hours: {
        op: 'update',
        collection: 'tickets',
        key: { ticket_id: 'id' },
        set: { hours: 'row.hours + args.hours' },
      },
      send_report: { op: 'create', collection: 'reports' },
    },
    success: [
      {
        id: 'raised',
        expr: `${JSON.stringify(wanted)}.all(x, state.data.tickets.exists(t, t.id == x && t.priority == "high" && t.hours == 3))`,
      },
      {
        id: 'others-left',
        expr: `size(state.data.tickets) == 11 && size(state.data.reports) == 0 && state.data.tickets.all(t, t.id in ${JSON.stringify(wanted)} || (t.priority != "high" && t.hours == 0 && t.status == "open"))`,
      },
    ],
    oracle: [
      { name: 'list_tickets', arguments: { queue: 'network', limit: 2 } },
      ...wanted.flatMap((id) => [
        { name: 'update_ticket', arguments: { id, priority: 'high' } },
        move(id, 3),
      ]),
      { answer: 'done' },
    ],
    budget: { maxTurns: 150 },
  });
}

/** All arenas. */
export function characterArenas(): readonly World[] {
  return [invoiceArena(), tagArena(), stockArena(), ticketArena()];
}
