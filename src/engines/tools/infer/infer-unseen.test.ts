import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../core/index.js';
import { drive, toolCall } from '../../engine.contract.js';
import { createToolsEngine } from '../engine.js';
import type { Plan } from '../service.js';
import type { ToolWorldSpec } from '../spec.js';
import { inferService } from './infer.js';

const text = { type: 'string' };

function tool(name: string, properties: JsonObject, more: { required?: string[]; readOnly?: boolean } = {}) {
  return {
    name,
    inputSchema: { type: 'object', properties, required: more.required ?? [] },
    ...(more.readOnly === undefined ? {} : { annotations: { readOnlyHint: more.readOnly } }),
  };
}

function specOf(tools: ToolWorldSpec['tools']): ToolWorldSpec {
  return { id: 'unseen', tools, data: {}, entities: {}, overrides: {}, strict: false, startMs: 0 };
}

function planOf(tools: ToolWorldSpec['tools'], name: string): Partial<Plan> {
  const { tool: _tool, why: _why, ...plan } = inferService(specOf(tools)).plans[name] as Plan;
  return plan;
}

const BASES = [
  tool('list_bases', {}),
  tool('get_base', { baseId: text }, { required: ['baseId'] }),
  tool('create_record', { baseId: text, cells: { type: 'object' } }, { required: ['baseId', 'cells'] }),
  tool('list_records', {
    baseId: text,
    maxRecords: { type: 'integer' },
    offset: text,
    detailLevel: { type: 'string', enum: ['full', 'short'], default: 'full' },
    cellsOperator: { type: 'string', enum: ['and', 'or'], default: 'or' },
  }),
  tool(
    'update_records',
    {
      baseId: text,
      records: {
        type: 'array',
        items: { type: 'object', properties: { id: text, cells: { type: 'object' } } },
      },
    },
    { required: ['baseId', 'records'] },
  ),
];

test('a list of the objects that a tool changes is a batch of them, not a value of what holds them', () => {
  expect(planOf(BASES, 'update_records')).toMatchObject({
    op: 'update',
    collection: 'records',
    key: { id: 'id' },
    batch: { argument: 'records', items: 'objects' },
  });
});

test('arguments that say how to list filter nothing: a level of detail, an operator, a largest number', () => {
  const plan = planOf(BASES, 'list_records');
  expect(plan.filters).toEqual({ baseId: 'baseId' });
  expect(plan.paging).toMatchObject({ style: 'cursor', at: 'offset', size: 'maxRecords' });
});

test('a new row is in the list that shows what its default says', () => {
  const spec = specOf([
    tool('create_ticket', { title: text }, { required: ['title'] }),
    tool('list_tickets', {
      phase: { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' },
      hidden: { type: 'boolean', default: false },
    }),
  ]);
  const session = createToolsEngine().open(spec, 3);
  drive(session, toolCall('create_ticket', { title: 'The door sticks' }));
  const outcome = drive(session, toolCall('list_tickets', {}));
  expect(outcome.answer?.text.text).toContain('The door sticks');
});

test('a tool that says only how many it means is not taken for one on the thing that holds them', () => {
  const tools = [
    tool('create-collection', { database: text, collection: text }, { required: ['database', 'collection'] }),
    tool('list-collections', { database: text }, { required: ['database'] }),
    tool('list-databases', {}),
    tool('drop-collection', { database: text, collection: text }, { required: ['database', 'collection'] }),
    tool('insert-many', { database: text, collection: text, documents: { type: 'array' } }),
    tool('delete-many', { database: text, collection: text, filter: { type: 'object' } }),
    tool(
      'find',
      { database: text, collection: text, filter: { type: 'object' } },
      { required: ['collection'] },
    ),
  ];
  expect(['insert-many', 'delete-many', 'find'].map((name) => planOf(tools, name).op)).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ]);
  expect(planOf(tools, 'drop-collection')).toMatchObject({
    op: 'delete',
    collection: 'collections',
    key: { collection: 'collection' },
  });
});

test('the id of a request is an id where requests are asked for by it, and an idempotency key where it may be left out', () => {
  const ids = { requestId: text, taskId: text };
  const tasks = [
    tool('list_requests', {}),
    tool('delete_task', ids, { required: ['requestId', 'taskId'] }),
    tool('open_task', ids, { required: ['taskId'] }),
  ];
  expect(planOf(tasks, 'delete_task')).toMatchObject({ op: 'delete', key: { taskId: 'id' } });
  expect(planOf(tasks, 'delete_task').idempotencyKey).toBeUndefined();
  const pay = [
    tool('create_payment', { cents: { type: 'integer' }, request_id: text }, { required: ['cents'] }),
    tool('list_payments', {}),
  ];
  expect(planOf(pay, 'create_payment').idempotencyKey).toBe('request_id');
});

test('ids have the form that the tools’ own patterns ask for', () => {
  const uuid = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';
  const spec = specOf([
    tool('create_task', { title: text }, { required: ['title'] }),
    tool('delete_task', { taskId: { type: 'string', pattern: uuid } }, { required: ['taskId'] }),
  ]);
  const session = createToolsEngine().open(spec, 3);
  drive(session, toolCall('create_task', { title: 'Sweep' }));
  const view = session.view() as { data: { tasks: { id: Json; title: Json }[] } };
  const made = view.data.tasks.find((task) => task.title === 'Sweep');
  const outcome = drive(session, toolCall('delete_task', { taskId: made?.id ?? null }));
  expect([outcome.status, outcome.answer?.isError]).toEqual(['ok', false]);
});

test('a place that most tools take and none needs is not the key of everything', () => {
  const path = { type: 'string', default: '.' };
  const tools = [
    tool('vcs_create_branch', { path, name: text }, { required: ['name'] }),
    tool('vcs_list_branches', { path }),
    tool('vcs_delete_branch', { path, name: text }, { required: ['name'] }),
    tool('vcs_create_tag', { path, name: text }, { required: ['name'] }),
    tool('vcs_list_tags', { path }),
    tool('vcs_get_history', { path }),
    tool('vcs_init', { path }, { required: ['path'] }),
  ];
  expect(planOf(tools, 'vcs_delete_branch')).toEqual({
    op: 'delete',
    collection: 'branches',
    key: { name: 'name' },
  });
  expect(planOf(tools, 'vcs_create_branch')).toMatchObject({ writes: { name: 'name' } });
  expect(planOf(tools, 'vcs_get_history').key).toBeUndefined();
});

test('what is dropped by its bare noun has the key that lists show, and a push alone makes nothing', () => {
  const listed = {
    type: 'object',
    properties: {
      databases: {
        type: 'array',
        items: { type: 'object', properties: { name: text, size: { type: 'number' } } },
      },
    },
    required: ['databases'],
  };
  const tools = [
    { ...tool('list-databases', {}), outputSchema: listed },
    tool('drop-database', { database: text }, { required: ['database'] }),
    tool('list-branches', {}),
    tool('create-branch', { branch: text }, { required: ['branch'] }),
    tool('push', { remote: text, branch: text }),
  ];
  expect(planOf(tools, 'drop-database')).toMatchObject({ op: 'delete', key: { database: 'name' } });
  expect(planOf(tools, 'push').op).toBe('unknown');
});

test('a tool that says it only reads never writes, and to check a state is to read it', () => {
  const tools = [
    tool('place_details', { place_id: text }, { required: ['place_id'], readOnly: true }),
    tool('check_crawl_status', { id: text }, { required: ['id'] }),
    tool('list_crawl_statuses', {}),
  ];
  expect(planOf(tools, 'place_details').op).not.toBe('create');
  expect(planOf(tools, 'check_crawl_status').op).toBe('get');
});

test('rows are sent whole where the output schema names no member of them', () => {
  const open = { type: 'object', additionalProperties: {} };
  const answer = (properties: JsonObject) => ({
    outputSchema: {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
  });
  const spec = specOf([
    { ...tool('create_table', { name: text }, { required: ['name'] }), ...answer({ table: open }) },
    { ...tool('list_tables', {}), ...answer({ tables: { type: 'array', items: open } }) },
  ]);
  const session = createToolsEngine().open(spec, 3);
  const made = drive(session, toolCall('create_table', { name: 'Guests' }));
  expect(made.answer?.value).toMatchObject({ table: { name: 'Guests' } });
  const listed = drive(session, toolCall('list_tables', {}));
  expect(listed.answer?.text.text).toContain('Guests');
  expect(listed.answer?.text.origins.some(({ origin }) => origin === 'generated')).toBe(true);
});

test('what is generated and never seen again is not a kept row, what another tool reads is', () => {
  const random = {
    ...tool('random', { length: { type: 'integer' } }),
    description: 'Generate a random text.',
  };
  const tools = [
    random,
    tool('generate_report', { topic: text }, { required: ['topic'] }),
    tool('get_report', { report_id: text }, { required: ['report_id'] }),
    { ...tool('commit', { message: text }, { required: ['message'] }), description: 'Record changes.' },
    { ...tool('log', { limit: { type: 'integer' } }), description: 'Shows the commits.' },
  ];
  expect(planOf(tools, 'random').op).toBe('unknown');
  expect(planOf(tools, 'commit')).toMatchObject({ op: 'create', collection: 'commits' });
  expect(planOf(tools, 'generate_report')).toMatchObject({ op: 'create', collection: 'reports' });
});

test('a tool on things of several kinds acts on the kind that its argument names', () => {
  const type = { type: 'string', enum: ['task', 'project', 'mood'] };
  const tools = [
    tool('add_task', { title: text }, { required: ['title'] }),
    tool('add_project', { title: text }, { required: ['title'] }),
    tool('delete_object', { type, id: text }, { required: ['type', 'id'] }),
  ];
  const { cases } = planOf(tools, 'delete_object');
  expect(cases?.argument).toBe('type');
  expect(Object.keys(cases?.plans ?? {})).toEqual(['task', 'project']);
  const session = createToolsEngine().open(specOf(tools), 3);
  const made = drive(session, toolCall('add_project', { title: 'Garden' }));
  const { id } = JSON.parse(made.answer?.text.text ?? '{}') as { id: string };
  const gone = drive(session, toolCall('delete_object', { type: 'project', id }));
  expect([gone.status, gone.answer?.isError]).toEqual(['ok', false]);
  expect(JSON.stringify(session.view())).not.toContain('Garden');
  const mood = drive(session, toolCall('delete_object', { type: 'mood', id }));
  expect(mood.answer?.text.origins.every(({ origin }) => origin === 'generated')).toBe(true);
});
