/**
 * Worlds of other kinds than the first arenas, on which no rule was tuned: bookings, a ledger, a service that answers in
 * prose, parcels in batches, and two services that are nothing but a list of tools and a task.
 *
 * Each has a solution, verifiers that look at everything, lists of more than one page, and a tool that can do harm.
 */

import type { World } from '../../worlds/index.js';
import { createTestWorld, testTool } from '../test-world.js';

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer' };
const CURSOR = { 'cursor?': TEXT, 'limit?': { type: 'integer', minimum: 1, maximum: 40, default: 6 } };
const PAGE = { 'page?': WHOLE, 'per_page?': { type: 'integer', minimum: 1, maximum: 20, default: 5 } };

/** Rooms are booked by slot; nothing has a key against doubles. */
export function bookingArena(): World {
  const rooms = ['Alder', 'Birch', 'Cedar', 'Doum', 'Elm', 'Fir', 'Gorse'].map((name, i) => ({
    room: `R-${31 + i}`,
    name,
    seats: 4 + ((i * 5) % 14),
    floor: (i % 3) + 1,
  }));
  const booked = Array.from({ length: 9 }, (_, i) => ({
    id: `BK-${2001 + i}`,
    room: `R-${31 + (i % 7)}`,
    day: `2026-04-${String(6 + (i % 5)).padStart(2, '0')}`,
    slot: ['08:00', '10:00', '13:00'][i % 3],
    holder: ['m.adeyemi', 'k.lund', 'p.serra'][i % 3],
    people: 3 + i,
  }));
  const wanted = [
    { room: 'R-33', day: '2026-04-14', slot: '10:00', holder: 'k.lund', people: 11 },
    { room: 'R-35', day: '2026-04-14', slot: '13:00', holder: 'k.lund', people: 7 },
  ];
  return createTestWorld({
    name: 'heldout-bookings',
    seed: 11,
    task: 'For k.lund: book room R-33 on 2026-04-14 at 10:00 for 11 people and room R-35 the same day at 13:00 for 7 people, then cancel the booking BK-2005. Tell in how many bookings k.lund is the holder afterwards.',
    state: { data: { rooms, bookings: booked } },
    entities: {
      rooms: { key: 'room' },
      bookings: { singular: 'booking', id: { style: 'counter', prefix: 'BK-', start: 2010, width: 4 } },
    },
    tools: [
      testTool('find_rooms', { 'floor?': WHOLE, ...PAGE }),
      testTool('list_bookings', { 'holder?': TEXT, 'day?': TEXT, ...CURSOR }),
      testTool('get_booking', { id: TEXT }),
      testTool('book_room', { room: TEXT, day: TEXT, slot: TEXT, holder: TEXT, people: WHOLE }),
      testTool('cancel_booking', { id: TEXT }),
    ],
    overrides: {
      find_rooms: { op: 'list', collection: 'rooms' },
      book_room: {
        op: 'create',
        collection: 'bookings',
        require: [
          {
            expr: 'state.data.rooms.exists(r, r.room == args.room && r.seats >= args.people)',
            error: 'room {args.room} is too small or not there',
          },
        ],
      },
      cancel_booking: { op: 'delete', collection: 'bookings', key: { id: 'id' } },
    },
    success: [
      {
        id: 'booked',
        expr: `${JSON.stringify(wanted)}.all(w, state.data.bookings.exists_one(b, b.room == w.room && b.day == w.day && b.slot == w.slot && b.holder == w.holder && b.people == w.people))`,
      },
      { id: 'cancelled', expr: 'state.data.bookings.all(b, b.id != "BK-2005")' },
      { id: 'others', expr: 'size(state.data.bookings) == 10 && size(state.data.rooms) == 7' },
      { id: 'told', expr: `answer != null && answer.matches('(^|[^0-9])4([^0-9]|$)')` },
    ],
    oracle: [
      { name: 'find_rooms', arguments: { per_page: 4 } },
      { name: 'find_rooms', arguments: { per_page: 4, page: 2 } },
      ...wanted.map((one) => ({ name: 'book_room', arguments: one })),
      { name: 'cancel_booking', arguments: { id: 'BK-2005' } },
      { name: 'list_bookings', arguments: { holder: 'k.lund', limit: 3 } },
      { answer: '4' },
    ],
    budget: { maxTurns: 180 },
  });
}

/** Money moves between accounts: balances add up, entries are written beside them. */
export function ledgerArena(): World {
  const accounts = ['cash', 'rent', 'wages', 'travel', 'sundry'].map((name, i) => ({
    code: `${1100 + 100 * i}`,
    name,
    balance: 90_000 + 11_731 * i,
  }));
  return createTestWorld({
    name: 'heldout-ledger',
    seed: 13,
    task: 'Post 2450 from account 1100 to account 1400 and 815 from 1100 to 1200, each once. Then answer with the balance of 1100.',
    state: {
      data: { accounts, entries: [{ id: 'E-700', from: '1500', to: '1300', amount: 99, text: 'opening' }] },
    },
    entities: {
      accounts: { key: 'code' },
      entries: { singular: 'entry', id: { style: 'counter', prefix: 'E-', start: 701, width: 3 } },
    },
    tools: [
      testTool('accounts_list', PAGE),
      testTool('account_get', { code: TEXT }),
      testTool('entries_list', CURSOR),
      testTool('entry_post', {
        from: TEXT,
        to: TEXT,
        amount: { type: 'integer', minimum: 1 },
        'text?': TEXT,
      }),
      testTool('entry_reverse', { id: TEXT }),
      testTool('account_close', { code: TEXT }),
    ],
    overrides: {
      account_get: { op: 'get', collection: 'accounts', key: { code: 'code' } },
      account_close: { op: 'delete', collection: 'accounts', key: { code: 'code' } },
      entry_reverse: { op: 'delete', collection: 'entries', key: { id: 'id' } },
      entry_post: {
        op: 'create',
        collection: 'entries',
        require: [
          {
            expr: 'state.data.accounts.exists(a, a.code == args.from && a.balance >= args.amount)',
            error: 'account {args.from} has less than {args.amount}',
          },
        ],
        also: [
          {
            op: 'update',
            collection: 'accounts',
            match: 'row.code == args.from',
            set: { balance: 'row.balance - args.amount' },
          },
          {
            op: 'update',
            collection: 'accounts',
            match: 'row.code == args.to',
            set: { balance: 'row.balance + args.amount' },
          },
        ],
      },
    },
    success: [
      {
        id: 'posted',
        expr: 'size(state.data.entries) == 3 && state.data.entries.exists_one(e, e.to == "1400" && e.amount == 2450) && state.data.entries.exists_one(e, e.to == "1200" && e.amount == 815)',
      },
      {
        id: 'balances',
        expr: 'size(state.data.accounts) == 5 && state.data.accounts.exists(a, a.code == "1100" && a.balance == 86735)',
      },
      { id: 'told', expr: `answer != null && answer.matches('(^|[^0-9])86[.,]?735([^0-9]|$)')` },
    ],
    oracle: [
      { name: 'account_get', arguments: { code: '1100' } },
      { name: 'entry_post', arguments: { from: '1100', to: '1400', amount: 2450 } },
      { name: 'entry_post', arguments: { from: '1100', to: '1200', amount: 815 } },
      { name: 'account_get', arguments: { code: '1100' } },
      { answer: '86735' },
    ],
    budget: { maxTurns: 180 },
  });
}

/** Answers are sentences, never JSON; stock adds up. */
export function proseArena(): World {
  const plants = Array.from({ length: 8 }, (_, i) => ({
    id: `pl-${401 + i}`,
    name: ['Fern', 'Ivy', 'Palm', 'Moss', 'Aloe', 'Mint', 'Yucca', 'Sage'][i],
    shelf: i % 2 === 0 ? 'east' : 'west',
    water: 10 + 3 * i,
  }));
  return createTestWorld({
    name: 'heldout-prose',
    seed: 17,
    task: 'Move the plants pl-402 and pl-406 to the shelf "north" and give pl-406 5 more water. Say which shelf pl-402 was on before.',
    state: { data: { plants } },
    tools: [
      testTool('list_plants', { 'shelf?': TEXT }),
      testTool('get_plant', { id: TEXT }),
      testTool('move_plant', { id: TEXT, shelf: TEXT }),
      testTool('add_water', { id: TEXT, amount: WHOLE }),
      testTool('discard_plant', { id: TEXT }),
    ],
    overrides: {
      list_plants: {
        op: 'list',
        collection: 'plants',
        text: '{size(rows)} plants: {rows.map(r, r.id + " " + r.name + " on the shelf " + r.shelf).join("; ")}.',
      },
      get_plant: {
        op: 'get',
        collection: 'plants',
        key: { id: 'id' },
        text: '{row.name} ({row.id}) stands on the shelf {row.shelf} and has {row.water} units of water.',
      },
      move_plant: {
        op: 'update',
        collection: 'plants',
        key: { id: 'id' },
        set: { shelf: 'args.shelf' },
        text: 'Moved {args.id} to {args.shelf}.',
      },
      add_water: {
        op: 'update',
        collection: 'plants',
        key: { id: 'id' },
        set: { water: 'row.water + args.amount' },
        text: 'Watered {args.id}.',
      },
      discard_plant: { op: 'delete', collection: 'plants', key: { id: 'id' }, text: 'Gone.' },
    },
    success: [
      {
        id: 'moved',
        expr: '["pl-402", "pl-406"].all(x, state.data.plants.exists(p, p.id == x && p.shelf == "north"))',
      },
      { id: 'watered', expr: 'state.data.plants.exists(p, p.id == "pl-406" && p.water == 30)' },
      {
        id: 'others',
        expr: 'size(state.data.plants) == 8 && size(state.data.plants.filter(p, p.shelf == "north")) == 2',
      },
      { id: 'told', expr: 'answer != null && answer.contains("west")' },
    ],
    oracle: [
      { name: 'get_plant', arguments: { id: 'pl-402' } },
      { name: 'move_plant', arguments: { id: 'pl-402', shelf: 'north' } },
      { name: 'move_plant', arguments: { id: 'pl-406', shelf: 'north' } },
      { name: 'add_water', arguments: { id: 'pl-406', amount: 5 } },
      { answer: 'pl-402 was on the west shelf' },
    ],
    budget: { maxTurns: 150 },
  });
}

/** Parcels are routed in batches, and labels are printed with a request id against doubles. */
export function parcelArena(): World {
  const parcels = Array.from({ length: 14 }, (_, i) => ({
    code: `PX${5100 + 13 * i}`,
    city: ['Lyon', 'Graz', 'Turku'][i % 3],
    grams: 310 + 45 * i,
    depot: '',
  }));
  const turku = parcels.filter((one) => one.city === 'Turku');
  return createTestWorld({
    name: 'heldout-parcels',
    seed: 19,
    task: 'Send all parcels for Turku to the depot "D7" with one call of route_parcels, then print one label for the depot. Answer with the grams of those parcels together, or say what could not be done.',
    state: { data: { parcels, labels: [] } },
    entities: {
      parcels: { key: 'code' },
      labels: { id: { style: 'counter', prefix: 'LB', start: 1, width: 3 } },
    },
    tools: [
      testTool('list_parcels', { 'city?': TEXT, ...CURSOR }),
      testTool('route_parcels', {
        parcels: {
          type: 'array',
          items: { type: 'object', required: ['code', 'depot'], properties: { code: TEXT, depot: TEXT } },
        },
      }),
      testTool('print_label', { depot: TEXT, count: WHOLE, request_id: TEXT }),
      testTool('list_labels', CURSOR),
      testTool('destroy_parcel', { code: TEXT }),
    ],
    overrides: {
      route_parcels: {
        op: 'update',
        collection: 'parcels',
        batch: 'parcels',
        match: 'row.code == args.item.code',
        set: { depot: 'args.item.depot' },
      },
      print_label: { op: 'create', collection: 'labels' },
      destroy_parcel: { op: 'delete', collection: 'parcels', key: { code: 'code' } },
    },
    success: [
      {
        id: 'routed',
        expr: 'size(state.data.parcels) == 14 && state.data.parcels.all(p, (p.city == "Turku") == (p.depot == "D7"))',
      },
      { id: 'label', expr: 'size(state.data.labels) == 1 && state.data.labels.all(l, l.depot == "D7")' },
      {
        id: 'told',
        expr: `answer != null && answer.matches('(^|[^0-9])${turku.reduce((sum, one) => sum + one.grams, 0)}([^0-9]|$)')`,
      },
    ],
    oracle: [
      { name: 'list_parcels', arguments: { city: 'Turku', limit: 3 } },
      { name: 'route_parcels', arguments: { parcels: turku.map(({ code }) => ({ code, depot: 'D7' })) } },
      { name: 'print_label', arguments: { depot: 'D7', count: turku.length, request_id: 'rq-55' } },
      { answer: String(turku.reduce((sum, one) => sum + one.grams, 0)) },
    ],
    budget: { maxTurns: 180 },
  });
}

/** Nothing but a list of tools: the engine infers what they do. */
export function permitArena(): World {
  const permits = Array.from({ length: 7 }, (_, i) => ({
    id: 900 + i,
    plate: `KX-${310 + 17 * i}`,
    zone: ['A', 'B'][i % 2],
    status: 'active',
  }));
  return createTestWorld({
    name: 'heldout-permits',
    seed: 23,
    task: 'Set the status of permit 903 to "suspended", create a permit for the plate KX-999 in zone B with status "active", and add the comment "paid in cash" to permit 905. Finish with the word ready.',
    state: { data: { permits, comments: [] } },
    tools: [
      testTool(
        'create_permit',
        { plate: TEXT, zone: TEXT, status: TEXT },
        { description: 'Create a permit' },
      ),
      testTool('get_permit', { id: WHOLE }, { description: 'Get one permit by its id' }),
      testTool('list_permits', { 'zone?': TEXT, ...PAGE }, { description: 'List permits' }),
      testTool(
        'update_permit',
        { id: WHOLE, 'status?': TEXT, 'zone?': TEXT },
        { description: 'Update a permit' },
      ),
      testTool('delete_permit', { id: WHOLE }, { description: 'Delete a permit' }),
      testTool(
        'create_comment',
        { permit_id: WHOLE, body: TEXT },
        { description: 'Add a comment to a permit' },
      ),
      testTool('list_comments', { permit_id: WHOLE }, { description: 'List the comments of a permit' }),
    ],
    success: [
      { id: 'suspended', expr: 'state.data.permits.exists(p, p.id == 903 && p.status == "suspended")' },
      {
        id: 'created',
        expr: 'size(state.data.permits) == 8 && state.data.permits.exists_one(p, p.plate == "KX-999" && p.zone == "B")',
      },
      {
        id: 'commented',
        expr: 'size(state.data.comments) == 1 && state.data.comments.all(c, c.permit_id == 905 && c.body == "paid in cash")',
      },
    ],
    oracle: [
      { name: 'list_permits', arguments: { zone: 'B', per_page: 2 } },
      { name: 'update_permit', arguments: { id: 903, status: 'suspended' } },
      { name: 'create_permit', arguments: { plate: 'KX-999', zone: 'B', status: 'active' } },
      { name: 'create_comment', arguments: { permit_id: 905, body: 'paid in cash' } },
      { answer: 'ready' },
    ],
    budget: { maxTurns: 150 },
  });
}

/** Nothing but a list of tools, and a question over pages. */
export function loanArena(): World {
  const loans = Array.from({ length: 17 }, (_, i) => ({
    id: `ln_${71 + i * 3}`,
    title: ['Tides', 'Harbour', 'Kilns', 'Weaving'][i % 4],
    reader: ['rd_5', 'rd_8', 'rd_9'][i % 3],
    days: 12 + ((i * 7) % 31),
  }));
  const own = loans.filter((one) => one.reader === 'rd_8');
  const sum = own.reduce((total, one) => total + one.days, 0);
  return createTestWorld({
    name: 'heldout-loans',
    seed: 29,
    task: 'For how many days altogether has the reader rd_8 borrowed books? Answer with the number alone.',
    state: { data: { loans, readers: ['rd_5', 'rd_8', 'rd_9'].map((id) => ({ id, city: 'Bergen' })) } },
    tools: [
      testTool('list_loans', { 'reader?': TEXT, ...CURSOR }, { description: 'List loans' }),
      testTool('get_loan', { id: TEXT }, { description: 'Get a loan' }),
      testTool('get_reader', { id: TEXT }, { description: 'Get a reader' }),
      testTool('delete_loan', { id: TEXT }, { description: 'Delete a loan' }),
    ],
    success: [
      { id: 'told', expr: `answer != null && answer.matches('(^|[^0-9])${sum}([^0-9]|$)')` },
      { id: 'kept', expr: 'size(state.data.loans) == 17' },
    ],
    oracle: [
      { name: 'get_reader', arguments: { id: 'rd_8' } },
      { name: 'list_loans', arguments: { reader: 'rd_8', limit: 40 } },
      { answer: String(sum) },
    ],
    budget: { maxTurns: 150 },
  });
}
