/**
 * The example world of docs/FAULTS.md: a help desk with tickets, a log in pages, and mails. Test code only.
 */
import { createTestWorld, testTool, type WorldParts } from '../testing/index.js';
import type { World } from '../worlds/index.js';

const text = { type: 'string' };
const whole = { type: 'integer' };

/** Three tickets, six lines of a log, one mail. */
export function helpDeskWorld(more: WorldParts = {}): World {
  return createTestWorld({
    name: 'help-desk',
    tools: [
      testTool('ticket_create', { title: text, 'request_key?': text }, { description: 'Create a ticket.' }),
      testTool('ticket_get', { id: text }, { description: 'Get one ticket.' }),
      testTool('ticket_list', {}, { description: 'List all tickets.' }),
      testTool(
        'ticket_update',
        { id: text, status: text },
        { description: 'Change the status of a ticket.' },
      ),
      testTool(
        'tag_add_many',
        {
          items: {
            type: 'array',
            items: { type: 'object', properties: { id: text, tag: text }, required: ['id', 'tag'] },
          },
        },
        { description: 'Tag many tickets.' },
      ),
      testTool(
        'log_list',
        { 'page?': whole, 'per_page?': { ...whole, default: 2 } },
        { description: 'List the log, two lines a page.' },
      ),
      testTool('mail_get', { id: text }, { description: 'Get one mail.' }),
      testTool('sign_in', { user: text }, { description: 'Sign in.' }),
    ],
    state: {
      data: {
        tickets: [
          ticket('T-1', { title: 'Straße zu dunkel', cost_cents: 1999, priority: 2 }),
          ticket('T-2', { title: 'Café door', cost_cents: 450, priority: 1 }),
          ticket('T-3', { title: 'Lift', cost_cents: 120_000, priority: 3 }),
        ],
        log: [1, 2, 3, 4, 5, 6].map((n) => ({ id: n, line: `event ${n}` })),
        mails: [{ id: 'm1', from: 'ada@example.org', subject: 'Lift', body: 'The lift is stuck again.' }],
        users: [{ id: 'ada', signed_in: false }],
      },
    },
    entities: { tickets: { id: { style: 'counter', prefix: 'T-', start: 4 } } },
    overrides: {
      ticket_create: { op: 'create', collection: 'tickets', set: { title: 'args.title', status: "'open'" } },
      ticket_get: { op: 'get', collection: 'tickets', key: { id: 'id' } },
      ticket_list: { op: 'list', collection: 'tickets' },
      ticket_update: {
        op: 'update',
        collection: 'tickets',
        key: { id: 'id' },
        set: { status: 'args.status' },
      },
      tag_add_many: {
        op: 'update',
        collection: 'tickets',
        batch: 'items',
        match: 'row.id == args.item.id',
        set: { tags: 'args.item.tag in row.tags ? row.tags : row.tags + [args.item.tag]' },
      },
      log_list: { op: 'list', collection: 'log' },
      mail_get: { op: 'get', collection: 'mails', key: { id: 'id' } },
      sign_in: { op: 'update', collection: 'users', key: { user: 'id' }, set: { signed_in: 'true' } },
    },
    ...more,
  });
}

function ticket(id: string, more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { id, status: 'open', currency: 'EUR', due: '2026-02-03T08:30:00Z', tags: [], ...more };
}
