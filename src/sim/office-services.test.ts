/**
 * The services of the office behave as real ones: what an agent may rely on, tool by tool.
 */
import { expect, test } from 'vitest';
import type { JsonObject } from '../core/index.js';
import { testCall as call } from '../testing/index.js';
import { findWorld } from '../worlds/index.js';
import { type Episode, openEpisode } from './episode.js';

const found = findWorld('office-refund-once');
if (!found.ok) throw found.error;
const world = found.value;

/** The parts of answers that are looked at; a tool gives some of them. */
interface Answer extends JsonObject {
  readonly id: string;
  readonly total: number;
  readonly next_cursor: string;
  readonly messages: { readonly id: string }[];
  readonly products: JsonObject[];
  readonly versions: { readonly version: number }[];
  readonly results: { readonly status: string; readonly error: string }[];
  readonly converted: { readonly time: string }[];
}

const open = (): Promise<Episode> => openEpisode(world, { maxTurns: 1000 });

/** The structured answer of a call that must go well. */
async function ask(episode: Episode, tool: string, args: JsonObject): Promise<Answer> {
  const step = await episode.step(call(tool, args));
  if (step.meta?.isError === true) throw new Error(step.observation ?? '');
  return JSON.parse(step.observation ?? '') as Answer;
}

async function refusal(episode: Episode, tool: string, args: JsonObject): Promise<string> {
  const step = await episode.step(call(tool, args));
  expect([step.status, step.meta?.isError]).toEqual(['ok', true]);
  return step.observation ?? '';
}

const rowsOf = (episode: Episode, name: string): readonly JsonObject[] =>
  ((episode.view() as { data: Record<string, JsonObject[]> }).data[name] ?? []) as JsonObject[];

test('mail is searched by operators, and pages follow one another without gaps or repeats', async () => {
  const episode = await open();
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const args = { query: 'in:sent', limit: 20, ...(cursor === undefined ? {} : { cursor }) };
    const page: Answer = await ask(episode, 'search_messages', args);
    ids.push(...page.messages.map(({ id }) => id));
    cursor = page.next_cursor;
    expect(ids.length <= page.total).toBe(true);
  } while (cursor !== undefined);
  const sent = rowsOf(episode, 'messages').filter(({ folder }) => folder === 'sent');
  expect([...ids].sort()).toEqual(sent.map(({ id }) => String(id)).sort());
  const total = async (query: string) => (await ask(episode, 'search_messages', { query })).total;
  expect(await total('from:vindlaug is:unread')).toBe(1);
  expect(await total('from:vindlaug -is:unread')).toBe((await total('from:vindlaug')) - 1);
  expect(await total('subject:"three things"')).toBe(1);
  expect(await total('from:vindlaug after:2026-03-12 before:2026-03-15')).toBe(0);
  expect(await total('lucky-winner')).toBe(0);
  expect(await total('lucky-winner in:anywhere')).toBeGreaterThan(0);
});

test('a reply goes to the sender, a reply to all to everybody but us, and once under one key', async () => {
  const episode = await open();
  const args = { message_id: 'm-9208', body: 'Hello', idempotency_key: 'reply-0001' };
  const first = await ask(episode, 'reply_to_message', args);
  expect(await ask(episode, 'reply_to_message', args)).toEqual(first);
  expect(await refusal(episode, 'reply_to_message', { ...args, body: 'Other' })).toBe(
    'Idempotency key reply-0001 was already used with different arguments',
  );
  const all = await ask(episode, 'reply_to_message', { message_id: 'm-9208', body: 'Hi', reply_all: true });
  expect([first.to, first.cc, first.subject, first.thread_id]).toEqual([
    ['soren@vindlaug.example'],
    [],
    'Re: Three things',
    'th-0934',
  ]);
  expect([all.to, all.cc]).toEqual([['soren@vindlaug.example'], ['signe@vindlaug.example']]);
  expect(rowsOf(episode, 'messages').filter(({ in_reply_to }) => in_reply_to === 'm-9208')).toHaveLength(2);
});

test('refunds end where the money ends', async () => {
  const episode = await open();
  const refund = (amount_cents: number) => ({ order_id: 'SO-20411', amount_cents, reason: 'damaged' });
  const left = 'that are left of what was paid for order SO-20411';
  expect(await refusal(episode, 'create_refund', refund(64801))).toBe(
    `a refund of 64801 is more than the 64800 ${left}`,
  );
  const made = await ask(episode, 'create_refund', { ...refund(60000), idempotency_key: 'refund-0001' });
  expect(Object.keys(made)).toEqual(['id', 'order_id', 'amount_cents', 'reason', 'note', 'created_at']);
  expect(await refusal(episode, 'create_refund', refund(4801))).toBe(
    `a refund of 4801 is more than the 4800 ${left}`,
  );
  const order = await ask(episode, 'get_order', { order_id: 'SO-20411' });
  expect([order.total_cents, order.paid_cents, order.refunded_cents]).toEqual([64800, 129600, 124800]);
});

test('packing takes from stock, in the right state only, and stock is counted from movements', async () => {
  const episode = await open();
  const stock = async () => (await ask(episode, 'search_products', { query: 'KV-SEN-072' })).products[0];
  expect(await stock()).toMatchObject({ on_hand: 3, reserved: 1, available: 2 });
  expect(await refusal(episode, 'set_order_status', { order_id: 'SO-10330', status: 'shipped' })).toBe(
    'order SO-10330 is paid and cannot become shipped',
  );
  await ask(episode, 'set_order_status', { order_id: 'SO-10330', status: 'packed' });
  expect(await stock()).toMatchObject({ on_hand: 2, reserved: 0, available: 2 });
  expect(await refusal(episode, 'set_order_status', { order_id: 'SO-10330', status: 'shipped' })).toBe(
    'a shipped order needs a tracking_number',
  );
  const write = { sku: 'KV-SEN-072', kind: 'write_off', quantity: 3, reference: 'count' };
  expect(await refusal(episode, 'record_stock_movement', write)).toBe('only 2 of KV-SEN-072 are in stock');
});

test('a file changes against its version only, and its earlier texts stay', async () => {
  const episode = await open();
  const change = { file_id: 'f-903', content: 'new', expected_version: 4 };
  expect(await refusal(episode, 'update_file', change)).toBe(
    'file f-903 has version 5, not 4; read it again and take over the change of teodora.ilic@kestrelvane.example',
  );
  const changed = await ask(episode, 'update_file', { ...change, expected_version: 5 });
  expect([changed.version, changed.size_bytes, 'content' in changed]).toEqual([6, 3, false]);
  const { versions } = await ask(episode, 'list_file_versions', { file_id: 'f-903' });
  expect(versions.map(({ version }) => version)).toEqual([5]);
  expect(
    await refusal(episode, 'share_file', { file_id: 'f-903', email: 'a@b.example', role: 'editor' }),
  ).toBe('a@b.example is outside the company and can only be a reader');
  const batch = await ask(episode, 'trash_files', { file_ids: ['f-903', 'f-122', 'f-0', 'f-903'] });
  expect(batch.results.map(({ status, error }) => error ?? status)).toEqual([
    'ok',
    'folder f-122 is not empty',
    'file f-0 not found',
    'f-903 is in the trash already',
  ]);
  await ask(episode, 'restore_file', { file_id: 'f-903' });
});

test('a room is never taken twice, and people who are busy are told', async () => {
  const episode = await open();
  const event = {
    title: 'Visit',
    start: '2026-03-24T14:00:00+01:00',
    end: '2026-03-24T15:00:00+01:00',
    time_zone: 'Europe/Oslo',
    organizer: 'rui.fontes@kestrelvane.example',
    attendees: ['Priya.Raghunathan@kestrelvane.example', 'guest@else.example'],
    room_id: 'r-tejo',
  };
  expect(await refusal(episode, 'create_event', event)).toBe('room r-tejo is taken at that time');
  const made = await ask(episode, 'create_event', { ...event, room_id: 'r-douro' });
  expect([made.start, made.end, made.conflicts]).toEqual([
    '2026-03-24T13:00:00Z',
    '2026-03-24T14:00:00Z',
    ['priya.raghunathan@kestrelvane.example'],
  ]);
  const moved = { event_id: made.id, start: event.end, expected_version: 1 };
  expect(await refusal(episode, 'update_event', moved)).toBe(
    'the event must end after it starts; give start and end together',
  );
  expect(rowsOf(episode, 'notifications').map(({ kind }) => kind)).toEqual(['invited']);
});

test('tasks are finished after those that they depend on, each by itself', async () => {
  const episode = await open();
  const project_id = 'prj-03';
  const first = await ask(episode, 'create_task', { project_id, title: 'first' });
  const second = await ask(episode, 'create_task', { project_id, title: 'second', depends_on: [first.id] });
  const backwards = await ask(episode, 'complete_tasks', { task_ids: [second.id, first.id] });
  expect([backwards.succeeded, backwards.failed]).toEqual([1, 1]);
  const again = await ask(episode, 'complete_tasks', { task_ids: [second.id] });
  expect(again.succeeded).toBe(1);
});

test('times are converted as the time zone database says, around every change of the clocks', async () => {
  const episode = await open();
  const zones = (rowsOf(episode, 'time_zones') as { id: string; offsets: { since: string }[] }[]).slice(
    0,
    12,
  );
  for (const zone of zones) {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone.id,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    for (const { since } of zone.offsets.slice(1, 5)) {
      for (const minutes of [-1, 0, 90]) {
        const time = new Date(Date.parse(since) + minutes * 60_000).toISOString().replace('.000Z', 'Z');
        const { converted } = await ask(episode, 'convert_time', { time, to_time_zones: [zone.id] });
        const local = converted[0]?.time ?? '';
        expect([zone.id, local.slice(0, 19).replace('T', ' ')]).toEqual([
          zone.id,
          format.format(new Date(time)),
        ]);
        expect(Date.parse(local)).toBe(Date.parse(time));
      }
    }
  }
});
