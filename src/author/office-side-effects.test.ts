/**
 * Whoever solves a world of the office and changes one thing more has not solved it, whichever service it is in; whoever
 * only marks messages as read has.
 */
import { expect, test } from 'vitest';
import { openEpisode } from '../sim/index.js';
import { findWorld, listWorlds } from '../worlds/index.js';

const names = listWorlds().flatMap(({ name, path }) => (/worlds\/office\//.test(path) ? [name] : []));

const person = {
  name: 'Ada Holm',
  email: 'ada.holm@kestrelvane.example',
  title: 'Guest',
  department: 'People',
  office: 'Lisbon',
  time_zone: 'Europe/Lisbon',
  manager_id: 'p-001',
  started_on: '2026-05-04',
};
const event = {
  title: 'Coffee',
  start: '2026-06-02T09:00:00Z',
  end: '2026-06-02T10:00:00Z',
  time_zone: 'Europe/Lisbon',
  organizer: 'ines.carvalho@kestrelvane.example',
  attendees: [],
};
const bill = {
  supplier_id: 'c-0101',
  invoice_number: 'X-1',
  issued_on: '2026-03-01',
  due_on: '2026-04-01',
  amount_cents: 100,
  currency: 'EUR',
  file_id: 'f-126',
};

const changes: readonly (readonly [string, Record<string, unknown>])[] = [
  ['add_person', person],
  ['create_draft', { subject: 'A draft', body: 'left over' }],
  ['modify_messages', { message_ids: ['m-1001'], move_to: 'trash' }],
  ['create_event', event],
  ['trash_files', { file_ids: ['f-126'] }],
  ['create_contact', { name: 'Ada Holm', emails: ['ada@holm.example'] }],
  ['create_task', { project_id: 'prj-01', title: 'One more' }],
  ['set_order_status', { order_id: 'SO-10326', status: 'cancelled' }],
  ['create_refund', { order_id: 'SO-10101', amount_cents: 1, reason: 'goodwill' }],
  ['record_stock_movement', { sku: 'KV-BAR-110', kind: 'receipt', quantity: 1, reference: 'X' }],
  ['register_bill', bill],
  ['create_issue', { title: 'One more', body: 'x', labels: [] }],
  ['add_issue_comment', { issue_id: 'OPS-106', body: 'One more' }],
];

/** After all of the oracle but the answer: the reward of each call and the answer, by the call's place in `calls`. */
async function rewards(name: string, calls: typeof changes): Promise<(number | string | null)[]> {
  const world = findWorld(name);
  if (!world.ok) throw world.error;
  const episode = await openEpisode(world.value);
  for (const action of world.value.oracle.slice(0, -1)) await episode.step(action);
  const all: (number | string | null)[] = [];
  for (const [tool, args] of calls) {
    const other = episode.fork();
    const step = await other.step(JSON.stringify({ name: tool, arguments: args }));
    const end = await other.step(world.value.oracle.at(-1) ?? '');
    all.push(step.status === 'ok' ? end.reward : step.observation);
  }
  return all;
}

test.each(names)('%s fails whoever changes one thing more, but not who marks mail as read', async (name) => {
  const marked = ['modify_messages', { message_ids: ['m-1001', 'm-1294'], mark_read: true }] as const;
  const [read, ...told] = await rewards(name, [marked, ...changes]);
  // the triage is told which messages it is to mark
  if (name === 'office-mail-triage') expect(read).toBeLessThan(1);
  else expect(read).toBe(1);
  expect(told.filter((reward) => typeof reward !== 'number')).toEqual([]);
  expect(changes.filter((_change, index) => told[index] === 1)).toEqual([]);
});
