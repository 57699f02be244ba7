/**
 * What a list of tools contradicts is not claimed: own lists, shaped like servers that are often met.
 */
import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../../domains/index.js';
import { choosePlan } from '../run/run-plan.js';
import { inferService } from './infer.js';

const TEXT = { type: 'string' };
const ROWS = { type: 'array', items: { type: 'object', properties: { title: TEXT }, required: ['title'] } };

function tool(
  name: string,
  description: string,
  properties: object,
  required?: readonly string[],
): ToolDefinition {
  const inputSchema = { type: 'object', properties, required: required ?? Object.keys(properties) };
  return { name, description, inputSchema } as unknown as ToolDefinition;
}

/** Tool → operation, as far as the first matching plan says. */
function ops(tools: readonly ToolDefinition[], data: Record<string, object[]> = {}): Record<string, string> {
  const model = inferService({
    tools: [...tools],
    data: data as never,
    entities: {},
    overrides: {},
    strict: false,
  });
  return Object.fromEntries(
    Object.entries(model.plans).map(([name, plan]) => [name, `${plan.op} ${plan.collection ?? ''}`.trim()]),
  );
}

test('a search of what no tool keeps is outside knowledge, unless the world has the rows', () => {
  const tools = [
    tool('seek_image_search', 'Finds images', { query: TEXT }),
    tool('seek_news_search', 'Finds news', { query: TEXT }),
  ];
  expect(ops(tools)).toEqual({ seek_image_search: 'unknown', seek_news_search: 'unknown' });
  expect(ops(tools, { images: [{ id: 'i1', title: 'Tree' }] }).seek_image_search).toBe('search images');
  const kept = [
    tool('search_recipes', 'Search recipes', { query: TEXT }),
    tool('get_recipe', 'One recipe', { recipe_id: TEXT }),
    tool('save_recipe', 'Save a recipe', { title: TEXT }),
  ];
  expect(ops(kept).search_recipes).toBe('search recipes');
});

test('a search outside stays outside though results can be saved and listed', () => {
  const found = ops([
    tool('search_articles', 'Search for articles on arXiv', { query: TEXT }),
    tool('list_articles', 'List saved articles', {}),
    tool('read_article', 'Read a saved article', { article_id: TEXT }),
  ]);
  expect(found).toMatchObject({ search_articles: 'unknown', list_articles: 'list articles' });
});

test('a tool whose argument says what kind of thing it is about is not about one kind', () => {
  const found = ops([
    tool('clusterctl_get', 'Get resources', { resourceType: TEXT, name: TEXT }, ['resourceType']),
    tool('clusterctl_delete', 'Delete a resource', { resourceType: TEXT, name: TEXT }),
    tool('clusterctl_apply', 'Apply a manifest', { manifest: TEXT }),
    tool('explain_field', 'Explain a field', { path: TEXT }),
  ]);
  expect(new Set(Object.values(found))).toEqual(new Set(['unknown']));
});

test('a verb that is a thing among its neighbours is not what is done', () => {
  const found = ops([
    tool('request_outline', 'Registers a request and its steps', { text: TEXT, steps: ROWS }),
    tool('list_requests', 'List requests', {}),
    tool('get_next_step', 'The next pending step', { requestId: TEXT }),
    tool('open_step_details', 'One step', { stepId: TEXT }),
    tool('add_steps_to_request', 'Add steps', { requestId: TEXT, steps: ROWS }),
    tool('place_details', 'Details of a place', { place_id: TEXT }),
  ]);
  expect(found).toMatchObject({
    request_outline: 'unknown',
    list_requests: 'list requests',
    get_next_step: 'unknown',
    add_steps_to_request: 'unknown',
    place_details: 'unknown',
  });
});

test('a bare search or fetch over several kinds is none of them', () => {
  const found = ops([
    tool('add_chores', 'Add chores', { chores: ROWS }),
    tool('add_areas', 'Add areas', { areas: ROWS }),
    tool('search', 'Search across chores and areas', { query: TEXT }),
    tool('fetch', 'Fetch a chore or an area by its id', { id: TEXT }),
  ]);
  expect(found).toMatchObject({ add_chores: 'create chores', search: 'unknown', fetch: 'unknown' });
});

test('a list by a reference that no tool writes is not computed', () => {
  const parent = { type: 'object', properties: { page_id: TEXT }, required: ['page_id'] };
  const found = ops([
    tool('create_remark', 'Remark on a page', { parent, body: TEXT }),
    tool('list_remarks', 'Remarks of a block', { block_id: TEXT }),
    tool('query_ledger', 'Query a ledger', { ledger_id: TEXT }),
  ]);
  expect(found).toMatchObject({
    create_remark: 'create remarks',
    list_remarks: 'unknown',
    query_ledger: 'unknown',
  });
  const plain = ops([
    tool('create_remark', 'Remark on a page', { page_id: TEXT, body: TEXT }),
    tool('list_remarks', 'Remarks of a page', { page_id: TEXT }),
  ]);
  expect(plain.list_remarks).toBe('list remarks');
});

test('a formula makes the call unknown, and only the call that gives one', () => {
  const tools = [
    tool(
      'list_entries',
      'List entries',
      { tableId: TEXT, filterByFormula: TEXT, filter: { type: 'object' } },
      ['tableId'],
    ),
    tool('create_entry', 'Create an entry', { tableId: TEXT, title: TEXT }),
  ];
  const model = inferService({ tools, data: {}, entities: {}, overrides: {}, strict: false });
  const plan = model.plans.list_entries;
  expect(plan?.filters).toEqual({ tableId: 'tableId' });
  expect(choosePlan(plan, { tableId: 't' })?.op).toBe('list');
  expect(choosePlan(plan, { tableId: 't', filterByFormula: '', filter: {} })?.op).toBe('list');
  expect(choosePlan(plan, { tableId: 't', filterByFormula: '{a}=1' })).toBeUndefined();
  expect(choosePlan(plan, { tableId: 't', filter: { property: 'x' } })).toBeUndefined();
});

test('a change that only prose could name is unknown', () => {
  const found = ops([tool('researcher_start', 'Start a researcher', { instructions: TEXT })]);
  expect(found.researcher_start).toBe('unknown');
});
