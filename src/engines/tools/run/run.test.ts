import { expect, test } from 'vitest';
import type { EngineOutcome, HostCall, JsonObject } from '../../../core/index.js';
import { drive, faultAnswer, gapIn, type TestHost, toolCall } from '../../engine.contract.js';
import { collection, engineOf, field, testWorld, ticketWorld } from '../engine-worlds.contract.js';

const textOf = (outcome: EngineOutcome): string => outcome.answer?.text.text ?? '';
const jsonOf = (outcome: EngineOutcome): JsonObject => JSON.parse(textOf(outcome)) as JsonObject;

function openTickets() {
  const world = ticketWorld();
  return engineOf(world).open(world.spec, 1);
}

test('what cannot succeed is refused or answered as an error and changes nothing', () => {
  const world = ticketWorld();
  const session = engineOf({ ...world, spec: { ...world.spec, data: {} } }).open(
    { ...world.spec, data: {} },
    1,
  );
  const created = jsonOf(drive(session, toolCall('ticket_create', { title: 'lamp' })));
  expect(created).toEqual({
    id: 'T-1',
    title: 'lamp',
    status: 'open',
    tags: [],
    created_at: '2023-11-14T22:13:20.000Z',
  });
  const after = session.snapshot();
  const missing = drive(session, toolCall('ticket_get', { id: 'T-99999' }));
  expect(missing.answer).toMatchObject({ isError: true, text: { text: 'Ticket not found: T-99999' } });
  const none = drive(session, toolCall('ticket_get', {}));
  expect([none.status, textOf(none)]).toEqual([
    'refused',
    'Input validation error: Invalid arguments for tool ticket_get: missing argument `id`',
  ]);
  const wrong = drive(session, toolCall('ticket_get', { id: 17 }));
  expect([wrong.status, textOf(wrong)]).toEqual([
    'refused',
    'Input validation error: Invalid arguments for tool ticket_get: argument `id` has the wrong type: expected string, got 17',
  ]);
  expect(session.snapshot()).toEqual(after);
  expect(jsonOf(drive(session, toolCall('ticket_close', { id: 'T-1' })))).toMatchObject({ status: 'closed' });
  const again = drive(session, toolCall('ticket_close', { id: 'T-1' }));
  expect(again.answer).toMatchObject({ isError: true, text: { text: 'Ticket T-1 is already closed' } });
  const unknown = drive(session, toolCall('ticket_reopen', { id: 'T-1' }));
  expect(unknown).toMatchObject({
    status: 'refused',
    flags: ['unknown-tool', 'protocol-error'],
    durationMs: 0,
  });
  expect(textOf(unknown)).toBe('MCP error -32602: Unknown tool: ticket_reopen');
  const listed = jsonOf(drive(session, toolCall('ticket_list')));
  expect(listed).toMatchObject({ tickets: [{ id: 'T-1', status: 'closed' }], total: 1 });
});

test('a batch answers every item in request order, keeps the good ones and adds no second tag', () => {
  const world = testWorld({
    collections: [
      collection(
        'notes',
        [field('id'), field('locked', { initial: false }), field('tags', { initial: [] })],
        {
          idStyle: { kind: 'given' },
        },
      ),
    ],
    tools: [
      {
        name: 'tag_add_many',
        schema: { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] },
        override: {
          op: 'update',
          collection: 'notes',
          key: { id: 'id' },
          batch: 'items',
          require: [{ expr: '!row.locked', error: 'locked' }],
          set: { tags: 'args.tag in row.tags ? row.tags : row.tags + [args.tag]' },
        },
      },
      {
        name: 'note_get',
        input: { id: { type: 'string' } },
        plan: { op: 'get', collection: 'notes', key: { id: 'id' } },
      },
      {
        name: 'note_unlock',
        input: { id: { type: 'string' } },
        plan: { op: 'update', collection: 'notes', key: { id: 'id' }, sets: { locked: false } },
      },
    ],
    data: { notes: ['n1', 'n2', 'n3'].map((id) => ({ id, locked: id === 'n3', tags: [] })) },
  });
  const session = engineOf(world).open(world.spec, 1);
  const all = { items: ['n1', 'n2', 'n3', 'n404'].map((id) => ({ id, tag: 'red' })) };
  const first = drive(session, toolCall('tag_add_many', all));
  expect(first.answer?.isError).toBe(false);
  expect(jsonOf(first)).toEqual({
    results: [
      { id: 'n1', status: 'ok' },
      { id: 'n2', status: 'ok' },
      { id: 'n3', status: 'refused', error: 'locked' },
      { id: 'n404', status: 'not-found', error: 'Note not found: n404' },
    ],
    succeeded: 2,
    failed: 2,
    total: 4,
  });
  const tagsOf = (id: string) => jsonOf(drive(session, toolCall('note_get', { id }))).tags;
  expect(['n1', 'n2', 'n3'].map(tagsOf)).toEqual([['red'], ['red'], []]);
  drive(session, toolCall('note_unlock', { id: 'n3' }));
  expect(
    jsonOf(drive(session, toolCall('tag_add_many', { items: [{ id: 'n3', tag: 'red' }] }))),
  ).toMatchObject({
    succeeded: 1,
    failed: 0,
  });
  drive(session, toolCall('tag_add_many', all));
  expect(tagsOf('n1')).toEqual(['red']);
});

test('the Host can fail one item of a batch before its write or lose its answer after it', () => {
  for (const phase of ['before', 'after'] as const) {
    const session = openTickets();
    drive(session, toolCall('ticket_create', { title: 'b' }));
    const host: TestHost = (call) =>
      call.phase === phase && call.op.kind === 'tool.item' && call.op.index === 0
        ? { do: 'answer', answer: faultAnswer('upstream timed out') }
        : undefined;
    const items = ['T-7', 'T-8'].map((id) => ({ id, tag: 'red' }));
    const outcome = drive(session, toolCall('tag_add_many', { items }), { host });
    expect(jsonOf(outcome).results).toEqual([
      { id: 'T-7', status: 'failed', error: 'upstream timed out' },
      { id: 'T-8', status: 'ok' },
    ]);
    const tags = jsonOf(drive(session, toolCall('ticket_get', { id: 'T-7' }))).tags;
    expect(tags).toEqual(phase === 'before' ? [] : ['red']);
  }
});

test('each call passes its operations in a fixed order, with delays on its time', () => {
  const session = openTickets();
  const seen: string[] = [];
  const host: TestHost = (call: HostCall) => {
    if (call.phase === 'breath') return undefined;
    seen.push(`${call.phase} ${call.op.kind} ${call.op.target ?? call.op.name}`);
    return call.phase === 'before' ? { do: 'proceed', delayMs: 1000 } : undefined;
  };
  const plain = drive(openTickets(), toolCall('ticket_close', { id: 'T-7' }));
  const outcome = drive(session, toolCall('ticket_close', { id: 'T-7' }), { host });
  expect(seen).toEqual([
    'before tool.call ticket_close',
    'before data.read tickets',
    'after data.read tickets',
    'before data.write tickets',
    'after data.write tickets',
    'after tool.call ticket_close',
  ]);
  expect(outcome.durationMs).toBe(plain.durationMs + 3000);
  expect(plain.durationMs).toBeGreaterThanOrEqual(120);
});

test('an error before a write leaves nothing, one after it keeps the write and loses the answer', () => {
  for (const kind of ['tool.call', 'data.write'] as const) {
    for (const phase of ['before', 'after'] as const) {
      const session = openTickets();
      const host: TestHost = (call) =>
        call.phase === phase && call.op.kind === kind
          ? { do: 'answer', answer: faultAnswer('timed out') }
          : undefined;
      const outcome = drive(session, toolCall('ticket_create', { title: 'x' }), { host });
      expect(outcome).toMatchObject({ status: 'ok', answer: { isError: true, text: { text: 'timed out' } } });
      const listed = jsonOf(drive(session, toolCall('ticket_list')));
      expect(listed.total).toBe(phase === 'before' ? 1 : 2);
    }
  }
});

test('references must lead somewhere, and go with what they refer to', () => {
  const session = openTickets();
  const dangling = drive(session, toolCall('note_create', { ticket_id: 'T-999', body: 'x' }));
  expect(textOf(dangling)).toBe('Ticket not found: T-999 (argument `ticket_id`)');
  drive(session, toolCall('ticket_create', { title: 'other' }));
  drive(session, toolCall('note_create', { ticket_id: 'T-7', body: 'goes' }));
  drive(session, toolCall('note_create', { ticket_id: 'T-8', body: 'stays', see: 'T-7' }));
  drive(session, toolCall('ticket_delete', { id: 'T-7' }));
  expect(jsonOf(drive(session, toolCall('note_list')))).toMatchObject({
    notes: [{ ticket_id: 'T-8', body: 'stays', see: null }],
    total: 1,
  });
  expect(textOf(drive(session, toolCall('ticket_delete', { id: 'T-7' })))).toBe('Ticket not found: T-7');
  const made = jsonOf(drive(session, toolCall('ticket_create', { title: 'new' })));
  expect(made.id).toBe('T-9');
});

test('ids are never used again after a deletion', () => {
  const session = openTickets();
  drive(session, toolCall('ticket_create', { title: 'a' }));
  drive(session, toolCall('ticket_delete', { id: 'T-8' }));
  expect(jsonOf(drive(session, toolCall('ticket_create', { title: 'b' }))).id).toBe('T-9');
});

test('what nobody can compute is generated filler, or in a strict world abstained from', () => {
  const world = ticketWorld();
  const loose = drive(engineOf(world).open(world.spec, 1), toolCall('weather', { city: 'Ulm' }));
  expect(loose.answer?.text).toEqual({
    text: 'weather: done.',
    origins: [{ start: 0, end: 14, origin: 'generated' }],
  });
  const spec = { ...world.spec, strict: true };
  const strict = drive(engineOf({ ...world, spec }).open(spec, 1), toolCall('weather', { city: 'Ulm' }));
  expect(strict).toMatchObject({ status: 'abstained', answer: null });
});

test('an answer from outside brings effects as a whole or, flagged, not at all', () => {
  const write = (row: JsonObject) => ({ collection: 'tickets', row });
  const host =
    (effects: JsonObject): TestHost =>
    (call) =>
      call.phase === 'unknown'
        ? {
            do: 'answer',
            answer: {
              text: { text: 'ok', origins: [{ start: 0, end: 2, origin: 'predicted' }] },
              isError: false,
              effects,
            },
          }
        : undefined;
  const good = openTickets();
  const effects = {
    writes: [write({ id: 'T-50', title: 'rain' })],
    deletes: [{ collection: 'tickets', key: 'T-7' }],
  };
  expect(drive(good, toolCall('weather'), { host: host(effects) }).flags).toEqual([]);
  const listed = drive(good, toolCall('ticket_list'));
  expect(jsonOf(listed).tickets).toEqual([{ id: 'T-50', title: 'rain' }]);
  expect(listed.answer?.text.origins.some((span) => span.origin === 'predicted')).toBe(true);
  for (const bad of [
    { writes: [write({ id: 'T-51', title: 'x' }), write({ title: 'no id' })] },
    { writes: [write({ id: 'T-51', title: 'x' }), write({ id: 'T-52', title: 7 })] },
    { writes: [write({ id: 'T-51', title: 'x' }), { collection: 'clouds', row: { id: 1 } }] },
    { writes: [write({ id: 'T-51', title: 'x' })], deletes: [{ collection: 'tickets', key: 'T-404' }] },
    { writes: [write({ id: 'T-51' }), { collection: 'notes', row: { id: 'n', ticket_id: 'T-404' } }] },
    { writes: [write({ id: 'T-51' })], more: [] },
  ]) {
    const session = openTickets();
    const before = session.snapshot();
    const outcome = drive(session, toolCall('weather'), { host: host(bad as unknown as JsonObject) });
    expect(outcome.flags).toEqual(['effects-refused']);
    expect(textOf(outcome)).toBe('ok');
    expect(session.snapshot()).toEqual(before);
  }
});

test('pinned, computed and generated values are told apart in the text of an answer', () => {
  const session = openTickets();
  const outcome = drive(session, toolCall('ticket_close', { id: 'T-7' }));
  const answer = outcome.answer;
  if (answer === null) throw new Error('no answer');
  expect(gapIn(answer)).toBeNull();
  const of = (origin: string) =>
    answer.text.origins.filter((s) => s.origin === origin).map((s) => answer.text.text.slice(s.start, s.end));
  expect(of('pinned')).toEqual(['"T-7"', '"Lamp is broken"', '[]'].slice(0, 2));
  expect(of('computed').join('')).toContain('"closed"');
});

test('a world can set conditions on a tool beside its plan', () => {
  const world = ticketWorld();
  const spec = {
    ...world.spec,
    requires: {
      ticket_close: [{ expr: 'row.title != "Lamp is broken"', error: '{row.id} may not be closed' }],
    },
  };
  const session = engineOf({ ...world, spec }).open(spec, 1);
  expect(textOf(drive(session, toolCall('ticket_close', { id: 'T-7' })))).toBe('T-7 may not be closed');
  expect(textOf(drive(session, toolCall('ticket_close', { id: 'T-404' })))).toBe('Ticket not found: T-404');
});

test('a tool that chooses by an argument does nothing it was not told when the argument is missing', () => {
  const close = { op: 'delete', collection: 'things', key: { id: 'id' }, tool: 'act', why: 'test' } as const;
  const world = testWorld({
    collections: [collection('things', [field('id')], { idStyle: { kind: 'given' } })],
    tools: [
      {
        name: 'act',
        input: { method: { type: 'string' }, id: { type: 'string' } },
        plan: { op: 'unknown', cases: { argument: 'method', plans: { remove: close } } },
      },
    ],
    data: { things: [{ id: 'a' }, { id: 'b' }] },
    strict: true,
  });
  const session = engineOf(world).open(world.spec, 1);
  expect(drive(session, toolCall('act', { id: 'a' })).status).toBe('abstained');
  expect(drive(session, toolCall('act', { id: 'a', method: 'constructor' })).status).toBe('abstained');
  expect(jsonOf(drive(session, toolCall('act', { id: 'a', method: 'remove' })))).toEqual({
    deleted: true,
    id: 'a',
  });
  expect(session.view()).toEqual({ data: { things: [{ id: 'b' }] } });
});
