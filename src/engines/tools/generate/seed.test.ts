import { expect, test } from 'vitest';
import { type JsonObject, randomStream } from '../../../core/index.js';
import type { ToolDefinition } from '../../../domains/index.js';
import { inferService } from '../infer/infer.js';
import type { ServiceModel } from '../service.js';
import { seedRows } from './seed.js';
import { valueFor } from './values.js';

const TEXT = { type: 'string' };
const START = Date.UTC(2026, 3, 1);

function tool(name: string, properties: JsonObject = {}): ToolDefinition {
  return {
    name,
    description: '',
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  };
}

function modelOf(...tools: ToolDefinition[]): ServiceModel {
  return inferService({ tools, data: {}, entities: {}, overrides: {}, strict: false });
}

const WHERE = { owner: TEXT, repo: TEXT };
const MODEL = modelOf(
  tool('create_issue', {
    ...WHERE,
    title: TEXT,
    body: TEXT,
    milestone_id: TEXT,
    status: { enum: ['open', 'closed'] },
  }),
  tool('get_issue', { ...WHERE, issue_number: { type: 'integer' } }),
  tool('update_issue', { ...WHERE, issue_number: { type: 'integer' }, title: TEXT }),
  tool('list_issues', WHERE),
  tool('create_milestone', {
    ...WHERE,
    name: TEXT,
    start_date: { type: 'string', format: 'date' },
    end_date: { type: 'string', format: 'date' },
  }),
  tool('get_milestone', { ...WHERE, milestone_id: TEXT }),
);

const dataOf = (model: ServiceModel, seed: number, more = {}) =>
  Object.fromEntries(
    Object.entries(seedRows(model, { seed, startMs: START, ...more })).map(([name, rows]) => [
      name,
      rows.map((row) => row.data),
    ]),
  );

test('the same seed gives the same rows, another seed others', () => {
  expect(dataOf(MODEL, 1)).toEqual(dataOf(MODEL, 1));
  expect(dataOf(MODEL, 1)).not.toEqual(dataOf(MODEL, 2));
});

test('rows keep keys unique, references whole, scopes few and shared, times in order', () => {
  for (let seed = 0; seed < 20; seed++) {
    const { issues = [], milestones = [] } = dataOf(MODEL, seed);
    expect(issues.map((row) => row.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const scopes = new Set(
      [...issues, ...milestones].map((row) => `${String(row.owner)}/${String(row.repo)}`),
    );
    expect(scopes.size).toBeLessThanOrEqual(2);
    for (const issue of issues) {
      const milestone = milestones.find((row) => row.id === issue.milestone_id);
      expect({ owner: milestone?.owner, repo: milestone?.repo }).toEqual({
        owner: issue.owner,
        repo: issue.repo,
      });
      expect(['open', 'closed']).toContain(issue.status);
      expect(Date.parse(String(issue.created_at))).toBeLessThanOrEqual(Date.parse(String(issue.updated_at)));
      expect(Date.parse(String(issue.updated_at))).toBeLessThanOrEqual(START);
    }
    for (const row of milestones) expect(String(row.start_date) < String(row.end_date)).toBe(true);
  }
});

test('a further field or collection changes no other value', () => {
  const { issues, milestones } = MODEL.collections;
  if (issues === undefined || milestones === undefined) throw new Error('the model has both collections');
  const more: ServiceModel = {
    ...MODEL,
    collections: {
      aaa: { ...milestones, name: 'aaa' },
      milestones,
      issues: {
        ...issues,
        fields: { extra: { name: 'extra', schema: TEXT, required: false }, ...issues.fields },
      },
    },
  };
  const before = dataOf(MODEL, 4).issues;
  const after = dataOf(more, 4).issues?.map(({ extra: _extra, ...rest }) => rest);
  expect(after).toEqual(before);
});

test('strict gives nothing, counts are kept, and given rows are referred to and not doubled', () => {
  expect(seedRows(MODEL, { seed: 1, strict: true })).toEqual({});
  const given = { milestones: [{ id: 'M-1', owner: 'ada', repo: 'engine', name: 'First' }] };
  const data = dataOf(MODEL, 1, { counts: { issues: 3 }, given });
  expect({
    names: Object.keys(data),
    count: data.issues?.length,
    refers: data.issues?.map((row) => row.milestone_id),
  }).toEqual({
    names: ['issues'],
    count: 3,
    refers: ['M-1', 'M-1', 'M-1'],
  });
});

test('every generated row says that it is generated', () => {
  const origins = Object.values(seedRows(MODEL, { seed: 3 })).flatMap((rows) =>
    rows.map((row) => row.origins),
  );
  expect(new Set(origins.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"base":"generated"}']));
});

test('files have folders and content that fits their extension', () => {
  const model = modelOf(
    tool('read_file', { path: TEXT }),
    tool('write_file', { path: TEXT, content: TEXT }),
    tool('list_directory', { path: TEXT }),
  );
  const { files = [] } = dataOf(model, 2);
  const folders = files.filter((row) => row.type === 'directory').map((row) => row.path);
  for (const row of files) {
    const path = String(row.path);
    if (row.type === 'directory') continue;
    expect(folders).toContain(path.slice(0, path.lastIndexOf('/')));
    if (path.endsWith('.json')) expect(JSON.parse(String(row.content))).toHaveProperty('name');
  }
  expect(folders.length).toBeGreaterThan(0);
});

test('values fit names and formats', () => {
  const value = (name: string, schema: JsonObject = TEXT) =>
    valueFor({ name, schema }, { random: randomStream(1, 'value', name) });
  expect(value('email')).toMatch(/^[a-z]+\.[a-z]+@example\.com$/);
  expect(value('homepage_url')).toMatch(/^https:\/\/example\.com\//);
  expect(value('commit_sha')).toMatch(/^[0-9a-f]{40}$/);
  expect(value('currency')).toMatch(/^[A-Z]{3}$/);
  expect(value('due_date')).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(value('price', { type: 'number', minimum: 3, maximum: 4 })).toBeGreaterThanOrEqual(3);
  expect(value('phone')).toMatch(/^\+1-555-01\d\d$/);
  expect(value('anything', { const: null })).toBe(null);
});
