import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/index.js';
import type { ToolDefinition } from '../../../domains/index.js';
import { type InferenceInput, inferService } from './infer.js';
import { describeService } from './infer-describe.js';

function tool(name: string, properties: JsonObject = {}, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: '',
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    ...more,
  };
}

function infer(tools: readonly ToolDefinition[], more: Partial<InferenceInput> = {}) {
  return inferService({ tools: [...tools], data: {}, entities: {}, overrides: {}, strict: false, ...more });
}

const TEXT = { type: 'string' };
const TICKETS = [
  tool('ticket_create', { title: TEXT }),
  tool('ticket_get', { id: TEXT }),
  tool('ticket_close', { id: TEXT }),
];

test('transitions alone give tickets a status that starts open and can be closed once', () => {
  const model = infer(TICKETS);
  expect(model.plans.ticket_close).toEqual({
    tool: 'ticket_close',
    op: 'update',
    collection: 'tickets',
    key: { id: 'id' },
    sets: { status: 'closed' },
    already: 'closed',
    why: 'the ticket becomes closed',
  });
  expect(model.collections.tickets?.fields.status).toEqual({
    name: 'status',
    required: false,
    schema: { type: 'string', enum: ['closed', 'open'] },
    initial: 'open',
  });
});

test('given rows name the collection and its fields, and ids go on after the highest', () => {
  const data = {
    ticket: [
      { ticket_id: 'T-007', title: 'lamp', state: 'open' },
      { ticket_id: 'T-019', title: 'chair', state: 'closed' },
    ],
  };
  const model = infer(TICKETS, { data });
  const { ticket } = model.collections;
  expect({
    key: ticket?.key,
    idStyle: ticket?.idStyle,
    plan: model.plans.ticket_close?.sets,
    by: model.plans.ticket_get?.key,
  }).toEqual({
    key: ['ticket_id'],
    idStyle: { kind: 'counter', prefix: 'T-', start: 20, width: 3 },
    plan: { state: 'closed' },
    by: { id: 'ticket_id' },
  });
});

test('corrections of the world file win over everything inferred', () => {
  const model = infer(TICKETS, {
    entities: {
      tickets: {
        key: 'no',
        id: { style: 'number', start: 100 },
        label: 'title',
        fields: { title: { required: true, unique: true } },
      },
    },
    overrides: { ticket_close: { op: 'delete', collection: 'tickets', match: 'row.no == args.id' } },
  });
  expect(model.plans.ticket_close).toEqual({
    tool: 'ticket_close',
    op: 'override',
    collection: 'tickets',
    override: { op: 'delete', collection: 'tickets', match: 'row.no == args.id' },
    why: 'the world file says what it does',
  });
  expect({
    key: model.collections.tickets?.key,
    id: model.collections.tickets?.idStyle,
    title: model.collections.tickets?.fields.title,
  }).toEqual({
    key: ['no'],
    id: { kind: 'number', start: 100 },
    title: { name: 'title', schema: TEXT, required: true, unique: true },
  });
});

test('a tool that chooses by an argument has a plan per value', () => {
  const method = { type: 'string', enum: ['create', 'update', 'delete', 'explode'] };
  const model = infer([tool('label_write', { method, name: TEXT, color: TEXT }), tool('list_labels')]);
  const plans = model.plans.label_write?.cases?.plans ?? {};
  expect(
    Object.fromEntries(
      Object.entries(plans).map(([value, plan]) => [value, `${plan.op} ${plan.collection ?? ''}`]),
    ),
  ).toEqual({
    create: 'create labels',
    update: 'update labels',
    delete: 'delete labels',
    explode: 'unknown ',
  });
});

test('ids take the style that schemas and descriptions show', () => {
  const style = (schema: JsonObject) =>
    infer([tool('create_row', { text: TEXT }), tool('get_row', { row_id: schema })]).collections.rows
      ?.idStyle;
  expect([
    style({ type: 'integer' }),
    style({ type: 'string', format: 'uuid' }),
    style({ type: 'string', pattern: '^T-\\d{4}$' }),
    style({ type: 'string', description: 'Row id, e.g. ISS-12' }),
    style({ type: 'string', description: 'Row id (like U012AB34)' }),
    style({ type: 'string' }),
  ]).toEqual([
    { kind: 'number', start: 1 },
    { kind: 'uuid' },
    { kind: 'counter', prefix: 'T-', start: 1, width: 4 },
    { kind: 'counter', prefix: 'ISS-', start: 1, width: 0 },
    { kind: 'token', prefix: 'U', length: 7 },
    { kind: 'counter', prefix: 'row_', start: 1, width: 0 },
  ]);
});

test('arguments that most tools require scope the rows, and ids of other rows are references', () => {
  const where = { owner: TEXT, repo: TEXT };
  const model = infer([
    tool('create_issue', { ...where, title: TEXT, milestone_id: TEXT }),
    tool('get_issue', { ...where, issue_number: { type: 'integer' } }),
    tool('list_issues', where),
    tool('create_milestone', { ...where, name: TEXT }),
    tool('get_milestone', { ...where, milestone_id: TEXT }),
  ]);
  const { issues } = model.collections;
  expect({
    key: issues?.key,
    id: issues?.idStyle,
    scope: issues?.scope,
    milestone: issues?.fields.milestone_id?.refersTo,
  }).toEqual({
    key: ['number'],
    id: { kind: 'number', start: 1 },
    scope: ['owner', 'repo'],
    milestone: 'milestones',
  });
  expect(model.plans.get_issue).toEqual({
    tool: 'get_issue',
    op: 'get',
    collection: 'issues',
    key: { issue_number: 'number' },
    filters: { owner: 'owner', repo: 'repo' },
    why: 'it reads the issue that issue_number names',
  });
});

test('hostile definitions are survived', () => {
  const loop: JsonObject = { $ref: '#/properties/a' };
  const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`p${i}`, TEXT]));
  const strange = JSON.parse(
    '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":true}',
  ) as JsonObject;
  const tools: ToolDefinition[] = [
    {
      name: 'create_loop',
      inputSchema: {
        type: 'object',
        properties: { a: loop, b: { $ref: '#/nowhere' }, c: { $ref: 'http://example.com/x' } },
      },
    },
    { name: 'create_wide', inputSchema: { properties: wide } },
    { name: '__proto__', inputSchema: { type: 'object', properties: strange } },
    {
      name: 'create_constructor',
      inputSchema: { type: 'object', properties: strange, required: ['__proto__'] },
    },
    { name: 'x'.repeat(100_000), inputSchema: {} },
    {
      name: '\ud800',
      description: '\udc00',
      inputSchema: { type: 7, properties: [], required: 'no' } as unknown as JsonObject,
    },
    { name: 'constructor', inputSchema: { allOf: [{ $ref: '#' }, { $ref: '#' }] } },
    { name: 'get_bool', inputSchema: { properties: { a: true, b: false, c: null, d: [] } } },
  ];
  const model = infer(tools);
  expect(Object.keys(model.plans)).toEqual(tools.map((one) => one.name));
  expect(Object.hasOwn(model.collections.constructors?.fields ?? {}, '__proto__')).toBe(true);
  expect(describeService(model)).toContain('create_wide');
});

test('any tool list gives one plan per tool, the same every time, with a reason in words', () => {
  const word = fc.constantFrom(
    'create',
    'get',
    'list',
    'ticket',
    'id',
    'note',
    'to',
    'many',
    'file',
    'path',
    'status',
    'mark',
    'read',
    'cart',
    '',
    'λ',
  );
  const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join('_') || 'x');
  const schema = fc.oneof(
    fc.constantFrom<JsonObject>(
      TEXT,
      { type: 'integer' },
      { type: 'array', items: TEXT },
      {},
      { enum: ['create', 'list'] },
    ),
    fc.dictionary(fc.constantFrom('type', 'items', '$ref', 'enum'), fc.jsonValue()),
  );
  const definition = fc.record({
    name,
    description: fc.string(),
    properties: fc.dictionary(name, schema, { maxKeys: 5 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(definition, { selector: (one) => one.name, maxLength: 8 }), (list) => {
      const tools = list.map((one) =>
        tool(one.name, one.properties as JsonObject, { description: one.description }),
      );
      const model = infer(tools);
      expect(infer(tools)).toEqual(model);
      expect(Object.keys(model.plans).sort()).toEqual(tools.map((one) => one.name).sort());
      for (const plan of Object.values(model.plans)) {
        expect(plan.why).not.toBe('');
        if (plan.collection !== undefined)
          expect(Object.hasOwn(model.collections, plan.collection)).toBe(true);
      }
      describeService(model);
    }),
    { numRuns: 300 },
  );
});

test('a model prints readably', () => {
  expect(describeService(infer(TICKETS))).toBe(
    [
      'Keeps',
      '  tickets: key id (counted, next ticket_1)',
      '    id: string, required, unique',
      '    title: string, required',
      '    status: closed | open, starts as "open"',
      '    created_at: string, set when created',
      '    updated_at: string, set when updated',
      '',
      'Tools',
      '  ticket_create: create tickets (writing title) — "create" makes a ticket',
      '  ticket_get: get tickets (by id) — it reads the ticket that id names',
      '  ticket_close: update tickets (by id; setting {"status":"closed"}) — the ticket becomes closed',
    ].join('\n'),
  );
});
