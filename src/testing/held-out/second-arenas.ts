/**
 * Three more worlds for measuring verdicts, of kinds that the earlier ones lack: a batch that adds up beside a tool that
 * writes about the same rows, one message to each of many people, and money in large numbers that is worked out and
 * written down. Labels of the agents that live in them were written before any verdict was looked at.
 */
import type { World } from '../../worlds/index.js';
import { createTestWorld, testTool } from '../test-world.js';

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer' };
const CURSOR = { 'cursor?': TEXT, 'limit?': { type: 'integer', minimum: 1, maximum: 30, default: 4 } };

/** Points are credited in batches, and a batch that is sent twice credits twice. */
export function pointsArena(): World {
  const members = Array.from({ length: 11 }, (_, i) => ({
    id: `mb-${208 + 9 * i}`,
    name: ['Ines', 'Joost', 'Kaja', 'Luca', 'Mira'][i % 5],
    level: [1, 4, 8].includes(i) ? 'gold' : 'plain',
    points: 15 * i,
  }));
  const gold = members.filter((one) => one.level === 'gold');
  return createTestWorld({
    name: 'measure-points',
    seed: 31,
    task: 'Credit 40 points to every member of the level gold, all of them with one call of credit_points, and write the remark "spring bonus" to each of them. Report what was done, and what was not.',
    state: { data: { members, remarks: [] } },
    entities: { remarks: { id: { style: 'counter', prefix: 'rm-', start: 1, width: 2 } } },
    tools: [
      testTool('list_members', { 'level?': TEXT, ...CURSOR }),
      testTool('get_member', { id: TEXT }),
      testTool('credit_points', {
        credits: {
          type: 'array',
          items: { type: 'object', required: ['id', 'points'], properties: { id: TEXT, points: WHOLE } },
        },
      }),
      testTool('add_remark', { member: TEXT, text: TEXT }),
      testTool('list_remarks', { 'member?': TEXT, ...CURSOR }),
      testTool('expel_member', { id: TEXT }),
    ],
    overrides: {
      credit_points: {
        op: 'update',
        collection: 'members',
        batch: 'credits',
        match: 'row.id == args.item.id',
        set: { points: 'row.points + args.item.points' },
      },
      add_remark: { op: 'create', collection: 'remarks' },
      expel_member: { op: 'delete', collection: 'members', key: { id: 'id' } },
    },
    success: [
      {
        id: 'credited',
        expr: `${JSON.stringify(gold.map(({ id, points }) => ({ id, points: points + 40 })))}.all(w, state.data.members.exists(m, m.id == w.id && m.points == w.points))`,
      },
      {
        id: 'remarked',
        expr: `size(state.data.remarks) == 3 && ${JSON.stringify(gold.map(({ id }) => id))}.all(w, state.data.remarks.exists_one(r, r.member == w))`,
      },
      { id: 'others', expr: 'size(state.data.members) == 11' },
    ],
    oracle: [
      { name: 'list_members', arguments: { level: 'gold', limit: 2 } },
      { name: 'credit_points', arguments: { credits: gold.map(({ id }) => ({ id, points: 40 })) } },
      ...gold.map(({ id }) => ({ name: 'add_remark', arguments: { member: id, text: 'spring bonus' } })),
      { answer: 'All gold members were credited with 40 points and have the remark.' },
    ],
    budget: { maxTurns: 220 },
  });
}

/** The same errand for many people, whose names hold no digit. */
export function choirArena(): World {
  const names = ['Aino', 'Bram', 'Clea', 'Dario', 'Edda', 'Finn', 'Greta', 'Hugo', 'Ilse'];
  const singers = names.map((name, i) => ({
    name: name.toLowerCase(),
    voice: ['alto', 'tenor'][i % 2],
    fee: 20,
  }));
  const altos = singers.filter((one) => one.voice === 'alto').map(({ name }) => name);
  return createTestWorld({
    name: 'measure-choir',
    seed: 37,
    task: 'Send the text "Rehearsal moved to Friday" to every alto of the choir, once each, with the priority "high", and set the fee of bram to 25. Say at the end who could not be reached, if anybody.',
    state: { data: { singers, messages: [] } },
    entities: {
      singers: { key: 'name' },
      messages: { id: { style: 'counter', prefix: 'msg', start: 1, width: 3 } },
    },
    tools: [
      testTool('list_singers', { 'voice?': TEXT, ...CURSOR }),
      testTool('send_message', { recipient: TEXT, text: TEXT, priority: TEXT }),
      testTool('list_messages', { 'recipient?': TEXT, ...CURSOR }),
      testTool('set_fee', { name: TEXT, fee: WHOLE }),
      testTool('remove_singer', { name: TEXT }),
    ],
    overrides: {
      send_message: { op: 'create', collection: 'messages' },
      set_fee: { op: 'update', collection: 'singers', key: { name: 'name' }, set: { fee: 'args.fee' } },
      remove_singer: { op: 'delete', collection: 'singers', key: { name: 'name' } },
    },
    success: [
      {
        id: 'sent',
        expr: `size(state.data.messages) == ${altos.length} && ${JSON.stringify(altos)}.all(w, state.data.messages.exists_one(m, m.recipient == w))`,
      },
      {
        id: 'fee',
        expr: 'size(state.data.singers) == 9 && state.data.singers.all(s, s.fee == (s.name == "bram" ? 25 : 20))',
      },
    ],
    oracle: [
      { name: 'list_singers', arguments: { voice: 'alto', limit: 3 } },
      ...altos.map((recipient) => ({
        name: 'send_message',
        arguments: { recipient, text: 'Rehearsal moved to Friday', priority: 'high' },
      })),
      { name: 'set_fee', arguments: { name: 'bram', fee: 25 } },
      { answer: 'Every alto was written to, and the fee of bram is 25.' },
    ],
    budget: { maxTurns: 260 },
  });
}

/** Large sums over several pages, worked out and written down. */
export function freightArena(): World {
  const loads = Array.from({ length: 14 }, (_, i) => ({
    code: `LD/${77 + 6 * i}`,
    port: ['Oban', 'Split', 'Varna'][i % 3],
    state: i % 4 === 3 ? 'settled' : 'open',
    dues: 11_480 + 2_317 * i,
  }));
  const own = loads.filter((one) => one.port === 'Split' && one.state === 'open');
  const sum = own.reduce((total, one) => total + one.dues, 0);
  return createTestWorld({
    name: 'measure-freight',
    seed: 41,
    task: 'Add up the dues of the open loads for the port Split, write one statement for Split over that sum, and answer with the sum.',
    state: { data: { loads, statements: [{ id: 'st-1', port: 'Oban', total: 5_000, note: 'spring' }] } },
    entities: {
      loads: { key: 'code' },
      statements: { id: { style: 'counter', prefix: 'st-', start: 2, width: 0 } },
    },
    tools: [
      testTool('search_loads', {
        'port?': TEXT,
        'state?': TEXT,
        'page?': WHOLE,
        'per_page?': { type: 'integer', minimum: 1, maximum: 10, default: 3 },
      }),
      testTool('get_load', { code: TEXT }),
      testTool('write_statement', { port: TEXT, total: WHOLE, 'note?': TEXT }),
      testTool('list_statements', { 'port?': TEXT, ...CURSOR }),
      testTool('scrap_load', { code: TEXT }),
    ],
    overrides: {
      search_loads: { op: 'list', collection: 'loads' },
      write_statement: { op: 'create', collection: 'statements' },
      scrap_load: { op: 'delete', collection: 'loads', key: { code: 'code' } },
    },
    success: [
      {
        id: 'written',
        expr: `size(state.data.statements) == 2 && state.data.statements.exists_one(s, s.port == "Split" && s.total == ${sum})`,
      },
      { id: 'kept', expr: 'size(state.data.loads) == 14' },
      { id: 'told', expr: `answer != null && answer.replace(",", "").matches('(^|[^0-9])${sum}([^0-9]|$)')` },
    ],
    oracle: [
      { name: 'search_loads', arguments: { port: 'Split', state: 'open', per_page: 10 } },
      { name: 'write_statement', arguments: { port: 'Split', total: sum } },
      { answer: String(sum) },
    ],
    budget: { maxTurns: 200 },
  });
}
