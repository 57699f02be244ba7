import { expect, test } from 'vitest';
import type { EngineSession, JsonObject } from '../../../core/index.js';
import { drive, toolCall } from '../../engine.contract.js';
import { engineOf, ticketWorld } from '../engine-worlds.contract.js';

const context = { turn: 1, nowMs: 1_700_000_000_000 };

function open() {
  const world = ticketWorld();
  return engineOf(world).open(world.spec, 1);
}

function absorb(session: EngineSession, name: string, args: JsonObject, observation: unknown) {
  const text = typeof observation === 'string' ? observation : JSON.stringify(observation);
  return session.absorb(toolCall(name, args), text, context);
}

function tickets(session: EngineSession): JsonObject[] {
  const { answer } = drive(session, toolCall('ticket_list'));
  return (JSON.parse(answer?.text.text ?? '') as { tickets: JsonObject[] }).tickets;
}

test('rows that an observation shows are taken in, nested lists too, and marked recorded', () => {
  const session = open();
  const report = absorb(
    session,
    'ticket_list',
    {},
    {
      data: {
        tickets: [
          { id: 'T-7', title: 'Lamp works' },
          { id: 'T-40', title: 'new' },
        ],
      },
      notes: [{ id: 'n1', ticket_id: 'T-40', body: 'hi' }],
    },
  );
  expect(report).toEqual({
    absorbed: 3,
    conflicts: ['ticket T-7: title is "Lamp works" there; the state had "Lamp is broken"'],
  });
  expect(tickets(session).map((row) => [row.id, row.title])).toEqual([
    ['T-7', 'Lamp works'],
    ['T-40', 'new'],
  ]);
  const { answer } = drive(session, toolCall('ticket_get', { id: 'T-40' }));
  expect(answer?.text.origins.map((span) => span.origin)).toContain('recorded');
  const made = drive(session, toolCall('ticket_create', { title: 'next' }));
  expect(JSON.parse(made.answer?.text.text ?? '')).toMatchObject({ id: 'T-41' });
});

test('a creation takes the id that was seen, with what the arguments gave', () => {
  const session = open();
  expect(absorb(session, 'ticket_create', { title: 'from afar' }, { id: 'T-90' })).toEqual({
    absorbed: 1,
    conflicts: [],
  });
  expect(tickets(session)[1]).toEqual({ title: 'from afar', id: 'T-90' });
});

test('a success without rows is carried out, a deletion removes, a failure does neither', () => {
  const session = open();
  expect(absorb(session, 'ticket_close', { id: 'T-7' }, 'Closed.').absorbed).toBe(1);
  expect(tickets(session)[0]).toMatchObject({ status: 'closed' });
  expect(absorb(session, 'ticket_delete', { id: 'T-7' }, 'Error: permission denied').absorbed).toBe(0);
  expect(tickets(session)).toHaveLength(1);
  expect(absorb(session, 'ticket_delete', { id: 'T-7' }, { deleted: true }).absorbed).toBe(1);
  expect(tickets(session)).toEqual([]);
});

test('a row that was not found there goes here, and that is told', () => {
  const session = open();
  const report = absorb(session, 'ticket_get', { id: 'T-7' }, 'Ticket T-7 not found');
  expect(report).toEqual({ absorbed: 1, conflicts: ['ticket T-7 was not found there; the state had it'] });
  expect(tickets(session)).toEqual([]);
});

test('what makes no sense is left alone', () => {
  const session = open();
  const before = session.snapshot();
  for (const odd of ['', '{"id":', 'null', '[[[]]]', '{"id":{"a":1}}', '{"__proto__":{"id":"x"}}']) {
    absorb(session, 'ticket_list', {}, odd);
  }
  session.absorb({ kind: 'finish', answer: null }, 'x', context);
  absorb(session, 'no_such_tool', {}, '{"id":"T-1"}');
  expect(session.snapshot()).toEqual(before);
});
